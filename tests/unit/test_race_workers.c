/*
 * Races predicted by several workers: the same findings in the same order, and the same counts, as
 * by one, with limits that are reached, findings that are dropped, and a sink that has enough.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generate/generate.h"
#include "race/race.h"
#include "support_few.h"
#include "support_suite.h"

typedef struct answer {
    hd_race_result result;
    hd_vec_u64 told; /* fingerprints, events and schedules of the findings, one after the other */
    size_t findings, enough;
    unsigned dropped; /* one of so many is; 0: none */
} answer;

static int keep(void *context, hd_finding *finding) {
    answer *a = context;
    hd_vec_push(&a->told, finding->fingerprint);
    for (size_t i = 0; i < finding->events.length; i++)
        hd_vec_push(&a->told, finding->events.data[i]);
    for (size_t i = 0; finding->witness && i < finding->witness->schedule.length; i++)
        hd_vec_push(&a->told, finding->witness->schedule.data[i]);
    finding->dropped = a->dropped && finding->fingerprint % a->dropped == 0;
    return ++a->findings == a->enough;
}

static void assert_same(const answer *one, const answer *other) {
    const hd_race_result *a = &one->result, *b = &other->result;
    assert_int_equal(one->findings, other->findings);
    assert_int_equal(one->told.length, other->told.length);
    if (one->told.length)
        assert_memory_equal(one->told.data, other->told.data,
                            one->told.length * sizeof *one->told.data);
    assert_int_equal(a->races, b->races);
    assert_int_equal(a->unproved, b->unproved);
    assert_int_equal(a->candidates, b->candidates);
    assert_int_equal(a->stopped, b->stopped);
    assert_int_equal(a->effort.queries, b->effort.queries);
    assert_int_equal(a->effort.runs, b->effort.runs);
    assert_int_equal(a->effort.branches, b->effort.branches);
    assert_int_equal(a->effort.work, b->effort.work);
}

static answer ask(const hd_trace *trace, hd_race_options options, unsigned workers, answer how) {
    hd_error error = {""};
    options.workers = workers;
    assert_true(hd_race_run(trace, &options, &how.result, keep, &how, &error));
    return how;
}

static void compare(const hd_trace *trace, hd_random *random) {
    static const uint64_t limits[] = {0, 20000, 200000, 2000000};
    hd_race_options options;
    hd_race_options_init(&options);
    options.all = hd_random_below(random, 4) == 0;
    options.count_only = hd_random_below(random, 4) == 0;
    options.limit = limits[hd_random_below(random, options.all ? 2 : 4)];
    if (options.all)
        options.limit = 20000;
    answer how = {.enough = hd_random_below(random, 3) ? 0 : 1 + hd_random_below(random, 20),
                  .dropped = (unsigned)hd_random_below(random, 4)};
    answer alone = ask(trace, options, 1, how);
    for (unsigned workers = 2; workers <= 4; workers++) {
        answer crew = ask(trace, options, workers, how);
        assert_same(&alone, &crew);
        hd_vec_release(&crew.told);
    }
    hd_vec_release(&alone.told);
}

static void answers_are_those_of_one(void **state) {
    (void)state;
    const hd_generate_family *family = hd_generate_family_find("locks");
    hd_random random;
    hd_random_seed(&random, 11);
    for (uint64_t seed = 1, last = support_few(8, 3); seed <= last; seed++) {
        hd_trace trace;
        hd_generate_request request;
        hd_error error = {""};
        hd_generate_request_init(&request, family);
        request.numbers[0] = 2 + hd_random_below(&random, 5);
        request.numbers[1] = 1100 + hd_random_below(&random, 500);
        request.numbers[3] = 1 + hd_random_below(&random, 100);
        request.seed = seed;
        hd_trace_init(&trace);
        assert_true(family->generate(&trace, &request, &error));
        assert_true(hd_trace_length(&trace) >= 1000);
        compare(&trace, &random);
        hd_trace_release(&trace);
    }
}

SUPPORT_SUITE(test_race_workers) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_are_those_of_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
