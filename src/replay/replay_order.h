/*
 * What must stay in order in a run: its Mazurkiewicz trace, as vector clocks over
 * the threads that take part.
 */
#ifndef HD_REPLAY_ORDER_H
#define HD_REPLAY_ORDER_H

#include "replay.h"

typedef struct hd_replay_order {
    uint32_t width;     /* threads that take part, numbered anew: columns */
    hd_vec_u32 threads; /* [column]: the machine's thread */
    hd_vec_u32 columns; /* [step] */
    hd_vec_u32 clocks;  /* [step * width + column]: how many steps of the column are
                           before the step, or are it */
    hd_vec_u32 first;   /* [column], and one more: where its steps start in `steps` */
    hd_vec_u32 steps;   /* column by column, in their order */
} hd_replay_order;

/* Runs the schedule, which must be possible.  False if its clocks would be too
 * large to keep. */
bool hd_replay_order_init(hd_replay_order *order, hd_machine *machine, const hd_steps *schedule);
void hd_replay_order_release(hd_replay_order *order);

static inline uint32_t hd_replay_order_count(const hd_replay_order *order, uint32_t column) {
    return order->first.data[column + 1] - order->first.data[column];
}

/* The k-th step of a column, from 0 on. */
static inline uint32_t hd_replay_order_step(const hd_replay_order *order, uint32_t column,
                                            uint32_t k) {
    assert(k < hd_replay_order_count(order, column));
    return order->steps.data[order->first.data[column] + k];
}

static inline const uint32_t *hd_replay_order_clock(const hd_replay_order *order, uint32_t step) {
    assert(step < order->columns.length);
    return order->clocks.data + (size_t)step * order->width;
}

/* An order of all steps with few context switches, appended to `sequence` as step
 * numbers.  True: none has fewer.  False: `budget` states were looked at
 * before that was known, and the order is a greedy one. */
bool hd_replay_order_fewest(const hd_replay_order *order, size_t budget, hd_vec_u32 *sequence);

#endif
