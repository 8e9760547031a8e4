// A bounded buffer of one place whose producers and consumers share one condition and wake one
// waiter: the wake-up can go to a thread of the same kind.
#include "find.h"
#ifndef N
#define N 2
#endif
#ifndef EACH
#define EACH 1
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int filled;

static void *produce(void *argument) {
    (void)argument;
    for (int i = 0; i < EACH; i++) {
        pthread_mutex_lock(&lock);
        while (filled)
            pthread_cond_wait(&changed, &lock);
        filled = 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *consume(void *argument) {
    (void)argument;
    for (int i = 0; i < EACH; i++) {
        pthread_mutex_lock(&lock);
        while (!filled)
            pthread_cond_wait(&changed, &lock);
        filled = 0;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    for (int i = 0; i < N; i++) {
        start(2 * i, produce);
        start(2 * i + 1, consume);
    }
    join_all(2 * N);
    return 0;
}
