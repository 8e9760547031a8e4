/*
 * Steps of a loset that is no run (trace_loset.h): events that a state has all or none of, and
 * events that every state has.  For each count of a thread there is a row: the least count that
 * each thread must have then.  A vector is a state iff it is at or above the rows of its counts.
 * A check takes the square of the threads; memory: 4 * threads bytes an event.
 */
#ifndef HD_CUT_TOGETHER_H
#define HD_CUT_TOGETHER_H

#include "cut_space.h"

typedef struct hd_cut_together {
    uint32_t *rows; /* [(start[p] + c) * threads]; NULL: there are no such steps */
} hd_cut_together;

/* The space must be of the same order of threads as the states that are asked. */
void hd_cut_together_init(hd_cut_together *together, const hd_cut_space *space);
void hd_cut_together_release(hd_cut_together *together);

/* Are all steps whole there? */
static inline bool hd_cut_together_whole(const hd_cut_together *together, const hd_cut_space *space,
                                         const uint32_t *state) {
    for (uint32_t p = 0; p < space->threads; p++) {
        const uint32_t *row = together->rows + (space->start[p] + state[p]) * space->threads;
        for (uint32_t q = 0; q < space->threads; q++)
            if (row[q] > state[q])
                return false;
    }
    return true;
}

#endif
