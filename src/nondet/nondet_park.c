#include "nondet_park.h"

#include <string.h>

void hd_nondet_park_init(hd_nondet_park *park, const hd_order_space *space) {
    *park = (hd_nondet_park){.space = space};
    hd_order_park_init(&park->park, space);
    park->set = HD_NEW_ARRAY(uint32_t, (size_t)space->threads + 1);
    park->body = HD_NEW_ARRAY(uint32_t, (size_t)space->threads + 1);
}

void hd_nondet_park_release(hd_nondet_park *park) {
    hd_order_park_release(&park->park);
    free(park->set);
    free(park->body);
    *park = (hd_nondet_park){0};
}

static uint32_t thread_of(const hd_nondet_park *park, uint32_t event) {
    return hd_order_event(park->space, event)->thread;
}

/* Position of the first acquire of the holds that are open at the event; its own
 * position if none exists. */
static uint32_t outside(const hd_nondet_park *park, uint32_t event) {
    const hd_order_space *space = park->space;
    const hd_order_held *held = &space->order->held;
    uint32_t thread = thread_of(park, event), first = hd_order_position(space, event);
    hd_order_set locks = hd_order_sets_at(&held->sets, hd_order_held_before(held, event));
    for (uint32_t i = 0; i < locks.count; i++) {
        uint32_t group =
            hd_order_groups_find(&space->holds, hd_order_lock_number(locks.locks[i]), thread);
        assert(group != HD_ORDER_NONE);
        const uint32_t *holds = space->holds.items + space->holds.start[group];
        uint32_t count = space->holds.start[group + 1] - space->holds.start[group], low = 0;
        while (low < count) {
            uint32_t middle = low + (count - low) / 2;
            if (space->scopes->scopes[holds[middle]].acquire < event)
                low = middle + 1;
            else
                count = middle;
        }
        assert(low); /* the thread holds the lock there, so it has acquired it before */
        uint32_t position = hd_order_position(space, space->scopes->scopes[holds[low - 1]].acquire);
        assert(position < hd_order_position(space, event));
        first = position < first ? position : first;
    }
    return first;
}

bool hd_nondet_park_has_holds(const hd_nondet_park *park, uint32_t event) {
    const hd_order_held *held = &park->space->order->held;
    return hd_order_held_before(held, event) != 0;
}

static void lower(uint32_t *set, uint32_t thread, uint32_t most) {
    if (set[thread] > most)
        set[thread] = most;
}

/* Others stop before the first write that comes, in the trace, after this read. */
static void keep_value(hd_nondet_park *park, uint32_t cell, uint32_t read) {
    const hd_order_space *space = park->space;
    const hd_order_groups *writes = &space->writes;
    for (uint32_t g = writes->first[cell]; g < writes->first[cell + 1]; g++) {
        if (writes->thread[g] == thread_of(park, read))
            continue;
        const uint32_t *items = writes->items + writes->start[g];
        uint32_t count = writes->start[g + 1] - writes->start[g];
        uint32_t i = hd_order_below(items, count, read);
        if (i < count)
            lower(park->body, writes->thread[g], hd_order_position(space, items[i]) - 1);
    }
}

/* Sets the limits for one parked thread; the position at which it stops. */
static uint32_t stop_at(hd_nondet_park *park, uint32_t event, enum hd_nondet_stop stop) {
    const hd_order_space *space = park->space;
    uint32_t thread = thread_of(park, event), position = hd_order_position(space, event);
    uint32_t from = stop == HD_NONDET_AT ? position : outside(park, event);
    assert(from && from <= position);
    lower(park->body, thread, from - 1);
    for (uint32_t p = from; p < position && stop == HD_NONDET_TAIL; p++) {
        uint32_t in_tail = hd_order_event_at(space, thread, p);
        uint32_t cell = hd_order_cell_read(space, in_tail);
        if (cell != HD_ORDER_NONE)
            keep_value(park, cell, in_tail);
    }
    return from;
}

/* Is everything there that the event needs of other threads? */
static bool has_needs(const hd_nondet_park *park, uint32_t event) {
    const uint32_t *row = hd_order_clocks_row(&park->space->need, event);
    uint32_t thread = thread_of(park, event);
    for (uint32_t t = 0; t < park->space->threads; t++)
        if (t != thread && row[t] > park->set[t])
            return false;
    return true;
}

/* Does no other thread hold the lock against it? */
static bool is_free(const hd_nondet_park *park, const hd_order_scope *hold) {
    const hd_order_space *space = park->space;
    const hd_order_groups *holds = &space->holds;
    for (uint32_t g = holds->first[hold->lock]; g < holds->first[hold->lock + 1]; g++) {
        uint32_t thread = holds->thread[g], position = park->set[thread];
        if (thread == hold->thread || !position)
            continue;
        uint32_t last = hd_order_event_at(space, thread, position);
        const hd_order_held *held = &space->order->held;
        hd_order_lock found =
            hd_order_sets_find(&held->sets, hd_order_held_after(held, last), hold->lock);
        if (found != HD_ORDER_NONE && !(hold->reading && hd_order_lock_reading(found)))
            return false;
    }
    return true;
}

