/*
 * The numbers of Mazurkiewicz traces of the benchmarks, counted by taking every
 * interleaving.
 */

#include "support_suite.h"
#include "test_model_tools.h"

/* ---- Mazurkiewicz traces, counted by taking every interleaving ---- */

typedef struct taken_event {
    uint32_t thread, choice;
    HD_VEC(hd_machine_access) accesses;
} taken_event;

typedef struct counter {
    hd_machine *machine;
    taken_event events[64];
    uint32_t length;
    hd_names traces; /* in a form that is the same for equivalent runs */
    uint64_t failures, deadlocks;
} counter;

static bool before(const taken_event *a, const taken_event *b) {
    return a->thread == b->thread ||
           hd_machine_dependent(a->accesses.data, (uint32_t)a->accesses.length, b->accesses.data,
                                (uint32_t)b->accesses.length);
}

/* Of the events not done that no other such event must precede, the one of the
 * least thread. */
static uint32_t least_ready(const counter *c, const bool *done) {
    const taken_event *best = NULL;
    for (uint32_t i = 0; i < c->length; i++) {
        bool ready = !done[i];
        for (uint32_t k = 0; ready && k < i; k++)
            ready = done[k] || !before(&c->events[k], &c->events[i]);
        if (ready && (!best || c->events[i].thread < best->thread))
            best = &c->events[i];
    }
    assert_non_null(best);
    return (uint32_t)(best - c->events);
}

/* The lexicographically least order of threads among equivalent runs. */
static void count_trace(counter *c) {
    char form[130];
    bool done[64] = {false};
    size_t length = 0;
    for (uint32_t left = c->length; left > 0; left--) {
        uint32_t event = least_ready(c, done);
        done[event] = true;
        form[length++] = (char)('A' + c->events[event].thread);
        form[length++] = (char)('0' + c->events[event].choice);
    }
    hd_names_add(&c->traces, form, length);
}

static void explore(counter *c);

static void explore_thread(counter *c, uint32_t thread, uint32_t choices) {
    hd_machine *machine = c->machine;
    for (uint32_t choice = 0; choice < choices; choice++) {
        hd_machine_operation operation = next(machine, thread);
        assert_true(c->length < 64);
        taken_event *event = &c->events[c->length++];
        event->thread = thread;
        event->choice = choice;
        hd_vec_clear(&event->accesses);
        for (uint32_t i = 0; i < operation.count; i++)
            hd_vec_push(&event->accesses, operation.accesses[i]);
        if (machine->type->step(machine, thread, choice) == HD_MACHINE_FAILED) {
            c->failures++;
            count_trace(c);
        } else {
            explore(c);
        }
        machine->type->undo(machine);
        c->length--;
    }
}

static void explore(counter *c) {
    bool any = false, left = false;
    for (uint32_t t = 0; t < c->machine->threads; t++) {
        hd_machine_operation operation;
        if (!c->machine->type->next(c->machine, t, &operation))
            continue;
        left = true;
        if (!operation.enabled)
            continue;
        any = true;
        explore_thread(c, t, operation.choices);
    }
    if (any || hd_machine_retries(c->machine))
        return;
    c->deadlocks += left;
    count_trace(c);
}

/* One of examples/models, which are beside the folder that this file is in. */
static hd_machine *load_example(const char *name, const char *parameter, int64_t size) {
    static const char here[] = __FILE__;
    const char *folder = strstr(here, "tests/unit/");
    assert_non_null(folder);
    char path[512];
    snprintf(path, sizeof path, "%.*sexamples/models/%s.hdm", (int)(folder - here), here, name);
    hd_model_error error;
    hd_model_define define = {parameter, size};
    hd_machine *machine = hd_model_load(path, &define, parameter ? 1 : 0, &error);
    if (!machine)
        fail_msg("%s:%u: %s", path, error.line, error.text);
    return machine;
}

typedef struct expected {
    uint32_t traces;
    bool fails, deadlocks;
} expected;

