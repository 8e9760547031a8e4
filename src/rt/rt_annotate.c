/*
 * Orders, locks and exempt accesses that the program announces, and the functions of
 * <sanitizer/tsan_interface.h>.
 *
 * A lock that is taken between pre_lock and post_lock is waited for at pre_lock, until its
 * annotations say that it is free.  So the program's own code, which may be without
 * instrumentation, finds it free and does not wait where no other thread could go on.  What this
 * code does is part of that step, instrumented or not; so is what it does between pre_unlock, where
 * the lock is given back, and post_unlock.  Memory that it uses must not be used by other code:
 * that is looked at.
 *
 * A lock of which only "acquired" and "released" are told is never waited for: if the program says
 * that two threads have it, that is an error.
 */
#include "rt_annotate.h"

#include "rt_explore.h"
#include "rt_free.h"
#include "rt_misuse.h"
#include "rt_sync.h"

enum {
    READ = HEDDLE_READ + 1,
    WRITE = HEDDLE_WRITE + 1,
    ATOMIC_READ = HEDDLE_ATOMIC_READ + 1,
    ATOMIC_RMW = HEDDLE_ATOMIC_RMW + 1,
    ACQUIRE = HEDDLE_ACQUIRE + 1,
    RELEASE = HEDDLE_RELEASE + 1,
    READ_ACQUIRE = HEDDLE_READ_ACQUIRE + 1,
    READ_RELEASE = HEDDLE_READ_RELEASE + 1,
    TRYFAIL = HEDDLE_TRYFAIL + 1,
    TRY_ACQUIRE = HEDDLE_TRY_ACQUIRE + 1,
    TRY_READ_ACQUIRE = HEDDLE_TRY_READ_ACQUIRE + 1
};

/* As <sanitizer/tsan_interface.h> has them. */
enum {
    LINKER_INIT = 1 << 0,
    WRITE_REENTRANT = 1 << 1,
    READ_LOCK = 1 << 3,
    TRY_LOCK = 1 << 4,
    TRY_LOCK_FAILED = 1 << 5,
    RECURSIVE_LOCK = 1 << 6,
    RECURSIVE_UNLOCK = 1 << 7
};

enum { MOST_RANGES = 512, MOST_REENTRANT = 128, MOST_USED = 8192, PATIENCE = 10000 };

/* Of hd_rt_thread.within: how deep it is in such code, and that it is that of a condition variable,
 * whose steps are steps. */
enum { DEPTH = 0x7f, SIGNALS = 0x80 };

/* What is known in a run: in memory that is put back between runs like the program's own. */
static struct state {
    uint32_t ranges, reentrants;
    struct {
        uintptr_t address, size;
    } range[MOST_RANGES];                /* of benign races */
    uintptr_t reentrant[MOST_REENTRANT]; /* locks that were created so */

    /* Memory, 4 bytes each, by hash, then the next free place; above that INNER, OUTER: used by the
     * code of locks, and by other code at its steps. */
    uint32_t used_count;
    uint64_t used[MOST_USED];
} * state;

/* What stands for objects: never written, so all of it is 0. */
static uint64_t *words;

bool hd_rt_annotate_any;

void hd_rt_annotate_start(void) {
    state = hd_rt_pages(sizeof *state);
    words = hd_rt_pages(HEDDLE_WIRE_ORDERS * sizeof *words);
    hd_rt.wire->order_words = (uintptr_t)words;
}

/* Is it one of the program's own threads, and does the program still run? */
static bool is_on(void) {
    return state && words && !hd_rt.ended &&
           (hd_rt.mode == HD_RT_FREE ? hd_rt_self != NULL : hd_rt_controlled());
}

static bool is_free(void) {
    return hd_rt.mode == HD_RT_FREE;
}

static void told(uint32_t what) {
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
    told(HEDDLE_WIRE_TOLD_TOO_MUCH);
    return &words[MANY];
}