/* Has the tail of a thread, as far as it ran, written the cell? */
static bool is_overwritten(const hd_nondet_park *park, uint32_t cell, uint32_t other) {
    const hd_order_space *space = park->space;
    if (other == HD_ORDER_NONE)
        return false;
    uint32_t group = hd_order_groups_find(&space->writes, cell, other);
    if (group == HD_ORDER_NONE)
        return false;
    const uint32_t *items = space->writes.items + space->writes.start[group];
    uint32_t count = space->writes.start[group + 1] - space->writes.start[group];
    return hd_order_below(items, count, hd_order_limit_of(space, other, park->body[other])) !=
           hd_order_below(items, count, hd_order_limit_of(space, other, park->set[other]));
}

/* A read in a tail sees what the bodies left, unless a tail wrote: then it must be
 * its own that it saw in the trace. */
static bool can_see(const hd_nondet_park *park, uint32_t read, uint32_t cell, uint32_t other) {
    uint32_t thread = thread_of(park, read), write = park->space->index->pair[read];
    bool own = write && thread_of(park, write) == thread &&
               hd_order_position(park->space, write) > park->body[thread];
    return !is_overwritten(park, cell, other) && (own || !is_overwritten(park, cell, thread));
}

static bool can_take(const hd_nondet_park *park, uint32_t event, uint32_t other) {
    const hd_order_space *space = park->space;
    const heddle_event *e = hd_order_event(space, event);
    uint32_t cell = hd_order_cell_read(space, event);
    if (e->kind == HEDDLE_TAKE && hd_order_units_left(&space->units, e->object, park->set) <= 0)
        return false;
    if (!has_needs(park, event) || (cell != HD_ORDER_NONE && !can_see(park, event, cell, other)))
        return false;
    return !hd_trace_acquires(e) || (e->flags & HEDDLE_REENTRANT) ||
           is_free(park, &space->scopes->scopes[space->hold_of[event]]);
}

/* Runs the thread on from where it was to stop; false if it stopped before that.
 * `other` is a thread whose tail ran before. */
static bool run_tail(hd_nondet_park *park, uint32_t event, uint32_t from, uint32_t other) {
    const hd_order_space *space = park->space;
    uint32_t thread = thread_of(park, event), position = hd_order_position(space, event);
    assert(park->set[thread] == park->body[thread]);
    if (park->body[thread] + 1 != from)
        return false;
    while (park->set[thread] + 1 < position) {
        if (!can_take(park, hd_order_event_at(space, thread, park->set[thread] + 1), other))
            return false;
        park->set[thread]++;
    }
    assert(park->set[thread] + 1 == position);
    return true;
}

/* Next, by program order and the must-edges into it. */
static bool is_next(const hd_nondet_park *park, uint32_t event) {
    const hd_order_space *space = park->space;
    hd_order_list into = hd_order_lists_of(&space->order->must.into, event);
    if (park->set[thread_of(park, event)] + 1 != hd_order_position(space, event))
        return false;
    for (uint32_t i = 0; i < into.count; i++)
        if (hd_order_position(space, into.events[i]) > park->set[thread_of(park, into.events[i])])
            return false;
    return true;
}

/* Has every event of the set all that it needs in it? */
static bool is_closed(const hd_nondet_park *park) {
    const hd_order_space *space = park->space;
    for (uint32_t t = 0; t < space->threads; t++)
        if (park->set[t] && !has_needs(park, hd_order_event_at(space, t, park->set[t])))
            return false;
    return true;
}

bool hd_nondet_park_try(hd_nondet_park *park, uint32_t read, enum hd_nondet_stop read_stop,
                        uint32_t writer, enum hd_nondet_stop writer_stop) {
    const hd_order_space *space = park->space;
    for (uint32_t t = 0; t < space->threads; t++)
        park->body[t] = hd_order_space_length(space, t);
    uint32_t read_from = stop_at(park, read, read_stop);
    uint32_t writer_from = writer ? stop_at(park, writer, writer_stop) : 0;
    hd_order_park_run(&park->park, park->body);
    memcpy(park->set, park->body, space->threads * sizeof *park->set);
    if (!run_tail(park, read, read_from, HD_ORDER_NONE) || !is_next(park, read))
        return false;
    if (writer && writer_stop == HD_NONDET_TAIL &&
        !run_tail(park, writer, writer_from, thread_of(park, read)))
        return false;
    park->writer_next = writer && is_next(park, writer);
    HD_COSTLY_ASSERT(is_closed(park));
    return true;
}
