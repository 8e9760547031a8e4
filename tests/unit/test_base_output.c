/*
 * The base room: the JSON writer, the progress line, the log.
 */

#include "support_suite.h"
#include "test_base_tools.h"

/* ---- JSON ---- */

static hd_json json_start(void) {
    hd_json json;
    hd_json_init(&json, create(in_directory("json")));
    return json;
}

static void assert_json(hd_json *json, const char *expected) {
    hd_json_end(json);
    commit(json->file);
    size_t length = strlen(expected);
    char *content = slurp(in_directory("json"), NULL);
    assert_int_equal(strncmp(content, expected, length), 0);
    assert_string_equal(content + length, "\n");
    free(content);
}

/* In a page no text can end the element that it stands in. */
static void json_in_a_page(void **state) {
    (void)state;
    hd_json json = json_start();
    json.in_page = true;
    hd_json_open(&json, NULL, '[');
    hd_json_text(&json, NULL, "</script><!--&>");
    hd_json_close(&json);
    assert_json(&json, "[\"\\u003c/script>\\u003c!--&>\"]");
    json = json_start();
    hd_json_text(&json, NULL, "<");
    assert_json(&json, "\"<\"");
}

static void json_nests(void **state) {
    (void)state;
    hd_json json = json_start();
    hd_json_open(&json, NULL, '{');
    hd_json_uint(&json, "events", 7);
    hd_json_open(&json, "list", '[');
    hd_json_int(&json, NULL, -1);
    hd_json_open(&json, NULL, '{');
    hd_json_close(&json);
    hd_json_open(&json, NULL, '[');
    hd_json_close(&json);
    hd_json_bool(&json, NULL, true);
    hd_json_null(&json, NULL);
    hd_json_close(&json);
    hd_json_bool(&json, "done", false);
    hd_json_close(&json);
    assert_json(&json, "{\"events\": 7, \"list\": [-1, {}, [], true, null], \"done\": false}");
}

static void json_nests_deeply(void **state) {
    (void)state;
    char expected[2 * HD_JSON_DEPTH + 1] = "";
    hd_json json = json_start();
    for (int i = 0; i < HD_JSON_DEPTH; i++) {
        hd_json_open(&json, NULL, '[');
        expected[i] = '[';
        expected[2 * HD_JSON_DEPTH - 1 - i] = ']';
    }
    for (int i = 0; i < HD_JSON_DEPTH; i++)
        hd_json_close(&json);
    assert_json(&json, expected);
}

static void json_numbers(void **state) {
    (void)state;
    hd_json json = json_start();
    hd_json_open(&json, NULL, '[');
    hd_json_uint(&json, NULL, UINT64_MAX);
    hd_json_int(&json, NULL, INT64_MIN);
    hd_json_digits(&json, NULL, "123456789012345678901234567890");
    hd_json_real(&json, NULL, 0.1);
    hd_json_real(&json, NULL, 1e300);
    hd_json_real(&json, NULL, -2.5);
    hd_json_real(&json, NULL, 0);
    hd_json_real(&json, NULL, INFINITY);
    hd_json_real(&json, NULL, NAN);
    hd_json_close(&json);
    assert_json(&json, "[18446744073709551615, -9223372036854775808, "
                       "123456789012345678901234567890, 0.1, 1e+300, -2.5, 0, null, null]");
}

