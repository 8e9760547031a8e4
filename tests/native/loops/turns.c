// Threads that wait for each other in turn.  Which values make them wait is learnt before most of
// the search, so few of its runs end in vain: with a value that is not known yet a thread reads
// what it waits for too early, and a run with each order of such reads is one more.
//@ case -DTURNS -DN=6 -DROUNDS=4 -O1 | executions=1 blocked=8 complete slow
//@ case -DTICKETS -DN=5 -O1 | executions=120 blocked=240 complete
//@ case -DTICKETS -DN=3 -DROUNDS=2 -O1 | executions=90 blocked=180 complete
//@ case -DPHASES -DN=3 -DROUNDS=3 -O1 | executions=216 blocked=36 complete
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

static atomic_int now, done, tickets;
static int counter, own[N];

static void *works(void *argument) {
    int number = (int)(intptr_t)argument;
    for (int round = 1; round <= ROUNDS; round++) {
#if defined TURNS
        while (atomic_load(&now) != number)
            ;
        counter++;
        atomic_store(&now, (number + 1) % N);
#elif defined TICKETS
        int ticket = atomic_fetch_add(&tickets, 1);
        while (atomic_load(&now) != ticket)
            ;
        counter++;
        atomic_store(&now, ticket + 1);
#elif defined PHASES
        while (atomic_load(&now) < round)
            ;
        own[number]++;
        atomic_fetch_add(&done, 1);
#endif
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, works, (void *)i);
#ifdef PHASES
    for (int round = 1; round <= ROUNDS; round++) {
        atomic_store(&done, 0);
        atomic_store(&now, round);
        while (atomic_load(&done) < N)
            ;
        for (int i = 0; i < N; i++)
            assert(own[i] == round);
    }
#endif
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
#ifndef PHASES
    assert(counter == N * ROUNDS);
#endif
    (void)own, (void)counter;
    return 0;
}
