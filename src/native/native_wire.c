#include "native_wire.h"

#include <stdlib.h>

void hd_native_reader_init(hd_native_reader *reader, const hd_native_run *run) {
    const heddle_wire *wire = run->wire;
    uint64_t room = (wire->size > run->size ? run->size : wire->size);
    uint64_t most = room > HEDDLE_WIRE_DATA ? (room - HEDDLE_WIRE_DATA) / HEDDLE_WIRE_CHUNK : 0;
    *reader = (hd_native_reader){
        .run = run,
        .wire = wire,
        .size = run->size,
        .chunks = wire->chunks < most ? wire->chunks : most,
        .threads = wire->threads < HEDDLE_WIRE_THREADS ? wire->threads : HEDDLE_WIRE_THREADS,
        .code = wire->code,
    };
    if (wire->mode == HEDDLE_WIRE_CONTROLLED) {
        reader->unpack = hd_trace_unpack_create();
        hd_trace_unpack_chunk(reader->unpack, "", 0, 0);
    } else
        reader->streams = HD_NEW_ARRAY(hd_native_stream, reader->threads + 1);
}

void hd_native_reader_release(hd_native_reader *reader) {
    free(reader->streams);
    hd_trace_unpack_free(reader->unpack);
    reader->streams = NULL;
    reader->unpack = NULL;
}

/* --- controlled ----------------------------------------------------------------------------- */

/* What is there of a chunk; 0: it is not, 1: it may grow, 2: it is whole. */
static int look_at_chunk(const hd_native_run *run, uint64_t number, const void **bytes,
                         size_t *size, uint64_t *last_run) {
    const heddle_wire *wire = run->wire;
    enum { HEAD = 2 * sizeof(uint64_t) };
    uint64_t tail = __atomic_load_n(&wire->tail, __ATOMIC_ACQUIRE);
    uint64_t offset = HEDDLE_WIRE_DATA + number * HEDDLE_WIRE_CHUNK;
    if (number > HEDDLE_WIRE_TAIL_CHUNK(tail) || offset + HEDDLE_WIRE_CHUNK > wire->size ||
        wire->size > run->size)
        return 0;
    const uint64_t *chunk = (const uint64_t *)((const char *)wire + offset);
    bool last = number == HEDDLE_WIRE_TAIL_CHUNK(tail);
    uint64_t used = last ? HEDDLE_WIRE_TAIL_BYTES(tail) : chunk[1];
    if (used > HEDDLE_WIRE_CHUNK - HEAD)
        used = HEDDLE_WIRE_CHUNK - HEAD;
    *bytes = chunk + 2;
    *size = used;
    *last_run = last ? HEDDLE_WIRE_TAIL_RUN(tail) : 0;
    return last ? 1 : 2;
}

bool hd_native_chunk(const hd_native_run *run, uint64_t number, const void **bytes, size_t *size,
                     uint64_t *last_run) {
    return look_at_chunk(run, number, bytes, size, last_run) > 0;
}

/* At the end of what has come: is there more by now? */
static bool grow(hd_native_reader *reader) {
    const void *bytes;
    size_t size;
    uint64_t run;
    if (reader->open && reader->whole) {
        if (reader->done)
            reader->done(reader->context, reader->next_chunk);
        reader->next_chunk++;
        reader->open = reader->whole = false;
    }
    int there = reader->next_chunk == UINT64_MAX
                    ? 0
                    : look_at_chunk(reader->run, reader->next_chunk, &bytes, &size, &run);
    if (!there)
        return false;
    if (!reader->open) {
        hd_trace_unpack_open(reader->unpack, bytes);
        reader->open = true;
        reader->known_size = 0;
        reader->known_run = 0;
    }
    reader->whole = there == 2 || !reader->growing;
    if (!reader->whole && size == reader->known_size && run == reader->known_run)
        return false;
    reader->known_size = size;
    reader->known_run = run;
    hd_trace_unpack_grown(reader->unpack, size, run, reader->whole);
    return true;
}

/* The thread of a record must have been born. */
static bool is_thread(const hd_native_reader *reader, uint32_t thread) {
    uint32_t threads = __atomic_load_n(&reader->wire->threads, __ATOMIC_ACQUIRE);
    return thread < threads && thread < HEDDLE_WIRE_THREADS;
}

static bool next_packed(hd_native_reader *reader, hd_trace_record *record) {
    for (;;) {
        int more = hd_trace_unpack_next(reader->unpack, record);
        if (more > 0 && is_thread(reader, record->thread)) {
            reader->thread = record->thread;
            if (record->op != HEDDLE_WIRE_SWITCH || reader->show_switches)
                return true;
        } else if (more) {
            reader->damaged = true;
            reader->next_chunk = UINT64_MAX;
            reader->open = false;
            hd_trace_unpack_chunk(reader->unpack, "", 0, 0);
            return false;
        } else if (!grow(reader))
            return false;
    }
}

/* --- free-running --------------------------------------------------------------------------- */

