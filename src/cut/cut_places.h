/*
 * Orders of threads that make counting cheap; the number of states does not
 * depend on the order.
 */
#ifndef HD_CUT_PLACES_H
#define HD_CUT_PLACES_H

#include "cut_space.h"

/* For a diagram.  A level has the more nodes, the more edges go from the threads
 * before it to those after: so the next thread is always the one that has the
 * most edges to those before it, less those to the others.  On random posets of
 * 16 threads that leaves a third of the edges of the diagram.  `places` has all
 * threads with events, and gets them in the better order. */
void hd_cut_places_for_diagram(const hd_order *order, enum hd_order_model model, uint32_t *places,
                               uint32_t count);

/* For a sweep: its slabs are smallest without the two longest threads, of which
 * one is in the words. */
void hd_cut_places_for_sweep(const hd_order *order, uint32_t *places, uint32_t count);

#endif
