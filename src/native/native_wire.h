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
    bool silent;    /* a range that belongs to the record before */
    bool has_value; /* the value of an access or a mark */
    uint64_t address;
    uint64_t code;
    uint64_t size; /* bytes of an access or of a range; of an allocated block */
    uint64_t value;
    const uint8_t *bytes; /* of a range whose bytes are known, of a name; else NULL */
} hd_native_record;

/* Records of one stream: all of a controlled run, a thread's of a free one. */
typedef struct hd_native_stream {
    uint64_t chunk; /* the next to look at */
    const uint64_t *at, *end;
    uint64_t order; /* of the records that come, among all streams */
} hd_native_stream;

typedef struct hd_native_reader {
    const heddle_wire *wire;
    uint64_t size;
    uint64_t chunks;
    hd_native_stream *streams;
    uint32_t current; /* stream */
    uint32_t thread;
    uint32_t threads;
    uint64_t code;
    bool total;         /* one stream */
    bool show_switches; /* as records too: to `thread`; size: steps of the one before, as far
                           as no record shows them */
    bool damaged;
} hd_native_reader;

void hd_native_reader_init(hd_native_reader *reader, const hd_native_run *run);
void hd_native_reader_release(hd_native_reader *reader);

/* The next record but HEDDLE_WIRE_SWITCH and HEDDLE_WIRE_ORDER; false at the end. */
bool hd_native_reader_next(hd_native_reader *reader, hd_native_record *record);

#endif
