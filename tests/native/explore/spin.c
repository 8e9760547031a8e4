// Loops that wait by reading: a flag, with a yield and without; a lock by exchange and by
// compare-and-swap, also one that reads the word twice in a round; Peterson's lock, which waits
// for one of two words.
// Alone: which rounds are seen to be in vain depends on the code around a loop.
//@ case -DFLAG | executions=1 naive
//@ case -DFLAG -DYIELD | executions=1 plain
//@ case -DVOLATILE | executions=1 blocked=1
//@ case -DSWAP | executions=2 naive
//@ case -DCOMPARE | executions=2 naive plain
//@ case -DRELOADS -DTIMES=3 -O0 | violations=0 blocked=24 slow
//@ case -DPETERSON | violations=0 executions=4 blocked=4
//@ case -DNOBODY | deadlocks=1 executions=1
//@ case -DCOUNTS | executions=4
//@ case -DRANDOM | violations=0
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

atomic_int flag, wants[2], turn, data;
volatile int plain;
int inside;

static void wait_for(atomic_int *word) {
    while (!atomic_load(word))
#ifdef YIELD
        sched_yield();
#else
        ;
#endif
}

static void enter(int id) {
#if defined SWAP
    while (atomic_exchange(&flag, 1))
        ;
#elif defined COMPARE
    int empty = 0;
    while (!atomic_compare_exchange_strong(&flag, &empty, 1)) {
        empty = 0;
        sched_yield();
    }
#elif defined RELOADS
    for (int seen = atomic_load(&flag);;) {
        if (seen) {
            sched_yield();
            seen = atomic_load(&flag);
        } else if (atomic_compare_exchange_weak(&flag, &seen, 1)) {
            break;
        }
    }
#else
    atomic_store(&wants[id], 1);
    atomic_store(&turn, 1 - id);
    while (atomic_load(&wants[1 - id]) && atomic_load(&turn) == 1 - id)
        ;
#endif
    (void)id;
}

static void *work(void *argument) {
    int id = (int)(intptr_t)argument;
#if defined FLAG
    if (id)
        wait_for(&flag);
    else
        atomic_store(&flag, 1);
#elif defined VOLATILE
    if (id)
        while (!plain)
            ;
    else
        plain = 1;
#elif defined NOBODY
    if (id)
        wait_for(&flag);
#elif defined RANDOM
    if (id) // it gives up too, but the state that counts is a library's
        while (!atomic_load(&flag) && rand() % 8 != 3)
            ;
    else
        atomic_store(&flag, 1);
#elif defined COUNTS
    if (id)
        for (int i = 0; i < 3 && !atomic_load(&flag); i++)
            ; // it gives up: no loop that waits
    else
        atomic_store(&flag, 1);
#else
#ifndef TIMES
#define TIMES 1
#endif
    for (int i = 0; i < (id ? 1 : TIMES); i++) {
        enter(id);
        assert(inside++ == 0);
        inside--;
        atomic_store(&flag, 0);
        atomic_store(&wants[id], 0);
    }
#endif
    (void)wait_for;
    (void)enter;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
