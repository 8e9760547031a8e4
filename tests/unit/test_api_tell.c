/*
 * Findings come while a question is worked on: each is proved when it comes, all of them are in the
 * answer, and who wants no more after the first gets an answer that ends there. HEDDLE_TEST_SEVERAL
 * is the program tests/api/several.c; without it only traces and models are asked.
 */
#include <pthread.h>
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

#include "heddle/ask.h"

static const char two_races[] = "a|w(x)|a.c:1\n"
                                "a|w(y)|a.c:2\n"
                                "b|w(x)|b.c:1\n"
                                "b|w(y)|b.c:2\n";

static const char two_deadlocks[] =
    "a|acq(l)|a.c:1\na|acq(m)|a.c:2\na|rel(m)|a.c:3\na|rel(l)|a.c:4\n"
    "b|acq(m)|b.c:1\nb|acq(l)|b.c:2\nb|rel(l)|b.c:3\nb|rel(m)|b.c:4\n"
    "c|acq(n)|c.c:1\nc|acq(o)|c.c:2\nc|rel(o)|c.c:3\nc|rel(n)|c.c:4\n"
    "d|acq(o)|d.c:1\nd|acq(n)|d.c:2\nd|rel(n)|d.c:3\nd|rel(o)|d.c:4\n";

static const char two_reads[] = "a|w(x)|a.c:1\n"
                                "b|r(x)|b.c:1\n"
                                "c|r(x)|c.c:1\n";

static const char two_blocks[] = "a|begin(f)|a.c:1\na|r(x)|a.c:2\na|r(x)|a.c:3\na|w(y)|a.c:4\n"
                                 "a|w(y)|a.c:5\na|end(f)|a.c:6\nb|w(x)|b.c:1\nc|r(y)|c.c:1\n";

static const char two_failures[] = "shared x;\n"
                                   "thread writer { x = 1; }\n"
                                   "thread one { assert (x == 0); }\n"
                                   "thread other { assert (x == 0); }\n";

static char folder[] = "/tmp/heddle-tell-XXXXXX";

static const char *file_with(const char *name, const char *text) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* What is told. */
typedef struct listener {
    int told, enough_at;
    int stopped; /* calls of progress */
    char messages[16][256];
    pthread_mutex_t lock; /* is held: one call at a time */
} listener;

static int listen(void *context, const heddle_finding *finding) {
    listener *it = context;
    assert_int_equal(pthread_mutex_trylock(&it->lock), 0);
    assert_true(finding->proof > HEDDLE_UNPROVED);
    assert_non_null(finding->message);
    assert_true(finding->step_count > 0 || finding->place_count > 0 || finding->witness);
    if (it->told < 16)
        snprintf(it->messages[it->told], sizeof it->messages[0], "%s", finding->message);
    it->told++;
    pthread_mutex_unlock(&it->lock);
    return it->told == it->enough_at;
}

static bool has_reason(const heddle_answer *answer, const char *code) {
    for (size_t i = 0; i < heddle_answer_reasons(answer); i++)
        if (strcmp(heddle_answer_reason(answer, i)->code, code) == 0)
            return true;
    return false;
}

static bool has_message(const heddle_answer *answer, const char *message) {
    for (size_t i = 0; i < heddle_answer_findings(answer); i++)
        if (strcmp(heddle_answer_finding(answer, i)->message, message) == 0)
            return true;
    return false;
}

static heddle_answer *ask(const heddle_question *question) {
    heddle_error error = {""};
    heddle_answer *answer = heddle_ask(question, &error);
    if (!answer)
        fail_msg("%s: %s", question->path, error.text);
    return answer;
}

/* All are told, each once; then the same again, and the first is enough. */
static void ask_both(heddle_question question, size_t least) {
    listener it = {.lock = PTHREAD_MUTEX_INITIALIZER};
    question.found = listen;
    question.context = &it;
    heddle_answer *answer = ask(&question);
    size_t all = heddle_answer_findings(answer);
    assert_true(all >= least);
    assert_int_equal(it.told, all);
    for (int i = 0; i < it.told && i < 16; i++)
        assert_true(has_message(answer, it.messages[i]));
    assert_int_equal(heddle_answer_status(answer), 1);
    assert_false(has_reason(answer, "stopped"));
    heddle_answer_free(answer);
    it = (listener){.enough_at = 1, .lock = PTHREAD_MUTEX_INITIALIZER};
    answer = ask(&question);
    assert_int_equal(it.told, 1);
    assert_int_equal(heddle_answer_status(answer), 1);
    assert_true(has_message(answer, it.messages[0]));
    assert_true(has_reason(answer, "stopped"));
    /* It ended there, and did not only tell no more: check alone has what its parts had found. */
    if (question.what != HEDDLE_CHECK)
        assert_int_equal(heddle_answer_findings(answer), 1);
    heddle_answer_free(answer);
}

static void test_traces(void **state) {
    (void)state;
    ask_both((heddle_question)HEDDLE_QUESTION(HEDDLE_RACE, file_with("races.std", two_races)), 2);
    ask_both((heddle_question)HEDDLE_QUESTION(HEDDLE_DEADLOCK,
                                              file_with("deadlocks.std", two_deadlocks)),
             2);
    ask_both((heddle_question)HEDDLE_QUESTION(HEDDLE_NONDET, file_with("reads.std", two_reads)), 2);
    heddle_question question = HEDDLE_QUESTION(HEDDLE_RACE, file_with("blocks.std", two_blocks));
    question.blocks = 1;
    ask_both(question, 2);
    heddle_answer *answer = ask(&question);
    double blocks = 0;
    assert_string_equal(heddle_answer_finding(answer, 0)->rule, "atomicity");
    assert_true(heddle_answer_figure(answer, "blocks", &blocks) && blocks == 1);
    heddle_answer_free(answer);
    question.what = HEDDLE_DEADLOCK;
    heddle_error error = {""};
    assert_null(heddle_ask(&question, &error));
    assert_non_null(strstr(error.text, "blocks"));
}

