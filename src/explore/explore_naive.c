/*
 * All interleavings, and how many different Mazurkiewicz traces they are: the
 * slow, obvious twin of the other algorithms.
 *
 * Two executions are the same trace if they have the same events, each with the
 * same past.  A trace is told by the sum of a hash for each event over its
 * thread, its choice and its vector clock, which does not depend on the order.
 */
#include <string.h>

#include "explore_search.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Thread and choice go in as data: as a seed they could cancel out against the clock. */
static uint64_t event_hash(const hd_explore_path *path, uint32_t number) {
    int32_t about[HD_EXPLORE_MAX_THREADS + 2];
    const hd_explore_event *event = &path->events.data[number];
    about[0] = (int32_t)event->thread;
    about[1] = (int32_t)event->choice;
    memcpy(about + 2, hd_explore_clock(path, number), path->threads * sizeof *about);
    return XXH3_64bits(about, (path->threads + 2) * sizeof *about);
}

static uint64_t trace_hash(const hd_explore_path *path) {
    uint64_t sum = path->events.length;
    for (uint32_t i = 0; i < path->events.length; i++)
        sum += event_hash(path, i);
    return sum;
}

static void note_trace(hd_explore_search *search, hd_map *seen, enum hd_explore_end end) {
    bool added;
    hd_map_at(seen, trace_hash(&search->path) + end, &added);
    search->result->traces += added;
    hd_explore_ended(search, end);
}

static void explore(hd_explore_search *search, hd_map *seen) {
    uint64_t enabled = search->path.enabled;
    if (!enabled)
        note_trace(search, seen, search->path.running ? HD_EXPLORE_DEADLOCK : HD_EXPLORE_COMPLETE);
    if (!enabled || hd_explore_too_long(search))
        return;
    for (; enabled && !search->stop; enabled &= enabled - 1) {
        uint32_t thread = (uint32_t)__builtin_ctzll(enabled);
        uint32_t choices = hd_explore_next(&search->path, thread)->choices;
        for (uint32_t choice = 0; choice < choices && !search->stop; choice++) {
            enum hd_machine_result result = hd_explore_push(&search->path, thread, choice);
            if (result == HD_MACHINE_FAILED)
                note_trace(search, seen, HD_EXPLORE_VIOLATION);
            else
                explore(search, seen);
            hd_explore_pop(&search->path);
        }
    }
}

void hd_explore_naive(hd_explore_search *search) {
    hd_map seen = {0};
    explore(search, &seen);
    hd_map_release(&seen);
}
