/*
 * The library as a program sees it: through heddle.h alone, linked against the
 * shared library.
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

#include "heddle/heddle.h"

static char folder[200];
static heddle_error error;

static int make_folder(void **state) {
    (void)state;
    const char *above = getenv("TMPDIR");
    int length = snprintf(folder, sizeof folder, "%s/heddle-api-XXXXXX", above ? above : "/tmp");
    return (size_t)length < sizeof folder && mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

static const char *path_of(const char *name) {
    static char paths[4][256];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static bool file_is(const char *path, const char *text) {
    char data[1024] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t size = fread(data, 1, sizeof data - 1, file);
    fclose(file);
    return size == strlen(text) && memcmp(data, text, size) == 0;
}

/* A trace from text, by way of a file. */
static heddle_trace *trace_of(const char *text) {
    const char *path = path_of("trace.std");
    write_file(path, text);
    heddle_trace *trace = heddle_trace_open(path, &error);
    if (!trace)
        fail_msg("%s", error.text);
    unlink(path);
    return trace;
}

static heddle_witness *witness_of(const heddle_trace *trace, const char *text) {
    const char *path = path_of("witness.std");
    write_file(path, text);
    heddle_witness *witness = heddle_witness_open(trace, path, &error);
    unlink(path);
    return witness;
}

static const char counter[] = "main|fork(a)|c.c:9\na|r4(x=0)|c.c:3\nmain|w4(x=1)|c.c:11\n"
                              "a|acq(l)|\na|rel(l)|\nmain|join(a)|\n";

/* ---- Traces ---- */

static void the_version_is_a_number(void **state) {
    (void)state;
    assert_non_null(strchr(heddle_version(), '.'));
}

static void events_by_number(void **state) {
    (void)state;
    heddle_trace *trace = trace_of(counter);
    assert_int_equal(heddle_trace_events(trace), 6);
    assert_null(heddle_trace_event(trace, 0));
    assert_null(heddle_trace_event(trace, 7));
    assert_null(heddle_trace_event(trace, UINT32_MAX));
    const heddle_event *write = heddle_trace_event(trace, 3);
    assert_int_equal(write->kind, HEDDLE_WRITE);
    assert_int_equal(write->size, 4);
    assert_int_equal(write->flags, HEDDLE_HAS_VALUE);
    assert_int_equal(write->value, 1);
    assert_false(heddle_trace_incomplete(trace));
    heddle_trace_close(trace);
}

static void names_by_class_and_number(void **state) {
    (void)state;
    heddle_trace *trace = trace_of(counter);
    const heddle_event *read = heddle_trace_event(trace, 2);
    assert_int_equal(heddle_trace_names(trace, HEDDLE_CLASS_THREAD), 2);
    assert_int_equal(heddle_trace_names(trace, HEDDLE_CLASS_LOCATION), 4);
    assert_int_equal(heddle_trace_names(trace, HEDDLE_CLASS_BARRIER), 0);
    assert_string_equal(heddle_trace_name(trace, HEDDLE_CLASS_THREAD, read->thread), "a");
    assert_string_equal(heddle_trace_name(trace, HEDDLE_CLASS_VARIABLE, read->object), "x");
    assert_string_equal(heddle_trace_name(trace, HEDDLE_CLASS_LOCATION, read->location), "c.c:3");
    assert_string_equal(heddle_trace_name(trace, HEDDLE_CLASS_LOCATION, 0), "");
    assert_null(heddle_trace_name(trace, HEDDLE_CLASS_THREAD, 2));
    assert_int_equal(heddle_trace_names(trace, HEDDLE_CLASS_COUNT), 0);
    assert_null(heddle_trace_name(trace, HEDDLE_CLASS_COUNT, 0));
    heddle_trace_close(trace);
}

static void pairs_by_number(void **state) {
    (void)state;
    heddle_trace *trace = trace_of(counter);
    static const uint32_t expected[] = {0, 2, 0, 0, 5, 4, 5, 0};
    for (uint32_t n = 0; n < sizeof expected / sizeof *expected; n++)
        assert_int_equal(heddle_trace_pair(trace, n), expected[n]);
    heddle_trace_close(trace);
}

