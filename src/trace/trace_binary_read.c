/*
 * Reading the binary format (doc/format.md).  Nothing in the file is trusted: sizes are bounded
 * before memory is allocated, every number is checked before it is used as an index, and the
 * checksum is only the first check.
 *
 * The hot loop is in decode_chunk: one operation byte, two or three numbers and a 24-byte store per
 * event, straight to the event's place in the block.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "trace_binary.h"
#include "trace_binary_stacks.h"
#include "trace_program.h"
#include "trace_recorded.h"
#include "trace_source.h"

/* An operation of a block: the fields that it gives an event, and its class. */
struct op {
    uint16_t size;
    uint8_t kind, flags;
    uint8_t class;
};

/* One thread's part of a block, while its columns are read. */
struct chunk {
    uint32_t thread;
    uint32_t count;  /* events */
    uint32_t *place; /* of each of them in the block */
    const unsigned char *ops;
    const unsigned char *objects, *locations, *values;
    unsigned object_width, location_width,
        value_width; /* bytes per number: 1, 2, 4; 8 for values */
};

struct binary {
    uint64_t section_at; /* offset of the current section, for messages */
    unsigned char *raw;  /* the section's bytes, with padding after them */
    size_t raw_capacity;
    const unsigned char *at, *end; /* within raw */
    ZSTD_DCtx *zstd;
    HD_VEC(heddle_event) events; /* of one block */
    HD_VEC(uint32_t) places;     /* of the events, chunk by chunk; room for twice as many */
    HD_VEC(struct chunk) chunks;
    struct op ops[HD_TRACE_BLOCK_OPS];
    uint32_t op_count;
    uint32_t limits[HEDDLE_CLASS_COUNT]; /* lengths of the tables */
    hd_trace_recorded *recorded;         /* of a file that has a packed record; else NULL */
    bool in_chunk;                       /* of it */
    bool has_lanes; /* it has lanes of a free run, to be read when all are there */
    bool guesses;   /* the order of some operations was guessed */
    uint32_t version;
    bool ended;
    bool cut_off; /* the file ends too early, or a section is damaged */
};

static bool bad(const hd_trace_cursor *cursor, hd_error *error, const char *what) {
    const struct binary *binary = cursor->state;
    return hd_error_set(error, "%s: offset %llu: %s", cursor->input.name,
                        (unsigned long long)binary->section_at, what);
}

/* The same for damage that a crash can cause: recovery ends the trace here. */
static bool damaged(const hd_trace_cursor *cursor, hd_error *error, const char *what) {
    struct binary *binary = cursor->state;
    binary->cut_off = true;
    return bad(cursor, error, what);
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
    size_t size =
        ZSTD_decompressDCtx(binary->zstd, binary->raw, section->raw, stored, section->stored);
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
        return damaged(cursor, error, "the file is cut off (its end section is missing)");
    unsigned char head[HD_TRACE_SECTION_SIZE];
    memcpy(head, input->at, sizeof head);
    if (!hd_trace_section_unpack(section, head) || section->raw > HD_TRACE_MAX_SECTION ||
        section->stored > HD_TRACE_MAX_SECTION)
        return damaged(cursor, error, "corrupt section header");
    if (!hd_trace_input_fill(input, HD_TRACE_SECTION_SIZE + (size_t)section->stored, error))
        return false;
    if (hd_trace_input_left(input) < HD_TRACE_SECTION_SIZE + (size_t)section->stored)
        return damaged(cursor, error, "the file is cut off within a section");
    const char *stored = input->at + HD_TRACE_SECTION_SIZE;
    if (hd_trace_section_checksum(head, stored, section->stored) != section->checksum)
        return damaged(cursor, error, "corrupt section (wrong checksum)");
    if (!unpack_payload(cursor, section, stored, error))
        return false;
    input->at += HD_TRACE_SECTION_SIZE + section->stored;
    return true;
}

