/*
 * The library without memory: every allocation of a question fails once, the first, the second,
 * and so on.  Each time heddle_ask returns an error or an answer; the process never ends.
 * HEDDLE_TEST_PROGRAM, if it is set, is a program to explore, too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/base.h"
#include "heddle/ask.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model),   cmocka_unit_test(test_trace),
        cmocka_unit_test(test_program), cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
