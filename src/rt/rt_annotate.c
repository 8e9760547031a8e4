/*
 * Orders and exempt accesses that the program announces.
 */
#include "rt_annotate.h"

#include "rt_explore.h"
#include "rt_free.h"

enum { MOST_RANGES = 512 };

/* Memory in which races are benign, in a run: in memory that is put back between runs like the
 * program's own. */
static struct state {
    uint32_t ranges;
    struct {
        uintptr_t address, size;
    } range[MOST_RANGES];
} * state;

/* What stands for objects: never written, so all of it is 0. */
static uint64_t *words;

bool hd_rt_annotate_any, hd_rt_annotate_any_unordered;

void hd_rt_annotate_start(void) {
    state = hd_rt_table(sizeof *state, HEDDLE_WIRE_UNKEPT_OBJECTS);
    words = hd_rt_table(HEDDLE_WIRE_ORDERS * sizeof *words, HEDDLE_WIRE_UNKEPT_OBJECTS);
    hd_rt.wire->order_words = (uintptr_t)words;
    hd_rt_annotate_start_locks();
}

bool hd_rt_annotate_on(void) {
    return state && words && !hd_rt.ended &&
           (hd_rt.mode == HD_RT_FREE ? hd_rt_self != NULL : hd_rt_controlled());
}

void hd_rt_annotate_told(uint32_t what) {
    if (!(hd_rt.wire->annotations & what))
        __atomic_fetch_or(&hd_rt.wire->annotations, what, __ATOMIC_RELAXED);
}

/* --- orders --------------------------------------------------------------------------------- */

/* The word that stands for the object; the last one is for all that find no other place. */
static uint64_t *word_of(uintptr_t object) {
    enum { MANY = HEDDLE_WIRE_ORDERS - 1 };
    uint32_t place = (uint32_t)(object * UINT64_C(0x9e3779b97f4a7c15) >> 40) % MANY;
    for (uint32_t i = 0; i < MANY; i++, place = (place + 1) % MANY) {
        uint64_t *at = &hd_rt.wire->order_object[place], none = 0;
        if (__atomic_load_n(at, __ATOMIC_RELAXED) == object ||
            __atomic_compare_exchange_n(at, &none, object, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED) ||
            none == object)
            return &words[place];
    }
    hd_rt_annotate_told(HEDDLE_WIRE_TOLD_TOO_MUCH);
    return &words[MANY];
}

void hd_rt_annotate_order(bool release, const volatile void *object, uintptr_t code) {
    if (!hd_rt_annotate_on() || !object || hd_rt_annotate_is_unordered())
        return;
    hd_rt_annotate_told(HEDDLE_WIRE_TOLD_ORDERS);
    uint64_t *word = word_of((uintptr_t)object);
    unsigned kind = release ? HEDDLE_OP_ATOMIC_RMW : HEDDLE_OP_ATOMIC_READ;
    unsigned order = release ? HEDDLE_ORDER_RELEASE : HEDDLE_ORDER_ACQUIRE;
    unsigned size = 3 | order << HEDDLE_WIRE_MEMORY_SHIFT;
    if (hd_rt.mode == HD_RT_FREE) {
        hd_rt_free_lock(word);
        hd_rt_free_unlock(kind, size, word, code, 0);
        return;
    }
    if (hd_rt.exploring) {
        hd_rt.current->with = NULL;
        hd_rt_explore_note(kind, word, sizeof *word);
    }
    hd_rt_point_atomic(kind, order, order, word, sizeof *word, code);
    if (hd_rt.exploring && hd_rt.lane.full)
        hd_rt_settle();
    else
        hd_rt_record_atomic(kind, size, word, code, 0);
}

HD_RT_EXPORT void __tsan_acquire(void *object) {
    hd_rt_annotate_order(false, object, HD_RT_CODE());
}

HD_RT_EXPORT void __tsan_release(void *object) {
    hd_rt_annotate_order(true, object, HD_RT_CODE());
}

/* --- exempt accesses ------------------------------------------------------------------------ */

/* A record that is not an event, for whoever makes events of plain accesses. */
static void record_aside(unsigned op, uintptr_t address, uint64_t word, uintptr_t code) {
    hd_rt_settle();
    if (hd_rt.mode == HD_RT_FREE)
        hd_rt_free_order(code, 0);
    hd_rt_record_word(op, 0, address, code, word);
}

static void add_range(uintptr_t address, size_t size) {
    if (state->ranges == MOST_RANGES) {
        hd_rt_annotate_told(HEDDLE_WIRE_TOLD_TOO_MUCH);
        return;
    }
    state->range[state->ranges].address = address;
    state->range[state->ranges++].size = size;
}

/* The last one takes its place. */
static void remove_range(uint32_t number) {
    state->range[number] = state->range[--state->ranges];
    state->range[state->ranges].address = state->range[state->ranges].size = 0;
}

