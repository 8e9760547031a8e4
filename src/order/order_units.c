#include "order_units.h"

static bool is_of_semaphore(const heddle_event *event) {
    return event->kind == HEDDLE_POST || event->kind == HEDDLE_TAKE;
}

static void list_events(const hd_trace_index *index, uint32_t count, int kind,
                        hd_trace_lists *lists) {
    hd_vec_u64 pairs = {0};
    for (uint32_t n = 1; n <= hd_trace_length(index->trace); n++) {
        const heddle_event *event = hd_trace_event(index->trace, n);
        if (is_of_semaphore(event) && (kind < 0 || event->kind == kind))
            hd_vec_push(&pairs, (uint64_t)event->object << 32 | n);
    }
    hd_order_split(lists, count, &pairs);
}

static void group_events(const hd_trace_index *index, uint32_t count, int kind,
                         const uint32_t *thread_of, hd_order_groups *groups) {
    hd_trace_lists lists;
    list_events(index, count, kind, &lists);
    hd_order_groups_build(groups, &lists, thread_of, index->threads.count);
    hd_order_split_release(&lists);
}

/* A take that finds no unit shows one that was there at first, and so at all events before. */
static void count_units(hd_order_units *units, uint32_t semaphore) {
    uint32_t from = units->events.start[semaphore], end = units->events.start[semaphore + 1];
    uint32_t left = 0, shown = 0;
    for (uint32_t i = from; i < end; i++) {
        bool takes =
            hd_trace_event(units->index->trace, units->events.items[i])->kind == HEDDLE_TAKE;
        shown += takes && !left;
        left = takes ? left - (left != 0) : left + 1;
    }
    units->initial[semaphore] = left = shown;
    for (uint32_t i = from; i < end; i++) {
        bool takes =
            hd_trace_event(units->index->trace, units->events.items[i])->kind == HEDDLE_TAKE;
        units->before[i] = left;
        assert(left || !takes);
        left = takes ? left - 1 : left + 1;
    }
}

static int32_t *peaks_at(const hd_order_units *units, uint32_t level) {
    return units->peaks + (size_t)level * units->both.start[units->both.count];
}

/* Sparse tables of range maxima, one a group, side by side. */
static void find_peaks(hd_order_units *units) {
    const hd_order_groups *both = &units->both;
    uint32_t items = both->start[both->count], levels = 1;
    while (items >> levels)
        levels++;
    units->net = HD_NEW_ARRAY(int32_t, (size_t)items + 1);
    units->peaks = HD_NEW_ARRAY(int32_t, (size_t)items * levels + 1);
    for (uint32_t g = 0; g < both->count; g++) {
        uint32_t from = both->start[g], end = both->start[g + 1];
        int32_t net = 0;
        for (uint32_t i = from; i < end; i++) {
            const heddle_event *event = hd_trace_event(units->index->trace, both->items[i]);
            net += event->kind == HEDDLE_POST ? 1 : -1;
            units->net[i] = units->peaks[i] = net;
        }
        for (uint32_t level = 1; level < levels; level++)
            for (uint32_t i = from; i < end; i++) {
                const int32_t *below = peaks_at(units, level - 1);
                uint32_t half = i + (UINT32_C(1) << (level - 1));
                int32_t other = half < end ? below[half] : below[i];
                peaks_at(units, level)[i] = below[i] > other ? below[i] : other;
            }
    }
}

/* The same as hd_order_units_most from place `first` to `end`, one after the other. */
HD_ASSERT_ONLY static int64_t most_by_walking(const hd_order_units *units, uint32_t first,
                                              uint32_t end, int64_t most) {
    for (uint32_t i = first; i < end; i++)
        most = units->net[i] > most ? units->net[i] : most;
    return most;
}