static void stacks_by_number(void **state) {
    (void)state;
    static const struct {
        const char *function;
        uint32_t line;
    } expected[] = {{"add", 3}, {"add", 3}, {"add", 3}, {"worker", 4}};
    const char *data = getenv("HEDDLE_TEST_STACKS");
    assert_non_null(data);
    heddle_trace *trace = heddle_trace_open(data, &error);
    assert_non_null(trace);
    const heddle_frame *frames;
    size_t most = 0;
    for (uint32_t n = 1; n <= heddle_trace_events(trace); n++) {
        size_t depth = heddle_trace_stack(trace, n, &frames);
        assert_in_range(depth, 1, 4);
        most += depth == 4;
        for (size_t i = 0; depth == 4 && i < 4; i++) {
            assert_string_equal(frames[i].function, expected[i].function);
            assert_string_equal(frames[i].file, "s.c");
            assert_int_equal(frames[i].line, expected[i].line);
        }
    }
    assert_int_equal(most, 2); /* the inner x += n of the worker, a read and a write */
    assert_int_equal(heddle_trace_stack(trace, 0, &frames), 0);
    assert_int_equal(heddle_trace_stack(trace, heddle_trace_events(trace) + 1, &frames), 0);
    heddle_trace_close(trace);
    trace = trace_of(counter);
    assert_int_equal(heddle_trace_stack(trace, 1, &frames), 0);
    heddle_trace_close(trace);
}

static void an_incomplete_trace(void **state) {
    (void)state;
    heddle_trace *trace = trace_of("t|w(x)|\n# heddle: incomplete lost=3\n");
    assert_true(heddle_trace_incomplete(trace));
    heddle_trace_close(trace);
}

static void the_name_of_the_file_tells_its_format(void **state) {
    (void)state;
    const char *binary = path_of("again.htr"), *text = path_of("again.std");
    heddle_trace *trace = trace_of(counter);
    assert_true(heddle_trace_save(trace, binary, &error));
    heddle_trace_close(trace);
    assert_false(file_is(binary, counter));
    trace = heddle_trace_open(binary, &error);
    assert_non_null(trace);
    assert_true(heddle_trace_save(trace, text, &error));
    heddle_trace_close(trace);
    assert_true(file_is(text, counter));
    unlink(binary);
    unlink(text);
}

static void errors_are_one_line(void **state) {
    (void)state;
    char message[256];
    const char *path = path_of("bad.std");
    assert_null(heddle_trace_open(path, &error));
    snprintf(message, sizeof message, "%s: No such file or directory", path);
    assert_string_equal(error.text, message);
    write_file(path, "a|w(x)|\na|rel(l)|\n");
    assert_null(heddle_trace_open(path, &error));
    snprintf(message, sizeof message, "%s:2: a releases lock l, which no thread holds", path);
    assert_string_equal(error.text, message);
    unlink(path);
    heddle_trace *trace = trace_of(counter);
    path = path_of("none/file");
    assert_false(heddle_trace_save(trace, path, &error));
    snprintf(message, sizeof message, "%s: cannot write: No such file or directory", path);
    assert_string_equal(error.text, message);
    heddle_trace_close(trace);
}

static void an_error_is_untouched_on_success(void **state) {
    (void)state;
    strcpy(error.text, "before");
    heddle_trace *trace = trace_of(counter);
    heddle_witness *witness = witness_of(trace, "main|fork(a)|c.c:9\n");
    assert_true(heddle_witness_check(witness, &error));
    assert_string_equal(error.text, "before");
    heddle_witness_close(witness);
    heddle_trace_close(trace);
}

static void errors_may_be_left_out(void **state) {
    (void)state;
    assert_null(heddle_trace_open(path_of("none"), NULL));
    heddle_trace *trace = trace_of(counter);
    assert_null(heddle_witness_open(trace, path_of("none"), NULL));
    assert_false(heddle_trace_save(trace, path_of("none/file"), NULL));
    heddle_witness *witness = witness_of(trace, "a|r4(x=0)|c.c:3\n");
    assert_non_null(witness);
    assert_false(heddle_witness_check(witness, NULL));
    heddle_witness_close(witness);
    heddle_trace_close(trace);
}

static void nothing_may_be_closed(void **state) {
    (void)state;
    heddle_trace_close(NULL);
    heddle_witness_close(NULL);
}

/* ---- Kinds ---- */

