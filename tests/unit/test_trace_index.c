/*
 * The index and the statistics on cases small enough to be done by hand.
 * random_trace.c compares them with their slow twins.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support_suite.h"
#include "support_traces.h"
#include "trace/trace.h"

static hd_trace trace;
static hd_trace_index index_;

static void start(const char *text) {
    hd_trace_init(&trace);
    support_parse(&trace, text);
    hd_trace_index_build(&index_, &trace);
}

static void finish(void) {
    hd_trace_index_release(&index_);
    hd_trace_release(&trace);
}

/* The pairs of the text's events, as numbers parted by blanks. */
static void pairs(const char *text, const char *expected) {
    char got[256] = "";
    size_t used = 0;
    start(text);
    assert_int_equal(index_.pair[0], 0);
    for (uint32_t n = 1; n <= hd_trace_length(&trace); n++)
        used += (size_t)snprintf(got + used, sizeof got - used, "%s%u", n > 1 ? " " : "",
                                 index_.pair[n]);
    assert_string_equal(got, expected);
    finish();
}

static const char *list(const hd_trace_lists *lists, uint32_t i) {
    static char text[128];
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t j = 0; j < hd_trace_list_length(lists, i); j++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", j ? " " : "",
                                 hd_trace_list(lists, i)[j]);
    return text;
}

/* ---- Reads, locks, threads ---- */

static void reads_see_the_last_write(void **state) {
    (void)state;
    pairs("a|r(x)|\na|w(x)|\nb|r(x)|\nb|w(x)|\na|r(x)|\na|r(y)|\n", "0 0 2 0 4 0");
}

static void a_read_and_write_sees_and_is_seen(void **state) {
    (void)state;
    pairs("a|rmw(x)|\nb|armw(x)|\na|ar(x)|\na|aw(x)|\nb|r(x)|\n", "0 1 2 0 4");
}

static void acquires_and_releases(void **state) {
    (void)state;
    pairs("a|acq(l)|\na|acq(k)|\na|rel(l)|\na|rel(k)|\nb|acq(l)|\n", "3 4 1 2 0");
    pairs("a|racq(l)|\nb|racq(l)|\na|rrel(l)|\nb|rrel(l)|\n", "3 4 1 2");
}

static void holds_within_holds(void **state) {
    (void)state;
    pairs("a|acq(l)|\na|acq(l)|\na|acq(l)|\na|rel(l)|\na|rel(l)|\na|rel(l)|\n", "6 5 4 3 2 1");
    pairs("a|acq(l)|\na|acq(l)|\na|rel(l)|\na|acq(l)|\n", "0 3 2 0");
    pairs("a|acq(l)|\na|acq(l)|\na|acq(l)|\n", "0 0 0");
    pairs("a|racq(l)|\nb|racq(l)|\na|racq(l)|\nb|racq(l)|\nb|rrel(l)|\na|rrel(l)|\n",
          "0 0 6 5 4 3");
}

static void a_failed_try_sees_the_last_change(void **state) {
    (void)state;
    pairs("a|tryfail(l)|\na|acq(l)|\nb|tryfail(l)|\na|acq(l)|\nb|tryfail(l)|\na|rel(l)|\n"
          "b|tryfail(l)|\na|rel(l)|\nb|tryfail(l)|\n",
          "0 8 2 6 2 4 2 2 8");
    pairs("a|racq(l)|\nb|racq(l)|\nc|tryfail(l)|\nb|rrel(l)|\nc|tryfail(l)|\n", "0 4 2 2 4");
}

static void forks_and_joins(void **state) {
    (void)state;
    pairs("a|fork(b)|\na|w(x)|\nb|w(x)|\nb|w(x)|\na|join(b)|\nc|join(b)|\n", "3 0 0 0 4 4");
    pairs("a|fork(b)|\na|join(b)|\na|join(c)|\n", "0 0 0");
}

/* ---- Conditions ---- */

