/*
 * Must-edges: what no reordering of the trace can turn round, program order
 * apart, which every user of this has from the index.
 *
 *   fork                        -> first event of the child
 *   last event of the child     -> every join of it
 *   wait -> notify or notifyall -> the wake that took it
 *   send                        -> the recv that took it
 *   every bin of a round        -> every bout of it
 *   of a loset that is no run   what its file says (trace_loset.h)
 *
 * A post and a take of a semaphore have none: a take needs some post, and which is open
 * (order_units.h).  A child without events has no edges, nor has a wake that timed out (though
 * its wait was before it in its thread), a recv of an initial unit, or a round
 * that no thread left.  An edge within one thread is left out, as program order
 * has it; only the lists of barrier rounds hold the thread's own event too.
 *
 * All edges go forward in the trace.  Memory: at most 40 bytes an edge, both ways.
 */
#ifndef HD_ORDER_MUST_H
#define HD_ORDER_MUST_H

#include "order_lists.h"

typedef struct hd_order_must {
    const hd_trace_index *index;
    hd_order_lists into; /* events that must come before the key */
    hd_order_lists out;  /* events that must come after the key */
} hd_order_must;

/* Linear in the events of the trace; the index must stay. */
void hd_order_must_build(hd_order_must *must, const hd_trace_index *index);
/* The same, but false if the clock was over before; then it is as after a release. */
bool hd_order_must_build_in_time(hd_order_must *must, const hd_trace_index *index);
void hd_order_must_release(hd_order_must *must);

/* The wait that a wake ended: the event before it in its thread. */
uint32_t hd_order_wait_of(const hd_trace_index *index, uint32_t wake);

/* Is this the release of a condition wait?  It is one step with the wait, which
 * is the next event of its thread: no global state lies between the two, and a
 * schedule has them side by side. */
bool hd_order_releases_to_wait(const hd_trace_index *index, uint32_t event);

#endif