/* A varint of at most `limit`; reading past the end shows when `at` is compared. */
static bool take_number(struct binary *binary, uint64_t limit, uint64_t *value) {
    if (binary->at >= binary->end)
        return false;
    *value = hd_trace_get_varint(&binary->at);
    return *value <= limit && binary->at <= binary->end;
}

static bool take_u32(struct binary *binary, uint64_t limit, uint32_t *value) {
    uint64_t wide;
    if (!take_number(binary, limit, &wide))
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
    if (!take_u32(binary, HD_TRACE_MAX_NAME, &length) ||
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
            if (!take_name(cursor, (enum heddle_class) class, first + i, error))
                return false;
    }
    return true;
}

/* ---- Blocks ---- */

enum {
    EVENT_FLAGS =
        HEDDLE_HAS_VALUE | HEDDLE_REENTRANT | HEDDLE_GUESSED | HEDDLE_UNEXPLAINED | HEDDLE_CONTINUED
};

static bool take_ops(struct binary *binary) {
    if (!take_u32(binary, HD_TRACE_BLOCK_OPS, &binary->op_count))
        return false;
    for (uint32_t i = 0; i < binary->op_count; i++) {
        uint32_t kind, flags, size;
        if (!take_u32(binary, HEDDLE_KIND_COUNT - 1, &kind) ||
            !take_u32(binary, EVENT_FLAGS, &flags) || !take_u32(binary, UINT16_MAX, &size))
            return false;
        const hd_trace_kind *about = &hd_trace_kinds[kind];
        bool guessed = (flags & HEDDLE_GUESSED) != 0,
             unexplained = (flags & HEDDLE_UNEXPLAINED) != 0;
        if ((flags && !(about->traits & HEDDLE_T_VALUE)) || flags & HEDDLE_REENTRANT ||
            (unexplained && !guessed) ||
            ((size || guessed || flags & HEDDLE_CONTINUED) && !(about->traits & HEDDLE_T_ACCESS)))
            return false;
        binary->guesses |= guessed;
        binary->ops[i] = (struct op){(uint16_t)size, (uint8_t)kind, (uint8_t)flags, about->class};
    }
    return true;
}

/* A column's width, and the column itself, which is skipped. */
static bool take_column(struct binary *binary, uint32_t count, unsigned widest,
                        const unsigned char **column, unsigned *width) {
    if (!take_u32(binary, widest, width) || (*width & (*width - 1)) != 0 || *width == 0)
        return false;
    size_t size = (size_t)count * *width;
    if (size > (size_t)(binary->end - binary->at))
        return false;
    *column = binary->at;
    binary->at += size;
    return true;
}

/* Are all operations known, and how many of them carry a value? */
static bool count_values(const struct binary *binary, const struct chunk *chunk, uint32_t *valued) {
    unsigned char largest = 0;
    *valued = 0;
    for (uint32_t i = 0; i < chunk->count; i++) {
        largest = chunk->ops[i] > largest ? chunk->ops[i] : largest;
        *valued += binary->ops[chunk->ops[i]].flags & HEDDLE_HAS_VALUE;
    }
    return largest < binary->op_count;
}

/* Threads and lengths of the chunks. */
static bool take_chunks(struct binary *binary, uint32_t events) {
    uint32_t chunks, sum = 0;
    if (!take_u32(binary, events, &chunks))
        return false;
    hd_vec_reserve(&binary->chunks, chunks);
    binary->chunks.length = chunks;
    for (uint32_t i = 0; i < chunks; i++) {
        struct chunk *chunk = &binary->chunks.data[i];
        if (!take_u32(binary, UINT32_MAX, &chunk->thread) ||
            chunk->thread >= binary->limits[HEDDLE_CLASS_THREAD] ||
            !take_u32(binary, events - sum, &chunk->count))
            return false;
        chunk->place = binary->places.data + sum;
        sum += chunk->count;
    }
    return sum == events;
}

