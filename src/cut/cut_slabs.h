/*
 * The memory of a sweep: a ring of slabs, each with the blocks of words that have a reachable
 * state.  Several workers may keep blocks in one slab; each takes room for many at a time, so that
 * they do not write side by side.
 */
#ifndef HD_CUT_SLABS_H
#define HD_CUT_SLABS_H

#include <stdatomic.h>

#include "cut_space.h"

/* Blocks never move, since other workers read them while more are made. */
typedef struct hd_cut_slab {
    uint32_t *block_of; /* by where in the slab: block + 1, 0: none */
    /* Each `chunk` blocks, and after them for each where it is; NULL: not yet needed. */
    uint64_t **chunks;
    atomic_size_t taken; /* chunks, each by one worker, which may not need all of it */
} hd_cut_slab;

typedef struct hd_cut_slabs {
    size_t block;  /* words of a block */
    size_t table;  /* blocks that a slab could have */
    size_t chunk;  /* blocks that are allocated together */
    size_t chunks; /* that a slab could have */
    size_t memory; /* bytes that the chunks may take */
    unsigned count;
    hd_cut_slab *all;
    atomic_size_t stored; /* words of all chunks */
} hd_cut_slabs;

/* What a worker has taken of a slab, and not used yet. */
typedef struct hd_cut_room {
    uint32_t of; /* what the slab is used for; else the room is that of an earlier use */
    size_t next, end;
} hd_cut_room;

void hd_cut_slabs_init(hd_cut_slabs *slabs, unsigned count, size_t table, size_t block,
                       unsigned workers, size_t memory);
void hd_cut_slabs_release(hd_cut_slabs *slabs);

/* Bytes of `count` slabs: without a block, or with all that they could have. */
double hd_cut_slabs_bytes(unsigned count, double table, double block, unsigned workers, bool dense);

/* A worker's rooms in all slabs. */
hd_cut_room *hd_cut_slabs_rooms(const hd_cut_slabs *slabs);

/* Takes all blocks out, for another use.  No worker may need them. */
void hd_cut_slab_empty(const hd_cut_slabs *slabs, hd_cut_slab *slab);

/* The same, if every part of the slab is cleared before something is kept there. */
void hd_cut_slab_reuse(hd_cut_slab *slab);
void hd_cut_slab_clear(hd_cut_slab *slab, size_t at, size_t count);

/* The words of the block there; NULL: none. */
const uint64_t *hd_cut_slab_words(const hd_cut_slabs *slabs, const hd_cut_slab *slab, size_t at);

/* Keeps a copy of the words of a block, which is not there yet; false if the memory is used up.
 * `use` is other than UINT32_MAX. */
bool hd_cut_slab_keep(hd_cut_slabs *slabs, hd_cut_slab *slab, hd_cut_room *rooms, uint32_t use,
                      size_t at, const uint64_t *words);

#endif
