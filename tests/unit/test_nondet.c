/*
 * nondet on the figures of Sinha, Malik and Gupta and on traces where its two answers
 * part.  The figures are drawings; where a trace is made from one, the comment
 * says which part of it is which.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "nondet/nondet.h"
#include "support_suite.h"
#include "support_traces.h"

typedef struct answer {
    hd_trace trace;
    hd_nondet_options options;
    hd_nondet_result result;
    HD_VEC(hd_witness_claim) claims;
} answer;

static int keep(void *context, hd_finding *finding) {
    answer *a = context;
    hd_vec_push(&a->claims, finding->witness->claim);
    return 0;
}

static void ask(answer *a, const char *text, bool paper) {
    hd_error error = {""};
    *a = (answer){0};
    hd_trace_init(&a->trace);
    support_parse(&a->trace, text);
    hd_nondet_options_init(&a->options);
    a->options.all = true;
    a->options.paper = paper;
    assert_true(hd_nondet_run(&a->trace, &a->options, &a->result, keep, a, &error));
    assert_int_equal(a->result.witnesses.possible, 3 * a->result.triplets);
    assert_int_equal(a->result.witnesses.unknown, 0);
}

/* Once more for one read: of this variable by this thread. */
static void ask_one(answer *a, const char *text, bool paper, const char *variable,
                    const char *thread) {
    hd_error error = {""};
    ask(a, text, paper);
    hd_nondet_result_release(&a->result);
    hd_vec_clear(&a->claims);
    a->options.variable = hd_trace_name(&a->trace, HEDDLE_CLASS_VARIABLE, "%s", variable);
    a->options.thread = hd_trace_name(&a->trace, HEDDLE_CLASS_THREAD, "%s", thread);
    assert_true(hd_nondet_run(&a->trace, &a->options, &a->result, keep, a, &error));
}

static void release(answer *a) {
    hd_vec_release(&a->claims);
    hd_nondet_result_release(&a->result);
    hd_trace_release(&a->trace);
}

static bool has(const answer *a, enum hd_witness_order order, uint32_t read, uint32_t challenger) {
    for (size_t i = 0; i < a->claims.length; i++)
        if (a->claims.data[i].order == order && a->claims.data[i].read == read &&
            a->claims.data[i].challenger == challenger)
            return true;
    return false;
}

/* ---- Figure 1: race-free, but not deterministic ---- */

static const char *const figure_1 = "a|acq(l)|\n"
                                    "a|w(x=1)|\n"
                                    "a|rel(l)|\n"
                                    "b|acq(l)|\n"
                                    "b|r(x=1)|\n"
                                    "b|rel(l)|\n";

static void test_figure_1(void **state) {
    (void)state;
    for (int paper = 0; paper < 2; paper++) {
        answer a;
        ask(&a, figure_1, paper);
        /* The scopes swap: the read sees the initial value, the write not yet there. */
        assert_true(has(&a, HD_WITNESS_CR, 5, 0));
        assert_false(has(&a, HD_WITNESS_WCR, 5, 0));
        assert_int_equal(a.result.nondeterministic_reads, 1);
        assert_int_equal(a.result.nondeterministic_final_reads, 0);
        assert_int_equal(a.result.triplets, 2);
        release(&a);
    }
    answer a;
    ask(&a, figure_1, false);
    /* Both next would be both under the lock. */
    assert_false(has(&a, HD_WITNESS_CRW, 5, 0));
    assert_int_equal(a.result.witnesses.feasible, 1);
    release(&a);
}

/* ---- Figure 3: program order, sync edges and a read-couple of three threads ---- */

static void test_figure_3(void **state) {
    (void)state;
    answer a;
    /* The fork and the join order everything but b and c: only z is open. */
    ask(&a,
        "a|w(x=1)|\n"
        "a|fork(b)|\n"
        "a|fork(c)|\n"
        "b|r(x=1)|\n"
        "b|w(z=1)|\n"
        "c|r(z=1)|\n"
        "c|w(y=1)|\n"
        "a|join(b)|\n"
        "a|join(c)|\n"
        "a|r(y=1)|\n",
        false);
    assert_int_equal(a.result.nondeterministic_reads, 1);
    assert_true(has(&a, HD_WITNESS_CR, 6, 0));
    assert_true(has(&a, HD_WITNESS_CRW, 6, 0));
    assert_int_equal(a.result.witnesses.feasible, 2);
    release(&a);
}

/* ---- Figure 4: the three cases of two scopes ---- */

