/*
 * Well-formedness: each rule of trace_check.h broken once, with the words for
 * it, and each odd case that a run may have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support_suite.h"
#include "trace/trace.h"

static hd_error error;

static void load_unchecked(hd_trace *trace, const char *text) {
    hd_trace_batch batch;
    hd_trace_init(trace);
    hd_trace_cursor *cursor =
        hd_trace_cursor_memory(text, strlen(text), "t", HD_TRACE_UNCHECKED, &error);
    int more;
    while ((more = hd_trace_cursor_next(cursor, &batch, &error)) > 0)
        for (size_t i = 0; i < batch.count; i++)
            hd_trace_append(trace, batch.events[i]);
    if (more < 0)
        fail_msg("%s", error.text);
    hd_trace_tables_release(&trace->tables);
    hd_trace_cursor_take_tables(cursor, &trace->tables);
    hd_trace_cursor_close(cursor);
}

/* What the reader says of the same text: true if it takes it. */
static bool readable(const char *text) {
    hd_trace_batch batch;
    hd_trace_cursor *cursor = hd_trace_cursor_memory(text, strlen(text), "t", 0, &error);
    int more;
    while ((more = hd_trace_cursor_next(cursor, &batch, &error)) > 0)
        ;
    hd_trace_cursor_close(cursor);
    return more == 0;
}

static void good(const char *text) {
    hd_trace trace;
    load_unchecked(&trace, text);
    if (!hd_trace_check_all(&trace, &error))
        fail_msg("%s", error.text);
    if (!readable(text))
        fail_msg("%s", error.text);
    hd_trace_release(&trace);
}

/* Event `number`, which is on the line of that number, is the wrong one. */
static void wrong(const char *text, unsigned number, const char *words) {
    hd_trace trace;
    char message[256];
    load_unchecked(&trace, text);
    assert_false(hd_trace_check_all(&trace, &error));
    snprintf(message, sizeof message, "event %u: %s", number, words);
    assert_string_equal(error.text, message);
    assert_false(readable(text));
    snprintf(message, sizeof message, "t:%u: %s", number, words);
    assert_string_equal(error.text, message);
    hd_trace_release(&trace);
}

/* One character an event: 'R' if it is re-entrant, else '.'. */
static void reentrant(const char *text, const char *expected) {
    hd_trace trace;
    char flags[32] = "";
    load_unchecked(&trace, text);
    for (size_t i = 0; i < trace.events.length; i++)
        trace.events.data[i].flags |= HEDDLE_REENTRANT; /* a stale flag must go */
    assert_true(hd_trace_check_all(&trace, &error));
    for (size_t i = 0; i < trace.events.length; i++)
        flags[i] = trace.events.data[i].flags & HEDDLE_REENTRANT ? 'R' : '.';
    assert_string_equal(flags, expected);
    hd_trace_release(&trace);
}

/* ---- Locks ---- */

static void a_lock_has_one_writer(void **state) {
    (void)state;
    wrong("a|acq(l)|\nb|acq(l)|\n", 2, "b acquires lock l, which a holds");
    wrong("a|acq(l)|\nb|w(x)|\nb|acq(l)|\n", 3, "b acquires lock l, which a holds");
    wrong("a|acq(l)|\na|acq(l)|\na|rel(l)|\nb|acq(l)|\n", 4, "b acquires lock l, which a holds");
    good("a|acq(l)|\na|rel(l)|\nb|acq(l)|\nb|rel(l)|\n");
    good("a|acq(l)|\nb|acq(k)|\n");
}

static void a_lock_has_a_writer_or_readers(void **state) {
    (void)state;
    wrong("a|acq(l)|\nb|racq(l)|\n", 2, "b acquires lock l for reading, which a holds");
    wrong("a|racq(l)|\nb|acq(l)|\n", 2, "b acquires lock l for writing while others read under it");
    good("a|racq(l)|\nb|racq(l)|\nb|rrel(l)|\na|rrel(l)|\nb|acq(l)|\n");
    wrong("a|racq(l)|\nb|racq(l)|\na|rrel(l)|\nc|acq(l)|\n", 4,
          "c acquires lock l for writing while others read under it");
}

