/*
 * Random runs: the same seed gives the same ones, each is a legal run, all traces
 * of a small model are met, and PCT keeps its promise.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "explore/explore.h"
#include "model/model.h"
#include "support_examples.h"
#include "support_few.h"
#include "support_runs.h"
#include "support_suite.h"

static hd_explore_walk_result walk(hd_machine *machine, hd_explore_walk_options options) {
    hd_explore_walk_result result;
    hd_error error = {""};
    assert_true(hd_explore_walk(machine, &options, &result, &error));
    assert_false(result.seen.complete);
    return result;
}

static hd_explore_walk_result walk_text(const char *text, hd_explore_walk_options options) {
    hd_machine *machine = support_load(text);
    hd_explore_walk_result result = walk(machine, options);
    machine->type->free(machine);
    return result;
}

static hd_explore_walk_options uniform(uint64_t runs, uint64_t seed) {
    return (hd_explore_walk_options){.kind = HD_EXPLORE_UNIFORM, .runs = runs, .seed = seed};
}

static hd_explore_walk_options pct(uint64_t runs, uint64_t seed, uint32_t depth) {
    return (hd_explore_walk_options){
        .kind = HD_EXPLORE_PCT, .runs = runs, .seed = seed, .depth = depth};
}

/* Locks in both orders, waiters of whom one is woken, branches, a failure: every
 * sort of end and of choice. */
static const char mixed[] =
    "shared x, y, n; mutex m, k; cond c;"
    "thread a[2] { lock m; n = n + 1; wait c, m; x = id; unlock m; }"
    "thread b { local v; v = n; lock m; lock k; notify c; unlock k; unlock m; assert (v < 2); }"
    "thread d { lock k; if (x == 1) { y = 1; } lock m; notifyall c; unlock m; unlock k; }";

/* ---- Legal runs ---- */

struct rerun {
    hd_machine *copy;
    support_run run;
    uint64_t runs, ends[3];
};

static int run_again(void *context, hd_machine *machine, enum hd_explore_end end,
                     const hd_step *schedule, size_t length) {
    struct rerun *rerun = context;
    char why[128];
    if (!support_run_again(&rerun->run, rerun->copy, schedule, length, end, why, sizeof why))
        fail_msg("%s", why);
    assert_int_equal(hd_model_hash(rerun->copy), hd_model_hash(machine));
    rerun->runs++;
    rerun->ends[end]++;
    return 0;
}

static void check_legal(hd_explore_walk_options options) {
    hd_machine *machine = support_load(mixed);
    uint64_t first = hd_model_hash(machine);
    struct rerun rerun = {.copy = machine->type->copy(machine)};
    options.visit = run_again;
    options.context = &rerun;
    hd_explore_walk_result result = walk(machine, options);
    assert_int_equal(rerun.runs, options.runs);
    assert_int_equal(result.seen.executions, options.runs);
    for (int end = 0; end < 3; end++)
        assert_true(rerun.ends[end] > 0);
    assert_int_equal(result.seen.deadlocks, rerun.ends[HD_EXPLORE_DEADLOCK]);
    assert_int_equal(result.seen.violations, rerun.ends[HD_EXPLORE_VIOLATION]);
    assert_int_equal(hd_model_hash(machine), first);
    support_run_release(&rerun.run);
    rerun.copy->type->free(rerun.copy);
    machine->type->free(machine);
}

static void test_legal(void **state) {
    (void)state;
    const uint64_t runs = support_few(3000, 800);
    check_legal(uniform(runs, 5));
    for (uint32_t depth = 1; depth <= 5; depth++)
        check_legal(pct(runs, depth, depth));
}

/* ---- Seeds ---- */

static int fold(void *context, hd_machine *machine, enum hd_explore_end end,
                const hd_step *schedule, size_t length) {
    uint64_t *sum = context;
    (void)machine;
    for (size_t i = 0; i < length; i++)
        *sum = (*sum ^ (schedule[i].thread << 8 | schedule[i].choice)) * UINT64_C(1099511628211);
    *sum = (*sum ^ (0x10000 + end)) * UINT64_C(1099511628211);
    return 0;
}

static uint64_t sum_of(hd_machine *machine, hd_explore_walk_options options) {
    uint64_t sum = UINT64_C(14695981039346656037);
    options.visit = fold;
    options.context = &sum;
    walk(machine, options);
    return sum;
}

