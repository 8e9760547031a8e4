/*
 * Races by prediction: candidate pairs, each decided by the reordering solver.
 * Private to race.
 *
 * A pair is no candidate if, by what stays the same in all reorderings,
 *
 *   F1  it does not conflict, or is of one thread;
 *   F2  one of the two is in every reordering after which the other is next;
 *   F3  the locks held at the two cannot be held at once.
 *
 * None of these drops a race.  What F2 leaves of one thread beside an access of
 * another is a run of its events, found by bisection, as clocks only rise; F1 and
 * F3 are looked at once for all accesses of a thread, place and set of locks.  So
 * only candidates cost anything.
 *
 * Where one proof is enough for a pair of places, neighbours in the trace are asked about
 * first, and first in the trace's own order (order_solve.h, S4), which takes a few
 * microseconds and settles nearly all places that race.
 */
#ifndef HD_RACE_PREDICT_H
#define HD_RACE_PREDICT_H

#include "race_beside.h"
#include "race_finding.h"

void hd_race_predict(const hd_order_space *space, const hd_race_options *options,
                     hd_race_result *result, hd_race_push *push);

#endif