static void no_upgrade_and_no_downgrade(void **state) {
    (void)state;
    wrong("a|racq(l)|\na|acq(l)|\n", 2, "a acquires lock l for writing while it reads under it");
    wrong("a|racq(l)|\nb|racq(l)|\na|acq(l)|\n", 3,
          "a acquires lock l for writing while it reads under it");
    wrong("a|acq(l)|\na|racq(l)|\n", 2, "a acquires lock l for reading while it writes under it");
}

static void only_the_holder_releases(void **state) {
    (void)state;
    wrong("a|rel(l)|\n", 1, "a releases lock l, which no thread holds");
    wrong("a|w(x)|\na|rel(l)|\n", 2, "a releases lock l, which no thread holds");
    wrong("a|acq(l)|\nb|rel(l)|\n", 2, "b releases lock l, which a holds");
    wrong("a|acq(l)|\na|rel(l)|\na|rel(l)|\n", 3, "a releases lock l, which no thread holds");
    wrong("a|rrel(l)|\n", 1, "a releases lock l, which it does not hold for reading");
    wrong("a|racq(l)|\nb|rrel(l)|\n", 2, "b releases lock l, which it does not hold for reading");
}

static void a_release_is_in_the_mode_of_its_acquire(void **state) {
    (void)state;
    wrong("a|racq(l)|\na|rel(l)|\n", 2, "a releases lock l, which is held for reading");
    wrong("a|acq(l)|\na|rrel(l)|\n", 2, "a releases lock l, which it does not hold for reading");
}

static void holds_within_holds(void **state) {
    (void)state;
    reentrant("a|acq(l)|\na|acq(l)|\na|rel(l)|\na|rel(l)|\n", ".RR.");
    reentrant("a|racq(l)|\na|racq(l)|\nb|racq(l)|\na|rrel(l)|\na|rrel(l)|\nb|rrel(l)|\n", ".R.R..");
    reentrant("a|acq(l)|\na|acq(k)|\na|acq(l)|\na|acq(l)|\na|rel(k)|\na|rel(l)|\n", "..RR.R");
    reentrant("a|acq(l)|\na|rel(l)|\na|acq(l)|\n", "...");
}

static void odd_cases_of_locks(void **state) {
    (void)state;
    good("a|acq(l)|\n");
    good("a|racq(l)|\nb|racq(l)|\n");
    good("a|acq(l)|\na|acq(k)|\na|rel(l)|\na|rel(k)|\n");
    good("a|tryfail(l)|\n");
    good("a|acq(l)|\na|tryfail(l)|\nb|tryfail(l)|\n");
}

/* ---- Threads ---- */

static void a_thread_is_forked_once(void **state) {
    (void)state;
    wrong("a|fork(b)|\na|fork(b)|\n", 2, "a forks b, which was forked before");
    wrong("a|fork(b)|\nb|w(x)|\na|fork(b)|\n", 3, "a forks b, which was forked before");
    wrong("a|fork(a)|\n", 1, "a forks itself");
    wrong("a|w(x)|\na|fork(a)|\n", 2, "a forks itself");
    wrong("b|w(x)|\na|fork(b)|\n", 2, "a forks b, which has had events before");
    wrong("a|join(b)|\na|fork(b)|\n", 2, "a forks b, which was joined before");
    wrong("a|fork(b)|\nb|fork(a)|\n", 2, "b forks a, which has had events before");
}

