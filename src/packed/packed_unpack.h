/*
 * Reading the packed record of a run (heddle/pack.h, doc/format.md), chunk by chunk. Nothing in it
 * is trusted: reading ends at the first damage.
 */
#ifndef HD_PACKED_UNPACK_H
#define HD_PACKED_UNPACK_H

#include "base/base.h"
#include "heddle/wire.h"

/* What the program did, as it was recorded: an access may cover several variables. */
typedef struct hd_packed_record {
    uint32_t thread;
    uint8_t op;       /* a kind plus 1, or enum heddle_wire_op */
    uint8_t order;    /* enum heddle_order, of an atomic access or a fence */
    bool silent;      /* a range that belongs to the record before; a free: of a stack */
    bool has_value;   /* the value of an access or a mark */
    bool guessed;     /* its order relative to other lanes was guessed (packed_lanes.h); */
    bool unexplained; /* it read what had not been written in that order */
    uint32_t lane;    /* of a free run */
    uint64_t address;
    uint64_t code; /* the address after the call */
    uint64_t size; /* bytes of an access or of a range; of an allocated block; of a switch: steps of
                      the previous thread that left no record */
    uint64_t value;
    const uint8_t *bytes; /* of a range whose bytes are known, of a name; else NULL */
} hd_packed_record;

typedef struct hd_packed_unpack hd_packed_unpack;

hd_packed_unpack *hd_packed_unpack_create(void);
void hd_packed_unpack_free(hd_packed_unpack *unpack);

/* The next chunk, when the one before is at its end: its bytes, which must stay valid, and how many
 * expected records follow them. */
void hd_packed_unpack_chunk(hd_packed_unpack *unpack, const void *bytes, size_t size, uint64_t run);

/*
 * A chunk that is still being written.  It begins empty and open.  Whenever its end is reached, it
 * may have grown: hd_packed_unpack_grown says how much is there by now, and whether that is all.  A
 * plain write at the very end of an open chunk is not returned yet, because its value may still
 * follow.
 */
void hd_packed_unpack_open(hd_packed_unpack *unpack, const void *bytes);
void hd_packed_unpack_grown(hd_packed_unpack *unpack, size_t size, uint64_t run, bool whole);

/* 1: a record, including switches; 0: the end of the chunk; -1: the bytes are damaged. */
int hd_packed_unpack_next(hd_packed_unpack *unpack, hd_packed_record *record);

/* The value of `size` bytes at an offset in what was accessed. */
bool hd_packed_record_part(const hd_packed_record *record, uint64_t offset, uint64_t size,
                           int64_t *value);

#endif
