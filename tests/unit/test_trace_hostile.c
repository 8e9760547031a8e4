/*
 * Binary files made to deceive: built section by section, with correct
 * checksums, so that what is behind the checksum is tested too.  Files that were
 * only damaged are in test_trace_damage.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>
#include <cmocka.h>

#include "heddle/pack.h"
#include "support_suite.h"
#include "trace/trace.h"
#include "trace/trace_binary.h"

static hd_error error;

/* ---- Bytes in, trace out ---- */

typedef struct bytes {
    unsigned char data[8192];
    size_t length;
} bytes;

static bool take_all(hd_trace *trace, hd_trace_cursor *cursor) {
    hd_trace_batch batch;
    int more;
    while ((more = hd_trace_cursor_next(cursor, &batch, &error)) > 0)
        for (size_t i = 0; i < batch.count; i++)
            hd_trace_append(trace, batch.events[i]);
    trace->incomplete = hd_trace_cursor_incomplete(cursor);
    return more == 0;
}

/* Reads an exact copy of the bytes as the file "t". */
static bool parse(hd_trace *trace, const void *data, size_t size, unsigned flags) {
    hd_trace_init(trace);
    error = (hd_error){""};
    void *copy = hd_mem_alloc(size ? size : 1);
    memcpy(copy, data, size);
    hd_trace_cursor *cursor = hd_trace_cursor_memory(copy, size, "t", flags, &error);
    bool good = cursor && take_all(trace, cursor);
    hd_trace_cursor_close(cursor);
    free(copy);
    return good;
}

static bool taken(const bytes *file, unsigned flags) {
    hd_trace trace;
    bool good = parse(&trace, file->data, file->length, flags);
    hd_trace_release(&trace);
    return good;
}

static void expect(const bytes *file, const char *message) {
    if (taken(file, 0))
        fail_msg("taken, instead of '%s'", message);
    assert_string_equal(error.text, message);
}

/* ---- Sections by hand ---- */

static void put(bytes *to, const void *data, size_t size) {
    assert_true(to->length + size <= sizeof to->data);
    memcpy(to->data + to->length, data, size);
    to->length += size;
}

static void put_number(bytes *to, uint64_t value) {
    assert_true(to->length + 10 <= sizeof to->data);
    to->length = (size_t)(hd_trace_put_varint(to->data + to->length, value) - to->data);
}

static void put_numbers(bytes *to, size_t count, ...) {
    va_list numbers;
    va_start(numbers, count);
    for (size_t i = 0; i < count; i++)
        put_number(to, (uint64_t)va_arg(numbers, int));
    va_end(numbers);
}

static void put_header(bytes *to) {
    unsigned char header[HD_TRACE_HEADER_SIZE] = {0};
    memcpy(header, hd_trace_magic, HD_TRACE_MAGIC_SIZE);
    header[HD_TRACE_MAGIC_SIZE] = HD_TRACE_BINARY_VERSION;
    put(to, header, sizeof header);
}

/* With these sizes, whatever they are, and a correct checksum. */
static void put_section_as(bytes *to, hd_trace_section section, const void *stored, size_t size) {
    unsigned char head[HD_TRACE_SECTION_SIZE];
    hd_trace_section_pack(head, &section);
    section.checksum = hd_trace_section_checksum(head, stored, size);
    hd_trace_section_pack(head, &section);
    put(to, head, sizeof head);
    put(to, stored, size);
}

static void put_section(bytes *to, char type, const bytes *raw) {
    uint32_t size = (uint32_t)raw->length;
    put_section_as(to, (hd_trace_section){.type = (uint8_t)type, .stored = size, .raw = size},
                   raw->data, size);
}

static void put_names(bytes *raw, int class, int first, const char *name, size_t length) {
    put_numbers(raw, 3, class, first, 1);
    put_number(raw, length);
    put(raw, name, length);
}

/* A block of two writes (or locks, ...) and all that can be said wrong in it. */
struct block {
    int first, count;
    int ops, kind, flags;
    int size;
    int chunks, thread, chunk_count, second_count;
    int schedule_width, object_width, location_width, value_width;
    unsigned char schedule[2], op[2], objects[2], locations[2], values[2];
    int extra; /* bytes behind the end */
};

