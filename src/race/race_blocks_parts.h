/*
 * Blocks of a trace, and what race_blocks.h asks about, for one variable at a time: two accesses of
 * a block, and what other accesses of the variable might come between them.  Private to race.
 */
#ifndef HD_RACE_BLOCKS_PARTS_H
#define HD_RACE_BLOCKS_PARTS_H

#include "order/order.h"
#include "race_finding.h"

/* A block; it ends where its `end` is, or with the trace. */
struct hd_race_block {
    uint32_t begin;     /* the event */
    uint32_t parent;    /* the block that it is in + 1; 0: none */
    uint32_t outermost; /* the begin of the outermost one that it is in, or its own */
};

/* Two accesses of a block, and the locks that one hold of each covers from the first to the
 * second. */
struct hd_race_span {
    uint32_t thread, first_place, second_place, cover;
    bool reads; /* the access between them is a read that sees the first; else a write */
    uint32_t first, second;
};

/* An access that may come between them. */
struct hd_race_comer {
    uint32_t thread, place, held;
    bool reads; /* in the sense above: it is entered twice if it does both */
    uint32_t event;
};

typedef struct hd_race_parts {
    const hd_order_space *space;
    hd_order_sets *sets; /* of locks */
    hd_order_held held;  /* their owner */
    uint32_t *block_of;  /* [access]: the innermost block + 1; 0: none */
    hd_vec_u32 accesses; /* of the variable, by thread */
    HD_VEC(struct hd_race_block) blocks;
    HD_VEC(struct hd_race_span) spans;   /* of the variable, by all but the events, then these */
    HD_VEC(struct hd_race_comer) comers; /* likewise */
} hd_race_parts;

/* False if the time is up before. */
bool hd_race_parts_init(hd_race_parts *parts, const hd_order_space *space);
void hd_race_parts_release(hd_race_parts *parts);

/* False if there is nothing to ask about the variable. */
bool hd_race_parts_gather(hd_race_parts *parts, hd_race_push *push, uint32_t variable);

/* The `begin` of the innermost block with both accesses. */
uint32_t hd_race_parts_begin(const hd_race_parts *parts, uint32_t first, uint32_t second);

#endif
