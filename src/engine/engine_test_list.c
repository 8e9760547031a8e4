/*
 * The tests of a program: their names and options, from what it prints.
 */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "engine_test.h"
#include "launch/launch.h"

/* Seconds for a program to say what its tests are. */
enum { PATIENCE = 30 };

/* ---- Options ---- */

/* Of clients, for the program itself (heddle/linear.h). */
static bool is_bound(const char *word) {
    static const char *const bounds[] = {"threads", "operations", "before", "after", "clients"};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (strcmp(word, bounds[i]) == 0)
            return true;
    return false;
}

static bool read_word(hd_engine_test *test, const char *word, const char *value) {
    size_t length = strlen(value);
    if (strcmp(word, "fails") == 0 && !*value)
        test->fails = true;
    else if (strcmp(word, "linear") == 0 && !*value)
        test->linear = true;
    else if (strcmp(word, "spurious") == 0 && !*value)
        hd_vec_push(&test->options, "spurious=1");
    else if (strcmp(word, "reuse") == 0 && !*value)
        hd_vec_push(&test->options, "reuse=1");
    else if (strcmp(word, "no-race") == 0 && !*value)
        test->without |= HD_ENGINE_FIND_RACE;
    else if (strcmp(word, "with") == 0 && *value)
        test->with = value;
    else if (strcmp(word, "time") == 0)
        return hd_text_seconds(value, &test->seconds);
    else if (strcmp(word, "executions") == 0)
        return hd_text_u64(value, length, &test->executions) && test->executions;
    else if (strcmp(word, "depth") == 0)
        return hd_text_u64(value, length, &test->depth) && test->depth;
    else
        return test->linear && is_bound(word);
    return true;
}

