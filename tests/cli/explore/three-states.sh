# A lock with three states: free, taken, and taken while others wait for it.  Which values make a
# thread wait depends on what all did before, so there are many, and each worker comes to others: a
# search with several workers must not start over for every one.
cat >lock.c <<END
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 3
#endif

enum { FREE, TAKEN, WAITED_FOR };

static atomic_int state;
static int counter;

static void lock(void) {
    int found = FREE;
    if (atomic_compare_exchange_strong(&state, &found, TAKEN))
        return;
    if (found != WAITED_FOR)
        found = atomic_exchange(&state, WAITED_FOR);
    while (found != FREE) {
        while (atomic_load(&state) == WAITED_FOR)
            ;
        found = atomic_exchange(&state, WAITED_FOR);
    }
}

static void unlock(void) {
    if (atomic_fetch_sub(&state, 1) != TAKEN)
        atomic_store(&state, FREE);
}

static void *counts(void *argument) {
    lock();
    counter++;
    unlock();
    return argument;
}

int main(void) {
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], 0, counts, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], 0);
    assert(counter == THREADS);
}
END
heddle cc -O1 -o lock lock.c
for workers in 1 3; do
    heddle explore -a sdpor -j $workers --time=50 --json ./lock | jq -c '[.complete, .result.executions]'
done