static void test_model(void **state) {
    (void)state;
    heddle_question question =
        HEDDLE_QUESTION(HEDDLE_EXPLORE, file_with("failures.hdm", two_failures));
    ask_both(question, 2);
    question.threads = 3;
    ask_both(question, 2);
}

/* One state is enough for detect; it is told before the answer. */
static void test_state(void **state) {
    (void)state;
    listener it = {.lock = PTHREAD_MUTEX_INITIALIZER};
    heddle_question question = HEDDLE_QUESTION(HEDDLE_DETECT, file_with("races.std", two_races));
    question.predicate = "race";
    question.found = listen;
    question.context = &it;
    heddle_answer *answer = ask(&question);
    assert_int_equal(it.told, 1);
    assert_int_equal(heddle_answer_findings(answer), 1);
    heddle_answer_free(answer);
}

static void test_check(void **state) {
    (void)state;
    char out[512];
    snprintf(out, sizeof out, "%s/out", folder);
    mkdir(out, 0777);
    heddle_question question = HEDDLE_QUESTION(HEDDLE_CHECK, file_with("races.std", two_races));
    question.output = out;
    ask_both(question, 2);
    question.path = file_with("failures.hdm", two_failures);
    ask_both(question, 2);
}

static void test_program(void **state) {
    (void)state;
    const char *program = getenv("HEDDLE_TEST_SEVERAL");
    char out[512];
    snprintf(out, sizeof out, "%s/out", folder);
    mkdir(out, 0777);
    if (!program) {
        print_message("# no HEDDLE_TEST_SEVERAL: tests/api/run has one\n");
        return;
    }
    ask_both((heddle_question)HEDDLE_QUESTION(HEDDLE_RACE, program), 2);
    ask_both((heddle_question)HEDDLE_QUESTION(HEDDLE_EXPLORE, program), 3);
    heddle_question question = HEDDLE_QUESTION(HEDDLE_CHECK, program);
    question.output = out;
    question.seconds = 20;
    ask_both(question, 3);
    question = (heddle_question)HEDDLE_QUESTION(HEDDLE_RECORD, program);
    snprintf(out, sizeof out, "%s/run.htr", folder);
    question.output = out;
    question.seeds = 4;
    heddle_answer *answer = ask(&question);
    double runs = 0;
    assert_true(heddle_answer_figure(answer, "runs", &runs) && runs == 4);
    heddle_answer_free(answer);
}

/* ---- Cancelling ---- */

static int stop(void *context, double seconds) {
    listener *it = context;
    (void)seconds;
    it->stopped++;
    return 1;
}

/* So many threads with so many events each, which nothing orders. */
static const char *wide_trace(bool marks, int threads, int events) {
    static char path[512];
    snprintf(path, sizeof path, "%s/wide.std", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < events; i++)
        for (int t = 0; t < threads; t++)
            if (marks)
                fprintf(file, "t%d|mark(v%d=%d)|t%d.c:%d\n", t, t, i % 50, t, i);
            else
                fprintf(file, "t%d|%s(v%d)|t%d.c:%d\n", t, i % 2 ? "w" : "r", i % 7, t, i);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void cancel(heddle_question question) {
    listener it = {0};
    question.progress = stop;
    question.context = &it;
    heddle_answer *answer = ask(&question);
    if (!it.stopped)
        fail_msg("question %d is never asked whether it is to go on", (int)question.what);
    if (!has_reason(answer, "interrupted"))
        fail_msg("question %d does not say that it was interrupted", (int)question.what);
    assert_false(heddle_answer_complete(answer));
    heddle_answer_free(answer);
}

static void test_cancel(void **state) {
    (void)state;
    char out[512];
    snprintf(out, sizeof out, "%s/out", folder);
    mkdir(out, 0777);
    heddle_question question = HEDDLE_QUESTION(HEDDLE_DETECT, wide_trace(true, 4, 200));
    question.predicate = "v0 * v1 + v2 * v3 == 7777";
    cancel(question);
    question.threads = 3;
    cancel(question);
    question = (heddle_question)HEDDLE_QUESTION(HEDDLE_RACE, wide_trace(false, 4, 400));
    cancel(question);
    question.what = HEDDLE_NONDET;
    cancel(question);
    question.what = HEDDLE_CHECK;
    question.output = out;
    cancel(question);
    const char *program = getenv("HEDDLE_TEST_SEVERAL");
    if (!program)
        return;
    question = (heddle_question)HEDDLE_QUESTION(HEDDLE_RACE, program);
    cancel(question);
    question.what = HEDDLE_EXPLORE;
    cancel(question);
    question.what = HEDDLE_CHECK;
    question.output = out;
    cancel(question);
}

static int clean_up(void **state) {
    char command[600];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    // NOLINTNEXTLINE(cert-env33-c): of a folder that the test has made
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_traces),  cmocka_unit_test(test_model),
        cmocka_unit_test(test_state),   cmocka_unit_test(test_check),
        cmocka_unit_test(test_program), cmocka_unit_test(test_cancel),
    };
    if (!mkdtemp(folder))
        return 1;
    return cmocka_run_group_tests(tests, NULL, clean_up);
}
