/*
 * Witnesses: every rule of a reordering broken once, every claim shown and
 * missed in each way, the words for what is wrong, the text form there and
 * back, and files that mean harm.  (random_witness.c compares the verdicts with
 * the definition on thousands of small traces.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support_suite.h"
#include "support_traces.h"
#include "witness/witness.h"

/* One witness and what the checker says of it; NULL: it is valid. */
typedef struct row {
    const char *claim;
    const char *schedule; /* event numbers */
    const char *error;
} row;

static void parse_schedule(hd_vec_u32 *schedule, const char *text) {
    char *end;
    for (; *text; text = end) {
        hd_vec_push(schedule, (uint32_t)strtoul(text, &end, 10));
        end += strspn(end, " ");
    }
}

static const char *verdict(hd_witness_checker *checker, const hd_trace *trace, const row *r,
                           hd_error *error) {
    hd_witness witness;
    hd_witness_init(&witness);
    parse_schedule(&witness.schedule, r->schedule);
    bool good = hd_witness_claim_parse(&witness.claim, trace, r->claim, error) &&
                hd_witness_checker_run(checker, &witness, NULL, error);
    hd_witness_release(&witness);
    return good ? NULL : error->text;
}

/* All rows against one trace and one checker, which so is used again and again. */
static void check_rows(const char *text, const row *rows, size_t count) {
    hd_trace trace;
    hd_trace_init(&trace);
    support_parse(&trace, text);
    hd_witness_checker *checker = hd_witness_checker_create(&trace);
    for (size_t i = 0; i < count; i++) {
        hd_error error = {{0}};
        const char *got = verdict(checker, &trace, &rows[i], &error);
        if (!got != !rows[i].error || (got && strcmp(got, rows[i].error) != 0)) {
            print_error("claim '%s', schedule '%s'\n  expected: %s\n  got:      %s\n",
                        rows[i].claim, rows[i].schedule, rows[i].error ? rows[i].error : "valid",
                        got ? got : "valid");
            fail();
        }
    }
    hd_witness_checker_free(checker);
    hd_trace_release(&trace);
}

#define CHECK(text, ...)                                                                           \
    do {                                                                                           \
        static const row rows_[] = {__VA_ARGS__};                                                  \
        check_rows(text, rows_, sizeof rows_ / sizeof *rows_);                                     \
    } while (0)

/* ---- The rules of a reordering ---- */

static const char two_scopes[] = "t1|acq(l)|a1\n"  /* 1 */
                                 "t1|w(x)|a2\n"    /* 2 */
                                 "t1|rel(l)|a3\n"  /* 3 */
                                 "t2|acq(l)|b1\n"  /* 4 */
                                 "t2|r(y)|b2\n"    /* 5 */
                                 "t2|rel(l)|b3\n"; /* 6 */

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
           "position 1: event 2, t2|tryfail(l)|, finds its lock as left by nobody, but in the "
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

static const char waiting[] = "a|acq(l)|\n"     /* 1 */
                              "a|rel(l)|\n"     /* 2 */
                              "a|wait(c)|\n"    /* 3 */
                              "b|wait(c)|\n"    /* 4 */
                              "m|notify(c)|\n"  /* 5, wakes b */
                              "b|wake(c)|\n"    /* 6 */
                              "m|notifyall(c)|" /* 7, wakes a; b is awake */
                              "\n"
                              "a|wake(c)|\n"  /* 8 */
                              "b|wait(c)|\n"  /* 9 */
                              "b|wake(c)|\n"; /* 10, timed out */

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

/* ---- The claims ---- */

static const char reads[] = "m|w(x)|\n"    /* 1 */
                            "m|w(z)|\n"    /* 2 */
                            "a|r(x)|\n"    /* 3, from 1 */
                            "b|w(x)|\n"    /* 4 */
                            "b|w(x)|\n"    /* 5 */
                            "a|r(x)|\n"    /* 6, from 5 */
                            "a|rmw(x)|\n"  /* 7, from 5 */
                            "m|acq(l)|\n"; /* 8 */

