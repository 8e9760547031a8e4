/*
 * Whole files: the cursor over files, pipes and memory, comment lines, the
 * dialect of the deadlock tools, and the text writer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "support_suite.h"
#include "support_traces.h"
#include "trace/trace.h"

static char folder[64];
static hd_error error;

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/heddle-stream-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

static const char *path_of(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* The contents, NUL-terminated; to be freed. */
static char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    struct stat status;
    assert_int_equal(fstat(fileno(file), &status), 0);
    *size = (size_t)status.st_size;
    char *text = hd_mem_alloc(*size + 1);
    assert_int_equal(fread(text, 1, *size, file), *size);
    text[*size] = '\0';
    fclose(file);
    return text;
}

static hd_trace_cursor *open_text(const char *text, unsigned flags) {
    hd_trace_cursor *cursor = hd_trace_cursor_memory(text, strlen(text), "t", flags, &error);
    assert_non_null(cursor);
    return cursor;
}

static bool drain(hd_trace_cursor *cursor) {
    hd_trace_batch batch;
    int more;
    while ((more = hd_trace_cursor_next(cursor, &batch, &error)) > 0)
        assert_true(batch.count > 0);
    return more == 0;
}

/* ---- Comments ---- */

static void comments_are_kept_with_their_place(void **state) {
    (void)state;
    hd_trace_cursor *cursor =
        open_text("#one\n# two \r\nt|w(x)|\n#\nt|w(x)|\n\n#last", HD_TRACE_COMMENTS);
    assert_true(drain(cursor));
    static const hd_trace_comment expected[] = {
        {"one", 1, 1}, {" two ", 2, 1}, {"", 4, 2}, {"last", 7, 3}};
    const hd_trace_comment *comments;
    assert_int_equal(hd_trace_cursor_comments(cursor, &comments), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(comments[i].text, expected[i].text);
        assert_int_equal(comments[i].line, expected[i].line);
        assert_int_equal(comments[i].before, expected[i].before);
    }
    hd_trace_cursor_close(cursor);
}

static void comments_are_dropped_unless_asked_for(void **state) {
    (void)state;
    const hd_trace_comment *comments;
    hd_trace_cursor *cursor = open_text("#one\nt|w(x)|\n", 0);
    assert_true(drain(cursor));
    assert_int_equal(hd_trace_cursor_comments(cursor, &comments), 0);
    hd_trace_cursor_close(cursor);
}

static void incomplete_is_read_from_its_comment(void **state) {
    (void)state;
    hd_trace_cursor *cursor = open_text("t|w(x)|\n# heddle: incomplete lost=12\n", 0);
    assert_true(drain(cursor));
    assert_true(hd_trace_cursor_incomplete(cursor));
    assert_int_equal(hd_trace_cursor_lost(cursor), 12);
    hd_trace_cursor_close(cursor);
}

static void other_comments_do_not_make_it_incomplete(void **state) {
    (void)state;
    hd_trace_cursor *cursor = open_text("# heddle: incomplete lost=\n#heddle: incomplete lost=1\n"
                                        "# heddle: incomplete lost=x\nt|w(x)|\n",
                                        0);
    assert_true(drain(cursor));
    assert_false(hd_trace_cursor_incomplete(cursor));
    hd_trace_cursor_close(cursor);
}

/* ---- Lines and batches ---- */

static void lines_of_the_batch(void **state) {
    (void)state;
    hd_trace_batch batch;
    hd_trace_cursor *cursor = open_text("#\nt|w(x)|\n\nt|req(l)|\nt|w(x)|", 0);
    assert_int_equal(hd_trace_cursor_next(cursor, &batch, &error), 1);
    assert_int_equal(batch.count, 2);
    assert_int_equal(hd_trace_cursor_line(cursor, 1), 2);
    assert_int_equal(hd_trace_cursor_line(cursor, 2), 5);
    assert_int_equal(hd_trace_cursor_line(cursor, 0), 0);
    assert_int_equal(hd_trace_cursor_line(cursor, 3), 0);
    hd_trace_cursor_close(cursor);
}

