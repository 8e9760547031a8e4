/*
 * The text format, line by line: what is taken, as what, and what is refused
 * with which words.  test_trace_stream.c has what concerns whole files.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_suite.h"
#include "trace/trace.h"

/* ---- Reading ---- */

static hd_trace trace;
static hd_error error;

static int setup(void **state) {
    (void)state;
    hd_trace_init(&trace);
    error = (hd_error){""};
    return 0;
}

static int teardown(void **state) {
    (void)state;
    hd_trace_release(&trace);
    return 0;
}

static bool take_all(hd_trace_cursor *cursor) {
    hd_trace_batch batch;
    int more;
    while ((more = hd_trace_cursor_next(cursor, &batch, &error)) > 0)
        for (size_t i = 0; i < batch.count; i++)
            hd_trace_append(&trace, batch.events[i]);
    return more == 0;
}

/* Fills `trace`, which is emptied first; the file is called "t".  The bytes are
 * a copy of their exact size, so that a sanitizer sees a look behind them. */
static bool read_bytes(const char *data, size_t size, unsigned flags) {
    hd_trace_release(&trace);
    hd_trace_init(&trace);
    error = (hd_error){""};
    char *copy = hd_mem_alloc(size ? size : 1);
    memcpy(copy, data, size);
    hd_trace_cursor *cursor = hd_trace_cursor_memory(copy, size, "t", flags, &error);
    bool good = cursor && take_all(cursor);
    if (cursor) {
        hd_trace_tables_release(&trace.tables);
        hd_trace_cursor_take_tables(cursor, &trace.tables);
    }
    hd_trace_cursor_close(cursor);
    free(copy);
    return good;
}

static bool read_text(const char *text) {
    return read_bytes(text, strlen(text), 0);
}

static const heddle_event *event(uint32_t number) {
    return hd_trace_event(&trace, number);
}

static void must_read(const char *text) {
    if (!read_text(text))
        fail_msg("'%s' was refused: %s", text, error.text);
}

/* The text is taken, and its first event is written as `line`. */
static void reads_as(const char *text, const char *line) {
    char printed[256];
    must_read(text);
    hd_trace_print(printed, sizeof printed, &trace.tables, event(1));
    assert_string_equal(printed, line);
}

static void refused(const char *text, const char *message) {
    if (read_text(text))
        fail_msg("'%s' was taken", text);
    assert_string_equal(error.text, message);
}

static void bytes_refused(const char *data, size_t size, const char *message) {
    assert_false(read_bytes(data, size, 0));
    assert_string_equal(error.text, message);
}
#define BYTES_REFUSED(literal, message) bytes_refused(literal, sizeof(literal) - 1, message)

/* ---- Operations ---- */

/* Every operation, in lines as the writer writes them. */
static const char every_op[] = "m|fork(t)|a.c:1\n"
                               "m|r(x)|a.c:2\n"
                               "m|w(x=5)|\n"
                               "m|rmw(x=-6)|\n"
                               "m|ar4(y)|a.c:2\n"
                               "m|aw8(y=7)|\n"
                               "m|armw65535(y=8)|\n"
                               "m|acq(l)|lock\n"
                               "t|tryfail(l)|\n"
                               "m|rel(l)|\n"
                               "m|wait(c)|\n"
                               "t|notify(c)|\n"
                               "m|wake(c)|\n"
                               "t|notifyall(c)|\n"
                               "m|racq(l)|\n"
                               "t|racq(l)|\n"
                               "m|rrel(l)|\n"
                               "m|tryracq(l)|\n"
                               "m|rrel(l)|\n"
                               "t|rrel(l)|\n"
                               "t|tryacq(l)|\n"
                               "t|rel(l)|\n"
                               "m|begin(f)|\n"
                               "m|begin()|\n"
                               "m|end()|\n"
                               "m|end(f)|\n"
                               "m|bin(b)|\n"
                               "t|bin(b)|\n"
                               "m|bout(b)|\n"
                               "t|bout(b)|\n"
                               "m|send(s)|\n"
                               "t|recv(s)|\n"
                               "m|post(u)|\n"
                               "t|take(u)|\n"
                               "t|fence.acq_rel(memory)|\n"
                               "t|fence(memory)|\n"
                               "t|ar4.acquire(y)|\n"
                               "t|aw.release(y=9)|\n"
                               "t|armw.relaxed(y=10)|\n"
                               "t|free4(x)|\n"
                               "t|mark(here)|\n"
                               "t|mark(there=0)|\n"
                               "m|join(t)|\n";

