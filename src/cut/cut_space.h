/*
 * The space of global states: the threads of a trace in lexical order, how many
 * events each has, and what a count of one thread asks of the others.
 *
 * A state is a vector, one count a thread, state[0] the highest priority.
 * Places 0..threads-1 are the threads that have an event, by their first event
 * unless another order is asked for.  With thread p at count c,
 *
 *   low(p, c)[q]    is the least count of thread q (the clock of event c of p)
 *   high(p, c)[q]   is the greatest (the reverse clock of its event c + 1)
 *
 * and a vector is consistent iff low(p, s[p])[q] <= s[q] for all p and q; which
 * is iff low(p, s[p])[q] <= s[q] <= high(p, s[p])[q] for all p < q.  Rows are
 * padded to HD_CUT_LANES, and a row's own component bounds nothing, so that
 * whole rows can go through vector instructions.
 *
 * Counts that follow each other and have the same rows are a stretch.  Memory:
 * 12 bytes an event, and 4 * threads bytes for each event with an edge into it
 * or out of it.
 */
#ifndef HD_CUT_SPACE_H
#define HD_CUT_SPACE_H

#include "order/order.h"

enum { HD_CUT_LANES = 8 };

/* No count is larger, so that signed comparisons will do. */
#define HD_CUT_MAX_COUNT (INT32_MAX - 1)

typedef struct hd_cut_space {
    const hd_order *order;
    enum hd_order_model model;
    uint32_t threads;  /* places */
    uint32_t stride;   /* length of a row */
    uint32_t *thread;  /* [place]: the trace's thread */
    uint32_t *length;  /* [place]: its events; padded with zeros like a row */
    size_t *start;     /* [place]: index of its count 0 in the next three */
    uint32_t *low_of;  /* row of lows */
    uint32_t *high_of; /* row of highs */
    uint32_t *stretch; /* the last count with the same rows */
    uint32_t *lows, *highs;
} hd_cut_space;

/* Needs both clocks of the model in `order`, which must stay.  `places` names
 * all threads that have events in the wanted order; NULL: by first event. */
void hd_cut_space_init(hd_cut_space *space, const hd_order *order, enum hd_order_model model,
                       const uint32_t *places);

/* The same; false, and there is nothing to release, if the clock was over before all was copied. */
bool hd_cut_space_init_in_time(hd_cut_space *space, const hd_order *order,
                               enum hd_order_model model, const uint32_t *places, hd_error *error);
void hd_cut_space_release(hd_cut_space *space);

/* The threads that have events, by their first one, into `to`; how many. */
uint32_t hd_cut_space_threads(const hd_order *order, uint32_t *to);

static inline const uint32_t *hd_cut_low(const hd_cut_space *space, uint32_t place,
                                         uint32_t count) {
    assert(place < space->threads && count <= space->length[place]);
    return space->lows + (size_t)space->low_of[space->start[place] + count] * space->stride;
}

static inline const uint32_t *hd_cut_high(const hd_cut_space *space, uint32_t place,
                                          uint32_t count) {
    assert(place < space->threads && count <= space->length[place]);
    return space->highs + (size_t)space->high_of[space->start[place] + count] * space->stride;
}

/* Is the state with one event more of the thread consistent, if the state is? */
static inline bool hd_cut_enabled(const hd_cut_space *space, const uint32_t *state,
                                  uint32_t place) {
    const uint32_t *clock = hd_cut_low(space, place, state[place] + 1);
    for (uint32_t q = 0; q < space->threads; q++)
        if (clock[q] > state[q])
            return false;
    return true;
}

/* The trace's number of a thread's event at a count from 1 on. */
static inline uint32_t hd_cut_event(const hd_cut_space *space, uint32_t place, uint32_t count) {
    return hd_trace_event_at(&space->order->index, space->thread[place], count);
}

/* Is the vector consistent?  By the definition. */
bool hd_cut_consistent(const hd_cut_space *space, const uint32_t *state);

/* For assertions: the same, but true without a look where the space is large. */
static inline bool hd_cut_seems_consistent(const hd_cut_space *space, const uint32_t *state) {
    enum { MOST_POSITIONS = 128 };
    return space->start[space->threads] > MOST_POSITIONS || hd_cut_consistent(space, state);
}

/* About how many states there are: the mean over random descents of the product
 * of the ranges on the way (Knuth).  Deterministic, unless the clock is over before it is done. */
double hd_cut_space_guess(const hd_cut_space *space, const uint32_t *least, const uint32_t *most);

#endif
