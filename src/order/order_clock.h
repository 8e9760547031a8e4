/*
 * Stored vector clocks of all events of a trace, and their reverse.
 *
 *   clock of e at t     how many events of thread t are e or before e
 *   reverse of e at t   how many events of thread t can be taken without e: the
 *                       largest k such that none of the first k is e or after e
 *
 * (Fidge, Mattern; Chang, 2.2, e.vc[t].  The reverse bounds an enumeration of
 * states: while e is not taken, thread t stays at or below it.)
 * "Before" is the transitive closure of program order and the edges of the
 * model.  Event 0 stands for none: its clock is 0 everywhere, its reverse is
 * the length of each thread.
 *
 * Only an event with an edge into it (for the reverse: out of it) can change
 * anything but its own thread's component, so only those have a row; the events
 * after it in its thread (for the reverse: before it) point to the same row,
 * and their own component is their position.  Hence the accessors: a row's own
 * component is stale.
 *
 * Building takes time linear in the events, and the number of threads for each
 * edge.  Memory: 4 bytes an event, and 4 * threads bytes a row.
 */
#ifndef HD_ORDER_CLOCK_H
#define HD_ORDER_CLOCK_H

#include "order_must.h"
#include "order_observed.h"

enum hd_order_model { HD_ORDER_LOSET, HD_ORDER_POSET, HD_ORDER_MODELS };

typedef struct hd_order_clocks {
    const hd_trace_index *index;
    uint32_t threads; /* length of a row */
    bool reverse;
    uint32_t *row_of; /* [event]: its row */
    uint32_t *rows;
    uint32_t row_count;
} hd_order_clocks;

/* False, with an error: the time was up before all was built. */
bool hd_order_late(hd_error *error);

/* The edges of a model: `observed` is NULL for the loset.  False, with an error,
 * if the clocks would take more than `limit` bytes; then nothing is built. */
bool hd_order_clocks_build(hd_order_clocks *clocks, const hd_order_must *must,
                           const hd_order_observed *observed, bool reverse, size_t limit,
                           hd_error *error);
void hd_order_clocks_release(hd_order_clocks *clocks);
size_t hd_order_clocks_bytes(const hd_order_clocks *clocks);

/* Components of an event's clock; the one of its own thread is stale, at most
 * (for the reverse: at least) the true one. */
static inline const uint32_t *hd_order_clocks_row(const hd_order_clocks *clocks, uint32_t event) {
    return clocks->rows + (size_t)clocks->row_of[event] * clocks->threads;
}

/* Component t of an event's clock, or reverse clock. */
static inline uint32_t hd_order_clocks_at(const hd_order_clocks *clocks, uint32_t event,
                                          uint32_t thread) {
    assert(thread < clocks->threads);
    if (event && hd_trace_event(clocks->index->trace, event)->thread == thread)
        return clocks->index->position[event] - clocks->reverse;
    return hd_order_clocks_row(clocks, event)[thread];
}

/* The whole clock of an event into `to`, which has room for all threads. */
void hd_order_clocks_copy(const hd_order_clocks *clocks, uint32_t event, uint32_t *to);

/* Is event a strictly before event b?  Forward clocks only; constant time. */
static inline bool hd_order_clocks_before(const hd_order_clocks *clocks, uint32_t a, uint32_t b) {
    assert(!clocks->reverse && a);
    uint32_t thread = hd_trace_event(clocks->index->trace, a)->thread;
    bool before = a != b && hd_order_clocks_at(clocks, b, thread) >= clocks->index->position[a];
    assert(!before || a < b); /* every edge goes forward in the trace */
    return before;
}

#endif
