/*
 * Sparse lists of events: for a few events of a trace, other events each.  The
 * edges into an event, or out of it, are kept so.  Memory is proportional to
 * the edges, however long the trace.
 *
 * Events that have the same list (the departures of a barrier round, which all
 * wait for the same arrivals) share one copy, so a round of k threads takes
 * room for 2k numbers, not k * k.
 *
 * A lookup takes constant time where the keys are spread evenly over the trace
 * and a bisection among neighbours where they are not.  A caller that goes through the
 * whole trace walks along `keys` instead.
 */
#ifndef HD_ORDER_LISTS_H
#define HD_ORDER_LISTS_H

#include "trace/trace.h"

/* No such thing: of indexes, as 0 is of event numbers. */
#define HD_ORDER_NONE UINT32_MAX

typedef struct hd_order_list {
    const uint32_t *events; /* ascending */
    uint32_t count;
} hd_order_list;

/* List of keys[i]: items[runs[i].start], runs[i].count of them. */
typedef struct hd_order_lists {
    uint32_t *keys; /* the events that have a list, ascending */
    struct hd_order_run {
        uint32_t start, count;
    } * runs;
    uint32_t *items;
    uint32_t *buckets; /* [event >> shift]: index of the first key of that bucket */
    uint32_t count;    /* of keys */
    uint32_t bucket_count;
    unsigned shift;
} hd_order_lists;

/* From pairs (key << 32 | item), in any order, which are taken; and from groups:
 * member (key << 32 | i) has list i of `groups`, which several may have in
 * common.  Members come in ascending order; none is the key of a pair.  Both may
 * be NULL.  Linear time. */
void hd_order_lists_build(hd_order_lists *lists, hd_vec_u64 *pairs, const hd_vec_u64 *members,
                          const hd_trace_lists *groups);
/* The same, but false if the clock was over before: then there are none. */
bool hd_order_lists_build_in_time(hd_order_lists *lists, hd_vec_u64 *pairs,
                                  const hd_vec_u64 *members, const hd_trace_lists *groups);
void hd_order_lists_release(hd_order_lists *lists);

/* For assertions: does each of the two have the edges of the other turned round, and no others? */
bool hd_order_lists_mirror(const hd_order_lists *into, const hd_order_lists *out);

/* Index of the event among the keys, HD_ORDER_NONE if it has no list. */
uint32_t hd_order_lists_find(const hd_order_lists *lists, uint32_t event);

static inline hd_order_list hd_order_lists_at(const hd_order_lists *lists, uint32_t i) {
    assert(i < lists->count);
    return (hd_order_list){lists->items + lists->runs[i].start, lists->runs[i].count};
}

/* The event's list, empty if it has none. */
static inline hd_order_list hd_order_lists_of(const hd_order_lists *lists, uint32_t event) {
    uint32_t i = hd_order_lists_find(lists, event);
    return i == HD_ORDER_NONE ? (hd_order_list){NULL, 0} : hd_order_lists_at(lists, i);
}

#endif
