/*
 * A sum of weights, one for each count of each thread, over all states: in how many is it
 * at least so much?  Every state is looked at, 32 in a vector: prefixes against stored
 * completions (cut_tails.h).
 */
#ifndef HD_CUT_SUMS_H
#define HD_CUT_SUMS_H

#include "cut_tails.h"

/* Adds the states from `least` to `most` to *states and those among them whose sum of
 * value[start[p] + count] is at least `bound` to *above.  The values are small: all
 * sums fit into 15 bits, so does the bound. */
void hd_cut_sums(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                 const int16_t *value, int16_t bound, const hd_cut_tails_size *size,
                 uint64_t *states, uint64_t *above);

#endif