static void expect_counts(const char *name, const char *parameter, int64_t size, expected wanted) {
    counter *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->machine = load_example(name, parameter, size);
    explore(c);
    if ((wanted.traces && c->traces.length != wanted.traces) || !c->failures != !wanted.fails ||
        !c->deadlocks != !wanted.deadlocks) {
        print_error("%s, %s = %d: %u traces, %" PRIu64 " failures, %" PRIu64 " deadlocks\n", name,
                    parameter ? parameter : "-", (int)size, c->traces.length, c->failures,
                    c->deadlocks);
        fail();
    }
    for (size_t i = 0; i < 64; i++)
        hd_vec_release(&c->events[i].accesses);
    hd_names_release(&c->traces);
    release(c->machine);
    free(c);
}

static void test_counts(void **state) {
    (void)state;
    static const uint32_t branching[] = {11, 28}, extended[] = {6, 90};
    for (uint32_t n = 2; n <= 6; n++) {
        expect_counts("readers-writers", "N", n, (expected){.traces = 1u << (n - 1)});
        expect_counts("ring", "N", n, (expected){.traces = (1u << n) - 2});
    }
    for (uint32_t n = 2; n <= 5; n++)
        expect_counts("last-zero", "N", n, (expected){.traces = n << (n - 2)});
    for (uint32_t n = 2; n <= 3; n++) {
        expect_counts("branching", "N", n, (expected){.traces = branching[n - 2]});
        expect_counts("ring-extended", "N", n, (expected){.traces = extended[n - 2]});
    }
    for (uint32_t n = 1; n <= 5; n++)
        expect_counts("shared-pointer", "N", n, (expected){.traces = 2 * n + 1});
    expect_counts("eager-por-fig1", NULL, 0, (expected){.traces = 4});
    expect_counts("eager-por-fig2", NULL, 0, (expected){.traces = 5});
}

static void test_examples(void **state) {
    (void)state;
    expect_counts("peterson", NULL, 0, (expected){0});
    expect_counts("peterson-broken", NULL, 0, (expected){.fails = true});
    expect_counts("dekker", NULL, 0, (expected){0});
    expect_counts("philosophers", NULL, 0, (expected){.deadlocks = true});
    expect_counts("philosophers-ordered", NULL, 0, (expected){0});
    expect_counts("bounded-buffer", "PAIRS", 1, (expected){0});
    expect_counts("double-checked-lock", NULL, 0, (expected){.fails = true});
}

/* Which cells of the table each thread of Indexer uses, if it runs alone. */
static unsigned indexer_overlaps(int64_t threads) {
    hd_machine *machine = load_example("indexer", "N", threads);
    uint32_t owner[128];
    unsigned overlaps = 0;
    for (uint32_t i = 0; i < 128; i++)
        owner[i] = UINT32_MAX;
    for (uint32_t t = 0; t < machine->threads; t++) {
        hd_machine_operation operation;
        machine->type->restart(machine);
        while (machine->type->next(machine, t, &operation)) {
            uint32_t cell = operation.accesses[0].location;
            overlaps += owner[cell] != UINT32_MAX && owner[cell] != t;
            owner[cell] = t;
            machine->type->step(machine, t, 0);
        }
    }
    release(machine);
    return overlaps;
}

/* Up to 11 threads never meet: one trace. */
static void test_indexer(void **state) {
    (void)state;
    assert_int_equal(indexer_overlaps(11), 0);
    assert_int_equal(indexer_overlaps(12), 3);
    expect_counts("indexer", "N", 2, (expected){.traces = 1});
}

/* The deadlock of the bounded buffer needs two pairs: too many interleavings to
 * take all, so the one that shows it. */
static void test_bounded_buffer(void **state) {
    (void)state;
    hd_machine *machine = load_example("bounded-buffer", NULL, 0);
    bool found = false;
    hd_random random;
    hd_random_seed(&random, 1);
    for (unsigned run = 0; run < 20000 && !found; run++) {
        machine->type->restart(machine);
        for (uint32_t t; (t = pick(machine, &random)) < machine->threads;) {
            uint32_t choices = next(machine, t).choices;
            machine->type->step(machine, t, (uint32_t)hd_random_below(&random, choices));
        }
        for (uint32_t t = 0; t < machine->threads; t++)
            found |= !ended(machine, t);
    }
    assert_true(found);
    release(machine);
}

SUPPORT_SUITE(test_model_counts) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_indexer),
        cmocka_unit_test(test_bounded_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
