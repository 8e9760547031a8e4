/*
 * Witnesses: every rule of a reordering broken once, and the words for what is wrong.
 * (random_witness.c compares the verdicts with the definition on thousands of small traces.)
 */
#include "test_witness_tools.h"

/* ---- The rules of a reordering ---- */

static void test_prefixes(void **state) {
    (void)state;
    CHECK(two_scopes, {"reordering", "1 2 3 4 5 6", NULL}, {"reordering", "", NULL},
          {"reordering", "4 5 6 1 2 3", NULL}, {"reordering", "1 2", NULL},
          {"reordering", "1 3",
           "position 2: event 3, t1|rel(l)|a3, is in the schedule before event 2, t1|w(x)|a2, "
           "which its thread does first"},
          {"reordering", "1 2 2",
           "position 3: event 2, t1|w(x)|a2, is in the schedule twice, at positions 2 and 3"},
          {"reordering", "1 2 3 4 1",
           "position 5: event 1, t1|acq(l)|a1, is in the schedule twice, at positions 1 and 5"},
          {"reordering", "1 2 3 4 5 6 6",
           "position 7: event 6, t2|rel(l)|b3, is in the schedule twice, at positions 6 and 7"},
          {"reordering", "1 7", "position 2: there is no event 7 in the trace, which has 6"},
          {"reordering", "0", "position 1: there is no event 0 in the trace, which has 6"},
          {"reordering", "4294967295",
           "position 1: there is no event 4294967295 in the trace, which has 6"});
}

static void test_locks(void **state) {
    (void)state;
    CHECK(two_scopes, {"reordering", "1 4",
                       "position 2: event 4, t2|acq(l)|b1, takes lock l, which t1 holds since "
                       "event 1"});
    /* Readers share; a writer is alone. */
    CHECK("t1|racq(l)|\nt2|racq(l)|\nt2|rrel(l)|\nt1|rrel(l)|\nt3|acq(l)|\nt3|rel(l)|\n",
          {"reordering", "2 1 3 4", NULL}, {"reordering", "5 6 1 2", NULL},
          {"reordering", "5 2",
           "position 2: event 2, t2|racq(l)|, takes lock l, which t3 holds "
           "since event 5"},
          {"reordering", "2 1 3 5",
           "position 4: event 5, t3|acq(l)|, takes lock l, which t1 holds for reading since "
           "event 1"});
    /* Re-entrant events change nothing. */
    CHECK("t1|acq(l)|\nt1|acq(l)|\nt1|rel(l)|\nt1|rel(l)|\nt2|acq(l)|\n",
          {"reordering", "1 2 3 4 5", NULL}, {"reordering", "5", NULL},
          {"reordering", "1 2 3 5",
           "position 4: event 5, t2|acq(l)|, takes lock l, which t1 holds since event 1"});
}

static void test_reads(void **state) {
    (void)state;
    CHECK("t1|r(x)|\nt2|w(x)|\nt1|r(x)|\nt3|rmw(x)|\nt1|r(x)|\n", {"reordering", "1 2 3 4 5", NULL},
          {"reordering", "1 2 4", NULL},
          {"reordering", "2 1",
           "position 2: event 1, t1|r(x)|, reads from event 2, t2|w(x)|, but in the trace from "
           "the initial value"},
          {"reordering, reads kept", "1 3",
           "position 2: event 3, t1|r(x)|, reads from the initial value, but in the trace from "
           "event 2, t2|w(x)|"},
          {"reordering", "4",
           "position 1: event 4, t3|rmw(x)|, reads from the initial value, but "
           "in the trace from event 2, t2|w(x)|"},
          {"reordering", "1 2 4 3",
           "position 4: event 3, t1|r(x)|, reads from event 4, t3|rmw(x)|, but in the trace from "
           "event 2, t2|w(x)|"},
          {"reordering, reads let go", "4 1 3 2 5", NULL});
}

