/*
 * Semaphores in the solver.  A prefix has no more takes than units at first and posts in it,
 * and which post a take got does not matter; so a take needs *some* posts before it, and only
 * how many is known.
 *
 *   K(t)   takes that come before t whatever is decided yet, and t itself
 *   P(t)   posts that may still come before t: within the caps, and not after t
 *
 * What is forced: there is no solution if |K| > initial + |P|; if they are equal every post of
 * P is before t and every other take after t.  Nor is there one if the units do not suffice
 * though every thread, between where it must and where it may be after t, has posted as much
 * more than it took as it can: a semaphore that is used as a lock has one thread inside.
 *
 * What is decided, if a run gets stuck at a take t that finds no unit:
 *
 *   a post p of the set that is to come      p before t, or t before p
 *   else a take u that was done before       t before u, or u before t
 *   else a post p outside of the set         p in it and before t, or t before p
 *
 * Each orders a pair that was not ordered.  If none of these exists, all takes that were done
 * are in K(t) and all posts of P(t) were done: that is a contradiction by the first rule.  So
 * the search stays complete.
 */
#include "order_solve_state.h"

/* ---- The trace's own order ---- */

uint32_t hd_order_solve_first_missing(const hd_order_solver *solver) {
    const hd_order_space *space = solver->space;
    uint32_t first = UINT32_MAX;
    for (uint32_t t = 0; t < space->threads; t++)
        if (solver->set[t] < hd_order_space_length(space, t)) {
            uint32_t event = hd_order_event_at(space, t, solver->set[t] + 1);
            first = first < event ? first : event;
        }
    return first;
}

/* The first take of the semaphore that finds no unit when the set runs as in the trace; 0 if
 * none exists.  Before `missing` all is as in the trace. */
static uint32_t first_without(hd_order_solver *solver, uint32_t semaphore, uint32_t missing) {
    const hd_order_units *units = &solver->space->units;
    uint32_t from = units->events.start[semaphore], end = units->events.start[semaphore + 1];
    uint32_t i = from + hd_order_below(units->events.items + from, end - from, missing);
    uint32_t left = i < end ? units->before[i] : 0;
    solver->effort.work += 4 * (uint64_t)(end - i);
    for (; i < end; i++) {
        uint32_t event = units->events.items[i];
        if (!hd_order_solve_has(solver, event))
            continue;
        if (hd_order_event(solver->space, event)->kind == HEDDLE_POST)
            left++;
        else if (left)
            left--;
        else
            return event;
    }
    return 0;
}

uint32_t hd_order_solve_units_moved(hd_order_solver *solver) {
    const hd_order_units *units = &solver->space->units;
    uint32_t first = UINT32_MAX,
             missing = units->semaphores ? hd_order_solve_first_missing(solver) : 0;
    for (uint32_t s = 0; s < units->semaphores; s++) {
        uint32_t take = first_without(solver, s, missing);
        first = take && take < first ? take : first;
    }
    return first;
}

/* The first post of the group's thread that is not in the set; 0 if none may come in, or if it
 * comes with a take of the same semaphore. */
static uint32_t next_post(const hd_order_solver *solver, uint32_t group, uint32_t semaphore) {
    const hd_order_units *units = &solver->space->units;
    const hd_order_groups *posts = &units->posts, *takes = &units->takes;
    uint32_t thread = posts->thread[group];
    uint32_t i =
        posts->start[group] + hd_order_units_within(units, posts, group, solver->set[thread]);
    if (i == posts->start[group + 1] || !hd_order_solve_may(solver, posts->items[i]))
        return 0;
    uint32_t taken = hd_order_groups_find(takes, semaphore, thread);
    if (taken == HD_ORDER_NONE)
        return posts->items[i];
    uint32_t position = hd_order_position(solver->space, posts->items[i]);
    return hd_order_units_within(units, takes, taken, position) ==
                   hd_order_units_within(units, takes, taken, solver->set[thread])
               ? posts->items[i]
               : 0;
}

/* A post before the take in the trace comes in; false if none does. */
static bool add_post(hd_order_solver *solver, uint32_t semaphore, uint32_t take) {
    const hd_order_groups *posts = &solver->space->units.posts;
    uint32_t best = take;
    for (uint32_t g = posts->first[semaphore]; g < posts->first[semaphore + 1]; g++) {
        uint32_t post = next_post(solver, g, semaphore);
        best = post && post < best ? post : best;
    }
    assert(best <= take && (best == take || !hd_order_solve_has(solver, best)));
    return best != take && hd_order_solve_include(solver, best);
}