static void json_strings(void **state) {
    (void)state;
    hd_json json = json_start();
    hd_json_open(&json, NULL, '{');
    hd_json_text(&json, "a \"key\"", "back\\slash \"quote\" /");
    hd_json_text(&json, "control", "\n\t\x01\x1f\x7f");
    hd_json_string(&json, "nul", "a\0b", 3);
    hd_json_text(&json, "utf", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    hd_json_text(&json, "", "");
    hd_json_close(&json);
    assert_json(&json, "{\"a \\\"key\\\"\": \"back\\\\slash \\\"quote\\\" /\", "
                       "\"control\": \"\\u000a\\u0009\\u0001\\u001f\\u007f\", "
                       "\"nul\": \"a\\u0000b\", "
                       "\"utf\": \"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\", \"\": \"\"}");
}

static void json_mends_bad_utf8(void **state) {
    (void)state;
    hd_json json = json_start();
    hd_json_open(&json, NULL, '[');
    hd_json_text(&json, NULL, "a\xff z");
    hd_json_text(&json, NULL, "\xed\xa0\x80");          /* a surrogate */
    hd_json_text(&json, NULL, "\xe2\x82");              /* cut off */
    hd_json_string(&json, NULL, "\xc3\xa9\xc3\xa9", 3); /* by its length */
    hd_json_text(&json, NULL, "\xc3\"");                /* the quote is still escaped */
    hd_json_close(&json);
    assert_json(&json, "[\"a\\ufffd z\", \"\\ufffd\\ufffd\\ufffd\", \"\\ufffd\\ufffd\", "
                       "\"\xc3\xa9\\ufffd\", \"\\ufffd\\\"\"]");
}

static void json_of_one_value(void **state) {
    (void)state;
    hd_json json = json_start();
    hd_json_text(&json, NULL, "alone");
    assert_json(&json, "\"alone\"");
}

/* ---- Progress ---- */

static void assert_progress(uint64_t total, uint64_t done, double seconds, const char *expected) {
    char line[160];
    hd_progress progress = {.verb = "reading", .unit = "events", .total = total};
    size_t length = hd_progress_format(line, sizeof line, &progress, done, seconds);
    assert_string_equal(line, expected);
    assert_int_equal(length, strlen(expected));
}

static void progress_text(void **state) {
    (void)state;
    assert_progress(0, 0, 0, "reading: 0 events, 0.0/s");
    assert_progress(0, 1234, 2, "reading: 1,234 events, 617/s");
    assert_progress(0, 15, 2, "reading: 15 events, 7.5/s");
    assert_progress(0, 9999, 1, "reading: 9,999 events, 9999/s");
    assert_progress(0, 10000, 1, "reading: 10,000 events, 10.0 k/s");
    assert_progress(0, 50000000, 2, "reading: 50,000,000 events, 25.0 M/s");
    assert_progress(0, UINT64_C(30000000000), 1, "reading: 30,000,000,000 events, 30.0 G/s");
    assert_progress(200, 50, 5, "reading: 50 events, 10.0/s, 25 %, 15 s left");
    assert_progress(200, 200, 5, "reading: 200 events, 40.0/s, 100 %, 0 s left");
    assert_progress(200, 300, 5, "reading: 300 events, 60.0/s"); /* the total was wrong */
    assert_progress(200, 0, 5, "reading: 0 events, 0.0/s");
}

static void progress_text_is_cut(void **state) {
    (void)state;
    char line[16] = "0123456789abcde";
    hd_progress progress = {.verb = "reading", .unit = "events"};
    assert_true(hd_progress_format(line, 12, &progress, 7, 1) > 12);
    assert_string_equal(line, "reading: 7 ");
    assert_int_equal(line[12], 'c');
}

static void progress_is_silent_without_a_terminal(void **state) {
    (void)state;
    struct redirection redirection;
    redirect(&redirection, STDERR_FILENO);
    hd_progress progress;
    hd_progress_start(&progress, "reading", "events", 100);
    progress.shown -= 10;
    hd_progress_step(&progress, 50);
    hd_progress_hide();
    hd_progress_end(&progress);
    char *text = captured(&redirection);
    assert_string_equal(text, "");
    free(text);
}

/* A terminal in place of standard error; -1 if none exists to be had. */
static int open_terminal(int *saved) {
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        return -1;
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave < 0)
        return -1;
    fflush(NULL);
    *saved = dup(STDERR_FILENO);
    dup2(slave, STDERR_FILENO);
    close(slave);
    return master;
}

