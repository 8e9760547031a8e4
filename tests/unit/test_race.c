/*
 * Known examples of races and deadlocks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "race/race.h"
#include "support_suite.h"
#include "support_traces.h"

static uint64_t races(const char *text, enum hd_race_method method) {
    hd_trace trace;
    hd_race_options options;
    hd_race_result result;
    hd_error error = {""};
    hd_trace_init(&trace);
    support_parse(&trace, text);
    hd_race_options_init(&options);
    options.method = method;
    assert_true(hd_race_run(&trace, &options, &result, NULL, NULL, &error));
    hd_trace_release(&trace);
    return result.races;
}

/* In this run the lock orders the two writes; in another it does not. */
static void hidden_by_lock_order(void **state) {
    (void)state;
    const char *text = "a|w(x)|a:1\na|acq(l)|a:2\na|w(y)|a:3\na|rel(l)|a:4\n"
                       "b|acq(l)|b:1\nb|w(y)|b:2\nb|rel(l)|b:3\nb|w(x)|b:4\n";
    assert_int_equal(races(text, HD_RACE_HB), 0);
    assert_int_equal(races(text, HD_RACE_SHB), 0);
    assert_int_equal(races(text, HD_RACE_PREDICTIVE), 1);
    assert_int_equal(races(text, HD_RACE_LOCKSET), 1);
}

/* The same, but b saw what a wrote under the lock. */
static void ordered_by_what_was_read(void **state) {
    (void)state;
    const char *text = "a|w(x)|a:1\na|acq(l)|a:2\na|w(y)|a:3\na|rel(l)|a:4\n"
                       "b|acq(l)|b:1\nb|r(y)|b:2\nb|rel(l)|b:3\nb|w(x)|b:4\n";
    assert_int_equal(races(text, HD_RACE_PREDICTIVE), 0);
    assert_int_equal(races(text, HD_RACE_LOCKSET), 1);
}

/* The second report of happens-before is wrong, that of shb is not made. */
static void after_the_first_race(void **state) {
    (void)state;
    const char *text = "a|w(x)|a:1\na|w(flag)|a:2\nb|r(flag)|b:1\nb|r(x)|b:2\n";
    assert_int_equal(races(text, HD_RACE_HB), 2);
    assert_int_equal(races(text, HD_RACE_SHB), 1);
    assert_int_equal(races(text, HD_RACE_PREDICTIVE), 1);
}

static void atomics(void **state) {
    (void)state;
    assert_int_equal(races("a|aw(x)|a:1\nb|ar(x)|b:1\n", HD_RACE_PREDICTIVE), 0);
    assert_int_equal(races("a|aw(x)|a:1\nb|ar(x)|b:1\n", HD_RACE_LOCKSET), 0);
    assert_int_equal(races("a|aw(x)|a:1\nb|r(x)|b:1\n", HD_RACE_PREDICTIVE), 1);
    assert_int_equal(races("a|aw(x)|a:1\nb|r(x)|b:1\n", HD_RACE_HB), 1);
    assert_int_equal(races("a|r(x)|a:1\nb|r(x)|b:1\n", HD_RACE_PREDICTIVE), 0);
}

/* Eraser's states pass over an initialisation and over what is only read after it;
 * the plain version does not. */
static void eraser_states(void **state) {
    (void)state;
    const char *read_only = "m|w(x)|1\nm|fork(a)|2\nm|fork(b)|3\na|r(x)|4\nb|r(x)|5\n";
    const char *locked = "m|w(x)|1\nm|fork(a)|2\nm|fork(b)|3\na|acq(l)|4\na|w(x)|5\na|rel(l)|6\n"
                         "b|acq(l)|7\nb|w(x)|8\nb|rel(l)|9\n";
    const char *reading =
        "a|racq(l)|1\na|w(x)|2\na|rrel(l)|3\nb|racq(l)|4\nb|w(x)|5\nb|rrel(l)|6\n";
    assert_int_equal(races(read_only, HD_RACE_LOCKSET), 0);
    assert_int_equal(races(read_only, HD_RACE_LOCKSET_PLAIN), 1);
    assert_int_equal(races(locked, HD_RACE_LOCKSET), 0);
    assert_int_equal(races(locked, HD_RACE_LOCKSET_PLAIN), 1);
    assert_int_equal(races(reading, HD_RACE_LOCKSET), 1);
    assert_int_equal(races(reading, HD_RACE_PREDICTIVE), 1);
}

