/*
 * Memory and objects of a program as whoever reckons its steps has them: words that steps wrote
 * to, and what locks, semaphores and barriers are at.  What was there before the first step is
 * learnt from what steps found.
 */
#ifndef HD_PREDICT_MEMORY_H
#define HD_PREDICT_MEMORY_H

#include <stdbool.h>

#include "base/base.h"

/* What changes in a run. */
typedef struct hd_predict_content {
    uint64_t value;  /* of the bytes that steps wrote; others are 0 */
    int32_t count;   /* readers of a lock; how deep a mutex is nested; units of a semaphore, and who
                        has come to a barrier,   more than at first */
    uint8_t written; /* bytes, a bit each */
    uint8_t owner;   /* of a lock: thread + 1; 0: nobody */
} hd_predict_content;

typedef struct hd_predict_cell {
    hd_predict_content now;
    uint64_t initial; /* of the bytes that steps did not write, */
    uint8_t known;    /* as far as it is; not 0: units of a semaphore, size of a barrier */
} hd_predict_cell;

typedef struct hd_predict_cells {
    HD_VEC(hd_predict_cell) all;
    hd_map words, objects; /* numbers in it */
} hd_predict_cells;

void hd_predict_cells_clear(hd_predict_cells *cells);
void hd_predict_cells_release(hd_predict_cells *cells);

uint32_t hd_predict_cells_word(hd_predict_cells *cells, uint64_t word);
uint32_t hd_predict_cells_object(hd_predict_cells *cells, uint64_t address);

/* Some bytes of a word.  Reading: false if it is not known what is there.  Finding, as a step
 * did: false if something else is there. */
bool hd_predict_cell_read(const hd_predict_cell *cell, uint64_t address, uint32_t bytes,
                          uint64_t *found);
bool hd_predict_cell_find(hd_predict_cell *cell, uint64_t address, uint32_t bytes, uint64_t found);
void hd_predict_cell_write(hd_predict_cell *cell, uint64_t address, uint32_t bytes, uint64_t value);

#endif
