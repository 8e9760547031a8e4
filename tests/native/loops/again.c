// Updates that try again.  A thread whose compare-and-swap failed, and which goes on with the value
// that was found, is where it would be had it read that value in the first place: N threads that
// count up once have N! executions.  Not so where it keeps something of what it did before, nor
// where the first round has code of its own, as clang makes it of loops with two reads: gcc only.
//@ case -DCOUNTS -DN=3 -O2 | executions=6 complete
//@ case -DCOUNTS -DN=4 -O2 | executions=24 complete
//@ case -DCOUNTS -DREADS_AGAIN -DN=4 -O2 | executions=24 complete plain
//@ case -DCOUNTS -DKEEPS_FIRST -DN=2 | outcomes=0_0,0_1,1_0 complete
//@ case -DCOUNTS -DKEEPS_TRIES -DN=2 | outcomes=0_0,0_1,1_0 complete
//@ case -DCOUNTS -DSTORES_TRIES -DN=2 | outcomes=0_0,0_1,1_0 complete
//@ case -DGIVES | outcomes=0,1 complete
//@ case -DGIVES_EXCHANGE | outcomes=0,2,3,4 complete
//@ case -DTAKES -DN=3 -O2 | executions=5 complete plain
//@ case -DSTUCK | deadlock
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#ifndef N
#define N 2
#endif

static atomic_int word, other = 1, places[2] = {0, 1};
static struct { int kept, unused; /* a word of its own */ } had[N];

static void *works(void *argument) {
    int number = *(int *)argument;
#if defined COUNTS
    int old = atomic_load(&word), first = old, tries = 0;
    while (!atomic_compare_exchange_strong(&word, &old, old + 1)) {
        tries++;
#ifdef STORES_TRIES
        had[number].kept++;
#endif
#ifdef READS_AGAIN
        old = atomic_load(&word);
#endif
    }
    (void)first, (void)tries;
#ifdef KEEPS_FIRST
    had[number].kept = first;
#elif defined KEEPS_TRIES
    had[number].kept = tries;
#endif
#elif defined TAKES          /* the first fills a place, others try to have it, then the next one */
    int at = atomic_load(&word);
    if (!number) {
        atomic_store(&places[at], at + 1);
        return NULL;
    }
    for (;;) {
        int has = atomic_load(&places[at]);
        if (has <= at)
            return NULL;
        if (has > at + 1)
            at = atomic_load(&word);
        else if (atomic_compare_exchange_strong(&word, &at, at + 1))
            break;
    }
    atomic_store(&places[at], at + 2);
#elif defined GIVES          /* the new value is one that it read since the last try */
    if (number) {
        atomic_store(&word, 5);
        return NULL;
    }
    for (int new = 0, expected = 5; !atomic_compare_exchange_strong(&word, &expected, new);
         expected = 5)
        new = atomic_load(&other);
#elif defined GIVES_EXCHANGE /* an exchange that leaves the word as it was, and one that does not  \
                              */
    if (number) {
        atomic_store(&word, 3);
        return NULL;
    }
    for (int i = 0, new = 0; i < 2 && atomic_exchange(&word, new) != 3; i++)
        new = atomic_load(&other);
    if (atomic_load(&word) == 1)
        atomic_fetch_add(&word, 1);
#else                        /* it never has the value */
    if (number)
        return NULL;
    for (int new = 2, expected = 5; !atomic_compare_exchange_strong(&word, &expected, new);
         expected = 5)
        new = atomic_load(&other);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    int numbers[N];
    for (int i = 0; i < N; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, works, &numbers[i]);
    }
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
#if defined COUNTS && N == 2
    printf("%d_%d\n", had[0].kept, had[1].kept);
#elif !defined COUNTS
    printf("%d\n", atomic_load(&word));
#endif
    return 0;
}
