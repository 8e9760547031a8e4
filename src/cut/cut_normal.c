/*
 * Normalization of a loset (Chang, Algorithm 17) and strong feasibility (6.2.3),
 * with vector clocks instead of explicit pairs.
 *
 *   paper                      here
 *   I(l), J(l)                 hd_cut_hold
 *   I |-> J                    J's last event has I.acq in its clock
 *   the seed relations H       events whose clock has changed: queue
 *   I.rel -> J.acq             add_edge
 *   dynamic locking order      seed_dynamic
 *   F, G                       from, to
 *
 * An event's clock says all that is before it, so I |-> J need be asked at one
 * event of J only: its release, or the last event of the state if J is held.  Of
 * each other thread only the last such I counts, as the earlier ones are before
 * it; with read-write locks, the last one that conflicts.  An edge completes a
 * cycle iff the event it leads to is in the clock of the one it comes from.
 *
 * For a state, the events are those of the state alone, and by Theorem 13 those
 * above the greatest lock-free state below it if the loset is valid.
 *
 * Time: each clock can change as often as there are events, at the cost of its
 * length; in practice, a few times.
 */
#include "cut_normal.h"

#include <string.h>

struct edge {
    uint32_t to;   /* event */
    uint32_t next; /* edge, + 1 */
};

struct hd_cut_normal {
    const hd_cut_loset *loset;
    uint32_t *from, *to; /* [place]: the events from+1..to of each take part */
    size_t *base;        /* [place]: event c is number base + c; wraps where from > base */
    uint32_t *clocks;    /* [event * threads] */
    size_t events, room;
    uint32_t *place, *count; /* [event] */
    uint32_t *out;           /* [event]: first added edge out of it, + 1 */
    bool *queued;
    HD_VEC(struct edge) edges;
    hd_vec_u32 queue;
    uint32_t *open; /* holds of one place */
    bool failed;
};

hd_cut_normal *hd_cut_normal_create(const hd_cut_loset *loset) {
    hd_cut_normal *n = HD_NEW(hd_cut_normal);
    n->loset = loset;
    n->from = HD_NEW_ARRAY(uint32_t, 2 * (size_t)loset->space->threads + 1);
    n->to = n->from + loset->space->threads;
    n->base = HD_NEW_ARRAY(size_t, loset->space->threads + 1);
    n->open = HD_NEW_ARRAY(uint32_t, loset->most_held + 1);
    return n;
}

void hd_cut_normal_free(hd_cut_normal *n) {
    if (!n)
        return;
    free(n->from);
    free(n->base);
    free(n->open);
    free(n->clocks);
    free(n->place);
    free(n->count);
    free(n->out);
    free(n->queued);
    hd_vec_release(&n->edges);
    hd_vec_release(&n->queue);
    free(n);
}

static inline uint32_t event_at(const hd_cut_normal *n, uint32_t place, uint32_t count) {
    assert(count > n->from[place] && count <= n->to[place]);
    return (uint32_t)(n->base[place] + (count - n->from[place] - 1));
}

static inline uint32_t *clock_of(const hd_cut_normal *n, uint32_t event) {
    return n->clocks + (size_t)event * n->loset->space->threads;
}

static void make_room(hd_cut_normal *n) {
    if (n->events <= n->room)
        return;
    n->room = n->events + n->events / 2;
    n->clocks = hd_mem_resize(n->clocks, n->room * n->loset->space->threads, sizeof *n->clocks);
    n->place = hd_mem_resize(n->place, n->room, sizeof *n->place);
    n->count = hd_mem_resize(n->count, n->room, sizeof *n->count);
    n->out = hd_mem_resize(n->out, n->room, sizeof *n->out);
    n->queued = hd_mem_resize(n->queued, n->room, sizeof *n->queued);
}