static bool take_columns(struct binary *binary, struct chunk *chunk) {
    uint32_t valued;
    if (chunk->count > (size_t)(binary->end - binary->at))
        return false;
    chunk->ops = binary->at;
    binary->at += chunk->count;
    return take_column(binary, chunk->count, 4, &chunk->objects, &chunk->object_width) &&
           take_column(binary, chunk->count, 4, &chunk->locations, &chunk->location_width) &&
           count_values(binary, chunk, &valued) &&
           take_column(binary, valued, 8, &chunk->values, &chunk->value_width);
}

/* A number of a column; may look at up to 8 bytes. */
static inline uint64_t column_next(const unsigned char **at, unsigned width, uint64_t mask) {
    uint64_t word;
    memcpy(&word, *at, sizeof word);
    *at += width;
    return le64toh(word) & mask;
}

static uint64_t column_mask(unsigned width) {
    return UINT64_MAX >> (64 - 8 * width);
}

/* The schedule says which chunk each event of the block is in: from it, the place of each chunk's
 * events.  A schedule that gives a chunk more events than it has runs into the room of the next,
 * which is detected at the end. */
static bool take_schedule(struct binary *binary, uint32_t events) {
    const unsigned char *schedule;
    unsigned width;
    if (!take_column(binary, events, 4, &schedule, &width))
        return false;
    uint64_t mask = column_mask(width);
    for (uint32_t i = 0; i < events; i++) {
        uint64_t number = column_next(&schedule, width, mask);
        if (number >= binary->chunks.length)
            return false;
        *binary->chunks.data[number].place++ = i;
    }
    for (size_t i = 0; i < binary->chunks.length; i++) {
        struct chunk *chunk = &binary->chunks.data[i];
        uint32_t *start = i ? chunk[-1].place + chunk[-1].count : binary->places.data;
        if (chunk->place != start + chunk->count)
            return false;
        chunk->place = start;
    }
    return true;
}

/* Puts the events of a chunk in their places; false on a number out of range.
 * All that the loop needs is in locals: a store to an event could be to anything
 * as far as the compiler knows, and it would load the rest again. */
__attribute__((noinline)) static bool decode_chunk(const struct binary *binary,
                                                   const struct chunk *chunk) {
    const struct op *const table = binary->ops;
    heddle_event *const events = binary->events.data;
    const unsigned char *ops = chunk->ops, *objects = chunk->objects;
    const unsigned char *locations = chunk->locations, *values = chunk->values;
    const uint32_t *place = chunk->place, *const end = place + chunk->count;
    const unsigned object_width = chunk->object_width, location_width = chunk->location_width;
    const unsigned value_width = chunk->value_width;
    const uint64_t object_mask = column_mask(object_width);
    const uint64_t location_mask = column_mask(location_width);
    const uint64_t value_mask = column_mask(value_width);
    const uint32_t thread = chunk->thread;
    const uint32_t location_limit = binary->limits[HEDDLE_CLASS_LOCATION];
    uint32_t object[HEDDLE_CLASS_COUNT] = {0}, limits[HEDDLE_CLASS_COUNT];
    memcpy(limits, binary->limits, sizeof limits);
    uint32_t location = 0;
    uint64_t value = 0;
    for (; place < end; place++) {
        const struct op *op = &table[*ops++];
        heddle_event *to = &events[*place];
        uint32_t current =
            object[op->class] +
            (uint32_t)hd_trace_unzigzag(column_next(&objects, object_width, object_mask));
        location +=
            (uint32_t)hd_trace_unzigzag(column_next(&locations, location_width, location_mask));
        if (current >= limits[op->class] || location >= location_limit)
            return false;
        object[op->class] = current;
        *to = (heddle_event){.thread = thread,
                             .object = current,
                             .location = location,
                             .size = op->size,
                             .kind = op->kind,
                             .flags = op->flags};
        if (op->flags & HEDDLE_HAS_VALUE) {
            value += (uint64_t)hd_trace_unzigzag(column_next(&values, value_width, value_mask));
            to->value = (int64_t)value;
        }
    }
    return true;
}