/* Initialised plainly, and then only accessed atomically. */
static void eraser_atomics(void **state) {
    (void)state;
    const char *text = "m|w(x)|1\nm|fork(a)|2\nm|fork(b)|3\na|aw(x)|4\nb|ar(x)|5\n";
    assert_int_equal(races(text, HD_RACE_LOCKSET), 0);
    assert_int_equal(races(text, HD_RACE_LOCKSET_PLAIN), 1);
}

/* The run of Shacham, Sagiv and Schuster, Fig. 4, without what it leaves open. */
static const char *const figure_4[] = {
    "t1|acq(KeyLock)|1\n",  "t1|r(numDelItr)|2\n",  "t1|rel(KeyLock)|4\n",
    "t2|acq(KeyLock)|1\n",  "t2|r(numDelItr)|2\n",  "t2|rel(KeyLock)|4\n",
    "t1|acq(DelLock)|13\n", "t1|r(numDelItr)|14\n", "t1|w(numDelItr)|14\n",
};

enum { FIGURE_4 = sizeof figure_4 / sizeof *figure_4 };

static void figure_4_text(char *text, size_t size, size_t events) {
    size_t length = 0;
    for (size_t i = 0; i < events; i++)
        length += (size_t)snprintf(text + length, size - length, "%s", figure_4[i]);
}

/* The column C(numDelItr): a lock is a candidate iff another thread's access with it alone
 * is no reason to warn. */
static void lockset_of_figure_4(void **state) {
    (void)state;
    static const struct {
        size_t events;
        const char *lock;
        bool candidate;
    } column[] = {{0, "KeyLock", true},  {0, "DelLock", true},  {0, "NumLock", true},
                  {3, "KeyLock", true},  {3, "DelLock", false}, {3, "NumLock", false},
                  {6, "KeyLock", true},  {6, "DelLock", false}, {7, "KeyLock", true},
                  {7, "NumLock", false}, {8, "KeyLock", false}};
    char text[1024] = "";
    for (size_t i = 0; i < sizeof column / sizeof *column; i++) {
        figure_4_text(text, sizeof text, column[i].events);
        size_t length = column[i].events ? strlen(text) : 0;
        snprintf(text + length, sizeof text - length, "t3|acq(%s)|\nt3|w(numDelItr)|\n",
                 column[i].lock);
        assert_int_equal(races(text, HD_RACE_LOCKSET_PLAIN), !column[i].candidate);
    }
    figure_4_text(text, sizeof text, FIGURE_4);
    assert_int_equal(races(text, HD_RACE_LOCKSET_PLAIN), 1);
}

static int take_schedule(void *context, hd_finding *finding) {
    char *to = context;
    for (size_t i = 0; i < finding->witness->schedule.length; i++)
        to += sprintf(to, "%u ", finding->witness->schedule.data[i]);
    sprintf(to, "| %u %u", finding->events.data[0], finding->events.data[1]);
    return 0;
}

/* Fig. 6: t2 stands before its read, t1 goes on to its write, and there they are. */
static void witness_of_figure_6(void **state) {
    (void)state;
    char text[1024], shown[256] = "";
    hd_trace trace;
    hd_race_options options;
    hd_race_result result;
    hd_error error = {""};
    hd_trace_init(&trace);
    figure_4_text(text, sizeof text, FIGURE_4);
    support_parse(&trace, text);
    hd_race_options_init(&options);
    assert_true(hd_race_run(&trace, &options, &result, take_schedule, shown, &error));
    assert_int_equal(result.races, 1);
    assert_string_equal(shown, "1 2 3 4 7 8 | 5 9");
    hd_trace_release(&trace);
}

/* One finding for each pair of places, however often. */
static void places(void **state) {
    (void)state;
    const char *text = "a|w(x)|a:1\nb|w(x)|b:1\na|w(x)|a:1\nb|w(x)|b:1\na|w(y)|a:1\nb|w(y)|b:1\n";
    assert_int_equal(races(text, HD_RACE_PREDICTIVE), 1);
    assert_int_equal(races(text, HD_RACE_HB), 1);
}

