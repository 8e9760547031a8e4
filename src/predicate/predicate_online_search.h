/*
 * The search of one interval; private to predicate_online_*.c.
 *
 * For each term of the predicate there are bounds on the count of each thread: a state `low` and
 * one `high`, between which all solutions in the interval lie.  They are narrowed by
 *
 *   clocks       a thread needs what its last event has heard of
 *   conditions   a thread goes on to where its conditions hold
 *   totals       a thread must add so much that, with the most that the others can add, the total
 *                is large enough
 *
 * until nothing changes.  Then `low` is a solution if the term is conjunctive (Garg, Waldecker) or
 * linear (Chase, Garg).  A total that several threads can increase is as large as a closure of
 * largest weight: a minimum cut says how large (predicate_online_flow.c).  What is left is searched
 * thread by thread, collection by collection, with bounds narrowed after each; for one total that
 * has no dead ends.
 */
#ifndef HD_PREDICATE_ONLINE_SEARCH_H
#define HD_PREDICATE_ONLINE_SEARCH_H

#include "predicate_online_state.h"

struct hd_predicate_online_search {
    const hd_predicate_online *online;
    struct hd_predicate_interval *interval;
    const struct hd_predicate_online_term *term;
    uint32_t places;  /* all, also those that came later, which are at 0 */
    uint32_t *first;  /* [place], and one more: its first condition in the term */
    uint32_t *bounds; /* [2 * level * places]: low, then high */
    uint32_t *state;
    unsigned worker;
    unsigned ticks;
    bool exact;   /* the totals do not wrap */
    bool stopped; /* it took long, and the time is up */
};

static inline uint32_t *hd_predicate_low(const struct hd_predicate_online_search *s,
                                         uint32_t level) {
    return s->bounds + (size_t)2 * level * s->places;
}

static inline uint32_t *hd_predicate_high(const struct hd_predicate_online_search *s,
                                          uint32_t level) {
    return hd_predicate_low(s, level) + s->places;
}

/* The first count of the collection after that of this one. */
uint32_t hd_predicate_online_next(const hd_predicate_online *online, uint32_t place,
                                  uint32_t count);

/* Do the conditions of the term hold for a thread at a count, and is no step cut in two? */
bool hd_predicate_online_allows(const struct hd_predicate_online_search *s, uint32_t place,
                                uint32_t count);

/* Narrows bounds; false if there is no solution between them.  `low` must be closed under
 * clocks. */
bool hd_predicate_online_narrow(const struct hd_predicate_online_search *s, uint32_t *low,
                                uint32_t *high);

/* Can the total be large enough between the bounds?  True also if that is too much work. */
bool hd_predicate_online_flow(const struct hd_predicate_online_search *s,
                              const struct hd_predicate_total *total, const uint32_t *low,
                              const uint32_t *high);

/* Looks for a race of the interval's event. */
bool hd_predicate_online_search_race(struct hd_predicate_online_search *s);

/* Is the state consistent, and within the interval? */
bool hd_predicate_online_is_state(const struct hd_predicate_online_search *s);

#endif
