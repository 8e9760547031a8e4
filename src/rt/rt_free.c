/*
 * Each thread writes to chunks of its own and needs no other for a plain access.
 * What synchronises first draws the next number of all threads, at a moment when
 * nobody else can do the same to the same object: behind an acquire, before a
 * release, inside a lock of ours around an atomic operation.  The number stands
 * for all records of the thread up to its next one.
 */
#include "rt_free.h"

#include <errno.h>
#include <stdlib.h>

#include "rt_real.h"
#include "rt_string.h"

enum { MOST_WORDS = 64, STRIPES = 256 };

typedef struct stream {
    uint64_t *cursor, *end;
    uint64_t *write_slot;
    const void *write_address;
    uint32_t write_size;
    uint32_t id;
    uint32_t births;
} stream;

static __thread stream self;
static __thread bool known; /* a thread of the program's */
static uint64_t order;
static char stripes[STRIPES];

static uint64_t *next_chunk(void) {
    heddle_wire *wire = hd_rt.wire;
    uint64_t number = __atomic_fetch_add(&wire->chunks, 1, __ATOMIC_RELAXED);
    uint64_t offset = HEDDLE_WIRE_DATA + number * HEDDLE_WIRE_CHUNK;
    if (offset + HEDDLE_WIRE_CHUNK > wire->size)
        return NULL;
    uint64_t *chunk = (uint64_t *)((char *)wire + offset);
    chunk[0] = (uint64_t)self.id + 1;
    self.cursor = chunk + 1;
    self.end = chunk + HEDDLE_WIRE_CHUNK / sizeof *chunk;
    return self.cursor;
}

/* Place for a record of so many words; NULL if it is lost. */
static uint64_t *place(unsigned words) {
    if (HD_RT_UNLIKELY(!self.cursor || self.end - self.cursor < MOST_WORDS) && !next_chunk()) {
        self.cursor = NULL;
        __atomic_fetch_add(&hd_rt.wire->lost, 1, __ATOMIC_RELAXED);
        return NULL;
    }
    uint64_t *at = self.cursor;
    self.cursor += words; /* a signal handler that records goes behind */
    return at;
}

static void settle(void) {
    uint64_t *slot = self.write_slot;
    if (!slot)
        return;
    self.write_slot = NULL;
    const void *address = self.write_address;
    switch (self.write_size) {
    case 0:
        *slot |= *(const uint8_t *)address;
        break;
    case 1:
        *slot |= *(const uint16_t *)address;
        break;
    case 2:
        *slot |= *(const uint32_t *)address;
        break;
    default:
        *slot = *(const uint64_t *)address;
        break;
    }
}

void hd_rt_free_settle(void) {
    if (known)
        settle();
}

static uint64_t *put(unsigned op, unsigned flags, uint64_t address, uintptr_t code, uint32_t value,
                     bool more, uint64_t word) {
    uint64_t offset = code - hd_rt.code;
    bool far = offset > UINT32_MAX;
    uint64_t *at = place(2U + far + more);
    if (!at)
        return NULL;
    uint64_t *to = at + 2;
    if (far) {
        flags |= HEDDLE_WIRE_FAR;
        *to++ = code;
        offset = 0;
    }
    if (more)
        *to++ = word;
    at[1] = offset << 32 | value;
    HD_RT_BARRIER();
    at[0] = (uint64_t)op << 56 | (uint64_t)flags << 48 | (address & HEDDLE_WIRE_ADDRESS);
    return more ? to - 1 : at + 1;
}

static void draw_order(void) {
    uint64_t number = __atomic_add_fetch(&order, 1, __ATOMIC_SEQ_CST);
    put(HEDDLE_WIRE_ORDER, 0, 0, hd_rt.code, 0, true, number);
}

/* --- accesses ------------------------------------------------------------------------------- */

void hd_rt_free_access(unsigned kind, unsigned size, const volatile void *address, uintptr_t code) {
    if (!known)
        return;
    settle();
    bool writes = kind == HEDDLE_WRITE + 1;
    uint64_t value = 0;
    if (!writes) {
        if (size == 0)
            value = *(const volatile uint8_t *)address;
        else if (size == 1)
            value = *(const volatile uint16_t *)address;
        else if (size == 2)
            value = *(const volatile uint32_t *)address;
        else if (size == 3)
            value = *(const volatile uint64_t *)address;
    }
    bool wide = size >= 3;
    uint64_t *slot = put(kind, size | (size < 4 ? HEDDLE_WIRE_VALUE : 0U), (uintptr_t)address, code,
                         wide ? 0 : (uint32_t)value, wide, value);
    if (slot && writes && size < 4) {
        self.write_address = (const void *)(uintptr_t)address;
        self.write_size = size;
        self.write_slot = slot;
    }
}

/* Between these two nobody else does an atomic operation at the address. */
void hd_rt_free_lock(const volatile void *address) {
    char *stripe = &stripes[((uintptr_t)address >> 4) % STRIPES];
    while (__atomic_test_and_set(stripe, __ATOMIC_ACQUIRE))
        hd_rt_real.sched_yield();
}

