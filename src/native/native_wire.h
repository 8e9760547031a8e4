/*
 * Reading the records of a run, in order.  A program can write anywhere, so
 * nothing in the file is trusted: what makes no sense ends the reading.
 */
#ifndef HD_NATIVE_WIRE_H
#define HD_NATIVE_WIRE_H

#include "heddle/wire.h"
#include "native_run.h"

typedef struct hd_native_record {
    uint32_t thread;
    uint8_t op;     /* a kind plus 1, or enum heddle_wire_op */
    bool has_value; /* the value of an access or a mark */
    uint64_t address;
    uint64_t code;
    uint64_t size; /* bytes of an access or of a range; of an allocated block */
    uint64_t value;
    const uint8_t *bytes; /* of a range whose bytes are known, of a name; else NULL */
} hd_native_record;

typedef struct hd_native_reader {
    const heddle_wire *wire;
    uint64_t size;
    uint64_t chunks, chunk; /* how many there are; the next */
    const uint64_t *at, *end;
    uint32_t thread;
    uint32_t threads;
    uint64_t code;
    bool damaged;
} hd_native_reader;

void hd_native_reader_init(hd_native_reader *reader, const hd_native_run *run);

/* The next record but HEDDLE_WIRE_SWITCH; false at the end. */
bool hd_native_reader_next(hd_native_reader *reader, hd_native_record *record);

#endif
