/*
 * The reordering solver: closure, search, answer.
 */
#include "order_solve.h"

#include <string.h>

#include "order_solve_state.h"

void hd_order_query_clear(hd_order_query *query) {
    hd_vec_clear(&query->in);
    hd_vec_clear(&query->next);
    hd_vec_clear(&query->out);
    hd_vec_clear(&query->edges);
    query->whole = query->straight = query->unsearched = query->ends_with = false;
    query->known = false;
    query->of = query->last = 0;
}

void hd_order_query_release(hd_order_query *query) {
    hd_vec_release(&query->in);
    hd_vec_release(&query->next);
    hd_vec_release(&query->out);
    hd_vec_release(&query->edges);
    *query = (hd_order_query){0};
}

hd_order_solver *hd_order_solver_create(const hd_order_space *space) {
    hd_order_solver *solver = HD_NEW(hd_order_solver);
    size_t threads = (size_t)space->threads + 1;
    solver->space = space;
    hd_order_chains_init(&solver->chains, space);
    solver->set = HD_NEW_ARRAY(uint32_t, threads);
    solver->cap = HD_NEW_ARRAY(uint32_t, threads);
    solver->done = HD_NEW_ARRAY(uint32_t, threads);
    solver->next = HD_NEW_ARRAY(uint32_t, threads);
    solver->edge_at = HD_NEW_ARRAY(uint32_t, threads);
    solver->blocked = HD_NEW_ARRAY(struct hd_order_blocked, threads);
    solver->cells = HD_NEW_ARRAY(struct hd_order_cell_state, (size_t)space->cells + 1);
    solver->forced = HD_NEW_ARRAY(uint32_t, threads);
    solver->near_holds = HD_NEW_ARRAY(uint32_t, (size_t)space->holds.count + 1);
    solver->near_writes = HD_NEW_ARRAY(uint32_t, (size_t)space->writes.count + 1);
    solver->locks = HD_NEW_ARRAY(struct hd_order_lock_state, (size_t)space->index->locks.count + 1);
    solver->units = HD_NEW_ARRAY(struct hd_order_unit_state, (size_t)space->units.semaphores + 1);
    return solver;
}

void hd_order_solver_free(hd_order_solver *solver) {
    if (!solver)
        return;
    hd_order_chains_release(&solver->chains);
    hd_vec_release(&solver->levels);
    hd_vec_release(&solver->order);
    free(solver->set);
    free(solver->cap);
    free(solver->done);
    free(solver->next);
    free(solver->edge_at);
    free(solver->blocked);
    free(solver->cells);
    hd_order_solver_free(solver->probe);
    hd_vec_release(&solver->decisions);
    free(solver->forced);
    free(solver->near_holds);
    free(solver->near_writes);
    free(solver->locks);
    free(solver->units);
    free(solver);
}

/* ---- The query ---- */

static void lower_cap(hd_order_solver *solver, uint32_t event) {
    const hd_order_space *space = solver->space;
    const heddle_event *e = hd_order_event(space, event);
    uint32_t most = hd_order_position(space, event) - 1;
    if (e->kind == HEDDLE_WAIT && most &&
        hd_order_releases_to_wait(space->index, hd_order_event_at(space, e->thread, most)))
        most--;
    if (solver->cap[e->thread] > most)
        solver->cap[e->thread] = most;
}

static void set_caps(hd_order_solver *solver, const hd_order_query *query) {
    const hd_order_space *space = solver->space;
    for (uint32_t t = 0; t < space->threads; t++)
        solver->cap[t] = hd_order_space_length(space, t);
    for (size_t i = 0; i < query->next.length; i++)
        lower_cap(solver, query->next.data[i]);
    for (size_t i = 0; i < query->out.length; i++)
        lower_cap(solver, query->out.data[i]);
}

/* The least set with what was asked for; false if it is above a cap. */
static bool close_set(hd_order_solver *solver, const hd_order_query *query) {
    const hd_order_space *space = solver->space;
    for (uint32_t t = 0; t < space->threads; t++)
        solver->set[t] = query->whole ? hd_order_space_length(space, t) : 0;
    for (size_t i = 0; i < query->next.length; i++)
        hd_order_space_before(space, solver->set, query->next.data[i]);
    for (size_t i = 0; i < query->in.length; i++)
        hd_order_space_include(space, solver->set, query->in.data[i]);
    if (query->ends_with && query->last)
        hd_order_space_include(space, solver->set, query->last);
    for (uint32_t t = 0; t < space->threads; t++)
        if (solver->set[t] > solver->cap[t])
            return false;
    return true;
}

