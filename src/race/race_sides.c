#include "race_sides.h"

#include <stdlib.h>

static int compare_numbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int compare_sides(const struct hd_race_access *a, const struct hd_race_access *b) {
    int order = compare_numbers(a->thread, b->thread);
    return order ? order : compare_numbers(a->place, b->place);
}

static int by_event(const void *x, const void *y) {
    int order = compare_sides(x, y);
    const struct hd_race_access *a = x, *b = y;
    return order ? order : compare_numbers(a->event, b->event);
}

static int by_class(const void *x, const void *y) {
    int order = compare_sides(x, y);
    const struct hd_race_access *a = x, *b = y;
    if (!order)
        order = compare_numbers(a->held, b->held);
    if (!order)
        order = compare_numbers(a->traits, b->traits);
    return order ? order : compare_numbers(a->event, b->event);
}

/* The accesses of a variable that count; false if it is one thread's, or never written. */
static bool gather_accesses(hd_race_sides *s, const hd_order_space *space, hd_race_push *push,
                            uint32_t variable) {
    const hd_trace_lists *accesses = &space->index->variables;
    const uint32_t *events = hd_trace_list(accesses, variable);
    uint32_t count = hd_trace_list_length(accesses, variable);
    bool shared = false, written = false;
    const heddle_event *first = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const heddle_event *e = hd_order_event(space, events[i]);
        if (hd_trace_is_exempt(e))
            continue;
        first = first ? first : e;
        shared |= e->thread != first->thread;
        written |= hd_trace_writes(e);
    }
    hd_vec_clear(&s->accesses);
    for (uint32_t i = 0; i < count && shared && written; i++) {
        const heddle_event *e = hd_order_event(space, events[i]);
        if (hd_trace_is_exempt(e))
            continue;
        hd_vec_push(&s->accesses,
                    (struct hd_race_access){e->thread, hd_race_place(push, events[i]),
                                            hd_order_held_before(&space->order->held, events[i]),
                                            hd_trace_traits(e), events[i]});
    }
    return shared && written;
}

/* Leaves of the locks those that the access holds, and not for reading if it writes. */
static void keep_held(const hd_order_sets *sets, const struct hd_race_access *a,
                      hd_vec_u32 *locks) {
    size_t kept = 0;
    for (size_t i = 0; i < locks->length; i++) {
        hd_order_lock lock = hd_order_sets_find(sets, a->held, locks->data[i]);
        if (lock != HD_ORDER_NONE && !(a->traits & HEDDLE_T_WRITES && hd_order_lock_reading(lock)))
            locks->data[kept++] = locks->data[i];
    }
    locks->length = kept;
}

/* Adds the locks that guard these accesses: Eraser's candidates. */
static uint32_t add_guards(hd_race_sides *s, const hd_order_sets *sets, uint32_t start,
                           uint32_t count) {
    const struct hd_race_access *first = s->accesses.data + start, *end = first + count;
    hd_order_set held = hd_order_sets_at(sets, first->held);
    hd_vec_clear(&s->held);
    for (uint32_t i = 0; i < held.count; i++)
        hd_vec_push(&s->held, hd_order_lock_number(held.locks[i]));
    for (const struct hd_race_access *a = first; a < end && s->held.length; a++)
        if (a == first || a->held != a[-1].held || a->traits != a[-1].traits)
            keep_held(sets, a, &s->held);
    for (size_t i = 0; i < s->held.length; i++)
        hd_vec_push(&s->guards, s->held.data[i]);
    return (uint32_t)s->held.length;
}

static bool all_guarded(hd_race_sides *s, const hd_order_sets *sets) {
    hd_vec_clear(&s->guards);
    return add_guards(s, sets, 0, (uint32_t)s->accesses.length) > 0;
}

static void guard_sides(hd_race_sides *s, const hd_order_sets *sets) {
    hd_vec_clear(&s->guards);
    for (size_t i = 0; i < s->sides.length; i++) {
        struct hd_race_side *side = &s->sides.data[i];
        side->first_guard = (uint32_t)s->guards.length;
        side->guard_count = add_guards(s, sets, side->start, side->count);
    }
}

bool hd_race_sides_guarded(const hd_race_sides *s, const struct hd_race_side *a,
                           const struct hd_race_side *b) {
    const uint32_t *one = s->guards.data + a->first_guard, *other = s->guards.data + b->first_guard;
    const uint32_t *one_end = one + a->guard_count, *other_end = other + b->guard_count;
    while (one < one_end && other < other_end && *one != *other)
        if (*one < *other)
            one++;
        else
            other++;
    return one < one_end && other < other_end;
}

static void part_into_sides(hd_race_sides *s) {
    hd_vec_clear(&s->sides);
    qsort(s->accesses.data, s->accesses.length, sizeof *s->accesses.data, by_event);
    for (uint32_t i = 0; i < s->accesses.length; i++) {
        const struct hd_race_access *a = &s->accesses.data[i];
        if (!i || compare_sides(a - 1, a))
            hd_vec_push(&s->sides,
                        (struct hd_race_side){.thread = a->thread, .place = a->place, .start = i});
        hd_vec_last(&s->sides)->count++;
        assert(hd_vec_last(&s->sides)->start + hd_vec_last(&s->sides)->count == i + 1);
    }
    assert(s->sides.length > 1); /* of two threads at least */
}

/* The accesses are sorted anew; where a side starts stays. */
void hd_race_sides_classes(hd_race_sides *s) {
    struct hd_race_side *side = s->sides.data;
    hd_vec_clear(&s->classes);
    hd_vec_clear(&s->events);
    qsort(s->accesses.data, s->accesses.length, sizeof *s->accesses.data, by_class);
    for (uint32_t i = 0; i < s->accesses.length; i++) {
        const struct hd_race_access *a = &s->accesses.data[i];
        hd_vec_push(&s->events, a->event);
        if (i == side->start + side->count)
            side++;
        assert(side < s->sides.data + s->sides.length && a->thread == side->thread &&
               a->place == side->place);
        if (i == side->start)
            side->first_class = (uint32_t)s->classes.length;
        if (i == side->start || a->held != a[-1].held || a->traits != a[-1].traits) {
            hd_vec_push(&s->classes, (struct hd_race_alike){a->held, a->traits, i, 0});
            side->class_count++;
        }
        hd_vec_last(&s->classes)->count++;
    }
    assert(side + 1 == s->sides.data + s->sides.length);
    assert(s->classes.length >= s->sides.length && s->events.length == s->accesses.length);
}

bool hd_race_sides_gather(hd_race_sides *s, const hd_order_space *space, hd_race_push *push,
                          uint32_t variable) {
    const hd_order_sets *sets = &space->order->held.sets;
    if (!gather_accesses(s, space, push, variable) || all_guarded(s, sets))
        return false;
    part_into_sides(s);
    guard_sides(s, sets);
    return true;
}

void hd_race_sides_release(hd_race_sides *s) {
    hd_vec_release(&s->accesses);
    hd_vec_release(&s->sides);
    hd_vec_release(&s->events);
    hd_vec_release(&s->classes);
    hd_vec_release(&s->guards);
    hd_vec_release(&s->held);
}
