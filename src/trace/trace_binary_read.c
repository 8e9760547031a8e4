/*
 * Reading the binary format (doc/format.md).  Nothing in the file is trusted: sizes are bounded
 * before memory is allocated, every number is checked before it is used as an index, and the
 * checksum is only the first check.
 */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "trace_binary_block.h"
#include "trace_binary_stacks.h"
#include "trace_program.h"
#include "trace_recorded.h"
#include "trace_source.h"

struct binary {
    uint64_t section_at; /* offset of the current section, for messages */
    unsigned char *raw;  /* the section's bytes, with padding after them */
    size_t raw_capacity;
    hd_trace_reading left; /* within raw */
    ZSTD_DCtx *zstd;
    hd_trace_block block;
    hd_trace_recorded *recorded; /* of a file that has a packed record; else NULL */
    bool in_chunk;               /* of it */
    bool has_lanes;              /* it has lanes of a free run, to be read when all are there */
    uint32_t version;
    bool ended;
    bool cut_off;   /* the file ends too early, or a section is damaged */
    uint64_t named; /* bytes of the sections of names so far */
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
    binary->left.at = binary->raw;
    binary->left.end = binary->raw + size;
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

/* ---- Names ---- */

static bool take_name(hd_trace_cursor *cursor, enum heddle_class class, uint32_t id,
                      hd_error *error) {
    struct binary *binary = cursor->state;
    hd_names *names = &cursor->own_tables.names[class];
    uint32_t length;
    if (!hd_trace_take_u32(&binary->left, HD_TRACE_MAX_NAME, &length) ||
        length > (size_t)(binary->left.end - binary->left.at))
        return bad(cursor, error, "corrupt names");
    const char *text = (const char *)binary->left.at;
    binary->left.at += length;
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
    binary->named += (size_t)(binary->left.end - binary->left.at);
    while (binary->left.at < binary->left.end) {
        uint32_t class, first, count;
        if (!hd_trace_take_u32(&binary->left, HEDDLE_CLASS_COUNT - 1, &class) ||
            !hd_trace_take_u32(&binary->left, UINT32_MAX, &first) ||
            !hd_trace_take_u32(&binary->left, UINT32_MAX, &count))
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

static bool check_block(hd_trace_cursor *cursor, uint32_t count, hd_error *error) {
    struct binary *binary = cursor->state;
    size_t wrong;
    if (hd_trace_check_batch(cursor->check, cursor->tables, binary->block.events.data, count,
                             &wrong, error))
        return true;
    return hd_error_prefix(error, "%s: event %llu: ", cursor->input.name,
                           (unsigned long long)cursor->first + wrong);
}

static bool take_block(hd_trace_cursor *cursor, hd_error *error) {
    struct binary *binary = cursor->state;
    uint64_t first;
    uint32_t count;
    if (!hd_trace_take_number(&binary->left, UINT64_MAX, &first) ||
        !hd_trace_take_u32(&binary->left, HD_TRACE_BLOCK_EVENTS, &count) || count == 0)
        return bad(cursor, error, "corrupt block of events");
    if (first != cursor->first)
        return bad(cursor, error, "a block of events is missing");
    if (first + count - 1 > HD_TRACE_MAX_EVENTS)
        return bad(cursor, error, "more events than can be numbered");
    if (!hd_trace_block_decode(&binary->block, &cursor->own_tables, binary->left, count))
        return bad(cursor, error, "corrupt block of events");
    if (cursor->check && !check_block(cursor, count, error))
        return false;
    cursor->events = binary->block.events.data;
    cursor->count = count;
    cursor->guesses |= binary->block.guesses;
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
        good =
            hd_trace_recorded_tables(binary->recorded, binary->version >= HD_TRACE_STACKS_VERSION,
                                     binary->left.at, binary->left.end);
    else if (type == HD_TRACE_SECTION_GRANULES)
        good = hd_trace_recorded_granules(binary->recorded, binary->left.at, binary->left.end);
    else if (type == HD_TRACE_SECTION_LANE)
        good = hd_trace_recorded_lane(binary->recorded, binary->left.at, binary->left.end);
    else
        binary->in_chunk = good =
            hd_trace_recorded_chunk(binary->recorded, binary->left.at, binary->left.end);
    binary->has_lanes |= good && type == HD_TRACE_SECTION_LANE;
    if (good)
        return true;
    bool record = type == HD_TRACE_SECTION_RECORD || type == HD_TRACE_SECTION_LANE;
    return record ? damaged(cursor, error, "corrupt record") : bad(cursor, error, "corrupt record");
}

/* Impossible events (of a mutex that was overwritten while held, for example) are left out, and
 * counted. */
static size_t leave_out(hd_trace_cursor *cursor, heddle_event *events, size_t count) {
    size_t kept = 0, at = 0;
    hd_error unused;
    while (at < count) {
        size_t good = count - at;
        bool all = hd_trace_check_batch(cursor->check, cursor->tables, events + at, count - at,
                                        &good, &unused);
        if (kept < at)
            memmove(events + kept, events + at, good * sizeof *events);
        kept += good;
        at += good;
        if (all)
            break;
        if (cursor->stacks)
            hd_trace_stacks_drop(cursor->stacks, cursor->first + (uint32_t)kept);
        at++;
        hd_trace_doubt_certain(events + at, count - at);
        hd_trace_recorded_doubt(((struct binary *)cursor->state)->recorded);
        cursor->lost++;
        cursor->incomplete = true;
    }
    return kept;
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
    bool late = false;
    if (!binary->has_lanes ||
        hd_trace_recorded_lanes(binary->recorded, cursor->flags & HD_TRACE_TIMED, &late)) {
        cursor->input.late |= late;
        return true;
    }
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
                                                binary->left.at, binary->left.end))
        return true;
    return bad(cursor, error, "corrupt stacks");
}

static bool take_end(hd_trace_cursor *cursor, hd_error *error) {
    struct binary *binary = cursor->state;
    uint64_t total, lost, incomplete;
    if (!hd_trace_take_number(&binary->left, UINT64_MAX, &total) ||
        !hd_trace_take_number(&binary->left, UINT64_MAX, &lost) ||
        !hd_trace_take_number(&binary->left, 1, &incomplete) || binary->left.at != binary->left.end)
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
    while (binary->left.at < binary->left.end) {
        const unsigned char *text[2];
        uint64_t length[2];
        for (int i = 0; i < 2; i++) {
            if (!hd_trace_take_number(&binary->left, UINT32_MAX, &length[i]) ||
                length[i] > (uint64_t)(binary->left.end - binary->left.at))
                return bad(cursor, error, "corrupt program section");
            text[i] = binary->left.at;
            binary->left.at += length[i];
        }
        hd_trace_pair pair = {(const char *)text[0], (const char *)text[1], length[0], length[1]};
        bool certain = binary->recorded && pair.name_size == strlen(HD_TRACE_CERTAIN) &&
                       memcmp(pair.name, HD_TRACE_CERTAIN, pair.name_size) == 0;
        if (certain && !hd_trace_recorded_certain(binary->recorded, pair.value, pair.size))
            return bad(cursor, error, "corrupt program section");
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

/* Names of gigabytes, which are packed well, come before any event. */
static bool is_late(hd_trace_cursor *cursor) {
    enum { MUCH = 1 << 24 }; /* bytes */
    const struct binary *binary = cursor->state;
    cursor->input.late |= cursor->flags & HD_TRACE_TIMED && binary->named > MUCH && hd_clock_over();
    return cursor->input.late;
}

static int binary_next(hd_trace_cursor *cursor, hd_error *error) {
    struct binary *binary = cursor->state;
    while (!cursor->count && !binary->ended) {
        if (is_late(cursor))
            return 0;
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
    hd_trace_block_release(&binary->block);
    ZSTD_freeDCtx(binary->zstd);
    hd_trace_recorded_free(binary->recorded);
    free(binary);
}

const hd_trace_source hd_trace_binary_source = {"binary", binary_next, binary_close};

bool hd_trace_binary_start(hd_trace_cursor *cursor, hd_error *error) {
    struct binary *binary = HD_NEW(struct binary);
    cursor->state = binary;
    binary->zstd = hd_mem_made(ZSTD_createDCtx());
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
