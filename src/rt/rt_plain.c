/*
 * Plain accesses of an explored program that are one call of the compiler's but more than one
 * access.  The calls come before the statement, so the runtime cannot be between its load and its
 * store; but while the other threads stand still it can put into memory what the load would have
 * found at its own step.
 *
 * A copy of a structure is announced as a write and then a read, and is done after both.  Its steps
 * are the read and then the write, both where the read is announced.  If others have changed the
 * source between them, the old bytes are lent to it until the statement is done, which is at the
 * latest when the thread comes to its next point.  That a write is one of a copy is seen when the
 * read follows it with no store in between; the table of these places is kept, and what is new in
 * it makes the search start over, so that it is the same in every run.
 *
 * A write to a bit-field is announced as a write, and is a load and a store of the bytes around it
 * (rt_arch_update.h).  It becomes a read and a write; what others wrote between these two steps is
 * taken away again, for the statement that follows stores all bytes.
 */
#include "rt_arch_update.h"
#include "rt_explore.h"
#include "rt_freed.h"
#include "rt_string.h"

enum { LARGEST = 64 << 10, SITES = 1 << 12 };

/* --- sites ---------------------------------------------------------------------------------- */

/* Return addresses of calls, by hash. */
typedef struct site {
    uint64_t code;
    hd_rt_arch_store store;
    bool on_stack;
    bool is_copy;    /* it was in the table, */
    uint32_t copies; /* when that had so many */
} site;

static site sites[SITES];

static bool is_on_own_stack(const volatile void *address) {
    const hd_rt_thread *self = hd_rt.current;
    return (uintptr_t)address >= self->wire->stack && (uintptr_t)address < self->stack_top;
}

static site *site_of(const volatile void *address, uintptr_t code) {
    bool on_stack = is_on_own_stack(address);
    site *it = &sites[(code * UINT64_C(0x9e3779b97f4a7c15) >> 40) % SITES];
    if (it->code != code || it->on_stack != on_stack)
        *it = (site){.code = code,
                     .store = hd_rt_arch_store_here((const unsigned char *)code, on_stack),
                     .on_stack = on_stack};
    return it;
}

bool hd_rt_plain_updates(const volatile void *address, size_t size, uintptr_t code) {
    return size <= 8 && site_of(address, code)->store.updates;
}

/* Is what was announced there the write of a copy, whose read is announced next? */
static bool is_copy(const volatile void *address, uintptr_t code) {
    const heddle_wire_explore *explore = hd_rt_explore;
    if (!explore->copies)
        return false;
    site *it = site_of(address, code);
    if (it->copies != explore->copies) {
        it->copies = explore->copies;
        it->is_copy = false;
        for (uint32_t i = 0; i < explore->copies && !it->is_copy; i++)
            it->is_copy = explore->copy[i] == code;
    }
    return it->is_copy;
}

static void add_copy(uintptr_t code) {
    if (hd_rt_explore->copies < HEDDLE_WIRE_COPIES)
        hd_rt_explore->copy[hd_rt_explore->copies++] = code;
    else
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_COPIES;
}

/* --- copies --------------------------------------------------------------------------------- */

/* The last call of the compiler's, if it announced a write: no other thread runs until this one
 * comes to its next point.  If it is that of a copy, its point is still to come. */
static struct {
    char *address;
    size_t size; /* 0: it was none */
    uintptr_t code;
    bool is_copy;
} last_write;

/* What is to be put back where old bytes were lent. */
static struct {
    char *address;
    size_t size;
    char *bytes;
} lent;

void hd_rt_plain_settle(void) {
    hd_rt.lane.lent = false;
    hd_rt_copy(lent.address, lent.bytes, lent.size);
}

static void lend(char *address, const char *old, size_t size) {
    if (!lent.bytes)
        lent.bytes = hd_rt_reset_pages(LARGEST);
    lent.address = address;
    lent.size = size;
    hd_rt_copy(lent.bytes, address, size);
    hd_rt_copy(address, old, size);
    hd_rt.lane.lent = true;
}

/* The write of a copy from `source`, of which the read is done. */
static __attribute__((noinline)) void write_copy(char *source, char *target, size_t size,
                                                 uintptr_t code) {
    char *old = __builtin_alloca(size);
    hd_rt_copy(old, source, size);
    hd_rt_explore_access(HEDDLE_OP_WRITE, target, size, code);
    if (!hd_rt_starts(source, old, size))
        lend(source, old, size);
}

