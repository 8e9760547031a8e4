/*
 * The room `order`: facts that can be read off the page.  The figures of paper
 * 002 are in tests/data/examples with the number of states of each in
 * expected.tsv, counted by brute force; small traces for each rule are here.
 * random_order.c has the comparison with the definitions.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "generate/generate.h"
#include "order/order.h"
#include "support_files.h"
#include "support_suite.h"
#include "support_traces.h"

enum { MAX_THREADS = 16 };

enum {
    ALL_CLOCKS = HD_ORDER_LOSET_CLOCKS | HD_ORDER_LOSET_REVERSE | HD_ORDER_POSET_CLOCKS |
                 HD_ORDER_POSET_REVERSE,
    EVERYTHING = ALL_CLOCKS | HD_ORDER_SCOPES | HD_ORDER_HELD
};

/* ---- Traces with everything built ---- */

static hd_trace trace;
static hd_order order;

static void build(void) {
    hd_error error = {0};
    hd_order_init(&order, &trace);
    assert_true(hd_order_need(&order, EVERYTHING, SIZE_MAX, &error));
}

static void parse(const char *text) {
    hd_trace_init(&trace);
    support_parse(&trace, text);
    build();
}

static void finish(void) {
    hd_order_release(&order);
    hd_trace_release(&trace);
}

/* fig5.3 is no trace, as no order of its events respects the locks: not checked. */
static void start_example(const char *name) {
    char file[128], path[1024];
    hd_error error = {0};
    snprintf(file, sizeof file, "%s.std", name);
    support_example_path(path, sizeof path, file);
    unsigned flags = strncmp(name, "fig5.3", 6) ? 0 : HD_TRACE_UNCHECKED;
    if (!hd_trace_load(&trace, path, flags, &error))
        fail_msg("%s", error.text);
    build();
}

static uint32_t thread_named(const char *name) {
    uint32_t id = hd_names_find(&trace.tables.names[HEDDLE_CLASS_THREAD], name, strlen(name));
    assert_int_not_equal(id, HD_NAMES_NONE);
    return id;
}

/* The event at a location; the figures' events have their names there. */
static uint32_t event_named(const char *location) {
    for (uint32_t e = 1; e <= hd_order_length(&order); e++)
        if (!strcmp(hd_trace_location(&trace.tables, hd_trace_event(&trace, e)), location))
            return e;
    fail_msg("no event at %s", location);
    return 0;
}

static bool before(enum hd_order_model model, const char *a, const char *b) {
    return hd_order_before(&order, model, event_named(a), event_named(b));
}

static bool has_edge(const hd_order_lists *into, uint32_t from, uint32_t to) {
    hd_order_list list = hd_order_lists_of(into, to);
    for (uint32_t i = 0; i < list.count; i++)
        if (list.events[i] == from)
            return true;
    return false;
}

static uint32_t count_edges(const hd_order_lists *lists) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < lists->count; i++)
        count += hd_order_lists_at(lists, i).count;
    return count;
}

/* ---- States ---- */

static uint32_t last_event(uint32_t thread, uint32_t count) {
    return count ? hd_trace_event_at(&order.index, thread, count) : 0;
}

static uint32_t next_event(uint32_t thread, uint32_t count) {
    return count < hd_order_thread_length(&order, thread)
               ? hd_trace_event_at(&order.index, thread, count + 1)
               : 0;
}

/* Between a release and its wait lies no state. */
static bool splits_wait(uint32_t thread, uint32_t count) {
    return count && hd_order_releases_to_wait(&order.index, last_event(thread, count));
}

static bool consistent(enum hd_order_model model, const uint32_t *state) {
    for (uint32_t t = 0; t < hd_order_threads(&order); t++) {
        uint32_t last = last_event(t, state[t]);
        for (uint32_t u = 0; u < hd_order_threads(&order); u++)
            if (hd_order_clocks_at(&order.clocks[model], last, u) > state[u])
                return false;
    }
    return true;
}

/* Every vector of counts, one after the other. */
static uint64_t count_by_vectors(enum hd_order_model model) {
    uint32_t state[MAX_THREADS] = {0}, threads = hd_order_threads(&order);
    uint64_t count = 0;
    for (;;) {
        bool splits = false;
        for (uint32_t t = 0; t < threads; t++)
            splits = splits || splits_wait(t, state[t]);
        count += !splits && consistent(model, state);
        uint32_t t = 0;
        while (t < threads && state[t] == hd_order_thread_length(&order, t))
            state[t++] = 0;
        if (t == threads)
            return count;
        state[t]++;
    }
}

static uint64_t vectors(void) {
    uint64_t product = 1;
    for (uint32_t t = 0; t < hd_order_threads(&order); t++)
        product *= hd_order_thread_length(&order, t) + 1;
    return product;
}

