// Loops that take locks in each round and wait.
//@ case -DFLAG | complete
//@ case -DSPIN_LOCK | complete
//@ case -DBESIDE_LOCK | complete
//@ case -DBESIDE_LOCK -DTWO_WAIT | complete
//@ case -DCONSISTENT | complete
//@ case -DTWO_WORDS | complete outcomes=1,2
//@ case -DTWO_LOCKS | complete
//@ case -DOPPOSITE | deadlock
//@ case -DNEVER | deadlock
//@ case -DTAKEN_BACK | deadlock
//@ case -DBETWEEN | fails
//@ case -DTWO_WAIT | complete
//@ case -DCOUNTED | fails
//@ case -DTRIED | fails once opt=--depth=16
//@ case -DTIMED | fails once opt=--depth=16
//@ case -DCONDITION | complete
//@ case -DRECURSIVE | complete
//@ case -DONCE | complete
//@ case -DTHREE | complete
//@ case -DPLAIN_RACE | races once
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int a, b, c;
static int value;
int flag; /* not static: then clang leaves one out that is only ever 0 */
static volatile int seen;

static void lock(void) {
#if defined SPIN_LOCK
    pthread_spin_lock(&spin);
#else
    pthread_mutex_lock(&mutex);
#endif
}

static void unlock(void) {
#if defined SPIN_LOCK
    pthread_spin_unlock(&spin);
#else
    pthread_mutex_unlock(&mutex);
#endif
}

static void nothing(void) {
}

/* The loop. */
static void *wait_for_it(void *unused) {
#if defined THREE
    while (!a || !b || !c)
        ;
    return unused;
#elif defined ONCE
    while (!a)
        pthread_once(&once, nothing);
    return unused;
#elif defined BESIDE_LOCK
    while (!a) {
        lock();
        seen = 0;
        unlock();
    }
    return unused;
#endif
#if defined COUNTED /* elsewhere a counter would make each round another */
    for (int round = 0;; round++) {
#else
    for (;;) {
#endif
        lock();
#if defined TWO_LOCKS || defined OPPOSITE
        pthread_mutex_lock(&other);
#elif defined RECURSIVE
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
#endif
        int now = flag;
#if defined TWO_WORDS
        now += value;
#elif defined CONSISTENT
        assert(now == value);
#endif
#if defined TWO_LOCKS || defined OPPOSITE
        pthread_mutex_unlock(&other);
#endif
        unlock();
#if defined COUNTED
        assert(round < 2);
#elif defined BETWEEN
        assert(now != 1);
#endif
        if (now) {
            seen = now;
            break;
        }
    }
    return unused;
}

static void set(int to) {
    lock();
    flag = to;
    unlock();
}

static void *work(void *unused) {
#if defined THREE
    a = b = c = 1;
#elif defined ONCE || defined BESIDE_LOCK
    a = 1;
#elif defined CONSISTENT
    lock();
    flag = 1;
    value = 1;
    unlock();
#elif defined TWO_WORDS
    set(1);
    lock();
    value = 1;
    unlock();
#elif defined OPPOSITE
    pthread_mutex_lock(&other);
    set(1);
    pthread_mutex_unlock(&other);
#elif defined NEVER
    set(0);
#elif defined TAKEN_BACK
    set(1);
    set(0);
#elif defined BETWEEN
    set(1);
    set(2);
#elif defined TRIED || defined TIMED
    for (int i = 0; i < 2; i++) {
        struct timespec soon = {0};
        (void)soon;
#if defined TRIED
        int failed = pthread_mutex_trylock(&mutex);
#else
        int failed = pthread_mutex_timedlock(&mutex, &soon);
#endif
        if (!failed)
            unlock();
        value += failed != 0;
        lock();
        unlock();
    }
    assert(value < 2);
    set(1);
#elif defined CONDITION
    lock();
    pthread_cond_signal(&condition);
    flag = 1;
    unlock();
#elif defined PLAIN_RACE
    flag = 1;
#else
    set(1);
#endif
    return unused;
}

int main(void) {
    pthread_t waiter, worker, third;
    pthread_spin_init(&spin, 0);
#if defined RECURSIVE
    pthread_mutexattr_t how;
    pthread_mutexattr_init(&how);
    pthread_mutexattr_settype(&how, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &how);
#endif
    pthread_create(&waiter, NULL, wait_for_it, NULL);
    pthread_create(&worker, NULL, work, NULL);
#if defined TWO_WAIT
    pthread_create(&third, NULL, wait_for_it, NULL);
    pthread_join(third, NULL);
#elif defined CONDITION
    (void)third;
    lock();
    while (!flag)
        pthread_cond_wait(&condition, &mutex);
    unlock();
#else
    (void)third;
#endif
    pthread_join(waiter, NULL);
    pthread_join(worker, NULL);
#if defined TWO_WORDS
    printf("%d", seen);
#endif
    return 0;
}