static void test_seeds(void **state) {
    (void)state;
    hd_machine *machine = support_load(mixed);
    for (uint64_t seed = 0; seed < 10; seed++) {
        assert_int_equal(sum_of(machine, uniform(50, seed)), sum_of(machine, uniform(50, seed)));
        assert_int_equal(sum_of(machine, pct(50, seed, 3)), sum_of(machine, pct(50, seed, 3)));
        assert_int_not_equal(sum_of(machine, uniform(50, seed)),
                             sum_of(machine, uniform(50, seed + 1)));
        assert_int_not_equal(sum_of(machine, pct(50, seed, 3)),
                             sum_of(machine, pct(50, seed + 1, 3)));
    }
    /* The same on every machine. */
    assert_int_equal(sum_of(machine, uniform(50, 1)), UINT64_C(0xcf900b52dd9a26c));
    assert_int_equal(sum_of(machine, pct(50, 1, 3)), UINT64_C(0x3ee3a2b5cb24d638));
    machine->type->free(machine);
}

/* A machine that cannot undo is restarted; its runs are the same. */
static void test_without_undo(void **state) {
    (void)state;
    hd_machine *machine = support_load(mixed);
    uint64_t expected = sum_of(machine, pct(50, 1, 3));
    const hd_machine_type *type = machine->type;
    hd_machine_type poorer = *type;
    poorer.undo = NULL;
    machine->type = &poorer;
    assert_int_equal(sum_of(machine, pct(50, 1, 3)), expected);
    machine->type = type;
    machine->type->free(machine);
}

/* ---- What is met ---- */

static void check_meets_all(const char *text, uint64_t runs) {
    hd_machine *machine = support_load(text);
    hd_explore_options options = {.algorithm = HD_EXPLORE_NAIVE};
    hd_explore_result all = support_explore(machine, &options);
    assert_true(all.traces > 1);
    assert_int_equal(walk(machine, uniform(runs, 1)).seen.traces, all.traces);
    assert_int_equal(walk(machine, pct(runs, 1, 3)).seen.traces, all.traces);
    /* And no more than there are runs. */
    assert_int_equal(walk(machine, uniform(1, 1)).seen.traces, 1);
    machine->type->free(machine);
}

static void test_meets_all(void **state) {
    (void)state;
    check_meets_all("shared x[4]; thread t[4] { x[(id + 1) % 4] = x[id]; }", 2000);
    check_meets_all("shared x; thread a { x = 1; } thread b[3] { local v; v = x; }", 2000);
    check_meets_all("mutex f[3]; thread t[3] { lock f[id]; lock f[(id + 1) % 3];"
                    "unlock f[(id + 1) % 3]; unlock f[id]; }",
                    2000);
    check_meets_all("shared n; mutex m; cond c;"
                    "thread a[2] { lock m; n = n + 1; wait c, m; unlock m; }"
                    "thread b { await (n == 2); lock m; notify c; unlock m; }",
                    2000);
}

/* ---- PCT's guarantee ---- */

/* Depth 1: all of b before the first step of a. */
static const char depth_1[] = "shared x, y, z;"
                              "thread a { local i; assert (z == 0);"
                              "           while (i < 20) { x = i; i = i + 1; } }"
                              "thread b { local i; while (i < 20) { y = i; i = i + 1; } z = 1; }";

/* Depth 2: all of b where a is behind one of its ten steps and before the next. */
static const char depth_2[] =
    "shared x, y; thread a { local i; while (i < 10) { i = i + 1; x = i; } }"
    "thread b { local i, v; while (i < 10) { i = i + 1; y = i; } v = x; assert (v != 7); }";

/* Depth 3: a stops behind its second step, b before its last one, for the rest of
 * a.  So the second change point has to put its thread below the first one's. */
static const char depth_3[] =
    "shared x, y, s; thread a { local i; while (i < 6) { i = i + 1; x = i; } }"
    "thread b { local i; while (i < 3) { i = i + 1; y = i; } if (x == 2) { s = 1; }"
    "           assert (s == 0 || x != 6); }";

static void check_guarantee(const char *text, uint32_t depth, uint64_t runs, double guarantee) {
    /* One seed tells a sanitizer all that it can find. */
    for (uint64_t seed = 1; seed <= (SUPPORT_SANITIZED ? 1 : 3); seed++) {
        hd_explore_walk_result result = walk_text(text, pct(runs, seed, depth));
        assert_true(result.guarantee > guarantee * 0.999999);
        assert_true(result.guarantee < guarantee * 1.000001);
        double often = (double)result.seen.violations / (double)runs;
        if (often < 0.8 * result.guarantee)
            print_error("depth %u: %g of the runs fail, at least %g should\n", depth, often,
                        result.guarantee);
        assert_true(often >= 0.8 * result.guarantee);
    }
}