/* Thread by thread: with the first ones fixed, the next ranges from the greatest
 * of their clocks to the least of their next events' reverse clocks. */
static uint64_t count_by_bounds(enum hd_order_model model, uint32_t thread, const uint32_t *low,
                                const uint32_t *high) {
    uint32_t threads = hd_order_threads(&order);
    uint64_t count = 0;
    for (uint32_t here = low[thread]; here <= high[thread]; here++) {
        if (splits_wait(thread, here))
            continue;
        if (thread + 1 == threads) {
            count++;
            continue;
        }
        uint32_t lower[MAX_THREADS] = {0}, upper[MAX_THREADS] = {0};
        uint32_t last = last_event(thread, here), next = next_event(thread, here);
        for (uint32_t t = thread + 1; t < threads; t++) {
            uint32_t least = hd_order_clocks_at(&order.clocks[model], last, t);
            uint32_t most = hd_order_clocks_at(&order.reverse[model], next, t);
            lower[t] = least > low[t] ? least : low[t];
            upper[t] = most < high[t] ? most : high[t];
        }
        count += count_by_bounds(model, thread + 1, lower, upper);
    }
    return count;
}

static void check_count(const char *name, enum hd_order_model model, uint64_t expected) {
    enum { MAX_VECTORS = 200000, MAX_STATES = 1000000 };
    if (expected > MAX_STATES)
        return;
    uint32_t low[MAX_THREADS] = {0}, high[MAX_THREADS] = {0};
    for (uint32_t t = 0; t < hd_order_threads(&order); t++)
        high[t] = hd_order_thread_length(&order, t);
    uint64_t count = count_by_bounds(model, 0, low, high);
    if (count != expected)
        fail_msg("%s, model %d: %llu states by bounds, not %llu", name, model,
                 (unsigned long long)count, (unsigned long long)expected);
    if (vectors() > MAX_VECTORS)
        return;
    count = count_by_vectors(model);
    if (count != expected)
        fail_msg("%s, model %d: %llu states, not %llu", name, model, (unsigned long long)count,
                 (unsigned long long)expected);
}

/* A line of the table: name, threads, states of the poset, of the loset.  False
 * for the heading and the facts below the table. */
static bool parse_row(char *line, const char **name, uint64_t *poset, uint64_t *loset) {
    char *rest = NULL;
    *name = strtok_r(line, "\t", &rest);
    const char *threads = strtok_r(NULL, "\t", &rest);
    const char *first = strtok_r(NULL, "\t", &rest), *second = strtok_r(NULL, "\t", &rest);
    return threads && first && second && hd_text_u64(first, strlen(first), poset) &&
           hd_text_u64(second, strlen(second), loset);
}

static void test_states_of_examples(void **state) {
    (void)state;
    char path[1024], line[1024];
    unsigned examples = 0;
    support_example_path(path, sizeof path, "expected.tsv");
    FILE *file = fopen(path, "r");
    if (!file) {
        fail_msg("%s: %s", path, strerror(errno));
        return;
    }
    while (fgets(line, sizeof line, file)) {
        const char *name;
        uint64_t poset, loset;
        if (!parse_row(line, &name, &poset, &loset))
            continue;
        start_example(name);
        check_count(name, HD_ORDER_POSET, poset);
        check_count(name, HD_ORDER_LOSET, loset);
        finish();
        examples++;
    }
    fclose(file);
    assert_true(examples >= 24);
}

/* ---- Facts of the figures ---- */

static void assert_clock(const char *event, uint32_t a, uint32_t b, uint32_t c) {
    const hd_order_clocks *clocks = &order.clocks[HD_ORDER_POSET];
    uint32_t e = event_named(event);
    assert_int_equal(hd_order_clocks_at(clocks, e, thread_named("p1")), a);
    assert_int_equal(hd_order_clocks_at(clocks, e, thread_named("p2")), b);
    assert_int_equal(hd_order_clocks_at(clocks, e, thread_named("p3")), c);
}

static void test_fig_2_1(void **state) {
    (void)state;
    start_example("fig2.1");
    assert_clock("e6", 0, 2, 2);
    assert_clock("e7", 0, 2, 3);
    assert_clock("e1", 1, 1, 0);
    assert_true(before(HD_ORDER_POSET, "e3", "e6"));
    assert_true(before(HD_ORDER_POSET, "e2", "e7"));
    assert_false(before(HD_ORDER_POSET, "e4", "e7"));
    assert_false(before(HD_ORDER_POSET, "e6", "e3"));
    assert_false(before(HD_ORDER_POSET, "e6", "e6"));
    assert_true(hd_order_concurrent(&order, HD_ORDER_POSET, event_named("e1"), event_named("e5")));
    /* While e3 is not taken, p3 stays before e6; p1 is free. */
    const hd_order_clocks *reverse = &order.reverse[HD_ORDER_POSET];
    uint32_t e3 = event_named("e3");
    assert_int_equal(hd_order_clocks_at(reverse, e3, thread_named("p1")), 1);
    assert_int_equal(hd_order_clocks_at(reverse, e3, thread_named("p2")), 1);
    assert_int_equal(hd_order_clocks_at(reverse, e3, thread_named("p3")), 1);
    finish();
}

