/*
 * The binary format: what goes in comes out, whatever its size.  Files that
 * were damaged are in test_trace_hostile.c.
 */
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
#include "support_suite.h"
#include "support_traces.h"
#include "trace/trace.h"
#include "trace/trace_binary.h"

static char path[64];
static hd_error error;
static hd_trace trace;

static int make_path(void **state) {
    (void)state;
    strcpy(path, "/tmp/heddle-binary-XXXXXX");
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_path(void **state) {
    (void)state;
    return unlink(path);
}

static int setup(void **state) {
    (void)state;
    hd_trace_init(&trace);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    hd_trace_release(&trace);
    return 0;
}

/* ---- Equal traces ---- */

static void same_names(const hd_names *a, const hd_names *b) {
    assert_int_equal(a->length, b->length);
    for (uint32_t id = 0; id < a->length; id++) {
        assert_int_equal(hd_names_size(a, id), hd_names_size(b, id));
        assert_memory_equal(hd_names_text(a, id), hd_names_text(b, id), hd_names_size(a, id));
    }
}

static void same_event(const heddle_event *a, const heddle_event *b) {
    assert_int_equal(a->thread, b->thread);
    assert_int_equal(a->object, b->object);
    assert_int_equal(a->location, b->location);
    assert_int_equal(a->size, b->size);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->flags, b->flags);
    assert_true(a->value == b->value);
}

static void same_trace(const hd_trace *a, const hd_trace *b) {
    assert_int_equal(hd_trace_length(a), hd_trace_length(b));
    for (uint32_t n = 1; n <= hd_trace_length(a); n++)
        same_event(hd_trace_event(a, n), hd_trace_event(b, n));
    for (unsigned class = 0; class < HEDDLE_CLASS_COUNT; class ++)
        same_names(&a->tables.names[class], &b->tables.names[class]);
    assert_int_equal(a->lost, b->lost);
    assert_int_equal(a->incomplete, b->incomplete);
}

static void load(hd_trace *to) {
    if (!hd_trace_load(to, path, 0, &error))
        fail_msg("%s", error.text);
}

/* `trace`, checked, written and read. */
static void round_trip(void) {
    hd_trace again;
    if (!hd_trace_check_all(&trace, &error))
        fail_msg("%s", error.text);
    assert_true(hd_trace_save(&trace, path, HD_TRACE_BINARY, &error));
    load(&again);
    same_trace(&trace, &again);
    hd_trace_release(&again);
}

static void write_to(uint32_t thread, uint32_t variable, uint16_t size) {
    hd_trace_append(
        &trace,
        (heddle_event){.thread = thread, .object = variable, .size = size, .kind = HEDDLE_WRITE});
}

static uint32_t thread_called(const char *prefix, unsigned i) {
    return hd_trace_name(&trace, HEDDLE_CLASS_THREAD, "%s%u", prefix, i);
}

/* ---- Round trips ---- */

static void random_traces(void **state) {
    (void)state;
    const support_shape shape = {.threads = 6,
                                 .events = 80,
                                 .locks = 3,
                                 .variables = 4,
                                 .features = SUPPORT_ALL | SUPPORT_ORDERS | SUPPORT_CERTAIN};
    hd_random random;
    hd_random_seed(&random, 7);
    for (uint64_t i = support_few(300, 100); i > 0; i--) {
        hd_trace_release(&trace);
        hd_trace_init(&trace);
        support_random_trace(&trace, &random, &shape);
        if (hd_trace_length(&trace))
            round_trip();
    }
}

static void every_kind(void **state) {
    (void)state;
    support_parse(&trace, "m|fork(t)|1\nm|r(x)|2\nm|w(x=5)|\nm|rmw(x=-6)|\nm|ar4(y)|2\n"
                          "m|aw8(y=7)|\nm|armw65535(y=8)|\nm|acq(l)|lock\nm|acq(l)|\n"
                          "t|tryfail(l)|\nm|rel(l)|\nm|rel(l)|\nm|wait(c)|\nt|notify(c)|\n"
                          "m|wake(c)|\nt|notifyall(c)|\nm|racq(l)|\nm|rrel(l)|\nm|begin(f)|\n"
                          "m|begin()|\nm|end()|\nm|end(f)|\nm|bin(b)|\nt|bin(b)|\nm|bout(b)|\n"
                          "t|bout(b)|\nm|send(s)|\nt|recv(s)|\nt|mark(here=3)|\nm|join(t)|\n");
    round_trip();
}

