#include "launch_drain.h"

#include <stdlib.h>

static bool bound_32(uint32_t *count, uint32_t most) {
    bool beyond = *count > most;
    *count = beyond ? most : *count;
    return beyond;
}

static bool bound_64(uint64_t *count, uint64_t most) {
    bool beyond = *count > most;
    *count = beyond ? most : *count;
    return beyond;
}

/* As many as there are in the table, if the number is lost. */
static bool bound_threads(heddle_wire *wire) {
    bool beyond = bound_32(&wire->threads, HEDDLE_WIRE_THREADS);
    while (beyond && wire->threads && !wire->thread[wire->threads - 1].birth)
        wire->threads--;
    wire->threads = wire->threads ? wire->threads : 1;
    return beyond;
}

bool hd_launch_bound(heddle_wire *wire) {
    const uint64_t believed = (uint64_t)1 << 48; /* more events than a run can have */
    bool beyond = bound_threads(wire);
    beyond |= bound_64(&wire->codes, HEDDLE_WIRE_CODES);
    beyond |= bound_64(&wire->objects, HEDDLE_WIRE_OBJECT_COUNT);
    beyond |= bound_32(&wire->modules, HEDDLE_WIRE_MODULES);
    beyond |= bound_32(&wire->inputs, HEDDLE_WIRE_INPUTS);
    beyond |= bound_32(&wire->anys, HEDDLE_WIRE_WAYS);
    beyond |= bound_32(&wire->atomics, HEDDLE_WIRE_ATOMICS);
    if (wire->lost > believed) { /* how many is not known */
        wire->lost = 0;
        beyond = true;
    }
    for (uint32_t i = 0; i < wire->modules; i++)
        wire->module[i].path[sizeof wire->module[i].path - 1] = '\0';
    for (uint32_t i = 0; i < wire->threads; i++)
        wire->thread[i].name[sizeof wire->thread[i].name - 1] = '\0';
    for (uint32_t i = 0; i < wire->labels && i < HEDDLE_WIRE_LABELS; i++)
        wire->label[i][HEDDLE_WIRE_LABEL] = '\0';
    wire->message[sizeof wire->message - 1] = '\0';
    return beyond;
}

/* The number of chunks in the file. */
static uint64_t count_chunks(const hd_launch_run *run) {
    const heddle_wire *wire = run->wire;
    uint64_t room = wire->size > run->size ? run->size : wire->size;
    uint64_t most = room > HEDDLE_WIRE_DATA ? (room - HEDDLE_WIRE_DATA) / HEDDLE_WIRE_CHUNK : 0;
    return wire->chunks < most ? wire->chunks : most;
}

/* Bytes at the start of a chunk, or of a copy, that are as they were written: up to the last check
 * before one that does not match, or all if those without a check are not too many.  If the process
 * was killed after a check was written and before the tail was, the last check is that of one item
 * more. */
static uint64_t intact_bytes(const heddle_wire_chunk *chunk, const unsigned char *bytes,
                             uint64_t used) {
    uint64_t intact = 0, sum = 0;
    for (uint64_t i = 0; intact < used && i < HEDDLE_WIRE_CHECKS; i++) {
        uint64_t end = chunk->checks[i] >> 32;
        if (end / HEDDLE_WIRE_BLOCK != i || end < intact || end > used + HEDDLE_WIRE_BLOCK)
            break;
        sum = heddle_wire_sum(sum, bytes, intact - intact % 8, end);
        if (chunk->checks[i] != heddle_wire_check(sum, bytes, end))
            break;
        intact = end;
    }
    bool checked = intact >= used || used - intact < HEDDLE_WIRE_UNCHECKED;
    return checked ? used : intact;
}

uint64_t hd_launch_used(const heddle_wire_chunk *chunk) {
    uint64_t used = HEDDLE_WIRE_TAIL_BYTES(chunk->tail);
    return used < HD_LAUNCH_MOST ? used : HD_LAUNCH_MOST;
}

void hd_launch_piece_of(const heddle_wire_chunk *chunk, const unsigned char *bytes,
                        hd_launch_piece *piece) {
    uint64_t used = hd_launch_used(chunk), run = HEDDLE_WIRE_TAIL_RUN(chunk->tail);
    *piece = (hd_launch_piece){.bytes = bytes};
    /* A chunk that was taken and not begun is empty, whatever its lane. */
    if (!chunk->lane || chunk->lane > HEDDLE_WIRE_THREADS) {
        piece->damaged = chunk->lane || used;
        piece->number = UINT64_MAX;
        return;
    }
    piece->number = chunk->number;
    piece->lane = (uint32_t)(chunk->lane - 1);
    piece->size = intact_bytes(chunk, bytes, used);
    piece->damaged = piece->size < HEDDLE_WIRE_TAIL_BYTES(chunk->tail);
    piece->run = piece->damaged ? 0 : run;
    piece->records = chunk->items + run;
    piece->silent = chunk->silent;
}