static void test_figure_4(void **state) {
    (void)state;
    answer a;
    /* (a) one scope: w and c stand as they are, and c is between w and r. */
    ask_one(&a,
            "a|acq(l)|\n"
            "a|w(x=1)|\n"
            "a|w(x=2)|\n"
            "a|rel(l)|\n"
            "b|acq(l)|\n"
            "b|r(x=2)|\n"
            "b|rel(l)|\n",
            true, "x", "b");
    assert_true(has(&a, HD_WITNESS_CR, 6, 0));
    assert_false(has(&a, HD_WITNESS_CR, 6, 2));
    assert_false(has(&a, HD_WITNESS_WCR, 6, 2));
    release(&a);
    /* (b) two scopes of one lock: c's as a whole between w's and r's. */
    ask_one(&a,
            "a|acq(l)|\n"
            "a|w(x=1)|\n"
            "a|rel(l)|\n"
            "b|acq(l)|\n"
            "b|r(x=1)|\n"
            "b|rel(l)|\n"
            "c|acq(l)|\n"
            "c|w(x=2)|\n"
            "c|rel(l)|\n",
            true, "x", "b");
    assert_true(has(&a, HD_WITNESS_WCR, 5, 8));
    assert_true(has(&a, HD_WITNESS_CR, 5, 8));
    release(&a);
    /* (c) two locks: only w, c and r themselves are ordered. */
    ask_one(&a,
            "a|acq(k)|\n"
            "a|w(x=1)|\n"
            "a|rel(k)|\n"
            "b|r(x=1)|\n"
            "c|acq(l)|\n"
            "c|w(x=2)|\n"
            "c|rel(l)|\n",
            true, "x", "b");
    assert_true(has(&a, HD_WITNESS_WCR, 4, 6));
    assert_true(has(&a, HD_WITNESS_CRW, 4, 6));
    release(&a);
}

/* ---- Figure 5: an induced edge closes a cycle ---- */

static void test_figure_5(void **state) {
    (void)state;
    /* w1 before the scope of w2; r2 in a scope before r1.  With r1 before w1 the edge
     * from r1 to w1, the scopes, and the edge that (w2, r2) induces are a cycle. */
    const char *text = "c|w(x=1)|\n"
                       "c|fork(a)|\n"
                       "c|fork(b)|\n"
                       "a|w(x=2)|w1\n"
                       "a|acq(l)|\n"
                       "a|w(y=1)|w2\n"
                       "a|rel(l)|\n"
                       "b|acq(l)|\n"
                       "b|r(y=1)|r2\n"
                       "b|rel(l)|\n"
                       "b|r(x=2)|r1\n";
    for (int paper = 0; paper < 2; paper++) {
        answer a;
        ask_one(&a, text, paper, "x", "b");
        assert_int_equal(a.result.witnesses.feasible, 0);
        assert_int_equal(a.result.witnesses.cyclic, a.result.witnesses.possible);
        release(&a);
    }
}

/* ---- Figures 6 and 7: every combination of two choices is a cycle ---- */

static const char *const figure_6 =
    /* x leads into the ends of both scopes of l1, their starts (q1, q2) into the ends of
     * both scopes of l2, and the starts of those to y.  Whichever scope of a lock
     * is first, x leads to y. */
    "m|w(v=1)|\n"
    "m|fork(x)|\n"
    "t1|acq(l1)|a1\n"
    "t1|send(q1)|\n"
    "t1|send(q1)|\n"
    "x|r(v=1)|x\n"
    "x|send(x1)|\n"
    "x|send(x2)|\n"
    "t1|recv(x1)|\n"
    "t1|rel(l1)|b1\n"
    "t2|acq(l1)|a2\n"
    "t2|send(q2)|\n"
    "t2|send(q2)|\n"
    "t2|recv(x2)|\n"
    "t2|rel(l1)|b2\n"
    "t3|acq(l2)|a3\n"
    "t3|send(y3)|\n"
    "t3|recv(q1)|\n"
    "t3|recv(q2)|\n"
    "t3|rel(l2)|b3\n"
    "t4|acq(l2)|a4\n"
    "t4|send(y4)|\n"
    "t4|recv(q1)|\n"
    "t4|recv(q2)|\n"
    "t4|rel(l2)|b4\n"
    "y|recv(y3)|\n"
    "y|recv(y4)|\n"
    "y|w(v=2)|y\n";

