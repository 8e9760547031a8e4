/*
 * All interleavings, and how many different Mazurkiewicz traces they are: the
 * slow, obvious twin of the other algorithms.
 * A trace is told by half of its hash (explore_trace.h).
 */
#include "explore_search.h"
#include "explore_trace.h"

static uint64_t trace_hash(const hd_explore_path *path) {
    hd_explore_trace sum = {path->events.length, 0};
    for (uint32_t i = 0; i < path->events.length; i++)
        sum = hd_explore_trace_add(sum, hd_explore_trace_of(path, i));
    return sum.low;
}

static void note_trace(hd_explore_search *search, hd_map *seen, enum hd_explore_end end) {
    bool added;
    uint64_t executions = search->result->executions;
    hd_explore_ended(search, end);
    if (search->result->executions == executions)
        return; /* none that has ended */
    hd_map_at(seen, trace_hash(&search->path) + end, &added);
    search->result->traces += added;
}

static void naive_explore(hd_explore_search *search, hd_map *seen) {
    hd_explore_set enabled = search->path.enabled;
    if (!hd_explore_set_any(enabled))
        note_trace(search, seen, hd_explore_end_of(&search->path));
    if (!hd_explore_set_any(enabled) || hd_explore_too_long(search))
        return;
    for (; hd_explore_set_any(enabled) && !search->stop; enabled = hd_explore_set_rest(enabled)) {
        uint32_t thread = hd_explore_set_first(enabled);
        uint32_t choices = hd_explore_next(&search->path, thread)->choices;
        for (uint32_t choice = 0; choice < choices && !search->stop; choice++) {
            enum hd_machine_result result = hd_explore_push(&search->path, thread, choice);
            if (result != HD_MACHINE_WENT_ON)
                note_trace(search, seen, hd_explore_end_by(result));
            else
                naive_explore(search, seen);
            hd_explore_pop(&search->path);
        }
    }
}

void hd_explore_naive(hd_explore_search *search) {
    hd_map seen = {0};
    naive_explore(search, &seen);
    hd_map_release(&seen);
}