void hd_rt_annotate_order(bool release, const volatile void *object, uintptr_t code) {
    if (!is_on() || !object)
        return;
    told(HEDDLE_WIRE_TOLD_ORDERS);
    uint64_t *word = word_of((uintptr_t)object);
    unsigned kind = release ? ATOMIC_RMW : ATOMIC_READ;
    unsigned order = release ? HEDDLE_ORDER_RELEASE : HEDDLE_ORDER_ACQUIRE;
    unsigned size = 3 | order << HEDDLE_WIRE_MEMORY_SHIFT;
    if (is_free()) {
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
    if (is_free())
        hd_rt_free_order(code, 0);
    hd_rt_record_word(op, 0, address, code, word);
}

void hd_rt_annotate_benign(const volatile void *address, size_t size, uintptr_t code) {
    if (!is_on() || !size)
        return;
    told(HEDDLE_WIRE_TOLD_BENIGN);
    hd_rt_annotate_any = true;
    record_aside(HEDDLE_WIRE_BENIGN, (uintptr_t)address, size, code);
    if (is_free())
        return;
    for (uint32_t i = 0; i < state->ranges; i++)
        if (state->range[i].address == (uintptr_t)address && state->range[i].size >= size)
            return;
    if (state->ranges == MOST_RANGES) {
        told(HEDDLE_WIRE_TOLD_TOO_MUCH);
        return;
    }
    state->range[state->ranges].address = (uintptr_t)address;
    state->range[state->ranges++].size = size;
}

void hd_rt_annotate_freed(uintptr_t block, size_t size) {
    for (uint32_t i = state ? state->ranges : 0; i-- > 0;)
        if (state->range[i].address >= block && state->range[i].address < block + size) {
            state->range[i] = state->range[--state->ranges];
            state->range[state->ranges].address = state->range[state->ranges].size = 0;
        }
}

/* Which accesses of the thread are exempt? */
static unsigned ignored(const hd_rt_thread *self) {
    return self->within & DEPTH
               ? HD_RT_READS | HD_RT_WRITES
               : (self->unread ? HD_RT_READS : 0U) | (self->unwritten ? HD_RT_WRITES : 0U);
}

bool hd_rt_annotate_exempts(unsigned kind, uintptr_t address, size_t size) {
    if (ignored(hd_rt.current) & (kind == READ ? HD_RT_READS : HD_RT_WRITES))
        return true;
    for (uint32_t i = 0; i < state->ranges; i++)
        if (address < state->range[i].address + state->range[i].size &&
            state->range[i].address < address + size)
            return true;
    return false;
}

/* They nest, a few levels deep; beyond that they stay exempt. */
static void count(uint8_t *counter, bool begin) {
    unsigned depth = *counter & DEPTH, flags = *counter & SIGNALS;
    if (depth < DEPTH)
        *counter = (uint8_t)(flags | (begin ? depth + 1 : depth ? depth - 1 : 0));
}

/* A counter of the present thread goes up or down. */
static void change(uint8_t *counter, bool begin, uintptr_t code) {
    hd_rt_settle();
    unsigned before = ignored(hd_rt_self);
    count(counter, begin);
    hd_rt_annotate_any |= begin;
    if (ignored(hd_rt_self) != before)
        record_aside(HEDDLE_WIRE_IGNORE, 0, ignored(hd_rt_self), code);
}

void hd_rt_annotate_ignore(unsigned which, bool begin, uintptr_t code) {
    if (!is_on())
        return;
    told(HEDDLE_WIRE_TOLD_IGNORED);
    if (which & HD_RT_READS)
        change(&hd_rt_self->unread, begin, code);
    if (which & HD_RT_WRITES)
        change(&hd_rt_self->unwritten, begin, code);
}

HD_RT_EXPORT void __tsan_ignore_thread_begin(void) {
    hd_rt_annotate_ignore(HD_RT_READS | HD_RT_WRITES, true, HD_RT_CODE());
}

HD_RT_EXPORT void __tsan_ignore_thread_end(void) {
    hd_rt_annotate_ignore(HD_RT_READS | HD_RT_WRITES, false, HD_RT_CODE());
}

/* --- locks ---------------------------------------------------------------------------------- */

static enum hd_rt_sort sort_of(bool writing) {
    return writing ? HD_RT_A_LOCK : HD_RT_A_READ_LOCK;
}

/* What the annotations say does not fit what the lock did. */
static void disagree(void) {
    if (hd_rt.exploring)
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_ANNOTATED;
}

static void take(const void *lock, bool writing, uintptr_t code) {
    hd_rt_hold(sort_of(writing), lock, NULL, code);
}

static bool point(unsigned kind, unsigned flags, const void *lock, uintptr_t code) {
    return hd_rt_point_with(kind, flags, lock, HEDDLE_WIRE_ANNOTATED, code, HD_RT_FOREVER);
}

void hd_rt_annotate_acquired(const volatile void *address, bool writing, uintptr_t code) {
    const void *lock = (const void *)address;
    unsigned kind = writing ? ACQUIRE : READ_ACQUIRE;
    if (!is_on())
        return;
    told(HEDDLE_WIRE_TOLD_HOLDS);
    if (is_free()) {
        hd_rt_free_record(kind, (uintptr_t)lock, code);
        return;
    }
    bool again = hd_rt_hold_levels(sort_of(writing), lock) > 0;
    if (!again)
        point(kind, HEDDLE_WIRE_TRY, lock, code);
    if (again || hd_rt_hold_allows(lock, !writing)) {
        take(lock, writing, code);
        hd_rt_record(kind, (uintptr_t)lock, code);
        return;
    }
    disagree();
    hd_rt_misuse_held("annotation: acquire of", sort_of(writing), lock, code);
}

static void give(const void *lock, bool writing, uintptr_t code) {
    enum hd_rt_sort sort = sort_of(writing);
    unsigned kind = writing ? RELEASE : READ_RELEASE;
    uint32_t levels = hd_rt_hold_levels(sort, lock);
    if (levels < 2)
        point(kind, 0, lock, code);
    if (levels) {
        hd_rt_hold_drop(sort, lock);
        hd_rt_record(kind, (uintptr_t)lock, code);
        return;
    }
    disagree();
    hd_rt_misuse("unlock of", sort, " that the thread does not hold by its annotations", lock, code,
                 (hd_rt_party){0});
}

void hd_rt_annotate_released(const volatile void *lock, bool writing, uintptr_t code) {
    if (!is_on())
        return;
    told(HEDDLE_WIRE_TOLD_HOLDS);
    if (is_free())
        hd_rt_free_record(writing ? RELEASE : READ_RELEASE, (uintptr_t)lock, code);
    else
        give((const void *)lock, writing, code);
}

void hd_rt_annotate_destroyed(const volatile void *address, uintptr_t code) {
    const void *lock = (const void *)address;
    if (!is_on() || is_free())
        return;
    for (uint32_t i = 0; i < state->reentrants; i++)
        if (state->reentrant[i] == (uintptr_t)lock)
            state->reentrant[i] = 0;
    if (hd_rt.exploring) /* before or after others take it */
        point(ACQUIRE, HEDDLE_WIRE_TRY | HEDDLE_WIRE_LOOKS, lock, code);
    if (!hd_rt_hold_allows(lock, false))
        hd_rt_misuse("destruction of", HD_RT_A_LOCK, " that is held", lock, code, (hd_rt_party){0});
}

HD_RT_EXPORT void __tsan_mutex_create(void *lock, unsigned flags) {
    uint32_t i = 0;
    if (!is_on() || !(flags & WRITE_REENTRANT))
        return;
    while (i < state->reentrants && state->reentrant[i])
        i++;
    if (i == MOST_REENTRANT) {
        told(HEDDLE_WIRE_TOLD_TOO_MUCH);
        return;
    }
    state->reentrant[i] = (uintptr_t)lock;
    state->reentrants += i == state->reentrants;
}

HD_RT_EXPORT void __tsan_mutex_destroy(void *lock, unsigned flags) {
    if (!(flags & LINKER_INIT))
        hd_rt_annotate_destroyed(lock, HD_RT_CODE());
}

static bool is_reentrant(const void *lock, unsigned flags) {
    for (uint32_t i = 0; i < state->reentrants; i++)
        if (state->reentrant[i] == (uintptr_t)lock)
            return true;
    return flags & (WRITE_REENTRANT | RECURSIVE_LOCK);
}

/* --- the code of locks ---------------------------------------------------------------------- */

enum { INNER_SHIFT = 62 };
#define INNER (UINT64_C(1) << INNER_SHIFT)
#define OUTER (UINT64_C(2) << INNER_SHIFT)

static uint32_t passed; /* points since such code began: no other thread runs in between */

static void use_part(uint64_t part, uint64_t how) {
    uint64_t word = part + 1;
    uint32_t place = (uint32_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> 40) % MOST_USED;
    while (state->used[place] && (state->used[place] & ~(INNER | OUTER)) != word)
        place = (place + 1) % MOST_USED;
    if (!state->used[place] && state->used_count >= MOST_USED / 2) {
        told(HEDDLE_WIRE_TOLD_TOO_MUCH);
        return;
    }
    state->used_count += !state->used[place];
    state->used[place] |= word | how;
    if ((state->used[place] & (INNER | OUTER)) == (INNER | OUTER))
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_INNER;
}

static void use(uintptr_t address, uint32_t size, uint64_t how) {
    enum { PART = 4, MOST = 64 };
    uint32_t bytes = size < MOST ? size : MOST;
    for (uint64_t part = address / PART; part <= (address + bytes - 1) / PART; part++)
        use_part(part, how);
}

static bool is_memory(unsigned kind) {
    return kind >= READ && kind <= ATOMIC_RMW;
}

void hd_rt_annotate_uses(unsigned kind, uintptr_t address, uint32_t size) {
    if (is_memory(kind) && size && hd_rt.wire->annotations & HEDDLE_WIRE_TOLD_LOCKS &&
        !hd_rt.current->within)
        use(address, size, OUTER);
}

bool hd_rt_annotate_passes(const hd_rt_thread *self) {
    const heddle_wire_operation *pending = &self->wire->pending;
    if (!(self->within & DEPTH) || self->within & SIGNALS)
        return false;
    if (passed++ >= PATIENCE) {
        disagree();
        return false;
    }
    if (hd_rt.exploring && is_memory(pending->kind) && pending->size)
        use((uintptr_t)pending->address, pending->size, INNER);
    return true;
}

/* The lock's own code begins, or ends. */
static void within(bool begin, uintptr_t code) {
    passed = 0;
    change(&hd_rt_self->within, begin, code);
}

static void before_lock(const void *lock, unsigned flags, uintptr_t code) {
    bool writing = !(flags & READ_LOCK), tries = flags & TRY_LOCK;
    bool again = writing && is_reentrant(lock, flags) && hd_rt_hold_levels(HD_RT_A_LOCK, lock) > 0;
    if (!again)
        point(writing ? ACQUIRE : READ_ACQUIRE, tries ? HEDDLE_WIRE_TRY : 0, lock, code);
    if (!again && !hd_rt_hold_allows(lock, !writing))
        return; /* a try that fails */
    take(lock, writing, code);
    if (!tries)
        hd_rt_record(writing ? ACQUIRE : READ_ACQUIRE, (uintptr_t)lock, code);
}

HD_RT_EXPORT void __tsan_mutex_pre_lock(void *lock, unsigned flags) {
    if (!is_on())
        return;
    told(HEDDLE_WIRE_TOLD_LOCKS);
    if (!is_free())
        before_lock(lock, flags, HD_RT_CODE());
    within(true, HD_RT_CODE());
}

static void after_try(const void *lock, unsigned flags, uintptr_t code) {
    bool writing = !(flags & READ_LOCK), failed = flags & TRY_LOCK_FAILED;
    enum hd_rt_sort sort = sort_of(writing);
    bool taken = hd_rt_hold_levels(sort, lock) > 0;
    if (failed && taken)
        hd_rt_hold_drop(sort, lock);
    if (failed == taken) /* it failed although it was free, or has what another holds */
        disagree();
    else
        hd_rt_record(failed    ? TRYFAIL
                     : writing ? TRY_ACQUIRE
                               : TRY_READ_ACQUIRE,
                     (uintptr_t)lock, code);
    if (!failed && !taken)
        hd_rt_misuse_held("annotation: acquire of", sort, lock, code);
}

static void after_lock_freely(const void *lock, unsigned flags, uintptr_t code) {
    bool writing = !(flags & READ_LOCK);
    unsigned kind = flags & TRY_LOCK_FAILED ? TRYFAIL
                    : flags & TRY_LOCK      ? (writing ? TRY_ACQUIRE : TRY_READ_ACQUIRE)
                    : writing               ? ACQUIRE
                                            : READ_ACQUIRE;
    hd_rt_free_record(kind, (uintptr_t)lock, code);
}

HD_RT_EXPORT void __tsan_mutex_post_lock(void *lock, unsigned flags, int recursion) {
    if (!is_on())
        return;
    uintptr_t code = HD_RT_CODE();
    within(false, code);
    if (is_free())
        after_lock_freely(lock, flags, code);
    else if (flags & TRY_LOCK)
        after_try(lock, flags, code);
    for (int i = 1; flags & RECURSIVE_LOCK && i < recursion; i++) {
        if (!is_free())
            take(lock, true, code);
        if (is_free())
            hd_rt_free_record(ACQUIRE, (uintptr_t)lock, code);
        else
            hd_rt_record(ACQUIRE, (uintptr_t)lock, code);
    }
}

/* How often the thread gives it back, and what it is told. */
static int levels_of(const void *lock, unsigned flags) {
    if (flags & READ_LOCK)
        return 0;
    uint32_t levels = is_free() ? 1 : hd_rt_hold_levels(HD_RT_A_LOCK, lock);
    return flags & RECURSIVE_UNLOCK ? (int)levels : 1;
}

HD_RT_EXPORT int __tsan_mutex_pre_unlock(void *lock, unsigned flags) {
    if (!is_on())
        return 1;
    told(HEDDLE_WIRE_TOLD_LOCKS);
    int levels = levels_of(lock, flags);
    if (is_free())
        hd_rt_free_record(flags & READ_LOCK ? READ_RELEASE : RELEASE, (uintptr_t)lock,
                          HD_RT_CODE());
    else
        for (int i = 0; i < levels || i == 0; i++)
            give(lock, !(flags & READ_LOCK), HD_RT_CODE());
    within(true, HD_RT_CODE());
    return levels;
}

HD_RT_EXPORT void __tsan_mutex_post_unlock(void *lock, unsigned flags) {
    (void)lock;
    (void)flags;
    if (is_on())
        within(false, HD_RT_CODE());
}

/* --- the code of a condition variable, and calls that a lock makes to other code ------------- */

HD_RT_EXPORT void __tsan_mutex_pre_signal(void *lock, unsigned flags) {
    (void)lock;
    (void)flags;
    if (!is_on())
        return;
    told(HEDDLE_WIRE_TOLD_IGNORED);
    hd_rt_self->within |= SIGNALS;
    within(true, HD_RT_CODE());
}

HD_RT_EXPORT void __tsan_mutex_post_signal(void *lock, unsigned flags) {
    (void)lock;
    (void)flags;
    if (!is_on())
        return;
    within(false, HD_RT_CODE());
    hd_rt_self->within &= DEPTH;
}

HD_RT_EXPORT void __tsan_mutex_pre_divert(void *lock, unsigned flags) {
    (void)lock;
    (void)flags;
    if (is_on())
        within(false, HD_RT_CODE());
}

HD_RT_EXPORT void __tsan_mutex_post_divert(void *lock, unsigned flags) {
    (void)lock;
    (void)flags;
    if (is_on())
        within(true, HD_RT_CODE());
}