/* Both halves of a copy, where the second is announced. */
static void do_copy(char *source, size_t size, uintptr_t code) {
    char *target = last_write.address;
    uintptr_t write_code = last_write.code; /* others come here too */
    bool apart = source + size <= target || target + size <= source;
    bool shares = hd_rt_explore_shares(source, size);
    hd_rt_explore_access(HEDDLE_OP_READ, source, size, code);
    if (!hd_rt.lane.full)
        hd_rt_record_range(false, source, size, code);
    if (shares && apart && size <= LARGEST && hd_rt_explore_shares(target, size))
        write_copy(source, target, size, write_code);
    else
        hd_rt_explore_access(HEDDLE_OP_WRITE, target, size, write_code);
    if (!hd_rt.lane.full)
        hd_rt_record_write_to_come(target, size, write_code);
}

/* A read and a write. */
static __attribute__((noinline)) void update(char *target, size_t size, uintptr_t code) {
    char old[8];
    hd_rt_spin_gives(code, 0);
    hd_rt_point(HEDDLE_OP_READ, target, (uint32_t)size, code);
    if (!hd_rt.lane.full)
        hd_rt_record_range(false, target, size, code);
    hd_rt_copy(old, target, size);
    hd_rt_point(HEDDLE_OP_WRITE, target, (uint32_t)size, code);
    if (!hd_rt_starts(target, old, size))
        hd_rt_copy(target, old, size);
}

void hd_rt_plain_forget(void) {
    last_write.size = 0;
    last_write.is_copy = false;
    hd_rt_zero(sites, sizeof sites);
}

/* --- accesses ------------------------------------------------------------------------------- */

/* Does the read at `code` come with the write that was announced before it? */
static bool comes_with_write(size_t size, uintptr_t code) {
    return last_write.size == size &&
           site_of(last_write.address, last_write.code)->store.call == (const unsigned char *)code;
}

/* A volatile access that counts as atomic. */
static void reach_atomic(unsigned kind, char *at, size_t size, uintptr_t code) {
    unsigned order = kind == HEDDLE_OP_ATOMIC_READ ? HEDDLE_ORDER_ACQUIRE : HEDDLE_ORDER_RELEASE;
    heddle_wire_weaker(hd_rt_explore, code);
    hd_rt_explore_note(kind, at, size);
    hd_rt_point_atomic(kind, order, order, at, (uint32_t)size, code);
}

static bool read_plain(bool atomic, char *source, size_t size, uintptr_t code) {
    if (last_write.is_copy) {
        last_write.is_copy = false;
        do_copy(source, size, code);
        last_write.size = 0;
        return true;
    }
    if (comes_with_write(size, code))
        add_copy(last_write.code);
    last_write.size = 0;
    if (atomic)
        reach_atomic(HEDDLE_OP_ATOMIC_READ, source, size, code);
    else
        hd_rt_explore_access(HEDDLE_OP_READ, source, size, code);
    if (hd_rt_written && !hd_rt.ended)
        hd_rt_written_read((uintptr_t)source, size, code);
    return false;
}

static bool write_plain(bool atomic, char *target, size_t size, uintptr_t code) {
    last_write.address = target;
    last_write.size = size;
    last_write.code = code;
    last_write.is_copy = is_copy(target, code);
    if (last_write.is_copy)
        return true;
    if (atomic)
        reach_atomic(HEDDLE_OP_ATOMIC_WRITE, target, size, code);
    else if (!hd_rt_explore_store(target, size))
        hd_rt_freed_check(HEDDLE_OP_WRITE, target, size, code);
    else if (hd_rt_plain_updates(target, size, code))
        update(target, size, code);
    else
        hd_rt_point(HEDDLE_OP_WRITE, target, (uint32_t)size, code);
    last_write.address = target; /* others may have been here */
    last_write.size = size;
    last_write.code = code;
    return false;
}

bool hd_rt_explore_plain(unsigned kind, const volatile void *address, size_t size, uintptr_t code) {
    if (HD_RT_UNLIKELY(hd_rt.lane.lent))
        hd_rt_settle();
    char *at = (char *)(uintptr_t)address;
    hd_rt_spin_gives(code, 0);
    bool atomic = kind == HEDDLE_OP_ATOMIC_READ || kind == HEDDLE_OP_ATOMIC_WRITE;
    return kind == HEDDLE_OP_READ || kind == HEDDLE_OP_ATOMIC_READ
               ? read_plain(atomic, at, size, code)
               : write_plain(atomic, at, size, code);
}
