/*
 * The lockset algorithm, one event at a time.
 *
 * Savage, Burrows, Nelson, Sobalvarro and Anderson, "Eraser: A Dynamic Data Race
 * Detector for Multithreaded Programs" (TOCS 1997); the plain version is that of
 * Shacham, Sagiv and Schuster, "Scaling Model Checking of Dataraces Using Dynamic
 * Information" (PPoPP 2005), Fig. 2.
 *
 *   paper                       here
 *   locks_held(t)               held[t], an interned set (order_held.h)
 *   write_locks_held(t)         the same, without what is held for reading
 *   C(v)                        variable->candidates, EVERY: all locks
 *   virgin, exclusive, shared,  variable->state
 *   shared-modified
 *   a_1 of a warning            the last access before it by another thread that
 *                               conflicts with it; 0 if none exists
 *
 * The plain version refines from the first access on and warns when C(v) is
 * empty, whichever thread accessed.  An atomic access counts as protected by a lock of its
 * own that all atomic accesses of the variable share.
 *
 * Cost: constant for each event but for the first refinement of a set by a set.
 */
#include "race.h"

enum state { VIRGIN, EXCLUSIVE, SHARED, SHARED_MODIFIED };

/* C(v) at first. */
#define EVERY UINT32_MAX

/* Last accesses of a kind by two different threads. */
struct last {
    uint32_t event, thread, other; /* the other one's event, 0: none */
};

struct variable {
    uint32_t thread; /* that it is exclusive to */
    uint32_t candidates;
    struct last reads, writes;
    uint8_t state;
    bool unprotected; /* an access that wanted a lock was not atomic */
    bool warned;
};

struct hd_race_lockset {
    hd_order_sets sets;
    hd_vec_u32 held;   /* [thread] */
    hd_map refined[2]; /* by a read, a write: (C(v), held) -> C(v) + 1 */
    HD_VEC(struct variable) variables;
    bool states;
    hd_race_report *report;
    void *context;
};

hd_race_lockset *hd_race_lockset_create(bool states, hd_race_report *report, void *context) {
    hd_race_lockset *lockset = HD_NEW(hd_race_lockset);
    hd_order_sets_init(&lockset->sets);
    lockset->states = states;
    lockset->report = report;
    lockset->context = context;
    return lockset;
}

void hd_race_lockset_free(hd_race_lockset *lockset) {
    if (!lockset)
        return;
    hd_order_sets_release(&lockset->sets);
    hd_vec_release(&lockset->held);
    hd_map_release(&lockset->refined[0]);
    hd_map_release(&lockset->refined[1]);
    hd_vec_release(&lockset->variables);
    free(lockset);
}

/* ---- C(v) := C(v) intersected with the locks held ---- */

static bool protects(hd_order_lock lock, bool writes) {
    return !(writes && hd_order_lock_reading(lock));
}

/* Candidates are kept as if held for writing, so that a lock has one name. */
static uint32_t refine_slowly(hd_race_lockset *lockset, uint32_t candidates, uint32_t held,
                              bool writes) {
    uint32_t result = 0, count = hd_order_sets_at(&lockset->sets, held).count;
    for (uint32_t i = 0; i < count; i++) {
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a set has its locks
        hd_order_lock lock = hd_order_sets_at(&lockset->sets, held).locks[i];
        uint32_t number = hd_order_lock_number(lock);
        if (protects(lock, writes) &&
            (candidates == EVERY ||
             hd_order_sets_find(&lockset->sets, candidates, number) != HD_ORDER_NONE))
            result = hd_order_sets_step(&lockset->sets, result,
                                        &(heddle_event){.kind = HEDDLE_ACQUIRE, .object = number});
    }
    return result;
}

/* Is every lock of the one set in the other, too? */
HD_ASSERT_ONLY static bool is_within(const hd_order_sets *sets, uint32_t inner, uint32_t outer) {
    hd_order_set locks = hd_order_sets_at(sets, inner);
    for (uint32_t i = 0; i < locks.count; i++)
        if (hd_order_sets_find(sets, outer, hd_order_lock_number(locks.locks[i])) == HD_ORDER_NONE)
            return false;
    return true;
}