static void values_at_the_limits(void **state) {
    (void)state;
    support_parse(&trace, "t|w(x=9223372036854775807)|\nt|w(x=-9223372036854775808)|\n"
                          "t|w(x=0)|\nt|w(x)|\nt|w(x=-1)|\nu|w(x=9223372036854775807)|\n");
    round_trip();
}

static void names_of_a_megabyte(void **state) {
    (void)state;
    enum { SIZE = 1 << 20 };
    char *name = hd_mem_alloc(SIZE + 1);
    memset(name, 'n', SIZE);
    name[SIZE] = '\0';
    for (unsigned i = 0; i < support_few(20, 5); i++) {
        uint32_t thread = thread_called(name, i);
        write_to(thread, hd_trace_name(&trace, HEDDLE_CLASS_VARIABLE, "%s%u", name, i), 0);
        hd_vec_last(&trace.events)->location =
            hd_trace_name(&trace, HEDDLE_CLASS_LOCATION, "%s%u", name, i);
    }
    round_trip();
    free(name);
}

static void the_longest_name(void **state) {
    (void)state;
    char *name = hd_mem_alloc(HD_TRACE_MAX_NAME + 1);
    memset(name, 'n', HD_TRACE_MAX_NAME);
    name[HD_TRACE_MAX_NAME] = '\0';
    uint32_t x = hd_trace_name(&trace, HEDDLE_CLASS_VARIABLE, "x");
    uint32_t y = hd_trace_name(&trace, HEDDLE_CLASS_VARIABLE, "%s", name);
    uint32_t t = thread_called("t", 1);
    write_to(t, x, 0);
    write_to(t, y, 0);
    round_trip();
    free(name);
}

static void names_with_odd_characters(void **state) {
    (void)state;
    support_parse(&trace, "a b|w(f(x)\xff\x01)|c=d (e)\n \t|begin()|#\n");
    round_trip();
}

static void several_blocks(void **state) {
    (void)state;
    static const unsigned counts[] = {HD_TRACE_BLOCK_EVENTS - 1, HD_TRACE_BLOCK_EVENTS,
                                      HD_TRACE_BLOCK_EVENTS + 1, 3 * HD_TRACE_BLOCK_EVENTS};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        teardown(NULL);
        setup(NULL);
        uint32_t x = hd_trace_name(&trace, HEDDLE_CLASS_VARIABLE, "x");
        uint32_t threads[3] = {thread_called("t", 0), thread_called("t", 1), thread_called("t", 2)};
        for (unsigned n = 0; n < counts[i]; n++)
            write_to(threads[n / 7 % 3], x, 0);
        round_trip();
    }
}

/* A block knows 256 operations; more of them end it early. */
static void many_operations(void **state) {
    (void)state;
    uint32_t x = hd_trace_name(&trace, HEDDLE_CLASS_VARIABLE, "x");
    uint32_t t = thread_called("t", 0);
    for (uint32_t size = 1; size <= UINT16_MAX; size++)
        write_to(t, x, (uint16_t)size);
    for (uint32_t i = 0; i < 1000; i++)
        write_to(t, x, (uint16_t)(i % 257 + 1));
    round_trip();
}

static void many_threads(void **state) {
    (void)state;
    uint32_t x = hd_trace_name(&trace, HEDDLE_CLASS_VARIABLE, "x");
    for (unsigned i = 0; i < 70000; i++)
        write_to(thread_called("t", i), x, 0);
    for (unsigned i = 0; i < 70000; i++)
        write_to((i * 7919) % 70000, x, 0);
    round_trip();
}

static void several_hundred_threads_in_a_block(void **state) {
    (void)state;
    uint32_t x = hd_trace_name(&trace, HEDDLE_CLASS_VARIABLE, "x");
    for (unsigned i = 0; i < 3000; i++)
        write_to(thread_called("t", (i * 31) % 300), x, 0);
    round_trip();
}