static void test_claim_read(void **state) {
    (void)state;
    CHECK(reads, {"read 3 sees 4, writer 1, challenger 4, order wcr", "1 4", NULL},
          {"read 3 sees 5, writer 1, challenger 4, order wcr", "1 4 5", NULL},
          {"read 3 sees 0, writer 1, challenger 0, order cr", "", NULL},
          {"read 3 sees 4, writer 1, challenger 0, order cr", "4", NULL},
          {"read 3 sees 4, writer 1, challenger 4, order crw", "4", NULL},
          {"read 3 sees 0, writer 1, challenger 0, order crw", "", NULL},
          {"read 6 sees 4, writer 5, challenger 4, order crw", "1 3 4", NULL},
          {"read 7 sees 1, writer 5, challenger 1, order cr", "1 3 4 5 6",
           "the read is not shown: it sees event 5, b|w(x)|, not event 1, m|w(x)|"},
          {"read 3 sees 4, writer 1, challenger 4, order wcr", "4",
           "the read is not shown: event 1, m|w(x)|, is not in the schedule"},
          {"read 3 sees 5, writer 1, challenger 4, order wcr", "4 1 5",
           "the read is not shown: event 1, m|w(x)|, is in the schedule after event 4, b|w(x)|"},
          {"read 3 sees 4, writer 1, challenger 5, order wcr", "1 4",
           "the read is not shown: event 5, b|w(x)|, is not in the schedule"},
          {"read 3 sees 4, writer 1, challenger 4, order cr", "1 4",
           "the read is not shown: event 1, m|w(x)|, is in the schedule"},
          {"read 3 sees 4, writer 1, challenger 4, order crw", "1 4",
           "the read is not shown: event 1, m|w(x)|, is in the schedule"},
          {"read 3 sees 4, writer 1, challenger 4, order wcr", "1 3 4",
           "the read is not shown: event 3, a|r(x)|, is in the schedule, not next after it"},
          {"read 6 sees 4, writer 5, challenger 4, order cr", "1 4",
           "the read is not shown: event 6, a|r(x)|, is not next: event 3, a|r(x)|, comes first "
           "in its thread"},
          {"read 6 sees 1, writer 5, challenger 1, order crw", "1 3",
           "the read is not shown: event 5, b|w(x)|, is not next: event 4, b|w(x)|, comes first "
           "in its thread"},
          {"read 3 sees 4, writer 5, challenger 4, order cr", "4",
           "the read is not shown: its writer in the trace is event 1, m|w(x)|, not event 5, "
           "b|w(x)|"},
          {"read 3 sees 5, writer 0, challenger 4, order wcr", "4 5",
           "the read is not shown: its writer in the trace is event 1, m|w(x)|, not the initial "
           "value"},
          {"read 3 sees 5, writer 1, challenger 4, order wcr", "1 4",
           "the read is not shown: it sees event 4, b|w(x)|, not event 5, b|w(x)|"},
          {"read 3 sees 5, writer 1, challenger 0, order cr", "",
           "the read is not shown: it sees the initial value, not event 5, b|w(x)|"},
          {"read 6 sees 4, writer 5, challenger 4, order cr", "3 4",
           "position 1: event 3, a|r(x)|, reads from the initial value, but in the trace from "
           "event 1, m|w(x)|"});
    CHECK("m|fork(a)|\nb|w(x)|\na|r(x)|\n",
          {"read 3 sees 0, writer 2, challenger 0, order cr", "1", NULL},
          {"read 3 sees 0, writer 2, challenger 0, order cr", "",
           "the read is not shown: event 3, a|r(x)|, is not next: event 1, m|fork(a)|, which "
           "starts its thread, is not in the schedule"});
}

static void test_claim_read_that_does_not_fit(void **state) {
    (void)state;
    CHECK(reads,
          {"read 1 sees 4, writer 0, challenger 4, order wcr", "4",
           "bad claim: event 1, m|w(x)|, is no read"},
          {"read 8 sees 4, writer 0, challenger 4, order wcr", "4",
           "bad claim: event 8, m|acq(l)|, is no read"},
          {"read 0 sees 4, writer 0, challenger 4, order wcr", "4",
           "bad claim: there is no event 0 in the trace, which has 8"},
          {"read 3 sees 2, writer 1, challenger 4, order wcr", "1 4",
           "bad claim: event 2, m|w(z)|, does not write variable x"},
          {"read 3 sees 4, writer 6, challenger 4, order wcr", "1 4",
           "bad claim: event 6, a|r(x)|, does not write variable x"},
          {"read 3 sees 4, writer 1, challenger 8, order wcr", "1 4",
           "bad claim: event 8, m|acq(l)|, does not write variable x"},
          {"read 3 sees 1, writer 1, challenger 4, order wcr", "1",
           "bad claim: the write that it sees is its writer in the trace"},
          {"read 3 sees 4, writer 1, challenger 1, order cr", "4",
           "bad claim: the challenger is the writer"},
          {"read 3 sees 4, writer 1, challenger 0, order wcr", "1 4",
           "bad claim: the initial value cannot come after the writer"},
          {"read 3 sees 4, writer 0, challenger 4, order cr", "4",
           "bad claim: the initial value cannot be absent"},
          {"read 7 sees 4, writer 5, challenger 7, order cr", "4",
           "bad claim: event 7, a|rmw(x)|, cannot be its own challenger"},
          {"read 6 sees 4, writer 7, challenger 4, order crw", "4",
           "bad claim: event 6, a|r(x)|, cannot be next together with event 7, a|rmw(x)|, which "
           "is in the same thread"});
}