/* The events between `from` and `to`, with the clocks of the must-edges. */
static void start_events(hd_cut_normal *n) {
    const hd_cut_space *space = n->loset->space;
    n->events = 0;
    for (uint32_t p = 0; p < space->threads; p++) {
        assert(n->from[p] <= n->to[p]);
        n->base[p] = n->events;
        n->events += n->to[p] - n->from[p];
    }
    make_room(n);
    for (uint32_t p = 0; p < space->threads; p++)
        for (uint32_t c = n->from[p] + 1; c <= n->to[p]; c++) {
            uint32_t event = event_at(n, p, c);
            memcpy(clock_of(n, event), hd_cut_low(space, p, c), space->threads * sizeof(uint32_t));
            clock_of(n, event)[p] = c;
            n->place[event] = p;
            n->count[event] = c;
            n->out[event] = 0;
            n->queued[event] = false;
        }
    hd_vec_clear(&n->edges);
    hd_vec_clear(&n->queue);
    n->failed = false;
}

static void enqueue(hd_cut_normal *n, uint32_t event) {
    assert(event < n->events);
    if (n->queued[event])
        return;
    n->queued[event] = true;
    hd_vec_push(&n->queue, event);
}

/* All that is before a is before b. */
static void join_clocks(hd_cut_normal *n, uint32_t a, uint32_t b) {
    const uint32_t *from = clock_of(n, a);
    uint32_t *to = clock_of(n, b), threads = n->loset->space->threads;
    if (from[n->place[b]] >= n->count[b]) {
        n->failed = true;
        return;
    }
    bool changed = false;
    for (uint32_t q = 0; q < threads; q++)
        if (to[q] < from[q]) {
            to[q] = from[q];
            changed = true;
        }
    assert(to[n->place[b]] == n->count[b]);
    assert(to[n->place[a]] >= n->count[a]);
    if (changed)
        enqueue(n, b);
}

/* I.rel -> J.acq */
static void add_edge(hd_cut_normal *n, const hd_cut_hold *i, const hd_cut_hold *j) {
    if (i->release <= n->from[i->place])
        return; /* below all that takes part */
    if (i->release > n->to[i->place]) {
        n->failed = true; /* it is held, and would have to be released */
        return;
    }
    assert(hd_cut_holds_conflict(i, j) && i->place != j->place);
    uint32_t a = event_at(n, i->place, i->release), b = event_at(n, j->place, j->acquire);
    if (clock_of(n, b)[i->place] >= i->release)
        return;
    hd_vec_push(&n->edges, (struct edge){b, n->out[a]});
    n->out[a] = (uint32_t)n->edges.length;
    join_clocks(n, a, b);
}

/* Conflicting holds that have to start before J ends must end before it starts. */
static void check_hold(hd_cut_normal *n, const hd_cut_hold *j) {
    const hd_cut_loset *loset = n->loset;
    uint32_t last = j->release <= n->to[j->place] ? j->release : n->to[j->place];
    const uint32_t *clock = clock_of(n, event_at(n, j->place, last));
    for (uint32_t q = 0; q < loset->space->threads && !n->failed; q++) {
        if (q == j->place)
            continue;
        uint32_t i = hd_cut_last_hold(loset, j->lock, q, clock[q], j->reading);
        if (i != HD_ORDER_NONE)
            add_edge(n, &loset->holds[i], j);
    }
}

/* The holds of a place that are open at the end. */
static void check_held(hd_cut_normal *n, uint32_t place) {
    uint32_t open = hd_cut_open_holds(n->loset, place, n->to[place], n->open);
    for (uint32_t i = 0; i < open && !n->failed; i++)
        check_hold(n, &n->loset->holds[n->open[i]]);
}

static void check_event(hd_cut_normal *n, uint32_t event) {
    uint32_t place = n->place[event], count = n->count[event];
    uint32_t hold = n->loset->released[n->loset->space->start[place] + count];
    if (hold != HD_ORDER_NONE)
        check_hold(n, &n->loset->holds[hold]);
    if (count == n->to[place] && hd_cut_held(n->loset, place, count))
        check_held(n, place);
}