/* What the limit leaves undecided is counted apart, and found with more.  The trace's own
 * order, which costs nothing, shows neither of the two. */
static void limit(void **state) {
    (void)state;
    hd_trace trace;
    hd_race_options options;
    hd_race_result result;
    hd_race_deadlock_result waits;
    hd_error error = {""};
    hd_trace_init(&trace);
    support_parse(&trace, "a|acq(k)|1\na|acq(l)|2\na|w(x)|3\na|rel(l)|4\na|rel(k)|5\n"
                          "b|acq(k)|6\nb|rel(k)|7\nb|w(x)|8\n"
                          "b|acq(l)|9\nb|acq(k)|10\nb|rel(k)|11\nb|rel(l)|12\n");
    hd_race_options_init(&options);
    for (int all = 0; all < 2; all++) {
        options.all = all;
        options.limit = 1;
        assert_true(hd_race_run(&trace, &options, &result, NULL, NULL, &error));
        assert_int_equal(result.races, 0);
        assert_int_equal(result.unproved, 1);
        assert_true(hd_race_deadlocks(&trace, &options, &waits, NULL, NULL, &error));
        assert_int_equal(waits.deadlocks, 0);
        assert_true(waits.unproved || waits.cut);
        options.limit = 1000000;
        assert_true(hd_race_run(&trace, &options, &result, NULL, NULL, &error));
        assert_int_equal(result.races, 1);
        assert_int_equal(result.unproved, 0);
        assert_true(hd_race_deadlocks(&trace, &options, &waits, NULL, NULL, &error));
        assert_int_equal(waits.deadlocks, 1);
        assert_true(!waits.unproved && !waits.cut);
    }
    hd_trace_release(&trace);
}

/* ---- Deadlocks ---- */

/* A limit that is used up exactly when the solver is asked is not taken for no limit: what is
 * found only grows with it.  Of a's two turns the first cannot be the deadlock, as b reads what a
 * writes in it; for the second, b's first hold of A has to come before it, which takes a search. */
static void exact_limit(void **state) {
    (void)state;
    enum { ASKING = 10000 }; /* one question, apart from the solver's work */
    hd_trace trace;
    hd_race_options options;
    hd_race_deadlock_result result;
    hd_error error = {""};
    uint64_t before = 0;
    hd_trace_init(&trace);
    support_parse(&trace, "a|acq(A)|a:1\na|w(y)|a:2\na|acq(B)|a:3\na|rel(B)|a:4\na|rel(A)|a:5\n"
                          "a|acq(A)|a:1\na|acq(B)|a:3\na|rel(B)|a:4\na|rel(A)|a:5\n"
                          "b|acq(A)|b:1\nb|r(y)|b:2\nb|rel(A)|b:3\n"
                          "b|acq(B)|b:4\nb|acq(A)|b:5\nb|rel(A)|b:6\nb|rel(B)|b:7\n");
    hd_race_options_init(&options);
    assert_true(hd_race_deadlocks(&trace, &options, &result, NULL, NULL, &error));
    assert_int_equal(result.candidates, 2);
    assert_int_equal(result.deadlocks, 1);
    uint64_t work = result.effort.work;
    for (options.limit = ASKING; options.limit <= ASKING + 2 * work + 100; options.limit++) {
        assert_true(hd_race_deadlocks(&trace, &options, &result, NULL, NULL, &error));
        assert_true(result.deadlocks >= before);
        before = result.deadlocks;
    }
    assert_int_equal(before, 1);
    hd_trace_release(&trace);
}

static uint64_t deadlocks(const char *text, uint64_t *cycles) {
    hd_trace trace;
    hd_race_options options;
    hd_race_deadlock_result result;
    hd_error error = {""};
    hd_trace_init(&trace);
    support_parse(&trace, text);
    hd_race_options_init(&options);
    assert_true(hd_race_deadlocks(&trace, &options, &result, NULL, NULL, &error));
    hd_trace_release(&trace);
    if (cycles)
        *cycles = result.cycles;
    return result.deadlocks;
}

