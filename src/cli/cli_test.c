/*
 * heddle test: the tests of a program, each under every schedule.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "cli_report.h"
#include "cli_verdict.h"
#include "report/report.h"

enum {
    FILTER = HD_CLI_OWN,
    JOBS,
    CLIENTS,
    SIZE,
    LIST,
    GTEST,
    CATCH2,
    OUTPUT,
    FLAG,
    JUNIT,
    SARIF,
    HTML,
    BASELINE,
    UPDATE,
    MISUSE,
    VOLATILE,
    SUPPRESSIONS
};

static const hd_cli_option options[] = {
    HD_CLI_COMMON_LIMITS(0, "limit of each test: 60s (default), 0.5, 2m, 1h",
                         "limit of the whole command"),
    {"filter", 0, "GLOB", "only tests with such names: 'queue_*'"},
    {"jobs", 'j', "N", "tests to explore at a time (default: one for each processor)"},
    {"clients", 0, "N", "of tests of heddle/linear.h: explore the N smallest clients"},
    {"size", 0, "TxN", "of these: clients of up to T threads with up to N calls each"},
    {"list", 0, NULL, "print the names of the tests"},
    {"gtest", 0, NULL, "the program's tests are of GoogleTest"},
    {"catch2", 0, NULL, "the program's tests are of Catch2"},
    {"output", 'o', "DIR", "folder for witnesses (the input's name with .heddle)"},
    {"flag", 0, "FLAG", "pass this to the compiler of a source; may be repeated"},
    {"junit", 0, "FILE", "write the tests as JUnit XML"},
    {"sarif", 0, "FILE", "write the findings as SARIF 2.1.0, for code scanning"},
    {"html", 0, "FILE", "also write the answer as an HTML page (doc/report.md)"},
    {"baseline", 0, "FILE", "file of known findings, by which a test may fail"},
    {"update-baseline", 0, NULL, "write the findings to the baseline"},
    HD_CLI_MISUSE,
    HD_CLI_VOLATILE,
    HD_CLI_SUPPRESSIONS,
    HD_CLI_ACCEPT,
    {0},
};

typedef struct testing {
    const hd_cli_arguments *arguments;
    hd_engine_tests t;
    HD_VEC(const char *) flags;
    const char *bounds[3];
    char bound[3][32];
    char *folder, *accept;
    bool made_folder;
    int width; /* of the column of names */
} testing;

/* ---- Options ---- */

static bool read_files(const hd_cli_arguments *arguments) {
    static const int files[] = {JUNIT, SARIF, HTML, BASELINE};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = arguments->values[files[i]];
        if (path && strcmp(path, "-") == 0) {
            hd_cli_usage(arguments, "--%s wants a file, standard output has the answer",
                         options[files[i]].name);
            return false;
        }
    }
    hd_error error = {""};
    if (hd_cli_given(arguments, HTML) && !hd_report_page_there(&error)) {
        hd_cli_fail("%s", error.text);
        return false;
    }
    if (hd_cli_given(arguments, UPDATE) && !hd_cli_given(arguments, BASELINE)) {
        hd_cli_usage(arguments, "--update-baseline wants --baseline=FILE too");
        return false;
    }
    return true;
}

/* Of clients: words for the program. */
static bool read_bounds(testing *x) {
    enum { MOST_THREADS = 7, MOST_CALLS = 8 };
    const hd_cli_arguments *arguments = x->arguments;
    const char *size = arguments->values[SIZE];
    uint64_t clients;
    int threads = 0, calls = 0;
    if (!hd_cli_number(arguments, CLIENTS, 0, 1, UINT64_MAX, &clients))
        return false;
    if (size && strlen(size) == 3 && size[1] == 'x') {
        threads = size[0] - '0';
        calls = size[2] - '0';
    }
    if (size && (threads < 1 || threads > MOST_THREADS || calls < 1 || calls > MOST_CALLS)) {
        hd_cli_usage(arguments,
                     "--size wants threads and calls of each, such as 3x2, at most %dx%d",
                     MOST_THREADS, MOST_CALLS);
        return false;
    }
    if (clients)
        snprintf(x->bound[x->t.bounds.count++], sizeof x->bound[0], "clients=%llu",
                 (unsigned long long)clients);
    if (size) {
        snprintf(x->bound[x->t.bounds.count++], sizeof x->bound[0], "threads=%d", threads);
        snprintf(x->bound[x->t.bounds.count++], sizeof x->bound[0], "operations=%d", calls);
    }
    for (size_t i = 0; i < x->t.bounds.count; i++)
        x->bounds[i] = x->bound[i];
    x->t.bounds.data = x->bounds;
    return true;
}

