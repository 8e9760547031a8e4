/*
 * Six ways in which a search that reduces loses traces, or completes one twice, many in which one
 * by reads-from loses classes, and the cure of each (explore_without.h).  On each model below the
 * explorer is right, and wrong as soon as the one cure is left out: so the cure is needed, and this
 * test would see it go.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "explore/explore.h"
#include "model/model.h"

unsigned hd_explore_without;

struct trap {
    unsigned cure;
    enum hd_explore_algorithm algorithm;
    const char *model;
};

#define SHARED "shared x[2], y, z; mutex m;\n"

static const struct trap traps[] = {
    /* x[y % 2] is another element once y = 1 does not come before it */
    {1, HD_EXPLORE_SDPOR,
     SHARED "thread a { x[y % 2] = 2; } thread b { x[1] = y; }\n"
            "thread c { y = 1; } thread d { x[0] = z; }"},
    {1, HD_EXPLORE_ODPOR,
     SHARED "thread a { x[y % 2] = 1; } thread b { y = 1; } thread c { x[0] = 0; }"},
    /* a condition that reads more once its first half is true */
    {1, HD_EXPLORE_ODPOR,
     SHARED "thread a { if (x[0] == 1 && y == 1) { z = 2; } } thread b { x[0] = 1; y = 2; }\n"
            "thread c { x[0] = 0; } thread d { y = x[0]; x[y % 2] = 2; }"},
    /* what a race leads to depends on events behind it, that another end brings */
    {2, HD_EXPLORE_ODPOR,
     SHARED "thread a { y = x[1]; } thread b { x[0] = 0; } thread c { x[0] = 2; }\n"
            "thread d { y = z; } thread e { z = 2; x[0] = x[1]; }"},
    {2, HD_EXPLORE_EPOR,
     SHARED "thread a { x[y % 2] = 0; } thread b { y = 1; }\n"
            "thread c { if (cas(x[0], 0, 0)) { z = 1; } }\n"
            "thread d { if (x[0] == 1 && y == 1) { z = 2; } }"},
    /* one critical section before the other: nothing that is enabled can be swapped */
    {3, HD_EXPLORE_SDPOR,
     SHARED "thread a { lock m; y = 1; unlock m; } thread b { lock m; y = 0; unlock m; }"},
    {3, HD_EXPLORE_ODPOR,
     SHARED "thread a { lock m; y = 1; unlock m; } thread b { lock m; y = 0; unlock m; }"},
    /* true before both writes and behind both, but not between */
    {4, HD_EXPLORE_SDPOR,
     SHARED "thread a { y = 1; } thread b { z = 1; } thread c { await (y == z); }"},
    {4, HD_EXPLORE_ODPOR,
     SHARED "thread a { y = 1; } thread b { z = 1; } thread c { await (y == z); }"},
    /* never true behind the write: the await has no event in the first run */
    {5, HD_EXPLORE_SDPOR, SHARED "thread a { y = 1; } thread b { await (y == z); }"},
    {5, HD_EXPLORE_ODPOR, SHARED "thread a { y = 1; } thread b { await (y == z); }"},
    /* one order for each trace of a section */
    {6, HD_EXPLORE_EPOR, SHARED "thread a { y = 1; } thread b { y = 0; } thread c { z = 2; }"},
};

/* By reads-from: how many classes there are, and how many of them are stuck. */
struct reads_trap {
    unsigned cure;
    uint64_t classes, stuck;
    const char *model;
};

