/*
 * Loops that start over: what failed was a second read, or an update.  Alone: which rounds are seen
 * to be in vain depends on the code around a loop.
 */
//@ case -DTEST_AND_SET -DTHREADS=3 | executions=36
//@ case -DTEST_AND_SET -DTHREADS=4 | executions=576 long
//@ case -DREAD_TWICE -DTHREADS=2 | executions=2 blocked=1 plain
//@ case -DUPDATE -DTHREADS=3 | executions=6 blocked=15 plain
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int lock, sequence;
static int inside;

static void enter(void) {
    do {
        while (atomic_load(&lock))
            ;
    } while (atomic_exchange(&lock, 1));
}

static void *work(void *argument) {
#if defined TEST_AND_SET
    enter();
    inside++;
    atomic_store(&lock, 0);
#elif defined READ_TWICE
    int before;
    if (argument) {
        atomic_fetch_add(&sequence, 1);
        atomic_fetch_add(&sequence, 1);
        return NULL;
    }
    do
        before = atomic_load(&sequence);
    while (before % 2 || atomic_load(&sequence) != before);
#elif defined UPDATE
    int before;
    do
        before = atomic_load(&sequence);
    while (!atomic_compare_exchange_strong(&sequence, &before, before + 1));
#endif
    return argument;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, i ? &lock : NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
#if defined TEST_AND_SET
    assert(inside == THREADS);
#endif
    (void)enter;
    (void)inside;
    (void)sequence;
    return 0;
}
