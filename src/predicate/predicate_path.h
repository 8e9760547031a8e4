/*
 * A schedule to a state of a loset that is no run.  The reordering solver begins with the order of
 * the trace, which the locks need not allow here; so this is a search through the feasible states
 * below the one that is wanted, each met once.
 */
#ifndef HD_PREDICATE_PATH_H
#define HD_PREDICATE_PATH_H

#include "predicate_instance.h"

/* Events in their order into `schedule`.  Unknown: the clock ended it, or the states that were met
 * took more than `memory` bytes. */
enum hd_order_answer hd_predicate_path(const hd_predicate_instance *instance,
                                       const hd_cut_loset *loset, const uint32_t *state,
                                       size_t memory, hd_vec_u32 *schedule);

#endif