static void kinds_have_words(void **state) {
    (void)state;
    for (int kind = 0; kind < HEDDLE_KIND_COUNT; kind++) {
        assert_true(strlen(heddle_kind_op((enum heddle_kind)kind)) > 0);
        assert_true(strlen(heddle_kind_text((enum heddle_kind)kind)) > 0);
        assert_true(heddle_kind_class((enum heddle_kind)kind) < HEDDLE_CLASS_COUNT);
    }
    assert_string_equal(heddle_kind_op(HEDDLE_ATOMIC_RMW), "armw");
    assert_string_equal(heddle_kind_text(HEDDLE_FORK), "start of another thread");
    assert_int_equal(heddle_kind_class(HEDDLE_FORK), HEDDLE_CLASS_THREAD);
    assert_null(heddle_kind_op(HEDDLE_KIND_COUNT));
    assert_null(heddle_kind_text(HEDDLE_KIND_COUNT));
    assert_int_equal(heddle_kind_class(HEDDLE_KIND_COUNT), HEDDLE_CLASS_COUNT);
}

/* ---- Witnesses ---- */

static void a_witness_that_holds(void **state) {
    (void)state;
    heddle_trace *trace = trace_of(counter);
    heddle_witness *witness =
        witness_of(trace, "# heddle witness 1\n# claim: race 2 3\nmain|fork(a)|c.c:9\n");
    assert_non_null(witness);
    assert_true(heddle_witness_check(witness, &error));
    assert_int_equal(heddle_witness_length(witness), 1);
    assert_int_equal(heddle_witness_schedule(witness)[0], 1);
    assert_string_equal(heddle_witness_claim(witness), "race 2 3");
    heddle_witness_close(witness);
    heddle_trace_close(trace);
}

static void a_witness_of_another_order(void **state) {
    (void)state;
    heddle_trace *trace = trace_of(counter);
    heddle_witness *witness =
        witness_of(trace, "main|fork(a)|c.c:9\nmain|w4(x=1)|c.c:11\na|r4(x=0)|c.c:3\n");
    static const uint32_t schedule[] = {1, 3, 2};
    assert_int_equal(heddle_witness_length(witness), 3);
    assert_memory_equal(heddle_witness_schedule(witness), schedule, sizeof schedule);
    assert_string_equal(heddle_witness_claim(witness), "reordering");
    assert_false(heddle_witness_check(witness, &error));
    assert_string_equal(error.text, "position 3: event 2, a|r4(x=0)|c.c:3, reads from event 3, "
                                    "main|w4(x=1)|c.c:11, but in the trace from the initial value");
    heddle_witness_close(witness);
    heddle_trace_close(trace);
}

static void a_witness_without_events(void **state) {
    (void)state;
    heddle_trace *trace = trace_of(counter);
    heddle_witness *witness = witness_of(trace, "# heddle witness 1\n# claim: reordering\n");
    assert_non_null(witness);
    assert_int_equal(heddle_witness_length(witness), 0);
    assert_true(heddle_witness_check(witness, &error));
    heddle_witness_close(witness);
    heddle_trace_close(trace);
}

static void a_witness_of_another_trace(void **state) {
    (void)state;
    char message[256];
    heddle_trace *trace = trace_of(counter);
    assert_null(witness_of(trace, "other|w(x)|\n"));
    snprintf(message, sizeof message, "%s/witness.std:1: there is no thread other in the trace",
             folder);
    assert_string_equal(error.text, message);
    heddle_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_is_a_number),
        cmocka_unit_test(events_by_number),
        cmocka_unit_test(names_by_class_and_number),
        cmocka_unit_test(pairs_by_number),
        cmocka_unit_test(stacks_by_number),
        cmocka_unit_test(an_incomplete_trace),
        cmocka_unit_test(the_name_of_the_file_tells_its_format),
        cmocka_unit_test(errors_are_one_line),
        cmocka_unit_test(an_error_is_untouched_on_success),
        cmocka_unit_test(errors_may_be_left_out),
        cmocka_unit_test(nothing_may_be_closed),
        cmocka_unit_test(kinds_have_words),
        cmocka_unit_test(a_witness_that_holds),
        cmocka_unit_test(a_witness_of_another_order),
        cmocka_unit_test(a_witness_without_events),
        cmocka_unit_test(a_witness_of_another_trace),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