static struct block good_block(void) {
    return (struct block){.first = 1,
                          .count = 2,
                          .ops = 1,
                          .kind = HEDDLE_WRITE,
                          .chunks = 1,
                          .chunk_count = 2,
                          .schedule_width = 1,
                          .object_width = 1,
                          .location_width = 1,
                          .value_width = 1};
}

static void put_column(bytes *raw, int width, const unsigned char *numbers, size_t count) {
    put_number(raw, (uint64_t)width);
    put(raw, numbers, count);
}

static void put_columns(bytes *raw, const struct block *b, size_t from, size_t count) {
    put(raw, b->op + from, count);
    put_column(raw, b->object_width, b->objects + from, count);
    put_column(raw, b->location_width, b->locations + from, count);
    put_column(raw, b->value_width, b->values + from, b->flags ? count : 0);
}

static void put_block(bytes *to, const struct block *b) {
    bytes raw = {.length = 0};
    put_numbers(&raw, 3, b->first, b->count, b->ops);
    for (int i = 0; i < b->ops; i++)
        put_numbers(&raw, 3, b->kind, b->flags, b->size);
    put_numbers(&raw, 3, b->chunks, b->thread, b->chunk_count);
    if (b->chunks == 2)
        put_numbers(&raw, 2, b->thread, b->second_count);
    put_column(&raw, b->schedule_width, b->schedule, 2);
    put_columns(&raw, b, 0, b->chunks == 2 ? 1 : 2);
    if (b->chunks == 2)
        put_columns(&raw, b, 1, 1);
    for (int i = 0; i < b->extra; i++)
        put_number(&raw, 0);
    put_section(to, HD_TRACE_SECTION_EVENTS, &raw);
}

static void put_end(bytes *to, uint64_t total, uint64_t lost, uint64_t incomplete) {
    bytes raw = {.length = 0};
    put_number(&raw, total);
    put_number(&raw, lost);
    put_number(&raw, incomplete);
    put_section(to, HD_TRACE_SECTION_END, &raw);
}

/* A thread t, a variable x, a lock l; then the block comes at offset BLOCK_AT. */
enum { NAMES_AT = HD_TRACE_HEADER_SIZE, BLOCK_AT = NAMES_AT + HD_TRACE_SECTION_SIZE + 15 };

static bytes with_names(void) {
    bytes file = {.length = 0}, raw = {.length = 0};
    put_header(&file);
    put_names(&raw, HEDDLE_CLASS_THREAD, 0, "t", 1);
    put_names(&raw, HEDDLE_CLASS_VARIABLE, 0, "x", 1);
    put_names(&raw, HEDDLE_CLASS_LOCK, 0, "l", 1);
    put_section(&file, HD_TRACE_SECTION_NAMES, &raw);
    assert_int_equal(file.length, BLOCK_AT);
    return file;
}

static bytes with_block(const struct block *block) {
    bytes file = with_names();
    put_block(&file, block);
    put_end(&file, 2, 0, 0);
    return file;
}

static void corrupt_block(const struct block *block) {
    bytes file = with_block(block);
    char message[64];
    snprintf(message, sizeof message, "t: offset %d: corrupt block of events", BLOCK_AT);
    expect(&file, message);
}

/* Changes one thing of a good block and wants it refused. */
#define CORRUPT(...)                                                                               \
    do {                                                                                           \
        struct block b = good_block();                                                             \
        __VA_ARGS__;                                                                               \
        corrupt_block(&b);                                                                         \
    } while (0)

#define ACCEPTED(...)                                                                              \
    do {                                                                                           \
        struct block b = good_block();                                                             \
        __VA_ARGS__;                                                                               \
        bytes file = with_block(&b);                                                               \
        if (!taken(&file, 0))                                                                      \
            fail_msg("refused: %s", error.text);                                                   \
    } while (0)

static void a_block_by_hand_is_good(void **state) {
    (void)state;
    ACCEPTED((void)0);
    ACCEPTED(b.flags = 1; b.size = UINT16_MAX);
    ACCEPTED(b.chunks = 2; b.chunk_count = b.second_count = 1; b.schedule[1] = 1);
}