static void test_claim_final_read(void **state) {
    (void)state;
    CHECK("a|w(x)|\nb|w(x)|\nb|r(y)|\n",
          {"final read of x sees 1, writer 2, challenger 1, order wcr", "2 1 3", NULL},
          {"final read of x sees 1, writer 2, challenger 1, order wcr", "2 1",
           "the final read is not shown: the schedule has 2 events, not all 3 of the trace"},
          {"final read of x sees 1, writer 2, challenger 1, order wcr", "1 2 3",
           "the final read is not shown: it sees event 2, b|w(x)|, not event 1, a|w(x)|"},
          {"final read of x sees 2, writer 1, challenger 2, order wcr", "1 2 3",
           "the final read is not shown: its writer in the trace is event 2, b|w(x)|, not event "
           "1, a|w(x)|"},
          {"final read of x sees 1, writer 2, challenger 1, order cr", "2 1 3",
           "bad claim: the order of a final read is wcr"},
          {"final read of y sees 1, writer 0, challenger 1, order wcr", "2 1 3",
           "bad claim: event 1, a|w(x)|, does not write variable y"},
          {"final read of z sees 1, writer 2, challenger 1, order wcr", "2 1 3",
           "bad claim: there is no variable 'z' in the trace"});
}

static const char races[] = "m|fork(a)|\n" /* 1 */
                            "a|w(x)|\n"    /* 2 */
                            "b|r(x)|\n"    /* 3 */
                            "c|r(x)|\n"    /* 4 */
                            "d|aw(x)|\n"   /* 5 */
                            "e|ar(x)|\n"   /* 6 */
                            "e|w(y)|\n"    /* 7 */
                            "m|acq(l)|\n"; /* 8 */

static void test_claim_race(void **state) {
    (void)state;
    CHECK(races, {"race 2 3", "1", NULL}, {"race 3 2", "1", NULL}, {"race 3 5", "", NULL},
          {"race 2 6", "1", NULL}, {"race 2 5", "1", NULL},
          {"race 2 3", "",
           "the race is not shown: event 2, a|w(x)|, is not next: event 1, m|fork(a)|, which "
           "starts its thread, is not in the schedule"},
          {"race 2 3", "1 2",
           "the race is not shown: event 2, a|w(x)|, is in the schedule, not next after it"},
          {"race 3 4", "1 2", "bad claim: event 3, b|r(x)|, and event 4, c|r(x)|, both only read"},
          {"race 5 6", "", "bad claim: event 5, d|aw(x)|, and event 6, e|ar(x)|, both are atomic"},
          {"race 2 7", "1",
           "bad claim: event 2, a|w(x)|, and event 7, e|w(y)|, both access two variables"},
          {"race 6 7", "",
           "bad claim: event 6, e|ar(x)|, and event 7, e|w(y)|, both are in one "
           "thread"},
          {"race 2 2", "",
           "bad claim: event 2, a|w(x)|, and event 2, a|w(x)|, both are in one "
           "thread"},
          {"race 2 8", "", "bad claim: event 8, m|acq(l)|, accesses no variable"},
          {"race 0 2", "", "bad claim: there is no event 0 in the trace, which has 8"},
          {"race 2 9", "", "bad claim: there is no event 9 in the trace, which has 8"});
}

static void test_claim_state(void **state) {
    (void)state;
    CHECK(two_scopes, {"state t1=2, reads kept", "1 2", NULL},
          {"state t1=2 t2=0, reads let go", "1 2", NULL}, {"state, reads kept", "", NULL},
          {"state t2=3 t1=1, reads kept", "4 5 6 1", NULL},
          {"state t1=2, reads kept", "1",
           "the state is not shown: thread t1 is at 1 after the schedule, not at 2"},
          {"state t2=1, reads kept", "4 5 6 1",
           "the state is not shown: thread t1 is at 1 after the schedule, not at 0"},
          {"state t1=1, reads kept", "1 2 3 4",
           "the state is not shown: thread t1 is at 3 after the schedule, not at 1"},
          {"state t1=3, reads kept", "1 2 3 4",
           "the state is not shown: thread t2 is at 1 after the schedule, not at 0"},
          {"state t1=9, reads kept", "1", "bad claim: a count of 9, but the trace has 6 events"},
          {"state t1=1 t1=1, reads kept", "1", "bad claim: thread t1 is named twice"},
          {"state t3=1, reads kept", "1", "bad claim: there is no thread 't3' in the trace"});
    CHECK("a|w(x)|\nb|r(x)|\n", {"state b=1, reads let go", "2", NULL},
          {"state b=1, reads kept", "2",
           "position 1: event 2, b|r(x)|, reads from the initial value, but in the trace from "
           "event 1, a|w(x)|"});
    /* Names with spaces and commas. */
    CHECK("a b|w(x)|\nc, reads kept|w(x)|\nd|w(x)|\n",
          {"state a b=1 c, reads kept=1 d=1, reads kept", "1 2 3", NULL});
}

