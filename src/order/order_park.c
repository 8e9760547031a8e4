/*
 * Parking, by the numbers at which threads stop: what a stop causes is always
 * later in the trace than the stop itself, as with distances in Dijkstra's
 * shortest paths.  (An acquire that a stopped thread's hold keeps out is after
 * that hold's release, which the thread did not reach.)
 */
#include "order_park.h"

#include <stdlib.h>

static int compare_numbers(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void hd_order_park_init(hd_order_park *park, const hd_order_space *space) {
    const hd_order_units *units = &space->units;
    *park = (hd_order_park){.space = space};
    for (uint32_t i = 0; units->semaphores && i < units->events.start[units->semaphores]; i++)
        hd_vec_push(&park->walk, units->events.items[i]);
    if (park->walk.length)
        qsort(park->walk.data, park->walk.length, sizeof *park->walk.data, compare_numbers);
    park->left = HD_NEW_ARRAY(uint32_t, (size_t)units->semaphores + 1);
    park->known = HD_NEW_ARRAY(uint32_t, (size_t)units->semaphores + 1);
    park->stop = HD_NEW_ARRAY(uint32_t, (size_t)space->threads + 1);
    park->settled = HD_NEW_ARRAY(bool, (size_t)space->threads + 1);
}

void hd_order_park_release(hd_order_park *park) {
    free(park->stop);
    free(park->settled);
    free(park->left);
    free(park->known);
    hd_vec_release(&park->walk);
    *park = (hd_order_park){0};
}

uint32_t hd_order_park_next_hold(const hd_order_space *space, uint32_t group, uint32_t number,
                                 const hd_order_scope *hold) {
    const hd_order_scope *scopes = space->scopes->scopes;
    const uint32_t *items = space->holds.items;
    uint32_t low = space->holds.start[group], end = space->holds.start[group + 1], high = end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (scopes[items[middle]].acquire <= number)
            low = middle + 1;
        else
            high = middle;
    }
    assert(low == end || scopes[items[low]].acquire > number);
    while (low < end && hold->reading && scopes[items[low]].reading)
        low++;
    return low < end ? items[low] : HD_ORDER_NONE;
}

/* The thread that stops first of those not settled; HD_ORDER_NONE if none does. */
static uint32_t first_stop(const hd_order_park *park) {
    uint32_t first = HD_ORDER_NONE, number = UINT32_MAX;
    for (uint32_t t = 0; t < park->space->threads; t++)
        if (!park->settled[t] && park->stop[t] < number) {
            first = t;
            number = park->stop[t];
        }
    return first;
}

static void stop_at(hd_order_park *park, uint32_t thread, uint32_t event) {
    if (!park->settled[thread] && event < park->stop[thread])
        park->stop[thread] = event;
}

/* The threads that need the event that the thread stops at. */
static void stop_needing(hd_order_park *park, uint32_t event) {
    const hd_order_space *space = park->space;
    const uint32_t *row = hd_order_clocks_row(&space->free, event);
    for (uint32_t t = 0; t < space->threads; t++)
        if (row[t] < hd_order_space_length(space, t)) {
            uint32_t first = hd_order_event_at(space, t, row[t] + 1);
            assert(park->settled[t] || first > event);
            stop_at(park, t, first);
        }
}

/* The threads that want a lock that it holds. */
static void stop_wanting(hd_order_park *park, uint32_t thread, uint32_t lock, uint32_t event) {
    static const hd_order_scope writing = {.reading = false}, reading = {.reading = true};
    const hd_order_groups *holds = &park->space->holds;
    const hd_order_scope *scopes = park->space->scopes->scopes;
    uint32_t number = hd_order_lock_number(lock);
    for (uint32_t g = holds->first[number]; g < holds->first[number + 1]; g++) {
        if (holds->thread[g] == thread)
            continue;
        uint32_t hold = hd_order_park_next_hold(park->space, g, event,
                                                hd_order_lock_reading(lock) ? &reading : &writing);
        assert(hold == HD_ORDER_NONE || scopes[hold].acquire > event);
        if (hold != HD_ORDER_NONE)
            stop_at(park, holds->thread[g], scopes[hold].acquire);
    }
}

static void settle_thread(hd_order_park *park, uint32_t thread) {
    const hd_order_held *held = &park->space->order->held;
    uint32_t event = park->stop[thread];
    assert(!park->settled[thread] && hd_order_event(park->space, event)->thread == thread);
    park->settled[thread] = true;
    stop_needing(park, event);
    hd_order_set locks = hd_order_sets_at(&held->sets, hd_order_held_before(held, event));
    for (uint32_t i = 0; i < locks.count; i++)
        stop_wanting(park, thread, locks.locks[i], event);
}

