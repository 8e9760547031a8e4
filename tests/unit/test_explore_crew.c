/*
 * Several workers on one search: they count what one counts, whoever takes which
 * part of the tree, and stop together.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "explore/explore.h"
#include "support_examples.h"
#include "support_few.h"
#include "support_runs.h"
#include "support_suite.h"

struct example {
    const char *model;
    int64_t size;
};

static const struct example examples[] = {
    {"branching", 6},      {"ring-extended", 5}, {"ring", 10},           {"indexer", 13},
    {"last-zero", 8},      {"philosophers", 4},  {"peterson", 0},        {"bounded-buffer", 0},
    {"shared-pointer", 8}, {"dekker", 0},        {"peterson-broken", 0},
};

/* The algorithms that share their tree; the last but one also by sections. */
static const enum hd_explore_algorithm shared[] = {
    HD_EXPLORE_DPOR, HD_EXPLORE_SDPOR, HD_EXPLORE_ODPOR, HD_EXPLORE_AUTO, HD_EXPLORE_NAIVE};
enum { SHARED = sizeof shared / sizeof *shared };

static bool has_many_interleavings(const struct example *it) {
    return strcmp(it->model, "indexer") == 0 || strcmp(it->model, "ring-extended") == 0;
}

/* Of all interleavings only small models have few. */
static int64_t size_for(enum hd_explore_algorithm algorithm, const struct example *it) {
    static const int64_t most = 3;
    int64_t size = it->size > 4 ? it->size - (int64_t)support_few(0, 2) : it->size;
    return algorithm == HD_EXPLORE_NAIVE && size > most ? most : size;
}

/* Under the thread sanitizer smaller ones take a fifth of the time. */
static hd_machine *load_smaller(enum hd_explore_algorithm algorithm, const struct example *it) {
    return support_load_example(it->model, size_for(algorithm, it));
}

static void test_counts(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        for (size_t a = 0; a < SHARED; a++) {
            if (shared[a] == HD_EXPLORE_NAIVE && has_many_interleavings(&examples[i]))
                continue;
            hd_machine *machine = load_smaller(shared[a], &examples[i]);
            hd_explore_options options = {.algorithm = shared[a]};
            hd_explore_result alone = support_explore(machine, &options);
            for (options.threads = 2; options.threads <= 5;
                 options.threads += (unsigned)support_few(1, 2)) {
                hd_explore_result crew = support_explore(machine, &options);
                assert_int_equal(crew.threads, options.threads);
                assert_int_equal(crew.executions, alone.executions);
                assert_int_equal(crew.deadlocks, alone.deadlocks);
                assert_int_equal(crew.violations, alone.violations);
                assert_int_equal(crew.traces, alone.traces);
                assert_true(crew.complete);
                assert_null(crew.limit);
            }
            machine->type->free(machine);
        }
}

/* Ends in vain are counted by each worker, and belong to the sum: what many runs were for nothing
 * is judged without them. */
static void test_in_vain(void **state) {
    (void)state;
    hd_machine *machine = support_load("shared x = 0;\n"
                                       "thread t[4] { x = x + 1; assume (x < 3); }\n");
    for (size_t a = 0; a < 2; a++) {
        hd_explore_options options = {.algorithm = shared[a]};
        hd_explore_result alone = support_explore(machine, &options);
        options.threads = 3;
        hd_explore_result crew = support_explore(machine, &options);
        assert_int_not_equal(alone.in_vain, 0);
        assert_int_equal(crew.in_vain, alone.in_vain);
        assert_int_equal(crew.executions, alone.executions);
    }
    machine->type->free(machine);
}

/* The executions behind the counts: legal schedules, all different. */
static void test_shown(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *it = &examples[i];
        hd_machine *machine = support_load_example(it->model, it->size);
        support_shown shown = {.copy = machine->type->copy(machine)};
        hd_explore_options options = {.algorithm = i % 2 ? HD_EXPLORE_ODPOR : HD_EXPLORE_AUTO,
                                      .threads = 4,
                                      .visit = support_shown_visit,
                                      .context = &shown};
        hd_explore_result result = support_explore(machine, &options);
        if (result.stopped)
            fail_msg("%s: %s", it->model, shown.why);
        assert_int_equal(shown.traces.texts.length, result.executions);
        shown.copy->type->free(shown.copy);
        support_shown_release(&shown);
        machine->type->free(machine);
    }
}

