/*
 * Work in cells, level by level: the counts of the first few threads are those of a cell, and their
 * sum is its level.  What a cell needs is in cells with one event less, all of them in the level
 * before.  So the cells of a level can be done in any order and at the same time, and two levels
 * are all that has to be kept.  Levels are many and workers wait at the end of each; so there are
 * many more cells in a level than workers, where that is possible.
 *
 * Counts that do not go together by pairs (cut_pairs.h) make no cell.
 */
#ifndef HD_CUT_CELLS_H
#define HD_CUT_CELLS_H

#include "cut_pairs.h"
#include "cut_share.h"

typedef struct hd_cut_cells {
    uint32_t places;   /* threads whose counts make a cell, at least one */
    uint32_t levels;   /* 0..levels-1 */
    size_t *step;      /* [place]: between the numbers of neighbours */
    size_t *first;     /* [level]: its first cell; and one more */
    uint64_t *numbers; /* [cell]: ascending in each level */
} hd_cut_cells;

/* Cells of the counts of at most so many threads; at most so many bytes.  False if even those of
 * the first thread do not fit. */
bool hd_cut_cells_init(hd_cut_cells *cells, const hd_cut_pairs *pairs, uint32_t most, size_t memory,
                       unsigned workers);
void hd_cut_cells_release(hd_cut_cells *cells);

/* The cells of the largest level. */
size_t hd_cut_cells_widest(const hd_cut_cells *cells);

/* The counts of a cell. */
void hd_cut_cells_counts(const hd_cut_cells *cells, size_t cell, uint32_t *counts);

/* The cell of this level with this number, counted from the first of the level; SIZE_MAX: none. */
size_t hd_cut_cells_find(const hd_cut_cells *cells, uint32_t level, uint64_t number);

/* What is done, a worker at a time; other than 0 stops all. */
typedef struct hd_cut_cells_work {
    void (*begin)(void *context, uint32_t level); /* by one worker, before all cells of the level */
    int (*take)(void *context, unsigned worker, uint32_t level, size_t cell);
    void *context;
} hd_cut_cells_work;

/* Levels `from` to `to`.  What the first to stop returned, else 0. */
int hd_cut_cells_run(const hd_cut_cells *cells, uint32_t from, uint32_t to, unsigned workers,
                     const hd_cut_cells_work *work, double *seconds);

#endif