static const char crossed[] = "a|acq(k)|\n" /* 1 */
                              "a|acq(l)|\n" /* 2 */
                              "a|acq(k)|\n" /* 3, re-entrant */
                              "a|rel(k)|\n"
                              "a|rel(l)|\n"
                              "a|rel(k)|\n"
                              "b|acq(l)|\n" /* 7 */
                              "b|acq(k)|\n" /* 8 */
                              "b|rel(k)|\n"
                              "b|rel(l)|\n"
                              "c|acq(k)|\n" /* 11 */
                              "c|w(x)|\n"
                              "c|rel(k)|\n";

static void test_claim_deadlock(void **state) {
    (void)state;
    CHECK(crossed, {"deadlock 2 8", "1 7", NULL}, {"deadlock 8 2", "1 7", NULL},
          {"deadlock 2 8 11", "1 7", NULL},
          {"deadlock 2 8", "1",
           "the deadlock is not shown: event 8, b|acq(k)|, is not next: event 7, b|acq(l)|, comes "
           "first in its thread"},
          {"deadlock 2 7", "1",
           "the deadlock is not shown: event 2, a|acq(l)|, does not wait for "
           "a lock that another of the threads holds"},
          {"deadlock 2 11", "1 7",
           "the deadlock is not shown: event 2, a|acq(l)|, waits for event 7, b|acq(l)|, whose "
           "thread is not in the deadlock"},
          {"deadlock 2 2", "1 7", "the deadlock is not shown: event 2, a|acq(l)|, is named twice"},
          {"deadlock 1 2", "",
           "the deadlock is not shown: event 2, a|acq(l)|, cannot be next "
           "together with event 1, a|acq(k)|, which is in the same thread"},
          {"deadlock 2", "1 7", "bad claim: a deadlock takes two acquires or more"},
          {"deadlock 2 12", "1 7", "bad claim: event 12, c|w(x)|, acquires no lock"},
          {"deadlock 3 8", "1 7",
           "bad claim: event 3, a|acq(k)|, takes a lock that its thread holds already"});
    /* Reading holds block writers, not readers. */
    CHECK("a|racq(k)|\na|acq(l)|\na|rel(l)|\na|rrel(k)|\n"
          "b|racq(l)|\nb|acq(k)|\nb|rel(k)|\nb|rrel(l)|\n"
          "c|racq(l)|\nc|racq(k)|\n",
          {"deadlock 2 6", "1 5", NULL}, {"deadlock 2 6", "5 9 1", NULL},
          {"deadlock 2 10", "1 9",
           "the deadlock is not shown: event 10, c|racq(k)|, does not wait for a lock that "
           "another of the threads holds"},
          {"deadlock 6 10", "1 5 9",
           "the deadlock is not shown: event 6, b|acq(k)|, does not wait for a lock that another "
           "of the threads holds"});
    CHECK("a|racq(k)|\na|rrel(k)|\na|acq(l)|\na|rel(l)|\nb|acq(l)|\nb|acq(k)|\n",
          {"deadlock 3 6", "1 2 5",
           "the deadlock is not shown: event 6, b|acq(k)|, does not wait for a lock that another "
           "of the threads holds"});
    CHECK("m|acq(l)|\nm|acq(k)|\nm|fork(b)|\nm|rel(k)|\nm|rel(l)|\nb|acq(l)|\n",
          {"deadlock 2 6", "1",
           "the deadlock is not shown: event 6, b|acq(l)|, is not next: event "
           "3, m|fork(b)|, which starts its thread, is not in the schedule"});
}

/* Lines of megabytes are refused as fast as they are read. */
static void test_long_claims(void **state) {
    (void)state;
    enum { SIZE = 8 << 20 };
    static const char *const heads[] = {"state ", "final read of ", "deadlock ", "race ", ""};
    static const char fills[] = "=19 s";
    hd_trace trace;
    hd_trace_init(&trace);
    support_parse(&trace, two_scopes);
    char *text = malloc(SIZE + 32);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        for (size_t j = 0; j + 1 < sizeof fills; j++) {
            hd_witness_claim claim = {0};
            hd_error error = {{0}};
            size_t length = strlen(heads[i]);
            memcpy(text, heads[i], length);
            memset(text + length, fills[j], SIZE);
            text[length + SIZE] = '\0';
            assert_false(hd_witness_claim_parse(&claim, &trace, text, &error));
            assert_true(error.text[0] != '\0');
        }
    free(text);
    hd_trace_release(&trace);
}

