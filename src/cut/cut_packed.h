/*
 * States in 16 bytes each, for predicates of unknown form: a count
 * a byte where there are at most 16 threads of at most 255 events, else 16 bits
 * where there are at most 8 threads of at most 65,535.  They come as one call a
 * state, or in batches, in any order, over stored completions (cut_tails.h).
 *
 *     if (hd_cut_packing_of(&space) != HD_CUT_UNPACKED) ...   it fits
 *     hd_cut_packed_each(&space, least, most, test, context, NULL, &visited);
 *
 * Time: a vector addition a state, beside the call or the store.
 */
#ifndef HD_CUT_PACKED_H
#define HD_CUT_PACKED_H

#include "cut_tails.h"

/* How wide a count is; 0 if states do not fit. */
enum hd_cut_packing { HD_CUT_UNPACKED, HD_CUT_BYTES, HD_CUT_HALVES };

typedef union hd_cut_packed {
    uint8_t bytes[16];
    uint16_t halves[8];
    uint64_t words[2];
} __attribute__((aligned(16))) hd_cut_packed;

enum hd_cut_packing hd_cut_packing_of(const hd_cut_space *space);

/* The state with one event, of the thread at this place. */
static inline hd_cut_packed hd_cut_packed_unit(enum hd_cut_packing packing, uint32_t place) {
    hd_cut_packed unit = {.words = {0, 0}};
    if (packing == HD_CUT_BYTES)
        unit.bytes[place % 16] = 1;
    else
        unit.halves[place % 8] = 1;
    return unit;
}

static inline uint32_t hd_cut_packed_count(enum hd_cut_packing packing, const hd_cut_packed *state,
                                           uint32_t place) {
    return packing == HD_CUT_BYTES ? state->bytes[place] : state->halves[place];
}

/* Other than 0 stops, and is returned; *visited counts the states. */
typedef int hd_cut_test(void *context, const hd_cut_packed *state);
typedef int hd_cut_take_batch(void *context, const hd_cut_packed *states, size_t count);

int hd_cut_packed_each(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                       hd_cut_test *test, void *context, const hd_cut_tails_size *size,
                       uint64_t *visited);

/* Batches of at least one and at most HD_CUT_BATCH states, in the same place each
 * time, so that they stay in the cache. */
enum { HD_CUT_BATCH = 1024 };
int hd_cut_packed_batches(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                          hd_cut_take_batch *take, void *context, const hd_cut_tails_size *size,
                          uint64_t *visited);

#endif
