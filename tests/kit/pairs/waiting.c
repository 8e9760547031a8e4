/* Conditions, semaphores and barriers. */
#include <semaphore.h>
#include <stdatomic.h>

#include "pair.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, count;
static atomic_int flag;

/* The flag is set between the look at it and the wait. */
static void *set_flag(void *unused) {
    if (fixed)
        pthread_mutex_lock(&lock);
    atomic_store(&flag, 1);
    pthread_cond_signal(&changed);
    if (fixed)
        pthread_mutex_unlock(&lock);
    return unused;
}

static void *await_flag(void *unused) {
    pthread_mutex_lock(&lock);
    while (!atomic_load(&flag))
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void lost_wakeup(void) {
    two(await_flag, set_flag);
}
PAIR(lost_wakeup, "with=deadlock")

/* A bounded buffer, in which somebody else may take what a consumer was woken for. */
enum { SIZE = 1 };
static int buffer[SIZE], used;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;

static void put(int value) {
    pthread_mutex_lock(&lock);
    while (used == SIZE)
        pthread_cond_wait(&not_full, &lock);
    buffer[used++] = value;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int take(void) {
    pthread_mutex_lock(&lock);
    if (fixed) {
        while (used == 0)
            pthread_cond_wait(&not_empty, &lock);
    } else if (used == 0)
        pthread_cond_wait(&not_empty, &lock);
    HEDDLE_CHECK(used > 0);
    int value = buffer[--used];
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return value;
}

static void *take_one(void *unused) {
    HEDDLE_EQUAL(take(), 7);
    return unused;
}

static void if_not_while(void) {
    heddle_thread(take_one, NULL);
    heddle_thread(take_one, NULL);
    put(7);
    put(7);
    heddle_join();
}
PAIR(if_not_while, "with=assertion")

/* One waits for room, one for an element, on the same condition; the wrong one is woken. */
static int phase;

static void *await_phase(void *wanted) {
    pthread_mutex_lock(&lock);
    while (phase != *(int *)wanted)
        pthread_cond_wait(&changed, &lock);
    phase++;
    if (fixed)
        pthread_cond_broadcast(&changed);
    else
        pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static int phases[] = {1, 2};

static void signal_for_broadcast(void) {
    heddle_thread(await_phase, &phases[0]);
    heddle_thread(await_phase, &phases[1]);
    pthread_mutex_lock(&lock);
    phase = 1;
    if (fixed)
        pthread_cond_broadcast(&changed);
    else
        pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    heddle_join();
}
PAIR(signal_for_broadcast, "with=deadlock")

/* A wait without a condition misses a signal that came before. */
static void *wait_once(void *unused) {
    pthread_mutex_lock(&lock);
    while (fixed && !ready)
        pthread_cond_wait(&changed, &lock);
    if (!fixed)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *signal_once(void *unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void signal_too_early(void) {
    two(wait_once, signal_once);
}
PAIR(signal_too_early, "with=deadlock")

/* What is waited for is changed without the lock. */
static void *set_ready(void *unused) {
    if (fixed)
        pthread_mutex_lock(&lock);
    ready = 1;
    if (fixed)
        pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *await_ready(void *unused) {
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void unlocked_condition(void) {
    two(await_ready, set_ready);
}
PAIR(unlocked_condition, "with=race")

/* A wait may end by itself. */
static void *wait_if(void *unused) {
    pthread_mutex_lock(&lock);
    while (fixed && !ready)
        pthread_cond_wait(&changed, &lock);
    if (!ready)
        pthread_cond_wait(&changed, &lock);
    HEDDLE_CHECK(ready);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void spurious_wake(void) {
    two(wait_if, signal_once);
}
PAIR_WITH(spurious_wake, "spurious", "with=assertion")

/* More are awaited at a barrier than come. */
static pthread_barrier_t barrier;

static void *meet(void *unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}

static void barrier_count(void) {
    pthread_barrier_init(&barrier, NULL, fixed ? 2 : 3);
    two(meet, meet);
    pthread_barrier_destroy(&barrier);
}
PAIR(barrier_count, "with=deadlock")

/* A barrier by hand: who is slow finds the counter at 0 again. */
static int arrived, generation;

static void meet_by_hand(void) {
    pthread_mutex_lock(&lock);
    int mine = generation;
    if (++arrived == 2) {
        arrived = 0;
        generation++;
        pthread_cond_broadcast(&changed);
    } else if (fixed) {
        while (mine == generation)
            pthread_cond_wait(&changed, &lock);
    } else {
        while (arrived != 0)
            pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
}

static void *meet_twice(void *unused) {
    meet_by_hand();
    meet_by_hand();
    return unused;
}

static void barrier_by_hand(void) {
    two(meet_twice, meet_twice);
}
PAIR(barrier_by_hand, "with=deadlock")

/* The semaphore begins with a unit that stands for nothing. */
static sem_t filled;
static int made;

static void *make(void *unused) {
    made = 1;
    sem_post(&filled);
    return unused;
}

static void *use(void *unused) {
    sem_wait(&filled);
    HEDDLE_EQUAL(made, 1);
    return unused;
}

static void semaphore_start(void) {
    sem_init(&filled, 0, fixed ? 0 : 1);
    two(make, use);
}
PAIR(semaphore_start, "with=assertion")

/* The consumer waits for an element with the lock in its hands. */
static void *produce(void *unused) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    sem_post(&filled);
    return unused;
}

static void *consume(void *unused) {
    if (fixed)
        sem_wait(&filled);
    pthread_mutex_lock(&lock);
    if (!fixed)
        sem_wait(&filled);
    count--;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void waits_with_lock(void) {
    sem_init(&filled, 0, 0);
    two(produce, consume);
    HEDDLE_EQUAL(count, 0);
}
PAIR(waits_with_lock, "with=deadlock")

/* A loop that waits for what nobody does if this thread comes first. */
static void *answer(void *unused) {
    int first = atomic_exchange(&flag, 1);
    if (fixed || first)
        atomic_store(&flag, 2);
    return unused;
}

static void *ask(void *unused) {
    if (!fixed)
        atomic_exchange(&flag, 1);
    HEDDLE_EVENTUALLY(atomic_load(&flag) == 2);
    return unused;
}

static void never_answered(void) {
    two(ask, answer);
}
PAIR(never_answered, "with=deadlock")
