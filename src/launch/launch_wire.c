#include "launch_drain.h"

#include <stdlib.h>

/* The number of chunks in the file. */
static uint64_t count_chunks(const hd_launch_run *run) {
    const heddle_wire *wire = run->wire;
    uint64_t room = wire->size > run->size ? run->size : wire->size;
    uint64_t most = room > HEDDLE_WIRE_DATA ? (room - HEDDLE_WIRE_DATA) / HEDDLE_WIRE_CHUNK : 0;
    return wire->chunks < most ? wire->chunks : most;
}

void hd_launch_piece_of(const heddle_wire_chunk *chunk, hd_launch_piece *piece) {
    uint64_t used = HEDDLE_WIRE_TAIL_BYTES(chunk->tail), run = HEDDLE_WIRE_TAIL_RUN(chunk->tail);
    *piece = (hd_launch_piece){.bytes = chunk->bytes};
    /* A chunk that was taken and not begun is empty, whatever its lane. */
    if (!chunk->lane || chunk->lane > HEDDLE_WIRE_THREADS)
        return;
    piece->lane = (uint32_t)(chunk->lane - 1);
    piece->size =
        used < HEDDLE_WIRE_CHUNK - sizeof *chunk ? used : HEDDLE_WIRE_CHUNK - sizeof *chunk;
    piece->run = run;
    piece->records = chunk->items + run;
    piece->silent = chunk->silent;
}

bool hd_launch_chunk(const hd_launch_run *run, uint64_t number, hd_launch_piece *piece) {
    if (run->drain)
        return hd_launch_drained(run, number, piece);
    if (number >= count_chunks(run))
        return false;
    hd_launch_piece_of(heddle_wire_chunk_at(run->wire, number), piece);
    return true;
}

void hd_launch_reader_init(hd_launch_reader *reader, const hd_launch_run *run) {
    const heddle_wire *wire = run->wire;
    *reader = (hd_launch_reader){
        .run = run,
        .threads = wire->threads < HEDDLE_WIRE_THREADS ? wire->threads : HEDDLE_WIRE_THREADS,
    };
    if (wire->mode == HEDDLE_WIRE_CONTROLLED) {
        reader->unpack = hd_packed_unpack_create();
        hd_packed_unpack_chunk(reader->unpack, "", 0, 0);
        return;
    }
    reader->lanes = hd_packed_lanes_create();
    hd_launch_piece piece;
    for (uint64_t i = 0; hd_launch_chunk(run, i, &piece); i++)
        hd_packed_lanes_chunk(reader->lanes, piece.lane, piece.bytes, piece.size, piece.run);
    hd_packed_lanes_order(reader->lanes, NULL);
}

void hd_launch_reader_order(hd_launch_reader *reader, hd_packed_granules *granules) {
    if (reader->lanes)
        hd_packed_lanes_order(reader->lanes, granules);
}

void hd_launch_reader_release(hd_launch_reader *reader) {
    hd_packed_unpack_free(reader->unpack);
    hd_packed_lanes_free(reader->lanes);
    reader->lanes = NULL;
    reader->unpack = NULL;
}

static bool next_packed(hd_launch_reader *reader, hd_packed_record *record) {
    for (;;) {
        int more = hd_packed_unpack_next(reader->unpack, record);
        hd_launch_piece piece;
        if (more > 0 && record->thread < reader->threads) {
            if (record->op != HEDDLE_WIRE_SWITCH || reader->show_switches)
                return true;
        } else if (more) {
            reader->damaged = true;
            reader->next_chunk = UINT64_MAX;
            hd_packed_unpack_chunk(reader->unpack, "", 0, 0);
            return false;
        } else if (hd_launch_chunk(reader->run, reader->next_chunk, &piece)) {
            reader->next_chunk++;
            hd_packed_unpack_chunk(reader->unpack, piece.bytes, piece.size, piece.run);
        } else
            return false;
    }
}

bool hd_launch_reader_next(hd_launch_reader *reader, hd_packed_record *record) {
    if (reader->unpack)
        return next_packed(reader, record);
    while (hd_packed_lanes_next(reader->lanes, record)) {
        if (record->thread < reader->threads)
            return true;
        reader->damaged = true;
    }
    reader->damaged |= hd_packed_lanes_damaged(reader->lanes);
    return false;
}
