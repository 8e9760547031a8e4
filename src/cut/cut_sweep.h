/*
 * A sweep (cut_sweep.c), as its workers (cut_sweep_run.c, cut_sweep_list.c) and its blocks share
 * it.
 *
 * Blocks are kept in slabs (cut_slabs.h).  States that are only counted come in cells
 * (cut_cells.h), and a slab has those of a level, one cell after the other.  States in lexical
 * order come slab by slab: a slab is one cell, that of a count of the first thread.
 */
#ifndef HD_CUT_SWEEP_H
#define HD_CUT_SWEEP_H

#include <pthread.h>

#include "cut_cells.h"
#include "cut_reach.h"
#include "cut_slabs.h"

enum { HD_CUT_WORD = 64 };

/* How far a slab is. */
typedef struct hd_cut_progress {
    uint32_t count; /* of the first thread */
    uint32_t done;  /* counts of the second thread that are done */
} hd_cut_progress;

/* What all workers share. */
typedef struct hd_cut_sweeping {
    const hd_cut_pairs *pairs;
    enum hd_cut_class class;
    uint32_t last, row;   /* the last place; the one before it, or 0 if that is the first */
    uint32_t cell_places; /* threads whose counts make a cell */
    size_t words;         /* of the last thread */
    size_t *step;         /* [place]: in a cell, blocks between neighbouring counts */
    size_t within;        /* blocks of a cell */
    hd_cut_slabs slabs;   /* that of level or count c is c % slabs.count */
    hd_cut_cells cells;   /* if states are counted */
    uint8_t *any[2];      /* [level % 2][cell of the level]: does it have a state? */
    struct hd_cut_sweeper *workers;
    unsigned worker_count;
    pthread_mutex_t mutex;
    pthread_cond_t moved;
    hd_cut_progress *progress; /* [slab]; of several workers that list; guarded by the mutex */
    int why;                   /* of the first of those to stop; guarded by the mutex */
} hd_cut_sweeping;

typedef struct hd_cut_sweeper {
    const hd_cut_sweeping *sweep;
    hd_cut_sweeping *shared; /* the same, to change it */
    hd_cut_visitor *visitor;
    hd_cut_normal *normal; /* strongly feasible */
    const hd_cut_slab *before;
    hd_cut_slab *now;
    uint32_t level; /* or the count of the first thread, whose slab is `now` */
    size_t at;      /* in `now`: the first block of the cell */
    size_t *near;   /* [place]: in `before`: that of the cell without this thread's last event, or
                       SIZE_MAX */
    bool first;     /* at the block of the empty state */
    bool any;       /* the cell has a state */
    uint64_t *left; /* [place * words of a row]: what the threads before it leave */
    uint64_t *entry, *feasible;  /* of one row of words */
    uint64_t *found;             /* of a block */
    const uint64_t **neighbours; /* blocks without one event of a thread before */
    uint32_t neighbour_count;
    uint32_t *state;
    hd_cut_room *rooms;
    uint64_t states; /* that the visitor has not been told of */
    char apart[HD_WORKER_APART];
} hd_cut_sweeper;

/* ---- A count in parts (cut_sweep_run.c) ----
 *
 * Some levels at a time: between two parts the slab of the last level is all that is known, so
 * another process can go on from it, if its cells are the same.  At least two threads. */

/* `cell_places`: of at most so many threads the counts make a cell; 0: of as many as help.
 * NULL: what is needed in any case does not fit into the memory. */
hd_cut_sweeping *hd_cut_sweeping_begin(const hd_cut_pairs *pairs, enum hd_cut_class class,
                                       uint32_t cell_places, size_t memory, unsigned workers,
                                       hd_cut_visitor *visitors);
void hd_cut_sweeping_end(hd_cut_sweeping *s);

uint32_t hd_cut_sweeping_levels(const hd_cut_sweeping *s);

/* Levels `from` to `to`, after those before `from` were taken, or given. */
int hd_cut_sweeping_take(hd_cut_sweeping *s, uint32_t from, uint32_t to, double *seconds);

/* The slab of the last level that was taken, as bytes; and back: then that level was taken.  False
 * if they are not a slab, or the memory is used up. */
void hd_cut_sweeping_put(const hd_cut_sweeping *s, uint32_t level, hd_vec_char *to);
bool hd_cut_sweeping_get(hd_cut_sweeping *s, uint32_t level, hd_bytes *from);

/* ---- Inside ---- */

/* What counting and listing share (cut_sweep_run.c): slabs, workers, and where the blocks of a cell
 * are. */
void hd_cut_sweeping_start(hd_cut_sweeping *s, unsigned slabs, size_t memory, unsigned workers,
                           hd_cut_visitor *visitors);
void hd_cut_sweeping_finish(hd_cut_sweeping *s);

/* Counts what the worker has found since the last time. */
void hd_cut_sweep_tell(hd_cut_sweeper *w);

/* To the slab of this level. */
void hd_cut_sweep_go_to(hd_cut_sweeper *w, uint32_t level);

/* Takes this count of a thread if the threads before it allow it, and what it leaves to those after
 * it. */
bool hd_cut_sweep_leaves(hd_cut_sweeper *w, uint32_t place, uint32_t count);

/* All blocks with the counts of the threads before this one, the first of them `block`. */
int hd_cut_sweep_descend(hd_cut_sweeper *w, uint32_t place, size_t block);

/* Blocks of the threads between, and words of one block. */
double hd_cut_sweep_table(const hd_cut_space *space);
double hd_cut_sweep_words(const hd_cut_space *space);

/* A block: all counts of the last two threads, with the others as the worker has them.  With two
 * threads there is no thread between, and a block is one row of words. */
int hd_cut_sweep_block(hd_cut_sweeper *w, size_t block);

#endif
