/*
 * Must-edges out of the pairs that the index has: one pass that collects them
 * with both ends as key.  Barrier rounds go in as groups.  A departure is never
 * its thread's first event, nor is a thread joined at a barrier, so these have
 * no other edges on that side.
 */
#include "order_must.h"

/* The edges in both directions, and the members of barrier rounds. */
struct gathering {
    const hd_trace_index *index;
    hd_vec_u64 into, out;            /* (to, from) and (from, to) */
    hd_vec_u64 departures, arrivals; /* (bout, round) and (bin, round), rounds from 0 on */
    hd_trace_lists bouts;            /* of each round */
};

static uint64_t pair_of(uint32_t key, uint32_t item) {
    return (uint64_t)key << 32 | item;
}

static void add_edge(struct gathering *gathering, uint32_t from, uint32_t to) {
    const hd_trace *trace = gathering->index->trace;
    assert(from < to);
    if (hd_trace_event(trace, from)->thread == hd_trace_event(trace, to)->thread)
        return;
    hd_vec_push(&gathering->into, pair_of(to, from));
    hd_vec_push(&gathering->out, pair_of(from, to));
}

static void add_wake(struct gathering *gathering, uint32_t wake, uint32_t notify) {
    add_edge(gathering, hd_order_wait_of(gathering->index, wake), notify);
    add_edge(gathering, notify, wake);
}

static void gather_event(struct gathering *gathering, uint32_t number, const heddle_event *event) {
    uint32_t pair = gathering->index->pair[number];
    if (!pair)
        return;
    switch ((enum heddle_kind)event->kind) {
    case HEDDLE_FORK:
        add_edge(gathering, number, pair);
        break;
    case HEDDLE_JOIN:
    case HEDDLE_RECV:
        add_edge(gathering, pair, number);
        break;
    case HEDDLE_WAKE:
        add_wake(gathering, number, pair);
        break;
    case HEDDLE_BARRIER_IN:
        hd_vec_push(&gathering->arrivals, pair_of(number, pair - 1));
        break;
    case HEDDLE_BARRIER_OUT:
        hd_vec_push(&gathering->departures, pair_of(number, pair - 1));
        break;
    default:
        break;
    }
}

/* The bouts of each round, as the index has the bins: a counting sort. */
static void list_bouts(struct gathering *gathering) {
    hd_trace_lists *bouts = &gathering->bouts;
    const hd_vec_u64 *departures = &gathering->departures;
    bouts->count = gathering->index->rounds.count;
    bouts->start = HD_NEW_ARRAY(uint32_t, (size_t)bouts->count + 2);
    bouts->items = HD_NEW_ARRAY(uint32_t, departures->length);
    for (size_t i = 0; i < departures->length; i++)
        bouts->start[(uint32_t)departures->data[i] + 2]++;
    for (uint32_t round = 2; round <= bouts->count; round++)
        bouts->start[round] += bouts->start[round - 1];
    for (size_t i = 0; i < departures->length; i++) {
        uint32_t round = (uint32_t)departures->data[i];
        bouts->items[bouts->start[round + 1]++] = (uint32_t)(departures->data[i] >> 32);
    }
    assert(bouts->start[bouts->count] == departures->length);
}

/* False if the clock was over before. */
static bool gather(struct gathering *gathering, bool timed) {
    const hd_trace *trace = gathering->index->trace;
    uint32_t length = hd_trace_length(trace);
    for (uint32_t number = 1; number <= length; number++) {
        const heddle_event *event = hd_trace_event(trace, number);
        if (!hd_trace_is_access(event))
            gather_event(gathering, number, event);
        if (timed && hd_clock_over_at(number))
            return false;
    }
    for (size_t i = 0; trace->loset && i < trace->loset->edges.length; i++) {
        hd_trace_edge edge = trace->loset->edges.data[i];
        add_edge(gathering, edge.first, edge.second);
    }
    return true;
}

static bool list_in_time(hd_order_must *must, struct gathering *g) {
    return hd_order_lists_build_in_time(&must->into, &g->into, &g->departures, &g->index->rounds) &&
           hd_order_lists_build_in_time(&must->out, &g->out, &g->arrivals, &g->bouts);
}

static void list(hd_order_must *must, struct gathering *g) {
    hd_order_lists_build(&must->into, &g->into, &g->departures, &g->index->rounds);
    hd_order_lists_build(&must->out, &g->out, &g->arrivals, &g->bouts);
}

static bool build(hd_order_must *must, const hd_trace_index *index, bool timed) {
    struct gathering gathering = {.index = index};
    *must = (hd_order_must){.index = index};
    bool good = gather(&gathering, timed);
    if (good)
        list_bouts(&gathering);
    if (good && timed)
        good = list_in_time(must, &gathering);
    else if (good)
        list(must, &gathering);
    hd_vec_release(&gathering.into);
    hd_vec_release(&gathering.out);
    hd_vec_release(&gathering.departures);
    hd_vec_release(&gathering.arrivals);
    free(gathering.bouts.start);
    free(gathering.bouts.items);
    HD_COSTLY_ASSERT(!good || hd_order_lists_mirror(&must->into, &must->out));
    return good;
}

void hd_order_must_build(hd_order_must *must, const hd_trace_index *index) {
    build(must, index, false);
}

bool hd_order_must_build_in_time(hd_order_must *must, const hd_trace_index *index) {
    if (build(must, index, true))
        return true;
    hd_order_must_release(must);
    return false;
}

void hd_order_must_release(hd_order_must *must) {
    hd_order_lists_release(&must->into);
    hd_order_lists_release(&must->out);
    must->index = NULL;
}

uint32_t hd_order_wait_of(const hd_trace_index *index, uint32_t wake) {
    const heddle_event *event = hd_trace_event(index->trace, wake);
    assert(event->kind == HEDDLE_WAKE && index->position[wake] >= 2);
    uint32_t wait = hd_trace_event_at(index, event->thread, index->position[wake] - 1);
    assert(hd_trace_event(index->trace, wait)->kind == HEDDLE_WAIT);
    return wait;
}

bool hd_order_releases_to_wait(const hd_trace_index *index, uint32_t event) {
    const heddle_event *release = hd_trace_event(index->trace, event);
    if (release->kind != HEDDLE_RELEASE)
        return false;
    uint32_t position = index->position[event];
    if (position == hd_trace_list_length(&index->threads, release->thread))
        return false;
    uint32_t next = hd_trace_event_at(index, release->thread, position + 1);
    return hd_trace_event(index->trace, next)->kind == HEDDLE_WAIT;
}
