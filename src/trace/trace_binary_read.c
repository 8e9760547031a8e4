/*
 * Reading the binary format (doc/format.md).  Everything in the file is
 * distrusted: sizes are bounded before memory is taken, every number is checked
 * before it is used as an index, and the checksum is only the first of these.
 *
 * The hot loop is decode_run: one operation byte, two or three varints and a
 * 24-byte store an event, straight to the event's place in the block.
 */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "trace_binary.h"
#include "trace_source.h"

struct op {
    uint8_t kind, flags, class;
    uint16_t size;
};

/* One thread's part of a block, while its columns are read. */
struct chunk {
    uint32_t thread;
    uint32_t left; /* events not yet placed */
    const unsigned char *ops;
    const unsigned char *objects, *objects_end;
    const unsigned char *locations, *locations_end;
    const unsigned char *values, *values_end;
    uint32_t object[HEDDLE_CLASS_COUNT];
    uint32_t location;
    uint64_t value;
};

struct run {
    uint32_t chunk, length;
};

struct binary {
    uint64_t section_at; /* offset of the current section, for messages */
    unsigned char *raw;  /* the section's bytes, with padding behind */
    size_t raw_capacity;
    const unsigned char *at, *end; /* within raw */
    ZSTD_DCtx *zstd;
    heddle_event *events; /* of one block */
    HD_VEC(struct run) runs;
    HD_VEC(struct chunk) chunks;
    struct op ops[HD_TRACE_BLOCK_OPS];
    uint32_t op_count;
    uint32_t limits[HEDDLE_CLASS_COUNT]; /* lengths of the tables */
    bool ended;
};

static bool bad(const hd_trace_cursor *cursor, hd_error *error, const char *what) {
    const struct binary *binary = cursor->state;
    return hd_error_set(error, "%s: offset %llu: %s", cursor->input.name,
                        (unsigned long long)binary->section_at, what);
}

/* ---- Sections ---- */

static bool raw_reserve(struct binary *binary, size_t size) {
    if (size + HD_TRACE_SECTION_PADDING > binary->raw_capacity) {
        binary->raw_capacity = size + HD_TRACE_SECTION_PADDING;
        binary->raw = hd_mem_resize(binary->raw, binary->raw_capacity, 1);
    }
    memset(binary->raw + size, 0, HD_TRACE_SECTION_PADDING);
    binary->at = binary->raw;
    binary->end = binary->raw + size;
    return true;
}

static bool unpack_payload(hd_trace_cursor *cursor, const hd_trace_section *section,
                           const char *stored, hd_error *error) {
    struct binary *binary = cursor->state;
    raw_reserve(binary, section->raw);
    if (section->compression == 0) {
        if (section->stored != section->raw)
            return bad(cursor, error, "corrupt section (sizes differ)");
        memcpy(binary->raw, stored, section->raw);
        return true;
    }
    if (section->compression != 1)
        return bad(cursor, error, "unknown compression");
    size_t size = ZSTD_decompressDCtx(binary->zstd, binary->raw, section->raw, stored,
                                      section->stored);
    if (ZSTD_isError(size) || size != section->raw)
        return bad(cursor, error, "corrupt section (does not decompress)");
    return true;
}

/* Reads the next section into raw.  False at a damaged or missing one. */
static bool read_section(hd_trace_cursor *cursor, hd_trace_section *section, hd_error *error) {
    struct binary *binary = cursor->state;
    hd_trace_input *input = &cursor->input;
    binary->section_at = hd_trace_input_offset(input, input->at);
    if (!hd_trace_input_fill(input, HD_TRACE_SECTION_SIZE, error))
        return false;
    if (hd_trace_input_left(input) < HD_TRACE_SECTION_SIZE)
        return bad(cursor, error, "the file is cut off (its end section is missing)");
    unsigned char head[HD_TRACE_SECTION_SIZE];
    memcpy(head, input->at, sizeof head);
    if (!hd_trace_section_unpack(section, head) || section->raw > HD_TRACE_MAX_SECTION ||
        section->stored > HD_TRACE_MAX_SECTION)
        return bad(cursor, error, "corrupt section header");
    if (!hd_trace_input_fill(input, HD_TRACE_SECTION_SIZE + (size_t)section->stored, error))
        return false;
    if (hd_trace_input_left(input) < HD_TRACE_SECTION_SIZE + (size_t)section->stored)
        return bad(cursor, error, "the file is cut off within a section");
    const char *stored = input->at + HD_TRACE_SECTION_SIZE;
    if (hd_trace_section_checksum(head, stored, section->stored) != section->checksum)
        return bad(cursor, error, "corrupt section (wrong checksum)");
    if (!unpack_payload(cursor, section, stored, error))
        return false;
    input->at += HD_TRACE_SECTION_SIZE + section->stored;
    return true;
}