void hd_rt_free_unlock(unsigned kind, unsigned size, const volatile void *address, uintptr_t code,
                       uint64_t value) {
    if (known) {
        settle();
        draw_order();
        bool wide = size >= 3;
        put(kind, size | (size < 4 ? HEDDLE_WIRE_VALUE : 0U), (uintptr_t)address, code,
            wide ? 0 : (uint32_t)value, wide, value);
    }
    __atomic_clear(&stripes[((uintptr_t)address >> 4) % STRIPES], __ATOMIC_RELEASE);
}

/* --- what synchronises ---------------------------------------------------------------------- */

void hd_rt_free_record(unsigned op, unsigned flags, uint64_t address, uintptr_t code,
                       uint32_t value, bool more, uint64_t word) {
    if (!known)
        return;
    settle();
    bool plain = op == HEDDLE_WIRE_READ_RANGE || op == HEDDLE_WIRE_WRITE_RANGE ||
                 op == HEDDLE_MARK + 1 || op == HEDDLE_BEGIN + 1 || op == HEDDLE_END + 1;
    if (!plain)
        draw_order();
    put(op, flags, address, code, value, more, word);
}

void hd_rt_free_label(uint32_t number, const char *text, size_t length) {
    if (!known)
        return;
    settle();
    uint64_t *at = place((unsigned)(2 + (length + 7) / 8));
    if (!at)
        return;
    hd_rt_copy(at + 2, text, length);
    at[1] = length;
    HD_RT_BARRIER();
    at[0] = (uint64_t)HEDDLE_WIRE_NAME << 56 | number;
}

int hd_rt_free_taken(unsigned kind, void *lock, int error, uintptr_t code) {
    if (!error || error == EOWNERDEAD)
        hd_rt_free_record(kind, 0, (uintptr_t)lock, code, 0, false, 0);
    else if (error == EBUSY || error == ETIMEDOUT)
        hd_rt_free_record(HEDDLE_TRYFAIL + 1, 0, (uintptr_t)lock, code, 0, false, 0);
    return error;
}

/* Release and wait are one step, so they share a number; wake and acquire likewise. */
void hd_rt_free_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, uintptr_t code) {
    hd_rt_free_record(HEDDLE_RELEASE + 1, 0, (uintptr_t)mutex, code, 0, false, 0);
    if (known)
        put(HEDDLE_WAIT + 1, 0, (uintptr_t)condition, code, 0, false, 0);
}

int hd_rt_free_woken(pthread_cond_t *condition, pthread_mutex_t *mutex, int error, uintptr_t code) {
    hd_rt_free_record(HEDDLE_WAKE + 1, 0, (uintptr_t)condition, code, 0, false, 0);
    if (known)
        put(HEDDLE_ACQUIRE + 1, 0, (uintptr_t)mutex, code, 0, false, 0);
    return error;
}

/* --- threads -------------------------------------------------------------------------------- */

typedef struct birth {
    void *(*start)(void *);
    void *argument;
    uint32_t id;
} birth;

static pthread_t handles[HEDDLE_WIRE_THREADS];

static void enter(uint32_t id) {
    self = (stream){.id = id};
    known = true;
    hd_rt.wire->thread[id].state = HEDDLE_WIRE_LIVE;
    draw_order();
}

static void left(void *unused) {
    (void)unused;
    settle();
    hd_rt.wire->thread[self.id].state = HEDDLE_WIRE_ENDED;
}

static void *run_thread(void *argument) {
    birth its = *(birth *)argument;
    free(argument);
    enter(its.id);
    void *result;
    pthread_cleanup_push(left, NULL);
    result = its.start(its.argument);
    pthread_cleanup_pop(1);
    return result;
}

int hd_rt_free_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
                      void *argument, uintptr_t code) {
    uint32_t id = __atomic_fetch_add(&hd_rt.wire->threads, 1, __ATOMIC_SEQ_CST);
    if (id >= HEDDLE_WIRE_THREADS || !known) {
        __atomic_fetch_sub(&hd_rt.wire->threads, 1, __ATOMIC_SEQ_CST);
        return hd_rt_real.pthread_create(handle, attributes, start, argument);
    }
    birth *its = malloc(sizeof *its);
    if (!its)
        return EAGAIN;
    *its = (birth){start, argument, id};
    hd_rt.wire->thread[id].creator = self.id;
    hd_rt.wire->thread[id].birth = ++self.births;
    hd_rt_free_record(HEDDLE_FORK + 1, 0, id, code, 0, false, 0);
    int error = hd_rt_real.pthread_create(handle, attributes, run_thread, its);
    if (error)
        free(its);
    else
        handles[id] = *handle;
    return error;
}

int hd_rt_free_join(pthread_t handle, void **result, uintptr_t code) {
    uint32_t id = HEDDLE_WIRE_THREADS;
    for (uint32_t i = __atomic_load_n(&hd_rt.wire->threads, __ATOMIC_SEQ_CST); i-- > 0;)
        if (i < HEDDLE_WIRE_THREADS && handles[i] && pthread_equal(handles[i], handle)) {
            id = i;
            break;
        }
    int error = hd_rt_real.pthread_join(handle, result);
    if (!error && id < HEDDLE_WIRE_THREADS) {
        handles[id] = 0;
        hd_rt_free_record(HEDDLE_JOIN + 1, 0, id, code, 0, false, 0);
    }
    return error;
}

void hd_rt_free_init(void) {
    enter(0);
}