static bool state_of(enum hd_order_model model, uint32_t first, uint32_t second) {
    return consistent(model, (uint32_t[]){first, second});
}

static void test_states_of_figures(void **state) {
    (void)state;
    start_example("fig1.2");
    assert_true(state_of(HD_ORDER_POSET, 3, 0));
    assert_true(state_of(HD_ORDER_POSET, 2, 1));
    assert_true(state_of(HD_ORDER_POSET, 3, 2));
    assert_false(state_of(HD_ORDER_POSET, 1, 1));
    finish();
    start_example("fig1.6a");
    assert_true(state_of(HD_ORDER_POSET, 3, 2));
    finish();
    start_example("fig1.6b");
    assert_false(state_of(HD_ORDER_POSET, 2, 3));
    assert_true(state_of(HD_ORDER_LOSET, 2, 3));
    finish();
}

/* The wait releases the lock, so what the figure induces without it is not there. */
static void test_fig_1_8_wait(void **state) {
    (void)state;
    start_example("fig1.8a-wait");
    assert_true(before(HD_ORDER_LOSET, "c2", "a2"));
    assert_true(before(HD_ORDER_LOSET, "a2", "c2w"));
    assert_false(before(HD_ORDER_POSET, "a5", "c1"));
    assert_true(before(HD_ORDER_POSET, "a5", "c2a"));
    assert_true(before(HD_ORDER_POSET, "c2r", "a1"));
    assert_false(before(HD_ORDER_LOSET, "a5", "c2a"));
    assert_true(hd_order_releases_to_wait(&order.index, event_named("c2r")));
    assert_false(hd_order_releases_to_wait(&order.index, event_named("c4")));
    assert_false(hd_order_releases_to_wait(&order.index, event_named("a5")));
    assert_false(hd_order_releases_to_wait(&order.index, event_named("c2")));
    check_count("fig1.8a-wait in one step", HD_ORDER_POSET, 19);
    check_count("fig1.8a-wait in one step", HD_ORDER_LOSET, 42);
    finish();
}

/* ---- Must-edges ---- */

static void test_fork_and_join(void **state) {
    (void)state;
    parse("m|fork(a)\n" /* 1 */
          "m|fork(b)\n" /* 2: b has no event */
          "a|w(x)\n"    /* 3 */
          "a|w(y)\n"    /* 4 */
          "c|join(a)\n" /* 5 */
          "m|join(a)\n" /* 6 */
          "c|join(b)\n" /* 7 */);
    const hd_order_lists *into = &order.must.into;
    assert_true(has_edge(into, 1, 3));
    assert_true(has_edge(into, 4, 5));
    assert_true(has_edge(into, 4, 6));
    assert_int_equal(count_edges(into), 3);
    assert_int_equal(count_edges(&order.must.out), 3);
    assert_int_equal(hd_order_lists_of(&order.must.out, 4).count, 2);
    assert_int_equal(hd_order_lists_of(into, 7).count, 0);
    assert_false(hd_order_before(&order, HD_ORDER_LOSET, 2, 7));
    assert_true(hd_order_before(&order, HD_ORDER_LOSET, 1, 7));
    finish();
}

/* A fork that ends its thread, and a join that begins the child: one edge. */
static void test_edge_for_two_reasons(void **state) {
    (void)state;
    parse("a|fork(b)\n"
          "b|join(a)\n");
    assert_int_equal(count_edges(&order.must.into), 1);
    assert_int_equal(count_edges(&order.must.out), 1);
    assert_true(has_edge(&order.must.into, 1, 2));
    finish();
}