static void operations_that_are_none(void **state) {
    (void)state;
    CORRUPT(b.kind = HEDDLE_KIND_COUNT);
    CORRUPT(b.flags = 2);
    CORRUPT(b.size = UINT16_MAX + 1);
    CORRUPT(b.kind = HEDDLE_ACQUIRE; b.flags = 1);
    CORRUPT(b.kind = HEDDLE_ACQUIRE; b.size = 4);
    CORRUPT(b.kind = HEDDLE_MARK; b.size = 4);
    CORRUPT(b.ops = 0);
    CORRUPT(b.ops = HD_TRACE_BLOCK_OPS + 1);
    CORRUPT(b.op[1] = 1);
    CORRUPT(b.op[0] = 255);
    CORRUPT(b.flags = 1; b.op[1] = 1);
}

static void numbers_past_the_tables(void **state) {
    (void)state;
    CORRUPT(b.thread = 1);
    CORRUPT(b.thread = INT32_MAX);
    CORRUPT(b.objects[1] = 2); /* +1 */
    CORRUPT(b.objects[0] = 1); /* -1 */
    CORRUPT(b.locations[1] = 2);
    CORRUPT(b.locations[0] = 1);
    CORRUPT(b.kind = HEDDLE_WAIT); /* no condition has a name */
}

static void widths_that_are_none(void **state) {
    (void)state;
    static const int widths[] = {0, 3, 5, 8, 16, 255};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        CORRUPT(b.schedule_width = widths[i]);
        CORRUPT(b.object_width = widths[i]);
        CORRUPT(b.location_width = widths[i]);
        if (widths[i] != 8)
            CORRUPT(b.value_width = widths[i]);
        CORRUPT(b.flags = 1; b.value_width = widths[i]);
    }
}

static void counts_that_do_not_add_up(void **state) {
    (void)state;
    CORRUPT(b.count = 0);
    CORRUPT(b.count = 1);
    CORRUPT(b.count = 3);
    CORRUPT(b.count = HD_TRACE_BLOCK_EVENTS + 1);
    CORRUPT(b.chunk_count = 0);
    CORRUPT(b.chunk_count = 1);
    CORRUPT(b.chunk_count = 3);
    CORRUPT(b.chunks = 0);
    CORRUPT(b.chunks = 3);
    CORRUPT(b.chunks = 2; b.chunk_count = 1; b.second_count = 2; b.schedule[1] = 1);
    CORRUPT(b.extra = 1);
}

static void schedules_that_lie(void **state) {
    (void)state;
    CORRUPT(b.schedule[1] = 1);
    CORRUPT(b.schedule[0] = 255);
    CORRUPT(b.chunks = 2; b.chunk_count = b.second_count = 1);
    CORRUPT(b.chunks = 2; b.chunk_count = b.second_count = 1; b.schedule[0] = b.schedule[1] = 1);
}

static void blocks_cut_anywhere(void **state) {
    (void)state;
    struct block b = good_block();
    b.flags = 1;
    bytes whole = with_block(&b), raw = {.length = 0};
    hd_trace_section section;
    assert_true(hd_trace_section_unpack(&section, whole.data + BLOCK_AT));
    for (uint32_t length = 0; length < section.raw; length++) {
        bytes file = with_names();
        raw.length = 0;
        put(&raw, whole.data + BLOCK_AT + HD_TRACE_SECTION_SIZE, length);
        put_section(&file, HD_TRACE_SECTION_EVENTS, &raw);
        put_end(&file, 2, 0, 0);
        expect(&file, "t: offset 55: corrupt block of events");
    }
}

static void a_schedule_that_runs_over_all_others(void **state) {
    (void)state;
    /* As many chunks as events can be; the last one gets them all. */
    enum { CHUNKS = 1000 };
    bytes file = with_names(), raw = {.length = 0};
    put_numbers(&raw, 6, 1, CHUNKS, 1, HEDDLE_WRITE, 0, 0);
    put_number(&raw, CHUNKS);
    for (int i = 0; i < CHUNKS; i++)
        put_numbers(&raw, 2, 0, 1);
    put_number(&raw, 2);
    for (int i = 0; i < CHUNKS; i++)
        put(&raw, "\xe7\x03", 2); /* 999 */
    put_section(&file, HD_TRACE_SECTION_EVENTS, &raw);
    expect(&file, "t: offset 55: corrupt block of events");
}

