/*
 * Every state looked at, many at a time, whatever the lattice: prefixes over stored
 * tails.
 *
 * Prefixes of the first threads that leave the same bounds to the others have the same
 * completions (cut_diagram.h).  So the completions are stored once for each such node,
 * as an array of what is wanted of them, made from the arrays of the nodes behind it;
 * and a prefix goes through an array from end to end, however short the runs of the last
 * thread are.
 *
 *   hd_cut_sums            a number for each count of each thread: in how many states is
 *                          their sum at least so much?  Eight states in a vector.
 *   hd_cut_tail_batches    states of 16 bytes (cut_packed.h), in batches, in lexical order
 *
 * The arrays are kept in a few MiB, so that they stay in the cache; when they are full,
 * all are forgotten.  Where threads are split is found by random descents.
 */
#ifndef HD_CUT_TAILS_H
#define HD_CUT_TAILS_H

#include "cut_packed.h"

/* How many completions a prefix should have, about, and bytes to keep them in; NULL
 * wherever it is asked for: what is quick. */
typedef struct hd_cut_tails_size {
    size_t tails, bytes;
} hd_cut_tails_size;

/* Adds the states from `least` to `most` to *states and those among them whose sum of
 * value[start[p] + count] is at least `bound` to *above.  The values are small: all
 * sums fit into 15 bits (hd_cut_sums_fit), so does the bound. */
void hd_cut_sums(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                 const int16_t *value, int16_t bound, const hd_cut_tails_size *size,
                 uint64_t *states, uint64_t *above);

/* Do all sums of these values fit? */
bool hd_cut_sums_fit(const hd_cut_space *space, const int64_t *value);

/* As hd_cut_packed_batches; any number of states at a time, the memory is the
 * callee's. */
int hd_cut_tail_batches(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                        hd_cut_take_batch *take, void *context, const hd_cut_tails_size *size,
                        uint64_t *visited);
/* One call a state. */
int hd_cut_tail_each(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                     hd_cut_test *test, void *context, const hd_cut_tails_size *size,
                     uint64_t *visited);

#endif