static bool read_options(testing *x) {
    enum { MOST_JOBS = 1024 };
    const hd_cli_arguments *arguments = x->arguments;
    uint64_t jobs;
    size_t at = 0;
    const char *flag;
    if (hd_cli_given(arguments, GTEST) && hd_cli_given(arguments, CATCH2)) {
        hd_cli_usage(arguments, "--gtest or --catch2, not both");
        return false;
    }
    x->t.framework = hd_cli_given(arguments, GTEST)    ? HD_ENGINE_GTEST
                     : hd_cli_given(arguments, CATCH2) ? HD_ENGINE_CATCH2
                                                       : HD_ENGINE_KIT;
    x->t.filter = arguments->values[FILTER];
    x->t.baseline = arguments->values[BASELINE];
    x->t.keeps = hd_cli_given(arguments, OUTPUT);
    x->t.learns = hd_cli_given(arguments, UPDATE);
    x->t.suppressions = hd_cli_suppressions(arguments, SUPPRESSIONS);
    x->t.accept = x->accept = hd_cli_verdict_accepted(arguments);
    while ((flag = hd_cli_next(arguments, FLAG, &at)))
        hd_vec_push(&x->flags, flag);
    x->t.flags = (hd_engine_texts){x->flags.data, x->flags.length};
    if (!read_files(arguments) || !read_bounds(x) || !hd_cli_misuse(arguments, MISUSE) ||
        !hd_cli_volatile(arguments, VOLATILE) ||
        !hd_cli_number(arguments, JOBS, 0, 1, MOST_JOBS, &jobs) ||
        !hd_cli_seconds(arguments, HD_CLI_TIME, x->t.seconds, &x->t.seconds))
        return false;
    x->t.jobs = (unsigned)jobs;
    return true;
}

/* ---- The folder ---- */

static bool make_folder(testing *x) {
    const char *given = x->arguments->values[OUTPUT], *slash = strrchr(x->t.input, '/');
    if (asprintf(&x->folder, "%s%s",
                 given   ? given
                 : slash ? slash + 1
                         : x->t.input,
                 given ? "" : ".heddle") < 0)
        x->folder = hd_mem_made(NULL);
    x->t.folder = x->folder;
    x->made_folder = mkdir(x->folder, 0777) == 0;
    struct stat state;
    if (x->made_folder ||
        (errno == EEXIST && stat(x->folder, &state) == 0 && S_ISDIR(state.st_mode)))
        return true;
    hd_cli_fail("%s: cannot make this folder: %s", hd_text_name(x->folder),
                errno == EEXIST ? "it is a file" : strerror(errno));
    return false;
}

static bool has_witness(const testing *x) {
    for (size_t i = 0; i < x->t.report.findings.length; i++)
        if (x->t.report.findings.data[i].witness)
            return true;
    return false;
}

/* Nothing to see again: then no file is left. */
static void leave_folder(const testing *x) {
    const char *program = x->t.program;
    size_t length = x->folder ? strlen(x->folder) : 0;
    bool own =
        program && x->folder && strncmp(program, x->folder, length) == 0 && program[length] == '/';
    if (!x->made_folder || has_witness(x))
        return;
    if (own)
        unlink(program);
    rmdir(x->folder);
}

/* ---- The answer ---- */

static void print_row(void *context, const hd_report_test *test) {
    const testing *x = context;
    char number[32];
    printf("  %-*s  %-17s  %10s  %7.2f s\n", x->width, hd_text_name(test->name),
           hd_report_test_word(test->end), hd_text_grouped(number, test->executions),
           test->seconds);
    fflush(stdout);
}

static void print_head(testing *x) {
    enum { LEAST = 16, MOST = 48 };
    x->width = LEAST;
    for (size_t i = 0; i < x->t.list.length; i++) {
        int length = (int)strlen(hd_text_name(x->t.list.data[i].name));
        x->width = length > x->width ? length : x->width;
    }
    x->width = x->width > MOST ? MOST : x->width;
    printf("  %-*s  %-17s  %10s  %9s\n", x->width, "test", "verdict", "executions", "time");
    fflush(stdout);
}

/* All of it, as a terminal shows it. */
static void print_text(const char *text) {
    size_t length = strlen(text), size = 4 * length + 1;
    char *shown = hd_mem_alloc(size);
    fwrite(shown, 1, hd_text_printable(shown, size, text, length), stdout);
    free(shown);
    putchar('\n');
}

/* Calls over time: lines. */
static void print_history(const char *history) {
    while (*history) {
        size_t length = strcspn(history, "\n");
        char *line = strndup(history, length);
        printf("  ");
        print_text(line ? line : "");
        free(line);
        history += length + (history[length] == '\n');
    }
}

/* What is wrong, or known to be, and how to see it. */
static void print_reasons(const testing *x) {
    for (size_t i = 0; i < x->t.report.tests.length; i++) {
        const hd_report_test *test = &x->t.report.tests.data[i];
        if (test->end == HD_REPORT_TEST_PROVED || test->end == HD_REPORT_TEST_DECLARED)
            continue;
        printf("\n%s: %s: ", hd_text_name(test->name), hd_report_test_word(test->end));
        print_text(test->reason ? test->reason : "");
        if (test->client && !(test->reason && strstr(test->reason, test->client)))
            printf("  client: %s\n", hd_text_name(test->client));
        if (test->history)
            print_history(test->history);
        if (test->replay)
            printf("  to replay: %s\n", test->replay);
    }
}