static void batches_follow_one_another(void **state) {
    (void)state;
    enum { EVENTS = 10000 };
    char *text = hd_mem_alloc(EVENTS * 8 + 1);
    for (size_t i = 0; i < EVENTS; i++)
        memcpy(text + 8 * i, "t|w(x)|\n", 8);
    text[EVENTS * 8] = '\0';
    hd_trace_cursor *cursor = open_text(text, 0);
    hd_trace_batch batch;
    uint32_t next = 1;
    while (hd_trace_cursor_next(cursor, &batch, &error) > 0) {
        assert_int_equal(batch.first, next);
        assert_int_equal(hd_trace_cursor_line(cursor, next), next);
        next += (uint32_t)batch.count;
    }
    assert_int_equal(next, EVENTS + 1);
    assert_int_equal(hd_trace_cursor_done(cursor), EVENTS * 8);
    assert_int_equal(hd_trace_cursor_size(cursor), EVENTS * 8);
    hd_trace_cursor_close(cursor);
    free(text);
}

static void an_error_stays(void **state) {
    (void)state;
    hd_trace_batch batch;
    hd_trace_cursor *cursor = open_text("t|bad(x)|\nt|w(x)|\n", 0);
    assert_int_equal(hd_trace_cursor_next(cursor, &batch, &error), -1);
    assert_int_equal(hd_trace_cursor_next(cursor, &batch, &error), -1);
    hd_trace_cursor_close(cursor);
}

static void the_end_stays(void **state) {
    (void)state;
    hd_trace_batch batch;
    hd_trace_cursor *cursor = open_text("t|w(x)|\n", 0);
    assert_int_equal(hd_trace_cursor_next(cursor, &batch, &error), 1);
    assert_int_equal(hd_trace_cursor_next(cursor, &batch, &error), 0);
    assert_int_equal(hd_trace_cursor_next(cursor, &batch, &error), 0);
    hd_trace_cursor_close(cursor);
}

/* ---- Pipes ---- */

