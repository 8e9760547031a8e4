/*
 * The claims of witnesses: each shown, and missed in each way; their text form there and back.
 */
#include "test_witness_tools.h"

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
    CHECK(
        two_scopes, {"assertion 3", "", "unknown claim 'assertion 3'"},
        {"", "", "unknown claim ''"}, {"Race 1 2", "", "unknown claim 'Race 1 2'"},
        {"race 1", "", "bad claim: it should read 'race EVENT EVENT[, decisions kept]'"},
        {"race 1 2 3", "", "bad claim: it should read 'race EVENT EVENT[, decisions kept]'"},
        {"race 1 -2", "", "bad claim: it should read 'race EVENT EVENT[, decisions kept]'"},
        {"race  1 2", "", "bad claim: it should read 'race EVENT EVENT[, decisions kept]'"},
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
        {"reordering, reads", "",
         "bad claim: it should read 'reordering[, reads kept|let go|, decisions kept]'"},
        {"deadlock", "", "bad claim: it should read 'deadlock EVENT EVENT ...[, decisions kept]'"},
        {"race", "", "bad claim: it should read 'race EVENT EVENT[, decisions kept]'"},
        {"deadlock ", "", "bad claim: it should read 'deadlock EVENT EVENT ...[, decisions kept]'"},
        {"deadlock 1 4 ", "",
         "bad claim: it should read 'deadlock EVENT EVENT ...[, decisions kept]'"});
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

SUPPORT_SUITE(test_witness_claims) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_claim_read),
        cmocka_unit_test(test_claim_read_that_does_not_fit),
        cmocka_unit_test(test_claim_final_read),
        cmocka_unit_test(test_claim_race),
        cmocka_unit_test(test_claim_state),
        cmocka_unit_test(test_claim_deadlock),
        cmocka_unit_test(test_long_claims),
        cmocka_unit_test(test_claim_words),
        cmocka_unit_test(test_claims_in_memory),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_empty_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