static void print_counts(const testing *x) {
    size_t counts[HD_REPORT_TEST_OPEN + 1] = {0}, said = 0;
    const hd_report *report = &x->t.report;
    static const char *const many[] = {"proved", "fail as declared", "fail as known", "failed",
                                       "not complete"};
    for (size_t i = 0; i < report->tests.length; i++)
        counts[report->tests.data[i].end]++;
    printf("\n%s: %s: ", hd_text_name(x->t.input),
           hd_text_count(report->tests.length, "test", "tests"));
    for (size_t i = 0; i <= HD_REPORT_TEST_OPEN; i++)
        if (counts[i])
            printf("%s%zu %s", said++ ? ", " : "", counts[i],
                   counts[i] == 1 ? hd_report_test_word((enum hd_report_test_end)i) : many[i]);
    printf(", in %.1f s\n", report->seconds);
}

static int answer(testing *x) {
    hd_report *report = &x->t.report;
    hd_error error = {""};
    const char *junit = x->arguments->values[JUNIT], *sarif = x->arguments->values[SARIF];
    hd_cli_verdict_end(&report->verdict, x->arguments, report->verdict.found);
    if (has_witness(x))
        report->folder = x->folder;
    bool written = (!junit || hd_report_write_junit(report, junit, &error)) &&
                   (!sarif || hd_report_write_sarif(report, sarif, &error));
    if (!written)
        hd_cli_fail("%s", error.text);
    if (x->arguments->values[HTML])
        written &= hd_cli_report_page(x->arguments, x->arguments->values[HTML], report);
    if (!hd_cli_given(x->arguments, HD_CLI_JSON)) {
        print_reasons(x);
        print_counts(x);
    } else if (!hd_report_write_json(report, "-", &error))
        return hd_cli_fail("%s", error.text);
    return hd_cli_flush(hd_cli_written(written, (int)hd_verdict_status(&report->verdict)));
}

static int list_as_json(const testing *x) {
    hd_cli_answer answer;
    hd_verdict verdict;
    hd_verdict_init(&verdict, "the names of the tests");
    bool begun = hd_cli_json_begin(&answer, x->arguments, x->t.input, &verdict);
    hd_verdict_release(&verdict);
    if (!begun)
        return HD_CLI_BAD;
    hd_json_open(&answer.json, "names", '[');
    for (size_t i = 0; i < x->t.list.length; i++)
        hd_json_text(&answer.json, NULL, x->t.list.data[i].name);
    hd_json_close(&answer.json);
    hd_cli_json_findings(&answer);
    return hd_cli_json_end(&answer, HD_CLI_OK);
}

static int list(const testing *x) {
    if (hd_cli_given(x->arguments, HD_CLI_JSON))
        return list_as_json(x);
    for (size_t i = 0; i < x->t.list.length; i++)
        printf("%s\n", hd_text_name(x->t.list.data[i].name));
    return hd_cli_flush(HD_CLI_OK);
}

static int test(testing *x) {
    hd_error error = {""};
    hd_cli_stop();
    hd_progress_allow(false);
    if (!hd_engine_tests_list(&x->t, &error))
        return hd_cli_fail("%s", error.text);
    if (hd_cli_given(x->arguments, LIST))
        return list(x);
    if (!hd_cli_given(x->arguments, HD_CLI_JSON)) {
        print_head(x);
        x->t.each = print_row;
        x->t.context = x;
    }
    if (!hd_engine_tests_run(&x->t, &error))
        return hd_cli_fail("%s", error.text);
    return answer(x);
}

static int run(const hd_cli_arguments *arguments) {
    testing x = {.arguments = arguments};
    int status = HD_CLI_BAD;
    hd_engine_tests_init(&x.t, arguments->operands[0]);
    if (read_options(&x) && make_folder(&x)) {
        status = test(&x);
        leave_folder(&x);
    }
    hd_engine_tests_release(&x.t);
    hd_vec_release(&x.flags);
    free(x.folder);
    free(x.accept);
    return status;
}

const hd_cli_command hd_cli_test = {
    .name = "test",
    .operands = "PROGRAM|SOURCE",
    .summary = "Run the tests of a program under every schedule",
    .details =
        "Explores each test of PROGRAM, made by heddle cc (doc/testing.md) or here from SOURCE,\n"
        "on its own.  The tests are those of heddle/test.h, or of GoogleTest or Catch2.\n"
        "Status 0: every test is proved, or fails as it was declared to; 1: a test failed;\n"
        "3: none failed, but not all are proved.",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
