/*
 * Vectors of counts that no enumeration by clocks and locks leaves out, and that are not states:
 *
 *   - no state lies between the release and the wait of one condition wait: they are one step;
 *   - of a loset: no state has more takes of a semaphore than units at first and posts;
 *   - of a loset that is no run: a state has all events of a step or none (cut_together.h).
 *
 * The first is a condition on one thread, so that the diagram over pairs (cut_pairs.h) knows it.
 * The others are ones on all threads together: such states are gone through one by one.
 */
#ifndef HD_CUT_FILTER_H
#define HD_CUT_FILTER_H

#include "cut_pairs.h"
#include "cut_together.h"
#include "cut_visit.h"

typedef struct hd_cut_rules {
    const hd_cut_space *space;
    hd_bits between;      /* [start[p] + c]: between the halves of a step; empty: there are none */
    hd_order_units units; /* none in a poset, where the order says it */
    hd_cut_together together;
} hd_cut_rules;

void hd_cut_rules_init(hd_cut_rules *rules, const hd_cut_space *space);
void hd_cut_rules_release(hd_cut_rules *rules);

static inline bool hd_cut_rules_split(const hd_cut_rules *rules) {
    return rules->between.length != 0;
}

static inline bool hd_cut_rules_count(const hd_cut_rules *rules) {
    return rules->units.semaphores != 0 || rules->together.rows;
}

/* A thread may not have the counts between the halves of a step. */
void hd_cut_rules_leave_out(const hd_cut_rules *rules, hd_cut_pairs *pairs);

/* How many units are left in the state; below 0: it is not a state. */
int64_t hd_cut_units_left(const hd_order_units *units, const hd_cut_space *space,
                          uint32_t semaphore, const uint32_t *state);

/* Are there units for all takes of the state? */
bool hd_cut_units_suffice(const hd_order_units *units, const hd_cut_space *space,
                          const uint32_t *state);

/* Passes states on to another visitor, and drops other vectors. */
typedef struct hd_cut_filter {
    const hd_cut_rules *rules;
    hd_cut_visitor *to;
    uint32_t *state;
} hd_cut_filter;

/* The visitor to enumerate with; the filter must stay where it is. */
hd_cut_visitor hd_cut_filter_init(hd_cut_filter *filter, const hd_cut_rules *rules,
                                  hd_cut_visitor *to);
void hd_cut_filter_release(hd_cut_filter *filter);

#endif