static void blocks_out_of_order(void **state) {
    (void)state;
    struct block b = good_block();
    b.first = 2;
    bytes file = with_block(&b);
    expect(&file, "t: offset 55: a block of events is missing");
    file = with_names();
    bytes raw = {.length = 0};
    put_number(&raw, (UINT64_C(1) << 32) + 1);
    put_numbers(&raw, 1, 2);
    put_section(&file, HD_TRACE_SECTION_EVENTS, &raw);
    expect(&file, "t: offset 55: a block of events is missing");
}

static void events_that_are_no_run(void **state) {
    (void)state;
    struct block b = good_block();
    b.kind = HEDDLE_RELEASE;
    bytes file = with_block(&b);
    expect(&file, "t: event 1: t releases lock l, which no thread holds");
    assert_true(taken(&file, HD_TRACE_UNCHECKED));
    assert_false(taken(&file, HD_TRACE_RECOVER));
    assert_string_equal(error.text, "t: event 1: t releases lock l, which no thread holds");
}

/* ---- Names ---- */

static void bad_name(int class, int first, const char *name, size_t length, const char *words) {
    bytes file = with_names(), raw = {.length = 0};
    char message[96];
    put_names(&raw, class, first, name, length);
    put_section(&file, HD_TRACE_SECTION_NAMES, &raw);
    snprintf(message, sizeof message, "t: offset %d: %s", BLOCK_AT, words);
    expect(&file, message);
}

static void names_that_are_not_legal(void **state) {
    (void)state;
    static const char words[] = "a name that is not legal";
    bad_name(HEDDLE_CLASS_VARIABLE, 1, "a|b", 3, words);
    bad_name(HEDDLE_CLASS_VARIABLE, 1, "a\0b", 3, words);
    bad_name(HEDDLE_CLASS_VARIABLE, 1, "a=b", 3, words);
    bad_name(HEDDLE_CLASS_VARIABLE, 1, "", 0, words);
    bad_name(HEDDLE_CLASS_LOCK, 1, "a\nb", 3, words);
    bad_name(HEDDLE_CLASS_THREAD, 1, "#a", 2, words);
    bad_name(HEDDLE_CLASS_THREAD, 1, "a=b", 3, words);
    bad_name(HEDDLE_CLASS_THREAD, 1, "\x89", 1, words);
    bad_name(HEDDLE_CLASS_THREAD, 0, "a\rb", 3, words);
    bad_name(HEDDLE_CLASS_LOCATION, 1, "a|b", 3, words);
}

static void names_that_two_numbers_have(void **state) {
    (void)state;
    static const char words[] = "a name that two numbers have";
    bad_name(HEDDLE_CLASS_VARIABLE, 1, "x", 1, words);
    bad_name(HEDDLE_CLASS_THREAD, 1, "t", 1, words);
    bad_name(HEDDLE_CLASS_LOCATION, 1, "", 0, words);
}

static void names_out_of_order(void **state) {
    (void)state;
    static const char words[] = "names out of order";
    bad_name(HEDDLE_CLASS_VARIABLE, 2, "y", 1, words);
    bad_name(HEDDLE_CLASS_VARIABLE, 0, "y", 1, words);
    bad_name(HEDDLE_CLASS_THREAD, 2, "u", 1, words);
    bad_name(HEDDLE_CLASS_LOCATION, 0, "u", 1, words);
    bad_name(HEDDLE_CLASS_COUNT, 0, "u", 1, "corrupt names");
}

static void threads_may_be_renamed(void **state) {
    (void)state;
    hd_trace trace;
    struct block b = good_block();
    bytes file = with_names(), raw = {.length = 0};
    put_names(&raw, HEDDLE_CLASS_THREAD, 0, "other", 5);
    put_section(&file, HD_TRACE_SECTION_NAMES, &raw);
    put_block(&file, &b);
    put_end(&file, 2, 0, 0);
    assert_true(parse(&trace, file.data, file.length, 0));
    hd_trace_release(&trace);
}