static void test_claim_words(void **state) {
    (void)state;
    CHECK(two_scopes, {"assertion 3", "", "unknown claim 'assertion 3'"},
          {"", "", "unknown claim ''"}, {"Race 1 2", "", "unknown claim 'Race 1 2'"},
          {"race 1", "", "bad claim: it should read 'race EVENT EVENT'"},
          {"race 1 2 3", "", "bad claim: it should read 'race EVENT EVENT'"},
          {"race 1 -2", "", "bad claim: it should read 'race EVENT EVENT'"},
          {"race  1 2", "", "bad claim: it should read 'race EVENT EVENT'"},
          {"race 99999999999999999999999999999999999 2", "",
           "bad claim: there is no event 999999999999999999999999... in the trace, which has 6"},
          {"race 18446744073709551618 4", "",
           "bad claim: there is no event 18446744073709551618 in the trace, which has 6"},
          {"race 4294967298 4", "",
           "bad claim: there is no event 4294967298 in the trace, which has 6"},
          {"read 5 sees 2", "",
           "bad claim: it should read 'read EVENT sees WRITE, writer WRITE, challenger WRITE, "
           "order crw|wcr|cr'"},
          {"read 5 sees 2, writer 0, challenger 2, order rcw", "",
           "bad claim: it should read 'read EVENT sees WRITE, writer WRITE, challenger WRITE, "
           "order crw|wcr|cr'"},
          {"final read of x", "",
           "bad claim: it should read 'final read of VARIABLE sees WRITE, writer WRITE, "
           "challenger WRITE, order wcr'"},
          {"state t1=2", "",
           "bad claim: it should read 'state THREAD=COUNT ..., reads kept|let "
           "go'"},
          {"state t1=, reads kept", "",
           "bad claim: it should read 'state THREAD=COUNT ..., reads kept|let go'"},
          {"state t1, reads kept", "",
           "bad claim: it should read 'state THREAD=COUNT ..., reads kept|let go'"},
          {"stated, reads kept", "", "unknown claim 'stated, reads kept'"},
          {"reorderings", "", "unknown claim 'reorderings'"},
          {"reordering, reads", "", "bad claim: it should read 'reordering[, reads kept|let go]'"},
          {"deadlock", "", "bad claim: it should read 'deadlock EVENT EVENT ...'"},
          {"race", "", "bad claim: it should read 'race EVENT EVENT'"},
          {"deadlock ", "", "bad claim: it should read 'deadlock EVENT EVENT ...'"},
          {"deadlock 1 4 ", "", "bad claim: it should read 'deadlock EVENT EVENT ...'"});
}

/* Claims that only a prover can make. */
static void test_claims_in_memory(void **state) {
    (void)state;
    hd_trace trace;
    hd_trace_init(&trace);
    support_parse(&trace, two_scopes);
    hd_witness witness;
    hd_witness_init(&witness);
    hd_error error = {{0}};
    witness.claim = (hd_witness_claim){.kind = HD_WITNESS_RACE, .let_go = true};
    assert_false(hd_witness_check(&witness, &trace, &error));
    assert_string_equal(error.text, "bad claim: a race keeps its reads");
    witness.claim = (hd_witness_claim){.kind = HD_WITNESS_FINAL_READ, .variable = 77};
    assert_false(hd_witness_check(&witness, &trace, &error));
    assert_string_equal(error.text, "bad claim: there is no such variable in the trace");
    witness.claim = (hd_witness_claim){.kind = HD_WITNESS_STATE};
    hd_vec_resize(&witness.claim.counts, 3);
    assert_false(hd_witness_check(&witness, &trace, &error));
    assert_string_equal(error.text, "bad claim: the state has more threads than the trace");
    assert_false(hd_witness_check(&witness, &trace, NULL));
    hd_witness_release(&witness);
    hd_trace_release(&trace);
}

