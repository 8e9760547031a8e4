#include "trace_statistics.h"

#include <string.h>

void hd_trace_statistics_init(hd_trace_statistics *statistics) {
    *statistics = (hd_trace_statistics){0};
}

void hd_trace_statistics_release(hd_trace_statistics *statistics) {
    hd_vec_release(&statistics->threads);
    hd_vec_release(&statistics->locks);
    hd_vec_release(&statistics->variables);
    hd_map_release(&statistics->far_threads);
}

static void note_thread(hd_trace_statistics *statistics, hd_trace_object_use *use,
                        const heddle_event *event) {
    bool fresh;
    if (event->thread < 64) {
        uint64_t bit = UINT64_C(1) << event->thread;
        fresh = !(use->mask & bit);
        use->mask |= bit;
    } else {
        /* Numbers of objects are below 2^30: the top bit tells the classes apart. */
        uint64_t class = hd_trace_kinds[event->kind].class == HEDDLE_CLASS_LOCK;
        uint64_t key = class << 63 | (uint64_t)event->object << 32 | event->thread;
        hd_map_at(&statistics->far_threads, key, &fresh);
    }
    use->threads += fresh;
}

static void note_use(hd_trace_statistics *statistics, hd_trace_object_use *use,
                     const heddle_event *event) {
    use->uses++;
    if (use->last == event->thread + 1)
        return;
    use->handovers += use->last != 0;
    use->last = event->thread + 1;
    note_thread(statistics, use, event);
}

static void note_access(hd_trace_statistics *statistics, const heddle_event *event) {
    if (event->object >= statistics->variables.length)
        hd_vec_resize(&statistics->variables, (size_t)event->object + 1);
    hd_trace_object_use *use = &statistics->variables.data[event->object];
    use->reads += hd_trace_reads(event);
    use->writes += hd_trace_writes(event);
    note_use(statistics, use, event);
}

static void note_lock(hd_trace_statistics *statistics, const heddle_event *event) {
    if (event->object >= statistics->locks.length)
        hd_vec_resize(&statistics->locks, (size_t)event->object + 1);
    hd_trace_object_use *use = &statistics->locks.data[event->object];
    bool outer = !(event->flags & HEDDLE_REENTRANT);
    statistics->reentrant += !outer;
    if (event->kind == HEDDLE_TRYFAIL)
        use->failed++;
    else if (hd_trace_acquires(event)) {
        if (!outer)
            return;
        use->writes += !hd_trace_is_shared(event);
        use->reads += hd_trace_is_shared(event);
        note_use(statistics, use, event);
    }
}

void hd_trace_statistics_add(hd_trace_statistics *statistics, const hd_trace_batch *batch) {
    for (size_t i = 0; i < batch->count; i++) {
        const heddle_event *event = &batch->events[i];
        statistics->kinds[event->kind]++;
        statistics->with_value += (event->flags & HEDDLE_HAS_VALUE) != 0;
        statistics->with_location += event->location != 0;
        if (event->thread >= statistics->threads.length)
            hd_vec_resize(&statistics->threads, (size_t)event->thread + 1);
        statistics->threads.data[event->thread]++;
        if (hd_trace_is_access(event))
            note_access(statistics, event);
        else if (hd_trace_kinds[event->kind].class == HEDDLE_CLASS_LOCK)
            note_lock(statistics, event);
    }
    statistics->events += batch->count;
}

uint64_t hd_trace_statistics_accesses(const hd_trace_statistics *statistics) {
    uint64_t sum = 0;
    for (unsigned kind = 0; kind < HEDDLE_KIND_COUNT; kind++)
        if (hd_trace_kinds[kind].traits & HEDDLE_T_ACCESS)
            sum += statistics->kinds[kind];
    return sum;
}

uint64_t hd_trace_statistics_lock_events(const hd_trace_statistics *statistics) {
    uint64_t sum = 0;
    for (unsigned kind = 0; kind < HEDDLE_KIND_COUNT; kind++)
        if (hd_trace_kinds[kind].traits & HEDDLE_T_LOCK)
            sum += statistics->kinds[kind];
    return sum;
}

uint32_t hd_trace_statistics_shared(const hd_trace_object_use *uses, size_t count) {
    uint32_t shared = 0;
    for (size_t i = 0; i < count; i++)
        shared += uses[i].threads > 1;
    return shared;
}

static bool hotter(const hd_trace_object_use *a, const hd_trace_object_use *b, bool by_handover) {
    if (by_handover && a->handovers != b->handovers)
        return a->handovers > b->handovers;
    return a->uses > b->uses;
}

size_t hd_trace_statistics_hottest(const hd_trace_object_use *uses, size_t count, bool by_handover,
                                   uint32_t *numbers, size_t most) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (!uses[i].uses)
            continue;
        size_t place = found;
        while (place > 0 && hotter(&uses[i], &uses[numbers[place - 1]], by_handover))
            place--;
        if (place == most)
            continue;
        size_t kept = found < most ? found++ : most - 1;
        memmove(numbers + place + 1, numbers + place, (kept - place) * sizeof *numbers);
        numbers[place] = (uint32_t)i;
    }
    return found;
}