static void every_operation_has_its_kind(void **state) {
    (void)state;
    must_read(every_op);
    unsigned counts[HEDDLE_KIND_COUNT] = {0};
    for (uint32_t n = 1; n <= hd_trace_length(&trace); n++)
        counts[event(n)->kind]++;
    for (unsigned kind = 0; kind < HEDDLE_KIND_COUNT; kind++)
        assert_int_not_equal(counts[kind], 0);
}

static void every_operation_prints_as_it_was_read(void **state) {
    (void)state;
    must_read(every_op);
    const char *at = every_op;
    for (uint32_t n = 1; n <= hd_trace_length(&trace); n++, at = strchr(at, '\n') + 1) {
        char line[128];
        size_t length = hd_trace_print(line, sizeof line, &trace.tables, event(n));
        assert_int_equal(length, strchr(at, '\n') - at);
        assert_memory_equal(line, at, length);
    }
    assert_int_equal(*at, '\0');
}

static void operations_are_found_by_their_word(void **state) {
    (void)state;
    for (int kind = 0; kind < HEDDLE_KIND_COUNT; kind++) {
        const char *op = hd_trace_kinds[kind].op;
        assert_int_equal(hd_trace_kind_of(op, strlen(op)), kind);
    }
    assert_int_equal(hd_trace_kind_of("req", 3), -1);
    assert_int_equal(hd_trace_kind_of("", 0), -1);
}

static void fields_of_an_event(void **state) {
    (void)state;
    must_read("m|w(x)|here\nt|aw4(y=-3)|there\n");
    const heddle_event *e = event(2);
    assert_int_equal(e->thread, 1);
    assert_int_equal(e->object, 1);
    assert_int_equal(e->location, 2);
    assert_int_equal(e->size, 4);
    assert_int_equal(e->kind, HEDDLE_ATOMIC_WRITE);
    assert_int_equal(e->flags, HEDDLE_HAS_VALUE);
    assert_true(e->value == -3);
}

static void classes_number_their_names_apart(void **state) {
    (void)state;
    must_read("a|w(a)|a\na|acq(a)|a\na|begin(a)|a\n");
    for (uint32_t n = 1; n <= 3; n++) {
        assert_int_equal(event(n)->object, 0);
        assert_int_equal(event(n)->location, 1);
    }
}

static void unknown_operations(void **state) {
    (void)state;
    refused("t|write(x)|", "t:1: unknown operation 'write'");
    refused("t|W(x)|", "t:1: unknown operation 'W'");
    refused("t|w (x)|", "t:1: unknown operation 'w '");
    refused("t| w(x)|", "t:1: unknown operation ' w'");
    refused("t|(x)|", "t:1: unknown operation ''");
    refused("t|4(x)|", "t:1: unknown operation '4'");
    refused("t|req4(l)|", "t:1: unknown operation 'req4'");
    refused("t|tryfai(l)|", "t:1: unknown operation 'tryfai'");
    refused("t|notifyalls(c)|", "t:1: unknown operation 'notifyalls'");
    refused("t|w4x(x)|", "t:1: unknown operation 'w4x'");
    refused("t|otifyall(c)|", "t:1: unknown operation 'otifyall'");
    refused("t|Notifyall(c)|", "t:1: unknown operation 'Notifyall'");
    refused("t|\007tryfail(l)|", "t:1: unknown operation '\\x07tryfail'");
}

/* A word with NULs before or behind it is not the word, however many they are. */
static void operation_with_nuls(void **state) {
    (void)state;
    for (size_t nuls = 1; nuls < 300; nuls++) {
        char behind[320] = "t|r", before[320] = "t|", between[320] = "t|r";
        memcpy(behind + 3 + nuls, "(x)|", 4);
        bytes_refused(behind, 3 + nuls + 4, "t:1: unknown operation 'r'");
        memcpy(before + 2 + nuls, "r(x)|", 5);
        bytes_refused(before, 2 + nuls + 5, "t:1: unknown operation ''");
        memcpy(between + 3 + nuls, "r(x)|", 5);
        bytes_refused(between, 3 + nuls + 5, "t:1: unknown operation 'r'");
    }
}

static void long_unknown_operation_is_cut(void **state) {
    (void)state;
    char line[300], message[300];
    snprintf(line, sizeof line, "t|%0200d(x)|", 0);
    snprintf(message, sizeof message, "t:1: unknown operation '%080d'", 0);
    refused(line, message);
}