static void opposite_orders(void **state) {
    (void)state;
    assert_int_equal(deadlocks("a|acq(k)|a:1\na|acq(l)|a:2\na|rel(l)|a:3\na|rel(k)|a:4\n"
                               "b|acq(l)|b:1\nb|acq(k)|b:2\nb|rel(k)|b:3\nb|rel(l)|b:4\n",
                               NULL),
                     1);
}

/* Three philosophers, each takes one fork and then the next; with a gate, or not. */
static uint64_t dine(bool gate) {
    char text[2048] = "";
    for (int i = 0; i < 3; i++) {
        char *end = text + strlen(text);
        size_t size = sizeof text - (size_t)(end - text);
        snprintf(end, size,
                 "p%d|acq(f%d)|l:1\np%d|acq(f%d)|l:2\np%d|rel(f%d)|l:3\n"
                 "p%d|rel(f%d)|l:4\n",
                 i, i, i, (i + 1) % 3, i, (i + 1) % 3, i, i);
        if (gate) {
            char inside[512];
            snprintf(inside, sizeof inside, "p%d|acq(gate)|l:0\n%sp%d|rel(gate)|l:5\n", i, end, i);
            snprintf(end, size, "%s", inside);
        }
    }
    return deadlocks(text, NULL);
}

static void philosophers(void **state) {
    (void)state;
    assert_int_equal(dine(false), 1);
    assert_int_equal(dine(true), 0);
}

/* One thread alone, and two of which one starts when the other is done. */
static void no_deadlock(void **state) {
    (void)state;
    uint64_t cycles;
    assert_int_equal(deadlocks("a|acq(k)|1\na|acq(l)|2\na|rel(l)|3\na|rel(k)|4\n"
                               "a|acq(l)|5\na|acq(k)|6\na|rel(k)|7\na|rel(l)|8\n",
                               &cycles),
                     0);
    assert_int_equal(cycles, 0);
    assert_int_equal(deadlocks("a|acq(k)|1\na|acq(l)|2\na|rel(l)|3\na|rel(k)|4\na|fork(b)|5\n"
                               "b|acq(l)|6\nb|acq(k)|7\nb|rel(k)|8\nb|rel(l)|9\n",
                               &cycles),
                     0);
    assert_int_equal(cycles, 0);
}

/* The second thread's order of locks is taken only if it saw what the first wrote. */
static void ordered_by_a_read(void **state) {
    (void)state;
    assert_int_equal(deadlocks("a|acq(k)|1\na|acq(l)|2\na|rel(l)|3\na|rel(k)|4\na|w(done)|5\n"
                               "b|r(done)|6\nb|acq(l)|7\nb|acq(k)|8\nb|rel(k)|9\nb|rel(l)|10\n",
                               NULL),
                     0);
}

/* Readers share: a deadlock needs a writer on both locks. */
static void readers(void **state) {
    (void)state;
    assert_int_equal(deadlocks("a|racq(k)|1\na|racq(l)|2\na|rrel(l)|3\na|rrel(k)|4\n"
                               "b|racq(l)|5\nb|racq(k)|6\nb|rrel(k)|7\nb|rrel(l)|8\n",
                               NULL),
                     0);
    assert_int_equal(deadlocks("a|racq(k)|1\na|acq(l)|2\na|rel(l)|3\na|rrel(k)|4\n"
                               "b|racq(l)|5\nb|acq(k)|6\nb|rel(k)|7\nb|rrel(l)|8\n",
                               NULL),
                     1);
}

SUPPORT_SUITE(test_race) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_by_lock_order),
        cmocka_unit_test(ordered_by_what_was_read),
        cmocka_unit_test(after_the_first_race),
        cmocka_unit_test(atomics),
        cmocka_unit_test(eraser_states),
        cmocka_unit_test(eraser_atomics),
        cmocka_unit_test(lockset_of_figure_4),
        cmocka_unit_test(witness_of_figure_6),
        cmocka_unit_test(places),
        cmocka_unit_test(limit),
        cmocka_unit_test(exact_limit),
        cmocka_unit_test(opposite_orders),
        cmocka_unit_test(philosophers),
        cmocka_unit_test(no_deadlock),
        cmocka_unit_test(ordered_by_a_read),
        cmocka_unit_test(readers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