static const struct reads_trap reads_traps[] = {
    /* both sections are open when the one reads what the other wrote */
    {7, 2, 0,
     SHARED "thread a { local v; lock m; v = y; unlock m; } thread b { lock m; y = 1; unlock m; }"},
    {8, 2, 0,
     SHARED "thread a { local v; lock m; v = y; unlock m; } thread b { lock m; y = 1; unlock m; }"},
    /* the writer's section only ends after a step of a thread that has no lock */
    {9, 2, 0,
     SHARED "thread a { local v; lock m; v = y; unlock m; }\n"
            "thread b { lock m; y = 1; await (z == 1); unlock m; } thread c { z = 1; }"},
    {10, 7, 0,
     SHARED "thread a { local v; v = cas(y, 1, 2); y = 2; lock m; cas(y, 0, 1); unlock m; }\n"
            "thread b { local v; lock m; y = 1; v = cas(y, 1, 2); if (v == 0) y = 2; unlock m; }"},
    {11, 3, 1,
     SHARED "mutex n; thread a { lock m; lock n; y = y + 1; unlock n; unlock m; }\n"
            "thread b { lock n; lock m; y = y + 1; unlock m; unlock n; }"},
    /* both threads know of each other only where they are stuck */
    {11, 5, 3,
     SHARED "mutex n;\n"
            "thread a { local v; lock m; y = 1; v = z; lock n; unlock n; unlock m; }\n"
            "thread b { local v; lock n; z = 1; v = y; lock m; unlock m; unlock n; }"},
    {12, 1, 1, SHARED "thread a { await (y == 1); }"},
    /* only one order of the writes leaves the thread stuck */
    {13, 2, 1, SHARED "thread a { await (y == 2); } thread b { y = 1; } thread c { y = 2; }"},
    {14, 2, 0, SHARED "thread a { y = 1; await (y == 1); } thread b { y = 0; y = 1; }"},
    {15, 2, 1, SHARED "thread a { lock m; } thread b { lock m; unlock m; }"},
    {16, 3, 1,
     SHARED "mutex n; thread a { lock m; lock n; y = y + 1; unlock n; unlock m; }\n"
            "thread b { lock n; lock m; y = y + 1; unlock m; unlock n; }"},
    {18, 4, 0, SHARED "thread a { local v; v = y + z; } thread b { y = 1; } thread c { z = 1; }"},
    {19, 3, 0,
     SHARED "thread a { local v; v = x[y % 2]; } thread b { y = 1; } thread c { x[1] = 1; }"},
    {20, 8, 8,
     SHARED "cond c; thread a { lock m; wait c, m; unlock m; }\n"
            "thread b { lock m; wait c, m; unlock m; } thread d { notify c; }"},
    {21, 3, 2,
     SHARED "thread a { local v; while (z == 0) v = y; } thread b { z = 0; } thread c { z = 1; }"},
    {22, 3, 0,
     SHARED "thread a { lock m; unlock m; }\n"
            "thread b { local v; v = try lock m; if (v) unlock m; }"},
};

/* Models that other ways to explore by reads-from lose classes of. */
static const struct reads_trap reads_counts[] = {
    {0, 4, 0,
     SHARED "thread a { y = 1; } thread b { local v; v = y; } thread c { local v; v = y; }"},
    {0, 11, 0,
     SHARED "thread a { local v; v = z; v = y; } thread b { z = 2; y = 1; }\n"
            "thread c { local v; y = 2; v = z; }"},
    {0, 2, 0, SHARED "thread a { y = y + 1; } thread b { y = y + 1; }"},
    {0, 2, 0, SHARED "thread a { y = y + 1; } thread b { cas(y, 0, 1); }"},
    {0, 6, 0, SHARED "thread a { y = y + 1; } thread b { y = y + 1; } thread c { y = y + 1; }"},
    /* the write is there only in the class in which it is read */
    {0, 2, 0,
     SHARED "thread a { local v; lock m; v = y; z = 1; unlock m; }\n"
            "thread b { local v; lock m; v = z; if (v == 0) y = 1; unlock m; }"},
    /* no thread ever reads 1 */
    {0, 2, 0,
     SHARED "thread a { local v; lock m; v = y; unlock m; }\n"
            "thread b { lock m; y = 1; y = 2; unlock m; }"},
    /* the order in which a lock is taken does not matter */
    {0, 1, 0, SHARED "thread a[5] { local v; lock m; v = y; unlock m; }"},
    {0, 8, 0, SHARED "thread a[7] { y = id; } thread b { local v; v = y; }"},
    {0, 1, 0, SHARED "shared w[9]; thread a[9] { lock m; w[id] = w[id] + 1; unlock m; }"},
};

