/*
 * Events that can be next together (F2 of race_predict.h).
 */
#ifndef HD_RACE_BESIDE_H
#define HD_RACE_BESIDE_H

#include "order/order.h"

/* How many events of the thread every reordering has after which the event is next. */
uint32_t hd_race_needed(const hd_order_space *space, uint32_t event, uint32_t thread);

/* Of a thread's events, ascending: those that F2 leaves beside the event, from
 * events[*from] to before events[*end]. */
void hd_race_beside(const hd_order_space *space, uint32_t event, const uint32_t *events,
                    uint32_t count, uint32_t *from, uint32_t *end);

/* F2: neither of the two is in every reordering after which the other is next. */
bool hd_race_both_next(const hd_order_space *space, uint32_t a, uint32_t b);

#endif