static void put(int fd, const char *text) {
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

static size_t next_count(hd_trace_cursor *cursor) {
    hd_trace_batch batch;
    assert_int_equal(hd_trace_cursor_next(cursor, &batch, &error), 1);
    return batch.count;
}

/* What has come goes out while the writer is still there; a line that is only
 * half there waits. */
static void a_pipe_that_grows(void **state) {
    (void)state;
    int ends[2];
    char path[32];
    hd_trace_batch batch;
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    put(ends[1], "a|w(x)|\nb|w(x)|\nb|w(");
    hd_trace_cursor *cursor = hd_trace_cursor_open(path, 0, &error);
    assert_non_null(cursor);
    assert_int_equal(hd_trace_cursor_size(cursor), 0);
    assert_int_equal(next_count(cursor), 2);
    put(ends[1], "y)|\nc");
    assert_int_equal(next_count(cursor), 1);
    put(ends[1], "|w(z)|7");
    close(ends[1]);
    assert_int_equal(next_count(cursor), 1);
    assert_int_equal(hd_trace_cursor_next(cursor, &batch, &error), 0);
    assert_string_equal(hd_trace_thread_name(hd_trace_cursor_tables(cursor), 2), "c");
    hd_trace_cursor_close(cursor);
    close(ends[0]);
}

/* ---- Files that are not traces ---- */

static void load_fails(const char *path, const char *reason) {
    hd_trace trace;
    char message[256];
    snprintf(message, sizeof message, "%s: %s", *path ? path : "''", reason);
    assert_false(hd_trace_load(&trace, path, 0, &error));
    assert_string_equal(error.text, message);
}

static void files_that_cannot_be_read(void **state) {
    (void)state;
    load_fails(path_of("none"), "No such file or directory");
    load_fails(folder, "Is a directory");
    write_file(path_of("file"), "");
    load_fails(path_of("file"), "no events");
    load_fails(path_of("file/below"), "Not a directory");
    load_fails("", "No such file or directory");
    unlink(path_of("file"));
}

static void a_file_on_disk(void **state) {
    (void)state;
    const char *path = path_of("file");
    hd_trace trace;
    write_file(path, "t|w(x)|\nu|r(x)|\n# heddle: incomplete lost=3\n");
    assert_true(hd_trace_load(&trace, path, 0, &error));
    assert_int_equal(hd_trace_length(&trace), 2);
    assert_true(trace.incomplete);
    assert_int_equal(trace.lost, 3);
    hd_trace_release(&trace);
    hd_trace_cursor *cursor = hd_trace_cursor_open(path, 0, &error);
    assert_string_equal(hd_trace_cursor_name(cursor), path);
    assert_string_equal(hd_trace_cursor_format(cursor), "text");
    hd_trace_cursor_close(cursor);
    unlink(path);
}

/* ---- Memory ---- */

static void a_cursor_over_memory_is_one_batch(void **state) {
    (void)state;
    hd_trace trace;
    hd_trace_batch batch;
    hd_trace_init(&trace);
    support_parse(&trace, "t|w(x)|\nu|r(x)|\n");
    trace.lost = 2;
    trace.incomplete = true;
    hd_trace_cursor *cursor = hd_trace_cursor_over(&trace);
    assert_string_equal(hd_trace_cursor_format(cursor), "memory");
    assert_ptr_equal(hd_trace_cursor_tables(cursor), &trace.tables);
    assert_int_equal(hd_trace_cursor_next(cursor, &batch, &error), 1);
    assert_ptr_equal(batch.events, trace.events.data);
    assert_int_equal(batch.count, 2);
    assert_int_equal(batch.first, 1);
    assert_int_equal(hd_trace_cursor_line(cursor, 1), 0);
    assert_int_equal(hd_trace_cursor_next(cursor, &batch, &error), 0);
    assert_int_equal(hd_trace_cursor_lost(cursor), 2);
    assert_true(hd_trace_cursor_incomplete(cursor));
    hd_trace_cursor_close(cursor);
    hd_trace_release(&trace);
}

static void a_cursor_over_an_empty_trace(void **state) {
    (void)state;
    hd_trace trace;
    hd_trace_batch batch;
    hd_trace_init(&trace);
    hd_trace_cursor *cursor = hd_trace_cursor_over(&trace);
    assert_int_equal(hd_trace_cursor_next(cursor, &batch, &error), 0);
    hd_trace_cursor_close(cursor);
    hd_trace_release(&trace);
}

/* ---- The dialect: req, and fork(10) for T10 ---- */

/* Reads the text; thread names of the events, then of the objects of forks and
 * joins, as "T10:w main:fork-T10 ...". */
static const char *threads_of(const char *text) {
    static char said[512];
    hd_trace trace;
    hd_trace_init(&trace);
    support_parse(&trace, text);
    size_t used = 0;
    said[0] = '\0';
    for (uint32_t n = 1; n <= hd_trace_length(&trace); n++) {
        const heddle_event *event = hd_trace_event(&trace, n);
        bool names = hd_trace_kinds[event->kind].class == HEDDLE_CLASS_THREAD;
        used += (size_t)snprintf(said + used, sizeof said - used, "%s%s:%s%s%s", n > 1 ? " " : "",
                                 hd_trace_thread_name(&trace.tables, event->thread),
                                 hd_trace_kinds[event->kind].op, names ? "-" : "",
                                 names ? hd_trace_object_name(&trace.tables, event) : "");
    }
    hd_trace_release(&trace);
    return said;
}

static void dialect_fails(const char *text, const char *message) {
    hd_trace_cursor *cursor = open_text(text, 0);
    assert_false(drain(cursor));
    assert_string_equal(error.text, message);
    hd_trace_cursor_close(cursor);
}

static void requests_are_no_events(void **state) {
    (void)state;
    assert_string_equal(threads_of("T1|req(l)|\nT1|acq(l)|\nT1|req(k=5)|9\nT1|rel(l)|\n"),
                        "T1:acq T1:rel");
    dialect_fails("T1|req|\n", "t:1: no operation of the form op(object)");
}

static void a_number_is_the_thread_that_acts_as_t_number(void **state) {
    (void)state;
    assert_string_equal(threads_of("T0|fork(10)|\nT10|w(x)|\nT0|join(10)|\n"),
                        "T0:fork-T10 T10:w T0:join-T10");
    assert_string_equal(threads_of("T10|w(x)|\nT0|join(10)|\n"), "T10:w T0:join-T10");
    assert_string_equal(threads_of("T0|fork(T10)|\nT10|w(x)|\nT0|join(10)|\n"),
                        "T0:fork-T10 T10:w T0:join-T10");
}

static void a_number_that_acts_is_itself(void **state) {
    (void)state;
    assert_string_equal(threads_of("0|fork(10)|\n10|w(x)|\nT10|w(x)|\n0|join(10)|\n"),
                        "0:fork-10 10:w T10:w 0:join-10");
    assert_string_equal(threads_of("10|w(x)|\nT10|w(x)|\n0|join(10)|\n"), "10:w T10:w 0:join-10");
}

static void a_number_that_never_acts_is_itself(void **state) {
    (void)state;
    assert_string_equal(threads_of("T0|fork(10)|\nT0|join(10)|\nT0|fork(11)|\n"),
                        "T0:fork-10 T0:join-10 T0:fork-11");
    assert_string_equal(threads_of("T0|fork(10)|\nT11|w(x)|\n"), "T0:fork-10 T11:w");
}

static void a_long_number_is_a_name_like_any_other(void **state) {
    (void)state;
    assert_string_equal(threads_of("a|fork(123456789012345678901234567890123)|\n"
                                   "T123456789012345678901234567890123|w(x)|\n"),
                        "a:fork-123456789012345678901234567890123 "
                        "T123456789012345678901234567890123:w");
}

static void a_number_taken_for_t_number_cannot_act(void **state) {
    (void)state;
    static const char words[] = "t:3: thread 10 acts, but was taken for T10 before";
    dialect_fails("T0|fork(10)|\nT10|w(x)|\n10|w(x)|\n", words);
    dialect_fails("T10|w(x)|\nT0|join(10)|\n10|w(x)|\n", words);
}

static void the_rules_know_the_thread_under_both_names(void **state) {
    (void)state;
    dialect_fails("T0|fork(10)|\nT10|w(x)|\nT0|fork(10)|\n",
                  "t:3: T0 forks T10, which was forked before");
    dialect_fails("T10|w(x)|\nT0|fork(10)|\n", "t:2: T0 forks T10, which has had events before");
    dialect_fails("T0|fork(10)|\nT0|join(10)|\nT10|w(x)|\n", "t:3: T10 acts after it was joined");
    dialect_fails("T0|fork(T10)|\nT0|fork(10)|\n", "t:2: T0 forks T10, which was forked before");
}

static void a_comment_says_that_a_number_is_itself(void **state) {
    (void)state;
    static const char line[] = "# heddle: thread 10\n";
    char text[128];
    snprintf(text, sizeof text, "%sT0|fork(10)|\nT10|w(x)|\n10|w(x)|\n", line);
    assert_string_equal(threads_of(text), "T0:fork-10 T10:w 10:w");
    snprintf(text, sizeof text, "T10|w(x)|\n%sT0|fork(10)|\n10|w(x)|\n", line);
    assert_string_equal(threads_of(text), "T10:w T0:fork-10 10:w");
    snprintf(text, sizeof text, "T0|fork(10)|\n%sT10|w(x)|\n10|w(x)|\n", line);
    assert_string_equal(threads_of(text), "T0:fork-10 T10:w 10:w");
    assert_string_equal(threads_of("# heddle: thread T10\nT0|fork(10)|\nT10|w(x)|\n"),
                        "T0:fork-T10 T10:w");
}

/* ---- The writer ---- */

/* Writes the trace as text and gives the file back; to be freed. */
static char *saved(const hd_trace *trace, size_t *size) {
    const char *path = path_of("saved");
    assert_true(hd_trace_save(trace, path, HD_TRACE_TEXT, &error));
    char *text = read_file(path, size);
    unlink(path);
    return text;
}

static void round_trip(const char *text) {
    hd_trace trace;
    size_t size;
    hd_trace_init(&trace);
    support_parse(&trace, text);
    char *again = saved(&trace, &size);
    assert_string_equal(again, text);
    assert_int_equal(size, strlen(text));
    free(again);
    hd_trace_release(&trace);
}

static void what_is_read_is_written_byte_for_byte(void **state) {
    (void)state;
    round_trip("m|fork(t)|a.c:1\nt|r(x)|\nt|w4(x=-9223372036854775808)|b\nt|ar65535(y=0)|\n"
               "t|acq(l)|\nt|begin()|\nt|mark(m=9223372036854775807)|\nt|end()|\nm|join(t)|1\n");
    round_trip("a b|w(f(x))|c=d (e)\n \t|w(\x01\xff)|#\n");
}

/* A reader knows programs by their first bytes: a comment comes before such a name. */
static void a_name_that_begins_as_a_program_is_no_program(void **state) {
    (void)state;
    round_trip("# a trace\n\177ELF|w(x)|\n");
}

/* Threads 10 and T10 in one trace: in whatever order they come, what is written
 * is not misread. */
static void a_number_beside_t_number_is_written_apart(void **state) {
    (void)state;
    static const char *const texts[] = {
        "# heddle: thread 10\nT0|fork(10)|\nT10|w(x)|\n10|w(x)|\n",
        "# heddle: thread 10\nT0|fork(10)|\nT10|w(x)|\n",
        "# heddle: thread 10\nT0|fork(10)|\nT0|fork(T10)|\nT0|join(10)|\n",
        "# heddle: thread 10\nT10|w(x)|\nT0|fork(10)|\n10|w(x)|\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        round_trip(texts[i]);
}

static void missing_bars_are_added(void **state) {
    (void)state;
    hd_trace trace;
    size_t size;
    hd_trace_init(&trace);
    support_parse(&trace, "# gone\n\nt|w08(x=-0)\r\nt|req(l)|");
    char *text = saved(&trace, &size);
    assert_string_equal(text, "t|w8(x=0)|\n");
    free(text);
    hd_trace_release(&trace);
}

static void lines_longer_than_the_buffer(void **state) {
    (void)state;
    enum { SIZE = 3 << 20 };
    char *text = hd_mem_alloc(SIZE + 32), *at = text;
    at = stpcpy(at, "t|w(");
    memset(at, 'x', SIZE);
    strcpy(at + SIZE, "=1)|\nt|w(y)|\n");
    round_trip(text);
    free(text);
}

static void comments_and_the_incomplete_line(void **state) {
    (void)state;
    const char *path = path_of("saved");
    hd_trace trace;
    size_t size;
    hd_trace_init(&trace);
    support_parse(&trace, "t|w(x)|\n");
    hd_trace_writer *writer = hd_trace_writer_open(path, HD_TRACE_TEXT, &error);
    hd_trace_writer_comment(writer, "a %d\nb\rc", 5);
    assert_true(hd_trace_writer_write(writer, &trace.tables, trace.events.data, 1));
    hd_trace_writer_lost(writer, 7, true);
    assert_true(hd_trace_writer_close(writer, &error));
    char *text = read_file(path, &size);
    assert_string_equal(text, "# a 5 b c\nt|w(x)|\n# heddle: incomplete lost=7\n");
    free(text);
    unlink(path);
    hd_trace_release(&trace);
}

static void an_abandoned_file_is_not_there(void **state) {
    (void)state;
    hd_trace_writer *writer = hd_trace_writer_open(path_of("saved"), HD_TRACE_TEXT, &error);
    hd_trace_writer_comment(writer, "x");
    hd_trace_writer_abandon(writer);
    assert_int_equal(access(path_of("saved"), F_OK), -1);
    hd_trace_writer_abandon(NULL);
}

static void places_that_cannot_be_written(void **state) {
    (void)state;
    hd_trace trace;
    char message[256];
    hd_trace_init(&trace);
    support_parse(&trace, "t|w(x)|\n");
    assert_false(hd_trace_save(&trace, path_of("none/file"), HD_TRACE_TEXT, &error));
    snprintf(message, sizeof message, "%s: cannot write: No such file or directory",
             path_of("none/file"));
    assert_string_equal(error.text, message);
    assert_false(hd_trace_save(&trace, folder, HD_TRACE_TEXT, &error));
    snprintf(message, sizeof message, "%s: cannot write: Is a directory", folder);
    assert_string_equal(error.text, message);
    assert_false(hd_trace_save(&trace, "/dev/full", HD_TRACE_BINARY, &error));
    assert_string_equal(error.text, "/dev/full: cannot write: No space left on device");
    hd_trace_release(&trace);
}

static void the_name_tells_the_format(void **state) {
    (void)state;
    assert_int_equal(hd_trace_format_of("a.htr"), HD_TRACE_BINARY);
    assert_int_equal(hd_trace_format_of(".htr"), HD_TRACE_BINARY);
    assert_int_equal(hd_trace_format_of("a.std"), HD_TRACE_TEXT);
    assert_int_equal(hd_trace_format_of("htr"), HD_TRACE_TEXT);
    assert_int_equal(hd_trace_format_of("a.htr.gz"), HD_TRACE_TEXT);
}

SUPPORT_SUITE(test_trace_stream) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments_are_kept_with_their_place),
        cmocka_unit_test(comments_are_dropped_unless_asked_for),
        cmocka_unit_test(incomplete_is_read_from_its_comment),
        cmocka_unit_test(other_comments_do_not_make_it_incomplete),
        cmocka_unit_test(lines_of_the_batch),
        cmocka_unit_test(batches_follow_one_another),
        cmocka_unit_test(an_error_stays),
        cmocka_unit_test(the_end_stays),
        cmocka_unit_test(a_pipe_that_grows),
        cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(a_file_on_disk),
        cmocka_unit_test(a_cursor_over_memory_is_one_batch),
        cmocka_unit_test(a_cursor_over_an_empty_trace),
        cmocka_unit_test(requests_are_no_events),
        cmocka_unit_test(a_number_is_the_thread_that_acts_as_t_number),
        cmocka_unit_test(a_number_that_acts_is_itself),
        cmocka_unit_test(a_number_that_never_acts_is_itself),
        cmocka_unit_test(a_long_number_is_a_name_like_any_other),
        cmocka_unit_test(a_number_taken_for_t_number_cannot_act),
        cmocka_unit_test(the_rules_know_the_thread_under_both_names),
        cmocka_unit_test(a_comment_says_that_a_number_is_itself),
        cmocka_unit_test(what_is_read_is_written_byte_for_byte),
        cmocka_unit_test(a_name_that_begins_as_a_program_is_no_program),
        cmocka_unit_test(a_number_beside_t_number_is_written_apart),
        cmocka_unit_test(missing_bars_are_added),
        cmocka_unit_test(lines_longer_than_the_buffer),
        cmocka_unit_test(comments_and_the_incomplete_line),
        cmocka_unit_test(an_abandoned_file_is_not_there),
        cmocka_unit_test(places_that_cannot_be_written),
        cmocka_unit_test(the_name_tells_the_format),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