bool hd_order_solve_units_straight(hd_order_solver *solver) {
    for (uint32_t s = 0; s < solver->space->units.semaphores; s++)
        for (uint32_t take;
             (take = first_without(solver, s, hd_order_solve_first_missing(solver))) != 0;)
            if (!add_post(solver, s, take))
                return false;
    return true;
}

/* ---- What is forced ---- */

/* Of the group's thread: how many posts may come before the take. */
static uint32_t may_precede(const hd_order_solver *solver, uint32_t group,
                            const hd_order_point *take) {
    const hd_order_units *units = &solver->space->units;
    uint32_t thread = units->posts.thread[group], cap = solver->cap[thread];
    uint32_t after = take->thread == thread ? take->position
                                            : hd_order_point_after(&solver->chains, take, thread);
    return hd_order_units_within(units, &units->posts, group, cap < after ? cap : after - 1);
}

/* Of the group's thread: how many takes come before the take; it is one itself. */
static uint32_t must_precede(const hd_order_solver *solver, uint32_t group,
                             const hd_order_point *take) {
    const hd_order_units *units = &solver->space->units;
    uint32_t thread = units->takes.thread[group];
    uint32_t position = take->thread == thread
                            ? take->position
                            : hd_order_point_before(&solver->chains, take, thread);
    return hd_order_units_within(units, &units->takes, group, position);
}

/* Every post that may come before the take does. */
static bool force_posts(hd_order_solver *solver, uint32_t semaphore, uint32_t take) {
    const hd_order_groups *posts = &solver->space->units.posts;
    for (uint32_t g = posts->first[semaphore]; g < posts->first[semaphore + 1]; g++) {
        hd_order_point at = hd_order_chains_point(&solver->chains, take);
        uint32_t count = may_precede(solver, g, &at);
        uint32_t last = count ? posts->items[posts->start[g] + count - 1] : 0;
        if (last && posts->thread[g] != at.thread &&
            !(hd_order_solve_include(solver, last) && hd_order_solve_edge(solver, last, take)))
            return false;
    }
    return true;
}

/* Every take that need not come before the take comes after it. */
static bool force_takes(hd_order_solver *solver, uint32_t semaphore, uint32_t take) {
    const hd_order_groups *takes = &solver->space->units.takes;
    for (uint32_t g = takes->first[semaphore]; g < takes->first[semaphore + 1]; g++) {
        hd_order_point at = hd_order_chains_point(&solver->chains, take);
        uint32_t next = takes->start[g] + must_precede(solver, g, &at);
        if (takes->thread[g] != at.thread && next < takes->start[g + 1] &&
            !hd_order_solve_edge(solver, take, takes->items[next]))
            return false;
    }
    return true;
}

/* After the take each thread has come at least to where it must, and at most to where it may:
 * are there units enough if all have posted as much more than they took as they can?  Without a
 * take: at the end. */
static bool can_suffice(const hd_order_solver *solver, uint32_t semaphore,
                        const hd_order_point *take) {
    const hd_order_units *units = &solver->space->units;
    int64_t left = units->initial[semaphore];
    for (uint32_t g = units->both.first[semaphore]; g < units->both.first[semaphore + 1]; g++) {
        uint32_t thread = units->both.thread[g];
        uint32_t from = solver->set[thread], to = solver->cap[thread];
        if (take && take->thread == thread) {
            from = to = take->position;
        } else if (take) {
            uint32_t after = hd_order_point_after(&solver->chains, take, thread);
            from = hd_order_point_before(&solver->chains, take, thread);
            to = to < after ? to : after - 1;
        }
        assert(from <= to);
        left += hd_order_units_most(units, g, from, to);
    }
    return left >= 0;
}

static bool force_take(hd_order_solver *solver, uint32_t semaphore, uint32_t take) {
    const hd_order_units *units = &solver->space->units;
    hd_order_point at = hd_order_chains_point(&solver->chains, take);
    uint64_t must = 0, may = units->initial[semaphore];
    for (uint32_t g = units->takes.first[semaphore]; g < units->takes.first[semaphore + 1]; g++)
        must += must_precede(solver, g, &at);
    for (uint32_t g = units->posts.first[semaphore]; g < units->posts.first[semaphore + 1]; g++)
        may += may_precede(solver, g, &at);
    assert(must); /* the take itself */
    solver->effort.work += 96 * (uint64_t)solver->space->threads;
    if (must != may)
        return must < may && can_suffice(solver, semaphore, &at);
    return force_posts(solver, semaphore, take) && force_takes(solver, semaphore, take);
}

