/*
 * Locks that the program announces, and the functions of <sanitizer/tsan_interface.h> for them.
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

enum { MOST_REENTRANT = 128, MOST_USED = 8192, PATIENCE = 10000 };

/* What is known in a run: in memory that is put back between runs like the program's own. */
static struct state {
    uint32_t reentrants;
    uintptr_t reentrant[MOST_REENTRANT]; /* locks that were created so */

    /* Memory, 4 bytes each, by hash, then the next free place; above that INNER, OUTER: used by the
     * code of locks, and by other code at its steps. */
    uint32_t used_count;
    uint64_t used[MOST_USED];
} * its;

void hd_rt_annotate_start_locks(void) {
    its = hd_rt_table(sizeof *its, HEDDLE_WIRE_UNKEPT_OBJECTS);
}

static bool is_free(void) {
    return hd_rt.mode == HD_RT_FREE;
}

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
    unsigned kind = writing ? HEDDLE_OP_ACQUIRE : HEDDLE_OP_READ_ACQUIRE;
    if (!hd_rt_annotate_on())
        return;
    hd_rt_annotate_told(HEDDLE_WIRE_TOLD_HOLDS);
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
    hd_rt_misuse_held(HEDDLE_WIRE_TWO_HOLDERS, "annotated acquire of", sort_of(writing), lock,
                      code);
}

static void give(const void *lock, bool writing, uintptr_t code) {
    enum hd_rt_sort sort = sort_of(writing);
    unsigned kind = writing ? HEDDLE_OP_RELEASE : HEDDLE_OP_READ_RELEASE;
    uint32_t levels = hd_rt_hold_levels(sort, lock);
    if (levels < 2)
        point(kind, 0, lock, code);
    if (levels) {
        hd_rt_hold_drop(sort, lock);
        hd_rt_record(kind, (uintptr_t)lock, code);
        return;
    }
    disagree();
    hd_rt_misuse(HEDDLE_WIRE_UNLOCK, "unlock of", sort,
                 " that the thread does not hold by its annotations", lock, code, (hd_rt_party){0});
}

void hd_rt_annotate_released(const volatile void *lock, bool writing, uintptr_t code) {
    if (!hd_rt_annotate_on())
        return;
    hd_rt_annotate_told(HEDDLE_WIRE_TOLD_HOLDS);
    if (is_free())
        hd_rt_free_record(writing ? HEDDLE_OP_RELEASE : HEDDLE_OP_READ_RELEASE, (uintptr_t)lock,
                          code);
    else
        give((const void *)lock, writing, code);
}

void hd_rt_annotate_destroyed(const volatile void *address, uintptr_t code) {
    const void *lock = (const void *)address;
    if (!hd_rt_annotate_on() || is_free())
        return;
    for (uint32_t i = 0; i < its->reentrants; i++)
        if (its->reentrant[i] == (uintptr_t)lock)
            its->reentrant[i] = 0;
    if (hd_rt.exploring) /* before or after others take it */
        point(HEDDLE_OP_ACQUIRE, HEDDLE_WIRE_TRY | HEDDLE_WIRE_LOOKS, lock, code);
    if (!hd_rt_hold_allows(lock, false))
        hd_rt_misuse(HEDDLE_WIRE_DESTROY, "destruction of", HD_RT_A_LOCK, " that is held", lock,
                     code, (hd_rt_party){0});
}

HD_RT_EXPORT void __tsan_mutex_create(void *lock, unsigned flags) {
    uint32_t i = 0;
    if (!hd_rt_annotate_on() || !(flags & WRITE_REENTRANT))
        return;
    while (i < its->reentrants && its->reentrant[i])
        i++;
    if (i == MOST_REENTRANT) {
        hd_rt_annotate_told(HEDDLE_WIRE_TOLD_TOO_MUCH);
        return;
    }
    its->reentrant[i] = (uintptr_t)lock;
    its->reentrants += i == its->reentrants;
}

HD_RT_EXPORT void __tsan_mutex_destroy(void *lock, unsigned flags) {
    if (!(flags & LINKER_INIT))
        hd_rt_annotate_destroyed(lock, HD_RT_CODE());
}

static bool is_reentrant(const void *lock, unsigned flags) {
    for (uint32_t i = 0; i < its->reentrants; i++)
        if (its->reentrant[i] == (uintptr_t)lock)
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
    while (its->used[place] && (its->used[place] & ~(INNER | OUTER)) != word)
        place = (place + 1) % MOST_USED;
    if (!its->used[place] && its->used_count >= MOST_USED / 2) {
        hd_rt_annotate_told(HEDDLE_WIRE_TOLD_TOO_MUCH);
        return;
    }
    its->used_count += !its->used[place];
    its->used[place] |= word | how;
    if ((its->used[place] & (INNER | OUTER)) == (INNER | OUTER))
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_INNER;
}

static void use(uintptr_t address, uint32_t size, uint64_t how) {
    enum { PART = 4, MOST = 4096 };
    uint32_t bytes = size < MOST ? size : MOST;
    if (size > MOST)
        hd_rt_annotate_told(HEDDLE_WIRE_TOLD_TOO_MUCH); /* of the rest nothing is known */
    for (uint64_t part = address / PART; part <= (address + bytes - 1) / PART; part++)
        use_part(part, how);
}