void hd_rt_annotate_benign(const volatile void *address, size_t size, uintptr_t code) {
    if (!hd_rt_annotate_on() || !size)
        return;
    hd_rt_annotate_told(HEDDLE_WIRE_TOLD_BENIGN);
    hd_rt_annotate_any = true;
    record_aside(HEDDLE_WIRE_BENIGN, (uintptr_t)address, size, code);
    if (hd_rt.mode == HD_RT_FREE)
        return;
    for (uint32_t i = 0; i < state->ranges; i++)
        if (state->range[i].address == (uintptr_t)address && state->range[i].size >= size)
            return;
    add_range((uintptr_t)address, size);
}

void hd_rt_annotate_checked(const volatile void *address, size_t size, uintptr_t code) {
    if (!hd_rt_annotate_on() || !size)
        return;
    record_aside(HEDDLE_WIRE_CHECKED, (uintptr_t)address, size, code);
    if (hd_rt.mode == HD_RT_FREE)
        return;
    uintptr_t from = (uintptr_t)address, to = from + size;
    for (uint32_t i = state->ranges; i-- > 0;) {
        uintptr_t begin = state->range[i].address, end = begin + state->range[i].size;
        if (end <= from || to <= begin)
            continue;
        remove_range(i);
        if (begin < from)
            add_range(begin, from - begin);
        if (to < end)
            add_range(to, end - to);
    }
}

void hd_rt_annotate_freed(uintptr_t block, size_t size) {
    for (uint32_t i = state ? state->ranges : 0; i-- > 0;)
        if (state->range[i].address >= block && state->range[i].address < block + size)
            remove_range(i);
}

/* Of hd_rt_thread.ignored: how deep it is in stretches whose reads are ignored, and writes. */
enum { NIBBLE = 15, WRITES_SHIFT = 4 };

/* Which accesses of the thread are exempt? */
static unsigned ignored(const hd_rt_thread *self) {
    unsigned depth = self->ignored;
    return self->within & HD_RT_WITHIN
               ? HD_RT_READS | HD_RT_WRITES
               : (depth & NIBBLE ? HD_RT_READS : 0U) | (depth >> WRITES_SHIFT ? HD_RT_WRITES : 0U);
}

bool hd_rt_annotate_exempts(unsigned kind, uintptr_t address, size_t size) {
    if (ignored(hd_rt.current) & (kind == HEDDLE_OP_READ ? HD_RT_READS : HD_RT_WRITES))
        return true;
    for (uint32_t i = 0; i < state->ranges; i++)
        if (address < state->range[i].address + state->range[i].size &&
            state->range[i].address < address + size)
            return true;
    return false;
}

/* They nest, a few levels deep; beyond that they stay exempt. */
static unsigned count(unsigned depth, unsigned most, bool begin) {
    return depth == most ? most : begin ? depth + 1 : depth ? depth - 1 : 0;
}

/* What is ignored may have changed. */
static void tell_change(unsigned before, bool begin, uintptr_t code) {
    hd_rt_annotate_any |= begin;
    if (ignored(hd_rt_self) != before)
        record_aside(HEDDLE_WIRE_IGNORE, 0, ignored(hd_rt_self), code);
}

static void ignore(unsigned which, bool begin, uintptr_t code) {
    hd_rt_settle();
    unsigned before = ignored(hd_rt_self), depth = hd_rt_self->ignored;
    unsigned reads = depth & NIBBLE, writes = depth >> WRITES_SHIFT;
    reads = which & HD_RT_READS ? count(reads, NIBBLE, begin) : reads;
    writes = which & HD_RT_WRITES ? count(writes, NIBBLE, begin) : writes;
    hd_rt_self->ignored = (uint8_t)(reads | writes << WRITES_SHIFT);
    tell_change(before, begin, code);
}

void hd_rt_annotate_ignore(unsigned which, bool begin, uintptr_t code) {
    if (!hd_rt_annotate_on())
        return;
    hd_rt_annotate_told(HEDDLE_WIRE_TOLD_IGNORED);
    ignore(which, begin, code);
}

void hd_rt_annotate_section(bool begin, uintptr_t code) {
    ignore(HD_RT_READS | HD_RT_WRITES, begin, code);
}

void hd_rt_annotate_unordered(bool begin) {
    if (!hd_rt_annotate_on())
        return;
    hd_rt_annotate_told(HEDDLE_WIRE_TOLD_UNORDERED);
    hd_rt_annotate_any_unordered = true;
    hd_rt_self->unordered = (uint8_t)count(hd_rt_self->unordered, UINT8_MAX, begin);
}

void hd_rt_annotate_within(bool begin, uintptr_t code) {
    hd_rt_settle();
    unsigned before = ignored(hd_rt_self), flags = hd_rt_self->within & HD_RT_SIGNALS;
    hd_rt_self->within =
        (uint8_t)(flags | count(hd_rt_self->within & HD_RT_WITHIN, HD_RT_WITHIN, begin));
    tell_change(before, begin, code);
}

HD_RT_EXPORT void __tsan_ignore_thread_begin(void) {
    hd_rt_annotate_ignore(HD_RT_READS | HD_RT_WRITES, true, HD_RT_CODE());
}

HD_RT_EXPORT void __tsan_ignore_thread_end(void) {
    hd_rt_annotate_ignore(HD_RT_READS | HD_RT_WRITES, false, HD_RT_CODE());
}