static bool decode_block(hd_trace_cursor *cursor, uint32_t count) {
    struct binary *binary = cursor->state;
    hd_vec_reserve(&binary->events, count);
    hd_vec_reserve(&binary->places, 2 * (size_t)count);
    for (unsigned which = 0; which < HEDDLE_CLASS_COUNT; which++)
        binary->limits[which] = cursor->own_tables.names[which].length;
    if (!take_ops(binary) || !take_chunks(binary, count) || !take_schedule(binary, count))
        return false;
    for (size_t i = 0; i < binary->chunks.length; i++)
        if (!take_columns(binary, &binary->chunks.data[i]) ||
            !decode_chunk(binary, &binary->chunks.data[i]))
            return false;
    return binary->at == binary->end;
}

static bool check_block(hd_trace_cursor *cursor, uint32_t count, hd_error *error) {
    struct binary *binary = cursor->state;
    size_t wrong;
    if (hd_trace_check_batch(cursor->check, cursor->tables, binary->events.data, count, &wrong,
                             error))
        return true;
    return hd_error_prefix(error, "%s: event %llu: ", cursor->input.name,
                           (unsigned long long)cursor->first + wrong);
}

static bool take_block(hd_trace_cursor *cursor, hd_error *error) {
    struct binary *binary = cursor->state;
    uint64_t first;
    uint32_t count;
    if (!take_number(binary, UINT64_MAX, &first) ||
        !take_u32(binary, HD_TRACE_BLOCK_EVENTS, &count) || count == 0)
        return bad(cursor, error, "corrupt block of events");
    if (first != cursor->first)
        return bad(cursor, error, "a block of events is missing");
    if (first + count - 1 > HD_TRACE_MAX_EVENTS)
        return bad(cursor, error, "more events than can be numbered");
    if (!decode_block(cursor, count))
        return bad(cursor, error, "corrupt block of events");
    if (cursor->check && !check_block(cursor, count, error))
        return false;
    cursor->events = binary->events.data;
    cursor->count = count;
    cursor->guesses |= binary->guesses;
    return true;
}

/* ---- Packed records ---- */

static const char corrupt_record[] = "corrupt record: perhaps the program wrote over it; 'heddle "
                                     "convert --recover' keeps what comes "
                                     "before";

static bool take_recorded(hd_trace_cursor *cursor, unsigned type, hd_error *error) {
    struct binary *binary = cursor->state;
    if (!binary->recorded)
        binary->recorded = hd_trace_recorded_create(&cursor->own_tables, cursor->stacks);
    bool good = false;
    if (type == HD_TRACE_SECTION_TABLES)
        good = hd_trace_recorded_tables(
            binary->recorded, binary->version >= HD_TRACE_STACKS_VERSION, binary->at, binary->end);
    else if (type == HD_TRACE_SECTION_GRANULES)
        good = hd_trace_recorded_granules(binary->recorded, binary->at, binary->end);
    else if (type == HD_TRACE_SECTION_LANE)
        good = hd_trace_recorded_lane(binary->recorded, binary->at, binary->end);
    else
        binary->in_chunk = good =
            hd_trace_recorded_chunk(binary->recorded, binary->at, binary->end);
    binary->has_lanes |= good && type == HD_TRACE_SECTION_LANE;
    if (good)
        return true;
    bool record = type == HD_TRACE_SECTION_RECORD || type == HD_TRACE_SECTION_LANE;
    return record ? damaged(cursor, error, "corrupt record") : bad(cursor, error, "corrupt record");
}

/* Impossible events (of a mutex that was overwritten while held, for example) are left out, and
 * counted. */
static size_t leave_out(hd_trace_cursor *cursor, heddle_event *events, size_t count) {
    size_t done = 0, wrong;
    hd_error unused;
    while (done < count && !hd_trace_check_batch(cursor->check, cursor->tables, events + done,
                                                 count - done, &wrong, &unused)) {
        done += wrong;
        count--;
        if (cursor->stacks)
            hd_trace_stacks_drop(cursor->stacks, cursor->first + (uint32_t)done);
        memmove(events + done, events + done + 1, (count - done) * sizeof *events);
        cursor->lost++;
        cursor->incomplete = true;
    }
    return count;
}

