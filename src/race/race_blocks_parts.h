/*
 * Blocks of a trace, and what race_blocks.h asks about, for one variable, or two, at a time: two
 * accesses of a block, and what accesses of another thread might come between them.  Private to
 * race.
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

/* What comes between. */
enum hd_race_between {
    HD_RACE_WRITE, /* a write */
    HD_RACE_READ,  /* a read that sees the first access */
    HD_RACE_TWO,   /* two accesses, of two variables; or one of those from here on, with: */
    HD_RACE_FROM_WRITE = HD_RACE_TWO + 1, /* the earlier one writes */
    HD_RACE_FROM_READ = HD_RACE_TWO + 2,  /* the earlier one only reads */
    HD_RACE_BACK_WRITE = 8,               /* added: the later one writes */
    HD_RACE_BETWEEN_COUNT = HD_RACE_FROM_READ + HD_RACE_BACK_WRITE + 1
};

/* Two accesses of a block, and the locks that one hold of each covers from the first to the
 * second. */
struct hd_race_span {
    uint32_t thread, first_place, second_place, cover;
    uint32_t between; /* hd_race_between */
    uint32_t first, second;
    uint32_t variable; /* of the second */
};

/* An access that may come between them, or two. */
struct hd_race_comer {
    uint32_t thread, place, held;
    uint32_t between; /* it is entered twice if it reads and writes */
    uint32_t event;
    uint32_t back, back_place, back_held; /* of two variables: the second one; else 0 */
};

typedef struct hd_race_parts {
    const hd_order_space *space;
    hd_order_sets *sets; /* of locks */
    hd_order_held held;  /* their owner */
    uint32_t *block_of;  /* [access]: the innermost block + 1; 0: none; [end]: the one after it */
    hd_vec_u32 accesses; /* of the variable, by thread */
    HD_VEC(struct hd_race_block) blocks;
    HD_VEC(struct hd_race_span)
    spans; /* by the second's variable, all but the events, then these */
    HD_VEC(struct hd_race_comer) comers; /* by all but the events, then these */
} hd_race_parts;

/* False if the time is up before. */
bool hd_race_parts_init(hd_race_parts *parts, const hd_order_space *space);
void hd_race_parts_release(hd_race_parts *parts);

/* False if there is nothing to ask about the variable. */
bool hd_race_parts_gather(hd_race_parts *parts, hd_race_push *push, uint32_t variable);

/* Puts the locks that are held into each span, and sorts the spans. */
void hd_race_parts_finish_spans(hd_race_parts *parts);
void hd_race_parts_sort_comers(hd_race_parts *parts);

/* The `begin` of the innermost block with both accesses. */
uint32_t hd_race_parts_begin(const hd_race_parts *parts, uint32_t first, uint32_t second);

#endif
