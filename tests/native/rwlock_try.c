/* Tries and timed calls on a read-write lock that another thread holds. */
//@ output ok
//@ events fork=2 join=2 acq=1 rel=1 racq=1 tryracq=1 rrel=2 tryfail=6
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static struct timespec soon(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_sec++;
    return time;
}

static void *while_written(void *unused) {
    struct timespec until = soon(CLOCK_REALTIME), later = soon(CLOCK_MONOTONIC);
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_timedrdlock(&lock, &until) == ETIMEDOUT);
    assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &later) == ETIMEDOUT);
    return unused;
}

static void *while_read(void *unused) {
    struct timespec until = soon(CLOCK_REALTIME);
    assert(pthread_rwlock_timedwrlock(&lock, &until) == ETIMEDOUT);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_rwlock_wrlock(&lock);
    pthread_create(&thread, NULL, while_written, NULL);
    pthread_join(thread, NULL);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_rdlock(&lock);
    pthread_create(&thread, NULL, while_read, NULL);
    pthread_join(thread, NULL);
    pthread_rwlock_unlock(&lock);
    puts("ok");
    return 0;
}