/* What comes before the wait of a condition wait comes before its release, with
 * which it is one step. */
static uint32_t start_of_step(const hd_order_space *space, uint32_t event, uint32_t before) {
    uint32_t position = hd_order_position(space, event);
    if (position == 1)
        return event;
    uint32_t previous =
        hd_order_event_at(space, hd_order_event(space, event)->thread, position - 1);
    return previous != before && hd_order_releases_to_wait(space->index, previous) ? previous
                                                                                   : event;
}

/* Stops early when the clock is over; the answer is then unknown. */
static bool add_edges(hd_order_solver *solver, const hd_order_query *query) {
    for (size_t i = 0; i < query->edges.length && !hd_order_solve_late(solver); i++) {
        uint32_t before = (uint32_t)(query->edges.data[i] >> 32);
        uint32_t after = start_of_step(solver->space, (uint32_t)query->edges.data[i], before);
        if (!hd_order_solve_include(solver, before) || !hd_order_solve_include(solver, after) ||
            !hd_order_solve_edge(solver, before, after))
            return false;
    }
    return true;
}

/* ---- The search ---- */

/* A point to come back to. */
struct level {
    size_t trail, sets;
    uint32_t low, high;
};

static struct level enter_level(hd_order_solver *solver) {
    struct level level = {solver->chains.trail.length, solver->levels.length, solver->low,
                          solver->high};
    for (uint32_t t = 0; t < solver->space->threads; t++)
        hd_vec_push(&solver->levels, solver->set[t]);
    return level;
}

/* Below a level the set grows, and so does the window of edges that go back. */
HD_ASSERT_ONLY static bool grew_since(const hd_order_solver *solver, const struct level *level) {
    for (uint32_t t = 0; t < solver->space->threads; t++)
        if (solver->set[t] < solver->levels.data[level->sets + t])
            return false;
    return solver->high >= level->high && (!level->low || solver->low <= level->low);
}

static void leave_level(hd_order_solver *solver, const struct level *level) {
    assert(solver->levels.length == level->sets + solver->space->threads);
    assert(grew_since(solver, level));
    hd_order_chains_undo(&solver->chains, level->trail);
    memcpy(solver->set, solver->levels.data + level->sets,
           solver->space->threads * sizeof *solver->set);
    solver->levels.length = level->sets;
    solver->low = level->low;
    solver->high = level->high;
}

bool hd_order_solve_late(const hd_order_solver *solver) {
    return !solver->query->known && hd_clock_over();
}

bool hd_order_solve_over(const hd_order_solver *solver) {
    return hd_order_solver_spent(solver) >= solver->limit || hd_order_solve_late(solver);
}

static enum hd_order_answer search_choices(hd_order_solver *solver);

static enum hd_order_answer learn_from_failure(hd_order_solver *solver) {
    solver->conflict = hd_order_learn(solver);
    return HD_ORDER_INFEASIBLE;
}

/* One way of a choice, and all below it. */
static enum hd_order_answer try_way(hd_order_solver *solver, struct hd_order_way way) {
    struct level level = enter_level(solver);
    size_t depth = solver->decisions.length;
    (void)depth;
    solver->effort.branches++;
    hd_vec_push(&solver->decisions, (struct hd_order_decision){way, {{0}}});
    enum hd_order_answer answer =
        hd_order_solve_take(solver, way) ? search_choices(solver) : learn_from_failure(solver);
    solver->decisions.length--;
    assert(solver->decisions.length == depth);
    if (answer != HD_ORDER_FEASIBLE)
        leave_level(solver, &level);
    return answer;
}

/* Both ways of a choice; OPEN: the second was taken and the search goes on. */
enum outcome { OPEN, OVER };

