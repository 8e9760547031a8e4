/*
 * The set of a query, which grows, and the holds that are open in it.
 */
#include "order_solve_state.h"

bool hd_order_solve_include(hd_order_solver *solver, uint32_t event) {
    if (hd_order_solve_has(solver, event))
        return true;
    hd_order_space_include(solver->space, solver->set, event);
    assert(hd_order_solve_has(solver, event));
    for (uint32_t t = 0; t < solver->space->threads; t++)
        if (solver->set[t] > solver->cap[t])
            return false;
    return true;
}

bool hd_order_solve_edge(hd_order_solver *solver, uint32_t before, uint32_t after) {
    assert(hd_order_solve_has(solver, before));
    if (before == after)
        return false;
    if (hd_order_chains_reach(&solver->chains, before, after)) {
        assert(!hd_order_chains_reach(&solver->chains, after, before)); /* there is no cycle */
        return true;
    }
    if (hd_order_chains_reach(&solver->chains, after, before))
        return false;
    hd_order_chains_add(&solver->chains, before, after);
    if (before > after) {
        solver->low = solver->low && solver->low < after ? solver->low : after;
        solver->high = solver->high > before ? solver->high : before;
        assert(solver->low < solver->high);
    }
    return true;
}

bool hd_order_solve_take(hd_order_solver *solver, struct hd_order_way way) {
    return way.before && hd_order_solve_may(solver, way.before) &&
           hd_order_solve_include(solver, way.before) &&
           hd_order_solve_edge(solver, way.before, way.after);
}

/* The hold of the lock that the thread has open after `position` of its events. */
static uint32_t open_hold(const hd_order_space *space, uint32_t lock, uint32_t thread,
                          uint32_t position) {
    static const hd_order_scope any = {.reading = false};
    uint32_t group = hd_order_groups_find(&space->holds, lock, thread);
    assert(group != HD_ORDER_NONE); /* it holds the lock */
    return hd_order_space_last_hold(space, group, position, &any);
}

bool hd_order_solve_open(hd_order_solver *solver, hd_order_solve_visit *visit, void *context) {
    const hd_order_space *space = solver->space;
    const hd_order_held *held = &space->order->held;
    for (uint32_t t = 0; t < space->threads; t++) {
        if (!solver->set[t])
            continue;
        uint32_t position = solver->set[t];
        hd_order_set set = hd_order_sets_at(
            &held->sets, hd_order_held_after(held, hd_order_event_at(space, t, position)));
        for (uint32_t i = 0; i < set.count; i++) {
            uint32_t hold = open_hold(space, hd_order_lock_number(set.locks[i]), t, position);
            assert(hold != HD_ORDER_NONE);
            assert(!hd_order_solve_has(solver, space->scopes->scopes[hold].release));
            if (!visit(solver, hold, context))
                return false;
            if (solver->set[t] != position)
                return hd_order_solve_open(solver, visit, context); /* it was closed: look again */
        }
    }
    return true;
}
