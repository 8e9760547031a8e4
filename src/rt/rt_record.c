/*
 * Records into the shared file, packed.  The tail of a chunk is written last, so that
 * whoever reads the file after the process was killed sees whole records only.
 *
 * While a record is made its lane is busy: a handler of a signal that comes then, in a free
 * run, finds no place for its own, and they are counted as lost.
 */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "rt_arch_update.h"
#include "rt_explore.h"
#include "rt_free.h"
#include "rt_pack.h"
#include "rt_real.h"
#include "rt_string.h"

hd_rt_state hd_rt;
hd_rt_lane hd_rt_nowhere;
__thread hd_rt_thread *hd_rt_self;
__thread hd_rt_lane *hd_rt_own = &hd_rt_nowhere;

/* Bytes of any item at most, with its bytes, and of a plain access with its value. */
enum { MOST_BYTES = 1024, PLAIN_BYTES = HEDDLE_PACK_MOST, HEAD = sizeof(heddle_wire_chunk) };

/* How far a thread runs over plain accesses before another may: about so far, and with
 * seed 0; how many records come as expected before that is written down.  In a free run, how
 * many accesses share a place in the order of all at most. */
enum { PLAIN_RUN = 3000, LONG_PLAIN_RUN = 40000, LONGEST_RUN = 1 << 17, FREE_RUN = 4096 };

static int64_t run_left; /* of the present thread, over plain accesses: those that its lane allows
                            at once are not in it */

/* --- room ----------------------------------------------------------------------------------- */

static void end_run(hd_rt_lane *lane) {
    if (!HEDDLE_WIRE_TAIL_RUN(*lane->tail))
        return;
    unsigned char *at = hd_rt_pack_run(lane);
    *at++ = HEDDLE_PACK_NOTHING | HEDDLE_PACK_CONTROL << 2;
    hd_rt_pack_end(lane, at, 0);
}

/* A place that the tool has given back; 0: there is none, else one more than it. */
static uint64_t take_emptied(heddle_wire *wire) {
    for (unsigned i = 0; wire->drained && i < HEDDLE_WIRE_EMPTIED; i++)
        if (__atomic_load_n(&wire->emptied[i], __ATOMIC_RELAXED)) {
            uint64_t place = __atomic_exchange_n(&wire->emptied[i], 0, __ATOMIC_ACQUIRE);
            if (place && HEDDLE_WIRE_DATA + place * HEDDLE_WIRE_CHUNK <= wire->size)
                return place;
        }
    return 0;
}

/* Where the next chunk is to be; NULL: so many are not allowed. */
static heddle_wire_chunk *take_chunk(heddle_wire *wire) {
    uint64_t number = __atomic_fetch_add(&wire->begun, 1, __ATOMIC_RELAXED);
    if (HEDDLE_WIRE_DATA + (number + 1) * HEDDLE_WIRE_CHUNK > wire->size ||
        !hd_rt_live_wait(number)) {
        __atomic_fetch_sub(&wire->begun, 1, __ATOMIC_RELAXED);
        return NULL;
    }
    uint64_t emptied = take_emptied(wire);
    uint64_t place = emptied ? emptied - 1 : __atomic_fetch_add(&wire->chunks, 1, __ATOMIC_RELAXED);
    heddle_wire_chunk *chunk = heddle_wire_chunk_at(wire, place);
    hd_rt_zero(chunk, HEAD);
    chunk->number = number;
    return chunk;
}