/* `blind`: as of a machine that knows nothing ahead. */
static hd_explore_result explore_model(const char *text, bool blind,
                                       const hd_explore_options *options, unsigned without) {
    hd_model_error bad;
    hd_error error = {""};
    hd_explore_result result = {0};
    hd_machine *machine = hd_model_parse("m.hdm", text, strlen(text), NULL, 0, &bad);
    assert_non_null(machine);
    if (!machine)
        return result;
    hd_machine_type type = *machine->type;
    if (blind)
        type.ahead = NULL;
    machine->type = &type;
    hd_explore_without = without;
    if (!hd_explore_run(machine, options, &result, &error))
        fail_msg("%s", error.text);
    hd_explore_without = 0;
    type.free(machine);
    return result;
}

static hd_explore_result explore(const char *text, enum hd_explore_algorithm algorithm,
                                 unsigned without) {
    hd_explore_options options = {.algorithm = algorithm, .most_executions = 10000};
    return explore_model(text, false, &options, without);
}

static hd_explore_result explore_reads(const char *text, uint32_t workers, unsigned without) {
    hd_explore_options options = {.algorithm = HD_EXPLORE_UNFOLD,
                                  .by_reads = true,
                                  .threads = workers,
                                  .most_executions = 10000};
    return explore_model(text, false, &options, without);
}

static void test_cures(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof traps / sizeof *traps; i++) {
        const struct trap *trap = &traps[i];
        uint64_t traces = explore(trap->model, HD_EXPLORE_NAIVE, 0).traces;
        uint64_t cured = explore(trap->model, trap->algorithm, 0).executions;
        uint64_t without = explore(trap->model, trap->algorithm, 1u << (trap->cure - 1)).executions;
        print_message("# cure %u, %s: %llu traces, %llu without it\n", trap->cure,
                      hd_explore_algorithm_name(trap->algorithm), (unsigned long long)traces,
                      (unsigned long long)without);
        assert_int_equal(cured, traces);
        assert_int_not_equal(without, traces);
    }
}

/* With all cures in, every algorithm is right on every one of them. */
static void test_all_right(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof traps / sizeof *traps; i++) {
        uint64_t traces = explore(traps[i].model, HD_EXPLORE_NAIVE, 0).traces;
        for (int a = HD_EXPLORE_DPOR; a < HD_EXPLORE_UNFOLD; a++)
            assert_int_equal(explore(traps[i].model, (enum hd_explore_algorithm)a, 0).executions,
                             traces);
    }
}

/* Only after y = 1, which neither of the first executions has there, is x[1] written: what was
 * learnt is wrong then. */
