/*
 * Packing the record of a lane (heddle/pack.h): which site an event is of, and
 * which bytes of memory were accessed together.
 */
#ifndef HD_RT_PACK_H
#define HD_RT_PACK_H

#include "rt.h"

/* False: there is no memory for the lane's tables. */
bool hd_rt_pack_init(hd_rt_lane *lane);

/* Puts an event behind `to`; returns the end, which is `to` if no byte was needed. */
unsigned char *hd_rt_pack_event(hd_rt_lane *lane, uint64_t key, uint64_t address, uint64_t value,
                                unsigned char *to);

/* The same for a function that begins or ends; *number is its site's. */
unsigned char *hd_rt_pack_call(hd_rt_lane *lane, uint64_t key, uint32_t *number, unsigned char *to);

/* A block of the heap, for its name. */
void hd_rt_pack_block(uint64_t address, uint64_t size, uintptr_t code);

/* What an access inside a word says about its borders, by its size and place. */
extern const uint16_t hd_rt_pack_marks[4][8];

/* Is the access one that the cell knows, so that nothing is to be noted? */
static inline bool hd_rt_pack_noted(const heddle_pack_cell *cell, uint64_t address, unsigned size) {
    uint64_t marks = size == 3 ? 0xff01 : hd_rt_pack_marks[size][address & 7];
    uint64_t wanted = address / 8 << 16 | marks;
    return ((cell->tag ^ wanted) & (marks | ~(uint64_t)0xffff)) == 0;
}

#endif