static void message_is_printable(void **state) {
    (void)state;
    refused("t|\x1b[31m(x)|", "t:1: unknown operation '\\x1b[31m'");
    refused("t|\xff\xc3\xa9(x)|", "t:1: unknown operation '\\xff\xc3\xa9'");
    refused("a\x07|rel(l\x1b)|", "t:1: a\\x07 releases lock l\\x1b, which no thread holds");
}

/* ---- Sizes and values ---- */

static void sizes(void **state) {
    (void)state;
    reads_as("t|w1(x)|", "t|w1(x)|");
    reads_as("t|rmw65535(x)|", "t|rmw65535(x)|");
    reads_as("t|r08(x)|", "t|r8(x)|");
}

static void bad_sizes(void **state) {
    (void)state;
    static const char words[] = "t:1: the size of an access must be 1 to 65535 bytes";
    refused("t|w0(x)|", words);
    refused("t|w65536(x)|", words);
    refused("t|w4294967297(x)|", words);
    refused("t|w99999999999999999999999(x)|", words);
    refused("t|acq8(l)|", "t:1: operation 'acq' takes no size");
    refused("t|mark1(l)|", "t:1: operation 'mark' takes no size");
}

static void values(void **state) {
    (void)state;
    must_read("t|w(x=9223372036854775807)|\nt|r(x=-9223372036854775808)|\nt|mark(m=-0)|\n"
              "t|w(x=007)|\nt|w(x)|\n");
    assert_true(event(1)->value == INT64_MAX);
    assert_true(event(2)->value == INT64_MIN);
    assert_true(event(3)->value == 0 && event(3)->flags == HEDDLE_HAS_VALUE);
    assert_true(event(4)->value == 7);
    assert_true(event(5)->value == 0 && event(5)->flags == 0);
}

static void bad_values(void **state) {
    (void)state;
    static const char *const texts[] = {"9223372036854775808",
                                        "-9223372036854775809",
                                        "99999999999999999999",
                                        "",
                                        "-",
                                        "--1",
                                        "+1",
                                        " 1",
                                        "1 ",
                                        "0x10",
                                        "1e3",
                                        "1=2",
                                        "=1",
                                        "a"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char line[64];
        snprintf(line, sizeof line, "t|w(x=%s)|", texts[i]);
        refused(line, "t:1: the value after '=' is not a 64-bit integer");
    }
}

static void operations_without_value(void **state) {
    (void)state;
    refused("t|acq(l=1)|", "t:1: operation 'acq' takes no value");
    refused("t|send(s=1)|", "t:1: operation 'send' takes no value");
    refused("t|begin(f=)|", "t:1: operation 'begin' takes no value");
    refused("t|fork(a=b)|", "t:1: operation 'fork' takes no value");
}

/* ---- Names ---- */

static void names_may_hold_odd_characters(void **state) {
    (void)state;
    reads_as("a b\t|w(f(x)[1].y)|f.c:1 (g)", "a b\t|w(f(x)[1].y)|f.c:1 (g)");
    reads_as("\xc3\xa9|w(\xff\x01)|#", "\xc3\xa9|w(\xff\x01)|#");
    reads_as(" #t|w(#)|a=b", " #t|w(#)|a=b");
    reads_as("t|w(()|", "t|w(()|");
    reads_as("t|w())|", "t|w())|");
}

static void location_missing_or_empty_is_none(void **state) {
    (void)state;
    must_read("t|w(x)\nt|w(x)|\nt|w(x)|7\n");
    assert_int_equal(event(1)->location, 0);
    assert_int_equal(event(2)->location, 0);
    assert_int_equal(event(3)->location, 1);
}

static void missing_names(void **state) {
    (void)state;
    refused("|w(x)|", "t:1: the thread has no name");
    refused("t|w(x)|\n|w(x)|\n", "t:2: the thread has no name");
    refused("t|w()|", "t:1: the variable has no name");
    refused("t|w(=5)|", "t:1: the variable has no name");
    refused("t|acq()|", "t:1: the lock has no name");
    refused("t|fork()|", "t:1: the thread has no name");
    refused("t|wait()|", "t:1: the condition has no name");
    refused("t|bin()|", "t:1: the barrier has no name");
    refused("t|send()|", "t:1: the channel has no name");
    refused("t|mark()|", "t:1: the label has no name");
}

