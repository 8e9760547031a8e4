/*
 * nondet with several workers: the same findings in the same order, and the same counts, as with
 * one, whatever is asked for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nondet/nondet.h"
#include "support_few.h"
#include "support_suite.h"
#include "support_traces.h"

typedef struct answer {
    hd_nondet_result result;
    hd_vec_u64 told; /* fingerprints, events and schedules of the findings, one after the other */
    size_t findings, enough;
} answer;

static int keep(void *context, hd_finding *finding) {
    answer *a = context;
    hd_vec_push(&a->told, finding->fingerprint);
    for (size_t i = 0; i < finding->events.length; i++)
        hd_vec_push(&a->told, finding->events.data[i]);
    for (size_t i = 0; finding->witness && i < finding->witness->schedule.length; i++)
        hd_vec_push(&a->told, finding->witness->schedule.data[i]);
    return ++a->findings == a->enough;
}

static answer ask(const hd_trace *trace, hd_nondet_options options, unsigned workers,
                  size_t enough) {
    answer a = {.enough = enough};
    hd_error error = {""};
    options.workers = workers;
    assert_true(hd_nondet_run(trace, &options, &a.result, keep, &a, &error));
    return a;
}

static void release(answer *a) {
    hd_nondet_result_release(&a->result);
    hd_vec_release(&a->told);
}

static void assert_same(const answer *one, const answer *other) {
    const hd_nondet_result *a = &one->result, *b = &other->result;
    assert_int_equal(one->findings, other->findings);
    assert_int_equal(one->told.length, other->told.length);
    if (one->told.length)
        assert_memory_equal(one->told.data, other->told.data,
                            one->told.length * sizeof *one->told.data);
    assert_int_equal(a->reads, b->reads);
    assert_int_equal(a->final_reads, b->final_reads);
    assert_int_equal(a->nondeterministic_reads, b->nondeterministic_reads);
    assert_int_equal(a->nondeterministic_final_reads, b->nondeterministic_final_reads);
    assert_int_equal(a->unasked_reads, b->unasked_reads);
    assert_memory_equal(&a->witnesses, &b->witnesses, sizeof a->witnesses);
    assert_int_equal(a->stopped, b->stopped);
    assert_int_equal(a->variable_count, b->variable_count);
    for (uint32_t i = 0; i < a->variable_count; i++) {
        assert_int_equal(a->variables[i].reads, b->variables[i].reads);
        assert_int_equal(a->variables[i].nondeterministic, b->variables[i].nondeterministic);
        assert_int_equal(a->variables[i].feasible, b->variables[i].feasible);
    }
}

static void compare(const hd_trace *trace, hd_random *random) {
    hd_nondet_options options;
    hd_nondet_options_init(&options);
    options.all = hd_random_below(random, 2);
    options.values = hd_random_below(random, 3) == 0;
    options.reads = !options.all && !options.values && hd_random_below(random, 2);
    options.grouped = !options.all && hd_random_below(random, 2);
    options.most = hd_random_below(random, 3) ? 0 : 1 + hd_random_below(random, 20);
    size_t enough = hd_random_below(random, 3) ? 0 : 1 + (size_t)hd_random_below(random, 10);
    answer alone = ask(trace, options, 1, enough);
    for (unsigned workers = 2; workers <= 4; workers++) {
        answer crew = ask(trace, options, workers, enough);
        assert_same(&alone, &crew);
        assert_int_equal(alone.result.triplets, crew.result.triplets);
        release(&crew);
    }
    release(&alone);
}

static void answers_are_those_of_one(void **state) {
    (void)state;
    hd_random random;
    hd_random_seed(&random, 7);
    for (uint64_t i = support_few(150, 50); i > 0; i--) {
        hd_trace trace;
        const support_shape shape = {5, 60, 3, 3, SUPPORT_ALL};
        hd_trace_init(&trace);
        support_random_trace(&trace, &random, &shape);
        compare(&trace, &random);
        hd_trace_release(&trace);
    }
}

SUPPORT_SUITE(test_nondet_workers) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_are_those_of_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
