// Threads that never end, or take no step any more.
//@ case -DRACE | races once slow
//@ case -DGROWS | fails once opt=--depth=50
//@ case -DGROWS | fails once
//@ case -DBESIDE | fails once
//@ case -DBESIDE_DEADLOCK | deadlock once slow
//@ case -DENDLESS | cut once opt=--depth=40
//@ case -DHOLDS_LOCK | cut once opt=--depth=40
//@ case -DCOUNTS | cut once opt=--depth=40
//@ case -DHANG_ALONE | hang once opt=--hang=0.5 says=takes_no_step_for_0.5_seconds within=2
//@ case -DHANG_ALONE | hang once opt=--hang=0.5 says=ends.c:
//@ case -DHANG_HOISTED -O2 | hang once plain opt=--hang=0.5 within=8
//@ case -DHANG_BESIDE | fails once opt=--hang=0.5
//@ case -DHANG_BESIDE | races once slow opt=--hang=0.5
//@ case -DHANG_ALONE | time once opt=--time=1 within=1
//@ case -DRUNS_ON | time once opt=--time=1 within=1
//@ case -DENDLESS | cut once opt=--time=5 within=5
//@ case -DHANG_AT_ONCE | hang once opt=--hang=0.5
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int x, y, counter;
int plain, flag;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void *without_end(void *unused) {
#if defined GROWS
    for (;;)
        atomic_fetch_add(&x, 1);
#elif defined HANG_HOISTED
    while (!flag)
        ;
#elif defined HANG_BESIDE || defined HANG_AT_ONCE
#if defined HANG_BESIDE /* others may come first */
    atomic_fetch_add(&counter, 1);
#endif
    for (;;)
        __asm__ volatile("" ::: "memory");
#elif defined RUNS_ON
    for (volatile int i = 0;; i++)
        ;
#elif defined HOLDS_LOCK
    pthread_mutex_lock(&mutex);
    for (;;)
        atomic_fetch_add(&x, 1);
#elif defined COUNTS
    while (!atomic_load(&y))
        atomic_fetch_add(&counter, 1);
#else
    for (;;) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
#endif
    return unused;
}

static void *work(void *argument) {
#if defined GROWS
    for (;;) {
        atomic_store(&y, atomic_load(&x));
        assert(atomic_load(&y) < 3);
    }
#elif defined BESIDE || defined HANG_BESIDE
    plain = plain + 1;
    int seen = atomic_load(&x);
    atomic_store(&x, seen + 1);
    atomic_fetch_add(&y, 1);
    assert(atomic_load(&y) < 2 || atomic_load(&x) == 2);
#elif defined BESIDE_DEADLOCK
    pthread_mutex_t *first = argument ? &other : &mutex, *second = argument ? &mutex : &other;
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
#elif defined HOLDS_LOCK
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
#else
    plain++;
#endif
    return argument;
}

int main(void) {
    pthread_t r, p, q;
#if defined HANG_ALONE
    for (volatile int never = 0; !never;)
        ;
#endif
    pthread_create(&r, NULL, without_end, NULL);
    pthread_create(&p, NULL, work, NULL);
#if !defined COUNTS && !defined HOLDS_LOCK && !defined ENDLESS
    pthread_create(&q, NULL, work, &x);
    pthread_join(q, NULL);
#endif
    pthread_join(p, NULL);
    pthread_join(r, NULL);
    return 0;
}