static void a_wake_takes_the_notify_after_its_wait(void **state) {
    (void)state;
    pairs("a|wait(c)|\nb|notify(c)|\na|wake(c)|\n", "3 0 2");
    pairs("b|notify(c)|\na|wait(c)|\na|wake(c)|\n", "0 3 0");
    pairs("a|wait(c)|\nb|notify(d)|\na|wake(c)|\n", "3 0 0");
    pairs("a|wait(c)|\na|wake(c)|\nb|notify(c)|\na|wait(c)|\na|wake(c)|\n", "2 0 0 5 0");
}

static void a_wait_that_never_woke_has_no_wake(void **state) {
    (void)state;
    pairs("a|wait(c)|\nb|notify(c)|\n", "0 0");
}

static void a_notify_is_taken_once(void **state) {
    (void)state;
    pairs("a|wait(c)|\nb|wait(c)|\nm|notify(c)|\nb|wake(c)|\na|wake(c)|\n", "5 4 0 3 0");
    pairs("a|wait(c)|\nb|wait(c)|\nm|notify(c)|\nm|notify(c)|\nb|wake(c)|\na|wake(c)|\n",
          "6 5 0 0 3 4");
}

static void a_notifyall_is_taken_by_all_that_waited(void **state) {
    (void)state;
    pairs(
        "a|wait(c)|\nb|wait(c)|\nm|notifyall(c)|\nd|wait(c)|\nb|wake(c)|\na|wake(c)|\nd|wake(c)|\n",
        "6 5 0 7 3 3 0");
}

static void the_earliest_that_is_free_is_taken(void **state) {
    (void)state;
    /* b takes the notify, so a takes the notifyall behind it; d waited after both. */
    pairs("a|wait(c)|\nb|wait(c)|\nm|notify(c)|\nm|notifyall(c)|\nd|wait(c)|\nm|notify(c)|\n"
          "b|wake(c)|\na|wake(c)|\nd|wake(c)|\n",
          "8 7 0 0 9 0 3 4 6");
    /* A notify before a later wait is passed over by it. */
    pairs("a|wait(c)|\nm|notify(c)|\nb|wait(c)|\nm|notify(c)|\nb|wake(c)|\na|wake(c)|\n",
          "6 0 5 0 4 2");
}

static void many_wakes_of_many_notifies(void **state) {
    (void)state;
    pairs("a|wait(c)|\nb|wait(c)|\nd|wait(c)|\ne|wait(c)|\nm|notify(c)|\nm|notify(c)|\n"
          "m|notify(c)|\na|wake(c)|\nb|wake(c)|\nd|wake(c)|\nm|notify(c)|\ne|wake(c)|\n",
          "8 9 10 12 0 0 0 5 6 7 0 11");
}

/* ---- Channels and barriers ---- */

static void a_recv_takes_the_oldest_send(void **state) {
    (void)state;
    pairs("a|send(s)|\na|send(s)|\nb|recv(s)|\nb|recv(s)|\n", "0 0 1 2");
    pairs("a|send(s)|\nb|recv(u)|\nb|recv(s)|\n", "0 0 1");
}

static void a_recv_without_a_send_took_an_initial_unit(void **state) {
    (void)state;
    pairs("b|recv(s)|\na|send(s)|\nb|recv(s)|\nb|recv(s)|\na|send(s)|\n", "0 0 2 0 0");
}

static void a_round_is_the_bins_since_the_last(void **state) {
    (void)state;
    pairs("a|bin(b)|\nc|bin(b)|\nc|bout(b)|\na|bout(b)|\na|bin(b)|\nc|bin(b)|\na|bout(b)|\n"
          "c|bout(b)|\n",
          "1 1 1 1 2 2 2 2");
}

static void a_thread_may_arrive_again_before_all_have_left(void **state) {
    (void)state;
    start("a|bin(b)|\nc|bin(b)|\na|bout(b)|\na|bin(b)|\nc|bout(b)|\nc|bin(b)|\nc|bout(b)|\n"
          "a|bout(b)|\n");
    assert_int_equal(index_.pair[5], 1);
    assert_int_equal(index_.rounds.count, 2);
    assert_string_equal(list(&index_.rounds, 0), "1 2");
    assert_string_equal(list(&index_.rounds, 1), "4 6");
    finish();
}

