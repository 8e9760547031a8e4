/*
 * Every state looked at, many at a time, whatever the lattice: prefixes over stored
 * tails.
 *
 * Prefixes of the first threads that leave the same bounds to the others have the same
 * completions (cut_diagram.h).  So the completions are stored once for each such node,
 * as an array of what is wanted of them, made from the arrays of the nodes after it
 * (cut_tails_nodes.h); and a prefix goes through an array from end to end, however short
 * the runs of the last thread are.  Prefixes of one node are gathered too, and all of them
 * meet all of its completions (cut_fronts.h).
 *
 *   cut_packed.h   states of 16 bytes, in batches or one call a state
 *   cut_sums.h     in how many states is a sum of weights so large?
 *   cut_clash.h    in how many do the last events of two threads clash?
 *
 * The arrays are kept in a few MiB, so that they stay in the cache; when they are full,
 * all are forgotten.  Where threads are split is found by random descents.
 */
#ifndef HD_CUT_TAILS_H
#define HD_CUT_TAILS_H

#include "cut_space.h"

/* How many completions a prefix should have, about, and bytes to keep them in; NULL
 * wherever it is asked for: what is quick. */
typedef struct hd_cut_tails_size {
    size_t tails, bytes;
} hd_cut_tails_size;

/* The last thread from which on there are about so many completions. */
uint32_t hd_cut_tails_split(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                            size_t wanted);

#endif