/* ---- Semaphores ---- */

/* From the first stop on; before it all is as in the trace. */
static void start_walk(hd_order_park *park) {
    uint32_t first = first_stop(park);
    park->walks++;
    park->from = first == HD_ORDER_NONE ? UINT32_MAX : park->stop[first];
    park->at = hd_order_below(park->walk.data, (uint32_t)park->walk.length, park->from);
}

static uint32_t *units_at(hd_order_park *park, uint32_t semaphore) {
    if (park->known[semaphore] != park->walks) {
        park->known[semaphore] = park->walks;
        park->left[semaphore] = hd_order_units_at(&park->space->units, semaphore, park->from);
    }
    return &park->left[semaphore];
}

/* Goes on to the event at which the next thread stops.  A take that finds no unit before that
 * stops its thread: threads that stop later do not change that. */
static void walk_units(hd_order_park *park, uint32_t end) {
    for (; park->at < park->walk.length && park->walk.data[park->at] < end; park->at++) {
        uint32_t number = park->walk.data[park->at];
        const heddle_event *event = hd_order_event(park->space, number);
        if (number >= park->stop[event->thread])
            continue;
        assert(!park->settled[event->thread]); /* one that stopped goes on no more */
        uint32_t *left = units_at(park, event->object);
        if (event->kind == HEDDLE_POST) {
            ++*left;
        } else if (*left) {
            --*left;
        } else {
            park->stop[event->thread] = number;
            return;
        }
    }
}

/* The thread that stops next, HD_ORDER_NONE if none does. */
static uint32_t next_stop(hd_order_park *park) {
    uint32_t thread = first_stop(park);
    walk_units(park, thread == HD_ORDER_NONE ? UINT32_MAX : park->stop[thread]);
    return first_stop(park);
}

/* Does every event of the set have all in it that it needs? */
static bool is_closed(const hd_order_space *space, const uint32_t *set) {
    for (uint32_t t = 0; t < space->threads; t++) {
        if (!set[t])
            continue;
        const uint32_t *row =
            hd_order_clocks_row(&space->need, hd_order_event_at(space, t, set[t]));
        for (uint32_t u = 0; u < space->threads; u++)
            if (u != t && row[u] > set[u])
                return false;
    }
    return true;
}

/* Can the threads be there at once: do they hold no lock against each other, and did every take
 * find a unit? */
HD_ASSERT_ONLY static bool is_feasible(const hd_order_space *space, const uint32_t *set) {
    const hd_order_held *held = &space->order->held;
    for (uint32_t t = 0; t < space->threads; t++)
        for (uint32_t u = 0; u < t; u++)
            if (set[t] && set[u] &&
                hd_order_sets_conflict(
                    &held->sets, hd_order_held_after(held, hd_order_event_at(space, t, set[t])),
                    hd_order_held_after(held, hd_order_event_at(space, u, set[u]))))
                return false;
    for (uint32_t s = 0; s < space->units.semaphores; s++)
        if (hd_order_units_left(&space->units, s, set) < 0)
            return false;
    return true;
}

void hd_order_park_run(hd_order_park *park, uint32_t *set) {
    const hd_order_space *space = park->space;
    HD_ASSERT_ONLY uint32_t last =
        0; /* threads are settled by the number of the event they stop at */
    for (uint32_t t = 0; t < space->threads; t++) {
        park->settled[t] = false;
        park->stop[t] = set[t] < hd_order_space_length(space, t)
                            ? hd_order_event_at(space, t, set[t] + 1)
                            : UINT32_MAX;
    }
    start_walk(park);
    for (uint32_t thread; (thread = next_stop(park)) != HD_ORDER_NONE;) {
        assert(park->stop[thread] > last);
        last = park->stop[thread];
        settle_thread(park, thread);
    }
    for (uint32_t t = 0; t < space->threads; t++) {
        uint32_t count = park->stop[t] == UINT32_MAX ? hd_order_space_length(space, t)
                                                     : hd_order_position(space, park->stop[t]) - 1;
        assert(count <= set[t]);
        set[t] = count;
    }
    HD_COSTLY_ASSERT(is_closed(space, set));
    HD_COSTLY_ASSERT(is_feasible(space, set));
}
