/*
 * Programs whose threads wait for each other in loops, one for each -D; N threads, ROUNDS rounds.
 *
 *   FLAGS    main waits for a flag of each thread, one after the other
 *   ALL      main looks at the flags of all threads in each round of its loop, and starts the next
 *   COUNT    threads count up when they are done, main waits for the number and creates new ones
 *   JOINED   the same, and main joins them
 *   PHASES   the same with threads that live on, and wait for the next round
 *   STOPPED  the same, and everyone who waits also looks whether to stop
 *   PLAIN    ALL with volatile words
 *   TURNS    threads take turns
 *   TICKETS  a lock that serves in the order of tickets
 *   TTAS     a test-and-test-and-set lock
 *   SENSE    a barrier whose sense is reversed in each round
 *   ITEMS    threads take numbered items, and wait until main has made them
 *   LOCKED   ALL with words under a mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifdef PLAIN
#define SHARED volatile int
#define OWN volatile int
#define get(word) (*(word))
#define set(word, value) (*(word) = (value))
#elif defined LOCKED
#define SHARED int
#define OWN int
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int get(const int *word) {
    pthread_mutex_lock(&mutex);
    int value = *word;
    pthread_mutex_unlock(&mutex);
    return value;
}

static void set(int *word, int value) {
    pthread_mutex_lock(&mutex);
    *word = value;
    pthread_mutex_unlock(&mutex);
}
#else
#define SHARED atomic_int
#define OWN int
#define get(word) atomic_load(word)
#define set(word, value) atomic_store(word, value)
#endif

static SHARED now, flags[N];
static atomic_int done, stop, tickets, sense, missing = N;
static OWN own[N];
static int items[ROUNDS + N];

static int is_stopped(void) {
#ifdef STOPPED
    return atomic_load(&stop);
#else
    return 0;
#endif
}

static int all_done(int round) {
    for (int i = 0; i < N; i++)
        if (get(&flags[i]) < round)
            return 0;
    return 1;
}

static void meet(int *mine) {
    *mine = !*mine;
    if (atomic_fetch_sub(&missing, 1) == 1) {
        atomic_store(&missing, N);
        atomic_store(&sense, *mine);
    } else
        while (atomic_load(&sense) != *mine)
            ;
}

static void *works(void *argument) {
    int number = (int)(intptr_t)argument, mine = 0;
#if defined FLAGS || defined COUNT || defined JOINED
    own[number]++;
    set(&flags[number], 1);
#ifndef FLAGS
    atomic_fetch_add(&done, 1);
#endif
#elif defined ITEMS
    for (int item; (item = atomic_fetch_add(&tickets, 1)) < ROUNDS;) {
        while (get(&now) <= item)
            ;
        assert(items[item] == item + 1);
        atomic_fetch_add(&done, 1);
    }
#else
    for (int round = 1; round <= ROUNDS; round++) {
#if defined TURNS
        while (get(&now) != number)
            ;
        own[0]++;
        set(&now, (number + 1) % N);
#elif defined TICKETS
        int ticket = atomic_fetch_add(&tickets, 1);
        while (get(&now) != ticket)
            ;
        own[0]++;
        set(&now, ticket + 1);
#elif defined TTAS
        do
            while (get(&now))
                ;
        while (atomic_exchange(&now, 1));
        own[0]++;
        set(&now, 0);
#elif defined SENSE
        own[number] = round;
        meet(&mine);
        assert(own[(number + 1) % N] == round);
        meet(&mine);
#else
        while (get(&now) < round)
            if (is_stopped())
                return NULL;
        own[number]++;
        set(&flags[number], round);
#if defined PHASES || defined STOPPED
        atomic_fetch_add(&done, 1);
#endif
#endif
    }
#endif
    (void)mine;
    return NULL;
}

static pthread_t threads[N];

static void create(void) {
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, works, (void *)i);
}

static void join(void) {
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
}

static void wait_for_count(int count) {
    while (atomic_load(&done) < count)
        if (is_stopped())
            return;
}

int main(void) {
#if defined COUNT || defined JOINED
    for (int round = 1; round <= ROUNDS; round++) {
        atomic_store(&done, 0);
        create();
#ifdef COUNT
        for (int i = 0; i < N; i++)
            pthread_detach(threads[i]);
#endif
        wait_for_count(N);
        assert(own[0] == round && own[N - 1] == round);
#ifdef JOINED
        join();
#endif
    }
#else
    create();
#if defined FLAGS
    for (int i = 0; i < N; i++) {
        while (!get(&flags[i]))
            ;
        assert(own[i] == 1);
    }
#elif defined ITEMS
    for (int item = 0; item < ROUNDS; item++) {
        items[item] = item + 1;
        set(&now, item + 1);
    }
    wait_for_count(ROUNDS);
#elif defined PHASES || defined STOPPED
    for (int round = 1; round <= ROUNDS; round++) {
        atomic_store(&done, 0);
        set(&now, round);
        wait_for_count(N);
        assert(own[0] == round && own[N - 1] == round);
    }
#elif defined ALL || defined PLAIN || defined LOCKED
    for (int round = 1; round <= ROUNDS; round++) {
        set(&now, round);
        while (!all_done(round))
            ;
        assert(own[0] == round && own[N - 1] == round);
    }
#endif
    join();
#endif
    return (void)all_done, (void)is_stopped, (void)meet, (void)wait_for_count, 0;
}