static enum outcome decide_choice(hd_order_solver *solver, enum hd_order_answer *answer) {
    struct hd_order_choice choice = hd_order_solve_choice(solver);
    if (!choice.one) {
        *answer = learn_from_failure(solver);
        return OVER;
    }
    *answer = try_way(solver, choice.ways[0]);
    size_t depth = solver->decisions.length;
    if (*answer != HD_ORDER_INFEASIBLE || !hd_order_decisions_have(&solver->conflict, depth))
        return OVER; /* it fails without this way, so with the other one too */
    struct hd_order_decision left = {choice.ways[1], hd_order_learn_presence(solver, &choice)};
    hd_order_decisions_remove(&solver->conflict, depth);
    hd_order_decisions_join(&left.reason, &solver->conflict);
    hd_vec_push(&solver->decisions, left);
    if (hd_order_solve_take(solver, choice.ways[1]))
        return OPEN;
    *answer = learn_from_failure(solver);
    return OVER;
}

/* A failure is explained by decisions; where the one at hand is not among them its other
 * way would fail too.  Is this one explained by decisions above the depth alone? */
static bool is_explained(const hd_order_solver *solver, size_t depth) {
    for (size_t i = depth; i < HD_ORDER_DEEPEST; i++)
        if (hd_order_decisions_have(&solver->conflict, i))
            return false;
    return true;
}

/* Is the set within the caps, and has every event of it what it needs? */
static bool set_is_closed(const hd_order_solver *solver) {
    const hd_order_space *space = solver->space;
    for (uint32_t t = 0; t < space->threads; t++) {
        uint32_t count = solver->set[t];
        if (count > solver->cap[t])
            return false;
        for (uint32_t u = 0; count && u < space->threads; u++)
            if (u != t &&
                hd_order_chains_before(&solver->chains, hd_order_event_at(space, t, count), u) >
                    solver->set[u])
                return false;
    }
    return true;
}

static enum hd_order_answer search_choices(hd_order_solver *solver) {
    size_t depth = solver->decisions.length;
    enum hd_order_answer answer;
    do {
        HD_COSTLY_ASSERT(set_is_closed(solver));
        if (!hd_order_solve_force(solver))
            answer = learn_from_failure(solver);
        else if (hd_order_solve_over(solver))
            answer = HD_ORDER_UNKNOWN;
        else if (hd_order_solve_run(solver))
            answer = HD_ORDER_FEASIBLE;
        else if (solver->query->unsearched)
            answer = HD_ORDER_UNKNOWN;
        else if (decide_choice(solver, &answer) == OPEN)
            continue;
        break;
    } while (true);
    while (solver->decisions.length > depth) { /* what was left, by its reason */
        struct hd_order_decision last = hd_vec_pop(&solver->decisions);
        if (hd_order_decisions_have(&solver->conflict, solver->decisions.length)) {
            hd_order_decisions_remove(&solver->conflict, solver->decisions.length);
            hd_order_decisions_join(&solver->conflict, &last.reason);
        }
    }
    assert(solver->decisions.length == depth);
    HD_COSTLY_ASSERT(answer != HD_ORDER_INFEASIBLE || is_explained(solver, depth));
    HD_COSTLY_ASSERT(answer != HD_ORDER_FEASIBLE || set_is_closed(solver));
    return answer;
}

bool hd_order_solve_start(hd_order_solver *solver, const hd_order_query *query) {
    solver->query = query;
    solver->low = solver->high = 0;
    hd_order_chains_undo(&solver->chains, 0);
    hd_vec_clear(&solver->levels);
    hd_vec_clear(&solver->decisions);
    set_caps(solver, query);
    return close_set(solver, query) && add_edges(solver, query);
}

/* Is the event, or the release that is one step with it, what its thread does next? */
static bool is_next_event(const hd_order_solver *solver, uint32_t event) {
    const heddle_event *e = hd_order_event(solver->space, event);
    uint32_t left = hd_order_position(solver->space, event) - solver->set[e->thread];
    return left == 1 || (left == 2 && e->kind == HEDDLE_WAIT);
}

/* For assertions: does the schedule that was found have all that was asked for? */
HD_ASSERT_ONLY static bool answers_query(const hd_order_solver *solver,
                                         const hd_order_query *query) {
    const hd_order_space *space = solver->space;
    for (uint32_t t = 0; t < space->threads; t++)
        if (query->whole && solver->set[t] != hd_order_space_length(space, t))
            return false;
    for (size_t i = 0; i < query->next.length; i++)
        if (!is_next_event(solver, query->next.data[i]))
            return false;
    for (size_t i = 0; i < query->in.length; i++)
        if (!hd_order_solve_has(solver, query->in.data[i]))
            return false;
    for (size_t i = 0; i < query->out.length; i++)
        if (hd_order_solve_has(solver, query->out.data[i]))
            return false;
    for (size_t i = 0; i < query->edges.length; i++)
        if (!hd_order_solver_before(solver, (uint32_t)(query->edges.data[i] >> 32),
                                    (uint32_t)query->edges.data[i]))
            return false;
    return true;
}

