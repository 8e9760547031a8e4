/*
 * Each thread writes to a lane of its own and needs no other for a plain access. An operation that
 * synchronises first draws the next number of all threads, at a moment when no other thread can do
 * the same to the same object: after an acquire, before a release, inside a lock of ours around an
 * atomic operation.  The number stands for all records of the thread up to its next one.
 *
 * Drawing acquires and releases, so what a thread did before its number was done when another
 * thread draws a higher one: the order of two accesses is unknown only if the numbers of their
 * threads, before and after each access, do not separate them.
 */
#include "rt_free.h"

#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <sys/auxv.h>

#include "rt_aside.h"
#include "rt_calls.h"
#include "rt_handle.h"
#include "rt_real.h"
#include "rt_sync.h"

enum { STRIPES = 256 };

static uint64_t order;
static char stripes[STRIPES];

void hd_rt_free_order(uintptr_t code, unsigned records) {
    if (hd_rt_own == &hd_rt_nowhere || hd_rt_own->left == HD_RT_BUSY)
        return;
    hd_rt_settle();
    if (hd_rt.calls)
        hd_rt_calls_show(hd_rt_self);
    hd_rt_record_room(); /* a tool that reads along needs the numbers without long gaps */
    hd_rt_record_word(HEDDLE_WIRE_ORDER, 0, records, code,
                      __atomic_add_fetch(&order, 1, __ATOMIC_ACQ_REL));
}

/* --- what synchronises ---------------------------------------------------------------------- */

static void lock_byte(char *lock) {
    while (__atomic_test_and_set(lock, __ATOMIC_ACQUIRE))
        hd_rt_real.sched_yield();
}

/* Between these two, no other thread does an atomic operation at the address.  A handler of a
 * signal that comes in between does not wait for its own thread: what it does is lost. */
static __thread uint32_t locked;

void hd_rt_free_lock(const volatile void *address) {
    if (locked++ == 0)
        lock_byte(&stripes[((uintptr_t)address >> 4) % STRIPES]);
}

void hd_rt_free_atomic(unsigned kind, unsigned size, const volatile void *address, uintptr_t code,
                       uint64_t value) {
    hd_rt_free_order(code, 1);
    hd_rt_record_atomic(kind, size, address, code, value);
}

void hd_rt_free_unlock(unsigned kind, unsigned size, const volatile void *address, uintptr_t code,
                       uint64_t value) {
    if (locked == 1) {
        hd_rt_free_atomic(kind, size, address, code, value);
        __atomic_clear(&stripes[((uintptr_t)address >> 4) % STRIPES], __ATOMIC_RELEASE);
    } else
        __atomic_fetch_add(&hd_rt.wire->lost, 1, __ATOMIC_RELAXED);
    locked--;
}

void hd_rt_free_record(unsigned op, uint64_t address, uintptr_t code) {
    hd_rt_free_order(code, 1);
    hd_rt_record(op, address, code);
}

void hd_rt_free_fence(unsigned memory_order, uintptr_t code) {
    hd_rt_free_order(code, 1);
    hd_rt_record_fence(memory_order, code);
}

int hd_rt_free_taken(unsigned kind, void *lock, int error, uintptr_t code) {
    if (!error || error == EOWNERDEAD)
        hd_rt_free_record(kind, (uintptr_t)lock, code);
    else if (error == EBUSY || error == ETIMEDOUT)
        hd_rt_free_record(HEDDLE_TRYFAIL + 1, (uintptr_t)lock, code);
    return error;
}

/* Release and wait are one step, so they share a number; wake and acquire likewise. */
void hd_rt_free_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, uintptr_t code) {
    hd_rt_free_order(code, 2);
    hd_rt_record(HEDDLE_RELEASE + 1, (uintptr_t)mutex, code);
    hd_rt_record(HEDDLE_WAIT + 1, (uintptr_t)condition, code);
}

/* The signals so far of conditions that share a place, and what each thread that waits saw there;
 * odd if it waits. */