static void test_wakes(void **state) {
    (void)state;
    parse("n|notify(c)\n"    /* 1: nobody waits */
          "a|wait(c)\n"      /* 2 */
          "b|wait(c)\n"      /* 3 */
          "n|notify(c)\n"    /* 4 */
          "b|wake(c)\n"      /* 5: took 4 */
          "a|wake(c)\n"      /* 6: timed out */
          "a|wait(c)\n"      /* 7 */
          "b|wait(c)\n"      /* 8 */
          "n|notifyall(c)\n" /* 9 */
          "n|notify(c)\n"    /* 10: nobody takes it */
          "a|wake(c)\n"      /* 11: took 9 */
          "b|wake(c)\n"      /* 12: took 9 too */
          "a|wait(c)\n"      /* 13: never woken */
          "n|notify(c)\n" /* 14 */);
    const hd_order_lists *into = &order.must.into;
    assert_true(has_edge(into, 3, 4));
    assert_true(has_edge(into, 4, 5));
    assert_true(has_edge(into, 7, 9));
    assert_true(has_edge(into, 8, 9));
    assert_true(has_edge(into, 9, 11));
    assert_true(has_edge(into, 9, 12));
    assert_int_equal(count_edges(into), 6);
    assert_int_equal(hd_order_lists_of(into, 6).count, 0);
    assert_int_equal(hd_order_lists_of(&order.must.out, 9).count, 2);
    assert_int_equal(hd_order_lists_of(&order.must.out, 13).count, 0);
    assert_int_equal(hd_order_wait_of(&order.index, 12), 8);
    assert_false(hd_order_before(&order, HD_ORDER_LOSET, 1, 6));
    finish();
}

static void test_semaphore_with_initial_units(void **state) {
    (void)state;
    parse("a|recv(s)\n" /* 1: initial */
          "b|recv(s)\n" /* 2: initial */
          "a|send(s)\n" /* 3 */
          "b|send(s)\n" /* 4 */
          "c|recv(s)\n" /* 5: took 3 */
          "b|recv(s)\n" /* 6: took 4, its own */
          "c|recv(s)\n" /* 7: initial */);
    assert_true(has_edge(&order.must.into, 3, 5));
    assert_int_equal(count_edges(&order.must.into), 1);
    assert_true(hd_order_before(&order, HD_ORDER_LOSET, 1, 5));
    assert_true(hd_order_concurrent(&order, HD_ORDER_LOSET, 6, 7));
    finish();
}

/* Two rounds; a is back at the barrier before b has left the first one. */
static void test_barrier(void **state) {
    (void)state;
    parse("a|bin(b)\n"  /* 1 */
          "b|w(x)\n"    /* 2 */
          "b|bin(b)\n"  /* 3 */
          "a|bout(b)\n" /* 4 */
          "a|w(x)\n"    /* 5 */
          "a|bin(b)\n"  /* 6: second round */
          "b|bout(b)\n" /* 7: first round */
          "b|bin(b)\n"  /* 8 */
          "b|bout(b)\n" /* 9 */
          "a|bout(b)\n" /* 10 */
          "a|bin(b)\n"  /* 11: nobody leaves */
          "b|w(y)\n" /* 12 */);
    const hd_order_lists *into = &order.must.into;
    assert_true(has_edge(into, 3, 4));
    assert_true(has_edge(into, 1, 7));
    assert_false(has_edge(into, 6, 7));
    assert_true(has_edge(into, 6, 9));
    assert_true(has_edge(into, 8, 10));
    assert_int_equal(hd_order_lists_of(into, 4).count, 2);
    assert_int_equal(hd_order_lists_of(&order.must.out, 11).count, 0);
    assert_true(hd_order_before(&order, HD_ORDER_LOSET, 2, 5));
    assert_true(hd_order_concurrent(&order, HD_ORDER_LOSET, 5, 7));
    assert_true(hd_order_before(&order, HD_ORDER_LOSET, 5, 9));
    /* Those who leave a round together share one list. */
    assert_ptr_equal(hd_order_lists_of(into, 4).events, hd_order_lists_of(into, 7).events);
    finish();
}

/* ---- The poset's own edges ---- */

static void test_covering_edges_of_locks(void **state) {
    (void)state;
    parse("a|acq(l)\n"  /* 1 */
          "a|acq(l)\n"  /* 2: re-entrant */
          "a|rel(l)\n"  /* 3: re-entrant */
          "a|rel(l)\n"  /* 4 */
          "b|racq(l)\n" /* 5 */
          "c|racq(l)\n" /* 6 */
          "b|rrel(l)\n" /* 7 */
          "c|rrel(l)\n" /* 8 */
          "d|racq(l)\n" /* 9 */
          "d|rrel(l)\n" /* 10 */
          "b|acq(l)\n"  /* 11 */
          "b|rel(l)\n"  /* 12 */
          "b|acq(l)\n"  /* 13: its own thread's */
          "b|rel(l)\n"  /* 14 */
          "a|racq(l)\n" /* 15 */);
    const hd_order_lists *into = &order.observed.into;
    assert_true(has_edge(into, 4, 5));
    assert_true(has_edge(into, 4, 6));
    assert_true(has_edge(into, 4, 9));
    assert_true(has_edge(into, 8, 11));
    assert_true(has_edge(into, 10, 11));
    assert_true(has_edge(into, 14, 15));
    assert_int_equal(count_edges(into), 6);
    assert_true(hd_order_before(&order, HD_ORDER_POSET, 4, 11));
    assert_true(hd_order_before(&order, HD_ORDER_POSET, 8, 13));
    assert_true(hd_order_concurrent(&order, HD_ORDER_POSET, 7, 9));
    assert_true(hd_order_concurrent(&order, HD_ORDER_LOSET, 4, 11));
    finish();
}