int64_t hd_order_units_most(const hd_order_units *units, uint32_t of, uint32_t from, uint32_t to) {
    uint32_t first = units->both.start[of] + hd_order_units_within(units, &units->both, of, from);
    uint32_t end = units->both.start[of] + hd_order_units_within(units, &units->both, of, to);
    int64_t most = first > units->both.start[of] ? units->net[first - 1] : 0;
    if (first >= end)
        return most;
    uint32_t level = 31 - (uint32_t)__builtin_clz(end - first);
    assert(first + (UINT32_C(1) << level) <= end && end <= first + (UINT32_C(2) << level));
    const int32_t *peaks = peaks_at(units, level);
    int32_t a = peaks[first], b = peaks[end - (UINT32_C(1) << level)];
    a = a > b ? a : b;
    HD_COSTLY_ASSERT((a > most ? a : most) == most_by_walking(units, first, end, most));
    return a > most ? a : most;
}

void hd_order_units_build(hd_order_units *units, const hd_trace_index *index) {
    uint32_t semaphores = index->trace->tables.names[HEDDLE_CLASS_SEMAPHORE].length;
    *units = (hd_order_units){.index = index};
    if (!semaphores)
        return;
    uint32_t length = hd_trace_length(index->trace);
    uint32_t *thread_of = HD_NEW_ARRAY(uint32_t, (size_t)length + 1);
    for (uint32_t n = 1; n <= length; n++)
        thread_of[n] = hd_trace_event(index->trace, n)->thread;
    units->semaphores = semaphores;
    list_events(index, semaphores, -1, &units->events);
    group_events(index, semaphores, HEDDLE_POST, thread_of, &units->posts);
    group_events(index, semaphores, HEDDLE_TAKE, thread_of, &units->takes);
    group_events(index, semaphores, -1, thread_of, &units->both);
    assert(units->posts.start[units->posts.count] + units->takes.start[units->takes.count] ==
           units->both.start[units->both.count]);
    find_peaks(units);
    free(thread_of);
    units->initial = HD_NEW_ARRAY(uint32_t, semaphores);
    units->before = HD_NEW_ARRAY(uint32_t, (size_t)units->events.start[semaphores] + 1);
    for (uint32_t s = 0; s < semaphores; s++)
        count_units(units, s);
}

void hd_order_units_release(hd_order_units *units) {
    hd_order_split_release(&units->events);
    hd_order_groups_release(&units->posts);
    hd_order_groups_release(&units->takes);
    hd_order_groups_release(&units->both);
    free(units->net);
    free(units->peaks);
    free(units->initial);
    free(units->before);
    *units = (hd_order_units){0};
}

uint32_t hd_order_units_at(const hd_order_units *units, uint32_t semaphore, uint32_t number) {
    uint32_t from = units->events.start[semaphore], end = units->events.start[semaphore + 1];
    uint32_t i = from + hd_order_below(units->events.items + from, end - from, number);
    if (i < end)
        return units->before[i];
    if (i == from)
        return units->initial[semaphore];
    const heddle_event *last = hd_trace_event(units->index->trace, units->events.items[i - 1]);
    assert(last->kind != HEDDLE_TAKE || units->before[i - 1]);
    return last->kind == HEDDLE_TAKE ? units->before[i - 1] - 1 : units->before[i - 1] + 1;
}

uint32_t hd_order_units_within(const hd_order_units *units, const hd_order_groups *groups,
                               uint32_t of, uint32_t position) {
    uint32_t from = groups->start[of], count = groups->start[of + 1] - from;
    uint32_t limit =
        position ? hd_trace_event_at(units->index, groups->thread[of], position) + 1 : 1;
    return hd_order_below(groups->items + from, count, limit);
}

static int64_t sum_within(const hd_order_units *units, const hd_order_groups *groups,
                          uint32_t semaphore, const uint32_t *set) {
    int64_t sum = 0;
    for (uint32_t g = groups->first[semaphore]; g < groups->first[semaphore + 1]; g++)
        sum += hd_order_units_within(units, groups, g, set[groups->thread[g]]);
    return sum;
}

int64_t hd_order_units_left(const hd_order_units *units, uint32_t semaphore, const uint32_t *set) {
    return units->initial[semaphore] + sum_within(units, &units->posts, semaphore, set) -
           sum_within(units, &units->takes, semaphore, set);
}
