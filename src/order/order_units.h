/*
 * Semaphores: units that are posted and taken.
 *
 * A prefix of a reordering has no more takes of a semaphore than there were units at first
 * and posts in it; which post a take got is not part of a reordering.  The units at first are
 * those that the trace shows: as many as it has takes, at some point, beyond the posts before
 * that point.  There may have been more that were never taken.
 *
 * This is what counting needs: the posts and takes of each semaphore, in trace order and by
 * thread.  Linear to build; a trace without semaphores pays nothing.
 */
#ifndef HD_ORDER_UNITS_H
#define HD_ORDER_UNITS_H

#include "order_groups.h"

typedef struct hd_order_units {
    const hd_trace_index *index;
    uint32_t semaphores;   /* 0: there are no posts and takes */
    uint32_t *initial;     /* [semaphore]: units at first */
    hd_trace_lists events; /* of a semaphore: posts and takes, in trace order */
    uint32_t *before;      /* [place in events.items]: units there just before it in the trace */
    hd_order_groups posts, takes, both;
    int32_t *net;   /* [place in both.items]: posts less takes of its thread, up to it */
    int32_t *peaks; /* [level * items + place]: the greatest of 2^level nets from it on */
} hd_order_units;

void hd_order_units_build(hd_order_units *units, const hd_trace_index *index);
void hd_order_units_release(hd_order_units *units);

/* How many units there are in the trace just before event `number`. */
uint32_t hd_order_units_at(const hd_order_units *units, uint32_t semaphore, uint32_t number);

/* How many posts, or takes, of a group are among the first `position` events of its thread. */
uint32_t hd_order_units_within(const hd_order_units *units, const hd_order_groups *groups,
                               uint32_t of, uint32_t position);

/* Of a group of both kinds: the most that posts are ahead of takes after a number of events of
 * its thread from `from` to `to`. */
int64_t hd_order_units_most(const hd_order_units *units, uint32_t of, uint32_t from, uint32_t to);

/* Units left after so many events of each thread, in whatever order; below 0: no such run exists.
 */
int64_t hd_order_units_left(const hd_order_units *units, uint32_t semaphore, const uint32_t *set);

#endif