static void test_atomics(void **state) {
    (void)state;
    parse("a|aw(x)\n"   /* 1 */
          "b|ar(x)\n"   /* 2: sees 1 */
          "c|r(x)\n"    /* 3: plain */
          "c|armw(x)\n" /* 4: sees 1 */
          "b|ar(x)\n"   /* 5: sees 4 */
          "a|w(x)\n"    /* 6: plain */
          "c|ar(x)\n"   /* 7: sees 6, no edge */
          "b|rmw(x)\n" /* 8: plain */);
    const hd_order_lists *into = &order.observed.into;
    assert_true(has_edge(into, 1, 2));
    assert_true(has_edge(into, 1, 4));
    assert_true(has_edge(into, 4, 5));
    assert_int_equal(count_edges(into), 3);
    assert_true(hd_order_concurrent(&order, HD_ORDER_POSET, 1, 3));
    assert_true(hd_order_concurrent(&order, HD_ORDER_POSET, 6, 7));
    finish();
}

/* ---- Holds and held locks ---- */

static const char *const locking = "a|acq(l)\n"  /* 1 */
                                   "a|acq(m)\n"  /* 2 */
                                   "a|acq(l)\n"  /* 3: re-entrant */
                                   "a|rel(l)\n"  /* 4: re-entrant */
                                   "a|w(x)\n"    /* 5 */
                                   "a|rel(l)\n"  /* 6: hand over hand */
                                   "b|racq(l)\n" /* 7 */
                                   "c|racq(l)\n" /* 8 */
                                   "b|racq(r)\n" /* 9 */
                                   "b|r(x)\n"    /* 10 */
                                   "b|rrel(r)\n" /* 11 */
                                   "c|r(x)\n"    /* 12 */
                                   "a|rel(m)\n"  /* 13 */
                                   "b|rrel(l)\n" /* 14; c never releases */;

static void test_holds(void **state) {
    (void)state;
    parse(locking);
    const hd_order_scope *s = order.scopes.scopes;
    static const uint32_t expected[][3] = {
        {1, 6, 0}, {2, 13, 0}, {7, 14, 1}, {8, 0, 1}, {9, 11, 1}};
    assert_int_equal(order.scopes.count, 5);
    for (uint32_t i = 0; i < order.scopes.count; i++) {
        assert_int_equal(s[i].acquire, expected[i][0]);
        assert_int_equal(s[i].release, expected[i][1]);
        assert_int_equal(s[i].reading, expected[i][2]);
    }
    assert_int_equal(hd_order_scopes_find(&order.scopes, 7), 2);
    assert_int_equal(hd_order_scopes_find(&order.scopes, 3), HD_ORDER_NONE);
    assert_int_equal(hd_order_scopes_find(&order.scopes, 14), HD_ORDER_NONE);
    assert_true(hd_order_scope_overlaps(&s[0], &s[1]));
    assert_false(hd_order_scope_nested(&s[1], &s[0]));
    assert_true(hd_order_scope_nested(&s[4], &s[2]));
    assert_false(hd_order_scope_nested(&s[2], &s[4]));
    assert_false(hd_order_scope_overlaps(&s[2], &s[3])); /* two threads' */
    assert_true(hd_order_scope_conflicts(&s[0], &s[2]));
    assert_false(hd_order_scope_conflicts(&s[2], &s[3]));
    assert_false(hd_order_scope_conflicts(&s[0], &s[1]));
    assert_true(hd_order_scope_covers(&s[0], 1));
    assert_true(hd_order_scope_covers(&s[0], 5));
    assert_false(hd_order_scope_covers(&s[0], 6));
    assert_true(hd_order_scope_covers(&s[3], 12));
    uint32_t l = trace.events.data[0].object, a = thread_named("a");
    assert_int_equal(hd_trace_list_length(&order.scopes.by_lock, l), 3);
    assert_int_equal(hd_trace_list(&order.scopes.by_lock, l)[1], 2);
    assert_int_equal(hd_trace_list_length(&order.scopes.by_thread, a), 2);
    finish();
}

