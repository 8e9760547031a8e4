/*
 * The exploring algorithms: on seven benchmarks each completes exactly as many
 * executions as there are Mazurkiewicz traces, at sizes far beyond brute force;
 * limits, ends and errors are told as they are.  Every algorithm of the enum is
 * tested alike.  With --long the benchmarks have all the sizes that were published
 * (Metzler, Saissi, Bokor, Hesse, Suri: Efficient Verification of Program
 * Fragments: Eager POR, ATVA 2016).
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "explore/explore.h"
#include "model/model.h"
#include "support_examples.h"
#include "support_few.h"
#include "support_runs.h"
#include "support_suite.h"

/* ---- Tools ---- */

static hd_explore_options with(int algorithm) {
    return (hd_explore_options){.algorithm = (enum hd_explore_algorithm)algorithm};
}

static bool is(int algorithm, const char *name) {
    return strcmp(hd_explore_algorithm_name((enum hd_explore_algorithm)algorithm), name) == 0;
}

/* Does the algorithm promise that no execution is blocked? */
static bool never_blocks(int algorithm) {
    return is(algorithm, "odpor") || is(algorithm, "epor") || is(algorithm, "epor-sh");
}

/* The different traces: what an algorithm's executions must be. */
static uint64_t traces_of(int algorithm, const hd_explore_result *result) {
    return algorithm == HD_EXPLORE_NAIVE ? result->traces : result->executions;
}

/* ---- The benchmarks ---- */

static uint64_t readers_writers(unsigned n) {
    return UINT64_C(1) << (n - 1);
}

static uint64_t indexer(unsigned n) {
    return n < 11 ? 1 : UINT64_C(1) << 3 * (n - 11);
}

static uint64_t last_zero(unsigned n) {
    return (uint64_t)n << (n - 2);
}

static uint64_t shared_pointer(unsigned n) {
    return 2 * n + 1;
}

static uint64_t ring(unsigned n) {
    return (UINT64_C(1) << n) - 2;
}

static uint64_t branching(unsigned n) {
    static const uint64_t counts[] = {11, 28, 103, 311, 1010, 3165, 10063, 31780, 100651, 318363};
    return counts[n - 2];
}

static uint64_t ring_extended(unsigned n) {
    static const uint64_t counts[] = {6, 90, 786, 5730, 38466, 247170, 1548546};
    return counts[n - 2];
}

struct benchmark {
    const char *model;
    uint64_t (*traces)(unsigned n);
    unsigned from, step;
    unsigned naive_to, dpor_to, others_to, long_to; /* 0: not at all */
};

static const struct benchmark benchmarks[] = {
    {"readers-writers", readers_writers, 2, 1, 8, 10, 15, 20},
    {"indexer", indexer, 11, 1, 0, 12, 14, 16},
    {"last-zero", last_zero, 2, 1, 6, 9, 12, 16},
    {"shared-pointer", shared_pointer, 10, 10, 0, 20, 50, 100},
    {"shared-pointer", shared_pointer, 1, 1, 6, 6, 6, 6},
    {"ring", ring, 2, 1, 7, 9, 14, 21},
    {"branching", branching, 2, 1, 3, 6, 9, 11},
    {"ring-extended", ring_extended, 2, 1, 4, 5, 7, 8},
};

/* Larger benchmarks are not for builds with a sanitizer, nor for an emulator. */
enum { SLOW_TRACES = 120 };

static bool all_sizes; /* --long */

static unsigned last_size(const struct benchmark *benchmark, int algorithm) {
    if (algorithm == HD_EXPLORE_NAIVE)
        return benchmark->naive_to;
    if (algorithm == HD_EXPLORE_DPOR)
        return benchmark->dpor_to;
    return all_sizes ? benchmark->long_to : benchmark->others_to;
}

static bool within(const struct benchmark *benchmark, unsigned n, unsigned last) {
    bool slow = SUPPORT_SANITIZED || support_emulated();
    return n <= last && !(slow && benchmark->traces(n) > SLOW_TRACES);
}