bool hd_launch_chunk(const hd_launch_run *run, uint64_t number, hd_launch_piece *piece) {
    if (run->drain)
        return hd_launch_drained(run, number, piece);
    if (number >= count_chunks(run))
        return false;
    const heddle_wire_chunk *chunk = heddle_wire_chunk_at(run->wire, number);
    hd_launch_piece_of(chunk, chunk->bytes, piece);
    return true;
}

/* The number of the first chunk that was begun and is not there: its head is damaged.  UINT64_MAX:
 * all are.  When the process ended, each thread may have been about to begin one; those were not
 * ready. */
static uint64_t first_missing(const hd_launch_run *run) {
    const heddle_wire *wire = run->wire;
    uint64_t begun = wire->begun, most = run->size / HEDDLE_WIRE_CHUNK, first = 0;
    hd_launch_piece piece;
    hd_bits there;
    if (begun > most)
        begun = most;
    hd_bits_init(&there, begun);
    for (uint64_t i = 0; hd_launch_chunk(run, i, &piece); i++)
        if (piece.number < begun)
            hd_bits_set(&there, piece.number);
    while (first < begun && hd_bits_has(&there, first))
        first++;
    uint64_t found = hd_bits_count(&there);
    hd_bits_release(&there);
    return found >= begun || found >= wire->ready ? UINT64_MAX : first;
}

bool hd_launch_intact(const hd_launch_run *run) {
    hd_launch_piece piece;
    for (uint64_t i = 0; hd_launch_chunk(run, i, &piece); i++)
        if (piece.damaged)
            return false;
    return first_missing(run) == UINT64_MAX;
}

/* The lanes of a free run, each up to its damage. */
static void take_lanes(hd_launch_reader *reader) {
    hd_launch_piece piece;
    hd_bits ended;
    hd_bits_init(&ended, HEDDLE_WIRE_THREADS);
    for (uint64_t i = 0; hd_launch_chunk(reader->run, i, &piece); i++) {
        reader->damaged |= piece.damaged;
        if (piece.number >= reader->missing || hd_bits_has(&ended, piece.lane))
            continue;
        hd_packed_lanes_chunk(reader->lanes, piece.lane, piece.bytes, piece.size, piece.run);
        if (piece.damaged)
            hd_bits_set(&ended, piece.lane);
    }
    hd_bits_release(&ended);
}

void hd_launch_reader_init(hd_launch_reader *reader, const hd_launch_run *run) {
    const heddle_wire *wire = run->wire;
    *reader = (hd_launch_reader){
        .run = run,
        .threads = wire->threads < HEDDLE_WIRE_THREADS ? wire->threads : HEDDLE_WIRE_THREADS,
        .missing = first_missing(run),
    };
    reader->damaged = run->unsure || reader->missing != UINT64_MAX;
    if (wire->mode == HEDDLE_WIRE_CONTROLLED) {
        reader->unpack = hd_packed_unpack_create();
        hd_packed_unpack_chunk(reader->unpack, "", 0, 0);
        return;
    }
    reader->lanes = hd_packed_lanes_create();
    take_lanes(reader);
    hd_packed_lanes_order(reader->lanes, NULL, NULL);
}

bool hd_launch_reader_order(hd_launch_reader *reader, hd_packed_granules *granules,
                            bool (*over)(void)) {
    return !reader->lanes || hd_packed_lanes_order(reader->lanes, granules, over);
}

void hd_launch_reader_release(hd_launch_reader *reader) {
    hd_packed_unpack_free(reader->unpack);
    hd_packed_lanes_free(reader->lanes);
    reader->lanes = NULL;
    reader->unpack = NULL;
}

/* The next chunk of a controlled run for its reader. */
static bool next_chunk(hd_launch_reader *reader) {
    hd_launch_piece piece;
    if (!hd_launch_chunk(reader->run, reader->next_chunk, &piece) ||
        piece.number >= reader->missing)
        return false;
    reader->next_chunk = piece.damaged ? UINT64_MAX : reader->next_chunk + 1;
    reader->damaged |= piece.damaged;
    hd_packed_unpack_chunk(reader->unpack, piece.bytes, piece.size, piece.run);
    return true;
}

static bool next_packed(hd_launch_reader *reader, hd_packed_record *record) {
    for (;;) {
        int more = hd_packed_unpack_next(reader->unpack, record);
        if (more > 0 && record->thread < reader->threads) {
            if (record->op != HEDDLE_WIRE_SWITCH || reader->show_switches)
                return true;
        } else if (more) {
            reader->damaged = true;
            reader->next_chunk = UINT64_MAX;
            hd_packed_unpack_chunk(reader->unpack, "", 0, 0);
            return false;
        } else if (!next_chunk(reader))
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
