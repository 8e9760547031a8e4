/*
 * Parking: the greatest set of events that runs in the trace's own order when
 * each thread stops at a given place.
 *
 * Going along the trace, a thread stops where it is told to, or at the first event
 * that needs one that was not taken (order_space.h), or at the first acquire of a
 * lock that a stopped thread holds, or at a take that finds no unit.  No thread goes on later. What
 * was taken is a reordering as it stands, so it shows all that is in it at once.
 *
 * The trace is not walked: threads are taken by the number of the event they stop
 * at, and each says once where it stops the others.  That is the square of the
 * threads, and a bisection for each lock held and thread.  Only the posts and takes of
 * semaphores are walked, from the first stop on.
 */
#ifndef HD_ORDER_PARK_H
#define HD_ORDER_PARK_H

#include "order_space.h"

typedef struct hd_order_park {
    const hd_order_space *space;
    uint32_t *stop;  /* [thread]: number of the event it stops at; UINT32_MAX: none */
    bool *settled;   /* [thread] */
    hd_vec_u32 walk; /* posts and takes of all semaphores, in trace order */
    uint32_t *left;  /* [semaphore]: units, if `known` is this walk's number */
    uint32_t *known;
    uint32_t walks;    /* how many there were */
    uint32_t from, at; /* number of the event that it starts at; the next of `walk` to look at */
} hd_order_park;

void hd_order_park_init(hd_order_park *park, const hd_order_space *space);
void hd_order_park_release(hd_order_park *park);

/* `set` is how many events of each thread there may be at most, and then how many
 * there are.  It does not part the release of a condition wait from the wait. */
void hd_order_park_run(hd_order_park *park, uint32_t *set);

/* The hold of the lock that this thread has, or begins, first after `number` and that
 * conflicts with `hold`; HD_ORDER_NONE if none exists.  `group` is the thread's. */
uint32_t hd_order_park_next_hold(const hd_order_space *space, uint32_t group, uint32_t number,
                                 const hd_order_scope *hold);

#endif
