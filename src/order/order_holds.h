/*
 * Which locks are held at an event, for a listing: some events, each asked by itself, in any order.
 * Asked in ascending order, all of them take one pass over the trace; one that is before the last
 * begins at a mark a few thousand events before it.  Sets of all events (order_held.h) take less
 * time where most are asked for, but memory for each change.
 */
#ifndef HD_ORDER_HOLDS_H
#define HD_ORDER_HOLDS_H

#include "trace/trace.h"

/* Of a trace, which may be sparse. */
typedef struct hd_order_holds hd_order_holds;

hd_order_holds *hd_order_holds_create(const hd_trace *trace);
void hd_order_holds_free(hd_order_holds *holds);

const hd_trace *hd_order_holds_trace(const hd_order_holds *holds);

/* The locks that the event's thread holds before it, ascending, as hd_order_lock (order_held.h). */
void hd_order_holds_at(hd_order_holds *holds, uint32_t event, hd_vec_u32 *locks);

#endif