static uint32_t refine(hd_race_lockset *lockset, uint32_t candidates, uint32_t held, bool writes) {
    bool added;
    /* Of no locks none is left; of those held for writing, as candidates are kept, all. */
    if (!candidates || candidates == held)
        return candidates;
    uint32_t *known =
        hd_map_at(&lockset->refined[writes], (uint64_t)candidates << 32 | held, &added);
    if (added)
        *known = refine_slowly(lockset, candidates, held, writes);
    /* C(v) only shrinks, to locks that are held. */
    HD_COSTLY_ASSERT(is_within(&lockset->sets, *known, held));
    HD_COSTLY_ASSERT(candidates == EVERY || is_within(&lockset->sets, *known, candidates));
    return *known;
}

/* ---- States ---- */

static enum state next_state(const struct variable *variable, const heddle_event *event) {
    switch ((enum state)variable->state) {
    case VIRGIN:
        return EXCLUSIVE;
    case EXCLUSIVE:
        if (event->thread == variable->thread)
            return EXCLUSIVE;
        return hd_trace_writes(event) ? SHARED_MODIFIED : SHARED;
    case SHARED:
        return hd_trace_writes(event) ? SHARED_MODIFIED : SHARED;
    case SHARED_MODIFIED:
        break;
    }
    return SHARED_MODIFIED;
}

/* An access that no other thread saw needs no lock. */
static bool wants_locks(const hd_race_lockset *lockset, const struct variable *variable) {
    return !lockset->states || variable->state >= SHARED;
}

static bool may_warn(const hd_race_lockset *lockset, const struct variable *variable) {
    return !variable->warned && variable->unprotected && variable->candidates == 0 &&
           (!lockset->states || variable->state == SHARED_MODIFIED);
}

/* ---- Events ---- */

static void remember_access(struct last *last, uint32_t number, uint32_t thread) {
    assert(number > last->event);
    if (last->event && last->thread != thread)
        last->other = last->event;
    last->event = number;
    last->thread = thread;
    assert(last->other < last->event);
}

static uint32_t of_another(const struct last *last, uint32_t thread) {
    return last->thread == thread ? last->other : last->event;
}

static uint32_t find_first(const struct variable *variable, const heddle_event *event) {
    uint32_t write = of_another(&variable->writes, event->thread);
    uint32_t read = of_another(&variable->reads, event->thread);
    return hd_trace_writes(event) && read > write ? read : write;
}

static void step_access(hd_race_lockset *lockset, uint32_t number, const heddle_event *event) {
    bool writes = hd_trace_writes(event);
    if (event->object >= lockset->variables.length)
        hd_vec_resize(&lockset->variables, (size_t)event->object + 1);
    struct variable *variable = &lockset->variables.data[event->object];
    if (variable->state == VIRGIN) {
        variable->thread = event->thread;
        variable->candidates = EVERY;
    }
    enum state before = (enum state)variable->state;
    variable->state = (uint8_t)next_state(variable, event);
    assert(variable->state >= before && variable->state != VIRGIN);
    (void)before;
    if (wants_locks(lockset, variable)) {
        variable->unprotected |= !(hd_trace_traits(event) & HEDDLE_T_ATOMIC);
        variable->candidates =
            refine(lockset, variable->candidates, lockset->held.data[event->thread], writes);
        assert(variable->candidates != EVERY);
    }
    if (may_warn(lockset, variable)) {
        variable->warned = true;
        lockset->report(lockset->context, find_first(variable, event), number);
    }
    remember_access(writes ? &variable->writes : &variable->reads, number, event->thread);
}

void hd_race_lockset_step(hd_race_lockset *lockset, uint32_t number, const heddle_event *event) {
    if (event->thread >= lockset->held.length)
        hd_vec_resize(&lockset->held, (size_t)event->thread + 1);
    if (hd_trace_is_exempt(event))
        return;
    if (hd_trace_is_access(event))
        step_access(lockset, number, event);
    else if (hd_trace_traits(event) & HEDDLE_T_LOCK)
        lockset->held.data[event->thread] =
            hd_order_sets_step(&lockset->sets, lockset->held.data[event->thread], event);
}