static void barriers_number_their_rounds_together(void **state) {
    (void)state;
    pairs("a|bin(p)|\nc|bin(q)|\nc|bout(q)|\na|bout(p)|\na|bin(p)|\n", "2 1 1 2 0");
}

/* ---- Lists ---- */

static void lists_of_threads_locks_and_variables(void **state) {
    (void)state;
    start("a|acq(l)|\nb|tryfail(l)|\na|w(x)|\nb|r(y)|\na|rel(l)|\nb|rmw(x)|\nm|fork(d)|\n");
    assert_string_equal(list(&index_.threads, 0), "1 3 5");
    assert_string_equal(list(&index_.threads, 1), "2 4 6");
    assert_string_equal(list(&index_.threads, 2), "7");
    assert_string_equal(list(&index_.threads, 3), "");
    assert_string_equal(list(&index_.locks, 0), "1 2 5");
    assert_string_equal(list(&index_.variables, 0), "3 6");
    assert_string_equal(list(&index_.variables, 1), "4");
    assert_int_equal(index_.rounds.count, 0);
    finish();
}

static void positions_in_the_thread(void **state) {
    (void)state;
    start("a|w(x)|\nb|w(x)|\na|w(x)|\nb|w(x)|\nb|w(x)|\n");
    static const uint32_t expected[] = {0, 1, 1, 2, 2, 3};
    assert_memory_equal(index_.position, expected, sizeof expected);
    assert_int_equal(hd_trace_event_at(&index_, 1, 3), 5);
    finish();
}

static void an_empty_trace_has_an_index(void **state) {
    (void)state;
    hd_trace_init(&trace);
    hd_trace_index_build(&index_, &trace);
    assert_int_equal(index_.threads.count, 0);
    assert_int_equal(index_.rounds.count, 0);
    finish();
}

/* ---- Statistics ---- */

static hd_trace_statistics statistics;

static void count(const char *text) {
    hd_error error;
    hd_trace_batch batch;
    hd_trace_init(&trace);
    support_parse(&trace, text);
    hd_trace_statistics_init(&statistics);
    hd_trace_cursor *cursor = hd_trace_cursor_over(&trace);
    while (hd_trace_cursor_next(cursor, &batch, &error) > 0)
        hd_trace_statistics_add(&statistics, &batch);
    hd_trace_cursor_close(cursor);
}

static void uncount(void) {
    hd_trace_statistics_release(&statistics);
    hd_trace_release(&trace);
}

static void events_by_kind_and_thread(void **state) {
    (void)state;
    count("a|w(x=1)|5\na|r(x)|\nb|rmw(x)|5\nb|acq(l)|\nb|acq(l)|\nb|rel(l)|\na|mark(m=2)|\n");
    assert_int_equal(statistics.events, 7);
    assert_int_equal(statistics.kinds[HEDDLE_ACQUIRE], 2);
    assert_int_equal(statistics.kinds[HEDDLE_MARK], 1);
    assert_int_equal(statistics.with_value, 2);
    assert_int_equal(statistics.with_location, 2);
    assert_int_equal(statistics.reentrant, 2);
    assert_int_equal(statistics.threads.data[0], 3);
    assert_int_equal(statistics.threads.data[1], 4);
    assert_int_equal(hd_trace_statistics_accesses(&statistics), 3);
    assert_int_equal(hd_trace_statistics_lock_events(&statistics), 3);
    uncount();
}

static void use_of_a_variable(void **state) {
    (void)state;
    count("a|w(x)|\na|r(x)|\nb|rmw(x)|\na|r(x)|\na|w(y)|\n");
    const hd_trace_object_use *x = &statistics.variables.data[0];
    assert_int_equal(x->uses, 4);
    assert_int_equal(x->reads, 3);
    assert_int_equal(x->writes, 2);
    assert_int_equal(x->handovers, 2);
    assert_int_equal(x->threads, 2);
    assert_int_equal(hd_trace_statistics_shared(x, statistics.variables.length), 1);
    uncount();
}

