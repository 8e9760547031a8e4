/*
 * A trace with its orders, for analyses to share.  The index and the must-edges
 * are always there, unless the clock was over before they were (`late`); the rest is built when it
 * is needed, once.
 *
 *     hd_order order;
 *     hd_order_init(&order, &trace);
 *     if (!hd_order_need(&order, HD_ORDER_POSET_CLOCKS | HD_ORDER_SCOPES, limit, &error)) ...
 *     if (hd_order_before(&order, HD_ORDER_POSET, a, b)) ...
 *     hd_order_release(&order);
 *
 * Once built, nothing changes, so threads may share it.  It must not be moved.
 */
#ifndef HD_ORDER_VIEW_H
#define HD_ORDER_VIEW_H

#include "order_clock.h"
#include "order_held.h"
#include "order_scope.h"

enum {
    HD_ORDER_OBSERVED = 1, /* what the poset adds to the must-edges */
    HD_ORDER_SCOPES = 2,
    HD_ORDER_HELD = 4,
    HD_ORDER_LOSET_CLOCKS = 8,
    HD_ORDER_LOSET_REVERSE = 16,
    HD_ORDER_POSET_CLOCKS = 32, /* these two need, and build, the observed edges */
    HD_ORDER_POSET_REVERSE = 64
};

typedef struct hd_order {
    const hd_trace *trace;
    hd_trace_index index;
    hd_order_must must;
    bool late;      /* it has no index, and hd_order_need refuses all */
    bool by_orders; /* the poset is happens-before of C11 (order_observed.h) */
    unsigned built; /* which of those below are there, HD_ORDER_... */
    hd_order_observed observed;
    hd_order_scopes scopes;
    hd_order_held held;
    hd_order_clocks clocks[HD_ORDER_MODELS];
    hd_order_clocks reverse[HD_ORDER_MODELS];
} hd_order;

/* The trace must be checked, and must stay.  Who uses the index before hd_order_need looks at
 * `late` first; it is so only of a long trace, and without an index no thread is there. */
void hd_order_init(hd_order *order, const hd_trace *trace);
void hd_order_release(hd_order *order);

/* The poset's atomic accesses order threads only as far as their memory orders say.  What was built
 * of the poset before is built anew when it is needed again. */
void hd_order_count_orders(hd_order *order);

/* Builds what is not there yet.  False, with an error, if all clocks together
 * would take more than `limit` bytes, or if the time is up; what was built before stays good. */
bool hd_order_need(hd_order *order, unsigned what, size_t limit, hd_error *error);

static inline uint32_t hd_order_length(const hd_order *order) {
    return hd_trace_length(order->trace);
}

static inline uint32_t hd_order_threads(const hd_order *order) {
    return order->index.threads.count;
}

static inline uint32_t hd_order_thread_length(const hd_order *order, uint32_t thread) {
    return hd_trace_list_length(&order->index.threads, thread);
}

static inline uint32_t hd_order_thread_of(const hd_order *order, uint32_t event) {
    return hd_trace_event(order->trace, event)->thread;
}

/* Neighbours in the event's thread, 0 if none exists. */
uint32_t hd_order_next(const hd_order *order, uint32_t event);
uint32_t hd_order_previous(const hd_order *order, uint32_t event);

/* Is a strictly before b in the model?  Needs its clocks; constant time. */
static inline bool hd_order_before(const hd_order *order, enum hd_order_model model, uint32_t a,
                                   uint32_t b) {
    assert(order->clocks[model].index); /* it was asked for (hd_order_need) */
    return hd_order_clocks_before(&order->clocks[model], a, b);
}

static inline bool hd_order_concurrent(const hd_order *order, enum hd_order_model model, uint32_t a,
                                       uint32_t b) {
    return a != b && !hd_order_before(order, model, a, b) && !hd_order_before(order, model, b, a);
}

#endif