static void test_held_locks(void **state) {
    (void)state;
    parse(locking);
    const hd_order_held *held = &order.held;
    const hd_order_sets *sets = &held->sets;
    uint32_t l = trace.events.data[0].object, m = trace.events.data[1].object;
    /* After the acquire it is held, after the release no more. */
    assert_int_equal(hd_order_held_before(held, 1), 0);
    assert_int_equal(hd_order_sets_at(sets, hd_order_held_after(held, 1)).count, 1);
    assert_int_equal(hd_order_sets_at(sets, hd_order_held_before(held, 6)).count, 2);
    uint32_t only_m = hd_order_held_after(held, 6);
    assert_int_equal(hd_order_sets_at(sets, only_m).count, 1);
    assert_int_equal(hd_order_sets_find(sets, only_m, m), hd_order_lock_of(m, false));
    assert_int_equal(hd_order_held_after(held, 13), 0);
    /* The re-entrant ones change nothing. */
    assert_int_equal(hd_order_held_after(held, 2), hd_order_held_after(held, 3));
    assert_int_equal(hd_order_held_after(held, 3), hd_order_held_after(held, 4));
    assert_int_equal(hd_order_held_before(held, 5), hd_order_held_after(held, 5));
    /* Modes: two readers of l have equal sets, which meet and do not conflict. */
    uint32_t reader = hd_order_held_after(held, 7), writer = hd_order_held_after(held, 1);
    assert_int_equal(reader, hd_order_held_after(held, 12));
    assert_int_not_equal(reader, writer);
    assert_true(hd_order_sets_meet(sets, reader, writer));
    assert_true(hd_order_sets_conflict(sets, reader, writer));
    assert_true(hd_order_sets_meet(sets, reader, hd_order_held_after(held, 10)));
    assert_false(hd_order_sets_conflict(sets, reader, hd_order_held_after(held, 10)));
    assert_false(hd_order_sets_meet(sets, reader, only_m));
    assert_false(hd_order_sets_meet(sets, 0, writer));
    hd_vec_u32 common = {0};
    hd_order_sets_common(sets, hd_order_held_after(held, 5), hd_order_held_after(held, 10), true,
                         &common);
    assert_int_equal(common.length, 1);
    assert_int_equal(common.data[0], l);
    hd_vec_release(&common);
    finish();
}

static void test_held_cursor(void **state) {
    (void)state;
    parse(locking);
    hd_order_held_cursor cursor;
    hd_order_held_start(&cursor, &order.held, thread_named("a"));
    assert_int_equal(hd_order_held_walk(&cursor, 1), hd_order_held_after(&order.held, 1));
    assert_int_equal(hd_order_held_walk(&cursor, 5), hd_order_held_after(&order.held, 5));
    assert_int_equal(hd_order_held_walk(&cursor, 5), hd_order_held_after(&order.held, 5));
    assert_int_equal(hd_order_held_walk(&cursor, 13), 0);
    finish();
}

/* Sets that come back are the old ones, however often the locks go round. */
static void test_sets_are_interned(void **state) {
    (void)state;
    hd_order_sets sets;
    hd_order_sets_init(&sets);
    uint32_t set = 0;
    for (unsigned round = 0; round < 100; round++) {
        for (uint32_t lock = 0; lock < 10; lock++)
            set = hd_order_sets_step(&sets, set,
                                     &(heddle_event){.kind = HEDDLE_ACQUIRE, .object = lock});
        for (uint32_t lock = 0; lock < 10; lock++)
            set = hd_order_sets_step(&sets, set,
                                     &(heddle_event){.kind = HEDDLE_RELEASE, .object = lock});
        assert_int_equal(set, 0);
    }
    assert_int_equal(hd_order_sets_count(&sets), 20);
    heddle_event inner = {.kind = HEDDLE_ACQUIRE, .object = 3, .flags = HEDDLE_REENTRANT};
    assert_int_equal(hd_order_sets_step(&sets, 5, &inner), 5);
    assert_int_equal(hd_order_sets_step(&sets, 5, &(heddle_event){.kind = HEDDLE_TRYFAIL}), 5);
    hd_order_sets_release(&sets);
}

/* ---- The clock machine ---- */

/* Runs the trace through a machine, from a cursor; how many clocks differ? */
static unsigned stream(enum hd_order_model model, bool by_edges, uint32_t *wrong) {
    hd_order_machine *machine = hd_order_machine_create(model);
    if (by_edges)
        hd_order_machine_use_edges(machine, &order.must);
    hd_trace_cursor *cursor = hd_trace_cursor_over(&trace);
    hd_trace_batch batch;
    hd_error error = {0};
    unsigned different = 0;
    while (hd_trace_cursor_next(cursor, &batch, &error) > 0)
        for (uint32_t i = 0; i < batch.count; i++) {
            hd_order_time time = hd_order_machine_step(machine, &batch.events[i]);
            bool same = true;
            for (uint32_t t = 0; t < hd_order_threads(&order); t++)
                same = same && hd_order_time_at(time, t) ==
                                   hd_order_clocks_at(&order.clocks[model], batch.first + i, t);
            different += !same;
        }
    *wrong = hd_order_machine_wrong(machine);
    hd_trace_cursor_close(cursor);
    hd_order_machine_free(machine);
    return different;
}

