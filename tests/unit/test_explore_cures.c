/*
 * Six ways in which a search that reduces loses traces, or completes one twice, and
 * the cure of each (explore_without.h).  On each model below the explorer is right,
 * and wrong as soon as the one cure is left out: so the cure is needed, and this
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

static hd_explore_result explore(const char *text, enum hd_explore_algorithm algorithm,
                                 unsigned without) {
    hd_model_error bad;
    hd_error error = {""};
    hd_explore_result result = {0};
    hd_machine *machine = hd_model_parse("m.hdm", text, strlen(text), NULL, 0, &bad);
    assert_non_null(machine);
    if (!machine)
        return result;
    hd_explore_options options = {.algorithm = algorithm, .most_executions = 10000};
    hd_explore_without = without;
    if (!hd_explore_run(machine, &options, &result, &error))
        fail_msg("%s", error.text);
    hd_explore_without = 0;
    machine->type->free(machine);
    return result;
}

static void test_cures(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof traps / sizeof *traps; i++) {
        const struct trap *trap = &traps[i];
        uint64_t traces = explore(trap->model, HD_EXPLORE_NAIVE, 0).traces;
        uint64_t cured = explore(trap->model, trap->algorithm, 0).executions;
        uint64_t without = explore(trap->model, trap->algorithm, 1u << (trap->cure - 1)).executions;
        print_message("cure %u, %s: %llu traces, %llu without it\n", trap->cure,
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
        for (int a = HD_EXPLORE_DPOR; a < HD_EXPLORE_ALGORITHMS; a++)
            assert_int_equal(explore(traps[i].model, (enum hd_explore_algorithm)a, 0).executions,
                             traces);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cures),
        cmocka_unit_test(test_all_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