static void name_sections_cut_anywhere(void **state) {
    (void)state;
    bytes whole = {.length = 0};
    put_names(&whole, HEDDLE_CLASS_VARIABLE, 1, "longer", 6);
    for (size_t length = 1; length < whole.length; length++) {
        bytes file = with_names(), raw = whole;
        raw.length = length;
        put_section(&file, HD_TRACE_SECTION_NAMES, &raw);
        expect(&file, "t: offset 55: corrupt names");
    }
}

static void lengths_and_counts_past_the_section(void **state) {
    (void)state;
    bytes file = with_names(), raw = {.length = 0};
    put_numbers(&raw, 3, HEDDLE_CLASS_VARIABLE, 1, 1);
    put_number(&raw, UINT64_C(1) << 32);
    put(&raw, "yyyy", 4);
    put_section(&file, HD_TRACE_SECTION_NAMES, &raw);
    expect(&file, "t: offset 55: corrupt names");
    file = with_names();
    raw.length = 0;
    put_numbers(&raw, 2, HEDDLE_CLASS_VARIABLE, 1);
    put_number(&raw, UINT32_MAX);
    put(&raw, "\001y", 2);
    put_section(&file, HD_TRACE_SECTION_NAMES, &raw);
    expect(&file, "t: offset 55: corrupt names");
}

/* ---- Sections ---- */

static void sections_with_other_sizes(void **state) {
    (void)state;
    static const uint32_t raws[] = {0, 2, 4, HD_TRACE_MAX_SECTION};
    for (size_t i = 0; i < sizeof raws / sizeof *raws; i++) {
        bytes file = with_names();
        put_section_as(&file, (hd_trace_section){.type = 'E', .stored = 3, .raw = raws[i]},
                       "\0\0\0", 3);
        expect(&file, "t: offset 55: corrupt section (sizes differ)");
    }
}

static void compressed_sections_with_other_sizes(void **state) {
    (void)state;
    static const uint32_t raws[] = {0, 99, 101, HD_TRACE_MAX_SECTION};
    char zeros[100] = {0}, stored[256];
    uint32_t size = (uint32_t)ZSTD_compress(stored, sizeof stored, zeros, sizeof zeros, 1);
    for (size_t i = 0; i < sizeof raws / sizeof *raws; i++) {
        hd_trace_section section = {.type = 'E', .compression = 1, .stored = size, .raw = raws[i]};
        bytes file = with_names();
        put_section_as(&file, section, stored, size);
        expect(&file, "t: offset 55: corrupt section (does not decompress)");
    }
    bytes file = with_names();
    put_section_as(&file, (hd_trace_section){'E', 1, 8, 8, 0}, "garbage!", 8);
    expect(&file, "t: offset 55: corrupt section (does not decompress)");
}

static void sections_of_gigabytes(void **state) {
    (void)state;
    bytes file = with_names();
    put_section_as(&file, (hd_trace_section){.type = 'E', .stored = UINT32_MAX, .raw = 3}, "", 0);
    expect(&file, "t: offset 55: corrupt section header");
    file = with_names();
    put_section_as(&file, (hd_trace_section){'E', 1, 3, UINT32_MAX, 0}, "abc", 3);
    expect(&file, "t: offset 55: corrupt section header");
    file = with_names();
    put_section_as(&file, (hd_trace_section){'E', 1, 3, HD_TRACE_MAX_SECTION + 1, 0}, "abc", 3);
    expect(&file, "t: offset 55: corrupt section header");
}

static void unknown_sections(void **state) {
    (void)state;
    bytes file = with_names(), raw = {.length = 0};
    put_section(&file, 'Z', &raw);
    expect(&file, "t: offset 55: unknown section");
    file = with_names();
    put_section_as(&file, (hd_trace_section){.type = 'E', .compression = 2}, "", 0);
    expect(&file, "t: offset 55: unknown compression");
}

/* No crash leaves such a file: recovery does not take it either. */
static void a_lie_cannot_be_recovered(void **state) {
    (void)state;
    struct block b = good_block();
    bytes file = with_names(), raw = {.length = 0};
    put_block(&file, &b);
    put_section(&file, 'Z', &raw);
    assert_false(taken(&file, HD_TRACE_RECOVER));
    b.object_width = 3;
    file = with_block(&b);
    assert_false(taken(&file, HD_TRACE_RECOVER));
    assert_string_equal(error.text, "t: offset 55: corrupt block of events");
}

