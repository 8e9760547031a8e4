/*
 * Races that only memory orders decide, in other orders than the trace's.  Private to race.
 *
 * race_happens.c finds the pairs that happens-before leaves unordered in the order of the trace.
 * There a lock, or an atomic operation that the pair does not need, may order what it does not in
 * another reordering.  So for pairs that are still open the solver is asked for a reordering with
 * the first access after which the second is next: it has no more than they need.  If that leaves
 * them unordered, it is the witness.  If not, and locks went from the first thread to the second
 * after the first access, another one is asked for in which they go the other way.  A lock that
 * cannot go the other way orders the two in every reordering.
 *
 * Pairs are open if must-edges and what atomic reads see, which are the same in all reorderings,
 * do not order them.  What is neither shown nor refuted is listed as unproved: two threads that a
 * third one orders by locks, semaphores, and what is beyond the work that the length of the trace
 * allows.
 */
#ifndef HD_RACE_APART_H
#define HD_RACE_APART_H

#include "race_finding.h"

void hd_race_apart(const hd_order_space *space, const hd_race_options *options,
                   hd_race_result *result, hd_race_push *push);

#endif
