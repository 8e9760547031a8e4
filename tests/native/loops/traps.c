// Loops that look as if they only waited, and what is lost if they are taken for that; and waits
// that end in several ways, or never.  The truth of each is in its comment.
//@ case -DTWO_READS | fails
//@ case -DUNDOES | fails opt=--depth=200
//@ case -DCOUNTER_LOCAL | outcomes=seen,gave_up complete
//@ case -DCOUNTER_GLOBAL | outcomes=seen,gave_up complete
//@ case -DCOUNTER_HEAP | outcomes=seen,gave_up complete
//@ case -DCOUNTER_TLS | outcomes=seen,gave_up complete
//@ case -DCOUNTER_DOUBLE | outcomes=seen,gave_up complete
//@ case -DCOUNTER_CALLEE | outcomes=seen,gave_up complete
//@ case -DCOUNTER_RANDOM | outcomes=seen,gave_up complete
//@ case -DCOUNTER_STREAM | outcomes=seen,gave_up complete
//@ case -DCOUNTER_OFFSET | outcomes=seen,gave_up complete opt=--reset=fork
//@ case -DCOUNTER_TIME | outcomes=seen,gave_up complete
//@ case -DCOUNTER_YIELDS | outcomes=seen,gave_up complete
//@ case -DEXITS | outcomes=1,2 complete
//@ case -DBACK_AGAIN | deadlock
//@ case -DPATH | fails
//@ case -DSTUCK | deadlock
//@ case -DNEIGHBOUR | outcomes=0,1 complete
//@ case -DSTORES | complete
//@ case -DSTORES_TWICE | complete
//@ case -DSTORES_NEWS | complete
//@ case -DSTORES_OVER | outcomes=0,5 complete
//@ case -DSTORES_LATER | outcomes=0_0,1_0,1_5 complete
//@ case -DJOINED | outcomes=0_1,0_2,1_2 complete
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

atomic_int a = 1, b, c, flag, lock = 1, guard;
int tries;
_Alignas(8) struct { volatile int kept, unused; /* a word of its own */ } own;
__thread int own_tries;
int *heap_tries;
struct {
    atomic_int word, beside;
} pair;

/* It gives up by itself after a few rounds, whatever the others do. */
__attribute__((noinline)) static int count_up(int *counter) {
    return ++*counter;
}

static const char *wait_or_give_up(void) {
#if defined COUNTER_LOCAL
    for (int i = 0; i < 3; i++)
        if (atomic_load(&flag))
            return "seen";
#elif defined COUNTER_GLOBAL
    while (++tries < 3)
        if (atomic_load(&flag))
            return "seen";
#elif defined COUNTER_HEAP
    while (++*heap_tries < 3)
        if (atomic_load(&flag))
            return "seen";
#elif defined COUNTER_TLS
    while (++own_tries < 3)
        if (atomic_load(&flag))
            return "seen";
#elif defined COUNTER_DOUBLE
    for (double d = 0; d < 1.5; d += 0.5)
        if (atomic_load(&flag))
            return "seen";
#elif defined COUNTER_CALLEE
    while (count_up(&tries) < 3)
        if (atomic_load(&flag))
            return "seen";
#elif defined COUNTER_RANDOM
    while (rand() % 8 != 3)
        if (atomic_load(&flag))
            return "seen";
#elif defined COUNTER_STREAM
    FILE *file = fopen("/proc/self/comm", "r");
    while (fgetc(file) >= 0)
        if (atomic_load(&flag))
            return "seen";
#elif defined COUNTER_OFFSET
    static int file;
    char byte;
    file = open("/proc/self/comm", O_RDONLY);
    while (read(file, &byte, 1) == 1) {
        byte = 0;
        if (atomic_load(&flag))
            return "seen";
    }
#elif defined COUNTER_TIME
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    for (long end = now.tv_nsec + 20000; now.tv_nsec < end; clock_gettime(CLOCK_MONOTONIC, &now))
        if (atomic_load(&flag))
            return "seen";
#elif defined COUNTER_YIELDS
    for (int i = 0; i < 3; i++) {
        if (atomic_load(&flag))
            return "seen";
        sched_yield();
    }
#endif
    return "gave_up";
}

/* The flag is left in no register. */
__attribute__((noinline)) static int pass_on(void) {
    int now = atomic_load(&flag), before = own.kept;
    own.kept = now;
    return before;
}

