/*
 * Which events of another thread can be next together with an event: F2 of race_predict.h.
 */
#include "race_beside.h"

uint32_t hd_race_needed(const hd_order_space *space, uint32_t event, uint32_t thread) {
    uint32_t position = hd_order_position(space, event), needed = 0;
    if (position > 1) {
        uint32_t previous =
            hd_order_event_at(space, hd_order_event(space, event)->thread, position - 1);
        return hd_order_clocks_at(&space->need, previous, thread);
    }
    hd_order_list into = hd_order_lists_of(&space->order->must.into, event);
    for (uint32_t i = 0; i < into.count; i++) {
        uint32_t at = hd_order_clocks_at(&space->need, into.events[i], thread);
        needed = at > needed ? at : needed;
    }
    assert(needed <= hd_order_space_length(space, thread));
    return needed;
}

/* Does the event need this one, so that it can be next?  By the edges into the first of a
 * thread; for others `free` has said so. */
static bool is_started_by(const hd_order_space *space, uint32_t event, uint32_t other) {
    return hd_order_position(space, event) == 1 &&
           hd_race_needed(space, event, hd_order_event(space, other)->thread) >=
               hd_order_position(space, other);
}

/* For assertions: events of one thread, in its order. */
HD_ASSERT_ONLY static bool is_of_one_thread(const hd_order_space *space, const uint32_t *events,
                                            uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        if (events[i - 1] >= events[i] || hd_order_event(space, events[i - 1])->thread !=
                                              hd_order_event(space, events[i])->thread)
            return false;
    return true;
}

bool hd_race_both_next(const hd_order_space *space, uint32_t a, uint32_t b) {
    return hd_race_needed(space, a, hd_order_event(space, b)->thread) <
               hd_order_position(space, b) &&
           hd_race_needed(space, b, hd_order_event(space, a)->thread) < hd_order_position(space, a);
}

/* For assertions: does F2, asked of each of the events, leave those from `from` to before `end`? */
HD_ASSERT_ONLY static bool leaves_these(const hd_order_space *space, uint32_t event,
                                        const uint32_t *events, uint32_t count, uint32_t from,
                                        uint32_t end) {
    for (uint32_t i = 0; i < count; i++)
        if (hd_race_both_next(space, event, events[i]) != (i >= from && i < end))
            return false;
    return true;
}

void hd_race_beside(const hd_order_space *space, uint32_t event, const uint32_t *events,
                    uint32_t count, uint32_t *from, uint32_t *end) {
    *from = *end = 0;
    if (!count)
        return;
    HD_COSTLY_ASSERT(is_of_one_thread(space, events, count));
    uint32_t thread = hd_order_event(space, events[0])->thread;
    assert(thread != hd_order_event(space, event)->thread);
    uint32_t needed = hd_race_needed(space, event, thread);
    uint32_t most = hd_order_clocks_at(&space->free, event, thread) + 1; /* one more can be next */
    if (most > hd_order_space_length(space, thread))
        most = hd_order_space_length(space, thread);
    *from = hd_order_below(events, count, hd_order_limit_of(space, thread, needed));
    *end = *from +
           hd_order_below(events + *from, count - *from, hd_order_limit_of(space, thread, most));
    if (*from < *end && is_started_by(space, events[*from], event))
        *end = *from;
    assert(*from <= *end && *end <= count);
    HD_COSTLY_ASSERT(leaves_these(space, event, events, count, *from, *end));
}
