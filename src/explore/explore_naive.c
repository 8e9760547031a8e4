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

/* A state on the way, and the next step from it. */
typedef struct frame {
    hd_explore_set left;              /* threads after this one */
    uint32_t thread, choice, choices; /* none yet: 0 choices */
} frame;

typedef HD_VEC(frame) frames;

/* Goes on from the state that is there; false if the execution ends here. */
static bool open_frame(hd_explore_search *search, frames *way, hd_map *seen) {
    hd_explore_set enabled = search->path.enabled;
    if (!hd_explore_set_any(enabled))
        note_trace(search, seen, hd_explore_end_of(&search->path));
    if (!hd_explore_set_any(enabled) || hd_explore_too_long(search))
        return false;
    hd_vec_push(way, (frame){.left = enabled});
    return true;
}

static bool next_step(const hd_explore_search *search, frame *at) {
    at->choice++;
    while (at->choice >= at->choices) {
        if (!hd_explore_set_any(at->left))
            return false;
        at->thread = hd_explore_set_first(at->left);
        at->left = hd_explore_set_rest(at->left);
        at->choice = 0;
        at->choices = hd_explore_next(&search->path, at->thread)->choices;
    }
    return true;
}

void hd_explore_naive(hd_explore_search *search) {
    hd_map seen = {0};
    frames way = {0};
    open_frame(search, &way, &seen);
    while (way.length) {
        frame *at = hd_vec_last(&way);
        assert(search->path.events.length == way.length - 1);
        if (search->stop || !next_step(search, at)) {
            way.length--;
            if (way.length)
                hd_explore_pop(&search->path);
            continue;
        }
        enum hd_machine_result result = hd_explore_push(&search->path, at->thread, at->choice);
        if (result != HD_MACHINE_WENT_ON)
            note_trace(search, &seen, hd_explore_end_by(result));
        else if (open_frame(search, &way, &seen))
            continue;
        hd_explore_pop(&search->path);
    }
    hd_vec_release(&way);
    hd_map_release(&seen);
}