static void a_joined_thread_does_nothing(void **state) {
    (void)state;
    wrong("a|fork(b)|\na|join(b)|\nb|w(x)|\n", 3, "b acts after it was joined");
    wrong("b|w(x)|\na|join(b)|\nb|w(x)|\n", 3, "b acts after it was joined");
    wrong("a|join(a)|\n", 1, "a joins itself");
    wrong("b|wait(c)|\na|join(b)|\n", 2, "a joins b, which is still waiting");
    wrong("b|bin(c)|\na|join(b)|\n", 2, "a joins b, which is still at a barrier");
    wrong("b|w(x)|\na|join(b)|\nb|wake(c)|\n", 3, "b acts after it was joined");
}

static void odd_cases_of_threads(void **state) {
    (void)state;
    good("a|join(b)|\n");
    good("a|fork(b)|\na|join(b)|\n");
    good("b|w(x)|\na|join(b)|\nc|join(b)|\na|join(b)|\n");
    good("a|fork(b)|\n");
    good("a|w(x)|\nb|w(x)|\n");
    good("b|acq(l)|\nb|begin(f)|\na|join(b)|\n");
}

/* ---- Waiting ---- */

static void a_waiting_thread_does_nothing(void **state) {
    (void)state;
    wrong("a|wait(c)|\na|w(x)|\n", 2, "a acts while it waits on a condition");
    wrong("a|wait(c)|\na|wait(c)|\n", 2, "a acts while it waits on a condition");
    wrong("a|wait(c)|\na|wake(d)|\n", 2, "a acts while it waits on a condition");
    wrong("a|wait(c)|\na|bout(c)|\n", 2, "a acts while it waits on a condition");
    wrong("a|wait(c)|\na|acq(l)|\n", 2, "a acts while it waits on a condition");
}

static void no_wake_without_wait(void **state) {
    (void)state;
    wrong("a|wake(c)|\n", 1, "a wakes on c, but does not wait");
    wrong("a|w(x)|\na|wake(c)|\n", 2, "a wakes on c, but does not wait");
    wrong("a|wait(c)|\na|wake(c)|\na|wake(c)|\n", 3, "a wakes on c, but does not wait");
    wrong("a|bin(c)|\na|wake(c)|\n", 2, "a acts while it is at a barrier");
}

static void odd_cases_of_waiting(void **state) {
    (void)state;
    good("a|wait(c)|\na|wake(c)|\n");
    good("a|wait(c)|\n");
    good("a|notify(c)|\na|notifyall(c)|\n");
    good("a|wait(c)|\nb|wait(c)|\nb|wake(c)|\n");
}

static void the_release_of_a_wait_is_one_step_with_it(void **state) {
    (void)state;
    static const char words[] = "a waits on c: its release just before is part of the wait, but "
                                "an event of b lies between";
    good("a|acq(l)|\na|rel(l)|\na|wait(c)|\n");
    wrong("a|acq(l)|\na|rel(l)|\nb|w(x)|\na|wait(c)|\n", 4, words);
    good("a|acq(l)|\na|rel(l)|\nb|w(x)|\na|w(x)|\na|wait(c)|\n");
    good("a|racq(l)|\na|rrel(l)|\nb|w(x)|\na|wait(c)|\n");
    good("a|w(x)|\nb|w(x)|\na|wait(c)|\n");
}

static void barriers(void **state) {
    (void)state;
    wrong("a|bin(b)|\na|w(x)|\n", 2, "a acts while it is at a barrier");
    wrong("a|bin(b)|\na|bin(b)|\n", 2, "a acts while it is at a barrier");
    wrong("a|bin(b)|\na|bout(d)|\n", 2, "a acts while it is at a barrier");
    wrong("a|bout(b)|\n", 1, "a leaves barrier b, but has not arrived");
    wrong("a|w(x)|\na|bout(b)|\n", 2, "a leaves barrier b, but has not arrived");
    wrong("a|bin(b)|\na|bout(b)|\na|bout(b)|\n", 3, "a leaves barrier b, but has not arrived");
    good("a|bin(b)|\nc|bin(b)|\na|bout(b)|\na|bin(b)|\nc|bout(b)|\na|bout(b)|\n");
    good("a|bin(b)|\n");
}