static void test_figure_6(void **state) {
    (void)state;
    answer a;
    /* The edge from y to x alone: no cycle, two choices, four graphs, all cyclic. */
    ask_one(&a, figure_6, true, "v", "x");
    char *possible = hd_nondet_possible_graphs(&a.result);
    assert_int_equal(a.result.witnesses.with_choice, 1);
    assert_int_equal(a.result.witnesses.feasible, 0);
    assert_string_equal(possible, "4");
    assert_in_range(a.result.explored_graphs, 2, 4);
    free(possible);
    release(&a);
    /* The solver needs no search: a schedule may end inside a scope, but x is before y
     * in all of them. */
    ask_one(&a, figure_6, false, "v", "x");
    assert_int_equal(a.result.witnesses.feasible, 0);
    release(&a);
}

/* ---- Figure 8: only choices on a walk against a witness edge count ---- */

static void test_figure_8(void **state) {
    (void)state;
    answer a;
    /* The scopes of l and the read and writes lie apart: S_choice is empty. */
    ask_one(&a,
            "a|w(x=1)|\n"
            "b|r(x=1)|\n"
            "c|w(x=2)|\n"
            "d|acq(l)|\n"
            "d|rel(l)|\n"
            "e|acq(l)|\n"
            "e|rel(l)|\n",
            true, "x", "b");
    assert_int_equal(a.result.witnesses.with_choice, 0);
    assert_true(has(&a, HD_WITNESS_WCR, 2, 3));
    release(&a);
    /* Against the edge from r to w of crw a walk leads from w over two choices to r.
     * The first graph, as in the trace, is a cycle, the second is not.  (A single choice
     * on a walk would be no choice, as the edge induces one way.) */
    ask_one(&a,
            "a|w(x=1)|\n"
            "a|acq(k)|\n"
            "a|rel(k)|\n"
            "d|acq(k)|\n"
            "d|rel(k)|\n"
            "d|acq(l)|\n"
            "d|rel(l)|\n"
            "b|acq(l)|\n"
            "b|rel(l)|\n"
            "b|r(x=1)|\n",
            true, "x", "b");
    assert_int_equal(a.result.witnesses.with_choice, 1);
    assert_int_equal(a.result.explored_graphs, 2);
    assert_true(has(&a, HD_WITNESS_CRW, 10, 0));
    release(&a);
}

/* ---- Where the two answers part ---- */

static void test_feasible_only_as_published(void **state) {
    (void)state;
    const char *text = "m|w(x=1)|\n"
                       "m|fork(a)|\n"
                       "m|fork(b)|\n"
                       "a|acq(l)|\n"
                       "a|r(x=1)|\n"
                       "a|r(z=0)|\n"
                       "a|rel(l)|\n"
                       "b|acq(l)|\n"
                       "b|w(x=2)|\n"
                       "b|w(z=2)|\n"
                       "b|rel(l)|\n";
    answer a;
    ask(&a, text, false);
    assert_true(has(&a, HD_WITNESS_WCR, 5, 9));
    assert_false(has(&a, HD_WITNESS_WCR, 6, 10));
    assert_int_equal(a.result.nondeterministic_reads, 1);
    release(&a);
    ask_one(&a, text, true, "z", "a");
    assert_int_equal(a.result.witnesses.feasible, 1);
    assert_int_equal(a.result.nondeterministic_reads, 1);
    assert_int_equal(a.claims.length, 0); /* there is no schedule, so it is not found */
    release(&a);
}

static void test_feasible_only_exactly(void **state) {
    (void)state;
    const char *text = "m|w(x=1)|\n"
                       "m|fork(a)|\n"
                       "m|fork(b)|\n"
                       "a|r(x=1)|\n"
                       "a|acq(l)|\n"
                       "a|w(q=1)|\n"
                       "a|rel(l)|\n"
                       "b|acq(l)|\n"
                       "b|w(x=2)|\n"
                       "b|r(q=1)|\n"
                       "b|rel(l)|\n";
    answer a;
    ask_one(&a, text, false, "x", "a");
    assert_true(has(&a, HD_WITNESS_WCR, 4, 9));
    assert_int_equal(a.result.witnesses.feasible, 1);
    release(&a);
    ask_one(&a, text, true, "x", "a");
    assert_int_equal(a.result.witnesses.feasible, 0);
    assert_int_equal(a.result.witnesses.cyclic, a.result.witnesses.possible);
    release(&a);
}

/* ---- The rest ---- */

static void test_final_read(void **state) {
    (void)state;
    answer a;
    ask(&a,
        "a|w(x=1)|\n"
        "b|w(x=2)|\n",
        false);
    assert_true(has(&a, HD_WITNESS_WCR, 0, 1));
    assert_int_equal(a.result.reads, 0);
    assert_int_equal(a.result.final_reads, 1);
    assert_int_equal(a.result.nondeterministic_final_reads, 1);
    assert_int_equal(a.result.triplets, 2);
    release(&a);
}