static void use_of_a_lock(void **state) {
    (void)state;
    count("a|acq(l)|\na|acq(l)|\nb|tryfail(l)|\na|rel(l)|\na|rel(l)|\nb|racq(l)|\na|racq(l)|\n"
          "b|rrel(l)|\na|rrel(l)|\n");
    const hd_trace_object_use *l = &statistics.locks.data[0];
    assert_int_equal(l->uses, 3);
    assert_int_equal(l->writes, 1);
    assert_int_equal(l->reads, 2);
    assert_int_equal(l->handovers, 2);
    assert_int_equal(l->failed, 1);
    assert_int_equal(l->threads, 2);
    uncount();
}

static void threads_past_the_sixty_fourth_are_told_apart(void **state) {
    (void)state;
    char text[8192];
    size_t used = 0;
    for (unsigned i = 0; i < 300; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "t%u|r(x)|\n", i % 100);
    count(text);
    assert_int_equal(statistics.variables.data[0].threads, 100);
    assert_int_equal(statistics.variables.data[0].handovers, 299);
    uncount();
}

static void the_hottest(void **state) {
    (void)state;
    static const hd_trace_object_use uses[] = {{.uses = 3, .handovers = 1},
                                               {.uses = 0},
                                               {.uses = 5, .handovers = 0},
                                               {.uses = 3, .handovers = 2},
                                               {.uses = 9, .handovers = 1}};
    static const uint32_t by_uses[] = {4, 2, 0, 3}, by_handovers[] = {3, 4, 0, 2};
    uint32_t numbers[8];
    assert_int_equal(hd_trace_statistics_hottest(uses, 5, false, numbers, 8), 4);
    assert_memory_equal(numbers, by_uses, sizeof by_uses);
    assert_int_equal(hd_trace_statistics_hottest(uses, 5, true, numbers, 8), 4);
    assert_memory_equal(numbers, by_handovers, sizeof by_handovers);
    assert_int_equal(hd_trace_statistics_hottest(uses, 5, false, numbers, 2), 2);
    assert_memory_equal(numbers, by_uses, 2 * sizeof *numbers);
    assert_int_equal(hd_trace_statistics_hottest(uses, 0, false, numbers, 2), 0);
}

SUPPORT_SUITE(test_trace_index) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_see_the_last_write),
        cmocka_unit_test(a_read_and_write_sees_and_is_seen),
        cmocka_unit_test(acquires_and_releases),
        cmocka_unit_test(holds_within_holds),
        cmocka_unit_test(a_failed_try_sees_the_last_change),
        cmocka_unit_test(forks_and_joins),
        cmocka_unit_test(a_wake_takes_the_notify_after_its_wait),
        cmocka_unit_test(a_wait_that_never_woke_has_no_wake),
        cmocka_unit_test(a_notify_is_taken_once),
        cmocka_unit_test(a_notifyall_is_taken_by_all_that_waited),
        cmocka_unit_test(the_earliest_that_is_free_is_taken),
        cmocka_unit_test(many_wakes_of_many_notifies),
        cmocka_unit_test(a_recv_takes_the_oldest_send),
        cmocka_unit_test(a_recv_without_a_send_took_an_initial_unit),
        cmocka_unit_test(a_round_is_the_bins_since_the_last),
        cmocka_unit_test(a_thread_may_arrive_again_before_all_have_left),
        cmocka_unit_test(barriers_number_their_rounds_together),
        cmocka_unit_test(lists_of_threads_locks_and_variables),
        cmocka_unit_test(positions_in_the_thread),
        cmocka_unit_test(an_empty_trace_has_an_index),
        cmocka_unit_test(events_by_kind_and_thread),
        cmocka_unit_test(use_of_a_variable),
        cmocka_unit_test(use_of_a_lock),
        cmocka_unit_test(threads_past_the_sixty_fourth_are_told_apart),
        cmocka_unit_test(the_hottest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
