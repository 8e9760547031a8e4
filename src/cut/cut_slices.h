/*
 * The states of a trace in slices that have no state in common, and all of them together.  Each is
 * counted by itself, by a diagram if that is worth it, else one block after the other; so a count
 * can be left between two slices, and slices can be counted anywhere.
 *
 *   consistent states              a slice is an interval: the counts of the first threads are
 * fixed with waits on conditions, and  a slice is a range of counts of the first thread, over rows
 * of feasible, lock-free, viable    pairs (cut_pairs.h)
 *
 * Whether a state is strongly feasible or reachable is known from those before it, so these classes
 * have no slices.
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
    hd_cut_rules rules;
    hd_cut_covers covers;
    hd_vec_u32 intervals; /* `least`, then `most`, of each */
    bool paired;          /* ranges of counts of the first thread instead */
    hd_cut_loset loset;
    hd_cut_pairs pairs;
    size_t count;
    bool late; /* no time was left to slice them */
} hd_cut_slices;

/* False, with an error, if the states cannot be sliced. */
bool hd_cut_slices_init(hd_cut_slices *slices, hd_order *order, const hd_cut_request *request,
                        hd_error *error);
void hd_cut_slices_release(hd_cut_slices *slices);

/* Adds the states of one slice; other than 0: why it was not counted, and nothing was added.
 * *symbolic: a diagram did it.  Several threads may count slices at a time. */
int hd_cut_slices_count(const hd_cut_slices *slices, size_t slice, hd_cut_count *states,
                        bool *symbolic);

#endif
