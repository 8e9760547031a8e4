/*
 * Where a run got stuck: threads wait for each other in a circle, and one of the
 * waits in it is a choice.  All forced would be a cycle of edges, which is found
 * before anything runs.
 */
#include "order_solve_state.h"

static const hd_order_scope *hold_at(const hd_order_solver *solver, uint32_t event) {
    const hd_order_space *space = solver->space;
    return &space->scopes->scopes[space->hold_of[event]];
}

/* The waiting event of a blocked thread. */
static uint32_t stuck_at(const hd_order_solver *solver, uint32_t thread) {
    assert(solver->done[thread] < solver->set[thread]);
    return hd_order_event_at(solver->space, thread, solver->done[thread] + 1);
}

/* The event that the thread waits for in truth: a lock's release. */
static uint32_t awaited(const hd_order_solver *solver, const struct hd_order_blocked *blocked) {
    if (blocked->why != HD_ORDER_HELD_LOCK && blocked->why != HD_ORDER_LAST)
        return blocked->event;
    const hd_order_scope *hold = hold_at(solver, blocked->event);
    return hd_order_solve_has(solver, hold->release) ? hold->release : hold->acquire;
}

static struct hd_order_way make_way(uint32_t before, uint32_t after) {
    return (struct hd_order_way){before, after};
}

/* The wait turned round, and the wait as it is. */
static struct hd_order_choice choice_of(const hd_order_solver *solver, uint32_t thread) {
    const struct hd_order_blocked *blocked = &solver->blocked[thread];
    uint32_t event = stuck_at(solver, thread);
    if (blocked->why == HD_ORDER_CELL) {
        uint32_t read = blocked->event, write = solver->space->index->pair[read];
        return (struct hd_order_choice){
            {make_way(write ? event : 0, write), make_way(read, event)}, event, read};
    }
    if (blocked->why == HD_ORDER_UNIT)
        return (struct hd_order_choice){
            {make_way(event, blocked->event), make_way(blocked->event, event)}, event, event};
    const hd_order_scope *mine = hold_at(solver, event), *other = hold_at(solver, blocked->event);
    return (struct hd_order_choice){
        {make_way(mine->release, other->acquire), make_way(other->release, event)},
        event,
        other->acquire};
}

static bool is_choice(const hd_order_solver *solver, uint32_t thread) {
    const struct hd_order_blocked *blocked = &solver->blocked[thread];
    return blocked->why != HD_ORDER_EVENT &&
           !hd_order_chains_reach(&solver->chains, awaited(solver, blocked),
                                  stuck_at(solver, thread));
}

/* What a blocked thread waits for is not done, so that one's thread is blocked too. */
static uint32_t waits_for(const hd_order_solver *solver, uint32_t thread) {
    assert(solver->blocked[thread].why != HD_ORDER_READY);
    return hd_order_event(solver->space, solver->blocked[thread].event)->thread;
}

/* Takes wait for a post that is to come; one that has no such post, 0 if all have one. */
static uint32_t find_posts(hd_order_solver *solver) {
    for (uint32_t t = 0; t < solver->space->threads; t++) {
        if (solver->blocked[t].why != HD_ORDER_UNIT)
            continue;
        uint32_t take = solver->blocked[t].event;
        solver->blocked[t].event = hd_order_solve_awaited_post(solver, take);
        if (!solver->blocked[t].event)
            return take;
    }
    return 0;
}

/* Does each way of the choice order a pair that was not ordered?  So the search ends. */
HD_ASSERT_ONLY static bool adds_edges(const hd_order_solver *solver,
                                      const struct hd_order_choice *choice) {
    for (int i = 0; i < 2; i++) {
        const struct hd_order_way *one = &choice->ways[i];
        if (one->before && hd_order_solve_has(solver, one->before) &&
            hd_order_chains_reach(&solver->chains, one->before, one->after))
            return false;
    }
    return true;
}

static struct hd_order_choice checked_choice(const hd_order_solver *solver,
                                             struct hd_order_choice choice) {
    assert(!choice.one ||
           (hd_order_solve_has(solver, choice.one) && hd_order_solve_has(solver, choice.other)));
    assert(!choice.one || adds_edges(solver, &choice));
    (void)solver;
    return choice;
}

struct hd_order_choice hd_order_solve_choice(hd_order_solver *solver) {
    uint32_t threads = solver->space->threads, thread = 0;
    uint32_t take = find_posts(solver);
    if (take)
        return checked_choice(solver, hd_order_solve_unit_choice(solver, take));
    assert(solver->waiting);
    while (solver->blocked[thread].why == HD_ORDER_READY)
        thread++;
    for (uint32_t i = 0; i < threads; i++) /* as many steps lead into the circle */
        thread = waits_for(solver, thread);
    for (uint32_t i = 0; i < threads; i++, thread = waits_for(solver, thread))
        if (is_choice(solver, thread))
            return checked_choice(solver, choice_of(solver, thread));
    assert(0);
    return (struct hd_order_choice){0};
}
