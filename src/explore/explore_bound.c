/*
 * Every trace that few preemptions lead to.
 *
 *   M. Musuvathi, S. Qadeer: Iterative context bounding for systematic testing of
 *   multithreaded programs, PLDI 2007, Algorithm 1, which remembers
 *   happens-before orders in the place of states
 *
 *   paper            here
 *   c                options.preemptions
 *   currBound        bound.level
 *   workQueue        bound.now: prefixes left with threads that cost a preemption
 *   nextWorkQueue    bound.later
 *   Search(w)        run_frames, from the state that go_to has reached
 *   table            bound.prefixes, found by their trace
 *
 * A preemption is a step of another thread than the last one's while that one is
 * enabled.  A schedule can be left for nothing where its last thread is blocked
 * or has ended, and at the start.
 *
 * The paper remembers pairs of a state and a thread.  Here a node is a prefix, as
 * a trace, with the set of threads not yet taken from it.  That is enough: if a
 * prefix P is reached with c preemptions at the least, its least schedules end in
 * some threads L; a thread of L goes on for c (any thread, if one of L is not
 * enabled), every other for c + 1, and a schedule of P that has c + 1 preemptions
 * itself can do nothing that these cannot.  So when P is entered by a step of t
 * at level c, t is taken at once if it was not taken from P before, the others wait
 * for level c + 1, and:
 *
 *   (1) each step P.t is taken once, with the least number of preemptions that a
 *       schedule of P.t that ends in t can have;
 *   (2) a trace is completed iff one of its linearizations has at most
 *       options.preemptions, and then once, by such a linearization (P.t is
 *       entered by one step only: t's last event tells P from P.t);
 *   (3) levels come in order: the first failure has as few preemptions as any.
 *
 * Cost: a step for each edge of the graph of prefixes within the bound, and those
 * to go from one waiting prefix to the next: they are in depth-first order, so
 * neighbours share most of their schedules, and what they share is not undone.
 * Memory grows with the prefixes, about 70 bytes each and 12 an edge; none is
 * ever forgotten.  The search stops with the limit "prefixes" at
 * options.most_prefixes, or where 32-bit numbers end.
 */
#include <stdlib.h>

#include "explore_search.h"
#include "explore_trace.h"

#define NONE UINT32_MAX

/* A prefix, as a trace. */
struct prefix {
    uint64_t check;      /* the half of its hash that is not the key */
    hd_explore_set left; /* enabled threads that were not taken from it */
    uint32_t link;       /* the end of its first schedule */
};

/* A schedule, from its end: the last step, and what is before it. */
struct link {
    uint32_t before;
    hd_step step;
};

/* The state after some events of the path, while steps are taken from it. */
struct frame {
    hd_explore_set todo; /* threads to be taken at this level */
    uint32_t link;
    uint32_t thread, choice, choices; /* being taken; choices 0: none yet */
};

struct bound {
    hd_explore_search *search;
    uint32_t level; /* preemptions of the schedules being searched */
    HD_VEC(struct prefix) prefixes;
    hd_map by_hash; /* low half of the trace -> prefix + 1 */
    HD_VEC(struct link) links;
    HD_VEC(hd_explore_trace) traces; /* of the first 0, 1, 2, ... events of the path */
    HD_VEC(struct frame) frames;
    hd_vec_u32 now, later; /* prefixes to be left with a preemption */
    hd_vec_u32 route;      /* scratch of go_to: links, last first */
    size_t next;           /* of `now`, to be left next */
};

static void cut_off(struct bound *bound, enum hd_explore_limit limit) {
    bound->search->result->limit = limit;
    bound->search->stop = true;
}

/* ---- Prefixes ---- */

static bool prefixes_full(const struct bound *bound) {
    uint64_t most = bound->search->options->most_prefixes;
    if (!most || most > NONE - 1)
        most = NONE - 1;
    return bound->prefixes.length >= most;
}

/* The prefix that the path is, entered if it is new.  NULL: no room for more. */
static struct prefix *find_prefix(struct bound *bound, bool *added) {
    const hd_explore_trace trace = *hd_vec_last(&bound->traces);
    assert(bound->traces.length == bound->search->path.events.length + 1);
    for (uint64_t key = trace.low;; key++) {
        uint32_t *number = hd_map_at(&bound->by_hash, key, NULL);
        *added = !*number;
        if (*number && bound->prefixes.data[*number - 1].check != trace.high)
            continue; /* another one with the same low half */
        if (*added && prefixes_full(bound))
            return NULL;
        if (*added) {
            hd_vec_push(&bound->prefixes, (struct prefix){.check = trace.high});
            *number = (uint32_t)bound->prefixes.length;
        }
        return &bound->prefixes.data[*number - 1];
    }
}