static void check_count(const struct benchmark *benchmark, unsigned n, int algorithm) {
    hd_machine *machine = support_load_example(benchmark->model, n);
    hd_explore_options options = with(algorithm);
    hd_explore_result result = support_explore(machine, &options);
    machine->type->free(machine);
    uint64_t traces = traces_of(algorithm, &result), expected = benchmark->traces(n);
    if (traces != expected || (never_blocks(algorithm) && result.blocked))
        fail_msg("%s %u, %s: %" PRIu64 " traces, not %" PRIu64 "; %" PRIu64 " blocked",
                 benchmark->model, n, hd_explore_algorithm_name(options.algorithm), traces,
                 expected, result.blocked);
    assert_true(result.complete);
    assert_null(result.limit);
    assert_int_equal(result.deadlocks + result.violations, 0);
    assert_true(result.covered == 1);
}

static void test_counts(void **state) {
    (void)state;
    for (size_t b = 0; b < sizeof benchmarks / sizeof *benchmarks; b++)
        for (int algorithm = 0; algorithm < HD_EXPLORE_UNFOLD; algorithm++)
            for (unsigned n = benchmarks[b].from;
                 within(&benchmarks[b], n, last_size(&benchmarks[b], algorithm));
                 n += benchmarks[b].step)
                check_count(&benchmarks[b], n, algorithm);
}

/* The executions behind the counts: legal schedules, all different. */
static void check_shown(const struct benchmark *benchmark, unsigned n, int algorithm) {
    hd_machine *machine = support_load_example(benchmark->model, n);
    support_shown shown = {.copy = machine->type->copy(machine)};
    hd_explore_options options = with(algorithm);
    options.visit = support_shown_visit;
    options.context = &shown;
    hd_explore_result result = support_explore(machine, &options);
    if (result.stopped)
        fail_msg("%s %u, %s: %s", benchmark->model, n, hd_explore_algorithm_name(options.algorithm),
                 shown.why);
    assert_int_equal(shown.traces.texts.length, benchmark->traces(n));
    shown.copy->type->free(shown.copy);
    support_shown_release(&shown);
    machine->type->free(machine);
}

static void test_shown(void **state) {
    (void)state;
    for (size_t b = 0; b < sizeof benchmarks / sizeof *benchmarks; b++)
        for (int algorithm = HD_EXPLORE_DPOR; algorithm < HD_EXPLORE_UNFOLD; algorithm++)
            for (unsigned n = benchmarks[b].from; within(&benchmarks[b], n, benchmarks[b].dpor_to);
                 n += benchmarks[b].step)
                check_shown(&benchmarks[b], n, algorithm);
}

/* Without a bound that anything reaches, the bounded search finds the same. */
static void test_unbounded(void **state) {
    (void)state;
    for (size_t b = 0; b < sizeof benchmarks / sizeof *benchmarks; b++)
        for (unsigned n = benchmarks[b].from; within(&benchmarks[b], n, benchmarks[b].naive_to);
             n += benchmarks[b].step) {
            hd_machine *machine = support_load_example(benchmarks[b].model, n);
            hd_explore_options options = {.bounded = true, .preemptions = 1000};
            hd_explore_result result = support_explore(machine, &options);
            assert_int_equal(result.executions, benchmarks[b].traces(n));
            assert_true(result.complete);
            assert_false(result.beyond);
            machine->type->free(machine);
        }
}

/* ---- Ends ---- */

static int stop_at_failure(void *context, hd_machine *machine, enum hd_explore_end end,
                           const hd_step *schedule, size_t length) {
    (void)context, (void)machine, (void)schedule, (void)length;
    return end == HD_EXPLORE_VIOLATION;
}

static void check_ends(const char *model, bool deadlocks, bool violations) {
    hd_machine *machine = support_load_example(model, 0);
    hd_explore_options options = with(HD_EXPLORE_NAIVE);
    hd_explore_result naive = support_explore(machine, &options);
    for (int algorithm = 0; algorithm < HD_EXPLORE_UNFOLD; algorithm++) {
        options = with(algorithm);
        options.visit = stop_at_failure;
        hd_explore_result result = support_explore(machine, &options);
        assert_int_equal(result.stopped, violations);
        assert_int_equal(result.violations, violations);
        if (violations)
            continue;
        assert_int_equal(traces_of(algorithm, &result), naive.traces);
        assert_int_equal(result.deadlocks > 0, deadlocks);
    }
    machine->type->free(machine);
}

