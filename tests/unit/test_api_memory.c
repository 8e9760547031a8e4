/*
 * The library without memory: every allocation of a question fails once, the first, the second,
 * and so on.  Each time heddle_ask returns an error or an answer; the process never ends.
 * HEDDLE_TEST_PROGRAM, if it is set, is a program to explore, too, HEDDLE_TEST_LONG one with a long
 * record, HEDDLE_TEST_MANY one that several workers explore.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/base.h"
#include "heddle/ask.h"
#include "support_few.h"

/* What is lost when a question is given up is lost: doc/library.md says so. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "detect_leaks=0";
}

static const char *example(const char *name) {
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", getenv("HEDDLE_TEST_EXAMPLES"), name);
    return path;
}

/* Asks until no allocation fails any more; how many failed. */
static uint64_t fail_each(const heddle_question *question, uint64_t stride) {
    uint64_t failed = 0;
    for (uint64_t n = 1;; n += stride) {
        heddle_error error = {""};
        hd_mem_fail_at(n);
        heddle_answer *answer = heddle_ask(question, &error);
        hd_mem_fail_at(0);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no process is left */
        if (answer) {
            heddle_answer_free(answer);
            assert_true(failed > 0);
            return failed;
        }
        if (!strstr(error.text, "out of memory"))
            fail_msg("allocation %llu of %s: %s", (unsigned long long)n, question->path,
                     error.text);
        failed++;
    }
}

/* And it still answers, as if nothing had been. */
static void ask_again(const heddle_question *question, int status) {
    heddle_error error = {""};
    heddle_answer *answer = heddle_ask(question, &error);
    assert_non_null(answer);
    assert_int_equal(heddle_answer_status(answer), status);
    heddle_answer_free(answer);
}

static void test_model(void **state) {
    (void)state;
    heddle_question question =
        HEDDLE_QUESTION(HEDDLE_EXPLORE, example("models/peterson-broken.hdm"));
    assert_true(fail_each(&question, 1) > 100);
    ask_again(&question, 1);
}

static void test_trace(void **state) {
    (void)state;
    static const enum heddle_what whats[] = {HEDDLE_RACE, HEDDLE_DEADLOCK, HEDDLE_NONDET,
                                             HEDDLE_STATES};
    for (size_t i = 0; i < sizeof whats / sizeof *whats; i++) {
        heddle_question question = HEDDLE_QUESTION(whats[i], example("race/hidden.std"));
        assert_true(fail_each(&question, 1) > 20);
    }
    heddle_question question = HEDDLE_QUESTION(HEDDLE_RACE, example("race/hidden.std"));
    ask_again(&question, 1);
    question = (heddle_question)HEDDLE_QUESTION(HEDDLE_DETECT, example("detect/bank.std"));
    question.predicate = "count(transfer) > 2";
    fail_each(&question, 1);
}

static void test_program(void **state) {
    (void)state;
    const char *program = getenv("HEDDLE_TEST_PROGRAM");
    if (!program) {
        print_message("# no HEDDLE_TEST_PROGRAM: tests/api/run has one\n");
        return;
    }
    heddle_question question = HEDDLE_QUESTION(HEDDLE_EXPLORE, program);
    fail_each(&question, 61);
    ask_again(&question, 1);
    question.what = HEDDLE_RACE;
    fail_each(&question, 997);
}

/* ---- Threads of the library's own ---- */

/* The n-th allocation of a worker fails, for n from 1 on; how many questions ended for that. */
static int fail_elsewhere(const heddle_question *question, uint64_t most, uint64_t stride) {
    int failed = 0;
    for (uint64_t n = 1; n <= most; n += stride) {
        heddle_error error = {""};
        hd_mem_fail_elsewhere(n);
        heddle_answer *answer = heddle_ask(question, &error);
        hd_mem_fail_elsewhere(0);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no process is left */
        if (!answer && !strstr(error.text, "out of memory"))
            fail_msg("allocation %llu of another thread, %s: %s", (unsigned long long)n,
                     question->path, error.text);
        failed += !answer;
        heddle_answer_free(answer);
    }
    return failed;
}

static void test_workers(void **state) {
    (void)state;
    if (support_emulated()) {
        print_message("# its searches last until workers join, which takes minutes here\n");
        return;
    }
    char model[] = "/tmp/heddle-memory-XXXXXX.hdm";
    int file = mkstemps(model, 4);
    dprintf(file, "shared x; thread t[5] { x = x + 1; x = x + 1; x = x + 1; }\n");
    close(file);
    heddle_question question = HEDDLE_QUESTION(HEDDLE_EXPLORE, model);
    question.threads = 4;
    question.executions = 2000000; /* more than the first slice, which has one worker */
    assert_true(fail_elsewhere(&question, 20, support_few(1, 3)) > 0);
    question.executions = 300000; /* as this is, too */
    ask_again(&question, 3);
    unlink(model);
    question = (heddle_question)HEDDLE_QUESTION(HEDDLE_DETECT, example("detect/bank.std"));
    question.predicate = "count(transfer) > 2";
    question.threads = 4;
    fail_elsewhere(&question, 40, 1);
    question.predicate = "race";
    fail_elsewhere(&question, 40, 1);
    ask_again(&question, 0);
    question.what = HEDDLE_STATES;
    fail_elsewhere(&question, 40, 1);
    const char *program = getenv("HEDDLE_TEST_PROGRAM");
    if (!program)
        return;
    question = (heddle_question)HEDDLE_QUESTION(HEDDLE_EXPLORE, program);
    question.threads = 3;
    fail_elsewhere(&question, 15, 7); /* it has few executions, for one worker */
    ask_again(&question, 1);
    question.path = getenv("HEDDLE_TEST_MANY");
    question.find = HEDDLE_FIND_FAILURE;
    assert_true(fail_elsewhere(&question, 15, 7) > 0);
}

