/*
 * Binary files that were cut off or damaged, at every byte of a small one.
 */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support_few.h"
#include "support_files.h"
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
    hd_trace_tables_release(&trace->tables);
    hd_trace_cursor_take_tables(cursor, &trace->tables);
    trace->stacks = hd_trace_cursor_take_stacks(cursor);
    return more == 0;
}

/* Reads an exact copy of the bytes as the file "t". */
static bool parse(hd_trace *trace, const void *data, size_t size, unsigned flags) {
    hd_trace_init(trace);
    error = (hd_error){""};
    void *copy = hd_mem_alloc(size ? size : 1);
    memcpy(copy, data, size);
    hd_trace_cursor *cursor =
        hd_trace_cursor_memory(copy, size, "t", flags | HD_TRACE_STACKS, &error);
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

/* ---- A small file of two blocks, as the writer makes it ---- */

enum { EVENTS = 260, FIRST_BLOCK = HD_TRACE_BLOCK_OPS };

static bytes small;
static hd_trace small_trace;

/* More operations than a block can have make two blocks of few events. */
static void fill_small(void) {
    hd_trace_init(&small_trace);
    for (uint32_t i = 0; i < EVENTS; i++) {
        heddle_event event = {.kind = HEDDLE_WRITE, .size = (uint16_t)(i + 1)};
        event.thread = hd_trace_name(&small_trace, HEDDLE_CLASS_THREAD, "t%u", i % 3);
        event.object = hd_trace_name(&small_trace, HEDDLE_CLASS_VARIABLE, "x%u", i % 5);
        event.location = hd_trace_name(&small_trace, HEDDLE_CLASS_LOCATION, "%u", i % 4);
        event.flags = HEDDLE_HAS_VALUE;
        event.value = i;
        hd_trace_append(&small_trace, event);
    }
}

/* Event n is in f1, f2 or f3, below n % 4 calls. */
static void fill_stacks(void) {
    hd_trace_stacks *stacks = small_trace.stacks = hd_trace_stacks_create();
    static const char *const names[] = {"f1", "f2", "f3"};
    for (int i = 0; i < 3; i++)
        hd_trace_stacks_function(stacks, names[i], 2);
    for (uint32_t n = 1; n <= EVENTS; n++) {
        uint32_t thread = hd_trace_event(&small_trace, n)->thread;
        for (uint32_t i = 0; i < 4; i++)
            hd_trace_stacks_leave(stacks, thread);
        for (uint32_t i = 0; i < n % 4; i++)
            hd_trace_stacks_enter(stacks, thread,
                                  hd_trace_stacks_frame(stacks, (hd_trace_frame){1 + i, 1 + i}));
        hd_trace_stacks_event(stacks, thread, thread, n, 1 + n % 3);
    }
    hd_trace_stacks_settle(stacks);
}

static int save_small(void) {
    char path[PATH_MAX];
    support_temporary(path, sizeof path, "heddle-damage");
    if (!hd_trace_save(&small_trace, path, HD_TRACE_BINARY, &error))
        return -1;
    FILE *file = fopen(path, "rb");
    small.length = fread(small.data, 1, sizeof small.data, file);
    fclose(file);
    return unlink(path);
}

static int make_small(void **state) {
    (void)state;
    fill_small();
    return save_small();
}

static int make_stacked(void **state) {
    (void)state;
    fill_small();
    fill_stacks();
    return save_small();
}

static int release_small(void **state) {
    (void)state;
    hd_trace_release(&small_trace);
    return 0;
}

static bool has_stack(const hd_trace *trace, uint32_t n) {
    hd_trace_stack_calls stack = {0};
    if (!small_trace.stacks)
        return !trace->stacks;
    hd_trace_stack(trace, n, &stack);
    bool good = stack.length == 1 + n % 4 && stack.data[0].function[1] == (char)('1' + n % 3);
    for (uint32_t i = 1; good && i < stack.length; i++)
        good = stack.data[i].function[1] == (char)('0' + stack.length - i);
    hd_vec_release(&stack);
    return good;
}

static bool is_prefix(const hd_trace *trace) {
    uint32_t length = hd_trace_length(trace);
    if (length != 0 && length != FIRST_BLOCK && length != EVENTS)
        return false;
    for (uint32_t n = 1; n <= length; n++)
        if (hd_trace_event(trace, n)->value != n - 1 || !has_stack(trace, n))
            return false;
    return true;
}

static void the_small_file_is_good(void **state) {
    (void)state;
    hd_trace trace;
    assert_true(small.length < sizeof small.data);
    assert_true(parse(&trace, small.data, small.length, 0));
    assert_true(is_prefix(&trace));
    assert_int_equal(hd_trace_length(&trace), EVENTS);
    assert_false(trace.incomplete);
    hd_trace_release(&trace);
}

static void every_cut_is_an_error(void **state) {
    (void)state;
    hd_trace trace;
    for (size_t length = 0; length < small.length; length++) {
        if (parse(&trace, small.data, length, 0))
            fail_msg("%zu bytes of %zu were taken", length, small.length);
        hd_trace_release(&trace);
    }
}

/* Reads the bytes with recovery: a prefix of whole blocks, or nothing if not
 * even the first is whole.  Returns its length. */
static uint32_t recovered(const void *data, size_t size) {
    hd_trace trace;
    bool good = parse(&trace, data, size, HD_TRACE_RECOVER);
    uint32_t length = hd_trace_length(&trace);
    assert_string_equal(error.text, length ? "" : "t: no events");
    assert_int_equal(good, length > 0);
    assert_true(is_prefix(&trace));
    assert_true(trace.incomplete);
    hd_trace_release(&trace);
    return length;
}

static void every_cut_can_be_recovered(void **state) {
    (void)state;
    uint32_t last = 0;
    for (size_t length = HD_TRACE_HEADER_SIZE; length < small.length; length++) {
        uint32_t now = recovered(small.data, length);
        assert_true(now >= last);
        last = now;
    }
    assert_int_equal(last, EVENTS);
}

static void a_cut_header_cannot_be_recovered(void **state) {
    (void)state;
    hd_trace trace;
    for (size_t length = 1; length < HD_TRACE_HEADER_SIZE; length++) {
        assert_false(parse(&trace, small.data, length, HD_TRACE_RECOVER));
        assert_string_equal(error.text, "t: offset 0: not a heddle trace (damaged header)");
        hd_trace_release(&trace);
    }
}

static void words_for_a_cut(void **state) {
    (void)state;
    bytes cut = small;
    cut.length = HD_TRACE_HEADER_SIZE + 3;
    expect(&cut, "t: offset 16: the file is cut off (its end section is missing)");
    cut.length = HD_TRACE_HEADER_SIZE + HD_TRACE_SECTION_SIZE + 3;
    expect(&cut, "t: offset 16: the file is cut off within a section");
}

static void every_changed_byte_is_an_error(void **state) {
    (void)state;
    static const unsigned char changes[] = {0x01, 0x10, 0x80, 0xff};
    bytes changed = small;
    const size_t step = support_few(1, 2); /* each byte by some of the changes */
    for (size_t i = 0; i < small.length; i++)
        for (size_t j = i % step; j < sizeof changes; j += step) {
            changed.data[i] = small.data[i] ^ changes[j];
            if (taken(&changed, 0))
                fail_msg("byte %zu changed by %#x: taken", i, changes[j]);
            changed.data[i] = small.data[i];
        }
}

static void a_changed_byte_is_recovered_up_to_its_block(void **state) {
    (void)state;
    bytes changed = small;
    uint32_t last = 0;
    for (size_t i = HD_TRACE_HEADER_SIZE; i < small.length; i++) {
        changed.data[i] ^= 0x20;
        uint32_t now = recovered(changed.data, changed.length);
        assert_true(now >= last);
        last = now;
        changed.data[i] = small.data[i];
    }
}

static void wrong_checksum(void **state) {
    (void)state;
    bytes changed = small;
    changed.data[HD_TRACE_HEADER_SIZE + HD_TRACE_SECTION_SIZE] ^= 1;
    expect(&changed, "t: offset 16: corrupt section (wrong checksum)");
}

/* ---- Headers ---- */

static void other_versions(void **state) {
    (void)state;
    bytes changed = small;
    changed.data[HD_TRACE_MAGIC_SIZE] = 5;
    expect(&changed, "t: version 5 of the binary format; this heddle reads 1 to 4");
    changed.data[HD_TRACE_MAGIC_SIZE] = 0;
    expect(&changed, "t: version 0 of the binary format; this heddle reads 1 to 4");
}

static void damaged_headers(void **state) {
    (void)state;
    bytes changed = small;
    changed.data[HD_TRACE_HEADER_SIZE - 1] = 1;
    expect(&changed, "t: offset 0: damaged header");
    changed = small;
    changed.data[4] = '\n'; /* a transfer that took CR LF for a line end */
    expect(&changed, "t: offset 0: not a heddle trace (damaged header)");
}

/* Of a file without stacks, and of one with them. */
#define BOTH(test)                                                                                 \
    {#test, test, make_small, release_small, NULL}, {                                              \
#test " (stacks)", test, make_stacked, release_small, NULL                                 \
    }

SUPPORT_SUITE(test_trace_damage) {
    const struct CMUnitTest tests[] = {
        BOTH(the_small_file_is_good),
        BOTH(every_cut_is_an_error),
        BOTH(every_cut_can_be_recovered),
        BOTH(a_cut_header_cannot_be_recovered),
        BOTH(words_for_a_cut),
        BOTH(every_changed_byte_is_an_error),
        BOTH(a_changed_byte_is_recovered_up_to_its_block),
        BOTH(wrong_checksum),
        BOTH(other_versions),
        BOTH(damaged_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