static uint32_t signals[STRIPES];
static struct { uint32_t place, seen; } waits[HEDDLE_WIRE_THREADS];

static uint32_t place_of(const pthread_cond_t *condition) {
    return (uint32_t)((uintptr_t)condition >> 4) % STRIPES;
}

void hd_rt_free_signalled(const pthread_cond_t *condition) {
    __atomic_fetch_add(&signals[place_of(condition)], 2, __ATOMIC_SEQ_CST);
}

void hd_rt_free_forever(const pthread_cond_t *condition) {
    if (hd_rt_own == &hd_rt_nowhere)
        return;
    uint32_t id = hd_rt_own->pack.thread, place = place_of(condition);
    waits[id].place = place;
    __atomic_store_n(&waits[id].seen, __atomic_load_n(&signals[place], __ATOMIC_SEQ_CST) | 1,
                     __ATOMIC_SEQ_CST);
}

bool hd_rt_free_waits(uint32_t thread) {
    uint32_t seen = __atomic_load_n(&waits[thread].seen, __ATOMIC_SEQ_CST);
    return seen & 1 &&
           seen == (__atomic_load_n(&signals[waits[thread].place], __ATOMIC_SEQ_CST) | 1);
}

void hd_rt_free_woken(pthread_cond_t *condition, pthread_mutex_t *mutex, uintptr_t code) {
    if (hd_rt_own != &hd_rt_nowhere)
        __atomic_store_n(&waits[hd_rt_own->pack.thread].seen, 0, __ATOMIC_SEQ_CST);
    hd_rt_free_order(code, 2);
    hd_rt_record(HEDDLE_WAKE + 1, (uintptr_t)condition, code);
    hd_rt_record(HEDDLE_ACQUIRE + 1, (uintptr_t)mutex, code);
}

/* --- lanes ---------------------------------------------------------------------------------- */

static hd_rt_lane *idle; /* lanes of threads that have ended */
static uint32_t lane_count;
static char lane_lock;
static pthread_key_t ending;
static __thread uint32_t births; /* threads that it created */

static hd_rt_lane *new_lane(void) {
    hd_rt_lane *lane = hd_rt_pages(sizeof *lane);
    if (lane && hd_rt_record_lane(lane, lane_count)) {
        lane_count++;
        return lane;
    }
    return NULL;
}

/* A thread begins.  If there is no memory for its records they are lost. */
static void enter_lane(uint32_t id) {
    lock_byte(&lane_lock);
    hd_rt_lane *lane = idle ? idle : new_lane();
    if (lane && lane == idle)
        idle = lane->next;
    __atomic_clear(&lane_lock, __ATOMIC_RELEASE);
    hd_rt.wire->thread[id].state = HEDDLE_WIRE_LIVE;
    if (!lane) {
        __atomic_fetch_add(&hd_rt.wire->lost, 1, __ATOMIC_RELAXED);
        return;
    }
    hd_rt_own = lane;
    lane->self = (hd_rt_thread){.id = id};
    hd_rt_self = &lane->self;
    hd_rt_record_turn(lane, id);
    hd_rt_free_order(hd_rt.code, 0);
    hd_rt_real.pthread_setspecific(ending, (void *)(uintptr_t)1);
}

/* The thread ends.  Destructors of other keys may still run: in the last round it is over. */
static void leave_lane(void *round) {
    uintptr_t next = (uintptr_t)round + 1;
    if (next < PTHREAD_DESTRUCTOR_ITERATIONS) {
        hd_rt_real.pthread_setspecific(ending, (void *)next);
        return;
    }
    hd_rt_lane *lane = hd_rt_own;
    hd_rt_mutex_orphans();
    hd_rt_free_stack_ends(lane->pack.thread, (uintptr_t)hd_rt_self->start + 1);
    hd_rt_free_order(hd_rt.code, 0); /* what it did is over */
    hd_rt.wire->thread[lane->pack.thread].state = HEDDLE_WIRE_ENDED;
    hd_rt_calls_ended(hd_rt_self);
    hd_rt_self = NULL;
    hd_rt_own = &hd_rt_nowhere;
    lock_byte(&lane_lock);
    lane->next = idle;
    idle = lane;
    __atomic_clear(&lane_lock, __ATOMIC_RELEASE);
}

