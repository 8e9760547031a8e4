/*
 * Reading the records of a run, in order.  A program can write anywhere, so
 * nothing in the file is trusted: what makes no sense ends the reading.
 */
#ifndef HD_NATIVE_WIRE_H
#define HD_NATIVE_WIRE_H

#include "heddle/wire.h"
#include "native_run.h"

/* Records of a thread of a free run. */
typedef struct hd_native_stream {
    uint64_t chunk; /* the next to look at */
    const uint64_t *at, *end;
    uint64_t order; /* of the records that come, among all streams */
} hd_native_stream;

typedef struct hd_native_reader {
    const hd_native_run *run;
    const heddle_wire *wire;
    uint64_t size;
    uint64_t chunks;
    hd_native_stream *streams;
    uint32_t current; /* stream */
    uint32_t thread;
    uint32_t threads;
    uint64_t code;
    hd_trace_unpack *unpack;        /* of a controlled run; else NULL */
    uint64_t next_chunk;            /* for it, or the one that it has if that is open */
    bool open, whole;               /* what it was told of that chunk: that it is all, */
    uint64_t known_size, known_run; /* and so much */
    bool show_switches;             /* as records too: to `thread` */
    bool growing;                   /* the run goes on: the end is what has come so far */
    /* Called when a chunk was read to its end. */
    void (*done)(void *context, uint64_t chunk);
    void *context;
    bool damaged;
} hd_native_reader;

void hd_native_reader_init(hd_native_reader *reader, const hd_native_run *run);
void hd_native_reader_release(hd_native_reader *reader);

/* The next record but HEDDLE_WIRE_SWITCH and HEDDLE_WIRE_ORDER; false at the end.  Of a run
 * that goes on there may be more the next time. */
bool hd_native_reader_next(hd_native_reader *reader, hd_trace_record *record);

/* A chunk of a controlled run, as hd_trace_unpack_chunk wants it; false if there is none. */
bool hd_native_chunk(const hd_native_run *run, uint64_t number, const void **bytes, size_t *size,
                     uint64_t *last_run);

#endif
