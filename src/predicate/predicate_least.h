/*
 * Least states, in polynomial time, over consistent states.
 *
 * Conjunctive and linear terms: Garg and Waldecker, "Detection of Weak Unstable
 * Predicates in Distributed Programs" (1994), and Chase and Garg, "Detection of
 * Global Predicates: Techniques and Their Limitations" (1998).  While a condition
 * is false there is a *forbidden* thread: no state with the same count of it is a
 * solution.  It goes on, with what that needs, until nothing is forbidden.  So the
 * state that is found is below all other solutions: it has the fewest events.
 *
 * Races: of two accesses that collide and are concurrent, the least state is the
 * join of their clocks.
 *
 * Slices (Garg, Mittal; Chang, 8.1): for each count of each thread, the least and
 * the greatest solution of the local conditions through it.  As rows of a space
 * they have exactly the solutions as their states, and no dead ends.
 */
#ifndef HD_PREDICATE_LEAST_H
#define HD_PREDICATE_LEAST_H

#include "predicate_form.h"

/* Raises a consistent state to the least solution of a term's local and linear
 * conditions at or above it; false if none exists. */
bool hd_predicate_least(const hd_predicate_form *form, const hd_predicate_term *term,
                        uint32_t *state);

/* The solution with the fewest events, then lexically least, in which two last
 * events collide; false if none exists.  `pairs` is how many pairs were looked at. */
bool hd_predicate_least_race(const hd_predicate_form *form, bool initialisation, uint32_t *state,
                             uint64_t *pairs);

/* Fewer events, or as many and lexically less. */
bool hd_predicate_less(const hd_cut_space *space, const uint32_t *a, const uint32_t *b);

typedef struct hd_predicate_slice {
    uint32_t *low, *high; /* [(start[p] + c) * stride]; NULL: the rows of the space */
    uint32_t *least, *most;
    bool empty;
} hd_predicate_slice;

/* Of the local conditions of a term; `memory` in bytes is for the rows, without which
 * only the interval of all solutions is found. */
void hd_predicate_slice_init(hd_predicate_slice *slice, const hd_predicate_form *form,
                             const hd_predicate_term *term, size_t memory);
void hd_predicate_slice_release(hd_predicate_slice *slice);

#endif