/* Words with blanks between, in memory of the report's. */
static bool read_options(hd_engine_tests *tests, hd_engine_test *test, char *text,
                         hd_error *error) {
    char *rest = NULL;
    for (char *word = strtok_r(text, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
        const char *whole = hd_report_keep(&tests->report, word);
        char *equals = strchr(word, '=');
        if (equals)
            *equals = '\0';
        if (!read_word(test, word, equals ? equals + 1 : ""))
            return hd_error_set(error, "%s: test %s: there is no option '%s'",
                                hd_text_name(tests->input), test->name, hd_text_name(whole));
    }
    if (test->with && strcmp(hd_report_rule_of(test->with)->id, test->with) != 0)
        return hd_error_set(error,
                            "%s: test %s: with=%s: there is no such rule, as race, deadlock or "
                            "assertion are",
                            hd_text_name(tests->input), test->name, hd_text_name(test->with));
    return !test->with || test->fails ||
           hd_error_set(error, "%s: test %s: with=%s is for tests that are declared to fail",
                        hd_text_name(tests->input), test->name, hd_text_name(test->with));
}

/* ---- Names ---- */

static void add_word(hd_engine_tests *tests, hd_engine_test *test, const char *word) {
    hd_vec_push(&test->words, (char *)(uintptr_t)hd_report_keep(&tests->report, word));
}

static hd_engine_test *add_test(hd_engine_tests *tests, const char *name) {
    if (tests->filter && fnmatch(tests->filter, name, 0) != 0)
        return NULL;
    hd_vec_push(&tests->list, (hd_engine_test){.name = hd_report_keep(&tests->report, name)});
    return hd_vec_last(&tests->list);
}

static void end_line(char *line) {
    size_t length = strlen(line);
    while (length && isspace((unsigned char)line[length - 1]))
        line[--length] = '\0';
}

/* heddle/test.h: "heddle tests 1", then a line for each. */
static bool read_kit(hd_engine_tests *tests, FILE *said, hd_error *error) {
    char line[4096];
    bool begun = false;
    while (fgets(line, sizeof line, said)) {
        end_line(line);
        if (!begun && strcmp(line, "heddle tests 1 without heddle") == 0)
            return hd_error_set(error, "%s: not built with 'heddle cc'",
                                hd_text_name(tests->input));
        if (!begun) {
            begun = strcmp(line, "heddle tests 1") == 0;
            continue;
        }
        size_t length = strcspn(line, " ");
        bool more = line[length] != '\0';
        line[length] = '\0';
        hd_engine_test *test = add_test(tests, line);
        if (!test)
            continue;
        add_word(tests, test, "--run");
        add_word(tests, test, test->name);
        if (more) {
            char *options = (char *)(uintptr_t)hd_report_keep(&tests->report, line + length + 1);
            if (!read_options(tests, test, options, error))
                return false;
        }
    }
    return begun || hd_error_set(error,
                                 "%s: does not list tests of heddle/test.h (--list); for other "
                                 "frameworks give --gtest or --catch2",
                                 hd_text_name(tests->input));
}

/* GoogleTest: "Suite.", then "  Name" for each, both perhaps with a comment. */
static bool read_gtest(hd_engine_tests *tests, FILE *said, hd_error *error) {
    char line[4096], suite[2048] = "";
    while (fgets(line, sizeof line, said)) {
        bool test = line[0] == ' ';
        char *comment = strstr(line, "  # ");
        if (comment)
            *comment = '\0';
        end_line(line);
        size_t length = strlen(line);
        if (!test) {
            bool is_suite = length > 1 && line[length - 1] == '.' && !strchr(line, ' ');
            snprintf(suite, sizeof suite, "%.2000s", is_suite ? line : "");
            continue;
        }
        const char *name = line + strspn(line, " ");
        if (!*suite || !*name || strstr(suite, "DISABLED_") || strncmp(name, "DISABLED_", 9) == 0)
            continue;
        hd_engine_test *made =
            add_test(tests, hd_report_format(&tests->report, "%s%.2000s", suite, name));
        if (!made)
            continue;
        add_word(tests, made, hd_report_format(&tests->report, "--gtest_filter=%s", made->name));
        add_word(tests, made, "--gtest_break_on_failure");
        add_word(tests, made, "--gtest_brief=1");
    }
    return tests->list.length || tests->filter ||
           hd_error_set(error, "%s: does not list tests of GoogleTest (--gtest_list_tests)",
                        hd_text_name(tests->input));
}

/* Catch2: a name a line; a comma, a bracket and the like have a meaning in what chooses a test. */
static const char *escape(hd_engine_tests *tests, const char *name) {
    hd_vec_char text = {0};
    for (const char *c = name; *c; c++) {
        if (strchr(",[]\\\"*~", *c))
            hd_vec_push(&text, '\\');
        hd_vec_push(&text, *c);
    }
    hd_vec_push(&text, '\0');
    const char *kept = hd_report_keep(&tests->report, text.data);
    hd_vec_release(&text);
    return kept;
}

static bool read_catch2(hd_engine_tests *tests, FILE *said, hd_error *error) {
    char line[4096];
    while (fgets(line, sizeof line, said)) {
        end_line(line);
        hd_engine_test *test = *line ? add_test(tests, line) : NULL;
        if (test) {
            add_word(tests, test, escape(tests, test->name));
            add_word(tests, test, "--abort");
        }
    }
    return tests->list.length || tests->filter ||
           hd_error_set(error, "%s: does not list tests of Catch2 (--list-test-names-only)",
                        hd_text_name(tests->input));
}

/* ---- Asking the program ---- */

static const struct {
    const char *word;
    bool (*read)(hd_engine_tests *tests, FILE *said, hd_error *error);
    bool counts; /* its exit status is the number of its tests */
} frameworks[] = {[HD_ENGINE_KIT] = {"--list", read_kit, false},
                  [HD_ENGINE_GTEST] = {"--gtest_list_tests", read_gtest, false},
                  [HD_ENGINE_CATCH2] = {"--list-test-names-only", read_catch2, true}};

/* Whole seconds for the list: no more than a test may take. */
static unsigned patience_of(const hd_engine_tests *tests) {
    bool longer = tests->seconds <= 0 || tests->seconds >= PATIENCE;
    return longer ? PATIENCE : tests->seconds < 1 ? 1 : (unsigned)tests->seconds;
}

static bool ask_program(hd_engine_tests *tests, hd_error *error) {
    const char *word = frameworks[tests->framework].word;
    char *words[] = {(char *)(uintptr_t)tests->program, (char *)(uintptr_t)word, NULL};
    FILE *said = tmpfile();
    if (!said)
        return hd_error_set(error, "cannot make a file: %s", strerror(errno));
    unsigned seconds = patience_of(tests);
    double since = hd_progress_clock();
    bool good = hd_launch_command_read(words, seconds, said);
    bool late = !good && hd_progress_clock() - since >= seconds;
    good = (good || frameworks[tests->framework].counts) && !late;
    rewind(said);
    if (hd_stop_asked())
        good = hd_error_set(error, "ended by %s", hd_stop_name(hd_stop_asked()));
    else if (late)
        hd_error_set(error, "%s: '%s', which should list its tests, did not end within %s",
                     hd_text_name(tests->input), word, hd_text_count(seconds, "second", "seconds"));
    else if (!good)
        hd_error_set(error, "%s: '%s' fails, which should list its tests",
                     hd_text_name(tests->input), word);
    good = good && frameworks[tests->framework].read(tests, said, error);
    fclose(said);
    return good;
}

/* As heddle check does it: in the folder, so that it is there to be replayed. */
static bool find_program(hd_engine_tests *tests, hd_error *error) {
    hd_engine_check check;
    hd_engine_check_init(&check, tests->input, (hd_engine_words){0});
    check.folder = tests->folder;
    check.flags = tests->flags;
    bool good = hd_engine_check_kind(&check, error);
    if (good && check.kind != HD_ENGINE_PROGRAM)
        good = hd_error_set(error, "%s: is not a program, nor a source of one",
                            hd_text_name(tests->input));
    if (good && hd_engine_check_is_source(tests->input))
        good = hd_engine_check_compile(&check, error);
    if (good)
        tests->program = hd_report_keep(&tests->report, check.program);
    hd_engine_check_release(&check);
    return good;
}

static bool is_baseline(const hd_engine_tests *tests, hd_error *error) {
    hd_report none;
    hd_report_init(&none, "test", "");
    bool good = hd_report_baseline_load(&none, tests->baseline, error);
    hd_report_release(&none);
    return good;
}

bool hd_engine_tests_list(hd_engine_tests *tests, hd_error *error) {
    if (tests->baseline && !tests->learns && !is_baseline(tests, error))
        return false;
    if (!find_program(tests, error) || !ask_program(tests, error))
        return false;
    for (size_t i = 0; i < tests->list.length; i++) {
        tests->list.data[i].all = tests;
        if (tests->list.data[i].linear && !hd_engine_test_list_clients(&tests->list.data[i], error))
            return false;
    }
    if (tests->list.length)
        return true;
    return tests->filter ? hd_error_set(error, "%s: no test is called '%s'",
                                        hd_text_name(tests->input), hd_text_name(tests->filter))
                         : hd_error_set(error, "%s: has no tests", hd_text_name(tests->input));
}
