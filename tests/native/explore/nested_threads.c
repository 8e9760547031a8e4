// Threads that other threads make and join, whose ends and joins are no steps of their own.
//@ case -DTRY | executions=4 violations=2 naive
//@ case -DCOMPARE | executions=2 naive
//@ case -DLOST | executions=2 deadlocks=1 naive
//@ case -DGRANDCHILD | executions=6 naive
//@ case -DSIBLING | executions=2 naive
//@ case -DASKS | executions=15 naive
//@ case -DQUITS | executions=3 naive
//@ case -DDETACHES | executions=4 naive
//@ case -DCANCELS | executions=39 naive-long
//@ case -DEARLY | executions=3 naive
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;
static int got[2];
static pthread_t first;

static void *child(void *number) {
#if defined TRY
    if (pthread_mutex_trylock(&lock) == 0) {
        got[(long)number] = 1;
        pthread_mutex_unlock(&lock);
    }
#elif defined COMPARE
    int expected = 0;
    got[(long)number] = atomic_compare_exchange_strong(&x, &expected, 1);
#elif defined LOST
    static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (number)
        pthread_cond_signal(&condition);
    else
        pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
#elif defined QUITS || defined DETACHES
    exit(0);
#elif defined ASKS
    pthread_mutex_lock(&lock);
    got[0]++;
    pthread_mutex_unlock(&lock);
#else
    atomic_fetch_add(&x, 1);
#endif
    return number;
}

static void *grandchildren(void *levels) {
    pthread_t a, b;
    if ((long)levels > 0) {
        pthread_create(&a, NULL, grandchildren, (void *)((long)levels - 1));
        pthread_join(a, NULL);
        return NULL;
    }
    pthread_create(&a, NULL, child, (void *)0);
    pthread_create(&b, NULL, child, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return NULL;
}

// Joins a thread that its parent made before it.
static void *sibling(void *unused) {
    (void)unused;
    pthread_join(first, NULL);
    return NULL;
}

static void *mother(void *unused) {
    (void)unused;
    pthread_t a;
    pthread_create(&a, NULL, child, NULL);
#ifdef DETACHES
    pthread_detach(a); // and ends, while main waits for it
#else
    pthread_join(a, NULL);
    atomic_fetch_add(&y, 1);
#endif
    return NULL;
}

#ifdef CANCELS
static void *waits(void *unused) {
    (void)unused;
    pthread_t a;
    pthread_create(&a, NULL, mother, NULL);
    pthread_join(a, NULL); // may end here
    atomic_fetch_add(&x, 4);
    return NULL;
}

static void *cancels(void *unused) {
    pthread_cancel(first);
    return unused;
}
#endif

int main(void) {
    pthread_t a;
#if defined GRANDCHILD || defined ASKS
    pthread_t b;
#endif
#if defined TRY || defined COMPARE || defined LOST
    pthread_create(&a, NULL, grandchildren, (void *)1);
    pthread_join(a, NULL);
#ifdef TRY
    assert(got[0] && got[1]);
#endif
#elif defined GRANDCHILD
    pthread_create(&a, NULL, grandchildren, (void *)0);
    pthread_create(&b, NULL, mother, NULL);
    pthread_join(b, NULL);
    pthread_join(a, NULL);
#elif defined SIBLING
    pthread_create(&first, NULL, child, NULL);
    pthread_create(&a, NULL, sibling, NULL);
    atomic_fetch_add(&x, 1);
    pthread_join(a, NULL);
    atomic_fetch_add(&y, 1); // after all
#elif defined ASKS
    pthread_create(&a, NULL, mother, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_tryjoin_np(a, NULL);
    pthread_join(b, NULL);
#elif defined QUITS
    pthread_create(&a, NULL, mother, NULL);
    atomic_fetch_add(&x, 1);
    atomic_fetch_add(&y, 1);
    pthread_join(a, NULL);
#elif defined DETACHES
    pthread_create(&a, NULL, mother, NULL);
    pthread_join(a, NULL);
    atomic_fetch_add(&x, 1);
    atomic_fetch_add(&y, 1);
#elif defined CANCELS
    pthread_create(&first, NULL, waits, NULL);
    pthread_create(&a, NULL, cancels, NULL);
    pthread_join(a, NULL);
    pthread_join(first, NULL);
    got[0] = atomic_load(&x) * 10 + atomic_load(&y);
#elif defined EARLY
    pthread_create(&a, NULL, child, NULL);
    if (atomic_load(&x) == 0)
        return 0; // what the thread would have done does not happen, or it did
    pthread_join(a, NULL);
#endif
    return 0;
}