/* A varint of at most `limit`; reading past the end shows when `at` is compared. */
static bool take(struct binary *binary, uint64_t limit, uint64_t *value) {
    if (binary->at >= binary->end)
        return false;
    *value = hd_trace_get_varint(&binary->at);
    return *value <= limit && binary->at <= binary->end;
}

static bool take_u32(struct binary *binary, uint64_t limit, uint32_t *value) {
    uint64_t wide;
    if (!take(binary, limit, &wide))
        return false;
    *value = (uint32_t)wide;
    return true;
}

/* ---- Names ---- */

static bool take_name(hd_trace_cursor *cursor, enum heddle_class class, uint32_t id,
                      hd_error *error) {
    struct binary *binary = cursor->state;
    hd_names *names = &cursor->own_tables.names[class];
    uint32_t length;
    if (!take_u32(binary, HD_TRACE_MAX_LINE, &length) ||
        length > (size_t)(binary->end - binary->at))
        return bad(cursor, error, "corrupt names");
    const char *text = (const char *)binary->at;
    binary->at += length;
    if (!hd_trace_legal_name(class, text, length))
        return bad(cursor, error, "a name that is not legal");
    if (id < names->length) {
        if (!hd_names_rename(names, id, text, length))
            return bad(cursor, error, "a name that two numbers have");
        return true;
    }
    if (hd_names_add(names, text, length) != id)
        return bad(cursor, error, "a name that two numbers have");
    return true;
}

static bool take_names(hd_trace_cursor *cursor, hd_error *error) {
    struct binary *binary = cursor->state;
    while (binary->at < binary->end) {
        uint32_t class, first, count;
        if (!take_u32(binary, HEDDLE_CLASS_COUNT - 1, &class) ||
            !take_u32(binary, UINT32_MAX, &first) || !take_u32(binary, UINT32_MAX, &count))
            return bad(cursor, error, "corrupt names");
        uint32_t known = cursor->own_tables.names[class].length;
        bool again = class == HEDDLE_CLASS_THREAD && first <= known;
        if (first != known && !again)
            return bad(cursor, error, "names out of order");
        for (uint32_t i = 0; i < count; i++)
            if (!take_name(cursor, (enum heddle_class)class, first + i, error))
                return false;
    }
    return true;
}

/* ---- Blocks ---- */

static bool take_ops(struct binary *binary) {
    if (!take_u32(binary, HD_TRACE_BLOCK_OPS, &binary->op_count))
        return false;
    for (uint32_t i = 0; i < binary->op_count; i++) {
        uint32_t kind, flags, size;
        if (!take_u32(binary, HEDDLE_KIND_COUNT - 1, &kind) ||
            !take_u32(binary, HEDDLE_HAS_VALUE, &flags) || !take_u32(binary, UINT16_MAX, &size))
            return false;
        const hd_trace_kind *about = &hd_trace_kinds[kind];
        if ((flags && !(about->traits & HEDDLE_T_VALUE)) ||
            (size && !(about->traits & HEDDLE_T_ACCESS)))
            return false;
        binary->ops[i] =
            (struct op){(uint8_t)kind, (uint8_t)flags, about->class, (uint16_t)size};
    }
    return true;
}

static bool take_runs(struct binary *binary, uint32_t chunks, uint32_t events) {
    uint32_t count, sum = 0;
    if (!take_u32(binary, events, &count))
        return false;
    hd_vec_reserve(&binary->runs, count);
    for (uint32_t i = 0; i < count; i++) {
        struct run run;
        if (!take_u32(binary, UINT32_MAX, &run.chunk) || run.chunk >= chunks ||
            !take_u32(binary, events - sum, &run.length))
            return false;
        sum += run.length;
        binary->runs.data[i] = run;
    }
    binary->runs.length = count;
    return sum == events;
}

