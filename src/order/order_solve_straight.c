/*
 * The trace's own order, tried before anything else: a set runs in it if each hold
 * that is open in the set is the last of its lock there.  One that is not is closed, with
 * all that its release needs, until none is left or one cannot be closed.
 *
 * The answer keeps the order of the holds of each lock: a sync-preserving
 * reordering (Mathur, Pavlogiannis and Viswanathan, "Optimal Prediction of
 * Synchronization-Preserving Races", POPL 2021).  The set is the least that is one,
 * so if there is a sync-preserving answer, this finds it.  With semaphores it need not: a take
 * that finds no unit gets the earliest post that helps, and another one might do where that
 * one does not.
 */
#include <string.h>

#include "order_solve_state.h"

/* Does a hold of another thread that is in the set come after this one in the trace? */
static bool is_followed(hd_order_solver *solver, const hd_order_scope *hold) {
    const hd_order_space *space = solver->space;
    const hd_order_groups *holds = &space->holds;
    for (uint32_t g = holds->first[hold->lock]; g < holds->first[hold->lock + 1]; g++) {
        if (holds->thread[g] == hold->thread)
            continue;
        uint32_t last = hd_order_space_last_hold_near(space, g, solver->set[holds->thread[g]], hold,
                                                      &solver->near_holds[g]);
        if (last != HD_ORDER_NONE && space->scopes->scopes[last].acquire > hold->acquire)
            return true;
    }
    return false;
}

static bool close_followed(hd_order_solver *solver, uint32_t number, void *context) {
    const hd_order_scope *hold = &solver->space->scopes->scopes[number];
    (void)context;
    solver->effort.work += 100;
    return !is_followed(solver, hold) || (hd_order_solve_may(solver, hold->release) &&
                                          hd_order_solve_include(solver, hold->release));
}

/* Only posts that come in can open a hold. */
static uint64_t size_of(const hd_order_solver *solver) {
    uint64_t size = 0;
    for (uint32_t t = 0; t < solver->space->threads && solver->space->units.semaphores; t++)
        size += solver->set[t];
    return size;
}

/* Does the set still have all that was asked for? */
HD_ASSERT_ONLY static bool has_forced(const hd_order_solver *solver) {
    for (uint32_t t = 0; t < solver->space->threads; t++)
        if (solver->set[t] < solver->forced[t])
            return false;
    return true;
}

bool hd_order_solve_straight(hd_order_solver *solver) {
    size_t bytes = solver->space->threads * sizeof *solver->set;
    if (solver->low || solver->query->ends_with)
        return false;
    uint64_t size;
    do {
        size = size_of(solver);
        solver->trivial = hd_order_solve_open(solver, close_followed, NULL) &&
                          hd_order_solve_units_straight(solver);
        assert(size_of(solver) >= size && has_forced(solver));
    } while (solver->trivial && size != size_of(solver));
    if (!solver->trivial)
        memcpy(solver->set, solver->forced, bytes);
    return solver->trivial;
}
