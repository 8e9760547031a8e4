/*
 * Reorderings by brute force: the slow, obvious twin that predictions are
 * measured against.  Every rule is written as doc/witness.md says it, with loops over
 * the whole trace and no index, so that it can be checked by reading.
 *
 * A reordering is a sequence of distinct events such that each thread
 * contributes a prefix of its events, must-edges into a chosen event are chosen
 * before it, at most one thread holds a lock at a time (readers share), the
 * release and the wait of a condition wait are one step, and every kept read
 * reads from the same write as in the trace (a failed try: the same last change
 * of its lock).
 */
#ifndef SUPPORT_BRUTE_H
#define SUPPORT_BRUTE_H

#include "trace/trace.h"

typedef struct support_brute support_brute;

support_brute *support_brute_create(const hd_trace *trace);
void support_brute_free(support_brute *brute);

/* Is there a must-edge from `a` to `b`?  One edge: program order has those from
 * an event to the next of its thread. */
bool support_brute_must(const support_brute *brute, uint32_t a, uint32_t b);

/* The write (or lock change, for tryfail) that a read saw in the trace. */
uint32_t support_brute_saw(const support_brute *brute, uint32_t read);

/* Can `event` come next after `schedule` (a reordering of length `length`)?
 * keep_reads: reads in it must see what they saw. */
bool support_brute_enabled(const support_brute *brute, const uint32_t *schedule, size_t length,
                           uint32_t event, bool keep_reads);

/* Is the schedule a reordering?  On false, *wrong is the index of the first bad
 * event; that is the last one if the schedule ends between the release and the
 * wait of a condition wait. */
bool support_brute_reordering(const support_brute *brute, const uint32_t *schedule, size_t length,
                              bool keep_reads, size_t *wrong);

/* Calls `visit` for every reordering (each prefix once as it is reached, the
 * empty one first), depth first; a non-zero return stops and is returned. */
typedef int support_brute_visit(const uint32_t *schedule, size_t length, void *context);
int support_brute_all(const support_brute *brute, bool keep_reads, support_brute_visit *visit,
                      void *context);

/* The same with one reordering for each state: the same events, the writes of
 * each variable in the same order, the same last change of each lock.  What can
 * follow depends on no more than that, and what follows is visited too.  Of each
 * pair of events also the order is part of the state.  Many fewer than all, so
 * that longer traces can be searched; returns -1 after `most` states. */
typedef struct support_pair {
    uint32_t first, second;
} support_pair;
int support_brute_states(const support_brute *brute, bool keep_reads, const support_pair *pairs,
                         size_t pair_count, size_t most, support_brute_visit *visit, void *context);

#endif
