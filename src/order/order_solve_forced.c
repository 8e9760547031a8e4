/*
 * What is forced (order_solve.h has the rules), to a fixed point.  One pass goes
 * along the window of edges that go back in the trace; of each thread only the
 * last event that a rule fires for is entered, program order has the others.
 */
#include "order_solve_state.h"

/* ---- Holds ---- */

/* A comes before B. */
static bool order_holds(hd_order_solver *solver, const hd_order_scope *a, const hd_order_scope *b) {
    assert(hd_order_scope_conflicts(a, b) && hd_order_solve_has(solver, b->acquire));
    return hd_order_solve_may(solver, a->release) && hd_order_solve_include(solver, a->release) &&
           hd_order_solve_edge(solver, a->release, b->acquire);
}

/* The last event of a hold in the set; an open one goes on to the last of its thread. */
static uint32_t last_within(const hd_order_solver *solver, const hd_order_scope *hold) {
    assert(hd_order_solve_has(solver, hold->acquire));
    return hd_order_solve_has(solver, hold->release)
               ? hold->release
               : hd_order_event_at(solver->space, hold->thread, solver->set[hold->thread]);
}

/* Holds of other threads that begin before this one ends are before it. */
static bool force_before(hd_order_solver *solver, const hd_order_scope *hold) {
    const hd_order_space *space = solver->space;
    const hd_order_groups *holds = &space->holds;
    uint32_t end = last_within(solver, hold);
    hd_order_point at = hd_order_chains_point(&solver->chains, end);
    for (uint32_t g = holds->first[hold->lock]; g < holds->first[hold->lock + 1]; g++) {
        if (holds->thread[g] == hold->thread)
            continue;
        uint32_t position = hd_order_point_before(&solver->chains, &at, holds->thread[g]);
        uint32_t other =
            hd_order_space_last_hold_near(space, g, position, hold, &solver->near_holds[g]);
        if (other != HD_ORDER_NONE && !order_holds(solver, &space->scopes->scopes[other], hold))
            return false;
    }
    solver->effort.work += 32 * (uint64_t)(holds->first[hold->lock + 1] - holds->first[hold->lock]);
    return true;
}

/* Does this hold, which is open, begin before the last event of the other one in
 * the set? */
static bool begins_before(const hd_order_solver *solver, const hd_order_scope *hold,
                          const hd_order_scope *other) {
    return hd_order_chains_reach(&solver->chains, hold->acquire, last_within(solver, other));
}

/* An open hold comes after all others of its lock, or is closed; where it cannot be
 * closed, or cannot come after, that is forced. */
static bool force_open(hd_order_solver *solver, uint32_t number, void *context) {
    const hd_order_space *space = solver->space;
    const hd_order_groups *holds = &space->holds;
    const hd_order_scope *hold = &space->scopes->scopes[number];
    bool closable = hd_order_solve_may(solver, hold->release);
    (void)context;
    for (uint32_t g = holds->first[hold->lock]; g < holds->first[hold->lock + 1]; g++) {
        if (holds->thread[g] == hold->thread)
            continue;
        uint32_t last = hd_order_space_last_hold_near(space, g, solver->set[holds->thread[g]], hold,
                                                      &solver->near_holds[g]);
        if (last == HD_ORDER_NONE)
            continue;
        const hd_order_scope *other = &space->scopes->scopes[last];
        if (closable && begins_before(solver, hold, other))
            return hd_order_solve_include(solver, hold->release);
        if (!closable && !order_holds(solver, other, hold))
            return false;
    }
    solver->effort.work += 32 * (uint64_t)(holds->first[hold->lock + 1] - holds->first[hold->lock]);
    return true;
}

/* ---- Reads ---- */

/* Last write of the group at or before the position; 0 if none exists. */
static uint32_t last_write(hd_order_solver *solver, uint32_t group, uint32_t position) {
    const hd_order_space *space = solver->space;
    const uint32_t *items = space->writes.items + space->writes.start[group];
    uint32_t count = space->writes.start[group + 1] - space->writes.start[group];
    uint32_t limit = hd_order_limit_of(space, space->writes.thread[group], position);
    uint32_t below = hd_order_below_near(items, count, limit, &solver->near_writes[group]);
    assert(!below || hd_order_position(space, items[below - 1]) <= position);
    return below ? items[below - 1] : 0;
}

/* First write of the group at or after the position that is in the set, not `skip`. */
static uint32_t first_write(hd_order_solver *solver, uint32_t group, uint32_t position,
                            uint32_t skip) {
    const hd_order_space *space = solver->space;
    uint32_t thread = space->writes.thread[group];
    if (position > solver->set[thread])
        return 0;
    const uint32_t *items = space->writes.items + space->writes.start[group];
    uint32_t count = space->writes.start[group + 1] - space->writes.start[group];
    uint32_t i = hd_order_below_near(items, count, hd_order_event_at(space, thread, position),
                                     &solver->near_writes[group]);
    if (i < count && items[i] == skip)
        i++;
    return i < count && hd_order_solve_has(solver, items[i]) ? items[i] : 0;
}

