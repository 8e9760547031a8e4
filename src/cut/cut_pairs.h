/*
 * Classes of states that are conditions on pairs of threads: consistent,
 * feasible, lock-free, viable.  For every count of a thread there is a row of
 * bits: the counts of each thread after it that go with it.  A state is in the
 * class iff each of its counts is in the rows of all before it.
 *
 * So prefixes with the same bits left have the same completions, and are merged
 * in a diagram as in cut_diagram.h; and a walk over all states cuts rows.  Other
 * than with ranges, there may be dead ends.
 *
 * Memory: a row of one bit for each count of all threads, for each count whose
 * row differs from that before it.
 */
#ifndef HD_CUT_PAIRS_H
#define HD_CUT_PAIRS_H

#include "cut_diagram.h"
#include "cut_normal.h"

typedef struct hd_cut_pairs {
    const hd_cut_loset *loset;
    size_t *word;     /* [place]: where its words start in a row; and one more */
    uint32_t *row_of; /* [start[p] + c] */
    uint64_t *rows;
    uint32_t *stretch; /* [start[p] + c]: the last count with the same row */
    uint64_t *all;     /* the counts that each thread may have at all */
} hd_cut_pairs;

/* False, with an error, if the rows would take more than `limit` bytes. */
bool hd_cut_pairs_init(hd_cut_pairs *pairs, const hd_cut_loset *loset, enum hd_cut_class class,
                       size_t limit, hd_error *error);
void hd_cut_pairs_release(hd_cut_pairs *pairs);

static inline const uint64_t *hd_cut_pairs_row(const hd_cut_pairs *pairs, uint32_t place,
                                               uint32_t count) {
    size_t position = pairs->loset->space->start[place] + count;
    return pairs->rows + pairs->row_of[position] * pairs->word[pairs->loset->space->threads];
}

/* Adds how many states there are with the first thread at a count from `from` to `to`.
 * False if that went beyond the budget. */
bool hd_cut_pairs_count(const hd_cut_pairs *pairs, uint32_t from, uint32_t to,
                        const hd_cut_budget *budget, hd_cut_count *count,
                        hd_cut_diagram_size *size);

/* All those states, in lexical order, in runs. */
int hd_cut_pairs_walk(const hd_cut_pairs *pairs, uint32_t from, uint32_t to,
                      hd_cut_visitor *visitor);

#endif