static void test_values(void **state) {
    (void)state;
    hd_error error = {""};
    const char *const texts[] = {"a|w(x=1)|\nb|r(x=1)|\nc|w(x=1)|\n",
                                 "a|w(x=1)|\nb|r(x=1)|\nc|w(x=2)|\n"};
    for (uint64_t differs = 0; differs < 2; differs++) {
        answer a = {0};
        hd_trace_init(&a.trace);
        support_parse(&a.trace, texts[differs]);
        hd_nondet_options_init(&a.options);
        a.options.values = true;
        a.options.thread = hd_trace_name(&a.trace, HEDDLE_CLASS_THREAD, "b");
        assert_true(hd_nondet_run(&a.trace, &a.options, &a.result, keep, &a, &error));
        /* The initial value is not known, so it counts as another one: it is seen in both. */
        assert_int_equal(a.result.nondeterministic_reads, 1);
        assert_int_equal(a.claims.length, 1);
        assert_int_equal(a.claims.data[0].sees, differs ? 3 : 0);
        release(&a);
    }
}

/* What the solver was not allowed to decide is unknown, and never looks decided. */
static void test_limit(void **state) {
    (void)state;
    hd_error error = {""};
    answer a = {0};
    hd_trace_init(&a.trace);
    support_parse(&a.trace, "a|w(x=1)|\nb|w(x=2)|\n");
    hd_nondet_options_init(&a.options);
    a.options.limit = 1;
    assert_true(hd_nondet_run(&a.trace, &a.options, &a.result, keep, &a, &error));
    assert_int_equal(a.result.witnesses.unknown, 1);
    assert_int_equal(a.result.witnesses.infeasible, 5);
    assert_int_equal(a.result.unknown_reads, 1);
    assert_int_equal(a.result.nondeterministic_final_reads, 0);
    assert_int_equal(a.claims.length, 0);
    release(&a);
}

/* A read-modify-write is no challenger of itself. */
static void test_rmw(void **state) {
    (void)state;
    answer a;
    ask(&a,
        "a|rmw(x=1)|\n"
        "b|rmw(x=2)|\n",
        false);
    /* Event 1: challenger 2.  Event 2: challenger 0.  Final: 0 and 1. */
    assert_int_equal(a.result.triplets, 4);
    assert_false(has(&a, HD_WITNESS_WCR, 1, 2)); /* 2 reads from 1, so it comes after it */
    assert_true(has(&a, HD_WITNESS_CR, 2, 0));
    assert_true(has(&a, HD_WITNESS_CRW, 2, 0));
    assert_int_equal(a.result.witnesses.feasible, 2);
    release(&a);
}

static void test_grouped(void **state) {
    (void)state;
    hd_error error = {""};
    answer a = {0};
    hd_finding_list list;
    hd_finding_list_init(&list, 0);
    hd_trace_init(&a.trace);
    support_parse(&a.trace, "a|w(x=1)|1\nb|r(x=1)|7\nc|r(x=1)|7\nd|r(x=1)|8\n");
    hd_nondet_options_init(&a.options);
    a.options.grouped = true;
    assert_true(hd_nondet_run(&a.trace, &a.options, &a.result, hd_finding_list_add, &list, &error));
    assert_int_equal(a.result.nondeterministic_reads, 3);
    assert_int_equal(list.found.length, 2);
    assert_int_equal(list.found.data[0].count, 2);
    assert_non_null(list.found.data[0].witness);
    hd_finding_list_release(&list);
    release(&a);
}

static void test_possible_graphs(void **state) {
    (void)state;
    hd_nondet_result result = {0};
    hd_vec_resize(&result.choices, 101);
    result.choices.data[1] = 1;
    result.choices.data[100] = 3;
    char *digits = hd_nondet_possible_graphs(&result);
    assert_string_equal(digits, "3802951800684688204490109616130"); /* 3 * 2^100 + 2 */
    free(digits);
    hd_nondet_result_release(&result);
}

SUPPORT_SUITE(test_nondet) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_1),
        cmocka_unit_test(test_figure_3),
        cmocka_unit_test(test_figure_4),
        cmocka_unit_test(test_figure_5),
        cmocka_unit_test(test_figure_6),
        cmocka_unit_test(test_figure_8),
        cmocka_unit_test(test_feasible_only_as_published),
        cmocka_unit_test(test_feasible_only_exactly),
        cmocka_unit_test(test_final_read),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_rmw),
        cmocka_unit_test(test_grouped),
        cmocka_unit_test(test_possible_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
