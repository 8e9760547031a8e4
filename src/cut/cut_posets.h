/*
 * The valid posets of a loset (Chang, Definition 5): the orders of its events that contain its own
 * and order every two conflicting holds one way or the other, I.rel before J.acq or J.rel before
 * I.acq.  Those are the smallest such orders, one for each way to decide all pairs without a
 * cycle; two ways make different posets.
 *
 * A search over the pairs, with those first that only one way is left for.  For holds A and B it
 * keeps whether A.acq comes before B.rel; I.rel may be put before J.acq unless J.acq comes before
 * I.rel.  Time: the posets, and what is tried in vain between them, times the pairs.  Memory: a bit
 * for each two holds, and what was set on the way.
 */
#ifndef HD_CUT_POSETS_H
#define HD_CUT_POSETS_H

#include "cut_count.h"
#include "order/order.h"

/* The holds of a pair, by their acquires: `first` is released before `second` is acquired. */
typedef struct hd_cut_ordered {
    uint32_t first, second; /* events */
} hd_cut_ordered;

/* A poset; other than 0 stops. */
typedef int hd_cut_take_poset(void *context, const hd_cut_ordered *pairs, size_t count);

typedef struct hd_cut_posets {
    hd_cut_take_poset *take; /* NULL: they are only counted */
    void *context;
    const volatile int *stop; /* other than 0: it ends early; NULL: never */
    size_t memory;

    hd_cut_count count; /* found so far */
    uint64_t pairs;     /* of holds that conflict */
    bool complete;
} hd_cut_posets;

/* False, with an error, if clocks or the holds do not fit into the memory. */
bool hd_cut_posets_find(hd_order *order, hd_cut_posets *posets, hd_error *error);

#endif