static void test_failed_tries(void **state) {
    (void)state;
    CHECK("t1|acq(l)|\nt2|tryfail(l)|\nt1|acq(l)|\nt1|rel(l)|\nt1|rel(l)|\n",
          {"reordering", "1 2 3 4 5", NULL}, {"reordering", "1 3 2 4 5", NULL},
          {"reordering", "1 3 4 2 5", NULL},
          {"reordering", "2",
           "position 1: event 2, t2|tryfail(l)|, finds its lock as left by no thread, but in the "
           "trace by event 1, t1|acq(l)|"},
          {"reordering", "1 3 4 5 2",
           "position 5: event 2, t2|tryfail(l)|, finds its lock as left by event 5, t1|rel(l)|, "
           "but in the trace by event 1, t1|acq(l)|"},
          {"reordering, reads let go", "1 3 4 5 2", NULL});
    CHECK("t1|acq(l)|\nt1|acq(l)|\nt2|tryfail(l)|\n", {"reordering", "1 3 2", NULL});
}

static void test_forks_and_joins(void **state) {
    (void)state;
    CHECK("m|fork(a)|\na|w(x)|\na|w(y)|\nm|join(a)|\nb|join(a)|\nm|fork(c)|\nm|join(c)|\n",
          {"reordering", "1 2 3 5 4", NULL}, {"reordering", "1 2 3 4 6 7", NULL},
          {"reordering", "2",
           "position 1: event 2, a|w(x)|, is in the schedule before event 1, "
           "m|fork(a)|, which starts its thread"},
          {"reordering", "1 2 4",
           "position 3: event 4, m|join(a)|, is in the schedule before event 3, a|w(y)|, the last "
           "event of the thread it awaits"},
          {"reordering", "5",
           "position 1: event 5, b|join(a)|, is in the schedule before event "
           "3, a|w(y)|, the last event of the thread it awaits"});
}

static void test_waits(void **state) {
    (void)state;
    CHECK(waiting, {"reordering", "1 2 3 4 5 6 7 8 9 10", NULL},
          {"reordering", "4 5 6 9 10 1 2 3 7 8", NULL},
          {"reordering", "5",
           "position 1: event 5, m|notify(c)|, is in the schedule before event "
           "4, b|wait(c)|, which it wakes"},
          {"reordering", "4 5 7",
           "position 3: event 7, m|notifyall(c)|, is in the schedule before "
           "event 3, a|wait(c)|, which it wakes"},
          {"reordering", "4 6",
           "position 2: event 6, b|wake(c)|, is in the schedule before event "
           "5, m|notify(c)|, which wakes it"},
          {"reordering", "1 2 4",
           "position 3: event 4, b|wait(c)|, comes between event 2, a|rel(l)|, and event 3, "
           "a|wait(c)|, which are one step"},
          {"reordering", "4 1 2",
           "position 3: event 2, a|rel(l)|, ends the schedule without event "
           "3, a|wait(c)|, which is one step with it"},
          {"reordering", "1 2 2",
           "position 3: event 2, a|rel(l)|, comes between event 2, "
           "a|rel(l)|, and event 3, a|wait(c)|, which are one step"});
    /* A notifyall waits for all that it wakes. */
    CHECK("a|wait(c)|\nb|wait(c)|\nm|notifyall(c)|\nb|wake(c)|\na|wake(c)|\n",
          {"reordering", "2 1 3 5 4", NULL},
          {"reordering", "2 3",
           "position 2: event 3, m|notifyall(c)|, is in the schedule before "
           "event 1, a|wait(c)|, which it wakes"});
    /* A notify before the wait, or taken by another, wakes nobody here. */
    CHECK("m|notify(c)|\na|wait(c)|\nb|wait(c)|\nm|notify(c)|\na|wake(c)|\nb|wake(c)|\n",
          {"reordering", "3 6 2 1 4 5", NULL}, {"reordering", "1 2 4 5", NULL},
          {"reordering", "1 4",
           "position 2: event 4, m|notify(c)|, is in the schedule before "
           "event 2, a|wait(c)|, which it wakes"});
}