static void *reader(void *unused) {
#if defined TWO_READS /* u is 1 only if both words are read in one round, with writes in between   \
                       */
    int u, v;
    do {
        u = atomic_load(&a);
        v = atomic_load(&b);
    } while (u != v);
    assert(u != 1);
#elif defined UNDOES /* others see c in the middle of a round that fails */
    int taken;
    do {
        atomic_fetch_add(&c, 1);
        taken = atomic_load(&lock);
        atomic_fetch_sub(&c, 1);
    } while (taken);
#elif defined EXITS
    int v;
    while (!(v = atomic_load(&flag)))
        ;
    printf("%d\n", v);
#elif defined BACK_AGAIN
    while (atomic_load(&flag) != 1)
        ;
#elif defined PATH      /* the lock can be had before the guard was ever looked at again */
    int done = 0, v = atomic_load(&guard);
    while (!done) {
        int free = 0;
        if (v)
            done = 2;
        else if (atomic_compare_exchange_strong(&lock, &free, 1))
            done = 1;
        else
            v = atomic_load(&guard);
    }
    assert(done != 1);
#elif defined STUCK     /* an even number, the same at the second look */
    int v;
    do
        while ((v = atomic_load(&a)) & 1)
            ;
    while (v != atomic_load(&a));
#elif defined NEIGHBOUR /* another word beside the one that it waits for */
    while (!atomic_load(&pair.word))
        ;
    printf("%d\n", atomic_load(&pair.beside));
#elif defined STORES || defined STORES_OVER || defined STORES_LATER /* what is there, or not */
    while (!atomic_load(&flag))
        own.kept = 0;
#elif defined STORES_NEWS  /* the round after the flag is set is not the last one */
    while (!pass_on())
        ;
#elif defined STORES_TWICE /* and another value before, which nobody sees */
    while (!atomic_load(&flag)) {
        own.kept = 1;
        own.kept = 0;
    }
#else
    printf("%s\n", wait_or_give_up());
#endif
    return unused;
}

static void *writer(void *unused) {
#if defined TWO_READS
    atomic_store(&a, 2);
    atomic_store(&b, 1);
    atomic_store(&a, 3);
    atomic_store(&b, 2);
    atomic_store(&b, 3);
#elif defined UNDOES
    assert(atomic_load(&c) != 1);
    atomic_store(&lock, 0);
#elif defined EXITS
    atomic_store(&flag, 1);
    atomic_store(&flag, 2);
#elif defined BACK_AGAIN
    atomic_store(&flag, 1);
    atomic_store(&flag, 0);
#elif defined PATH
    atomic_store(&lock, 0);
#elif defined STUCK
    atomic_store(&a, 3);
#elif defined NEIGHBOUR
    atomic_store(&pair.word, 1);
    atomic_store(&pair.beside, 1);
#elif defined STORES_OVER
    own.kept = 5;
    atomic_store(&flag, 1);
#elif defined STORES_LATER /* the second one uses the word, if it comes after the first */
    if (atomic_load(&c)) {
        atomic_store(&b, 1);
        own.kept = 5;
    }
    atomic_store(&c, 1);
    atomic_store(&flag, 1);
#else
    atomic_store(&flag, 1);
#endif
    return unused;
}

#if defined JOINED
/* What main waits for is what a thread returned: the join is no step of its own, and finds it. */
static void *teller(void *unused) {
    (void)unused;
    return (void *)(long)atomic_load(&b);
}

static void *raiser(void *unused) {
    atomic_store(&b, 1);
    atomic_store(&flag, 1);
    atomic_store(&flag, 2);
    return unused;
}

static void *bystander(void *unused) {
    return unused;
}

int main(void) {
    pthread_t t[3];
    void *told;
    int found;
    pthread_create(&t[0], NULL, teller, NULL);
    pthread_create(&t[1], NULL, raiser, NULL);
    pthread_create(&t[2], NULL, bystander, NULL);
    pthread_join(t[0], &told);
    while ((found = atomic_load(&flag)) <= (int)(long)told)
        ;
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    printf("%d_%d\n", (int)(long)told, found);
    return 0;
}
#else
int main(void) {
    pthread_t r, w;
    heap_tries = calloc(1, sizeof *heap_tries);
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
#if defined STORES_LATER
    pthread_t second;
    pthread_create(&second, NULL, writer, NULL);
    pthread_join(second, NULL);
#endif
    pthread_join(r, NULL);
    pthread_join(w, NULL);
#if defined STORES_OVER
    printf("%d\n", own.kept);
#elif defined STORES_LATER
    printf("%d_%d\n", atomic_load(&b), own.kept);
#endif
    return 0;
}
#endif