static void test_guarantee(void **state) {
    (void)state;
    check_guarantee(depth_1, 1, 4000, 1.0 / 2);
    check_guarantee(depth_2, 2, support_few(20000, 8000), 1.0 / (2 * 21));
    check_guarantee(depth_3, 3, support_few(60000, 20000), 1.0 / (2 * 12 * 12));
}

/* What uniform walks hardly ever meet: the reason for the other kind. */
static void test_uniform_is_weaker(void **state) {
    (void)state;
    hd_explore_walk_result result = walk_text(depth_1, uniform(4000, 1));
    assert_int_equal(result.seen.violations, 0);
    assert_true(result.guarantee == 0);
    assert_int_equal(result.longest, 42);
    assert_int_equal(result.threads, 2);
}

/* ---- Limits ---- */

static const char endless[] =
    "shared x; thread a { local i; while (x == 0) i = i + 1; } thread b { x = 1; }";

static void test_cut_off(void **state) {
    (void)state;
    hd_explore_walk_options options = pct(100, 1, 1);
    options.most_steps = 50;
    hd_explore_walk_result result = walk_text(endless, options);
    assert_int_equal(result.seen.limit, HD_EXPLORE_LIMIT_STEPS);
    assert_true(result.cut > 0 && result.seen.executions > 0);
    assert_int_equal(result.cut + result.seen.executions, 100);
    assert_int_equal(result.longest, 50);
    options.most_steps = 0;
    options.most_seconds = 0.05; /* in the middle of a run that would never end */
    result = walk_text(endless, options);
    assert_int_equal(result.seen.limit, HD_EXPLORE_LIMIT_TIME);
    options = uniform(100, 1);
    result = walk_text(endless, options);
    assert_null(result.seen.limit);
    assert_int_equal(result.seen.executions, 100);
}

static int stop_at_third(void *context, hd_machine *machine, enum hd_explore_end end,
                         const hd_step *schedule, size_t length) {
    int *seen = context;
    (void)machine, (void)end, (void)schedule, (void)length;
    return ++*seen == 3;
}

static void test_visitor_stops(void **state) {
    (void)state;
    int seen = 0;
    hd_explore_walk_options options = uniform(100, 1);
    options.visit = stop_at_third;
    options.context = &seen;
    hd_explore_walk_result result = walk_text(mixed, options);
    assert_true(result.seen.stopped);
    assert_int_equal(result.seen.executions, 3);
    assert_int_equal(seen, 3);
}

static void count_tick(void *context, const hd_explore_status *status) {
    uint64_t *last = context;
    assert_true(status->steps > *last);
    assert_true(status->seconds > 0);
    *last = status->steps;
}

static void test_ticks(void **state) {
    (void)state;
    uint64_t last = 0;
    hd_explore_walk_options options = uniform(UINT64_MAX, 1);
    options.most_seconds = 0.7;
    options.tick = count_tick;
    options.context = &last;
    walk_text(mixed, options);
    assert_true(last > 0);
}

static void expect_error(hd_machine *machine, hd_explore_walk_options options, const char *text) {
    hd_explore_walk_result result;
    hd_error error = {""};
    assert_false(hd_explore_walk(machine, &options, &result, &error));
    assert_string_equal(error.text, text);
}

static void test_errors(void **state) {
    (void)state;
    hd_machine *machine = support_load(mixed);
    expect_error(machine, pct(1, 1, 0), "a depth of 0; it must be from 1 to 64");
    expect_error(machine, pct(1, 1, 65), "a depth of 65; it must be from 1 to 64");
    machine->type->free(machine);
    machine = support_load("shared x; thread t[6145] { x = 1; }");
    expect_error(machine, uniform(1, 1), "6145 threads; at most 6144 can be explored");
    machine->type->free(machine);
}

static void test_empty(void **state) {
    (void)state;
    hd_explore_walk_result result = walk_text("shared x;", pct(10, 1, 2));
    assert_int_equal(result.seen.executions, 10);
    assert_int_equal(result.seen.traces, 1);
    assert_true(result.guarantee == 0);
    assert_int_equal(walk_text(mixed, uniform(0, 1)).seen.executions, 0);
}

SUPPORT_SUITE(test_explore_walk) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_legal),        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_without_undo), cmocka_unit_test(test_meets_all),
        cmocka_unit_test(test_guarantee),    cmocka_unit_test(test_uniform_is_weaker),
        cmocka_unit_test(test_cut_off),      cmocka_unit_test(test_visitor_stops),
        cmocka_unit_test(test_ticks),        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
