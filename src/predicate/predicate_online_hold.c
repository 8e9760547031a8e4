/*
 * What a detector holds back: a notification whose wakes have not come, and all after it.
 */
#include <string.h>

#include "predicate_online_state.h"

enum { MOST_HELD = 1 << 20 };

static bool is_notification(const heddle_event *event) {
    return event->kind == HEDDLE_NOTIFY || event->kind == HEDDLE_NOTIFYALL;
}

static size_t count_held(const hd_predicate_online *online) {
    return online->held_back.length - online->first_held;
}

/* The next event, whose number is one more than that of the last. */
static bool let_on(hd_predicate_online *online, const heddle_event *event,
                   hd_predicate_error *error) {
    if (is_notification(event)) {
        hd_order_takers_tell(online->takers, event->object, (uint32_t)online->entered + 1,
                             &online->told);
        hd_order_machine_tell(online->machine, &online->told);
    }
    return hd_predicate_online_enter(online, event, error);
}

static void drop_let_on(hd_predicate_online *online) {
    if (online->first_held * 2 < online->held_back.length)
        return;
    online->held_back.length -= online->first_held;
    memmove(online->held_back.data, online->held_back.data + online->first_held,
            online->held_back.length * sizeof *online->held_back.data);
    online->first_held = 0;
}

/* Lets on what is known, and what is more than `most`. */
static bool let_on_held(hd_predicate_online *online, size_t most, hd_predicate_error *error) {
    bool good = true;
    while (count_held(online) && good) {
        struct hd_predicate_held held = online->held_back.data[online->first_held];
        if (held.part == HD_PREDICATE_NONE && is_notification(&held.event) &&
            count_held(online) <= most &&
            !hd_order_takers_known(online->takers, held.event.object,
                                   (uint32_t)online->entered + 1))
            break;
        online->first_held++;
        if (held.part == HD_PREDICATE_NONE)
            good = let_on(online, &held.event, error);
        else
            hd_predicate_online_enter_part(online, held.whole, held.part);
    }
    if (online->first_held)
        drop_let_on(online);
    return good;
}

bool hd_predicate_online_take(hd_predicate_online *online, const heddle_event *event,
                              hd_predicate_error *error) {
    uint64_t window = online->options.window;
    online->effort.events++;
    hd_order_takers_see(online->takers, event);
    if (!count_held(online) &&
        (!is_notification(event) ||
         hd_order_takers_known(online->takers, event->object, (uint32_t)online->effort.events)))
        return let_on(online, event, error);
    hd_vec_push(&online->held_back,
                (struct hd_predicate_held){.event = *event, .part = HD_PREDICATE_NONE});
    bool full = count_held(online) > (window ? window : MOST_HELD);
    return (event->kind != HEDDLE_WAKE && !full) ||
           let_on_held(online, window ? (size_t)window : MOST_HELD, error);
}

void hd_predicate_online_split(hd_predicate_online *online, uint32_t whole, uint32_t part) {
    if (!count_held(online))
        hd_predicate_online_enter_part(online, whole, part);
    else
        hd_vec_push(&online->held_back, (struct hd_predicate_held){.whole = whole, .part = part});
}

bool hd_predicate_online_end(hd_predicate_online *online, hd_predicate_error *error) {
    hd_order_takers_end(online->takers);
    return let_on_held(online, 0, error);
}