/* A prefix seen for the first time: may end here, else everything is left. */
static void open_prefix(struct bound *bound, struct prefix *prefix) {
    hd_explore_search *search = bound->search;
    hd_explore_set enabled = search->path.enabled;
    if (!hd_explore_set_any(enabled))
        hd_explore_ended(search, hd_explore_set_any(search->path.running) ? HD_EXPLORE_DEADLOCK
                                                                          : HD_EXPLORE_COMPLETE);
    else if (!hd_explore_too_long(search))
        prefix->left = enabled;
}

/* Threads that may go on from the path's end without a preemption. */
static hd_explore_set free_threads(struct bound *bound) {
    const hd_explore_path *path = &bound->search->path;
    if (!path->events.length)
        return HD_EXPLORE_ALL_THREADS;
    uint32_t last = hd_vec_last(&path->events)->thread;
    hd_explore_set bit = HD_EXPLORE_BIT(last);
    return hd_explore_set_any(path->enabled & bit) ? bit : HD_EXPLORE_ALL_THREADS;
}

/* A frame for what is to be taken from the prefix; false if there is nothing. */
static bool open_frame(struct bound *bound, struct prefix *prefix, hd_explore_set threads,
                       uint32_t link) {
    hd_explore_set todo = prefix->left & threads;
    assert(link <= bound->links.length);
    if (!hd_explore_set_any(todo))
        return false;
    prefix->left &= ~todo;
    hd_vec_push(&bound->frames, (struct frame){.todo = todo, .link = link});
    return true;
}

/* The path has come to a prefix, by a step from the end of the link `before`.
 * False if nothing goes on from here at this level. */
static bool enter_prefix(struct bound *bound, uint32_t before, hd_step step) {
    bool added;
    struct prefix *prefix = find_prefix(bound, &added);
    if (!prefix) {
        cut_off(bound, HD_EXPLORE_LIMIT_PREFIXES);
        return false;
    }
    if (added)
        open_prefix(bound, prefix);
    if (!hd_explore_set_any(prefix->left))
        return false;
    uint32_t link = (uint32_t)bound->links.length;
    if (!open_frame(bound, prefix, free_threads(bound), link))
        return false;
    hd_vec_push(&bound->links, (struct link){before, step});
    if (added)
        prefix->link = link;
    if (added && hd_explore_set_any(prefix->left))
        hd_vec_push(&bound->later, (uint32_t)(prefix - bound->prefixes.data));
    return true;
}

/* ---- Steps ---- */

static enum hd_machine_result step_on(struct bound *bound, hd_step step) {
    hd_explore_path *path = &bound->search->path;
    enum hd_machine_result result = hd_explore_push(path, step.thread, step.choice);
    hd_explore_trace before = *hd_vec_last(&bound->traces);
    hd_explore_trace event = hd_explore_trace_of(path, (uint32_t)path->events.length - 1);
    hd_vec_push(&bound->traces, hd_explore_trace_add(before, event));
    return result;
}

static void step_back(struct bound *bound) {
    hd_explore_pop(&bound->search->path);
    bound->traces.length--;
    assert(bound->traces.length == bound->search->path.events.length + 1);
}

/* The next way on from a frame; false if none is left. */
static bool choose_step(struct bound *bound, struct frame *frame) {
    if (frame->choice + 1 < frame->choices) {
        frame->choice++;
        return true;
    }
    if (!hd_explore_set_any(frame->todo))
        return false;
    frame->thread = hd_explore_set_first(frame->todo);
    frame->todo = hd_explore_set_rest(frame->todo);
    assert(hd_explore_set_has(bound->search->path.enabled, frame->thread) ||
           hd_machine_changed(bound->search->path.machine));
    frame->choice = 0;
    frame->choices = hd_explore_next(&bound->search->path, frame->thread)->choices;
    return true;
}

static uint32_t count_preemptions(const hd_explore_path *path) {
    uint32_t count = 0;
    for (size_t i = 1; i < path->events.length; i++) {
        const hd_explore_event *event = &path->events.data[i];
        count += event->thread != event[-1].thread &&
                 hd_explore_set_has(event->enabled, event[-1].thread);
    }
    return count;
}

