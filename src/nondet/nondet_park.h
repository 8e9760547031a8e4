/*
 * Schedules that show many witnesses of a read at once.  Private to nondet.
 *
 * The thread of the read is parked at it and all others run on in the order of
 * the trace (order_park.h).  If the read is inside a hold, others that want that
 * lock later would be kept out; so the thread is also tried parked before its
 * hold, with the part from there to the read, the *tail*, run at the very end.
 * For that the others stop before they overwrite what the tail reads.  The
 * writer is parked in the same two ways where it has to be absent or next.
 *
 * The result is a set in the order of the trace and after it the tails.  The
 * schedule itself is not made.
 */
#ifndef HD_NONDET_PARK_H
#define HD_NONDET_PARK_H

#include "order/order.h"

typedef struct hd_nondet_park {
    const hd_order_space *space;
    hd_order_park park;
    uint32_t *set;  /* [thread]: events in the schedule, tails included */
    uint32_t *body; /* [thread]: events in it that are in the order of the trace */
    bool writer_next;
} hd_nondet_park;

/* How a thread is parked at an event. */
enum hd_nondet_stop {
    HD_NONDET_AT,     /* there: it is next */
    HD_NONDET_TAIL,   /* before its holds, and the rest at the end: it is next too */
    HD_NONDET_OUTSIDE /* before its holds: it is absent */
};

void hd_nondet_park_init(hd_nondet_park *park, const hd_order_space *space);
void hd_nondet_park_release(hd_nondet_park *park);

/* Does an event have holds around it that HD_NONDET_TAIL could leave? */
bool hd_nondet_park_has_holds(const hd_nondet_park *park, uint32_t event);

/* The greatest schedule with the read next, and the writer as it says (0: not
 * parked).  False if this way leads to none. */
bool hd_nondet_park_try(hd_nondet_park *park, uint32_t read, enum hd_nondet_stop read_stop,
                        uint32_t writer, enum hd_nondet_stop writer_stop);

#endif
