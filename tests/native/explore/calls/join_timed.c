// A join with a time limit, by either clock: the thread has ended, or its time is up.
//@ outcomes 0:0,0 0:110,0 0:110,110
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

atomic_int value;

static void *work(void *unused) {
    value = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec real, steady;
    clock_gettime(CLOCK_REALTIME, &real);
    clock_gettime(CLOCK_MONOTONIC, &steady);
    real.tv_sec++;
    steady.tv_sec++;
    pthread_create(&thread, NULL, work, NULL);
    int first = pthread_timedjoin_np(thread, NULL, &real);
    int second = first ? pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &steady) : 0;
    if (second)
        pthread_join(thread, NULL);
    printf("%d,%d", first, second);
    return 0;
}