/* The next events of the chunk, if it has more. */
static bool next_recorded(hd_trace_cursor *cursor, hd_error *error) {
    struct binary *binary = cursor->state;
    heddle_event *events = NULL;
    size_t count = 0;
    int more = hd_trace_recorded_next(binary->recorded, cursor->first, HD_TRACE_BLOCK_EVENTS,
                                      &events, &count);
    if (more < 0 && !(cursor->flags & HD_TRACE_RECOVER))
        return bad(cursor, error, corrupt_record);
    binary->in_chunk = more > 0;
    if (more < 0) { /* what follows depends on what is damaged */
        binary->ended = true;
        cursor->incomplete = true;
    }
    if (cursor->check)
        count = leave_out(cursor, events, count);
    if (cursor->stacks)
        hd_trace_stacks_settle(cursor->stacks);
    if (cursor->first - 1 + (uint64_t)count > HD_TRACE_MAX_EVENTS)
        return bad(cursor, error, "more events than can be numbered");
    cursor->events = events;
    cursor->count = count;
    cursor->guesses |= binary->has_lanes;
    if (!more && binary->has_lanes)
        binary->ended = true;
    return true;
}

/* No more sections: now the lanes are read. */
static bool end_sections(hd_trace_cursor *cursor, hd_error *error) {
    struct binary *binary = cursor->state;
    binary->ended = !binary->has_lanes;
    binary->in_chunk = binary->has_lanes;
    if (!binary->has_lanes || hd_trace_recorded_lanes(binary->recorded))
        return true;
    if (cursor->flags & HD_TRACE_RECOVER) { /* each lane ends where it is damaged */
        cursor->incomplete = true;
        return true;
    }
    binary->ended = true;
    return bad(cursor, error, corrupt_record);
}

static bool take_stacks(hd_trace_cursor *cursor, hd_error *error) {
    const struct binary *binary = cursor->state;
    if (!cursor->stacks || hd_trace_stacks_read(cursor->stacks, cursor->tables, cursor->first,
                                                binary->at, binary->end))
        return true;
    return bad(cursor, error, "corrupt stacks");
}

static bool take_end(hd_trace_cursor *cursor, hd_error *error) {
    struct binary *binary = cursor->state;
    uint64_t total, lost, incomplete;
    if (!take_number(binary, UINT64_MAX, &total) || !take_number(binary, UINT64_MAX, &lost) ||
        !take_number(binary, 1, &incomplete) || binary->at != binary->end)
        return bad(cursor, error, "corrupt end section");
    bool unknown = binary->recorded && total == UINT64_MAX;
    if (total != cursor->first - 1 && !unknown)
        return bad(cursor, error, "events are missing");
    cursor->lost += lost;
    cursor->incomplete |= incomplete || lost;
    if (!hd_trace_input_fill(&cursor->input, 1, error))
        return false;
    if (hd_trace_input_left(&cursor->input))
        return bad(cursor, error, "bytes after the end section");
    return end_sections(cursor, error);
}

/* Pairs of a name and a value; unknown names are ignored. */
static bool take_program(hd_trace_cursor *cursor, hd_error *error) {
    struct binary *binary = cursor->state;
    while (binary->at < binary->end) {
        const unsigned char *text[2];
        uint64_t length[2];
        for (int i = 0; i < 2; i++) {
            if (!take_number(binary, UINT32_MAX, &length[i]) ||
                length[i] > (uint64_t)(binary->end - binary->at))
                return bad(cursor, error, "corrupt program section");
            text[i] = binary->at;
            binary->at += length[i];
        }
        hd_trace_pair pair = {(const char *)text[0], (const char *)text[1], length[0], length[1]};
        if (!hd_trace_program_take(&pair, cursor->build, &cursor->end))
            return bad(cursor, error, "corrupt program section");
    }
    return true;
}