static void many_objects_and_locations(void **state) {
    (void)state;
    uint32_t t = thread_called("t", 0);
    for (unsigned i = 0; i < 100000; i++) {
        write_to(t, hd_trace_name(&trace, HEDDLE_CLASS_VARIABLE, "x%u", (i * 40503) % 70001), 0);
        hd_vec_last(&trace.events)->location =
            hd_trace_name(&trace, HEDDLE_CLASS_LOCATION, "%u", (i * 977) % 80021);
    }
    round_trip();
}

static void lost_events_are_told(void **state) {
    (void)state;
    support_parse(&trace, "t|w(x)|\n");
    trace.incomplete = true;
    round_trip();
    trace.lost = UINT64_MAX;
    round_trip();
}

static void a_trace_without_events(void **state) {
    (void)state;
    hd_trace again;
    char message[128];
    assert_true(hd_trace_save(&trace, path, HD_TRACE_BINARY, &error));
    assert_false(hd_trace_load(&again, path, 0, &error));
    snprintf(message, sizeof message, "%s: no events", path);
    assert_string_equal(error.text, message);
    assert_true(hd_trace_load(&again, path, HD_TRACE_UNCHECKED, &error));
    assert_int_equal(hd_trace_length(&again), 0);
    hd_trace_release(&again);
}

/* ---- As a stream ---- */

/* Text to the binary file, batch by batch, as `heddle convert` does it. */
static void convert(const char *text, size_t size) {
    hd_trace_batch batch;
    hd_trace_cursor *cursor = hd_trace_cursor_memory(text, size, "t", 0, &error);
    hd_trace_writer *writer = hd_trace_writer_open(path, HD_TRACE_BINARY, &error);
    int more;
    while ((more = hd_trace_cursor_next(cursor, &batch, &error)) > 0)
        assert_true(hd_trace_writer_write(writer, hd_trace_cursor_tables(cursor), batch.events,
                                          batch.count));
    if (more < 0)
        fail_msg("%s", error.text);
    assert_true(hd_trace_writer_close(writer, &error));
    hd_trace_cursor_close(cursor);
}

/* fork(10) is written long before the file says that 10 is T10. */
static void threads_renamed_after_they_were_written(void **state) {
    (void)state;
    enum { BETWEEN = 2 * HD_TRACE_BLOCK_EVENTS };
    char *text = hd_mem_alloc(BETWEEN * 9 + 128), *at = text;
    at = stpcpy(at, "T0|fork(10)|\nT0|fork(11)|\n");
    for (unsigned i = 0; i < BETWEEN; i++)
        at = stpcpy(at, "T0|w(x)|\n");
    at = stpcpy(at, "T11|w(x)|\nT10|w(x)|\nT0|join(10)|\n");
    convert(text, (size_t)(at - text));
    hd_trace again;
    load(&again);
    const heddle_event *fork = hd_trace_event(&again, 1);
    const heddle_event *act = hd_trace_event(&again, BETWEEN + 4);
    assert_string_equal(hd_trace_object_name(&again.tables, fork), "T10");
    assert_int_equal(fork->object, act->thread);
    assert_int_equal(hd_trace_event(&again, 2)->object,
                     hd_trace_event(&again, BETWEEN + 3)->thread);
    assert_int_equal(again.tables.names[HEDDLE_CLASS_THREAD].length, 3);
    hd_trace_release(&again);
    free(text);
}

static void a_cursor_of_a_binary_file(void **state) {
    (void)state;
    support_parse(&trace, "t|w(x)|\nt|w(x)|\n");
    round_trip();
    hd_trace_batch batch;
    hd_trace_cursor *cursor = hd_trace_cursor_open(path, 0, &error);
    assert_string_equal(hd_trace_cursor_format(cursor), "binary");
    assert_int_equal(hd_trace_cursor_next(cursor, &batch, &error), 1);
    assert_int_equal(batch.count, 2);
    assert_int_equal(hd_trace_cursor_line(cursor, 1), 0);
    assert_int_equal(hd_trace_cursor_next(cursor, &batch, &error), 0);
    assert_int_equal(hd_trace_cursor_done(cursor), hd_trace_cursor_size(cursor));
    assert_false(hd_trace_cursor_incomplete(cursor));
    hd_trace_cursor_close(cursor);
}

