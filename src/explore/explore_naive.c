/*
 * All interleavings, and how many different Mazurkiewicz traces they are: the
 * slow, obvious twin of the other algorithms.
 * A trace is told by half of its hash (explore_trace.h).
 *
 * Several workers: one gives away what is still to be tried from the first state of its way that
 * has something left.  Nothing has to come back from there but the traces that were seen.
 */
#include <stdlib.h>

#include "explore_crew.h"
#include "explore_trace.h"

static uint64_t trace_hash(const hd_explore_path *path) {
    hd_explore_trace sum = {path->events.length, 0};
    for (uint32_t i = 0; i < path->events.length; i++)
        sum = hd_explore_trace_add(sum, hd_explore_trace_of(path, i));
    return sum.low;
}

/* A state on the way, and the next step from it. */
typedef struct frame {
    hd_explore_set left;              /* threads after this one */
    uint32_t thread, choice, choices; /* none yet: 0 choices */
} frame;

/* What has been seen by all workers; each adds its own at its end. */
struct naive_seen {
    pthread_mutex_t lock;
    hd_map traces;
};

/* One worker's part. */
struct naive {
    hd_explore_search *search;
    HD_VEC(frame) way; /* from the state that its part begins with */
    uint32_t base;     /* steps before that */
    hd_map traces;
};

/* A part to give away: the way to a state, and what is left to be tried from there. */
struct naive_part {
    hd_steps steps;
    frame first;
};

static void note_trace(struct naive *naive, enum hd_explore_end end) {
    hd_explore_search *search = naive->search;
    uint64_t executions = search->result->executions;
    hd_explore_ended(search, end);
    if (search->result->executions != executions) /* else it has not ended */
        hd_map_at(&naive->traces, trace_hash(&search->path) + end, NULL);
}

/* Goes on from the state that is there; false if the execution ends here. */
static bool open_frame(struct naive *naive) {
    hd_explore_search *search = naive->search;
    hd_explore_set enabled = search->path.enabled;
    if (!hd_explore_set_any(enabled))
        note_trace(naive, hd_explore_end_of(&search->path));
    if (!hd_explore_set_any(enabled) || hd_explore_too_long(search))
        return false;
    hd_vec_push(&naive->way, (frame){.left = enabled});
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

/* ---- Several workers ---- */

static void naive_give(struct naive *naive) {
    const hd_explore_path *path = &naive->search->path;
    size_t i = 0, top = naive->way.length - 1;
    while (i < top && !hd_explore_set_any(naive->way.data[i].left) &&
           naive->way.data[i].choice + 1 >= naive->way.data[i].choices)
        i++;
    if (i == top)
        return;
    frame *at = &naive->way.data[i];
    struct naive_part *part = HD_NEW(struct naive_part);
    part->first = *at;
    for (size_t k = 0; k < naive->base + i; k++)
        hd_vec_push(&part->steps,
                    ((hd_step){path->events.data[k].thread, path->events.data[k].choice}));
    at->left = HD_EXPLORE_NO_THREADS;
    at->choices = at->choice + 1;
    hd_explore_give(naive->search->crew, part);
}

static void naive_drop(void *item) {
    struct naive_part *part = item;
    hd_vec_release(&part->steps);
    free(part);
}

/* False if the machine cannot take the steps that another one took. */
static bool follow(struct naive *naive, const struct naive_part *part) {
    hd_explore_path *path = &naive->search->path;
    for (size_t i = 0; i < part->steps.length; i++) {
        hd_step step = part->steps.data[i];
        if (step.thread >= path->threads || !hd_explore_set_has(path->enabled, step.thread) ||
            step.choice >= hd_explore_next(path, step.thread)->choices ||
            hd_explore_push(path, step.thread, step.choice) != HD_MACHINE_WENT_ON)
            return false;
    }
    return true;
}

/* ---- The walk ---- */

/* From the state on top, until all is explored that its part has. */
static void naive_run(struct naive *naive) {
    hd_explore_search *search = naive->search;
    while (naive->way.length) {
        frame *at = hd_vec_last(&naive->way);
        assert(search->path.events.length == naive->base + naive->way.length - 1);
        if (hd_explore_is_wanted(search))
            naive_give(naive);
        if (search->stop || !next_step(search, at)) {
            naive->way.length--;
            if (naive->way.length)
                hd_explore_pop(&search->path);
            continue;
        }
        enum hd_machine_result result = hd_explore_push(&search->path, at->thread, at->choice);
        if (result != HD_MACHINE_WENT_ON)
            note_trace(naive, hd_explore_end_by(result));
        else if (open_frame(naive))
            continue;
        hd_explore_pop(&search->path);
    }
}

static void *naive_begin(hd_explore_search *search) {
    struct naive *naive = HD_NEW(struct naive);
    naive->search = search;
    return naive;
}

static void naive_work(void *own, void *item) {
    struct naive *naive = own;
    hd_explore_path *path = &naive->search->path;
    struct naive_part *part = item;
    naive->base = 0;
    if (!part)
        open_frame(naive);
    else if (!follow(naive, part))
        hd_explore_stray(naive->search);
    else {
        naive->base = (uint32_t)part->steps.length;
        hd_vec_push(&naive->way, part->first);
    }
    naive_run(naive);
    if (part)
        naive_drop(part);
    while (path->events.length)
        hd_explore_pop(path);
}

static void naive_end(void *own) {
    struct naive *naive = own;
    struct naive_seen *seen = naive->search->own;
    uint64_t key;
    uint32_t value;
    hd_mem_lock(&seen->lock);
    for (size_t at = 0; hd_map_each(&naive->traces, &at, &key, &value);)
        hd_map_at(&seen->traces, key, NULL);
    hd_mem_unlock(&seen->lock);
    hd_vec_release(&naive->way);
    hd_map_release(&naive->traces);
    free(naive);
}

void hd_explore_naive(hd_explore_search *search) {
    static const hd_explore_job job = {
        .begin = naive_begin, .work = naive_work, .drop = naive_drop, .end = naive_end};
    struct naive_seen seen = {.traces = {0}};
    pthread_mutex_init(&seen.lock, NULL);
    search->own = &seen;
    if (hd_explore_has_workers(search))
        hd_explore_crew_run(search, &job);
    else {
        void *own = naive_begin(search);
        naive_work(own, NULL);
        naive_end(own);
    }
    search->own = NULL;
    search->result->traces = seen.traces.length;
    hd_map_release(&seen.traces);
    pthread_mutex_destroy(&seen.lock);
}