/* Writes before the read are before its writer.  A read of the initial value has
 * none before it. */
static bool force_write_before(hd_order_solver *solver, uint32_t group, uint32_t write,
                               const hd_order_point *read) {
    uint32_t thread = solver->space->writes.thread[group];
    uint32_t position = hd_order_point_before(&solver->chains, read, thread);
    uint32_t other = last_write(solver, group, position);
    if (!other || other == write)
        return true;
    return write && hd_order_solve_edge(solver, other, write);
}

/* Writes after the writer, from the position on, are after the read. */
static bool force_write_after(hd_order_solver *solver, uint32_t group, uint32_t position,
                              uint32_t read) {
    uint32_t other = first_write(solver, group, position, read);
    return !other || hd_order_solve_edge(solver, read, other);
}

static bool force_read(hd_order_solver *solver, uint32_t cell, uint32_t read) {
    const hd_order_groups *writes = &solver->space->writes;
    uint32_t write = solver->space->index->pair[read];
    assert(hd_order_solve_has(solver, read) && (!write || hd_order_solve_has(solver, write)));
    hd_order_point at = hd_order_chains_point(&solver->chains, read);
    hd_order_point writer = hd_order_chains_point(&solver->chains, write ? write : read);
    for (uint32_t g = writes->first[cell]; g < writes->first[cell + 1]; g++) {
        if (!force_write_before(solver, g, write, &at))
            return false;
        uint32_t first =
            write ? hd_order_point_after(&solver->chains, &writer, writes->thread[g]) : 1;
        if (!force_write_after(solver, g, first, read))
            return false;
    }
    solver->effort.work += 32 * (uint64_t)(writes->first[cell + 1] - writes->first[cell]);
    return true;
}

/* Reads of the write that lie after the window. */
static bool force_readers(hd_order_solver *solver, uint32_t cell, uint32_t write) {
    const hd_trace_lists *readers = &solver->space->readers;
    for (uint32_t i = readers->start[write + 1]; i-- > readers->start[write];) {
        uint32_t read = readers->items[i];
        if (read <= solver->high)
            break;
        if (hd_order_solve_has(solver, read) && !force_read(solver, cell, read))
            return false;
    }
    return true;
}

/* The last write that was asked for is after all others in the set. */
static bool force_last(hd_order_solver *solver) {
    const hd_order_groups *writes = &solver->space->writes;
    const hd_order_query *query = solver->query;
    if (!query->ends_with)
        return true;
    for (uint32_t g = writes->first[query->of]; g < writes->first[query->of + 1]; g++) {
        uint32_t other = last_write(solver, g, solver->set[writes->thread[g]]);
        if (other && other != query->last &&
            (!query->last || !hd_order_solve_edge(solver, other, query->last)))
            return false;
    }
    return true;
}

/* ---- The pass ---- */

static bool force_event(hd_order_solver *solver, uint32_t event) {
    const hd_order_space *space = solver->space;
    const heddle_event *e = hd_order_event(space, event);
    if (!hd_order_solve_has(solver, event))
        return true;
    uint32_t cell = hd_order_cell_read(space, event);
    if (cell != HD_ORDER_NONE && !force_read(solver, cell, event))
        return false;
    cell = hd_order_cell_written(space, event);
    if (cell != HD_ORDER_NONE && !force_readers(solver, cell, event))
        return false;
    if ((hd_trace_traits(e) & HEDDLE_T_LOCK) && !(e->flags & HEDDLE_REENTRANT))
        return force_before(solver, &space->scopes->scopes[space->hold_of[event]]);
    return true;
}

/* With many threads an event takes long; so the pass ends early when the clock is over. */
static bool force_window(hd_order_solver *solver) {
    enum { LOOK = 16 };
    assert(solver->low ? solver->low < solver->high : !solver->high);
    for (uint32_t event = solver->low; event && event <= solver->high; event++) {
        if (event % LOOK == 0 && hd_order_solve_late(solver))
            break;
        if (!force_event(solver, event))
            return false;
    }
    solver->effort.work += 4 * (uint64_t)(solver->high - solver->low + 1);
    return true;
}

static uint64_t size_of(const hd_order_solver *solver) {
    uint64_t size = 0;
    for (uint32_t t = 0; t < solver->space->threads; t++)
        size += solver->set[t];
    return size;
}

bool hd_order_solve_force(hd_order_solver *solver) {
    size_t edges;
    uint64_t size;
    do {
        edges = solver->chains.trail.length;
        size = size_of(solver);
        if (!hd_order_solve_open(solver, force_open, NULL) || !force_last(solver) ||
            !force_window(solver) || !hd_order_solve_units_force(solver))
            return false;
        assert(solver->chains.trail.length >= edges && size_of(solver) >= size);
    } while ((edges != solver->chains.trail.length || size != size_of(solver)) &&
             !hd_order_solve_over(solver));
    return true;
}
