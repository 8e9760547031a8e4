// Read-write locks with a time limit, by either clock, beside a writer.
//@ outcomes 0:0,0 0:110,0 0:0,110 0:110,110
#include <pthread.h>
#include <stdio.h>
#include <time.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *unused) {
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec real, steady;
    clock_gettime(CLOCK_REALTIME, &real);
    clock_gettime(CLOCK_MONOTONIC, &steady);
    real.tv_sec++;
    steady.tv_sec++;
    pthread_create(&thread, NULL, writer, NULL);
    int reading = pthread_rwlock_timedrdlock(&lock, &real);
    if (!reading)
        pthread_rwlock_unlock(&lock);
    int writing = pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &steady);
    if (!writing)
        pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    printf("%d,%d", reading, writing);
    return 0;
}
