/*
 * The shared object: builds each part once, clocks within one common limit.
 */
#include "order_view.h"

void hd_order_init(hd_order *order, const hd_trace *trace) {
    *order = (hd_order){.trace = trace};
    order->late = !hd_trace_index_build_in_time(&order->index, trace) ||
                  !hd_order_must_build_in_time(&order->must, &order->index);
    if (order->late)
        hd_trace_index_release(&order->index);
}

void hd_order_release(hd_order *order) {
    for (int model = 0; model < HD_ORDER_MODELS; model++) {
        hd_order_clocks_release(&order->clocks[model]);
        hd_order_clocks_release(&order->reverse[model]);
    }
    if (order->built & HD_ORDER_HELD)
        hd_order_held_release(&order->held);
    hd_order_scopes_release(&order->scopes);
    hd_order_observed_release(&order->observed);
    hd_order_must_release(&order->must);
    hd_trace_index_release(&order->index);
    *order = (hd_order){0};
}

void hd_order_count_orders(hd_order *order) {
    if (order->by_orders)
        return;
    hd_order_clocks_release(&order->clocks[HD_ORDER_POSET]);
    hd_order_clocks_release(&order->reverse[HD_ORDER_POSET]);
    hd_order_observed_release(&order->observed);
    order->built &= ~(unsigned)(HD_ORDER_OBSERVED | HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE);
    order->by_orders = true;
}

static size_t clock_bytes(const hd_order *order) {
    size_t bytes = 0;
    for (int model = 0; model < HD_ORDER_MODELS; model++)
        bytes += hd_order_clocks_bytes(&order->clocks[model]) +
                 hd_order_clocks_bytes(&order->reverse[model]);
    return bytes;
}

/* One kind of clocks, if it is missing. */
static bool need_clocks(hd_order *order, enum hd_order_model model, bool reverse, size_t limit,
                        hd_error *error) {
    hd_order_clocks *clocks = reverse ? &order->reverse[model] : &order->clocks[model];
    size_t used = clock_bytes(order);
    return hd_order_clocks_build(clocks, &order->must,
                                 model == HD_ORDER_POSET ? &order->observed : NULL, reverse,
                                 limit > used ? limit - used : 0, error);
}

static const struct {
    unsigned what;
    enum hd_order_model model;
    bool reverse;
} clock_kinds[] = {
    {HD_ORDER_LOSET_CLOCKS, HD_ORDER_LOSET, false},
    {HD_ORDER_LOSET_REVERSE, HD_ORDER_LOSET, true},
    {HD_ORDER_POSET_CLOCKS, HD_ORDER_POSET, false},
    {HD_ORDER_POSET_REVERSE, HD_ORDER_POSET, true},
};

/* Is the time up, and is that worth a look: of a short trace each part takes a moment? */
static bool is_late(const hd_order *order) {
    enum { LONG = 1 << 20 };
    return hd_trace_length(order->trace) >= LONG && hd_clock_look() != HD_CLOCK_GOES;
}

static bool need_observed(hd_order *order) {
    return order->by_orders ? hd_order_observed_build_by_orders(&order->observed, &order->must)
                            : hd_order_observed_build(&order->observed, &order->index);
}

bool hd_order_need(hd_order *order, unsigned what, size_t limit, hd_error *error) {
    if (what & (HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE))
        what |= HD_ORDER_OBSERVED;
    what &= ~order->built;
    if (order->late || (what && is_late(order)))
        return hd_order_late(error);
    if (what & HD_ORDER_OBSERVED && !need_observed(order))
        return hd_order_late(error);
    if (what & HD_ORDER_SCOPES)
        hd_order_scopes_build(&order->scopes, &order->index);
    order->built |= what & (HD_ORDER_OBSERVED | HD_ORDER_SCOPES);
    if (what & HD_ORDER_SCOPES && is_late(order))
        return hd_order_late(error);
    if (what & HD_ORDER_HELD && !hd_order_held_build_in_time(&order->held, &order->index))
        return hd_order_late(error);
    order->built |= what & HD_ORDER_HELD;
    for (size_t i = 0; i < sizeof clock_kinds / sizeof *clock_kinds; i++) {
        if (!(what & clock_kinds[i].what))
            continue;
        if (!need_clocks(order, clock_kinds[i].model, clock_kinds[i].reverse, limit, error))
            return false;
        order->built |= clock_kinds[i].what;
    }
    assert(!(order->built & (HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE)) ||
           order->built & HD_ORDER_OBSERVED);
    return true;
}

uint32_t hd_order_next(const hd_order *order, uint32_t event) {
    uint32_t thread = hd_order_thread_of(order, event), position = order->index.position[event];
    if (position == hd_order_thread_length(order, thread))
        return 0;
    uint32_t next = hd_trace_event_at(&order->index, thread, position + 1);
    assert(next > event && hd_order_thread_of(order, next) == thread);
    return next;
}

uint32_t hd_order_previous(const hd_order *order, uint32_t event) {
    uint32_t position = order->index.position[event];
    if (position == 1)
        return 0;
    uint32_t previous =
        hd_trace_event_at(&order->index, hd_order_thread_of(order, event), position - 1);
    assert(previous < event);
    return previous;
}