static void test_machine_on_examples(void **state) {
    (void)state;
    static const char *const names[] = {"fig1.2", "fig1.6a", "fig1.8a-wait", "fig2.1",
                                        "fig6.3", "fig6.7",  "gap4",         "join-frontier"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t wrong;
        start_example(names[i]);
        assert_int_equal(stream(HD_ORDER_POSET, false, &wrong), 0);
        assert_int_equal(wrong, 0);
        assert_int_equal(stream(HD_ORDER_LOSET, false, &wrong), 0);
        finish();
    }
}

/* b wakes first though a waited longer: two waits guessed wrongly. */
static void test_machine_guesses(void **state) {
    (void)state;
    uint32_t wrong;
    parse("a|w(x)\n"
          "a|wait(c)\n"
          "b|wait(c)\n"
          "n|notify(c)\n"
          "b|wake(c)\n"
          "a|wake(c)\n");
    assert_true(stream(HD_ORDER_LOSET, false, &wrong) > 0);
    assert_int_equal(wrong, 2);
    assert_int_equal(stream(HD_ORDER_LOSET, true, &wrong), 0);
    assert_int_equal(wrong, 0);
    finish();
    parse("a|wait(c)\n"
          "n|notify(c)\n"); /* it may never wake, and does not */
    assert_int_equal(stream(HD_ORDER_LOSET, false, &wrong), 1);
    assert_int_equal(wrong, 1);
    finish();
}

static void test_machine_time(void **state) {
    (void)state;
    hd_order_machine *machine = hd_order_machine_create(HD_ORDER_POSET);
    hd_order_time time =
        hd_order_machine_step(machine, &(heddle_event){.kind = HEDDLE_WRITE, .thread = 3});
    assert_int_equal(hd_order_time_at(time, 3), 1);
    assert_int_equal(hd_order_time_at(time, 0), 0);
    assert_int_equal(hd_order_time_at(time, 1000), 0);
    hd_order_machine_step(machine, &(heddle_event){.kind = HEDDLE_FORK, .thread = 3, .object = 70});
    assert_int_equal(hd_order_machine_time(machine, 70).count, 0);
    time = hd_order_machine_step(machine, &(heddle_event){.kind = HEDDLE_READ, .thread = 70});
    assert_int_equal(hd_order_time_at(time, 70), 1);
    assert_int_equal(hd_order_time_at(time, 3), 2);
    assert_int_equal(hd_order_time_at(hd_order_machine_time(machine, 3), 3), 2);
    hd_order_machine_free(machine);
}

/* ---- The rest ---- */

static void test_limit(void **state) {
    (void)state;
    hd_error error = {0};
    start_example("fig4.1");
    size_t bytes = 0;
    for (int model = 0; model < HD_ORDER_MODELS; model++)
        bytes += hd_order_clocks_bytes(&order.clocks[model]) +
                 hd_order_clocks_bytes(&order.reverse[model]);
    hd_order_release(&order);
    hd_order_init(&order, &trace);
    assert_false(hd_order_need(&order, ALL_CLOCKS, bytes - 1, &error));
    assert_non_null(strstr(error.text, "more than the limit"));
    assert_false(order.built & HD_ORDER_POSET_REVERSE);
    assert_true(order.built & HD_ORDER_LOSET_CLOCKS);
    assert_true(hd_order_need(&order, ALL_CLOCKS, bytes, &error));
    assert_true(hd_order_need(&order, ALL_CLOCKS, 0, &error)); /* all there already */
    finish();
}

static void test_event_0(void **state) {
    (void)state;
    start_example("fig4.1");
    for (uint32_t t = 0; t < hd_order_threads(&order); t++) {
        assert_int_equal(hd_order_clocks_at(&order.clocks[HD_ORDER_POSET], 0, t), 0);
        assert_int_equal(hd_order_clocks_at(&order.reverse[HD_ORDER_POSET], 0, t),
                         hd_order_thread_length(&order, t));
    }
    finish();
}

/* Of a trace of many marks, in any order, and of its locks' events alone. */
static void assert_same_holds(hd_order_holds *holds, uint32_t event) {
    hd_vec_u32 locks = {0};
    hd_order_set set = hd_order_sets_at(&order.held.sets, hd_order_held_before(&order.held, event));
    hd_order_holds_at(holds, event, &locks);
    assert_int_equal(locks.length, set.count);
    for (uint32_t i = 0; i < set.count; i++)
        assert_int_equal(locks.data[i], set.locks[i]);
    hd_vec_release(&locks);
}

