/*
 * Six ways to lose traces in a partial order reduction, each with the smallest
 * models found that show it.  Every algorithm must have the right count, which
 * brute force knows.
 *
 *   1  What an operation accesses can depend on the state.  When a race is turned
 *      round, the operation that comes earlier is looked at again in its new state.
 *   2  The races of a maximal execution are all of them, at each such execution:
 *      a race that was turned round before has another notdep(e, E) by now.
 *   3  An acquire races with the acquire before it of the same lock, though the
 *      release between them is its immediate predecessor.
 *   4  An await races with every antichain of writes without which it is true, not
 *      with its immediate predecessors alone.
 *   5  Operations of threads that are blocked at the end of a run race as well, at
 *      ends where the rest sleeps too.
 *   6  Of each trace of a section the representative is the least in the order of
 *      exploration.  If not, it can begin with a thread that sleeps by then.
 *
 *     test_explore_traps          every model has the right count
 *     test_explore_traps CURE     with an engine that can leave out the cure of a
 *                                 trap: every model of the trap has a wrong one
 *
 * Such an engine has a variable hd_explore_without, whose bit k - 1 leaves out the
 * cure of trap k; the second form shows that the models do find what they are for.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explore/explore.h"
#include "model/model.h"

extern unsigned hd_explore_without __attribute__((weak));

enum { TRAPS = 6 };

struct trap {
    unsigned number;
    uint64_t traces;
    const char *caught; /* algorithms that go wrong without the cure; at least those */
    const char *model;
};

static const struct trap traps[] = {
    /* b first: a writes x[1], which is independent of c. */
    {1, 3, "dpor sdpor odpor",
     "shared x[2], y;"
     "thread a { x[y] = 1; } thread b { if (y == 0) { y = 1; } } thread c { x[0] = 1; }"},
    {1, 3, "odpor",
     "shared x[2], y; thread a { x[y] = 1; } thread b { y = 1; } thread c { x[0] = 1; }"},
    {2, 10, "odpor",
     "shared y, z; thread a { local v; v = z; } thread b { z = 1; } thread c { y = 1; }"
     "thread d { local v; v = y; if (y == 0) { z = 1; } }"},
    /* The smallest without a branch. */
    {2, 16, "odpor",
     "shared y, z; thread a { local v; v = z; } thread b { y = 1; } thread c { local v; v = y; }"
     "thread d { z = 1; } thread e { local v; v = z; v = y; }"},
    {3, 2, "dpor sdpor odpor",
     "mutex m; thread a { lock m; unlock m; } thread b { lock m; unlock m; }"},
    /* Before both writes, or behind both. */
    {4, 2, "dpor sdpor odpor", "shared z; thread a { z = 1; z = 0; } thread b { await (z == 0); }"},
    /* The same with writes of two threads: only without both it is true. */
    {4, 2, "dpor sdpor odpor",
     "shared y, z; thread a { z = 1; } thread b { await (z == y); } thread c { y = 1; }"},
    {5, 2, "dpor sdpor odpor", "shared y; thread a { y = 1; } thread b { await (y == 0); }"},
    {5, 2, "dpor sdpor odpor", "mutex m; thread a { lock m; } thread b { lock m; }"},
    /* Where the await is blocked, the others sleep. */
    {5, 2, "dpor sdpor",
     "shared x, z; mutex m; thread a { z = 2; } thread b { lock m; x = 2; unlock m; }"
     "thread c { await (z == x); }"},
    /* If b a c stands for one trace and c a b for the other, b sleeps when c is
     * taken, and nobody wakes it. */
    {6, 2, "epor epor-sh",
     "shared x, y; thread a { x = 1; } thread b { y = 1; } thread c { x = 2; }"},
    {6, 4, "epor epor-sh",
     "shared x, y; thread a { x = 1; } thread b { y = 1; } thread c { x = 2; } thread d { y = 2; "
     "}"},
};

static unsigned left_out; /* the cure; 0: none */

static uint64_t count(hd_machine *machine, int algorithm, const struct trap *trap) {
    hd_explore_options options = {.algorithm = (enum hd_explore_algorithm)algorithm};
    hd_explore_result result;
    hd_error error = {""};
    if (algorithm != HD_EXPLORE_NAIVE)
        options.most_executions = 10 * trap->traces;
    assert_true(hd_explore_run(machine, &options, &result, &error));
    return algorithm == HD_EXPLORE_NAIVE ? result.traces : result.executions;
}

/* Is the word one of the list's? */
static bool is_in(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* True if the algorithm was held to something. */
static bool check(const struct trap *trap, hd_machine *machine, int algorithm) {
    const char *name = hd_explore_algorithm_name((enum hd_explore_algorithm)algorithm);
    uint64_t traces = count(machine, algorithm, trap);
    bool right = traces == trap->traces, caught = is_in(trap->caught, name);
    if (!left_out && !right)
        fail_msg("trap %u, %s: %" PRIu64 " traces, not %" PRIu64 " of\n%s", trap->number, name,
                 traces, trap->traces, trap->model);
    if (left_out && right && caught)
        fail_msg("trap %u, %s: nothing is lost without the cure in\n%s", trap->number, name,
                 trap->model);
    return !left_out || caught;
}

static hd_machine *load(const char *model) {
    hd_model_error error;
    hd_machine *machine = hd_model_parse("trap", model, strlen(model), NULL, 0, &error);
    if (!machine)
        fail_msg("%u:%u: %s in\n%s", error.line, error.column, error.text, model);
    return machine;
}

static void check_trap(unsigned number) {
    unsigned checked = 0;
    for (size_t i = 0; i < sizeof traps / sizeof *traps; i++) {
        const struct trap *trap = &traps[i];
        if (trap->number != number)
            continue;
        hd_machine *machine = load(trap->model);
        assert_int_equal(count(machine, HD_EXPLORE_NAIVE, trap), trap->traces);
        for (int algorithm = HD_EXPLORE_DPOR; algorithm < HD_EXPLORE_ALGORITHMS; algorithm++)
            checked += check(trap, machine, algorithm);
        machine->type->free(machine);
    }
    if (!checked)
        fail_msg("no algorithm here has the cure of trap %u", number);
}

static void test_trap(void **state) {
    check_trap(*(const unsigned *)*state);
}

int main(int argc, char **argv) {
    static unsigned numbers[TRAPS] = {1, 2, 3, 4, 5, 6};
    const struct CMUnitTest tests[TRAPS] = {
        {"accesses that depend on the state", test_trap, NULL, NULL, &numbers[0]},
        {"all races of every execution", test_trap, NULL, NULL, &numbers[1]},
        {"acquires", test_trap, NULL, NULL, &numbers[2]},
        {"awaits", test_trap, NULL, NULL, &numbers[3]},
        {"blocked threads", test_trap, NULL, NULL, &numbers[4]},
        {"representatives of sections", test_trap, NULL, NULL, &numbers[5]},
    };
    if (argc < 2)
        return cmocka_run_group_tests(tests, NULL, NULL);
    left_out = (unsigned)strtoul(argv[1], NULL, 10);
    if (!&hd_explore_without || left_out < 1 || left_out > TRAPS) {
        fprintf(stderr, "test_explore_traps: this engine cannot leave out cure %s\n", argv[1]);
        return 2;
    }
    hd_explore_without = 1u << (left_out - 1);
    const struct CMUnitTest caught[] = {tests[left_out - 1]};
    return cmocka_run_group_tests(caught, NULL, NULL);
}