/* The chunk will not change any more. */
static void leave_chunk(heddle_wire *wire, heddle_wire_chunk *chunk) {
    hd_rt_live_done(chunk);
    if (!chunk || !wire->drained)
        return;
    __atomic_store_n(&chunk->whole, 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(&wire->wholes, 1, __ATOMIC_RELEASE);
    hd_rt_syscall(SYS_futex, (long)&wire->wholes, FUTEX_WAKE, 1, 0, 0, 0);
}

static void next_chunk(hd_rt_lane *lane) {
    heddle_wire *wire = hd_rt.wire;
    if (lane->chunk) {
        end_run(lane);
        hd_rt_pack_check(lane);
    }
    heddle_wire_chunk *before = lane->chunk, *chunk = take_chunk(wire);
    if (!chunk) {
        lane->full = true;
        lane->left = 0;
        return;
    }
    lane->chunk = chunk;
    lane->chunk_end = (unsigned char *)chunk + HEDDLE_WIRE_CHUNK;
    lane->cursor = chunk->bytes;
    lane->check_at = lane->cursor + HEDDLE_WIRE_UNCHECKED;
    lane->sum = lane->summed = 0;
    lane->tail = &chunk->tail;
    /* A tool that reads along assumes that the chunk before is complete when this one is there. */
    __atomic_store_n(&chunk->lane, (uint64_t)lane->number + 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(&wire->ready, 1, __ATOMIC_RELAXED);
    leave_chunk(wire, before);
}

/* Accesses until room must be checked again: each may need a whole item. */
static int64_t allowed(hd_rt_lane *lane) {
    int64_t room = (lane->chunk_end - lane->cursor - MOST_BYTES) / PLAIN_BYTES;
    if (hd_rt.mode == HD_RT_FREE)
        return lane->full ? 0 : room < FREE_RUN ? room : FREE_RUN;
    int64_t left = room < run_left ? room : run_left;
    if (lane->full || hd_rt.every_access || hd_rt.following || hd_rt.exploring)
        left = 0;
    run_left -= left;
    return left;
}

static void start_run(hd_rt_lane *lane) {
    run_left =
        hd_rt.wire->seed ? (int64_t)hd_rt_random((uint64_t)2 * PLAIN_RUN) + 1 : LONG_PLAIN_RUN;
    lane->left = allowed(lane);
}

static inline void lose(void) {
    __atomic_fetch_add(&hd_rt.wire->lost, 1, __ATOMIC_RELAXED);
}

/* Is there place for one more record? */
static bool has_place(hd_rt_lane *lane, int64_t *left) {
    hd_rt_settle_lane(lane);
    if (HD_RT_UNLIKELY(!lane->full && lane->chunk_end - lane->cursor < (int64_t)4 * MOST_BYTES))
        next_chunk(lane);
    if (lane->full) {
        *left = 0;
        return false;
    }
    if (HD_RT_UNLIKELY(*left * PLAIN_BYTES > lane->chunk_end - lane->cursor - MOST_BYTES)) {
        run_left += *left;
        *left = allowed(lane);
    }
    if (HD_RT_UNLIKELY(HEDDLE_WIRE_TAIL_RUN(*lane->tail) > LONGEST_RUN))
        end_run(lane);
    return true;
}

/* The same for one that is lost if not. */
static bool find_place(hd_rt_lane *lane, int64_t *left) {
    if (HD_RT_LIKELY(has_place(lane, left)))
        return true;
    lose();
    return false;
}

/* Begins a record; false if there is no place, or a record is being made.  *left goes back
 * into the lane when it is made. */
static bool begin_record(hd_rt_lane *lane, int64_t *left) {
    *left = lane->left;
    if (HD_RT_UNLIKELY(*left == HD_RT_BUSY || lane == &hd_rt_nowhere)) {
        if (*left == HD_RT_BUSY)
            lose();
        return false;
    }
    lane->left = HD_RT_BUSY;
    HD_RT_BARRIER();
    if (HD_RT_LIKELY(find_place(lane, left)))
        return true;
    lane->left = *left;
    return false;
}

static inline void end_record(hd_rt_lane *lane, int64_t left) {
    HD_RT_BARRIER();
    lane->left = left;
}

bool hd_rt_record_lane(hd_rt_lane *lane, uint32_t number) {
    lane->number = number;
    if (!hd_rt_pack_init(lane))
        return false;
    next_chunk(lane);
    return true;
}

void hd_rt_record_room(void) {
    hd_rt_lane *lane = hd_rt_own;
    int64_t left;
    if (!hd_rt.wire->live || lane->chunk_end - lane->cursor >= (int64_t)8 * MOST_BYTES ||
        !begin_record(lane, &left))
        return;
    if (!lane->full)
        next_chunk(lane);
    end_record(lane, lane->full ? 0 : left);
}

void hd_rt_record_init(void) {
    hd_rt_record_lane(&hd_rt.lane, 0);
    hd_rt_own = &hd_rt.lane;
    start_run(&hd_rt.lane);
    hd_rt.calls = hd_rt.wire->calls;
}

/* --- items ---------------------------------------------------------------------------------- */

/* There must be room. */
static inline void put_event(hd_rt_lane *lane, uint64_t key, uint64_t address, uint64_t value,
                             const void *bytes, size_t length) {
    unsigned char *at = hd_rt_pack_run(lane), *to = hd_rt_pack_event(lane, key, address, value, at);
    if (bytes)
        hd_rt_copy(to, bytes, length);
    hd_rt_pack_record(lane, at, to + length);
}

/* Is it the write of a copy, which is done when its read has been announced too? */
static bool is_copy(uint64_t key) {
    return heddle_pack_op(key) == HEDDLE_WRITE + 1 && hd_rt.mode != HD_RT_OFF &&
           hd_rt_arch_store_here((const unsigned char *)(uintptr_t)(key >> 16), true).call;
}

/* Not as expected.  That of a copy has no value: it never becomes a site that is. */
void hd_rt_record_access(hd_rt_lane *lane, uint64_t key, uint64_t address, uint64_t value) {
    unsigned bytes = 1U << (key & HEDDLE_WIRE_SIZE);
    if (is_copy(key)) {
        put_event(lane, heddle_pack_key(HEDDLE_WIRE_WRITE_RANGE, HEDDLE_WIRE_WORD, key >> 16),
                  address, bytes, NULL, 0);
        return;
    }
    put_event(lane, key, address, value, NULL, 0);
    unsigned size = key & HEDDLE_WIRE_SIZE;
    if (heddle_pack_op(key) == HEDDLE_WRITE + 1 && size < 4)
        hd_rt_pack_pending(lane, heddle_pack_entered(&lane->pack, key, address));
}

void hd_rt_record_settle(hd_rt_lane *lane) {
    if (lane->write_slot)
        *lane->write_slot = hd_rt_load(lane->write_address, lane->write_size);
    lane->write_slot = NULL;
    if (HD_RT_UNLIKELY(lane->lent))
        hd_rt_plain_settle();
    if (lane->write_site)
        hd_rt_pack_settle(lane, lane->write_site->key & HEDDLE_WIRE_SIZE);
}

/* What is there; 0 if nothing can be read there. */
static uint64_t load_safely(const void *address, unsigned size) {
    uint64_t value = 0;
    struct iovec to = {&value, (size_t)1 << size}, from = {(void *)(uintptr_t)address, to.iov_len};
    hd_rt_syscall(SYS_process_vm_readv, hd_rt_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0), (long)&to, 1,
                  (long)&from, 1, 0);
    return value;
}

void hd_rt_record_faulted(void) {
    hd_rt_lane *lane = hd_rt_own;
    int64_t left = lane->left;
    if (left == HD_RT_BUSY)
        return;
    lane->left = HD_RT_BUSY;
    HD_RT_BARRIER();
    if (lane->write_slot)
        *lane->write_slot = load_safely(lane->write_address, lane->write_size);
    lane->write_slot = NULL;
    if (lane->write_site) {
        unsigned size = lane->write_site->key & HEDDLE_WIRE_SIZE;
        hd_rt_pack_wrote(lane, size, load_safely((const void *)lane->write_site->address, size));
    }
    HD_RT_BARRIER();
    lane->left = left;
}

static void turn(hd_rt_lane *lane, uint32_t thread, uint64_t steps) {
    int64_t left;
    if (!begin_record(lane, &left))
        return;
    hd_rt_pack_end(lane, heddle_pack_turn(&lane->pack, thread, steps, hd_rt_pack_run(lane)), 0);
    end_record(lane, left);
}

void hd_rt_record_thread(void) {
    hd_rt_lane *lane = &hd_rt.lane;
    if (lane->full || lane->pack.thread == hd_rt.current->id)
        return;
    turn(lane, hd_rt.current->id, hd_rt.wire->steps & UINT32_MAX);
    hd_rt.wire->steps = 0;
}

void hd_rt_record_turn(hd_rt_lane *lane, uint32_t thread) {
    if (lane->pack.thread != thread)
        turn(lane, thread, 0);
}

uint32_t hd_rt_record_call(hd_rt_lane *lane, uint64_t key, int64_t *left) {
    uint32_t number = 0;
    if (!has_place(lane, left))
        return 0;
    unsigned char *at = hd_rt_pack_run(lane), *to = hd_rt_pack_call(lane, key, &number, at);
    lane->chunk->silent++;
    hd_rt_pack_record(lane, at, to);
    return number;
}

static bool slow_free(hd_rt_lane *lane, uintptr_t code) {
    int64_t left;
    if (lane->chunk_end - lane->cursor > (int64_t)8 * MOST_BYTES)
        hd_rt_free_order(code, 0);
    if (!begin_record(lane, &left))
        return false;
    end_record(lane, allowed(lane));
    return true;
}

bool hd_rt_record_slow(hd_rt_lane *lane, unsigned kind, unsigned size, const volatile void *address,
                       uintptr_t code) {
    int64_t left;
    if (hd_rt.exploring && hd_rt.ended && kind == HEDDLE_READ + 1)
        hd_rt_explore_look(address, (size_t)1 << size); /* on the way out */
    if (lane == &hd_rt_nowhere || hd_rt.mode == HD_RT_OFF || hd_rt.ended)
        return false;
    if (hd_rt.mode == HD_RT_FREE)
        return slow_free(lane, code);
    if (hd_rt.exploring) {
        bool recorded = hd_rt_explore_plain(kind, address, (size_t)1 << size, code);
        return !recorded && !lane->full && find_place(lane, &lane->left);
    }
    hd_rt_settle_lane(lane);
    if (run_left > 0 && !hd_rt.every_access && !hd_rt.following && !lane->full) {
        bool placed = find_place(lane, &lane->left);
        lane->left = allowed(lane);
        return placed;
    }
    if (lane->full && !hd_rt.every_access && !hd_rt.following &&
        (hd_rt.wire->lost + 1) % PLAIN_RUN) {
        lose();
        return false;
    }
    if (!hd_rt.every_access && !hd_rt.following)
        hd_rt.quantum = 0; /* it has run long enough */
    hd_rt_point(kind, address, 1U << size, code);
    bool placed = find_place(lane, &left);
    start_run(lane);
    return placed;
}

static void record(unsigned op, unsigned flags, uint64_t address, uintptr_t code, uint64_t value) {
    hd_rt_lane *lane = hd_rt_own;
    int64_t left;
    if (!begin_record(lane, &left))
        return;
    if (op > HEDDLE_KIND_COUNT && !(op == HEDDLE_WIRE_FREE && value))
        lane->chunk->silent++;
    put_event(lane, heddle_pack_key(op, flags, code), address, value, NULL, 0);
    end_record(lane, left);
}

void hd_rt_record(unsigned op, uint64_t address, uintptr_t code) {
    record(op, 0, address, code, 0);
}

void hd_rt_record_word(unsigned op, unsigned flags, uint64_t address, uintptr_t code,
                       uint64_t word) {
    record(op, flags | HEDDLE_WIRE_WORD, address, code, word);
}

void hd_rt_record_atomic(unsigned kind, unsigned size, const volatile void *address, uintptr_t code,
                         uint64_t value) {
    unsigned power = size & HEDDLE_WIRE_SIZE;
    record(kind, size | (power < 4 ? HEDDLE_WIRE_VALUE : 0U), (uintptr_t)address, code, value);
}

void hd_rt_record_volatile(uint64_t key, const volatile void *address) {
    hd_rt_lane *lane = hd_rt_own;
    int64_t left;
    if (!begin_record(lane, &left))
        return;
    bool reads = heddle_pack_op(key) == HEDDLE_READ + 1;
    hd_rt_record_access(lane, key, (uintptr_t)address,
                        reads ? hd_rt_load((const void *)address, key & HEDDLE_WIRE_SIZE) : 0);
    end_record(lane, left);
}

void hd_rt_record_fence(unsigned order, uintptr_t code) {
    record(HEDDLE_FENCE + 1, order, HEDDLE_WIRE_FENCED, code, 0);
}

static void record_range(bool write, bool known, unsigned flags, const void *address, size_t size,
                         uintptr_t code) {
    hd_rt_lane *lane = hd_rt_own;
    unsigned op = write ? HEDDLE_WIRE_WRITE_RANGE : HEDDLE_WIRE_READ_RANGE;
    int64_t left;
    if (!begin_record(lane, &left))
        return;
    bool bytes = known && size <= HEDDLE_WIRE_RANGE;
    flags |= HEDDLE_WIRE_WORD | (bytes ? HEDDLE_WIRE_VALUE : 0U);
    put_event(lane, heddle_pack_key(op, flags, code), (uintptr_t)address, size,
              bytes ? address : NULL, bytes ? size : 0);
    end_record(lane, left);
}

void hd_rt_record_range(bool write, const void *address, size_t size, uintptr_t code) {
    record_range(write, true, 0, address, size, code);
}

void hd_rt_record_write_to_come(const void *address, size_t size, uintptr_t code) {
    record_range(true, false, 0, address, size, code);
}

void hd_rt_record_stored(const void *address, size_t size, uintptr_t code) {
    hd_rt.stored += hd_rt.following;
    record_range(true, true, HEDDLE_WIRE_SILENT, address, size, code);
}

void hd_rt_record_gone(uint64_t address, uint64_t size, uintptr_t code) {
    hd_rt_lane *lane = hd_rt_own;
    int64_t left;
    if (!begin_record(lane, &left))
        return;
    lane->chunk->silent++;
    put_event(lane, heddle_pack_key(HEDDLE_WIRE_FREE, HEDDLE_WIRE_WORD | HEDDLE_WIRE_SILENT, code),
              address, size, NULL, 0);
    end_record(lane, left);
}

/* --- labels --------------------------------------------------------------------------------- */

static uint32_t find_label(const char *label, size_t length) {
    heddle_wire *wire = hd_rt.wire;
    uint32_t count = __atomic_load_n(&wire->labels, __ATOMIC_ACQUIRE), i = 0;
    while (i < count && !(hd_rt_starts(wire->label[i], label, length) && !wire->label[i][length]))
        i++;
    return i;
}

/* Enters a label that was not there, unless another thread just has. */
static uint32_t add_label(const char *label, size_t length, bool *fresh) {
    static char lock;
    heddle_wire *wire = hd_rt.wire;
    while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE))
        hd_rt_real.sched_yield();
    uint32_t number = find_label(label, length);
    *fresh = number == wire->labels && number < HEDDLE_WIRE_LABELS;
    if (*fresh) {
        hd_rt_copy(wire->label[number], label, length);
        for (char *at = wire->label[number]; *at; at++)
            if (*at == '|' || *at == '=' || *at == '\n' || *at == '\r')
                *at = '_';
        __atomic_store_n(&wire->labels, number + 1, __ATOMIC_RELEASE);
    }
    __atomic_clear(&lock, __ATOMIC_RELEASE);
    return number < HEDDLE_WIRE_LABELS ? number : HEDDLE_WIRE_LABELS - 1;
}

/* The number of a label, entered and recorded if it is new. */
static uint32_t label_number(const char *label) {
    size_t length = hd_rt_length(label, HEDDLE_WIRE_LABEL);
    uint32_t number = find_label(label, length);
    bool fresh;
    if (number < __atomic_load_n(&hd_rt.wire->labels, __ATOMIC_ACQUIRE))
        return number;
    number = add_label(label, length, &fresh);
    hd_rt_lane *lane = hd_rt_own;
    int64_t left;
    if (fresh && begin_record(lane, &left)) {
        lane->chunk->silent++;
        put_event(lane, heddle_pack_key(HEDDLE_WIRE_NAME, HEDDLE_WIRE_WORD, 0), number, length,
                  hd_rt.wire->label[number], length);
        end_record(lane, left);
    }
    return number;
}

void hd_rt_record_label(unsigned op, const char *label, bool has_value, int64_t value,
                        uintptr_t code) {
    uint32_t number = label_number(label);
    if (has_value)
        hd_rt_record_word(op, HEDDLE_WIRE_VALUE | HEDDLE_WIRE_WORD, number, code, (uint64_t)value);
    else
        hd_rt_record(op, number, code);
}
