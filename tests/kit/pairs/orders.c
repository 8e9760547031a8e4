/* Atomic operations: too few of them, or with too weak an order. */
#include <stdatomic.h>
#include <stdlib.h>

#include "pair.h"

static atomic_int count, flag, guard;
static int data;

/* A load and a store are not one update. */
static void *add(void *unused) {
    if (fixed)
        atomic_fetch_add(&count, 1);
    else
        atomic_store(&count, atomic_load(&count) + 1);
    return unused;
}

static void load_then_store(void) {
    two(add, add);
    HEDDLE_EQUAL(atomic_load(&count), 2);
}
PAIR(load_then_store, "with=assertion")

/* The flag does not publish the data. */
static void *publish(void *unused) {
    data = 7;
    atomic_store_explicit(&flag, 1, fixed ? memory_order_release : memory_order_relaxed);
    return unused;
}

static void *receive(void *unused) {
    if (atomic_load_explicit(&flag, memory_order_acquire))
        HEDDLE_EQUAL(data, 7);
    return unused;
}

static void relaxed_publish(void) {
    two(publish, receive);
}
PAIR(relaxed_publish, "with=race")

/* The reader does not acquire. */
static void *publish_well(void *unused) {
    data = 7;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

static void *receive_badly(void *unused) {
    if (atomic_load_explicit(&flag, fixed ? memory_order_acquire : memory_order_relaxed))
        HEDDLE_EQUAL(data, 7);
    return unused;
}

static void relaxed_receive(void) {
    two(publish_well, receive_badly);
}
PAIR(relaxed_receive, "with=race")

/* volatile is not atomic. */
static volatile int stop;
static atomic_int stop_atomic;

static void *ask_to_stop(void *unused) {
    data = 1;
    if (fixed)
        atomic_store(&stop_atomic, 1);
    else
        stop = 1;
    return unused;
}

static void *see_stop(void *unused) {
    if (fixed ? atomic_load(&stop_atomic) : stop)
        HEDDLE_EQUAL(data, 1);
    return unused;
}

static void volatile_flag(void) {
    two(ask_to_stop, see_stop);
}
PAIR(volatile_flag, "with=race")

/* The instance is looked for twice, the first time without order. */
typedef struct config {
    int value;
} config;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static config *plain, storage;
static _Atomic(config *) ordered;

static config *instance(void) {
    config *it = fixed ? atomic_load_explicit(&ordered, memory_order_acquire) : plain;
    if (it)
        return it;
    pthread_mutex_lock(&lock);
    it = fixed ? atomic_load_explicit(&ordered, memory_order_relaxed) : plain;
    if (!it) {
        it = &storage;
        it->value = 7;
        if (fixed)
            atomic_store_explicit(&ordered, it, memory_order_release);
        else
            plain = it;
    }
    pthread_mutex_unlock(&lock);
    return it;
}

static void *use_instance(void *unused) {
    HEDDLE_EQUAL(instance()->value, 7);
    return unused;
}

static void double_checked(void) {
    two(use_instance, use_instance);
}
PAIR(double_checked, "with=race")

/* A lock by hand: to see that it is free is not to take it. */
static void *enter(void *unused) {
    if (fixed) {
        while (atomic_exchange(&guard, 1))
            sched_yield();
    } else {
        while (atomic_load(&guard))
            sched_yield();
        atomic_store(&guard, 1);
    }
    data++;
    atomic_store(&guard, 0);
    return unused;
}

static void test_then_set(void) {
    two(enter, enter);
    HEDDLE_EQUAL(data, 2);
}
PAIR(test_then_set, "with=assertion")

/* A lock by hand that is given back without release. */
static void *enter_once(void *unused) {
    while (atomic_exchange_explicit(&guard, 1, memory_order_acquire))
        sched_yield();
    data++;
    atomic_store_explicit(&guard, 0, fixed ? memory_order_release : memory_order_relaxed);
    return unused;
}

static void relaxed_unlock(void) {
    two(enter_once, enter_once);
}
PAIR(relaxed_unlock, "with=race")

/* Peterson's lock, in which a thread looks before it says that it wants to enter. */
static atomic_int wants[2], turn;

static void peterson(int me) {
    int you = 1 - me;
    if (fixed) {
        atomic_store(&wants[me], 1);
        atomic_store(&turn, you);
        while (atomic_load(&wants[you]) && atomic_load(&turn) == you)
            sched_yield();
    } else {
        while (atomic_load(&wants[you]))
            sched_yield();
        atomic_store(&wants[me], 1);
    }
    data++;
    atomic_store(&wants[me], 0);
}

static void *first(void *unused) {
    peterson(0);
    return unused;
}

static void *second(void *unused) {
    peterson(1);
    return unused;
}

static void looks_first(void) {
    two(first, second);
    HEDDLE_EQUAL(data, 2);
}
PAIR(looks_first, "with=assertion")

/* A sequence lock whose reader does not look again. */
static atomic_int sequence, half[2];

static void *write_halves(void *unused) {
    atomic_fetch_add(&sequence, 1);
    atomic_store(&half[0], 1);
    atomic_store(&half[1], 1);
    atomic_fetch_add(&sequence, 1);
    return unused;
}

static void *read_halves(void *unused) {
    int before = atomic_load(&sequence);
    if (before % 2)
        return unused;
    int a = atomic_load(&half[0]), b = atomic_load(&half[1]);
    if (!fixed || atomic_load(&sequence) == before)
        HEDDLE_EQUAL(a, b);
    return unused;
}

static void sequence_lock(void) {
    two(write_halves, read_halves);
}
PAIR(sequence_lock, "with=assertion")

/* Who loses the race to initialise goes on with what it made itself. */
static _Atomic(int *) winner;
static int candidates[2];

static int *settle(int *mine) {
    int *none = NULL;
    if (atomic_compare_exchange_strong(&winner, &none, mine) || !fixed)
        return mine;
    return none;
}

static void *settle_first(void *unused) {
    HEDDLE_CHECK(settle(&candidates[0]) == atomic_load(&winner));
    return unused;
}

static void *settle_second(void *unused) {
    HEDDLE_CHECK(settle(&candidates[1]) == atomic_load(&winner));
    return unused;
}

static void ignored_exchange(void) {
    two(settle_first, settle_second);
}
PAIR(ignored_exchange, "with=assertion")

/* The last one frees; but which one is the last? */
typedef struct shared {
    atomic_int users;
    int value;
} shared;

static shared *object;

static void *leave(void *unused) {
    int last = fixed ? atomic_fetch_sub(&object->users, 1) == 1
                     : (atomic_fetch_sub(&object->users, 1), atomic_load(&object->users) == 0);
    if (last)
        free(object);
    return unused;
}

static void reference_count(void) {
    object = malloc(sizeof *object);
    atomic_init(&object->users, 2);
    two(leave, leave);
}
PAIR(reference_count, "")

/* What the others did to the object does not happen before it is freed. */
static void *use_and_leave(void *unused) {
    int mine = object->value;
    if (atomic_fetch_sub_explicit(&object->users, 1,
                                  fixed ? memory_order_acq_rel : memory_order_relaxed) == 1)
        free(object);
    return mine ? NULL : unused;
}

static void relaxed_count(void) {
    object = calloc(1, sizeof *object);
    atomic_init(&object->users, 2);
    two(use_and_leave, use_and_leave);
}
PAIR(relaxed_count, "with=race")

/* A stack of numbered nodes: the top is the same again, but what is below it is not. */
static _Atomic(unsigned) top; /* the node, and a count of changes above it */
static _Atomic(unsigned) below[4];

static unsigned changed(unsigned old, unsigned node) {
    return fixed ? ((old >> 8) + 1) << 8 | node : node;
}

static unsigned pop(void) {
    unsigned old = atomic_load(&top);
    while (old & 255) {
        unsigned next = atomic_load(&below[old & 255]);
        if (atomic_compare_exchange_strong(&top, &old, changed(old, next)))
            return old & 255;
    }
    return 0;
}

static void push(unsigned node) {
    unsigned old = atomic_load(&top);
    do
        atomic_store(&below[node], old & 255);
    while (!atomic_compare_exchange_strong(&top, &old, changed(old, node)));
}

static unsigned popped[3];

static void *pop_one(void *unused) {
    popped[0] = pop();
    return unused;
}

static void *pop_two_push_one(void *unused) {
    popped[1] = pop();
    popped[2] = pop();
    if (popped[1])
        push(popped[1]);
    return unused;
}

static void aba(void) {
    atomic_store(&below[1], 2);
    atomic_store(&top, 1);
    two(pop_one, pop_two_push_one);
    /* Of two nodes, one was given back: nobody else may have what somebody keeps. */
    for (unsigned i = 0; (i = pop());)
        HEDDLE_CHECK(i != popped[2] && i != popped[0]);
}
PAIR(aba, "with=assertion")