/* Which sorts of ends each example has; the first failure stops the search. */
static void test_ends(void **state) {
    (void)state;
    check_ends("philosophers", true, false);
    check_ends("philosophers-ordered", false, false);
    check_ends("peterson", false, false);
    check_ends("peterson-broken", false, true);
    check_ends("dekker", false, false);
    check_ends("double-checked-lock", false, true);
    check_ends("eager-por-fig1", false, false);
    check_ends("eager-por-fig2", false, false);
}

/* Exact numbers of ends, counted by hand. */
static void test_ends_counted(void **state) {
    (void)state;
    /* Both take both locks: a first, b first, or each one. */
    static const char locks[] = "mutex m, n; thread a { lock m; lock n; unlock n; unlock m; }"
                                "thread b { lock n; lock m; unlock m; unlock n; }";
    /* The assertion before the write, or behind it. */
    static const char failure[] = "shared x; thread a { x = 1; } thread b { assert (x == 0); }";
    for (int algorithm = HD_EXPLORE_DPOR; algorithm < HD_EXPLORE_UNFOLD; algorithm++) {
        hd_explore_options options = with(algorithm);
        hd_machine *machine = support_load(locks);
        hd_explore_result result = support_explore(machine, &options);
        assert_int_equal(result.executions, 3);
        assert_int_equal(result.deadlocks, 1);
        machine->type->free(machine);
        machine = support_load(failure);
        result = support_explore(machine, &options);
        assert_int_equal(result.executions, 2);
        assert_int_equal(result.violations, 1);
        machine->type->free(machine);
    }
}

/* A notify goes in several ways, and is moved with all of them. */
static void test_ways(void **state) {
    (void)state;
    static const char *const models[] = {
        "mutex m; cond c; thread a { lock m; notify c; unlock m; } thread b { notify c; }"
        "thread w[2] { lock m; wait c, m; unlock m; }",
        "mutex m; cond c; shared x, y; thread w0 { lock m; wait c, m; unlock m; }"
        "thread w1 { lock m; wait c, m; unlock m; y = x; }"
        "thread n { lock m; notify c; unlock m; } thread z { y = 2; }"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        hd_machine *machine = support_load(models[i]);
        hd_explore_options options = with(HD_EXPLORE_NAIVE);
        uint64_t traces = support_explore(machine, &options).traces;
        for (int algorithm = HD_EXPLORE_DPOR; algorithm < HD_EXPLORE_UNFOLD; algorithm++) {
            options = with(algorithm);
            hd_explore_result result = support_explore(machine, &options);
            assert_int_equal(result.executions, traces);
            assert_true(!never_blocks(algorithm) || !result.blocked);
        }
        machine->type->free(machine);
    }
}