/* --- threads -------------------------------------------------------------------------------- */

typedef struct birth {
    void *(*start)(void *);
    void *argument;
    uint32_t id;
} birth;

static pthread_t handles[HEDDLE_WIRE_THREADS];
static void *run_thread(void *argument) {
    birth its = *(birth *)argument;
    free(argument);
    enter_lane(its.id);
    if (hd_rt_self)
        hd_rt_self->start = its.start;
    return its.start(its.argument);
}

int hd_rt_free_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
                      void *argument, uintptr_t code) {
    uint32_t id = __atomic_fetch_add(&hd_rt.wire->threads, 1, __ATOMIC_SEQ_CST);
    if (id >= HEDDLE_WIRE_THREADS || hd_rt_own == &hd_rt_nowhere) {
        __atomic_fetch_sub(&hd_rt.wire->threads, 1, __ATOMIC_SEQ_CST);
        return hd_rt_real.pthread_create(handle, attributes, start, argument);
    }
    birth *its = malloc(sizeof *its);
    if (!its)
        return EAGAIN;
    *its = (birth){start, argument, id};
    hd_rt_fetch(attributes, sizeof *attributes, code);
    hd_rt.wire->thread[id].creator = hd_rt_own->pack.thread;
    hd_rt.wire->thread[id].birth = ++births;
    hd_rt_free_record(HEDDLE_FORK + 1, id, code);
    pthread_attr_t made;
    bool given = hd_rt_free_stack(id, attributes, &made);
    int error = hd_rt_real.pthread_create(handle, given ? &made : attributes, run_thread, its);
    if (error) {
        if (error == EAGAIN)
            __atomic_store_n(&hd_rt.wire->unborn, 1, __ATOMIC_RELAXED);
        free(its);
        hd_rt.wire->thread[id].state = HEDDLE_WIRE_ENDED;
        hd_rt_free_stack_joined(id);
    } else {
        handles[id] = *handle;
        hd_rt_record_stored(handle, sizeof *handle, code);
    }
    return error;
}

uint32_t hd_rt_free_number(pthread_t handle) {
    if (hd_rt.mode == HD_RT_FREE)
        for (uint32_t i = __atomic_load_n(&hd_rt.wire->threads, __ATOMIC_SEQ_CST); i-- > 0;)
            if (i < HEDDLE_WIRE_THREADS && handles[i] && pthread_equal(handles[i], handle))
                return i;
    return HEDDLE_WIRE_THREADS;
}

int hd_rt_free_joined(uint32_t id, int error, uintptr_t code) {
    if (!error && id < HEDDLE_WIRE_THREADS) {
        handles[id] = 0;
        hd_rt_free_stack_joined(id);
        hd_rt_free_record(HEDDLE_JOIN + 1, id, code);
        hd_rt_handle_join(id, code);
    }
    return error;
}

static uintptr_t loader_low, loader_high;

bool hd_rt_free_loader(uintptr_t code) {
    return code - loader_low < loader_high - loader_low;
}

static void find_loader(void) {
    uintptr_t base = getauxval(AT_BASE);
    if (!base)
        return;
    const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)base;
    const ElfW(Phdr) *parts = (const ElfW(Phdr) *)(base + head->e_phoff);
    loader_low = loader_high = base;
    for (unsigned i = 0; i < head->e_phnum; i++) {
        uintptr_t end = base + parts[i].p_vaddr + parts[i].p_memsz;
        if (parts[i].p_type == PT_LOAD && end > loader_high)
            loader_high = end;
    }
}

void hd_rt_free_init(void) {
    find_loader();
    hd_rt_real.pthread_key_create(&ending, leave_lane);
    hd_rt.calls = hd_rt.wire->calls;
    enter_lane(0);
}
