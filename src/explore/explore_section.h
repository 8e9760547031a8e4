/*
 * Sections (P. Metzler, H. Saissi, P. Bokor, N. Suri: Eager partial order
 * reduction): operations of each thread from a state on that are the same,
 * with the same accesses, in whatever order the threads take them.  Their
 * dependencies are checked once, when the section is made; all their orders
 * follow from that.
 *
 *   paper                                   here
 *   section(u)                              hd_explore_section
 *   (A) the same events in every order      a thread's part ends after a branching
 *                                           operation, before one that may fail, that
 *                                           is not enabled or goes in several ways; one
 *                                           that can be disabled is in only if no other
 *                                           thread's part touches what it needs
 *   (B) the same dependencies in every      what decides an operation's accesses is
 *       order (no hiding dependency)        written by no other thread's part
 *   section-rep(u)                          the walk below: one order of each trace
 *   trace constraint systems                none: no list of orientations is made, so
 *                                           none is ever unsatisfiable
 *
 * The walk goes depth first in thread order with sleep sets, so the order that it
 * takes for each trace is the lexicographically least one.  A step is taken only
 * if every operation that goes on sleeping can still be woken by what remains: no
 * dead ends.  Of a program, threads that are created or joined in the section are in it too: some
 * operations then come before others in every order.  Sets of operations are one word each; a
 * section has at most 64.
 */
#ifndef HD_EXPLORE_SECTION_H
#define HD_EXPLORE_SECTION_H

#include "explore_learnt.h"
#include "explore_without.h"

enum { HD_EXPLORE_SECTION_MOST = 64 };

typedef struct hd_explore_section {
    uint32_t number; /* of this one, from 1 on: marks its events */
    uint32_t count;  /* operations, thread by thread, each thread's in order */
    bool whole;      /* every thread that runs ends after its part */
    uint64_t first;  /* the first operation of each thread */
    uint32_t threads[HD_EXPLORE_SECTION_MOST];
    uint64_t own[HD_EXPLORE_SECTION_MOST];       /* operations of the same thread */
    uint64_t dependent[HD_EXPLORE_SECTION_MOST]; /* of other threads, that depend on it */
    uint64_t needs[HD_EXPLORE_SECTION_MOST]; /* of other threads, that have to come before it: one
                                                creates its thread, or is the last of a thread that
                                                it joins */
    uint64_t needy;                          /* those that need some */
    uint64_t ends;                           /* those that end the program, after all others */
    uint32_t interned[HD_EXPLORE_SECTION_MOST]; /* a search's own numbers for them */
    uint32_t learnt[HD_EXPLORE_SECTION_MOST];   /* where they are from; of a machine that knows
                                                   nothing ahead, they are assumed to be these */
    bool assumed;
    const hd_machine_ahead *ahead[HD_EXPLORE_SECTION_MOST]; /* until the machine moves */
} hd_explore_section;

/* Where in a section a walk is. */
typedef struct hd_explore_walk_state {
    uint64_t remaining; /* operations not taken yet */
    uint64_t front;     /* of them the first one of each thread */
    uint64_t asleep;    /* of the front */
    uint64_t todo;      /* of the front: not tried from here yet */
} hd_explore_walk_state;

/* Makes the section that starts at the end of the path; `briefly`: a short one, with
 * at most one dependent operation a thread.  False if it would be empty. */
bool hd_explore_section_make(hd_explore_section *section, hd_explore_path *path, bool briefly);

/* Counts it, and tells of it if it was learnt. */
void hd_explore_section_begun(struct hd_explore_search *search, const hd_explore_section *section);

/* Of some operations those that need nothing that remains. */
static inline uint64_t hd_explore_walk_ready(const hd_explore_section *section, uint64_t operations,
                                             uint64_t remaining) {
    for (uint64_t rest = operations & section->needy; rest; rest &= rest - 1)
        if (section->needs[__builtin_ctzll(rest)] & remaining)
            operations &= ~(rest & (0 - rest));
    return operations;
}

static inline hd_explore_walk_state hd_explore_walk_start(const hd_explore_section *section) {
    uint64_t all = section->count == 64 ? UINT64_MAX : (UINT64_C(1) << section->count) - 1;
    return (hd_explore_walk_state){all, section->first, 0,
                                   hd_explore_walk_ready(section, section->first, all)};
}

/* The state after an operation. */
static inline hd_explore_walk_state hd_explore_walk_take(const hd_explore_section *section,
                                                         const hd_explore_walk_state *state,
                                                         uint32_t operation) {
    uint64_t bit = UINT64_C(1) << operation;
    assert(state->front & bit && !(state->asleep & bit));
    hd_explore_walk_state next = {.remaining = state->remaining & ~bit,
                                  .front = state->front & ~bit,
                                  .asleep = state->asleep & ~section->dependent[operation]};
    next.front |= (bit << 1) & section->own[operation];
    next.todo = hd_explore_walk_ready(section, next.front & ~next.asleep, next.remaining);
    assert(!(next.asleep & ~next.front) && !(next.front & ~next.remaining));
    assert(!next.front == !next.remaining);
    return next;
}

