/*
 * Learning from conflicts: which of the decisions above a contradiction does it need?
 * Choices that have nothing to do with each other are then not tried in all
 * combinations; the search goes back to the last decision that mattered.
 *
 * A subset of the decisions is enough if it alone, put to a second solver with the
 * same question, is a contradiction by what it forces.  First the latest decisions
 * are tried, twice as many each time, then each of those found is left out in turn.
 */
#include "order_solve_state.h"

/* Do these decisions fail by what they force? */
static bool fails(hd_order_solver *solver, const hd_order_decisions *subset) {
    hd_order_solver *probe = solver->probe;
    uint64_t before = probe->effort.work + probe->chains.work;
    bool good = hd_order_solve_start(probe, solver->query);
    for (size_t i = 0; good && i < solver->decisions.length; i++)
        if (hd_order_decisions_have(subset, i))
            good = hd_order_solve_take(probe, solver->decisions.data[i].way);
    good = good && hd_order_solve_force(probe);
    solver->effort.work += probe->effort.work + probe->chains.work - before;
    return !good;
}

/* Of so many decisions the last `count`. */
static hd_order_decisions latest(size_t depth, size_t count) {
    hd_order_decisions set = {{0}};
    for (size_t i = depth > count ? depth - count : 0; i < depth; i++)
        hd_order_decisions_add(&set, i);
    return set;
}

static void need_probe(hd_order_solver *solver) {
    if (solver->probe)
        return;
    solver->probe = hd_order_solver_create(solver->space);
    solver->probe->limit = UINT64_MAX;
}

hd_order_decisions hd_order_learn(hd_order_solver *solver) {
    size_t depth = solver->decisions.length, count = 1;
    if (depth < 2)
        return latest(depth, depth);
    need_probe(solver);
    hd_order_decisions needed = latest(depth, count);
    while (count < depth && !fails(solver, &needed)) {
        count *= 2;
        needed = latest(depth, count);
    }
    for (size_t i = depth > count ? depth - count : 0; i < depth && i < HD_ORDER_DEEPEST; i++) {
        hd_order_decisions without = needed;
        hd_order_decisions_remove(&without, i);
        if (fails(solver, &without))
            needed = without;
    }
    return needed;
}

hd_order_decisions hd_order_learn_presence(const hd_order_solver *solver,
                                           const struct hd_order_choice *choice) {
    const hd_order_space *space = solver->space;
    const uint32_t events[] = {choice->one, choice->other};
    size_t depth = solver->decisions.length;
    for (int i = 0; i < 2; i++)
        if (hd_order_position(space, events[i]) >
            solver->forced[hd_order_event(space, events[i])->thread])
            return latest(depth, depth);
    return latest(0, 0);
}
