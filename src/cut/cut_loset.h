/*
 * Losets: global states when the order in which locks are taken is open.
 *
 * The space is that of the must-edges alone.  A hold is an interval of its
 * thread, from its acquire to before its release, to the end if none exists;
 * two holds of one lock in different threads conflict unless both read.  The
 * locks held after the last event of each thread are the effective ones.
 *
 *   consistent         closed under must-edges
 *   feasible           and no two threads' effective locks conflict
 *   lock-free          feasible, and no lock is held
 *   viable             feasible in the loset normalized over the whole trace, and
 *                      every conflicting J released in G has J.acq before I.rel
 *                      there, for each held I
 *   strongly feasible  feasible, and the orders that G forces on the holds have
 *                      no cycle and ask no held one to be released
 *   reachable          there is a run from the empty state through feasible ones
 *
 * lock-free <= viable <= reachable <= strongly feasible <= feasible, as sets, of
 * a loset whose last state is reachable.  That of a trace is.  (Chang, ch. 5-6.)
 *
 * With semaphores a consistent state has no more takes of one than units at first and posts,
 * and a run passes only such states.  That is a condition on all threads together.  Of the rows
 * above, only those from reachable on imply the next then: a lock-free state with enough units
 * may still not be reachable.
 *
 * The release and the wait of a condition wait are two events here.  That no state lies between
 * them is left to the enumeration (cut_filter.h); what is reachable is the same.
 */
#ifndef HD_CUT_LOSET_H
#define HD_CUT_LOSET_H

#include "cut_covers.h"

enum hd_cut_class {
    HD_CUT_CONSISTENT,
    HD_CUT_FEASIBLE,
    HD_CUT_LOCK_FREE,
    HD_CUT_VIABLE,
    HD_CUT_STRONGLY_FEASIBLE,
    HD_CUT_REACHABLE,
    HD_CUT_CLASSES
};

extern const char *const hd_cut_class_names[HD_CUT_CLASSES];

typedef struct hd_cut_hold {
    uint32_t place, lock;
    uint32_t acquire; /* count */
    uint32_t release; /* count; one more than the thread's length if never released */
    uint32_t writer;  /* the last hold of its lock in its thread, up to itself, that writes */
    uint32_t before;  /* the hold of its lock in its thread before it; HD_ORDER_NONE: none */
    bool reading;
} hd_cut_hold;

typedef struct hd_cut_loset {
    const hd_cut_space *space;
    bool valid; /* the last state is known to be reachable */
    const hd_order_sets *sets;
    uint32_t *held;       /* [start[p] + c]: set of locks held after c events */
    uint32_t *free_below; /* [start[p] + c]: the last count up to c with none held */
    hd_bits conflicts;    /* [a * sets + b]: the sets conflict; empty if there are too many */
    uint32_t set_count;
    uint32_t most_held;   /* locks in the largest set */
    hd_cut_hold *holds;   /* by place, then acquire */
    uint32_t *first_hold; /* [place], and one more */
    uint32_t hold_count;
    uint32_t *released;    /* [start[p] + c]: the hold that ends at event c, or HD_ORDER_NONE */
    uint32_t *chain;       /* holds by lock and place, each list by acquire */
    uint32_t *chain_start; /* [lock * threads + place], and one more */
    uint32_t locks;
    hd_cut_covers covers;
    hd_order_units units; /* of semaphores; none if the space is that of a poset */
} hd_cut_loset;

/* Needs scopes and held sets in the order, too.  `valid`: it comes from a checked
 * trace, so that its last state is reachable. */
void hd_cut_loset_init(hd_cut_loset *loset, const hd_cut_space *space, bool valid);
void hd_cut_loset_release(hd_cut_loset *loset);

static inline uint32_t hd_cut_held(const hd_cut_loset *loset, uint32_t place, uint32_t count) {
    return loset->held[loset->space->start[place] + count];
}

static inline bool hd_cut_conflict(const hd_cut_loset *loset, uint32_t a, uint32_t b) {
    if (!a || !b)
        return false;
    if (loset->conflicts.length)
        return hd_bits_has(&loset->conflicts, (size_t)a * loset->set_count + b);
    return hd_order_sets_conflict(loset->sets, a, b);
}

/* Does the thread's next event take no unit, or is there one for it? */
bool hd_cut_unit_is_left(const hd_cut_loset *loset, const uint32_t *state, uint32_t place);

/* From a feasible state, is the one with the thread's next event too feasible? */
static inline bool hd_cut_step_is_feasible(const hd_cut_loset *loset, const uint32_t *state,
                                           uint32_t place) {
    const uint32_t *clock = hd_cut_low(loset->space, place, state[place] + 1);
    uint32_t held = hd_cut_held(loset, place, state[place] + 1);
    for (uint32_t q = 0; q < loset->space->threads; q++)
        if (clock[q] > state[q] ||
            (q != place && hd_cut_conflict(loset, held, hd_cut_held(loset, q, state[q]))))
            return false;
    return !loset->units.semaphores || hd_cut_unit_is_left(loset, state, place);
}

static inline bool hd_cut_holds_conflict(const hd_cut_hold *a, const hd_cut_hold *b) {
    return a->lock == b->lock && a->place != b->place && !(a->reading && b->reading);
}

/* Of a place: the last hold of the lock acquired at or before `count`, and of
 * those only the writing ones if the other reads; HD_ORDER_NONE if none. */
uint32_t hd_cut_last_hold(const hd_cut_loset *loset, uint32_t lock, uint32_t place, uint32_t count,
                          bool writing_only);

/* The holds that a thread has open after `count` events go to `to`, which has
 * room for as many as a set of locks has; how many. */
uint32_t hd_cut_open_holds(const hd_cut_loset *loset, uint32_t place, uint32_t count, uint32_t *to);

/* Are all effective locks compatible, and is it consistent too? */
bool hd_cut_compatible(const hd_cut_loset *loset, const uint32_t *state);
bool hd_cut_feasible(const hd_cut_loset *loset, const uint32_t *state);

/* For assertions: the same, but true without a look where the space is large. */
static inline bool hd_cut_seems_feasible(const hd_cut_loset *loset, const uint32_t *state) {
    enum { MOST_POSITIONS = 128 };
    return loset->space->start[loset->space->threads] > MOST_POSITIONS ||
           hd_cut_feasible(loset, state);
}

/* The greatest lock-free state at or below a consistent one: always one, as the
 * empty state is.  What is reachable above it is so from it (Chang, Theorem 13). */
void hd_cut_lock_free_below(const hd_cut_loset *loset, const uint32_t *state, uint32_t *below);

#endif