static void test_faults(void **state) {
    (void)state;
    hd_trace trace;
    hd_trace_init(&trace);
    support_parse(&trace, races);
    hd_witness_checker *checker = hd_witness_checker_create(&trace);
    hd_witness witness;
    hd_witness_init(&witness);
    hd_witness_fault fault = {99, 99};
    assert_true(hd_witness_checker_run(checker, &witness, &fault, NULL));
    assert_int_equal(fault.position, 99); /* untouched */
    parse_schedule(&witness.schedule, "1 3");
    assert_false(hd_witness_checker_run(checker, &witness, &fault, NULL));
    assert_int_equal(fault.position, 2);
    assert_int_equal(fault.event, 3);
    hd_vec_clear(&witness.schedule);
    assert_true(
        hd_witness_claim_parse(&witness.claim, &trace, "race 3 2", NULL)); /* 2 is not started */
    assert_false(hd_witness_checker_run(checker, &witness, &fault, NULL));
    assert_int_equal(fault.position, 0);
    assert_int_equal(fault.event, 2);
    hd_witness_release(&witness);
    hd_witness_checker_free(checker);
    hd_trace_release(&trace);
}

static void test_empty_trace(void **state) {
    (void)state;
    hd_trace trace;
    hd_trace_init(&trace);
    hd_witness witness;
    hd_witness_init(&witness);
    hd_error error = {{0}};
    assert_true(hd_witness_check(&witness, &trace, &error));
    hd_vec_push(&witness.schedule, 1);
    assert_false(hd_witness_check(&witness, &trace, &error));
    assert_string_equal(error.text, "position 1: there is no event 1 in the trace, which has 0");
    hd_witness_clear(&witness);
    assert_true(hd_witness_read(&witness, &trace, "", 0, "empty", &error));
    hd_witness_release(&witness);
    hd_trace_release(&trace);
}

/* ---- Files ---- */

static char *temporary_file(void) {
    const char *folder = getenv("TMPDIR");
    char *path;
    assert_true(asprintf(&path, "%s/test_witness.XXXXXX", folder ? folder : "/tmp") > 0);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    return path;
}