enum hd_order_answer hd_order_solve(hd_order_solver *solver, const hd_order_query *query) {
    solver->limit = query->limit ? hd_order_solver_spent(solver) + query->limit : UINT64_MAX;
    solver->effort.queries++;
    solver->query = query;
    if (hd_order_solve_late(solver))
        return HD_ORDER_UNKNOWN;
    if (!hd_order_solve_start(solver, query)) {
        solver->effort.closed++;
        return HD_ORDER_INFEASIBLE;
    }
    if (hd_order_solve_late(solver))
        return HD_ORDER_UNKNOWN;
    memcpy(solver->forced, solver->set, solver->space->threads * sizeof *solver->set);
    uint64_t runs = solver->effort.runs;
    enum hd_order_answer answer = HD_ORDER_UNKNOWN;
    if (hd_order_solve_straight(solver))
        answer = HD_ORDER_FEASIBLE;
    else if (!query->straight)
        answer = search_choices(solver);
    HD_COSTLY_ASSERT(answer != HD_ORDER_FEASIBLE || answers_query(solver, query));
    solver->effort.straight += answer == HD_ORDER_FEASIBLE && solver->effort.runs == runs;
    assert(solver->effort.closed + solver->effort.straight <= solver->effort.queries);
    return answer;
}

/* ---- The answer ---- */

HD_ASSERT_ONLY static size_t events_in_set(const hd_order_solver *solver) {
    size_t events = 0;
    for (uint32_t t = 0; t < solver->space->threads; t++)
        events += solver->set[t];
    return events;
}

void hd_order_solver_schedule(const hd_order_solver *solver, hd_vec_u32 *schedule) {
    const hd_order_space *space = solver->space;
    uint32_t length = hd_trace_length(space->trace);
    hd_vec_clear(schedule);
    uint32_t end = solver->trivial ? length + 1 : solver->start;
    for (uint32_t event = 1; event < end; event++)
        if (hd_order_solve_has(solver, event))
            hd_vec_push(schedule, event);
    for (size_t i = 0; !solver->trivial && i < solver->order.length; i++) {
        assert(solver->order.data[i] >= end && hd_order_solve_has(solver, solver->order.data[i]));
        hd_vec_push(schedule, solver->order.data[i]);
    }
    assert(schedule->length == events_in_set(solver));
}

void hd_order_solver_counts_before(const hd_order_solver *solver, uint32_t event,
                                   uint32_t *counts) {
    assert(hd_order_solve_has(solver, event));
    const hd_order_space *space = solver->space;
    bool in_run = !solver->trivial && event >= solver->start;
    for (uint32_t t = 0; t < space->threads; t++) {
        uint32_t below = hd_order_taken_below(space, t, in_run ? solver->start : event);
        counts[t] = below < solver->set[t] ? below : solver->set[t];
    }
    for (size_t i = 0; in_run && solver->order.data[i] != event; i++)
        counts[hd_order_event(space, solver->order.data[i])->thread]++;
}

const uint32_t *hd_order_solver_set(const hd_order_solver *solver) {
    return solver->set;
}

bool hd_order_solver_before(const hd_order_solver *solver, uint32_t a, uint32_t b) {
    assert(hd_order_solve_has(solver, a) && hd_order_solve_has(solver, b));
    if (solver->trivial || a < solver->start || b < solver->start)
        return a < b;
    for (size_t i = 0; i < solver->order.length; i++)
        if (solver->order.data[i] == a || solver->order.data[i] == b)
            return solver->order.data[i] == a;
    assert(0); /* both are in the set, and the run has all of it from its start on */
    return false;
}

const hd_order_effort *hd_order_solver_effort(const hd_order_solver *solver) {
    return &solver->effort;
}

uint64_t hd_order_solver_spent(const hd_order_solver *solver) {
    return solver->effort.work + solver->chains.work;
}