/* ---- Blocks and the rest ---- */

static void an_end_has_its_begin(void **state) {
    (void)state;
    wrong("a|end(f)|\n", 1, "a ends a block, but has begun none");
    wrong("a|begin(f)|\na|end(f)|\na|end(f)|\n", 3, "a ends a block, but has begun none");
    wrong("a|begin(f)|\nb|end(f)|\n", 2, "b ends a block, but has begun none");
    good("a|begin(f)|\na|begin(g)|\na|end(f)|\na|end(g)|\na|begin(f)|\n");
}

static void anything_may_be_received_and_marked(void **state) {
    (void)state;
    good("a|recv(s)|\na|recv(s)|\nb|send(s)|\na|mark(m)|\na|mark(m=5)|\n");
}

/* ---- The check as a stream ---- */

static void events_one_at_a_time(void **state) {
    (void)state;
    hd_trace trace;
    load_unchecked(&trace, "a|acq(l)|\na|acq(l)|\nb|acq(l)|\n");
    hd_trace_check *check = hd_trace_check_create();
    heddle_event *events = trace.events.data;
    assert_true(hd_trace_check_event(check, &trace.tables, &events[0], &error));
    assert_true(hd_trace_check_event(check, &trace.tables, &events[1], &error));
    assert_int_equal(events[1].flags, HEDDLE_REENTRANT);
    assert_false(hd_trace_check_event(check, &trace.tables, &events[2], &error));
    assert_string_equal(error.text, "b acquires lock l, which a holds");
    hd_trace_check_free(check);
    hd_trace_check_free(NULL);
    hd_trace_release(&trace);
}

static void the_wrong_one_of_a_batch(void **state) {
    (void)state;
    hd_trace trace;
    size_t index = 99;
    load_unchecked(&trace, "a|w(x)|\na|acq(l)|\na|rel(l)|\na|rel(l)|\na|w(x)|\n");
    hd_trace_check *check = hd_trace_check_create();
    assert_false(hd_trace_check_batch(check, &trace.tables, trace.events.data, 5, &index, &error));
    assert_int_equal(index, 3);
    hd_trace_check_free(check);
    hd_trace_release(&trace);
}

static void errors_may_be_left_out(void **state) {
    (void)state;
    hd_trace trace;
    load_unchecked(&trace, "a|rel(l)|\n");
    assert_false(hd_trace_check_all(&trace, NULL));
    hd_trace_release(&trace);
}

SUPPORT_SUITE(test_trace_check) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lock_has_one_writer),
        cmocka_unit_test(a_lock_has_a_writer_or_readers),
        cmocka_unit_test(no_upgrade_and_no_downgrade),
        cmocka_unit_test(only_the_holder_releases),
        cmocka_unit_test(a_release_is_in_the_mode_of_its_acquire),
        cmocka_unit_test(holds_within_holds),
        cmocka_unit_test(odd_cases_of_locks),
        cmocka_unit_test(a_thread_is_forked_once),
        cmocka_unit_test(a_joined_thread_does_nothing),
        cmocka_unit_test(odd_cases_of_threads),
        cmocka_unit_test(a_waiting_thread_does_nothing),
        cmocka_unit_test(no_wake_without_wait),
        cmocka_unit_test(odd_cases_of_waiting),
        cmocka_unit_test(the_release_of_a_wait_is_one_step_with_it),
        cmocka_unit_test(barriers),
        cmocka_unit_test(an_end_has_its_begin),
        cmocka_unit_test(anything_may_be_received_and_marked),
        cmocka_unit_test(events_one_at_a_time),
        cmocka_unit_test(the_wrong_one_of_a_batch),
        cmocka_unit_test(errors_may_be_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