static void test_learnt(void **state) {
    (void)state;
    static const char *const models[] = {
        SHARED "thread a { local v; v = y; if (v == 1) x[1] = 1; else x[0] = 1; }\n"
               "thread b { y = 1; y = 2; } thread c { local v; v = x[1]; }",
        SHARED "thread a { local v; v = y; x[v % 2] = 1; }\n"
               "thread b { y = 1; y = 2; } thread c { local v; v = x[1]; }",
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        for (int a = HD_EXPLORE_EPOR; a <= HD_EXPLORE_EPOR_SH; a++)
            for (int sets = 0; sets < 2; sets++) {
                hd_explore_options options = {.algorithm = (enum hd_explore_algorithm)a,
                                              .source_sets = sets,
                                              .most_executions = 10000};
                uint64_t traces = explore(models[i], HD_EXPLORE_NAIVE, 0).traces;
                hd_explore_result cured = explore_model(models[i], true, &options, 0);
                assert_int_equal(cured.executions, traces);
                assert_int_not_equal(cured.sections, 0);
                if (a == HD_EXPLORE_EPOR_SH) /* they may end before it */
                    continue;
                uint64_t without = explore_model(models[i], true, &options, 1u << 22).executions;
                print_message("# cure 23: %llu traces, %llu without it, %llu of %llu sections "
                              "taken back\n",
                              (unsigned long long)traces, (unsigned long long)without,
                              (unsigned long long)cured.taken_back,
                              (unsigned long long)cured.sections);
                assert_int_not_equal(cured.taken_back, 0);
                assert_int_not_equal(without, traces);
                options.threads = 3;
                cured = explore_model(models[i], true, &options, 0);
                assert_int_equal(cured.executions, traces);
                assert_int_not_equal(cured.taken_back, 0);
            }
}

/* After a section was taken back there are nodes at which threads sleep and every way of a choice
 * has to be explored all the same. */
static void test_choices_taken_back(void **state) {
    (void)state;
    const char *model =
        "shared x[2], y, z; mutex m; cond c; invariant (x[0] + y <= 3 || z == 1);\n"
        "thread a { local v; z = choose(0, 1); atomic { v = y; x[0] = v + 1; } y = x[0]; }\n"
        "thread b { lock m; if (y == 0) { wait c, m; } unlock m; } thread d { z = x[1]; }";
    uint64_t traces = explore(model, HD_EXPLORE_NAIVE, 0).traces;
    for (int a = HD_EXPLORE_EPOR; a <= HD_EXPLORE_EPOR_SH; a++) {
        hd_explore_options options = {.algorithm = (enum hd_explore_algorithm)a,
                                      .lessons = 1,
                                      .in_parts = true,
                                      .most_executions = 10000};
        hd_explore_result result = explore_model(model, true, &options, 0);
        assert_int_not_equal(result.taken_back, 0);
        assert_int_equal(result.executions, traces);
    }
}

/* One way of a choice fails, the others do not: they are not moved as if they did. */
static void test_choices_that_fail(void **state) {
    (void)state;
    const char *model = "shared x, p, q; invariant (x <= 1);\n"
                        "thread a { x = choose(0, 2); } thread b { p = 1; } thread c { q = 1; }";
    uint64_t traces = explore(model, HD_EXPLORE_NAIVE, 0).traces;
    for (int a = HD_EXPLORE_ODPOR; a <= HD_EXPLORE_EPOR_SH; a++) {
        hd_explore_result result = explore(model, (enum hd_explore_algorithm)a, 0);
        assert_int_equal(result.executions, traces);
        assert_int_equal(result.blocked, 0);
    }
}

static void test_reads_cures(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof reads_traps / sizeof *reads_traps; i++) {
        const struct reads_trap *trap = &reads_traps[i];
        hd_explore_result cured = explore_reads(trap->model, 1, 0);
        hd_explore_result without = explore_reads(trap->model, 1, 1u << (trap->cure - 1));
        print_message("# cure %u: %llu classes, %llu stuck; %llu and %llu without it\n", trap->cure,
                      (unsigned long long)cured.executions, (unsigned long long)cured.deadlocks,
                      (unsigned long long)without.executions,
                      (unsigned long long)without.deadlocks);
        assert_true(cured.complete);
        assert_int_equal(cured.executions, trap->classes);
        assert_int_equal(cured.deadlocks, trap->stuck);
        assert_false(without.executions == trap->classes && without.deadlocks == trap->stuck);
        hd_explore_result shared = explore_reads(trap->model, 3, 0);
        assert_true(shared.complete);
        assert_int_equal(shared.executions, trap->classes);
        assert_int_equal(shared.deadlocks, trap->stuck);
    }
}

static void test_reads_counts(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof reads_counts / sizeof *reads_counts; i++) {
        hd_explore_result result = explore_reads(reads_counts[i].model, 1, 0);
        assert_true(result.complete);
        assert_int_equal(result.executions, reads_counts[i].classes);
        assert_int_equal(result.deadlocks, reads_counts[i].stuck);
    }
}

/* Without classes the runs need not come to every deadlock; cure 17 finds those that are left. */
static void test_stuck_states(void **state) {
    (void)state;
    const char *model = SHARED "mutex n; thread a { lock m; lock n; unlock n; unlock m; }\n"
                               "thread b { lock n; lock m; unlock m; unlock n; }";
    assert_int_not_equal(explore(model, HD_EXPLORE_UNFOLD, 0).deadlocks, 0);
    assert_int_equal(explore(model, HD_EXPLORE_UNFOLD, 1u << 16).deadlocks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choices_taken_back),
        cmocka_unit_test(test_choices_that_fail),
        cmocka_unit_test(test_cures),
        cmocka_unit_test(test_all_right),
        cmocka_unit_test(test_learnt),
        cmocka_unit_test(test_reads_cures),
        cmocka_unit_test(test_reads_counts),
        cmocka_unit_test(test_stuck_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
