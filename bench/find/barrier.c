// A barrier by a counter that the last one sets back, used twice: a thread that is late to leave
// the first use finds the counter of the second and waits for ever.
#include "find.h"
#ifndef N
#define N 3
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static int arrived;

static void wait_for_all(void) {
    pthread_mutex_lock(&lock);
    if (++arrived == N) {
        arrived = 0;
        pthread_cond_broadcast(&all);
    } else
        while (arrived) // wrong: the next use may have begun
            pthread_cond_wait(&all, &lock);
    pthread_mutex_unlock(&lock);
}

static void *work(void *argument) {
    (void)argument;
    wait_for_all();
    wait_for_all();
    return NULL;
}

int main(void) {
    start_all(N, work);
    join_all(N);
    return 0;
}