static char *slurp(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

static void test_save(void **state) {
    (void)state;
    hd_trace trace;
    hd_trace_init(&trace);
    support_parse(&trace, "a|w4(x=-5)|f.c:3\nb|r4(x=-5)|\n");
    hd_witness witness;
    hd_witness_init(&witness);
    hd_error error = {{0}};
    const char *claim = "read 2 sees 0, writer 1, challenger 0, order crw";
    assert_true(hd_witness_claim_parse(&witness.claim, &trace, claim, &error));
    witness.question = hd_mem_string("nondet", 6);
    witness.verdict = hd_mem_string("proved", 6);
    witness.trace = hd_mem_string("two\nlines", 9);
    char *path = temporary_file();
    assert_true(hd_witness_check(&witness, &trace, &error));
    assert_true(hd_witness_save(&witness, &trace, path, &error));
    char *text = slurp(path);
    assert_string_equal(text, "# heddle witness 1\n"
                              "# question: nondet\n"
                              "# claim: read 2 sees 0, writer 1, challenger 0, order crw\n"
                              "# verdict: proved\n"
                              "# trace: two\\x0alines\n");
    free(text);
    hd_witness_clear(&witness);
    parse_schedule(&witness.schedule, "2 1");
    witness.claim.let_go = true;
    assert_true(hd_witness_save(&witness, &trace, path, &error));
    text = slurp(path);
    assert_string_equal(text, "# heddle witness 1\n# claim: reordering, reads let go\n"
                              "b|r4(x=-5)|\na|w4(x=-5)|f.c:3\n");
    free(text);
    assert_false(hd_witness_save(&witness, &trace, "/no/such/folder/w.std", &error));
    assert_non_null(strstr(error.text, "/no/such/folder/w.std"));
    unlink(path);
    free(path);
    hd_witness_release(&witness);
    hd_trace_release(&trace);
}

static void assert_same_list(const hd_vec_u32 *a, const hd_vec_u32 *b) {
    assert_int_equal(a->length, b->length);
    if (a->length)
        assert_memory_equal(a->data, b->data, a->length * sizeof *a->data);
}

/* Saves, loads, compares, checks. */
static void check_round_trip(const char *text, const char *claim, const char *schedule) {
    hd_trace trace;
    hd_trace_init(&trace);
    support_parse(&trace, text);
    hd_witness witness, again;
    hd_witness_init(&witness);
    hd_witness_init(&again);
    hd_error error = {{0}};
    assert_true(hd_witness_claim_parse(&witness.claim, &trace, claim, &error));
    parse_schedule(&witness.schedule, schedule);
    witness.verdict = hd_mem_string("proved", 6);
    char *path = temporary_file();
    assert_true(hd_witness_save(&witness, &trace, path, &error));
    if (!hd_witness_load(&again, &trace, path, &error))
        fail_msg("%s", error.text);
    assert_same_list(&witness.schedule, &again.schedule);
    hd_vec_char words = {0};
    hd_witness_claim_print(&again.claim, &trace, &words);
    assert_string_equal(words.data, claim);
    assert_string_equal(again.verdict, "proved");
    assert_null(again.question);
    if (!hd_witness_check(&again, &trace, &error))
        fail_msg("%s", error.text);
    hd_vec_release(&words);
    unlink(path);
    free(path);
    hd_witness_release(&witness);
    hd_witness_release(&again);
    hd_trace_release(&trace);
}

static void test_round_trips(void **state) {
    (void)state;
    check_round_trip(two_scopes, "reordering", "4 5 6 1");
    check_round_trip(reads, "read 3 sees 5, writer 1, challenger 4, order wcr", "1 4 5");
    check_round_trip("a|w(x sees y)|\nb|w(x sees y)|\n",
                     "final read of x sees y sees 1, writer 2, challenger 1, order wcr", "2 1");
    check_round_trip(races, "race 2 3", "1");
    check_round_trip(two_scopes, "state t1=1 t2=3, reads kept", "4 5 6 1");
    check_round_trip(two_scopes, "state, reads let go", "");
    check_round_trip(crossed, "deadlock 2 8", "1 7");
    check_round_trip(waiting, "reordering", "4 5 6 9 10 1 2 3 7 8");
    /* The dialect of the deadlock tools: fork(10) is thread T10. */
    check_round_trip("0|fork(10)|\nT10|w(x=1)|loc 7\n0|mark(m=3)|\n", "reordering", "1 3 2");
}

/* What reading `text` as a witness of `trace_text` says; NULL: nothing. */
static void check_reading(const char *trace_text, const char *text, const char *expected) {
    hd_trace trace;
    hd_trace_init(&trace);
    support_parse(&trace, trace_text);
    hd_witness witness;
    hd_witness_init(&witness);
    hd_error error = {{0}};
    bool good = hd_witness_read(&witness, &trace, text, strlen(text), "w.std", &error);
    if (good != !expected || (expected && strcmp(error.text, expected) != 0)) {
        print_error("reading\n%s\n  expected: %s\n  got:      %s\n", text,
                    expected ? expected : "nothing wrong", good ? "nothing wrong" : error.text);
        fail();
    }
    if (!good) { /* empty again */
        assert_int_equal(witness.schedule.length, 0);
        assert_int_equal(witness.claim.kind, HD_WITNESS_REORDERING);
        assert_null(witness.question);
    }
    hd_witness_release(&witness);
    hd_trace_release(&trace);
}

#define HEAD "# heddle witness 1\n"

static void test_reading(void **state) {
    (void)state;
    check_reading(two_scopes, "", NULL);
    check_reading(two_scopes, "t2|acq(l)|b1\nt1|acq(l)|a1\n", NULL);
    check_reading(two_scopes, "# a remark\n# question: what?\n\nt2|acq(l)|b1\n# more\n", NULL);
    check_reading(two_scopes, "#heddle witness 1\n#claim:race 2 5\n", /* different variables */
                  "w.std:2: bad claim: event 2, t1|w(x)|a2, and event 5, t2|r(y)|b2, both access "
                  "two variables");
    check_reading(races, "#heddle witness 1\r\n#claim:race 2 3\r\nm|fork(a)|\r\n", NULL);
    /* Event lines that are not the trace's. */
    check_reading(two_scopes, "t1|acq(l)|a1\nt1|r(x)|a2\n",
                  "w.std:2: t1|r(x)|a2 should be the thread's next event in the trace, event 2, "
                  "t1|w(x)|a2");
    check_reading(two_scopes, "t1|acq(l)|b1\n",
                  "w.std:1: t1|acq(l)|b1 should be the thread's next event in the trace, event 1, "
                  "t1|acq(l)|a1");
    check_reading(two_scopes, "t1|acq(k)|a1\n",
                  "w.std:1: t1|acq(k)|a1 should be the thread's next event in the trace, event 1, "
                  "t1|acq(l)|a1");
    check_reading(two_scopes, "t1|acq(l)\n",
                  "w.std:1: t1|acq(l)| should be the thread's next event in the trace, event 1, "
                  "t1|acq(l)|a1");
    check_reading("a|w4(x=1)|\n", "a|w(x=1)|\n",
                  "w.std:1: a|w(x=1)| should be the thread's next event in the trace, event 1, "
                  "a|w4(x=1)|");
    check_reading("a|w(x=1)|\n", "a|w(x=2)|\n",
                  "w.std:1: a|w(x=2)| should be the thread's next event in the trace, event 1, "
                  "a|w(x=1)|");
    check_reading("a|w(x=0)|\n", "a|w(x)|\n",
                  "w.std:1: a|w(x)| should be the thread's next event in the trace, event 1, "
                  "a|w(x=0)|");
    check_reading(two_scopes, "t3|acq(l)|\n", "w.std:1: there is no thread t3 in the trace");
    check_reading("a|w(x)|\na|fork(b)|\n", "\na|w(x)|\na|fork(b)|\na|w(x)|\n",
                  "w.std:4: thread a has no more events in the trace");
    check_reading("a|fork(b)|\n", "b|w(x)|\n", "w.std:1: thread b has no events in the trace");
    /* What the cursor itself refuses. */
    check_reading(two_scopes, "t1|acq(l)|a1\nrubbish\n", "w.std:2: no '|' after the thread");
    /* A witness need not be a run to be read: the checker judges it. */
    check_reading(two_scopes, "t1|acq(l)|a1\nt2|acq(l)|b1\n", NULL);
}

static void test_hostile_heads(void **state) {
    (void)state;
    check_reading(races, HEAD, "w.std:1: a witness without a claim");
    check_reading(races, "\n" HEAD "# question: race\nm|fork(a)|\n",
                  "w.std:2: a witness without a claim");
    check_reading(races, "# claim: race 2 3\n",
                  "w.std:1: a claim without '# heddle witness 1' before it");
    check_reading(races, "# heddle witness 2\n# claim: race 2 3\n",
                  "w.std:1: a witness of version '2', which is not known");
    check_reading(races, HEAD HEAD, "w.std:2: a second 'heddle witness' line");
    check_reading(races, HEAD "# claim: race 2 3\n# claim: race 2 3\n", "w.std:3: a second claim");
    check_reading(races, HEAD "# claim: race 2 3\n# verdict: yes\n# verdict: no\n",
                  "w.std:4: a second verdict");
    check_reading(races, HEAD "# question: a\n# question: b\n", "w.std:3: a second question");
    check_reading(races, HEAD "m|fork(a)|\n# claim: race 2 3\n",
                  "w.std:3: the claim of a witness must come before its events");
    check_reading(races, "m|fork(a)|\n" HEAD,
                  "w.std:2: the first line of a witness must come before its events");
    check_reading(races, HEAD "# claim:\n", "w.std:2: unknown claim ''");
    check_reading(races, HEAD "# claim: assertion 4 fails\n",
                  "w.std:2: unknown claim 'assertion 4 fails'");
    check_reading(races, HEAD "# claim: race 2 8\n",
                  "w.std:2: bad claim: event 8, m|acq(l)|, accesses no variable");
    check_reading(races, HEAD "# claim: race 2 184467440737095516160\n",
                  "w.std:2: bad claim: there is no event 184467440737095516160 in the trace, which "
                  "has 8");
    check_reading(races, HEAD "# claim: final read of \x1b[2J sees 1\n",
                  "w.std:2: bad claim: there is no variable '\\x1b[2J' in the trace");
    /* Unknown keys, and keys behind the events, are comments. */
    check_reading(races, HEAD "# claim: race 2 3\n# colour: blue\nm|fork(a)|\n# verdict: x\n",
                  NULL);
}

/* A file that is cut anywhere is read or refused, never more. */
static void test_cut_files(void **state) {
    (void)state;
    static const char whole[] = HEAD "# question: read\n# claim: read 3 sees 5, writer 1, "
                                     "challenger 4, order wcr\nm|w(x)|\nb|w(x)|\nb|w(x)|\n";
    hd_trace trace;
    hd_trace_init(&trace);
    support_parse(&trace, reads);
    for (size_t size = 0; size < sizeof whole; size++) {
        char *copy = malloc(size ? size : 1); /* its end is the end of memory */
        assert_non_null(copy);
        memcpy(copy, whole, size);
        hd_witness witness;
        hd_witness_init(&witness);
        hd_error error = {{0}};
        if (hd_witness_read(&witness, &trace, copy, size, "w", &error))
            hd_witness_check(&witness, &trace, &error);
        else
            assert_true(error.text[0] != '\0');
        hd_witness_release(&witness);
        free(copy);
    }
    hd_trace_release(&trace);
}

/* A thousand wakes over a thousand notifies, and names too long to print. */
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
        cmocka_unit_test(test_claim_read),
        cmocka_unit_test(test_claim_read_that_does_not_fit),
        cmocka_unit_test(test_claim_final_read),
        cmocka_unit_test(test_claim_race),
        cmocka_unit_test(test_claim_state),
        cmocka_unit_test(test_claim_deadlock),
        cmocka_unit_test(test_claim_words),
        cmocka_unit_test(test_long_claims),
        cmocka_unit_test(test_claims_in_memory),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_empty_trace),
        cmocka_unit_test(test_save),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_hostile_heads),
        cmocka_unit_test(test_cut_files),
        cmocka_unit_test(test_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
