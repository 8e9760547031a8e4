/*
 * What the poset model adds to the must-edges: the order that this run happened
 * to have.
 *
 *   release of a writing hold -> every later acquire of the lock
 *   release of a reading hold -> every later writing acquire of the lock
 *   atomic write              -> every atomic read that reads from it
 *   post of a semaphore       -> the take that gets its unit, if the oldest goes first
 *
 * (A read-modify-write is both; an atomic read that saw a plain write has no
 * edge.)  Only edges that the others and program order do not imply are kept:
 * into a reading acquire the last writing release, into a writing acquire the
 * reading releases since the last writing hold or, if none exists, that
 * hold's release; none within a thread.  So there are at most as many edges as
 * lock events and atomic reads.  Re-entrant acquires and releases have none,
 * nor have failed tries.
 *
 * Where memory orders count, the order is happens-before of C11: an atomic write orders a read
 * only if the two synchronise, by their own orders or those of fences.  Then an event has one edge
 * at most from each thread, which may be implied.
 */
#ifndef HD_ORDER_OBSERVED_H
#define HD_ORDER_OBSERVED_H

#include "order_lists.h"
#include "order_must.h"

typedef struct hd_order_observed {
    hd_order_lists into, out;
} hd_order_observed;

/* Linear in the events of the trace.  False if the clock was over before; then it has no edges. */
bool hd_order_observed_build(hd_order_observed *observed, const hd_trace_index *index);
/* The same where memory orders count.  The trace is that of the must-edges. */
bool hd_order_observed_build_by_orders(hd_order_observed *observed, const hd_order_must *must);
void hd_order_observed_release(hd_order_observed *observed);

#endif