static void ends_that_lie(void **state) {
    (void)state;
    struct block b = good_block();
    static const uint64_t ends[][3] = {{1, 0, 0}, {3, 0, 0}, {(UINT64_C(1) << 32) + 2, 0, 0}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        bytes file = with_names();
        put_block(&file, &b);
        size_t at = file.length;
        put_end(&file, ends[i][0], ends[i][1], ends[i][2]);
        char message[64];
        snprintf(message, sizeof message, "t: offset %zu: events are missing", at);
        expect(&file, message);
    }
    bytes file = with_names();
    put_end(&file, 0, 0, 2);
    expect(&file, "t: offset 55: corrupt end section");
    file = with_names();
    put_end(&file, 0, 0, 0);
    expect(&file, "t: no events");
}

static void bytes_after_the_end(void **state) {
    (void)state;
    struct block b = good_block();
    bytes file = with_block(&b);
    char message[64];
    snprintf(message, sizeof message, "t: offset %zu: bytes after the end section",
             file.length - HD_TRACE_SECTION_SIZE - 3);
    put(&file, "", 1);
    expect(&file, message);
}

/* Names of nothing, as many as a section can have: no time, no memory. */
static void a_section_that_swells(void **state) {
    (void)state;
    char *zeros = hd_mem_zero(1, HD_TRACE_MAX_SECTION / 3 * 3);
    static char stored[8192 - 256];
    size_t size = ZSTD_compress(stored, sizeof stored, zeros, HD_TRACE_MAX_SECTION / 3 * 3, 1);
    free(zeros);
    assert_false(ZSTD_isError(size));
    bytes file = with_names();
    hd_trace_section section = {'N', 1, (uint32_t)size, HD_TRACE_MAX_SECTION / 3 * 3, 0};
    put_section_as(&file, section, stored, size);
    put_end(&file, 0, 0, 0);
    expect(&file, "t: no events");
}

/* ---- Packed records ---- */

enum { ADDRESS = 0x10000 };

/* A thread T, and a variable g of 8 bytes. */
static bytes with_variable(void) {
    bytes file = {.length = 0}, raw = {.length = 0};
    uint64_t borders[4096 / 64] = {0x101};
    put_header(&file);
    file.data[HD_TRACE_MAGIC_SIZE] = HD_TRACE_FREE_VERSION;
    put_numbers(&raw, 5, 1, 1, 'T', 0, 0);
    put_section(&file, HD_TRACE_SECTION_TABLES, &raw);
    raw.length = 0;
    put_number(&raw, ADDRESS / 4096);
    put(&raw, borders, sizeof borders);
    put_numbers(&raw, 5, 0, 1, 'g', 0, 0);
    put_section(&file, HD_TRACE_SECTION_GRANULES, &raw);
    return file;
}

/* A site of the variable, or of what is no variable: a place in a lane, or a read. */
static void put_site(bytes *raw, unsigned op, unsigned flags, uint64_t address) {
    uint64_t key = heddle_pack_key(op, flags, 0x1000);
    put_number(raw, 0);
    unsigned char how = HEDDLE_PACK_NEW | HEDDLE_PACK_GIVEN << 2;
    put(raw, &how, 1);
    put(raw, &key, sizeof key);
    put_number(raw, heddle_pack_zigzag(address));
}

/* Three reads, and what cannot be read. */
static void put_damaged_reads(bytes *raw) {
    put_site(raw, HEDDLE_READ + 1, 3 | HEDDLE_WIRE_VALUE, ADDRESS);
    for (int i = 0; i < 2; i++)
        put_numbers(raw, 4, 0, HEDDLE_PACK_KNOWN | HEDDLE_PACK_GIVEN << 2, 1, 0);
    put_numbers(raw, 2, 0, HEDDLE_PACK_CONTROL << 2 | 3);
}

