/*
 * The consistent states of a poset in slices: intervals that have no state in common, and all of
 * them together.  Each is counted by itself, by a diagram if that is worth it, else one block after
 * the other; so a count can be left between two slices, and slices can be counted anywhere.
 *
 * Which slices there are depends on the trace and the request alone.
 */
#ifndef HD_CUT_SLICES_H
#define HD_CUT_SLICES_H

#include "cut_filter.h"
#include "cut_states.h"

typedef struct hd_cut_slices {
    hd_cut_request request;
    hd_cut_space space;
    hd_cut_covers covers;
    hd_vec_u32 intervals; /* `least`, then `most`, of each */
    size_t count;
} hd_cut_slices;

/* False, with an error, if the states cannot be sliced: those of losets, or of traces with waits on
 * conditions or counted objects. */
bool hd_cut_slices_init(hd_cut_slices *slices, hd_order *order, const hd_cut_request *request,
                        hd_error *error);
void hd_cut_slices_release(hd_cut_slices *slices);

/* Adds the states of one slice; other than 0: why it was not counted, and nothing was added.
 * *symbolic: a diagram did it.  Several threads may count slices at a time. */
int hd_cut_slices_count(const hd_cut_slices *slices, size_t slice, hd_cut_count *states,
                        bool *symbolic);

#endif