/* Of what remains, that which can be taken without what sleeps. */
static inline uint64_t hd_explore_walk_awake(const hd_explore_section *section, uint64_t asleep,
                                             uint64_t remaining) {
    uint64_t awake = remaining, before;
    for (uint64_t rest = asleep; rest; rest &= rest - 1)
        awake &= ~section->own[__builtin_ctzll(rest)];
    do {
        before = awake;
        for (uint64_t rest = awake & section->needy; rest; rest &= rest - 1) {
            uint64_t bit = rest & (0 - rest);
            uint32_t k = (uint32_t)__builtin_ctzll(rest);
            if (section->needs[k] & remaining & ~awake)
                awake &= ~(section->own[k] & (0 - bit)); /* nor what comes after it */
        }
    } while (awake != before);
    return awake;
}

/* Can all that sleeps be woken by what remains? */
static inline bool hd_explore_walk_alive_needy(const hd_explore_section *section,
                                               const hd_explore_walk_state *state) {
    uint64_t asleep = state->asleep, before;
    do {
        uint64_t awake = hd_explore_walk_awake(section, asleep, state->remaining);
        before = asleep;
        for (uint64_t rest = asleep; rest; rest &= rest - 1)
            if (section->dependent[__builtin_ctzll(rest)] & awake)
                asleep &= ~(rest & (0 - rest));
    } while (asleep && asleep != before);
    return !asleep;
}

static inline bool hd_explore_walk_alive(const hd_explore_section *section,
                                         const hd_explore_walk_state *state) {
    if (section->needy)
        return hd_explore_walk_alive_needy(section, state);
    uint64_t asleep = state->asleep, awake = state->remaining, before;
    for (uint64_t rest = asleep; rest; rest &= rest - 1)
        awake &= ~section->own[__builtin_ctzll(rest)];
    do {
        before = asleep;
        for (uint64_t rest = asleep; rest; rest &= rest - 1) {
            uint32_t sleeper = (uint32_t)__builtin_ctzll(rest);
            if (!(section->dependent[sleeper] & awake))
                continue;
            asleep &= ~(UINT64_C(1) << sleeper);
            awake |= section->own[sleeper] & state->remaining;
        }
    } while (asleep && asleep != before);
    return !asleep;
}

/* The next operation to be taken from a state, and the state after it; false if
 * none exists.  It sleeps from then on; a caller that wants it otherwise keeps a copy. */
static inline bool hd_explore_walk_next(const hd_explore_section *section,
                                        hd_explore_walk_state *state, uint32_t *operation,
                                        hd_explore_walk_state *after) {
    while (state->todo) {
        *operation = (uint32_t)__builtin_ctzll(state->todo);
        state->todo &= state->todo - 1;
        *after = hd_explore_walk_take(section, state, *operation);
        if (after->asleep && !hd_explore_walk_alive(section, after))
            continue;
        if (HD_EXPLORE_CURE(6))
            state->asleep |= UINT64_C(1) << *operation;
        if (!(section->dependent[*operation] & after->remaining))
            state->todo = 0; /* nothing could wake it after another */
        return true;
    }
    return false;
}

/* How many operations are still to be taken from a state. */
static inline uint32_t hd_explore_walk_left(const hd_explore_section *section,
                                            hd_explore_walk_state state) {
    hd_explore_walk_state after;
    uint32_t operation, left = 0;
    while (hd_explore_walk_next(section, &state, &operation, &after))
        left++;
    return left;
}

/* ---- Sections that are assumed (explore_learnt.h) ---- */

/* Is what the walk takes from the state at the end of the path as it was assumed? */
static inline bool hd_explore_section_goes_on(const hd_explore_section *section,
                                              hd_explore_walk_state state,
                                              const hd_explore_path *path) {
    hd_explore_walk_state after;
    uint32_t operation = 0;
    bool same = true;
    while (section->assumed && same && hd_explore_walk_next(section, &state, &operation, &after))
        same =
            hd_explore_learnt_holds(path, section->threads[operation], section->learnt[operation]);
    return same;
}

/* Did the last event of the path, an operation of the section, end as it should? */
static inline bool hd_explore_section_went_on(const hd_explore_section *section, uint32_t operation,
                                              const hd_explore_path *path,
                                              enum hd_machine_result result) {
    bool ends = hd_explore_taken(path, (uint32_t)path->events.length - 1)->ends &&
                !(section->ends >> operation & 1);
    if (!section->assumed || (result == HD_MACHINE_WENT_ON && !ends))
        return true;
    hd_explore_learnt_mark(path, section->learnt[operation], HD_EXPLORE_UNWANTED);
    return false;
}

#endif