static void test_holds_of_some_events(void **state) {
    (void)state;
    const hd_generate_family *family = hd_generate_family_find("locks");
    hd_generate_request request;
    hd_error error = {""};
    hd_random random;
    hd_trace sparse;
    hd_random_seed(&random, 5);
    hd_generate_request_init(&request, family);
    request.numbers[0] = 5;
    request.numbers[1] = 40000;
    hd_trace_init(&trace);
    assert_true(family->generate(&trace, &request, &error));
    hd_order_init(&order, &trace);
    assert_true(hd_order_need(&order, HD_ORDER_HELD, SIZE_MAX, &error));
    uint32_t length = hd_trace_length(&trace);
    hd_trace_init(&sparse);
    assert_true(hd_trace_sparse(&sparse, length));
    for (uint32_t n = 1; n <= length; n++)
        if (hd_trace_traits(hd_trace_event(&trace, n)) & HEDDLE_T_LOCK) {
            sparse.events.data[n - 1] = *hd_trace_event(&trace, n);
            hd_vec_push(&sparse.kept, n);
        }
    hd_order_holds *whole = hd_order_holds_create(&trace), *kept = hd_order_holds_create(&sparse);
    for (int i = 0; i < 4000; i++) {
        assert_same_holds(whole, 1 + (uint32_t)hd_random_below(&random, length));
        assert_same_holds(kept, sparse.kept.data[hd_random_below(&random, sparse.kept.length)]);
    }
    assert_same_holds(whole, length);
    assert_same_holds(whole, 1);
    hd_order_holds_free(whole);
    hd_order_holds_free(kept);
    hd_trace_release(&sparse);
    finish();
}

static void test_empty_trace(void **state) {
    (void)state;
    hd_trace_init(&trace);
    build();
    assert_int_equal(order.must.into.count, 0);
    assert_int_equal(order.scopes.count, 0);
    assert_int_equal(hd_order_sets_count(&order.held.sets), 1);
    finish();
}

static void test_neighbours(void **state) {
    (void)state;
    parse("a|w(x)\nb|w(x)\na|w(x)\n");
    assert_int_equal(hd_order_next(&order, 1), 3);
    assert_int_equal(hd_order_next(&order, 3), 0);
    assert_int_equal(hd_order_previous(&order, 3), 1);
    assert_int_equal(hd_order_previous(&order, 2), 0);
    finish();
}

/* Keys far apart and keys in a heap, with pairs in no order. */
static void test_lists(void **state) {
    (void)state;
    hd_vec_u64 pairs = {0};
    for (uint32_t i = 200; i > 0; i--)
        hd_vec_push(&pairs, (uint64_t)(i % 2 ? 4000000000u + i : i) << 32 | i);
    hd_vec_push(&pairs, UINT64_C(100) << 32 | 7);
    hd_order_lists lists;
    hd_order_lists_build(&lists, &pairs, NULL, NULL);
    assert_int_equal(lists.count, 200);
    assert_int_equal(hd_order_lists_of(&lists, 100).count, 2);
    assert_int_equal(hd_order_lists_of(&lists, 100).events[0], 7);
    assert_int_equal(hd_order_lists_of(&lists, 4000000001u).events[0], 1);
    assert_int_equal(hd_order_lists_find(&lists, 3), HD_ORDER_NONE);
    assert_int_equal(hd_order_lists_find(&lists, UINT32_MAX), HD_ORDER_NONE);
    for (uint32_t i = 0; i < lists.count; i++)
        assert_int_equal(hd_order_lists_find(&lists, lists.keys[i]), i);
    hd_order_lists_release(&lists);
}

SUPPORT_SUITE(test_order) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_of_examples),
        cmocka_unit_test(test_fig_2_1),
        cmocka_unit_test(test_states_of_figures),
        cmocka_unit_test(test_fig_1_8_wait),
        cmocka_unit_test(test_fork_and_join),
        cmocka_unit_test(test_edge_for_two_reasons),
        cmocka_unit_test(test_wakes),
        cmocka_unit_test(test_semaphore_with_initial_units),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_covering_edges_of_locks),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_holds),
        cmocka_unit_test(test_held_locks),
        cmocka_unit_test(test_held_cursor),
        cmocka_unit_test(test_holds_of_some_events),
        cmocka_unit_test(test_sets_are_interned),
        cmocka_unit_test(test_machine_on_examples),
        cmocka_unit_test(test_machine_guesses),
        cmocka_unit_test(test_machine_time),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_event_0),
        cmocka_unit_test(test_empty_trace),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