static void characters_that_no_name_has(void **state) {
    (void)state;
    BYTES_REFUSED("t\0|w(x)|", "t:1: a character that a thread's name cannot have");
    BYTES_REFUSED("t|w(x\0y)|", "t:1: a character that a variable's name cannot have");
    BYTES_REFUSED("t|w(x)|a\0", "t:1: a character that a location's name cannot have");
    refused("a\rb|w(x)|", "t:1: a character that a thread's name cannot have");
    refused("t|acq(a\rb)|", "t:1: a character that a lock's name cannot have");
    refused("t|w(x)|a\rb\n", "t:1: a character that a location's name cannot have");
    refused("m|fork(#t)|", "t:1: a character that a thread's name cannot have");
    refused("a=b|w(x)|", "t:1: a character that a thread's name cannot have");
    refused("t|fork(\x89)|", "t:1: a character that a thread's name cannot have");
}

static void legal_names(void **state) {
    (void)state;
    assert_true(hd_trace_legal_name(HEDDLE_CLASS_THREAD, "a#\x89", 3));
    assert_false(hd_trace_legal_name(HEDDLE_CLASS_THREAD, "a=b", 3));
    assert_false(hd_trace_legal_name(HEDDLE_CLASS_THREAD, "\x89", 1));
    assert_false(hd_trace_legal_name(HEDDLE_CLASS_THREAD, "#a", 2));
    assert_false(hd_trace_legal_name(HEDDLE_CLASS_VARIABLE, "a=b", 3));
    assert_true(hd_trace_legal_name(HEDDLE_CLASS_LOCATION, "a=b", 3));
    assert_false(hd_trace_legal_name(HEDDLE_CLASS_LOCATION, "a|b", 3));
    assert_true(hd_trace_legal_name(HEDDLE_CLASS_BLOCK, "", 0));
    assert_false(hd_trace_legal_name(HEDDLE_CLASS_LABEL, "", 0));
    assert_false(hd_trace_legal_name(HEDDLE_CLASS_LABEL, "a\nb", 3));
}

static void names_of_a_megabyte(void **state) {
    (void)state;
    enum { SIZE = 1 << 20 };
    char *text = hd_mem_alloc(3 * SIZE + 32), *at = text;
    memset(at, 'a', SIZE), at += SIZE;
    at = stpcpy(at, "|w(");
    memset(at, 'b', SIZE), at += SIZE;
    at = stpcpy(at, "=5)|");
    memset(at, 'c', SIZE), at += SIZE;
    assert_true(read_bytes(text, (size_t)(at - text), 0));
    assert_int_equal(hd_names_size(&trace.tables.names[HEDDLE_CLASS_THREAD], 0), SIZE);
    assert_int_equal(hd_names_size(&trace.tables.names[HEDDLE_CLASS_VARIABLE], 0), SIZE);
    assert_int_equal(hd_names_size(&trace.tables.names[HEDDLE_CLASS_LOCATION], 1), SIZE);
    free(text);
}

static void long_name_in_a_message_is_cut(void **state) {
    (void)state;
    enum { SIZE = 100000 };
    char *text = hd_mem_alloc(SIZE + 32);
    memset(text, 'a', SIZE);
    strcpy(text + SIZE, "|rel(l)|");
    assert_false(read_text(text));
    assert_true(strlen(error.text) < HD_ERROR_SIZE);
    assert_memory_equal(error.text, "t:1: aaa", 8);
    free(text);
}

/* ---- Lines ---- */

static void broken_lines(void **state) {
    (void)state;
    refused("x", "t:1: no '|' after the thread");
    refused(" \n", "t:1: no '|' after the thread");
    refused("t|", "t:1: no operation of the form op(object)");
    refused("t||", "t:1: no operation of the form op(object)");
    refused("t|w|", "t:1: no operation of the form op(object)");
    refused("t|w(x", "t:1: no operation of the form op(object)");
    refused("t|w(x|", "t:1: no operation of the form op(object)");
    refused("t|w)x(|", "t:1: no operation of the form op(object)");
    refused("t|w(x) |1", "t:1: no operation of the form op(object)");
    refused("t|w(x)|a|b", "t:1: a third '|'");
    refused("t|w(x)||", "t:1: a third '|'");
}

static void line_ends(void **state) {
    (void)state;
    must_read("t|w(x)|1\r\nt|w(x)\r\n\r\nt|w(x)|1");
    assert_int_equal(hd_trace_length(&trace), 3);
    assert_int_equal(event(1)->location, event(3)->location);
    assert_int_equal(event(2)->location, 0);
    must_read("t|w(x)|1\r");
    assert_int_equal(event(1)->location, 1);
    assert_string_equal(hd_trace_location(&trace.tables, event(1)), "1");
    refused("t|w(x)|1\r\r\n", "t:1: a character that a location's name cannot have");
}