static void test_barriers(void **state) {
    (void)state;
    /* Round one: a and b.  Round two: a and c, and b leaves round one meanwhile. */
    CHECK("a|bin(q)|\nb|bin(q)|\na|bout(q)|\na|bin(q)|\nc|bin(q)|\nc|bout(q)|\nb|bout(q)|\n",
          {"reordering", "5 2 1 3 7 4 6", NULL}, {"reordering", "1 2 7 3", NULL},
          {"reordering", "1 3",
           "position 2: event 3, a|bout(q)|, is in the schedule before event "
           "2, b|bin(q)|, which arrives at the same round"},
          {"reordering", "5 6",
           "position 2: event 6, c|bout(q)|, is in the schedule before event "
           "4, a|bin(q)|, which arrives at the same round"});
    /* A late departure from round one does not end the arrivals at round two. */
    CHECK("a|bin(q)|\nb|bin(q)|\na|bout(q)|\na|bin(q)|\nb|bout(q)|\nc|bin(q)|\nc|bout(q)|\n",
          {"reordering", "6 1 2 3 4 7", NULL},
          {"reordering", "6 7",
           "position 2: event 7, c|bout(q)|, is in the schedule before event "
           "4, a|bin(q)|, which arrives at the same round"});
}

static void test_channels(void **state) {
    (void)state;
    /* The first recv takes an initial unit, the second the oldest send. */
    CHECK("b|recv(s)|\na|send(s)|\na|send(s)|\nb|recv(s)|\nb|recv(s)|\n",
          {"reordering", "1 2 4 3 5", NULL},
          {"reordering", "1 4",
           "position 2: event 4, b|recv(s)|, is in the schedule before event "
           "2, a|send(s)|, whose message it takes"},
          {"reordering", "1 2 4 5",
           "position 4: event 5, b|recv(s)|, is in the schedule before "
           "event 3, a|send(s)|, whose message it takes"});
}

static void test_long(void **state) {
    (void)state;
    enum { N = 3000 };
    hd_trace trace;
    hd_trace_init(&trace);
    char name[5000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    uint32_t condition = hd_trace_name(&trace, HEDDLE_CLASS_CONDITION, "%s", name);
    for (uint32_t i = 0; i <= N; i++)
        hd_trace_name(&trace, HEDDLE_CLASS_THREAD, "%s%u", name, i);
    static const uint8_t kinds[] = {HEDDLE_WAIT, HEDDLE_NOTIFY, HEDDLE_WAKE};
    for (size_t k = 0; k < 3; k++)
        for (uint32_t i = 1; i <= N; i++)
            hd_trace_append(&trace, (heddle_event){.thread = kinds[k] == HEDDLE_NOTIFY ? 0 : i,
                                                   .object = condition,
                                                   .kind = kinds[k]});
    hd_error error = {{0}};
    assert_true(hd_trace_check_all(&trace, &error));
    hd_witness witness;
    hd_witness_init(&witness);
    for (uint32_t n = 1; n <= 3 * N; n++)
        hd_vec_push(&witness.schedule, n);
    assert_true(hd_witness_check(&witness, &trace, &error));
    /* The last notify is missing when its thread wakes. */
    witness.schedule.data[2 * N - 1] = 3 * N;
    assert_false(hd_witness_check(&witness, &trace, &error));
    assert_non_null(strstr(error.text, "position 6000: event 9000, nnn"));
    assert_non_null(strstr(error.text, "before event 6000, nnn"));
    assert_non_null(strstr(error.text, "which wakes it"));
    assert_true(strlen(error.text) < sizeof error.text);
    hd_witness_release(&witness);
    hd_trace_release(&trace);
}

SUPPORT_SUITE(test_witness) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_locks),
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_failed_tries),
        cmocka_unit_test(test_forks_and_joins),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_channels),
        cmocka_unit_test(test_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
