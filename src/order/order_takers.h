/*
 * Which waits a notification ends: known when their wakes have come, which is later.
 *
 *     hd_order_takers *takers = hd_order_takers_create();
 *     for each event, in order: hd_order_takers_see(takers, event);
 *     ... and for a notification that was seen, in their order:
 *     if (hd_order_takers_known(takers, condition, number))
 *         hd_order_takers_tell(takers, condition, number, &threads);
 *     hd_order_takers_free(takers);
 *
 * A wake takes the earliest notifyall, or notify that no earlier wake took, after its wait.  So a
 * notify is known when a wake took it, or no thread waits that has waited since before it; a
 * notifyall when no such thread waits.  A reader that holds events back until then gives the clock
 * machine the edges wait -> notify (hd_order_machine_tell), and need not guess.
 *
 * Events are numbered from 1 as they are seen.
 */
#ifndef HD_ORDER_TAKERS_H
#define HD_ORDER_TAKERS_H

#include "trace/trace.h"

typedef struct hd_order_takers hd_order_takers;

hd_order_takers *hd_order_takers_create(void);
void hd_order_takers_free(hd_order_takers *takers);

/* The next event, which must be checked (trace_check.h). */
void hd_order_takers_see(hd_order_takers *takers, const heddle_event *event);

/* No more events come: the waits that are open have no wakes. */
void hd_order_takers_end(hd_order_takers *takers);

/* Can no wake that is still to come take the notification? */
bool hd_order_takers_known(const hd_order_takers *takers, uint32_t condition, uint32_t number);

/* The threads whose wakes took it; each notification is told once.  If that is not known yet, also
 * the threads whose wakes may take it: then clocks have edges too many, so that what they allow is
 * possible, but not all that is possible is allowed. */
void hd_order_takers_tell(hd_order_takers *takers, uint32_t condition, uint32_t number,
                          hd_vec_u32 *threads);

/* Notifications that were told before they were known. */
uint32_t hd_order_takers_early(const hd_order_takers *takers);

#endif
