// N threads in a circle, each takes its lock and then the next one's: a deadlock if all hold one.
#include "find.h"
#ifndef N
#define N 3
#endif
static pthread_mutex_t lock[N];
static int meals;

static void *eat(void *argument) {
    int own = number_of(argument);
    pthread_mutex_lock(&lock[own]);
    pthread_mutex_lock(&lock[(own + 1) % N]);
    pthread_mutex_unlock(&lock[(own + 1) % N]);
    pthread_mutex_unlock(&lock[own]);
    return NULL;
}

int main(void) {
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&lock[i], NULL);
    start_all(N, eat);
    join_all(N);
    return meals;
}
