// A unit that may come before the time is up, by either clock.
//@ outcomes 0:0,0 0:0,110 0:110,0 0:110,110
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

sem_t units;

static void *post(void *unused) {
    sem_post(&units);
    sem_post(&units);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec real, steady;
    clock_gettime(CLOCK_REALTIME, &real);
    clock_gettime(CLOCK_MONOTONIC, &steady);
    real.tv_sec++;
    steady.tv_sec++;
    sem_init(&units, 0, 0);
    pthread_create(&thread, NULL, post, NULL);
    int first = sem_timedwait(&units, &real) ? errno : 0;
    int second = sem_clockwait(&units, CLOCK_MONOTONIC, &steady) ? errno : 0;
    pthread_join(thread, NULL);
    printf("%d,%d", first, second);
    return 0;
}