/* The first post of the semaphore above a cap; UINT32_MAX if none is. */
static uint32_t first_capped(const hd_order_solver *solver, uint32_t semaphore) {
    const hd_order_units *units = &solver->space->units;
    const hd_order_groups *posts = &units->posts;
    uint32_t first = UINT32_MAX;
    for (uint32_t g = posts->first[semaphore]; g < posts->first[semaphore + 1]; g++) {
        uint32_t i =
            posts->start[g] + hd_order_units_within(units, posts, g, solver->cap[posts->thread[g]]);
        if (i < posts->start[g + 1] && posts->items[i] < first)
            first = posts->items[i];
    }
    return first;
}

/* Where nothing goes back in the trace and no post is above a cap, the rule holds as the trace
 * does. */
bool hd_order_solve_units_force(hd_order_solver *solver) {
    const hd_order_units *units = &solver->space->units;
    for (uint32_t s = 0; s < units->semaphores; s++) {
        uint32_t from = units->events.start[s], end = units->events.start[s + 1];
        uint32_t capped = first_capped(solver, s);
        if (capped != UINT32_MAX && !can_suffice(solver, s, NULL))
            return false;
        uint32_t first = solver->low && solver->low < capped ? solver->low : capped;
        uint32_t i = from + hd_order_below(units->events.items + from, end - from, first);
        for (; i < end; i++) {
            uint32_t event = units->events.items[i];
            if (capped == UINT32_MAX && event > solver->high)
                break;
            if (hd_order_event(solver->space, event)->kind == HEDDLE_TAKE &&
                hd_order_solve_has(solver, event) && !force_take(solver, s, event))
                return false;
        }
    }
    return true;
}

/* ---- Stuck ---- */

/* The least of two events, 0 being none. */
static uint32_t earlier(uint32_t a, uint32_t b) {
    return !a || (b && b < a) ? b : a;
}

/* The first post of the group after `position` of its thread, up to `most`, that is not after
 * the take; 0 if none exists. */
static uint32_t post_within(const hd_order_solver *solver, uint32_t group, uint32_t take,
                            uint32_t position, uint32_t most) {
    const hd_order_units *units = &solver->space->units;
    const hd_order_groups *posts = &units->posts;
    uint32_t i = posts->start[group] + hd_order_units_within(units, posts, group, position);
    if (i == posts->start[group + 1] || hd_order_position(solver->space, posts->items[i]) > most)
        return 0;
    return hd_order_chains_reach(&solver->chains, take, posts->items[i]) ? 0 : posts->items[i];
}

uint32_t hd_order_solve_awaited_post(const hd_order_solver *solver, uint32_t take) {
    const hd_order_groups *posts = &solver->space->units.posts;
    uint32_t semaphore = hd_order_event(solver->space, take)->object, found = 0;
    for (uint32_t g = posts->first[semaphore]; g < posts->first[semaphore + 1]; g++) {
        uint32_t thread = posts->thread[g];
        found =
            earlier(found, post_within(solver, g, take, solver->done[thread], solver->set[thread]));
    }
    return found;
}

static uint32_t post_outside(const hd_order_solver *solver, uint32_t take) {
    const hd_order_groups *posts = &solver->space->units.posts;
    uint32_t semaphore = hd_order_event(solver->space, take)->object, found = 0;
    for (uint32_t g = posts->first[semaphore]; g < posts->first[semaphore + 1]; g++) {
        uint32_t thread = posts->thread[g];
        found =
            earlier(found, post_within(solver, g, take, solver->set[thread], solver->cap[thread]));
    }
    return found;
}

/* A take that was done and need not come before this one; 0 if none exists. */
static uint32_t take_before(const hd_order_solver *solver, uint32_t take) {
    const hd_order_units *units = &solver->space->units;
    const hd_order_groups *takes = &units->takes;
    uint32_t semaphore = hd_order_event(solver->space, take)->object, found = 0;
    for (uint32_t g = takes->first[semaphore]; g < takes->first[semaphore + 1]; g++) {
        uint32_t count = hd_order_units_within(units, takes, g, solver->done[takes->thread[g]]);
        uint32_t other = count ? takes->items[takes->start[g] + count - 1] : 0;
        if (other && other > found && !hd_order_chains_reach(&solver->chains, other, take))
            found = other;
    }
    assert(found != take);
    return found;
}

struct hd_order_choice hd_order_solve_unit_choice(const hd_order_solver *solver, uint32_t take) {
    uint32_t semaphore = hd_order_event(solver->space, take)->object;
    uint32_t other = take_before(solver, take), post = post_outside(solver, take);
    bool enough = hd_order_units_left(&solver->space->units, semaphore, solver->set) >= 0;
    assert(!post || !hd_order_solve_has(solver, post));
    if (other && (enough || !post))
        return (struct hd_order_choice){{{take, other}, {other, take}}, take, take};
    if (post)
        return (struct hd_order_choice){{{post, take}, {take, post}}, take, take};
    return (struct hd_order_choice){0};
}
