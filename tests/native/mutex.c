/* Mutexes of every type, tried, timed, misused. */
//@ output ok
//@ events acq=5 tryacq=4 rel=9 tryfail=2 fork=1 join=1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive, checking;
static int guarded;

static void *other(void *unused) {
    assert(pthread_mutex_trylock(&normal) == EBUSY);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    assert(pthread_mutex_timedlock(&normal, &until) == ETIMEDOUT);
    assert(pthread_mutex_unlock(&checking) == EPERM);
    pthread_mutex_lock(&recursive);
    guarded++;
    pthread_mutex_unlock(&recursive);
    return unused;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &kind);

    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    assert(pthread_mutex_trylock(&recursive) == 0);
    guarded++;
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);

    pthread_mutex_lock(&checking);
    assert(pthread_mutex_lock(&checking) == EDEADLK);
    pthread_mutex_unlock(&checking);

    pthread_mutex_lock(&normal);
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_unlock(&normal);
    assert(pthread_mutex_trylock(&normal) == 0);
    pthread_mutex_unlock(&normal);

    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    assert(pthread_mutex_timedlock(&normal, &soon) == 0);
    pthread_mutex_unlock(&normal);
    clock_gettime(CLOCK_MONOTONIC, &soon);
    assert(pthread_mutex_clocklock(&normal, CLOCK_MONOTONIC, &soon) == 0);
    pthread_mutex_unlock(&normal);
    assert(guarded == 2);
    puts("ok");
    return 0;
}