static bool is_memory(unsigned kind) {
    return kind >= HEDDLE_OP_READ && kind <= HEDDLE_OP_ATOMIC_RMW;
}

void hd_rt_annotate_uses(unsigned kind, uintptr_t address, uint32_t size) {
    if (is_memory(kind) && size && hd_rt.wire->annotations & HEDDLE_WIRE_TOLD_LOCKS &&
        !hd_rt.current->within)
        use(address, size, OUTER);
}

bool hd_rt_annotate_passes(const hd_rt_thread *self) {
    const heddle_wire_operation *pending = &self->wire->pending;
    if (!(self->within & HD_RT_WITHIN) || self->within & HD_RT_SIGNALS)
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
    hd_rt_annotate_within(begin, code);
}

static void before_lock(const void *lock, unsigned flags, uintptr_t code) {
    bool writing = !(flags & READ_LOCK), tries = flags & TRY_LOCK;
    bool again = writing && is_reentrant(lock, flags) && hd_rt_hold_levels(HD_RT_A_LOCK, lock) > 0;
    if (!again)
        point(writing ? HEDDLE_OP_ACQUIRE : HEDDLE_OP_READ_ACQUIRE, tries ? HEDDLE_WIRE_TRY : 0,
              lock, code);
    if (!again && !hd_rt_hold_allows(lock, !writing))
        return; /* a try that fails */
    take(lock, writing, code);
    if (!tries)
        hd_rt_record(writing ? HEDDLE_OP_ACQUIRE : HEDDLE_OP_READ_ACQUIRE, (uintptr_t)lock, code);
}

HD_RT_EXPORT void __tsan_mutex_pre_lock(void *lock, unsigned flags) {
    if (!hd_rt_annotate_on())
        return;
    hd_rt_annotate_told(HEDDLE_WIRE_TOLD_LOCKS);
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
        hd_rt_record(failed    ? HEDDLE_OP_TRYFAIL
                     : writing ? HEDDLE_OP_TRY_ACQUIRE
                               : HEDDLE_OP_TRY_READ_ACQUIRE,
                     (uintptr_t)lock, code);
    if (!failed && !taken)
        hd_rt_misuse_held(HEDDLE_WIRE_TWO_HOLDERS, "annotated acquire of", sort, lock, code);
}

static void after_lock_freely(const void *lock, unsigned flags, uintptr_t code) {
    bool writing = !(flags & READ_LOCK);
    unsigned kind = flags & TRY_LOCK_FAILED ? HEDDLE_OP_TRYFAIL
                    : flags & TRY_LOCK
                        ? (writing ? HEDDLE_OP_TRY_ACQUIRE : HEDDLE_OP_TRY_READ_ACQUIRE)
                    : writing ? HEDDLE_OP_ACQUIRE
                              : HEDDLE_OP_READ_ACQUIRE;
    hd_rt_free_record(kind, (uintptr_t)lock, code);
}

HD_RT_EXPORT void __tsan_mutex_post_lock(void *lock, unsigned flags, int recursion) {
    if (!hd_rt_annotate_on())
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
            hd_rt_free_record(HEDDLE_OP_ACQUIRE, (uintptr_t)lock, code);
        else
            hd_rt_record(HEDDLE_OP_ACQUIRE, (uintptr_t)lock, code);
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
    if (!hd_rt_annotate_on())
        return 1;
    hd_rt_annotate_told(HEDDLE_WIRE_TOLD_LOCKS);
    int levels = levels_of(lock, flags);
    if (is_free())
        hd_rt_free_record(flags & READ_LOCK ? HEDDLE_OP_READ_RELEASE : HEDDLE_OP_RELEASE,
                          (uintptr_t)lock, HD_RT_CODE());
    else
        for (int i = 0; i < levels || i == 0; i++)
            give(lock, !(flags & READ_LOCK), HD_RT_CODE());
    within(true, HD_RT_CODE());
    return levels;
}

HD_RT_EXPORT void __tsan_mutex_post_unlock(void *lock, unsigned flags) {
    (void)lock;
    (void)flags;
    if (hd_rt_annotate_on())
        within(false, HD_RT_CODE());
}

/* --- the code of a condition variable, and calls that a lock makes to other code ------------- */

HD_RT_EXPORT void __tsan_mutex_pre_signal(void *lock, unsigned flags) {
    (void)lock;
    (void)flags;
    if (!hd_rt_annotate_on())
        return;
    hd_rt_annotate_told(HEDDLE_WIRE_TOLD_IGNORED);
    hd_rt_self->within |= HD_RT_SIGNALS;
    within(true, HD_RT_CODE());
}

HD_RT_EXPORT void __tsan_mutex_post_signal(void *lock, unsigned flags) {
    (void)lock;
    (void)flags;
    if (!hd_rt_annotate_on())
        return;
    within(false, HD_RT_CODE());
    hd_rt_self->within &= HD_RT_WITHIN;
}

HD_RT_EXPORT void __tsan_mutex_pre_divert(void *lock, unsigned flags) {
    (void)lock;
    (void)flags;
    if (hd_rt_annotate_on())
        within(false, HD_RT_CODE());
}

HD_RT_EXPORT void __tsan_mutex_post_divert(void *lock, unsigned flags) {
    (void)lock;
    (void)flags;
    if (hd_rt_annotate_on())
        within(true, HD_RT_CODE());
}
