/*
 * Memory and objects of a program as the simulator keeps them: the words that steps wrote to, and
 * the state of locks, semaphores and barriers.  A *cell* is one such word or object.  What it held
 * before the first step is learnt from what steps found.
 */
#ifndef HD_PREDICT_MEMORY_H
#define HD_PREDICT_MEMORY_H

#include <stdbool.h>

#include "base/base.h"

/* What changes during a run. */
typedef struct hd_predict_content {
    uint64_t value;  /* of the bytes that steps wrote; the others are 0 */
    int32_t count;   /* readers of a lock; nesting of a mutex; units of a semaphore, or threads that
                        have arrived at a barrier, compared with the beginning */
    uint8_t written; /* bytes, a bit each */
    uint8_t owner;   /* of a lock: thread + 1; 0: free */
} hd_predict_content;

typedef struct hd_predict_cell {
    hd_predict_content now;
    uint64_t initial; /* value of the bytes that steps did not write */
    uint8_t guessed;  /* bytes of `initial` that only a thread that was alone again has read */
    uint8_t known;    /* bytes of `initial` that are known; not 0: units of a semaphore, size of a
                         barrier */
    bool idle;        /* what is found there makes no difference (predict_states.h) */
} hd_predict_cell;

typedef struct hd_predict_cells {
    HD_VEC(hd_predict_cell) all;
    hd_map words, objects; /* from address to index in `all` */
} hd_predict_cells;

void hd_predict_cells_clear(hd_predict_cells *cells);
void hd_predict_cells_release(hd_predict_cells *cells);

uint32_t hd_predict_cells_word(hd_predict_cells *cells, uint64_t word);
uint32_t hd_predict_cells_object(hd_predict_cells *cells, uint64_t address);

/* Some bytes of a word.  `read` returns false if their value is not known.  `find` is for what a
 * step found there; it returns false if the cell holds something else. */
bool hd_predict_cell_read(const hd_predict_cell *cell, uint64_t address, uint32_t bytes,
                          uint64_t *found);
bool hd_predict_cell_find(hd_predict_cell *cell, uint64_t address, uint32_t bytes, uint64_t found);

/* The same for a thread that is alone again, as all others were joined.  It may have written there
 * without a step, so what it finds need not be what was there at the start: the same thread finds
 * it again after the same steps, and no other thread may rely on it. */
bool hd_predict_cell_read_alone(const hd_predict_cell *cell, uint64_t address, uint32_t bytes,
                                uint64_t *found);
bool hd_predict_cell_find_alone(hd_predict_cell *cell, uint64_t address, uint32_t bytes,
                                uint64_t found);
void hd_predict_cell_write(hd_predict_cell *cell, uint64_t address, uint32_t bytes, uint64_t value);

#endif