static void test_empty(void **state) {
    (void)state;
    static const char *const models[] = {"shared x;", "thread a { skip; }",
                                         "shared x; thread a { await (x == 1); }",
                                         "thread a { assert (false); }"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        for (int algorithm = 0; algorithm < HD_EXPLORE_UNFOLD; algorithm++) {
            hd_machine *machine = support_load(models[i]);
            hd_explore_options options = with(algorithm);
            hd_explore_result result = support_explore(machine, &options);
            assert_int_equal(result.executions, 1);
            assert_int_equal(result.deadlocks, i == 2);
            assert_int_equal(result.violations, i == 3);
            assert_true(result.complete);
            machine->type->free(machine);
        }
}

/* ---- Limits ---- */

static void expect_cut(const hd_explore_result *result, enum hd_explore_limit limit) {
    assert_false(result->complete);
    assert_int_equal(result->limit, limit);
    assert_true(result->covered < 1);
}

/* Nothing was searched: that is not all there is. */
static void test_never_began(void **state) {
    (void)state;
    static const enum hd_explore_limit limits[] = {HD_EXPLORE_NO_LIMIT, HD_EXPLORE_LIMIT_TIME};
    for (int algorithm = 0; algorithm < HD_EXPLORE_ALGORITHMS; algorithm++)
        for (size_t i = 0; i < 2; i++) {
            hd_machine *machine = support_load_example("ring", 3);
            hd_explore_options options = with(algorithm);
            hd_explore_result result;
            hd_error error = {""};
            struct hd_explore_search *search = hd_explore_begin(machine, &options, &result, &error);
            hd_explore_finish(search, limits[i]);
            expect_cut(&result, limits[i]);
            assert_int_equal(result.stopped, i == 0);
            machine->type->free(machine);
        }
}

static void test_limits(void **state) {
    (void)state;
    for (int algorithm = 0; algorithm < HD_EXPLORE_UNFOLD; algorithm++) {
        hd_machine *machine = support_load_example("ring", 24);
        hd_explore_options options = with(algorithm);
        options.most_executions = 100;
        hd_explore_result result = support_explore(machine, &options);
        expect_cut(&result, HD_EXPLORE_LIMIT_EXECUTIONS);
        assert_int_equal(result.executions, 100);
        options = with(algorithm);
        options.most_seconds = 0.1;
        result = support_explore(machine, &options);
        expect_cut(&result, HD_EXPLORE_LIMIT_TIME);
        machine->type->free(machine);
        machine = support_load_example("ring", 6);
        options = with(algorithm);
        options.most_length = 5;
        result = support_explore(machine, &options);
        expect_cut(&result, HD_EXPLORE_LIMIT_STEPS);
        assert_int_equal(result.executions, 0);
        /* Exactly as long as allowed is not cut off. */
        options.most_length = 6;
        result = support_explore(machine, &options);
        assert_true(result.complete);
        assert_int_equal(traces_of(algorithm, &result), 62);
        machine->type->free(machine);
        /* The loop can go round up to 48 times before the write is seen; where it is cut
         * off, the write that did not come must still be tried earlier. */
        machine = support_load(
            "shared x; thread a { local i; while (x == 0) i = i + 1; } thread b { x = 1; }");
        options = with(algorithm);
        options.most_length = 50;
        result = support_explore(machine, &options);
        expect_cut(&result, HD_EXPLORE_LIMIT_STEPS);
        assert_int_equal(traces_of(algorithm, &result), 49);
        machine->type->free(machine);
    }
}

/* A thread that takes no more than so many steps hides nothing of the others: what is explored is
 * the program in which it ends there, and everything that fails in as many steps is found. */
static void test_cut_threads(void **state) {
    (void)state;
    static const char *const same[] = {
        "shared x, y, z; thread a { x = 1; y = x; } thread b { x = 2; "
        "x = y; } thread c { while (1) z = z + 1; }",
        "shared x, y, z; thread a { x = 1; y = x; } thread b { x = 2; "
        "x = y; } thread c { z = 1; z = 2; }"};
    static const char fails[] = "shared x, y; thread a { while (1) x = x + 1; }"
                                "thread b { while (1) { y = x; assert (y < 2); } }";
    static const char holds[] = "shared z; mutex m; thread a { lock m; while (1) z = z + 1; } "
                                "thread b { lock m; unlock m; }";
    for (int algorithm = 0; algorithm < HD_EXPLORE_UNFOLD; algorithm++) {
        hd_explore_options options = with(algorithm);
        hd_machine *machine = support_load(same[0]), *finite = support_load(same[1]);
        options.most_steps = 2;
        hd_explore_result cut = support_explore(machine, &options);
        hd_explore_result whole = support_explore(finite, &options);
        expect_cut(&cut, HD_EXPLORE_LIMIT_STEPS);
        assert_true(whole.complete);
        assert_int_equal(cut.executions, 0);
        if (algorithm == HD_EXPLORE_ODPOR || algorithm == HD_EXPLORE_SDPOR)
            assert_int_equal(cut.cut, whole.executions);
        assert_int_equal(cut.deadlocks, 0);
        machine->type->free(machine);
        finite->type->free(finite);

        machine = support_load(fails);
        options.most_steps = 4;
        options.most_executions = 2000;
        cut = support_explore(machine, &options);
        assert_true(cut.violations > 0);
        machine->type->free(machine);

        /* Who waits for a thread that was cut off is not stuck, as far as is known. */
        machine = support_load(holds);
        cut = support_explore(machine, &options);
        expect_cut(&cut, HD_EXPLORE_LIMIT_STEPS);
        assert_int_equal(cut.deadlocks, 0);
        machine->type->free(machine);
    }
}

static void test_visitor_stops(void **state) {
    (void)state;
    hd_machine *machine = support_load_example("ring", 8);
    uint64_t first = hd_model_hash(machine);
    for (int algorithm = 0; algorithm < HD_EXPLORE_UNFOLD; algorithm++) {
        int seen = 0;
        hd_explore_options options = with(algorithm);
        options.visit = support_stop_at_tenth;
        options.context = &seen;
        hd_explore_result result = support_explore(machine, &options);
        assert_true(result.stopped);
        assert_false(result.complete);
        assert_int_equal(result.executions, 10);
        assert_int_equal(seen, 10);
        assert_int_equal(hd_model_hash(machine), first);
    }
    machine->type->free(machine);
}

/* ---- Names and errors ---- */

static void test_names(void **state) {
    (void)state;
    enum hd_explore_algorithm found;
    for (int algorithm = 0; algorithm < HD_EXPLORE_UNFOLD; algorithm++) {
        const char *name = hd_explore_algorithm_name((enum hd_explore_algorithm)algorithm);
        assert_true(hd_explore_algorithm_find(name, &found));
        assert_int_equal(found, algorithm);
    }
    assert_false(hd_explore_algorithm_find("", &found));
    assert_false(hd_explore_algorithm_find("dporx", &found));
}

static void test_too_many_threads(void **state) {
    (void)state;
    hd_machine *machine = support_load("shared x; thread t[6145] { x = 1; }");
    for (int algorithm = 0; algorithm < HD_EXPLORE_UNFOLD; algorithm++) {
        hd_explore_options options = with(algorithm);
        hd_explore_result result;
        hd_error error = {""};
        assert_false(hd_explore_run(machine, &options, &result, &error));
        assert_string_equal(error.text, "6145 threads; at most 6144 can be explored");
    }
    machine->type->free(machine);
}

/* ---- A machine whose time is up ---- */

static const hd_machine_type *punctual;
static uint32_t steps_in_time, steps_refused;

static bool next_in_time(hd_machine *machine, uint32_t thread, hd_machine_operation *operation) {
    return !machine->late && punctual->next(machine, thread, operation);
}

static enum hd_machine_result step_in_time(hd_machine *machine, uint32_t thread, uint32_t choice) {
    if (!machine->late && steps_in_time) {
        steps_in_time--;
        return punctual->step(machine, thread, choice);
    }
    machine->late = true;
    steps_refused++;
    return HD_MACHINE_HUNG;
}

static void undo_in_time(hd_machine *machine) {
    if (steps_refused)
        steps_refused--;
    else
        punctual->undo(machine);
}

static void restart_in_time(hd_machine *machine) {
    steps_refused = 0;
    punctual->restart(machine);
}

static int count_shown(void *context, hd_machine *machine, enum hd_explore_end end,
                       const hd_step *schedule, size_t length) {
    (void)schedule;
    (void)length;
    assert_false(machine->late);
    *(uint64_t *)context += end == HD_EXPLORE_COMPLETE || end == HD_EXPLORE_DEADLOCK;
    return 0;
}

/* It says that no thread goes on: that is no end of an execution, and no search is complete. */
static void test_late(void **state) {
    (void)state;
    for (int algorithm = HD_EXPLORE_NAIVE; algorithm <= HD_EXPLORE_UNFOLD; algorithm++)
        for (uint32_t steps = 0; steps < 40; steps++) {
            hd_machine *machine =
                support_load("shared x, y; thread t[3] { local v; v = x; x = v + 1; y = v; }");
            uint64_t shown = 0;
            hd_explore_options options = {.algorithm = (enum hd_explore_algorithm)algorithm,
                                          .visit = count_shown,
                                          .context = &shown};
            hd_explore_result result;
            hd_error error = {""};
            hd_machine_type late = *(punctual = machine->type);
            late.next = next_in_time;
            late.step = step_in_time;
            late.undo = undo_in_time;
            late.restart = restart_in_time;
            machine->type = &late;
            steps_in_time = steps;
            machine->late = !steps;
            assert_true(hd_explore_run(machine, &options, &result, &error));
            assert_true(machine->late);
            assert_false(result.complete);
            assert_int_equal(result.limit, HD_EXPLORE_LIMIT_TIME);
            assert_int_equal(result.executions, shown);
            assert_true(steps >= 9 ? shown > 0 : !shown);
            assert_null(result.differs);
            machine->type = punctual;
            machine->type->free(machine);
        }
}

SUPPORT_SUITE(test_explore) {
    all_sizes = argc > 1 && strcmp(argv[1], "--long") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_shown),
        cmocka_unit_test(test_unbounded),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_ends_counted),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_ways),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_never_began),
        cmocka_unit_test(test_cut_threads),
        cmocka_unit_test(test_visitor_stops),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_too_many_threads),
        cmocka_unit_test(test_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
