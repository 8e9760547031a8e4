/*
 * A sweep (cut_sweep.c), as its workers (cut_sweep_run.c) and its blocks share it.
 */
#ifndef HD_CUT_SWEEP_H
#define HD_CUT_SWEEP_H

#include <pthread.h>

#include "cut_cells.h"
#include "cut_reach.h"
#include "cut_share.h"
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
    size_t words;         /* of the last thread */
    size_t *step;         /* [place]: blocks between neighbouring counts */
    hd_cut_slabs slabs;   /* that of count c is c % slabs.count */
    uint32_t cell_places; /* threads whose counts make a cell; 0: workers take slabs */
    struct hd_cut_sweeper *workers;
    unsigned worker_count;
    pthread_mutex_t mutex;
    pthread_cond_t moved;
    hd_cut_progress *progress; /* [slab]; if workers take slabs; guarded by the mutex */
    int why;                   /* of the first to stop; guarded by the mutex */
    uint32_t from;             /* the count of the first thread that is the first job */
} hd_cut_sweeping;

typedef struct hd_cut_sweeper {
    const hd_cut_sweeping *sweep;
    hd_cut_sweeping *shared; /* the same, to change it */
    hd_cut_visitor *visitor;
    hd_cut_normal *normal; /* strongly feasible */
    const hd_cut_slab *before;
    hd_cut_slab *now;
    bool first;                  /* at the block of the empty state */
    uint64_t *left;              /* [place * words of a row]: what the threads before it leave */
    uint64_t *entry, *feasible;  /* of one row of words */
    uint64_t *found;             /* of a block */
    const uint64_t **neighbours; /* blocks without one event of a thread before */
    uint32_t neighbour_count;
    uint32_t *state;
    hd_cut_room *rooms;
    uint64_t states; /* that the visitor has not been told of */
    char apart[HD_WORKER_APART];
} hd_cut_sweeper;

/* ---- A sweep in parts (cut_sweep_run.c) ----
 *
 * All counts of the first thread, some at a time: between two parts the slab of the last count is
 * all that is known, so another process can go on from it.  At least two threads. */

hd_cut_sweeping *hd_cut_sweeping_begin(const hd_cut_pairs *pairs, enum hd_cut_class class,
                                       size_t memory, unsigned workers, hd_cut_visitor *visitors);
void hd_cut_sweeping_end(hd_cut_sweeping *s);

/* Counts `from` to `to` of the first thread, after those before `from` were taken, or given. */
int hd_cut_sweeping_take(hd_cut_sweeping *s, uint32_t from, uint32_t to);

/* The slab of the last count that was taken, as bytes; and back: then that count was taken.  False
 * if they are not a slab, or the memory is used up. */
void hd_cut_sweeping_put(const hd_cut_sweeping *s, uint32_t count, hd_vec_char *to);
bool hd_cut_sweeping_get(hd_cut_sweeping *s, uint32_t count, hd_bytes *from);

/* ---- Inside ---- */

/* Blocks of the threads between, and words of one block. */
double hd_cut_sweep_table(const hd_cut_space *space);
double hd_cut_sweep_words(const hd_cut_space *space);

/* A block: all counts of the last two threads, with the others as the worker has them. */
int hd_cut_sweep_block(hd_cut_sweeper *w, size_t block);

/* With two threads there is no thread between, and a block is one row of words. */
int hd_cut_sweep_row(hd_cut_sweeper *w);

#endif