/* Goes to the stream's next chunk that has a record; false if there is none. */
static bool next_chunk(hd_native_reader *reader, uint32_t number) {
    hd_native_stream *stream = &reader->streams[number];
    uint64_t mine = (uint64_t)number + 1;
    while (stream->chunk < reader->chunks) {
        uint64_t offset = HEDDLE_WIRE_DATA + stream->chunk++ * HEDDLE_WIRE_CHUNK;
        const uint64_t *chunk = (const uint64_t *)((const char *)reader->wire + offset);
        stream->at = chunk + 1;
        stream->end = chunk + HEDDLE_WIRE_CHUNK / sizeof *chunk;
        if (chunk[0] == mine && *stream->at)
            return true;
    }
    stream->at = stream->end = NULL;
    return false;
}

static bool damaged(hd_native_reader *reader) {
    hd_native_stream *stream = &reader->streams[reader->current];
    reader->damaged = true;
    stream->at = stream->end;
    stream->chunk = reader->chunks;
    return false;
}

/* Fills what follows from the op; false if there is no such op. */
static bool shape(const hd_trace_record *record, unsigned flags, bool *more, uint64_t *bytes) {
    unsigned kind = record->op - 1U;
    *bytes = 0;
    *more = (flags & HEDDLE_WIRE_WORD) != 0;
    if (record->op == 0)
        return false;
    if (kind < HEDDLE_KIND_COUNT) {
        if (hd_trace_kinds[kind].traits & HEDDLE_T_ACCESS)
            *more = (flags & HEDDLE_WIRE_SIZE) >= 3;
        return (flags & HEDDLE_WIRE_SIZE) <= 4;
    }
    switch (record->op) {
    case HEDDLE_WIRE_ALLOCATE:
    case HEDDLE_WIRE_READ_RANGE:
    case HEDDLE_WIRE_WRITE_RANGE:
    case HEDDLE_WIRE_ORDER:
        *more = true;
        return true;
    case HEDDLE_WIRE_FREE:
        return true;
    case HEDDLE_WIRE_NAME:
        *bytes = record->value;
        return record->value <= HEDDLE_WIRE_LABEL;
    default:
        return false;
    }
}

static bool take(hd_native_reader *reader, hd_trace_record *record, uint64_t head) {
    hd_native_stream *stream = &reader->streams[reader->current];
    const uint64_t *at = stream->at, *end = stream->end;
    unsigned flags = (unsigned)(head >> 48) & 0xff;
    if (end - at < 4)
        return damaged(reader);
    *record = (hd_trace_record){
        .thread = reader->thread,
        .op = (uint8_t)(head >> 56),
        .has_value = (flags & HEDDLE_WIRE_VALUE) != 0,
        .silent = (flags & HEDDLE_WIRE_SILENT) != 0,
        .address = head & HEDDLE_WIRE_ADDRESS,
        .code = reader->code + (at[1] >> 32),
        .value = (uint32_t)at[1],
    };
    bool more;
    uint64_t bytes;
    if (!shape(record, flags, &more, &bytes))
        return damaged(reader);
    at += 2;
    if (flags & HEDDLE_WIRE_FAR)
        record->code = *at++;
    uint64_t word = more ? *at++ : 0;
    if (record->op <= HEDDLE_KIND_COUNT) {
        record->size = (uint64_t)1 << (flags & HEDDLE_WIRE_SIZE);
        if (more)
            record->value = word;
    } else
        record->size = word;
    bool range = record->op == HEDDLE_WIRE_READ_RANGE || record->op == HEDDLE_WIRE_WRITE_RANGE;
    if (range && record->has_value)
        bytes = record->size;
    if (range && (record->size > HEDDLE_WIRE_ADDRESS ||
                  (record->has_value && record->size > HEDDLE_WIRE_RANGE)))
        return damaged(reader);
    if (bytes || record->op == HEDDLE_WIRE_NAME) {
        if ((uint64_t)(end - at) * 8 < bytes)
            return damaged(reader);
        record->bytes = (const uint8_t *)at;
        at += (bytes + 7) / 8;
    }
    stream->at = at;
    return true;
}

/* A stream that has ended comes last. */
static bool has_record(hd_native_reader *reader, uint32_t number) {
    hd_native_stream *stream = &reader->streams[number];
    return (stream->at != stream->end && *stream->at) || next_chunk(reader, number);
}

/* The stream whose records come first. */
static bool choose_stream(hd_native_reader *reader) {
    uint64_t best = UINT64_MAX;
    for (uint32_t i = 0; i < reader->threads; i++)
        if (has_record(reader, i) && reader->streams[i].order < best) {
            best = reader->streams[i].order;
            reader->current = i;
        }
    reader->thread = reader->current;
    return best != UINT64_MAX;
}

bool hd_native_reader_next(hd_native_reader *reader, hd_trace_record *record) {
    if (reader->unpack)
        return next_packed(reader, record);
    for (;;) {
        if (!has_record(reader, reader->current) && !choose_stream(reader))
            return false;
        hd_native_stream *stream = &reader->streams[reader->current];
        if (!take(reader, record, *stream->at))
            return false;
        if (record->op != HEDDLE_WIRE_ORDER)
            return true;
        stream->order = record->size;
        if (!choose_stream(reader))
            return false;
    }
}
