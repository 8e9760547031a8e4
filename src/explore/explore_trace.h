/*
 * What tells one Mazurkiewicz trace from another.  Two executions, or prefixes
 * of them, are the same trace if they have the same events, each with the same
 * past.  So a trace is told by the sum of a hash for each of its events over
 * thread, choice and vector clock: it does not depend on the order, and one
 * addition follows a step, one subtraction its undoing.
 *
 * The sums have 128 bits.  Among n traces two look the same with a chance of
 * about n^2 / 2^129: below 10^-22 for a hundred million.
 */
#ifndef HD_EXPLORE_TRACE_H
#define HD_EXPLORE_TRACE_H

#include "explore_path.h"

typedef struct hd_explore_trace {
    uint64_t low, high;
} hd_explore_trace;

/* The trace of an event of the path alone; add it to that of the events before. */
hd_explore_trace hd_explore_trace_of(const hd_explore_path *path, uint32_t event);

static inline hd_explore_trace hd_explore_trace_add(hd_explore_trace a, hd_explore_trace b) {
    return (hd_explore_trace){a.low + b.low, a.high + b.high};
}

#endif