static bool take_section(hd_trace_cursor *cursor, hd_error *error) {
    const struct binary *binary = cursor->state;
    hd_trace_section section;
    if (!read_section(cursor, &section, error))
        return false;
    switch (section.type) {
    case HD_TRACE_SECTION_NAMES:
        return take_names(cursor, error);
    case HD_TRACE_SECTION_EVENTS:
        return take_block(cursor, error);
    case HD_TRACE_SECTION_PROGRAM:
        return take_program(cursor, error);
    case HD_TRACE_SECTION_END:
        return take_end(cursor, error);
    case HD_TRACE_SECTION_TABLES:
    case HD_TRACE_SECTION_GRANULES:
    case HD_TRACE_SECTION_RECORD:
    case HD_TRACE_SECTION_LANE:
        if (binary->version < HD_TRACE_RECORDED_VERSION ||
            (section.type == HD_TRACE_SECTION_LANE && binary->version < HD_TRACE_FREE_VERSION))
            break;
        return take_recorded(cursor, section.type, error);
    case HD_TRACE_SECTION_STACKS:
        if (binary->version < HD_TRACE_STACKS_VERSION)
            break;
        return take_stacks(cursor, error);
    default:
        break;
    }
    return bad(cursor, error, "unknown section");
}

static int binary_next(hd_trace_cursor *cursor, hd_error *error) {
    struct binary *binary = cursor->state;
    while (!cursor->count && !binary->ended) {
        if (binary->in_chunk ? next_recorded(cursor, error) : take_section(cursor, error))
            continue;
        if (!(cursor->flags & HD_TRACE_RECOVER) || !binary->cut_off || binary->in_chunk ||
            !end_sections(cursor, error)) /* what came before is whole */
            return -1;
        cursor->incomplete = true;
        if (error)
            error->text[0] = '\0';
    }
    if (!cursor->count && binary->recorded)
        hd_trace_end_resolve(&cursor->end, cursor->tables);
    return cursor->count > 0;
}

static void binary_close(hd_trace_cursor *cursor) {
    struct binary *binary = cursor->state;
    if (!binary)
        return;
    free(binary->raw);
    hd_vec_release(&binary->events);
    hd_vec_release(&binary->places);
    hd_vec_release(&binary->chunks);
    ZSTD_freeDCtx(binary->zstd);
    hd_trace_recorded_free(binary->recorded);
    free(binary);
}

const hd_trace_source hd_trace_binary_source = {"binary", binary_next, binary_close};

bool hd_trace_binary_start(hd_trace_cursor *cursor, hd_error *error) {
    struct binary *binary = HD_NEW(struct binary);
    cursor->state = binary;
    binary->zstd = ZSTD_createDCtx();
    hd_trace_input *input = &cursor->input;
    if (!hd_trace_input_fill(input, HD_TRACE_HEADER_SIZE, error))
        return false;
    if (hd_trace_input_left(input) < HD_TRACE_HEADER_SIZE ||
        memcmp(input->at, hd_trace_magic, HD_TRACE_MAGIC_SIZE) != 0)
        return bad(cursor, error, "not a heddle trace (damaged header)");
    uint32_t version = (unsigned char)input->at[HD_TRACE_MAGIC_SIZE];
    if (version < HD_TRACE_BINARY_VERSION || version > HD_TRACE_FREE_VERSION)
        return hd_error_set(error,
                            "%s: version %u of the binary format; this heddle reads %d to %d",
                            input->name, version, HD_TRACE_BINARY_VERSION, HD_TRACE_FREE_VERSION);
    binary->version = version;
    if (version >= HD_TRACE_STACKS_VERSION && cursor->flags & HD_TRACE_STACKS)
        cursor->stacks = hd_trace_stacks_create();
    for (int i = HD_TRACE_MAGIC_SIZE + 1; i < HD_TRACE_HEADER_SIZE; i++)
        if (input->at[i])
            return bad(cursor, error, "damaged header");
    input->at += HD_TRACE_HEADER_SIZE;
    return true;
}