/* Blocks of the part that has come go out while the writer is still there. */
static void a_pipe_that_grows(void **state) {
    (void)state;
    uint32_t x = hd_trace_name(&trace, HEDDLE_CLASS_VARIABLE, "x");
    uint32_t t = thread_called("t", 0);
    for (uint32_t size = 1; size <= 300; size++)
        write_to(t, x, (uint16_t)size); /* two blocks */
    round_trip();
    static char bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    int ends[2];
    char name[32];
    hd_trace_batch batch;
    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    assert_int_equal(write(ends[1], bytes, size - 30), size - 30);
    hd_trace_cursor *cursor = hd_trace_cursor_open(name, 0, &error);
    assert_int_equal(hd_trace_cursor_next(cursor, &batch, &error), 1);
    assert_int_equal(batch.count, HD_TRACE_BLOCK_OPS);
    assert_int_equal(write(ends[1], bytes + size - 30, 30), 30);
    close(ends[1]);
    assert_int_equal(hd_trace_cursor_next(cursor, &batch, &error), 1);
    assert_int_equal(batch.first, HD_TRACE_BLOCK_OPS + 1);
    assert_int_equal(batch.count, 300 - HD_TRACE_BLOCK_OPS);
    assert_int_equal(hd_trace_cursor_next(cursor, &batch, &error), 0);
    hd_trace_cursor_close(cursor);
    close(ends[0]);
}

/* ---- Numbers ---- */

static void varints(void **state) {
    (void)state;
    static const uint64_t numbers[] = {0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_MAX};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        unsigned char bytes[16] = {0};
        const unsigned char *at = bytes;
        unsigned char *end = hd_trace_put_varint(bytes, numbers[i]);
        assert_true(hd_trace_get_varint(&at) == numbers[i]);
        assert_ptr_equal(at, end);
    }
}

static void varints_of_too_many_bytes_end(void **state) {
    (void)state;
    unsigned char bytes[16];
    const unsigned char *at = bytes;
    memset(bytes, 0xff, sizeof bytes);
    assert_true(hd_trace_get_varint(&at) == UINT64_MAX);
    assert_int_equal(at - bytes, 10);
}

static void zigzag(void **state) {
    (void)state;
    static const int64_t numbers[] = {0, -1, 1, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_true(hd_trace_unzigzag(hd_trace_zigzag(numbers[i])) == numbers[i]);
    assert_int_equal(hd_trace_zigzag(-1), 1);
    assert_int_equal(hd_trace_zigzag(1), 2);
}

static void section_heads(void **state) {
    (void)state;
    hd_trace_section section = {'B', 1, 0x01020304, 0xfffffffe, UINT64_C(0x0102030405060708)},
                     again;
    unsigned char head[HD_TRACE_SECTION_SIZE];
    hd_trace_section_pack(head, &section);
    assert_true(hd_trace_section_unpack(&again, head));
    assert_int_equal(again.type, 'B');
    assert_int_equal(again.compression, 1);
    assert_int_equal(again.stored, 0x01020304);
    assert_true(again.raw == 0xfffffffe);
    assert_true(again.checksum == section.checksum);
    head[3] = 1;
    assert_false(hd_trace_section_unpack(&again, head));
}

SUPPORT_SUITE(test_trace_binary) {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(random_traces),
        T(every_kind),
        T(values_at_the_limits),
        T(names_of_a_megabyte),
        T(the_longest_name),
        T(names_with_odd_characters),
        T(several_blocks),
        T(many_operations),
        T(many_threads),
        T(several_hundred_threads_in_a_block),
        T(many_objects_and_locations),
        T(lost_events_are_told),
        T(a_trace_without_events),
        T(threads_renamed_after_they_were_written),
        T(a_cursor_of_a_binary_file),
        T(a_pipe_that_grows),
        T(varints),
        T(varints_of_too_many_bytes_end),
        T(zigzag),
        T(section_heads),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
