/*
 * Work in cells, each of which needs its neighbours: the counts of the first few threads are those
 * of a cell, and a cell is done after all cells with one event less of one thread.
 *
 * Slabs, which are the cells with one count of the first thread, are kept in a ring: a slab is
 * begun only after the one that comes after its predecessor in the ring is done, so that whoever
 * reads a slab finds it whole.
 *
 * Workers take the first cell of those that can be done, in lexical order.  One that a worker has
 * just made possible it takes itself, as what it needs is in its cache.
 */
#ifndef HD_CUT_CELLS_H
#define HD_CUT_CELLS_H

#include "cut_share.h"

/* Other than 0 stops all. */
typedef int hd_cut_take_cell(void *context, unsigned worker, const uint32_t *counts);

/* Of how many threads, `most` at most, the counts should make a cell. */
uint32_t hd_cut_cells_places(const hd_cut_space *space, uint32_t most, unsigned workers);

/* Every cell once; `ring` slabs, at least 2.  What the first to stop returned, else 0. */
int hd_cut_cells(const hd_cut_space *space, uint32_t places, unsigned ring, unsigned workers,
                 hd_cut_take_cell *take, void *context, double *seconds);

#endif