/* Classes by reads-from, and runs until all events are known: of these there may be more than of
 * one worker, but as many with any number of workers. */
static void test_unfolds(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i += support_few(1, 3))
        for (int by_reads = 0; by_reads < 2; by_reads++) {
            hd_machine *machine = load_smaller(HD_EXPLORE_UNFOLD, &examples[i]);
            hd_explore_options options = {.algorithm = HD_EXPLORE_UNFOLD, .by_reads = by_reads};
            hd_explore_result alone = support_explore(machine, &options), first = {0};
            /* Of sixteen, most have nothing to do. */
            const uint32_t many = i ? 4 : 16;
            for (options.threads = 2; options.threads <= many;
                 options.threads += options.threads == 4 ? 12 : (unsigned)support_few(1, 2)) {
                hd_explore_result crew = support_explore(machine, &options);
                first = options.threads == 2 ? crew : first;
                assert_int_equal(crew.threads, options.threads);
                assert_int_equal(crew.events, alone.events);
                assert_int_equal(crew.executions, by_reads ? alone.executions : first.executions);
                assert_int_equal(!crew.deadlocks, !alone.deadlocks);
                assert_int_equal(!crew.violations, !alone.violations);
                assert_true(crew.complete);
            }
            machine->type->free(machine);
        }
}

static void test_stops(void **state) {
    (void)state;
    static const char *const models[] = {"ring", "branching", "branching", "ring"};
    static const enum hd_explore_algorithm how[] = {HD_EXPLORE_AUTO, HD_EXPLORE_AUTO,
                                                    HD_EXPLORE_ODPOR, HD_EXPLORE_NAIVE};
    for (size_t i = 0; i < 4; i++) {
        hd_machine *machine = support_load_example(models[i], 9);
        int seen = 0;
        hd_explore_options options = {
            .algorithm = how[i], .threads = 4, .visit = support_stop_at_tenth, .context = &seen};
        hd_explore_result result = support_explore(machine, &options);
        assert_true(result.stopped);
        assert_false(result.complete);
        assert_int_equal(seen, 10);
        /* Each of the others may have ended one at that moment. */
        assert_in_range(result.executions, 10, 13);
        options = (hd_explore_options){.algorithm = how[i], .threads = 4, .most_executions = 100};
        result = support_explore(machine, &options);
        assert_int_equal(result.limit, HD_EXPLORE_LIMIT_EXECUTIONS);
        assert_int_equal(result.executions, 100);
        assert_false(result.complete);
        options = (hd_explore_options){.algorithm = how[i], .threads = 4, .most_seconds = 0.000001};
        result = support_explore(machine, &options);
        assert_int_equal(result.limit, HD_EXPLORE_LIMIT_TIME);
        machine->type->free(machine);
    }
}

static void note_tick(void *context, const hd_explore_status *status) {
    uint64_t *most = context;
    if (status->executions > *most)
        *most = status->executions;
}

static void test_ticks(void **state) {
    (void)state;
    hd_machine *machine = support_load_example("ring", 24);
    uint64_t most = 0;
    hd_explore_options options = {.algorithm = HD_EXPLORE_AUTO,
                                  .threads = 2,
                                  .most_seconds = 1,
                                  .tick = note_tick,
                                  .context = &most};
    hd_explore_result result = support_explore(machine, &options);
    assert_in_range(most, 1, result.executions + options.threads);
    machine->type->free(machine);
}

SUPPORT_SUITE(test_explore_crew) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts), cmocka_unit_test(test_in_vain),
        cmocka_unit_test(test_shown),  cmocka_unit_test(test_unfolds),
        cmocka_unit_test(test_stops),  cmocka_unit_test(test_ticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
