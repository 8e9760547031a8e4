#include "native_wire.h"

#include <stdlib.h>

void hd_native_reader_init(hd_native_reader *reader, const hd_native_run *run) {
    const heddle_wire *wire = run->wire;
    uint64_t room = (wire->size > run->size ? run->size : wire->size);
    uint64_t most = room > HEDDLE_WIRE_DATA ? (room - HEDDLE_WIRE_DATA) / HEDDLE_WIRE_CHUNK : 0;
    *reader = (hd_native_reader){
        .wire = wire,
        .size = run->size,
        .chunks = wire->chunks < most ? wire->chunks : most,
        .threads = wire->threads < HEDDLE_WIRE_THREADS ? wire->threads : HEDDLE_WIRE_THREADS,
        .code = wire->code,
        .total = wire->mode == HEDDLE_WIRE_CONTROLLED,
    };
    reader->streams = HD_NEW_ARRAY(hd_native_stream, reader->total ? 1 : reader->threads + 1);
}

void hd_native_reader_release(hd_native_reader *reader) {
    free(reader->streams);
    reader->streams = NULL;
}

/* Goes to the stream's next chunk that has a record; false if there is none. */
static bool next_chunk(hd_native_reader *reader, uint32_t number) {
    hd_native_stream *stream = &reader->streams[number];
    uint64_t mine = (uint64_t)(reader->total ? HEDDLE_WIRE_TOTAL : number) + 1;
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
static bool shape(const hd_native_record *record, unsigned flags, bool *more, uint64_t *bytes) {
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

static bool take(hd_native_reader *reader, hd_native_record *record, uint64_t head) {
    hd_native_stream *stream = &reader->streams[reader->current];
    const uint64_t *at = stream->at, *end = stream->end;
    unsigned flags = (unsigned)(head >> 48) & 0xff;
    if (end - at < 4)
        return damaged(reader);
    *record = (hd_native_record){
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

bool hd_native_reader_next(hd_native_reader *reader, hd_native_record *record) {
    for (;;) {
        if (!has_record(reader, reader->current) && (reader->total || !choose_stream(reader)))
            return false;
        hd_native_stream *stream = &reader->streams[reader->current];
        uint64_t head = *stream->at;
        if (head >> 56 == HEDDLE_WIRE_SWITCH && reader->total) {
            reader->thread = (uint32_t)head & 0xffffff;
            if (reader->thread >= reader->threads)
                return damaged(reader);
            stream->at++;
            *record = (hd_native_record){.op = HEDDLE_WIRE_SWITCH,
                                         .thread = reader->thread,
                                         .size = head >> 24 & UINT32_MAX};
            if (reader->show_switches)
                return true;
            continue;
        }
        if (!take(reader, record, head))
            return false;
        if (record->op != HEDDLE_WIRE_ORDER)
            return true;
        stream->order = record->size;
        if (!reader->total && !choose_stream(reader))
            return false;
    }
}