/* The thread that reads a long record keeps what it has; the trace then is incomplete. */
static void test_record(void **state) {
    (void)state;
    const char *program = getenv("HEDDLE_TEST_LONG");
    char output[] = "/tmp/heddle-memory-XXXXXX.htr";
    if (!program) {
        print_message("# no HEDDLE_TEST_LONG: tests/api/run has one\n");
        return;
    }
    close(mkstemps(output, 4));
    heddle_question question = HEDDLE_QUESTION(HEDDLE_RECORD, program);
    question.output = output;
    for (uint64_t n = 1; n <= 4; n++) {
        heddle_error error = {""};
        hd_mem_fail_elsewhere(n);
        heddle_answer *answer = heddle_ask(&question, &error);
        hd_mem_fail_elsewhere(0);
        if (!answer)
            fail_msg("%s", error.text);
        heddle_answer_free(answer);
    }
    ask_again(&question, 0);
    unlink(output);
}

/* ---- check: a question that fails leaves the answers of the others ---- */

static bool lacks_memory(const heddle_answer *answer) {
    for (size_t i = 0; i < heddle_answer_reasons(answer); i++)
        if (strcmp(heddle_answer_reason(answer, i)->code, "refused") == 0 &&
            strstr(heddle_answer_reason(answer, i)->text, "out of memory"))
            return true;
    return false;
}

static void test_check(void **state) {
    (void)state;
    char folder[] = "/tmp/heddle-memory-XXXXXX", command[100];
    int alone = 0, with_others = 0;
    assert_non_null(mkdtemp(folder));
    heddle_question question = HEDDLE_QUESTION(HEDDLE_CHECK, example("race/hidden.std"));
    question.output = folder;
    for (uint64_t n = 1;; n += 3) {
        heddle_error error = {""};
        hd_mem_fail_at(n);
        heddle_answer *answer = heddle_ask(&question, &error);
        hd_mem_fail_at(0);
        if (!answer && !strstr(error.text, "out of memory"))
            fail_msg("allocation %llu: %s", (unsigned long long)n, error.text);
        bool whole = answer && !lacks_memory(answer);
        if (answer && !whole) {
            alone++;
            assert_false(heddle_answer_complete(answer));
            with_others += heddle_answer_findings(answer) > 0;
        }
        if (whole)
            assert_int_equal(heddle_answer_status(answer), 1);
        heddle_answer_free(answer);
        if (whole)
            break;
    }
    /* Most fail in one question, and what the others found is there. */
    assert_true(alone > 20);
    assert_true(with_others > 5);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    // NOLINTNEXTLINE(cert-env33-c): of a folder that the test has made
    assert_int_equal(system(command), 0);
}

static int stop_at_once(void *context, double seconds) {
    (void)seconds;
    ++*(int *)context;
    return 1;
}

static void test_cancel(void **state) {
    (void)state;
    int calls = 0;
    heddle_error error = {""};
    heddle_question question = HEDDLE_QUESTION(HEDDLE_EXPLORE, example("models/last-zero.hdm"));
    question.progress = stop_at_once;
    question.context = &calls;
    heddle_answer *answer = heddle_ask(&question, &error);
    assert_non_null(answer);
    assert_true(calls > 0);
    assert_false(heddle_answer_complete(answer));
    assert_string_equal(heddle_answer_reason(answer, 0)->code, "interrupted");
    assert_int_equal(heddle_answer_status(answer), 3);
    heddle_answer_free(answer);
}

static void test_version(void **state) {
    (void)state;
    heddle_error error = {""};
    heddle_question question = HEDDLE_QUESTION(HEDDLE_RACE, example("race/hidden.std"));
    question.size = 0;
    assert_null(heddle_ask(&question, &error));
    assert_non_null(strstr(error.text, "HEDDLE_QUESTION"));
    /* An older one, without what came later. */
    question.size = offsetof(heddle_question, arguments);
    heddle_answer *answer = heddle_ask(&question, &error);
    assert_non_null(answer);
    heddle_answer_free(answer);
    struct {
        heddle_question question;
        int more;
    } newer = {HEDDLE_QUESTION(HEDDLE_RACE, example("race/hidden.std")), 1};
    newer.question.size = sizeof newer;
    assert_null(heddle_ask(&newer.question, &error));
    assert_non_null(strstr(error.text, "newer"));
}

/* What means nothing is said, in one line. */
static void test_nonsense(void **state) {
    (void)state;
    static const char *const none[] = {NULL};
    const char *trace = example("race/hidden.std");
    heddle_question find = HEDDLE_QUESTION(HEDDLE_EXPLORE, trace), count = find, gap = find,
                    blocks = HEDDLE_QUESTION(HEDDLE_RACE, trace), kind = find;
    find.find = 16;
    count.argument_count = gap.argument_count = 1;
    gap.arguments = none;
    blocks.blocks = 2;
    const struct {
        const heddle_question *question;
        const char *said;
    } cases[] = {{&find, "find has bits"},
                 {&count, "arguments is NULL"},
                 {&gap, "arguments[0] is NULL"},
                 {&blocks, "blocks"},
                 {&kind, "race"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heddle_error error = {""};
        assert_null(heddle_ask(cases[i].question, &error));
        if (!strstr(error.text, cases[i].said) || strchr(error.text, '\n'))
            fail_msg("case %zu: %s", i, error.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model),    cmocka_unit_test(test_trace),
        cmocka_unit_test(test_program),  cmocka_unit_test(test_workers),
        cmocka_unit_test(test_record),   cmocka_unit_test(test_check),
        cmocka_unit_test(test_cancel),   cmocka_unit_test(test_version),
        cmocka_unit_test(test_nonsense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