/* What was written to the terminal, once nobody has it open any more. */
static void close_terminal(int master, int saved, char *text, size_t size) {
    dup2(saved, STDERR_FILENO);
    close(saved);
    size_t used = 0;
    for (ssize_t got; (got = read(master, text + used, size - 1 - used)) > 0;)
        used += (size_t)got;
    text[used] = '\0';
    close(master);
}

static void show_progress(void) {
    hd_progress outer, inner;
    hd_progress_start(&outer, "reading", "events", 0);
    hd_progress_step(&outer, 1); /* too early */
    outer.shown -= 1;            /* as if a second had passed */
    hd_progress_step(&outer, 2);
    hd_progress_step(&outer, 3); /* too early again */
    hd_progress_start(&inner, "sorting", "events", 0);
    inner.shown -= 1;
    hd_progress_step(&inner, 4);
    hd_progress_end(&inner);
    hd_progress_end(&outer);
    hd_progress_hide(); /* nothing left to hide */
    hd_progress_allow(false);
    hd_progress_start(&outer, "writing", "events", 0);
    outer.shown -= 1;
    hd_progress_step(&outer, 5);
    hd_progress_end(&outer);
    hd_progress_allow(true);
}

static void progress_on_a_terminal_comes_and_goes(void **state) {
    (void)state;
    int saved = -1;
    int master = open_terminal(&saved);
    if (master < 0)
        return;
    show_progress();
    char text[512];
    close_terminal(master, saved, text, sizeof text);
    assert_int_equal(strncmp(text, "\rreading: 2 events, ", 20), 0);
    assert_ends_in(text, "/s\033[K\r\033[K");
    assert_null(strstr(text, "sorting"));
    assert_null(strstr(text, "writing"));
    assert_null(strstr(text, " 3 events"));
}

static void clock_does_not_run_backwards(void **state) {
    (void)state;
    double last = hd_progress_clock();
    for (int i = 0; i < 1000; i++) {
        double now = hd_progress_clock();
        assert_true(now >= last);
        last = now;
    }
}

/* ---- The log ---- */

static char *log_all(enum hd_log_level level) {
    struct redirection redirection;
    redirect(&redirection, STDERR_FILENO);
    hd_log_set_level(level);
    hd_log_write(HD_LOG_ERROR, "an %s", "error");
    hd_log_write(HD_LOG_WARNING, "a warning of %d", 2);
    hd_log_write(HD_LOG_NOTE, "a note");
    hd_log_write(HD_LOG_DEBUG, "a detail");
    return captured(&redirection);
}

static void log_has_levels(void **state) {
    (void)state;
    static const char *const lines[] = {"heddle: an error\n", "heddle: warning: a warning of 2\n",
                                        "heddle: a note\n", "heddle: debug: a detail\n"};
    char expected[256] = "";
    assert_int_equal(hd_log_get_level(), HD_LOG_WARNING); /* from the start */
    for (int level = HD_LOG_ERROR; level <= HD_LOG_DEBUG; level++) {
        char *text = log_all((enum hd_log_level)level);
        assert_int_equal(hd_log_get_level(), level);
        strcat(expected, lines[level]);
        assert_string_equal(text, expected);
        free(text);
    }
    hd_log_set_level(HD_LOG_WARNING);
}

SUPPORT_SUITE(test_base_output) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_in_a_page),
        cmocka_unit_test(json_nests),
        cmocka_unit_test(json_nests_deeply),
        cmocka_unit_test(json_numbers),
        cmocka_unit_test(json_strings),
        cmocka_unit_test(json_mends_bad_utf8),
        cmocka_unit_test(json_of_one_value),
        cmocka_unit_test(progress_text),
        cmocka_unit_test(progress_text_is_cut),
        cmocka_unit_test(progress_is_silent_without_a_terminal),
        cmocka_unit_test(progress_on_a_terminal_comes_and_goes),
        cmocka_unit_test(clock_does_not_run_backwards),
        cmocka_unit_test(log_has_levels),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