/* Without --recover a damaged record is refused; with it what comes before the damage is kept. */
static void expect_kept(const bytes *file, size_t events) {
    hd_trace trace;
    assert_false(taken(file, 0));
    assert_non_null(strstr(error.text, ": corrupt record"));
    assert_true(parse(&trace, file->data, file->length, HD_TRACE_RECOVER));
    assert_int_equal(trace.events.length, events);
    assert_true(trace.incomplete);
    hd_trace_release(&trace);
}

static void records_are_kept_up_to_the_damage(void **state) {
    (void)state;
    bytes file = with_variable(), raw = {.length = 0};
    put_number(&raw, 0);
    put_damaged_reads(&raw);
    put_section(&file, HD_TRACE_SECTION_RECORD, &raw);
    put_end(&file, UINT64_MAX, 0, 0);
    expect_kept(&file, 3);
}

/* An access of what has no name is left out whole. */
static void records_are_kept_up_to_a_wrong_address(void **state) {
    (void)state;
    bytes file = with_variable(), raw = {.length = 0};
    put_number(&raw, 0);
    put_site(&raw, HEDDLE_READ + 1, 3 | HEDDLE_WIRE_VALUE, ADDRESS);
    put_site(&raw, HEDDLE_READ + 1, 3 | HEDDLE_WIRE_VALUE, 0x7777000);
    put_section(&file, HD_TRACE_SECTION_RECORD, &raw);
    put_end(&file, UINT64_MAX, 0, 0);
    expect_kept(&file, 1);
}

static void lanes_are_kept_up_to_the_damage(void **state) {
    (void)state;
    bytes file = with_variable(), raw = {.length = 0};
    put_numbers(&raw, 2, 0, 0); /* lane 0, no run at the end */
    uint64_t key = heddle_pack_key(HEDDLE_WIRE_ORDER, HEDDLE_WIRE_WORD, 0x1000);
    unsigned char how = (unsigned char)(HEDDLE_PACK_NEW | 1 << 5), place = 2;
    put_number(&raw, 0);
    put(&raw, &how, 1);
    put(&raw, &key, sizeof key);
    put(&raw, &place, 1);
    put_site(&raw, HEDDLE_READ + 1, 3 | HEDDLE_WIRE_VALUE, ADDRESS);
    put_numbers(&raw, 4, 0, HEDDLE_PACK_KNOWN | HEDDLE_PACK_GIVEN << 2, 2, 0);
    put_numbers(&raw, 2, 0, HEDDLE_PACK_CONTROL << 2 | 3);
    put_section(&file, HD_TRACE_SECTION_LANE, &raw);
    put_end(&file, UINT64_MAX, 0, 0);
    expect_kept(&file, 2);
}

SUPPORT_SUITE(test_trace_hostile) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_by_hand_is_good),
        cmocka_unit_test(operations_that_are_none),
        cmocka_unit_test(numbers_past_the_tables),
        cmocka_unit_test(widths_that_are_none),
        cmocka_unit_test(counts_that_do_not_add_up),
        cmocka_unit_test(schedules_that_lie),
        cmocka_unit_test(blocks_cut_anywhere),
        cmocka_unit_test(a_schedule_that_runs_over_all_others),
        cmocka_unit_test(blocks_out_of_order),
        cmocka_unit_test(events_that_are_no_run),
        cmocka_unit_test(names_that_are_not_legal),
        cmocka_unit_test(names_that_two_numbers_have),
        cmocka_unit_test(names_out_of_order),
        cmocka_unit_test(threads_may_be_renamed),
        cmocka_unit_test(name_sections_cut_anywhere),
        cmocka_unit_test(lengths_and_counts_past_the_section),
        cmocka_unit_test(sections_with_other_sizes),
        cmocka_unit_test(compressed_sections_with_other_sizes),
        cmocka_unit_test(sections_of_gigabytes),
        cmocka_unit_test(unknown_sections),
        cmocka_unit_test(a_lie_cannot_be_recovered),
        cmocka_unit_test(ends_that_lie),
        cmocka_unit_test(bytes_after_the_end),
        cmocka_unit_test(a_section_that_swells),
        cmocka_unit_test(records_are_kept_up_to_the_damage),
        cmocka_unit_test(records_are_kept_up_to_a_wrong_address),
        cmocka_unit_test(lanes_are_kept_up_to_the_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