static void take_frame_step(struct bound *bound, const struct frame *frame) {
    hd_step step = {frame->thread, frame->choice};
    uint32_t link = frame->link;
    enum hd_machine_result result = step_on(bound, step);
    HD_COSTLY_ASSERT(count_preemptions(&bound->search->path) == bound->level);
    if (result != HD_MACHINE_WENT_ON)
        hd_explore_ended(bound->search, hd_explore_end_by(result));
    else if (enter_prefix(bound, link, step))
        return;
    step_back(bound);
}

/* Depth first, without preemptions, from the frame that is there; false if the search pauses. */
static bool run_frames(struct bound *bound) {
    while (bound->frames.length) {
        if (hd_explore_pauses(bound->search))
            return false;
        struct frame *frame = hd_vec_last(&bound->frames);
        assert(bound->frames.length <= bound->search->path.events.length + 1);
        hd_explore_look_at_clock(bound->search); /* many steps only lead to known prefixes */
        if (!bound->search->stop && choose_step(bound, frame)) {
            take_frame_step(bound, frame);
            continue;
        }
        bound->frames.length--;
        if (bound->frames.length)
            step_back(bound);
    }
    return true;
}

/* ---- Levels ---- */

static bool same_step(const hd_explore_path *path, size_t event, hd_step step) {
    return event < path->events.length && path->events.data[event].thread == step.thread &&
           path->events.data[event].choice == step.choice;
}

/* Brings the path to the end of a schedule; what it shares with it stays. */
static void go_to(struct bound *bound, uint32_t link) {
    const hd_explore_path *path = &bound->search->path;
    hd_vec_clear(&bound->route);
    for (uint32_t l = link; bound->links.data[l].before != NONE; l = bound->links.data[l].before)
        hd_vec_push(&bound->route, l);
    size_t length = bound->route.length, shared = 0;
    while (shared < length &&
           same_step(path, shared, bound->links.data[bound->route.data[length - 1 - shared]].step))
        shared++;
    while (path->events.length > shared)
        step_back(bound);
    for (size_t i = shared; i < length; i++)
        step_on(bound, bound->links.data[bound->route.data[length - 1 - i]].step);
    assert(path->events.length == length);
}

/* Leaves every waiting prefix with the threads that are left; false if the search pauses. */
static bool run_level(struct bound *bound) {
    if (!run_frames(bound))
        return false;
    while (bound->next < bound->now.length && !bound->search->stop) {
        struct prefix *prefix = &bound->prefixes.data[bound->now.data[bound->next++]];
        if (!open_frame(bound, prefix, HD_EXPLORE_ALL_THREADS, prefix->link))
            continue;
        go_to(bound, prefix->link);
        assert(hd_vec_last(&bound->traces)->high == prefix->check ||
               hd_machine_changed(bound->search->path.machine));
        if (!run_frames(bound))
            return false;
    }
    return true;
}

/* Waiting prefixes become those to search; false if nothing was left out. */
static bool next_level(struct bound *bound) {
    assert(!bound->frames.length);
    hd_vec_u32 waiting = bound->later;
    bound->later = bound->now;
    bound->now = waiting;
    hd_vec_clear(&bound->later);
    bound->next = 0;
    for (size_t i = 0; i < bound->now.length; i++)
        if (hd_explore_set_any(bound->prefixes.data[bound->now.data[i]].left))
            return true;
    return false;
}

/* False if the search pauses. */
static bool search_levels(struct bound *bound) {
    hd_explore_search *search = bound->search;
    for (;;) {
        if (!run_level(bound))
            return false;
        bool more = next_level(bound);
        if (!search->stop && !search->result->limit)
            search->result->levels = bound->level + 1;
        search->result->beyond = more;
        if (!more || search->stop || bound->level >= search->options->preemptions)
            return true;
        bound->level++;
    }
}

static void bound_go_on(hd_explore_search *search) {
    struct bound *bound = search->own;
    if (!search_levels(bound))
        return;
    search->result->prefixes = bound->prefixes.length;
    hd_vec_release(&bound->prefixes);
    hd_map_release(&bound->by_hash);
    hd_vec_release(&bound->links);
    hd_vec_release(&bound->traces);
    hd_vec_release(&bound->frames);
    hd_vec_release(&bound->now);
    hd_vec_release(&bound->later);
    hd_vec_release(&bound->route);
    free(bound);
    search->own = NULL;
}

void hd_explore_bound(hd_explore_search *search) {
    struct bound *bound = HD_NEW(struct bound);
    bound->search = search;
    search->own = bound;
    search->go_on = bound_go_on;
    hd_vec_push(&bound->traces, (hd_explore_trace){0, 0});
    enter_prefix(bound, NONE, (hd_step){0, 0});
    bound_go_on(search);
}