/* The columns of a chunk lie behind one another. */
static bool take_chunk(struct binary *binary, struct chunk *chunk) {
    uint32_t sizes[3];
    *chunk = (struct chunk){0};
    if (!take_u32(binary, UINT32_MAX, &chunk->thread) ||
        chunk->thread >= binary->limits[HEDDLE_CLASS_THREAD] ||
        !take_u32(binary, HD_TRACE_BLOCK_EVENTS, &chunk->left))
        return false;
    for (int i = 0; i < 3; i++)
        if (!take_u32(binary, HD_TRACE_MAX_SECTION, &sizes[i]))
            return false;
    size_t total = (size_t)chunk->left + sizes[0] + sizes[1] + sizes[2];
    if (total > (size_t)(binary->end - binary->at))
        return false;
    chunk->ops = binary->at;
    chunk->objects = chunk->ops + chunk->left;
    chunk->objects_end = chunk->locations = chunk->objects + sizes[0];
    chunk->locations_end = chunk->values = chunk->locations + sizes[1];
    chunk->values_end = chunk->values + sizes[2];
    binary->at += total;
    return true;
}

/* Places the next `length` events of the chunk; false on anything out of range. */
static bool decode_run(const struct binary *binary, struct chunk *chunk, uint32_t length,
                       heddle_event *to) {
    if (length > chunk->left)
        return false;
    chunk->left -= length;
    const unsigned char *ops = chunk->ops, *objects = chunk->objects;
    const unsigned char *locations = chunk->locations;
    uint32_t location = chunk->location;
    uint32_t location_limit = binary->limits[HEDDLE_CLASS_LOCATION];
    for (heddle_event *end = to + length; to < end; to++) {
        if (*ops >= binary->op_count)
            return false;
        const struct op *op = &binary->ops[*ops++];
        uint32_t object = chunk->object[op->class] +
                          (uint32_t)hd_trace_unzigzag(hd_trace_get_varint(&objects));
        location += (uint32_t)hd_trace_unzigzag(hd_trace_get_varint(&locations));
        if (object >= binary->limits[op->class] || location >= location_limit ||
            objects > chunk->objects_end || locations > chunk->locations_end)
            return false;
        chunk->object[op->class] = object;
        to->thread = chunk->thread;
        to->object = object;
        to->location = location;
        to->size = op->size;
        to->kind = op->kind;
        to->flags = op->flags;
        to->value = 0;
        if (op->flags & HEDDLE_HAS_VALUE) {
            chunk->value += (uint64_t)hd_trace_unzigzag(hd_trace_get_varint(&chunk->values));
            to->value = (int64_t)chunk->value;
            if (chunk->values > chunk->values_end)
                return false;
        }
    }
    chunk->ops = ops;
    chunk->objects = objects;
    chunk->locations = locations;
    chunk->location = location;
    return true;
}

/* Nothing may be left over. */
static bool chunks_used_up(const struct binary *binary) {
    for (size_t i = 0; i < binary->chunks.length; i++) {
        const struct chunk *chunk = &binary->chunks.data[i];
        if (chunk->left || chunk->objects != chunk->objects_end ||
            chunk->locations != chunk->locations_end || chunk->values != chunk->values_end)
            return false;
    }
    return binary->at == binary->end;
}

static bool decode_block(hd_trace_cursor *cursor, uint32_t count) {
    struct binary *binary = cursor->state;
    uint32_t chunks;
    for (unsigned class = 0; class < HEDDLE_CLASS_COUNT; class++)
        binary->limits[class] = cursor->own_tables.names[class].length;
    if (!take_ops(binary) || !take_u32(binary, count, &chunks) ||
        !take_runs(binary, chunks, count))
        return false;
    hd_vec_reserve(&binary->chunks, chunks);
    binary->chunks.length = chunks;
    for (uint32_t i = 0; i < chunks; i++)
        if (!take_chunk(binary, &binary->chunks.data[i]))
            return false;
    heddle_event *to = binary->events;
    for (size_t i = 0; i < binary->runs.length; i++) {
        const struct run *run = &binary->runs.data[i];
        if (!decode_run(binary, &binary->chunks.data[run->chunk], run->length, to))
            return false;
        to += run->length;
    }
    return chunks_used_up(binary);
}

static bool check_block(hd_trace_cursor *cursor, uint32_t count, hd_error *error) {
    struct binary *binary = cursor->state;
    for (uint32_t i = 0; i < count; i++)
        if (!hd_trace_check_event(cursor->check, cursor->tables, &binary->events[i], error))
            return hd_error_prefix(error, "%s: event %llu: ", cursor->input.name,
                                   (unsigned long long)cursor->first + i);
    return true;
}

