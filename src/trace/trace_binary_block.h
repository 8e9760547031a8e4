/*
 * A block of events of the binary format (doc/format.md), decoded:
 *
 *     hd_trace_block block = {0};
 *     if (hd_trace_block_decode(&block, tables, left, count))
 *         ... block.events.data[0 .. count - 1] ...
 *     hd_trace_block_release(&block);
 *
 * Nothing in it is trusted; false means that it is corrupt.
 */
#ifndef HD_TRACE_BINARY_BLOCK_H
#define HD_TRACE_BINARY_BLOCK_H

#include "trace_binary.h"

/* The bytes of a section that are not read yet; there is padding after them. */
typedef struct hd_trace_reading {
    const unsigned char *at, *end;
} hd_trace_reading;

/* A varint of at most `limit`; reading past the end shows when `at` is compared. */
static inline bool hd_trace_take_number(hd_trace_reading *left, uint64_t limit, uint64_t *value) {
    if (left->at >= left->end)
        return false;
    *value = hd_trace_get_varint(&left->at);
    return *value <= limit && left->at <= left->end;
}

static inline bool hd_trace_take_u32(hd_trace_reading *left, uint64_t limit, uint32_t *value) {
    uint64_t wide;
    if (!hd_trace_take_number(left, limit, &wide))
        return false;
    *value = (uint32_t)wide;
    return true;
}

/* An operation of a block: the fields that it gives an event, and its class. */
struct hd_trace_op {
    uint16_t size;
    uint8_t kind, flags;
    uint8_t class;
};

/* One thread's part of a block, while its columns are read. */
struct hd_trace_chunk {
    uint32_t thread;
    uint32_t count;  /* events */
    uint32_t *place; /* of each of them in the block */
    const unsigned char *ops;
    const unsigned char *objects, *locations, *values;
    unsigned object_width, location_width,
        value_width; /* bytes per number: 1, 2, 4; 8 for values */
};

typedef struct hd_trace_block {
    hd_trace_reading left;
    HD_VEC(heddle_event) events;
    HD_VEC(uint32_t) places; /* of the events, chunk by chunk; room for twice as many */
    HD_VEC(struct hd_trace_chunk) chunks;
    struct hd_trace_op ops[HD_TRACE_BLOCK_OPS];
    uint32_t op_count;
    uint32_t limits[HEDDLE_CLASS_COUNT]; /* lengths of the tables */
    bool guesses;                        /* the order of some operations was guessed */
} hd_trace_block;

bool hd_trace_block_decode(hd_trace_block *block, const hd_trace_tables *tables,
                           hd_trace_reading left, uint32_t count);
void hd_trace_block_release(hd_trace_block *block);

#endif
