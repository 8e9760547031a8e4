/*
 * Holds, which Sinha et al. call locked scopes and Chang intervals: from the
 * acquire of a lock by a thread to its release.
 *
 * A hold is held after its acquire and no longer after its release; one that is
 * never released lasts to the end.  Re-entrant acquires and releases are inside
 * a hold and make none.  Holds are numbered from 0 in the order of their
 * acquires in the trace.
 *
 * Building is linear in the events; memory 28 bytes a hold.
 */
#ifndef HD_ORDER_SCOPE_H
#define HD_ORDER_SCOPE_H

#include "order_lists.h"

typedef struct hd_order_scope {
    uint32_t lock, thread;
    uint32_t acquire; /* event */
    uint32_t release; /* event, 0: never released */
    bool reading;     /* else writing */
} hd_order_scope;

typedef struct hd_order_scopes {
    hd_order_scope *scopes; /* by acquire */
    uint32_t count;
    hd_trace_lists by_lock; /* numbers of holds, ascending */
    hd_trace_lists by_thread;
} hd_order_scopes;

void hd_order_scopes_build(hd_order_scopes *scopes, const hd_trace_index *index);
void hd_order_scopes_release(hd_order_scopes *scopes);

/* The hold that begins at this acquire, HD_ORDER_NONE if none does (it is
 * re-entrant, or no acquire).  A release's hold is that of its pair in the
 * index.  Bisection. */
uint32_t hd_order_scopes_find(const hd_order_scopes *scopes, uint32_t acquire);

/* Where the hold ends: its release, or past all events. */
static inline uint32_t hd_order_scope_end(const hd_order_scope *scope) {
    return scope->release ? scope->release : UINT32_MAX;
}

/* Is it held after this event of its own thread?  From the acquire on, up to but
 * not including the release. */
static inline bool hd_order_scope_covers(const hd_order_scope *scope, uint32_t event) {
    return scope->acquire <= event && event < hd_order_scope_end(scope);
}

/* One thread's: the inner one lies wholly in the outer one.  Two that are never
 * released are nested too, the later in the earlier. */
static inline bool hd_order_scope_nested(const hd_order_scope *inner, const hd_order_scope *outer) {
    return inner->thread == outer->thread && outer->acquire < inner->acquire &&
           hd_order_scope_end(inner) <= hd_order_scope_end(outer);
}

/* One thread's: both are held at some point, nested or hand over hand. */
static inline bool hd_order_scope_overlaps(const hd_order_scope *a, const hd_order_scope *b) {
    return a->thread == b->thread && a->acquire < hd_order_scope_end(b) &&
           b->acquire < hd_order_scope_end(a);
}

/* Two threads cannot have both at once. */
static inline bool hd_order_scope_conflicts(const hd_order_scope *a, const hd_order_scope *b) {
    return a->lock == b->lock && a->thread != b->thread && !(a->reading && b->reading);
}

#endif