static bool take_block(hd_trace_cursor *cursor, hd_error *error) {
    struct binary *binary = cursor->state;
    uint64_t first;
    uint32_t count;
    if (!take(binary, UINT64_MAX, &first) || !take_u32(binary, HD_TRACE_BLOCK_EVENTS, &count) ||
        count == 0)
        return bad(cursor, error, "corrupt block of events");
    if (first != cursor->first)
        return bad(cursor, error, "a block of events is missing");
    if (first + count - 1 > HD_TRACE_MAX_EVENTS)
        return bad(cursor, error, "more events than can be numbered");
    if (!decode_block(cursor, count))
        return bad(cursor, error, "corrupt block of events");
    if (cursor->check && !check_block(cursor, count, error))
        return false;
    cursor->events = binary->events;
    cursor->count = count;
    return true;
}

static bool take_end(hd_trace_cursor *cursor, hd_error *error) {
    struct binary *binary = cursor->state;
    uint64_t total, lost, incomplete;
    if (!take(binary, UINT64_MAX, &total) || !take(binary, UINT64_MAX, &lost) ||
        !take(binary, 1, &incomplete) || binary->at != binary->end)
        return bad(cursor, error, "corrupt end section");
    if (total != cursor->first - 1)
        return bad(cursor, error, "events are missing");
    cursor->lost = lost;
    cursor->incomplete = incomplete || lost;
    if (!hd_trace_input_fill(&cursor->input, 1, error))
        return false;
    if (hd_trace_input_left(&cursor->input))
        return bad(cursor, error, "bytes after the end section");
    binary->ended = true;
    return true;
}

static bool take_section(hd_trace_cursor *cursor, hd_error *error) {
    hd_trace_section section;
    if (!read_section(cursor, &section, error))
        return false;
    switch (section.type) {
    case HD_TRACE_SECTION_NAMES:
        return take_names(cursor, error);
    case HD_TRACE_SECTION_EVENTS:
        return take_block(cursor, error);
    case HD_TRACE_SECTION_END:
        return take_end(cursor, error);
    default:
        return bad(cursor, error, "unknown section");
    }
}

static int binary_next(hd_trace_cursor *cursor, hd_error *error) {
    struct binary *binary = cursor->state;
    while (!cursor->count && !binary->ended) {
        if (take_section(cursor, error))
            continue;
        if (!(cursor->flags & HD_TRACE_RECOVER))
            return -1;
        binary->ended = true; /* what came before is whole */
        cursor->incomplete = true;
        if (error)
            error->text[0] = '\0';
    }
    return cursor->count > 0;
}

static void binary_close(hd_trace_cursor *cursor) {
    struct binary *binary = cursor->state;
    if (!binary)
        return;
    free(binary->raw);
    free(binary->events);
    hd_vec_release(&binary->runs);
    hd_vec_release(&binary->chunks);
    ZSTD_freeDCtx(binary->zstd);
    free(binary);
}

const hd_trace_source hd_trace_binary_source = {"binary", binary_next, binary_close};

bool hd_trace_binary_start(hd_trace_cursor *cursor, hd_error *error) {
    struct binary *binary = HD_NEW(struct binary);
    cursor->state = binary;
    binary->zstd = ZSTD_createDCtx();
    binary->events = hd_mem_alloc(HD_TRACE_BLOCK_EVENTS * sizeof *binary->events);
    hd_trace_input *input = &cursor->input;
    if (!hd_trace_input_fill(input, HD_TRACE_HEADER_SIZE, error))
        return false;
    if (hd_trace_input_left(input) < HD_TRACE_HEADER_SIZE ||
        memcmp(input->at, hd_trace_magic, HD_TRACE_MAGIC_SIZE) != 0)
        return bad(cursor, error, "not a heddle trace (damaged header)");
    uint32_t version = (unsigned char)input->at[HD_TRACE_MAGIC_SIZE];
    if (version != HD_TRACE_BINARY_VERSION)
        return hd_error_set(error, "%s: version %u of the binary format; this heddle reads %d",
                            input->name, version, HD_TRACE_BINARY_VERSION);
    for (int i = HD_TRACE_MAGIC_SIZE + 1; i < HD_TRACE_HEADER_SIZE; i++)
        if (input->at[i])
            return bad(cursor, error, "damaged header");
    input->at += HD_TRACE_HEADER_SIZE;
    return true;
}