static void errors_have_the_line_of_the_file(void **state) {
    (void)state;
    refused("# one\n\n\r\nt|req(l)|\n#five\nt|w(x)|\nbad", "t:7: no '|' after the thread");
    refused("t|acq(l)|\n\nu|acq(l)|\n", "t:3: u acquires lock l, which t holds");
}

static void empty_texts(void **state) {
    (void)state;
    refused("", "t: no events");
    refused("\n\r\n", "t: no events");
    refused("# nothing\n", "t: no events");
    refused("t|req(l)|\n", "t: no events");
    assert_true(read_bytes("", 0, HD_TRACE_UNCHECKED));
    assert_false(read_bytes("", 0, HD_TRACE_RECOVER));
}

static void a_byte_of_the_magic_is_no_text(void **state) {
    (void)state;
    refused("\x89|w(x)|", "t: offset 0: not a heddle trace (damaged header)");
    refused("\x89", "t: offset 0: not a heddle trace (damaged header)");
}

/* The text is a comment of this length, and an event if `more`. */
static bool comment_of(size_t length, bool more) {
    static const char rest[] = "\nt|w(x)|";
    char *text = hd_mem_alloc(length + sizeof rest);
    memset(text, '#', length);
    strcpy(text + length, more ? rest : "");
    bool good = read_text(text);
    free(text);
    return good;
}

static void longest_line(void **state) {
    (void)state;
    assert_true(comment_of(HD_TRACE_MAX_LINE, true));
}

static void line_too_long(void **state) {
    (void)state;
    assert_false(comment_of(HD_TRACE_MAX_LINE + 1, true));
    assert_string_equal(error.text, "t:1: line longer than 16 MiB");
    assert_false(comment_of(HD_TRACE_MAX_LINE + 1, false));
    assert_string_equal(error.text, "t:1: line longer than 16 MiB");
}

/* Three names of the greatest length fit a line. */
static void longest_names(void **state) {
    (void)state;
    enum { SIZE = 4 << 20 };
    char *text = hd_mem_alloc(3 * SIZE + 32);
    memset(text, 'a', 3 * SIZE + 8);
    memcpy(text + SIZE, "|w(", 3);
    memcpy(text + 2 * SIZE + 3, ")|", 2);
    text[3 * SIZE + 5] = '\0';
    must_read(text);
    strcpy(text + 3 * SIZE + 5, "a");
    refused(text, "t:1: a name longer than 4 MiB");
    free(text);
}

/* ---- Unchecked ---- */

static void unchecked_takes_what_is_no_run(void **state) {
    (void)state;
    static const char text[] = "t|rel(l)|\nt|wake(c)|\n";
    assert_true(read_bytes(text, sizeof text - 1, HD_TRACE_UNCHECKED));
    assert_int_equal(hd_trace_length(&trace), 2);
    assert_false(read_bytes("t|x(l)|", 7, HD_TRACE_UNCHECKED));
}

static void printing_cuts_what_does_not_fit(void **state) {
    (void)state;
    char line[12];
    must_read("thread|w(variable)|location\n");
    assert_int_equal(hd_trace_print(line, sizeof line, &trace.tables, event(1)), 11);
    assert_string_equal(line, "thread|w...");
}

SUPPORT_SUITE(test_trace_text) {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(every_operation_has_its_kind),
        T(every_operation_prints_as_it_was_read),
        T(operations_are_found_by_their_word),
        T(fields_of_an_event),
        T(classes_number_their_names_apart),
        T(unknown_operations),
        T(operation_with_nuls),
        T(long_unknown_operation_is_cut),
        T(message_is_printable),
        T(sizes),
        T(bad_sizes),
        T(values),
        T(bad_values),
        T(operations_without_value),
        T(names_may_hold_odd_characters),
        T(location_missing_or_empty_is_none),
        T(missing_names),
        T(characters_that_no_name_has),
        T(legal_names),
        T(names_of_a_megabyte),
        T(long_name_in_a_message_is_cut),
        T(broken_lines),
        T(line_ends),
        T(errors_have_the_line_of_the_file),
        T(empty_texts),
        T(a_byte_of_the_magic_is_no_text),
        T(longest_line),
        T(line_too_long),
        T(longest_names),
        T(unchecked_takes_what_is_no_run),
        T(printing_cuts_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
