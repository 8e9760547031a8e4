/*
 * Races and deadlocks by definition, for tests: all states that reorderings reach are
 * visited (support_brute.h), and in each is looked at what is next.
 */
#ifndef SUPPORT_RACE_H
#define SUPPORT_RACE_H

#include "support_brute.h"

/* Pairs first << 32 | second, ascending, each once. */
bool support_races(const hd_trace *trace, size_t most, hd_vec_u64 *pairs); /* false: too many */

/* The same by reorderings only that have these pairs of events, where both are in, in
 * order. */
bool support_races_in_order(const hd_trace *trace, const support_pair *order, size_t count,
                            size_t most, hd_vec_u64 *pairs);

/* Is the pair among these?  Are all of some?  If not, `why` has the first that is not, and
 * the words. */
bool support_has_pair(const hd_vec_u64 *pairs, uint64_t pair);
bool support_pairs_within(const hd_vec_u64 *some, const hd_vec_u64 *all, const char *words,
                          char *why, size_t why_size);

/* Deadlocks that have no smaller one in them, as bit sets of event numbers - 1 (a
 * trace of at most 64 events), ascending, each once. */
bool support_deadlocks(const hd_trace *trace, size_t most, hd_vec_u64 *sets);

#endif