static void propagate_clock(hd_cut_normal *n, uint32_t event) {
    uint32_t place = n->place[event], count = n->count[event];
    if (count < n->to[place]) {
        assert(n->place[event + 1] == place && n->count[event + 1] == count + 1);
        join_clocks(n, event, event + 1);
    }
    hd_cut_cover_list out =
        hd_cut_covers_out(&n->loset->covers, n->loset->space->start[place] + count);
    for (uint32_t i = 0; i < out.count; i++)
        if (out.covers[i].count <= n->to[out.covers[i].place])
            join_clocks(n, event, event_at(n, out.covers[i].place, out.covers[i].count));
    for (uint32_t i = n->out[event]; i; i = n->edges.data[i - 1].next)
        join_clocks(n, event, n->edges.data[i - 1].to);
}

static bool has_clock_of(const hd_cut_normal *n, uint32_t later, uint32_t earlier) {
    for (uint32_t q = 0; q < n->loset->space->threads; q++)
        if (clock_of(n, later)[q] < clock_of(n, earlier)[q])
            return false;
    return true;
}

/* Has the event at the end of every edge all that the one at its start has? */
static bool is_settled(const hd_cut_normal *n) {
    for (uint32_t event = 0; event < n->events; event++) {
        if (n->count[event] < n->to[n->place[event]] && !has_clock_of(n, event + 1, event))
            return false;
        for (uint32_t i = n->out[event]; i; i = n->edges.data[i - 1].next)
            if (!has_clock_of(n, n->edges.data[i - 1].to, event))
                return false;
        size_t at = n->loset->space->start[n->place[event]] + n->count[event];
        hd_cut_cover_list out = hd_cut_covers_out(&n->loset->covers, at);
        for (uint32_t i = 0; i < out.count; i++)
            if (out.covers[i].count <= n->to[out.covers[i].place] &&
                !has_clock_of(n, event_at(n, out.covers[i].place, out.covers[i].count), event))
                return false;
    }
    return true;
}

static bool settle_queue(hd_cut_normal *n) {
    for (uint32_t event = 0; event < n->events && !n->failed; event++)
        check_event(n, event);
    while (n->queue.length && !n->failed) {
        uint32_t event = hd_vec_pop(&n->queue);
        assert(n->queued[event]);
        n->queued[event] = false;
        check_event(n, event);
        propagate_clock(n, event);
    }
    HD_COSTLY_ASSERT(n->failed || n->events > 64 || is_settled(n));
    return !n->failed;
}

bool hd_cut_normal_whole(hd_cut_normal *n) {
    const hd_cut_space *space = n->loset->space;
    for (uint32_t p = 0; p < space->threads; p++) {
        n->from[p] = 0;
        n->to[p] = space->length[p];
    }
    start_events(n);
    return settle_queue(n);
}

uint32_t hd_cut_normal_at(const hd_cut_normal *n, uint32_t place, uint32_t count, uint32_t other) {
    return count ? clock_of(n, event_at(n, place, count))[other] : 0;
}

/* A held J comes after every conflicting I that was released. */
static void seed_dynamic(hd_cut_normal *n, const hd_cut_hold *j) {
    const hd_cut_loset *loset = n->loset;
    assert(j->acquire <= n->to[j->place] && j->release > n->to[j->place]);
    for (uint32_t q = 0; q < loset->space->threads && !n->failed; q++) {
        if (q == j->place)
            continue;
        uint32_t i = hd_cut_last_hold(loset, j->lock, q, n->to[q], j->reading);
        if (i != HD_ORDER_NONE)
            add_edge(n, &loset->holds[i], j);
    }
}

bool hd_cut_strongly_feasible(hd_cut_normal *n, const uint32_t *state) {
    const hd_cut_loset *loset = n->loset;
    uint32_t threads = loset->space->threads;
    HD_COSTLY_ASSERT(hd_cut_compatible(loset, state));
    memcpy(n->to, state, threads * sizeof *state);
    if (loset->valid)
        hd_cut_lock_free_below(loset, state, n->from);
    else
        memset(n->from, 0, threads * sizeof *n->from);
    start_events(n);
    for (uint32_t p = 0; p < threads && !n->failed; p++) {
        uint32_t open = hd_cut_open_holds(loset, p, state[p], n->open);
        for (uint32_t i = 0; i < open; i++)
            seed_dynamic(n, &loset->holds[n->open[i]]);
    }
    return settle_queue(n);
}
