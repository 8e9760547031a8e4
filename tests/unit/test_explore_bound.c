/*
 * The search bounded by preemptions: what it says of itself.  That it finds the
 * right traces is for tests/random/random_explore_bound.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "explore/explore.h"
#include "model/model.h"
#include "support_examples.h"
#include "support_suite.h"

static hd_explore_result explore(hd_machine *machine, hd_explore_options options) {
    options.bounded = true;
    return support_explore(machine, &options);
}

static hd_explore_result explore_text(const char *text, hd_explore_options options) {
    hd_machine *machine = support_load(text);
    hd_explore_result result = explore(machine, options);
    machine->type->free(machine);
    return result;
}

static hd_explore_options at_most(uint32_t preemptions) {
    return (hd_explore_options){.preemptions = preemptions};
}

/* Two threads that write twice have six traces: aabb, bbaa; abba, baab; abab, baba. */
static const char two_by_two[] = "shared x; thread a { x = 1; x = 2; } thread b { x = 3; x = 4; }";

static void test_levels(void **state) {
    (void)state;
    static const uint64_t traces[] = {2, 4, 6, 6};
    for (uint32_t most = 0; most < 4; most++) {
        hd_explore_result result = explore_text(two_by_two, at_most(most));
        assert_true(result.complete);
        assert_int_equal(result.executions, traces[most]);
        assert_int_equal(result.levels, most < 2 ? most + 1 : 3);
        assert_int_equal(result.beyond, most < 2);
    }
}

/* To go on where a thread has ended, is blocked or waits is no preemption. */
static void test_free_switches(void **state) {
    (void)state;
    static const char ends[] = "shared x; thread t[3] { x = id; }";
    static const char blocks[] = "shared x, y; mutex m;"
                                 "thread a { lock m; await (x == 1); unlock m; }"
                                 "thread b { x = 1; lock m; unlock m; y = 1; }";
    static const char waits[] = "shared x; mutex m; cond c;"
                                "thread a { lock m; while (x == 0) wait c, m; unlock m; }"
                                "thread b { lock m; x = 1; notify c; unlock m; }";
    assert_int_equal(explore_text(ends, at_most(0)).executions, 6);
    hd_explore_result result = explore_text(blocks, at_most(0));
    assert_int_equal(result.executions, 2); /* a b a b, b a; no b(x) a b */
    assert_int_equal(result.deadlocks, 0);
    assert_int_equal(explore_text(waits, at_most(0)).executions, 2);
}

static void test_choices(void **state) {
    (void)state;
    static const char text[] = "shared n; mutex m; cond c;"
                               "thread a[2] { lock m; n = n + 1; wait c, m; unlock m; }"
                               "thread b { await (n == 2); lock m; notify c; unlock m; }";
    hd_explore_result result = explore_text(text, at_most(0));
    assert_int_equal(result.executions, 4); /* who waits first, who is woken */
    assert_int_equal(result.deadlocks, 4);
}

/* Nothing is lost silently. */
static void test_limits(void **state) {
    (void)state;
    hd_explore_options options = at_most(2);
    options.most_prefixes = 3;
    hd_explore_result result = explore_text(two_by_two, options);
    assert_int_equal(result.limit, HD_EXPLORE_LIMIT_PREFIXES);
    assert_false(result.complete);
    assert_int_equal(result.prefixes, 3);
    assert_int_equal(result.levels, 0);

    options = at_most(2);
    options.most_executions = 3;
    result = explore_text(two_by_two, options);
    assert_int_equal(result.limit, HD_EXPLORE_LIMIT_EXECUTIONS);
    assert_int_equal(result.executions, 3);
    assert_int_equal(result.levels, 1);

    options = at_most(2);
    options.most_length = 3;
    result = explore_text(two_by_two, options);
    assert_int_equal(result.limit, HD_EXPLORE_LIMIT_STEPS);
    assert_false(result.complete);
    assert_int_equal(result.executions, 0);
    assert_int_equal(result.levels, 0);

    options = at_most(20);
    options.most_seconds = 0.05;
    result = explore_text("shared x; thread t[12] { x = 1; x = 2; x = 3; x = 4; }", options);
    assert_int_equal(result.limit, HD_EXPLORE_LIMIT_TIME);
    assert_false(result.complete);
}

/* A loop without end has few prefixes of each length, but no end of them. */
static void test_endless(void **state) {
    (void)state;
    hd_explore_options options = at_most(1);
    options.most_length = 100;
    hd_explore_result result = explore_text(
        "shared x; thread a { local i; while (x == 0) i = i + 1; } thread b { x = 1; }", options);
    assert_int_equal(result.limit, HD_EXPLORE_LIMIT_STEPS);
    assert_false(result.complete);
    assert_int_equal(result.executions, 99); /* b's step behind 0 to 98 of a's, a's last one */
}

static int stop_at_failure(void *context, hd_machine *machine, enum hd_explore_end end,
                           const hd_step *schedule, size_t length) {
    size_t *failing = context;
    (void)machine, (void)schedule;
    if (end == HD_EXPLORE_VIOLATION)
        *failing = length;
    return end == HD_EXPLORE_VIOLATION;
}

/* Levels come in order: a failure that needs two preemptions is the first one
 * found, with all of fewer searched, however many are allowed. */
static void test_least_failure(void **state) {
    (void)state;
    static const char text[] = "shared x, y;"
                               "thread a { x = 1; assert (y == 0 || x == 1); x = 3; y = 0; }"
                               "thread b { y = 1; x = 2; y = 2; x = 1; }";
    hd_explore_result result = explore_text(text, at_most(1));
    assert_true(result.complete);
    assert_int_equal(result.violations, 0);
    size_t failing = 0;
    hd_explore_options options = at_most(9);
    options.visit = stop_at_failure;
    options.context = &failing;
    result = explore_text(text, options);
    assert_true(result.stopped);
    assert_false(result.complete);
    assert_int_equal(result.violations, 1);
    assert_int_equal(result.levels, 2);
    assert_true(failing > 0);
}

static void test_empty(void **state) {
    (void)state;
    hd_explore_result result = explore_text("shared x;", at_most(0));
    assert_true(result.complete);
    assert_int_equal(result.executions, 1);
    assert_false(result.beyond);
    assert_int_equal(explore_text("thread a { skip; }", at_most(0)).executions, 1);
    assert_int_equal(explore_text("thread a { assert (false); }", at_most(0)).violations, 1);
}

/* The machine is left in its first state, and a second search sees the same. */
static void test_again(void **state) {
    (void)state;
    hd_machine *machine = support_load(two_by_two);
    uint64_t first = hd_model_hash(machine);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(explore(machine, at_most(1)).executions, 4);
        assert_int_equal(hd_model_hash(machine), first);
    }
    machine->type->free(machine);
}

SUPPORT_SUITE(test_explore_bound) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),  cmocka_unit_test(test_free_switches),
        cmocka_unit_test(test_choices), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_endless), cmocka_unit_test(test_least_failure),
        cmocka_unit_test(test_empty),   cmocka_unit_test(test_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
