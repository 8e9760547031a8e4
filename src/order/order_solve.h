/*
 * The reordering solver: given events that must be in, events that must be next
 * or out, and extra order, a reordering of the trace (doc/witness.md), or the
 * proof that none exists.
 *
 *     hd_order_solver *solver = hd_order_solver_create(&space);
 *     hd_order_query query = {0};
 *     hd_vec_push(&query.in, c);
 *     hd_vec_push(&query.next, r);
 *     if (hd_order_solve(solver, &query) == HD_ORDER_FEASIBLE)
 *         hd_order_solver_schedule(solver, &schedule);
 *
 * How.  The set starts as what the events asked for need and grows.  On it lie
 * the edges that the trace fixes, those asked for, and those forced by them:
 *
 *   holds A, B of one lock that conflict   A.acq before B.rel forces A.rel before B.acq
 *   a hold A that stays open               every other one is before it, or A is closed;
 *                                          all of its thread from A.acq on is within it
 *   read r of write w, another write c     c before r forces c before w,
 *                                          w before c forces r before c
 *   take of a semaphore                    order_solve_units.c
 *
 * (The first is the induced edge of Kahlon and Wang, "Universal Causality
 * Graphs", CAV 2010, as Sinha, Malik and Gupta use it.)  What is forced is looked for only
 * where it can matter: a cycle has an edge that goes back in the trace, so all of
 * its events lie between the first target and the last source of such edges.
 *
 * First of all the set is tried as it is in the trace, with holds closed that others
 * follow (order_solve_straight.c); that settles most questions.
 *
 * Then the set is run in the order of the trace, as far as the edges let it: a
 * write waits while a read in the set still has to see the value it would
 * replace, an acquire whose hold stays open waits for all others of its
 * lock.  If that gets stuck, threads wait for each other in a circle, and one of
 * the waits in it was a choice: a pair of holds (choice edges, in the words of
 * Sinha et al.), or a write against a write and its read.  The search branches on
 * that pair, the other way round first, and goes on with what it then knows.
 * Both ways are tried, each adds an edge, so the search ends, and it is complete.
 * Of each contradiction it learns which decisions it needs, and goes back to the last
 * of these: choices that have nothing to do with each other do not multiply.
 *
 * Guarantees, which the tests cite:
 *   S1  feasible: the schedule is a reordering with what was asked.
 *   S2  infeasible: none exists.
 *   S3  unknown is answered only when the work limit is passed, when the clock is over
 *       (base_clock.h), or when only an answer that is straight or without a search was asked for.
 *   S4  straight: a sync-preserving answer is found if there is one, in a trace without
 *       semaphores.
 */
#ifndef HD_ORDER_SOLVE_H
#define HD_ORDER_SOLVE_H

#include "order_space.h"

enum hd_order_answer { HD_ORDER_INFEASIBLE, HD_ORDER_FEASIBLE, HD_ORDER_UNKNOWN };

typedef struct hd_order_query {
    hd_vec_u32 in;    /* these are in it */
    hd_vec_u32 next;  /* these are next after it: not in it, but all that they need is */
    hd_vec_u32 out;   /* these are not in it */
    hd_vec_u64 edges; /* before << 32 | after, both in it */
    bool whole;       /* all events are in it */
    bool straight;    /* only look whether the trace's own order does; else it is unknown */
    bool unsearched;  /* make no choice: what needs one is unknown */
    /* The last write of the variable `of` in it is `last`, 0 for none, if asked. */
    bool ends_with;
    uint32_t of, last;
    bool known;     /* there is such a reordering: the clock does not end the search for it */
    uint64_t limit; /* work allowed, about a nanosecond a unit; 0: none */
} hd_order_query;

void hd_order_query_clear(hd_order_query *query);
void hd_order_query_release(hd_order_query *query);

typedef struct hd_order_solver hd_order_solver;

/* The space must stay.  One thread at a time. */
hd_order_solver *hd_order_solver_create(const hd_order_space *space);
void hd_order_solver_free(hd_order_solver *solver);

enum hd_order_answer hd_order_solve(hd_order_solver *solver, const hd_order_query *query);

/* After HD_ORDER_FEASIBLE, until the next query: the schedule, and how many events
 * of each thread it has. */
void hd_order_solver_schedule(const hd_order_solver *solver, hd_vec_u32 *schedule);
const uint32_t *hd_order_solver_set(const hd_order_solver *solver);

/* How many events of each thread that schedule has before an event of it. */
void hd_order_solver_counts_before(const hd_order_solver *solver, uint32_t event, uint32_t *counts);

/* Is a before b in it?  Both are in it. */
bool hd_order_solver_before(const hd_order_solver *solver, uint32_t a, uint32_t b);

/* What it took so far, all queries together. */
typedef struct hd_order_effort {
    uint64_t queries;
    uint64_t closed;   /* answered by the closure alone */
    uint64_t straight; /* the trace's own order did */
    uint64_t runs;     /* runs of a set */
    uint64_t branches;
    uint64_t work;
} hd_order_effort;

static inline void hd_order_effort_add(hd_order_effort *to, const hd_order_effort *more) {
    to->queries += more->queries;
    to->closed += more->closed;
    to->straight += more->straight;
    to->runs += more->runs;
    to->branches += more->branches;
    to->work += more->work;
}

static inline hd_order_effort hd_order_effort_since(const hd_order_effort *now,
                                                    const hd_order_effort *before) {
    return (hd_order_effort){.queries = now->queries - before->queries,
                             .closed = now->closed - before->closed,
                             .straight = now->straight - before->straight,
                             .runs = now->runs - before->runs,
                             .branches = now->branches - before->branches,
                             .work = now->work - before->work};
}

/* As bytes, for another process, and back. */
static inline void hd_order_effort_put(const hd_order_effort *effort, hd_vec_char *to) {
    hd_bytes_put(to, effort->queries);
    hd_bytes_put(to, effort->closed);
    hd_bytes_put(to, effort->straight);
    hd_bytes_put(to, effort->runs);
    hd_bytes_put(to, effort->branches);
    hd_bytes_put(to, effort->work);
}

static inline hd_order_effort hd_order_effort_get(hd_bytes *from) {
    hd_order_effort effort;
    effort.queries = hd_bytes_get(from, UINT64_MAX);
    effort.closed = hd_bytes_get(from, UINT64_MAX);
    effort.straight = hd_bytes_get(from, UINT64_MAX);
    effort.runs = hd_bytes_get(from, UINT64_MAX);
    effort.branches = hd_bytes_get(from, UINT64_MAX);
    effort.work = hd_bytes_get(from, UINT64_MAX);
    return effort;
}

const hd_order_effort *hd_order_solver_effort(const hd_order_solver *solver);

/* The same as one number, which is what a limit is on. */
uint64_t hd_order_solver_spent(const hd_order_solver *solver);

#endif
