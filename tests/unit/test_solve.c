/*
 * The reordering solver where it has to search: choices that have nothing to do with
 * each other.  random_solve.c has the comparison with the definition.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "order/order.h"
#include "support_few.h"
#include "support_suite.h"
#include "support_traces.h"
#include "witness/witness.h"

/* With so many choices all combinations would take years. */
enum { KNOTS = 40, MOST_BRANCHES = 2000 };

static const uint64_t limit = (uint64_t)20 * 1000 * 1000 * 1000; /* about 20 s */

typedef struct puzzle {
    char text[64 * 1024];
    size_t used;
    uint32_t events;
    hd_order_query query;
} puzzle;

static void add(puzzle *p, const char *thread, uint32_t number, const char *event) {
    int length = snprintf(p->text + p->used, sizeof p->text - p->used, "%s%u|", thread, number);
    p->used += (size_t)length;
    for (; *event; event++) /* '#' stands for the number: a name of its own */
        p->used +=
            (size_t)(*event == '#'
                         ? snprintf(p->text + p->used, sizeof p->text - p->used, "%u", number)
                         : snprintf(p->text + p->used, sizeof p->text - p->used, "%c", *event));
    p->text[p->used++] = '\n';
    p->text[p->used] = '\0';
    p->events++;
}

/* Three threads that wait for each other in a circle if A takes its lock first, as it
 * did: B can be before A, or C before B, and nothing says which. */
static void add_knot(puzzle *p, uint32_t number) {
    uint32_t first = p->events;
    static const char *const a[] = {"acq(a#)", "w(m#)", "rel(a#)"};
    static const char *const b[] = {"acq(c#)", "acq(a#)", "rel(a#)", "rel(c#)"};
    static const char *const c[] = {"acq(c#)", "rel(c#)", "w(e#)"};
    for (size_t i = 0; i < sizeof a / sizeof *a; i++)
        add(p, "A", number, a[i]);
    for (size_t i = 0; i < sizeof b / sizeof *b; i++)
        add(p, "B", number, b[i]);
    for (size_t i = 0; i < sizeof c / sizeof *c; i++)
        add(p, "C", number, c[i]);
    hd_vec_push(&p->query.in, first + 3);
    hd_vec_push(&p->query.in, first + 7);
    hd_vec_push(&p->query.in, first + 10);
    hd_vec_push(&p->query.edges, (uint64_t)(first + 10) << 32 | (first + 2));
}

/* Two holds of one lock and two of another, each begun before those of the other lock
 * end: no order is one, but nothing is forced before a choice is made. */
static void add_contradiction(puzzle *p) {
    static const char *const threads[] = {"P", "Q", "R", "S"};
    uint32_t first = p->events + 1;
    for (size_t i = 0; i < 4; i++) {
        add(p, threads[i], 0, i < 2 ? "acq(p)" : "acq(q)");
        add(p, threads[i], 0, i < 2 ? "rel(p)" : "rel(q)");
    }
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t j = 2; j < 4; j++) {
            uint32_t one = first + 2 * i, other = first + 2 * j;
            hd_vec_push(&p->query.edges, (uint64_t)one << 32 | (other + 1));
            hd_vec_push(&p->query.edges, (uint64_t)other << 32 | (one + 1));
        }
}

/* The answer, and the branches it took; a schedule is checked. */
static enum hd_order_answer solve(puzzle *p, uint64_t *branches) {
    hd_trace trace;
    hd_order order;
    hd_order_space space;
    hd_error error = {0};
    hd_trace_init(&trace);
    support_parse(&trace, p->text);
    hd_order_init(&order, &trace);
    assert_true(hd_order_need(&order, HD_ORDER_SCOPES | HD_ORDER_HELD, SIZE_MAX, &error));
    assert_true(hd_order_space_init(&space, &order, NULL, SIZE_MAX, &error));
    hd_order_solver *solver = hd_order_solver_create(&space);
    p->query.limit = limit;
    enum hd_order_answer answer = hd_order_solve(solver, &p->query);
    *branches = hd_order_solver_effort(solver)->branches;
    if (answer == HD_ORDER_FEASIBLE) {
        hd_witness witness;
        hd_witness_init(&witness);
        hd_order_solver_schedule(solver, &witness.schedule);
        assert_true(hd_witness_check(&witness, &trace, &error));
        hd_witness_release(&witness);
    }
    hd_order_solver_free(solver);
    hd_order_space_release(&space);
    hd_order_release(&order);
    hd_trace_release(&trace);
    hd_order_query_release(&p->query);
    return answer;
}

static void knots_are_solved(void **state) {
    (void)state;
    static puzzle p;
    uint64_t branches;
    p = (puzzle){0};
    for (uint32_t i = 0; i < KNOTS; i++)
        add_knot(&p, i);
    assert_int_equal(solve(&p, &branches), HD_ORDER_FEASIBLE);
    assert_in_range(branches, KNOTS, 2 * (uintmax_t)KNOTS);
}

static void contradiction_needs_a_branch(void **state) {
    (void)state;
    static puzzle p;
    uint64_t branches;
    p = (puzzle){0};
    add_contradiction(&p);
    assert_int_equal(solve(&p, &branches), HD_ORDER_INFEASIBLE);
    assert_int_not_equal(branches, 0);
}

static void knots_do_not_multiply(void **state) {
    (void)state;
    static puzzle p;
    uint64_t branches;
    p = (puzzle){0};
    for (uint32_t i = 0; i < KNOTS; i++)
        add_knot(&p, i);
    add_contradiction(&p);
    assert_int_equal(solve(&p, &branches), HD_ORDER_INFEASIBLE);
    assert_in_range(branches, 1, MOST_BRANCHES);
}

/* More decisions than a word has bits. */
static void many_knots_do_not_multiply(void **state) {
    (void)state;
    static puzzle p;
    uint64_t branches;
    p = (puzzle){0};
    for (uint32_t i = 0; i < support_few(2 * KNOTS, KNOTS + 26); i++)
        add_knot(&p, i);
    add_contradiction(&p);
    assert_int_equal(solve(&p, &branches), HD_ORDER_INFEASIBLE);
    assert_in_range(branches, 1, MOST_BRANCHES);
}

SUPPORT_SUITE(test_solve) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knots_are_solved),
        cmocka_unit_test(contradiction_needs_a_branch),
        cmocka_unit_test(knots_do_not_multiply),
        cmocka_unit_test(many_knots_do_not_multiply),
    };
    return cmocka_run_group_tests_name("solve", tests, NULL, NULL);
}
