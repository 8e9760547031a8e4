/*
 * Phase two: S_choice by walks in the lock abstraction graph, and choice graphs.
 *
 * A walk from x reaches, of each thread, all events from some place on, so a set of
 * reached events is one number a thread; entering a meta-vertex moves it to the
 * vertex's start, and an unordered pair leads from one meta-vertex to the start
 * of the other.  Backwards to y the same with ends.
 */
#include <string.h>

#include "nondet_paper.h"

/* ---- Meta-vertices ---- */

/* Overlapping scopes of a thread, in chains too, share start and end (positions). */
void hd_nondet_paper_meta(hd_nondet_paper *paper) {
    const hd_order_space *space = paper->space;
    const hd_order_scopes *scopes = space->scopes;
    for (uint32_t t = 0; t < space->threads; t++) {
        const uint32_t *holds = hd_trace_list(&scopes->by_thread, t);
        uint32_t count = hd_trace_list_length(&scopes->by_thread, t);
        for (uint32_t i = 0, next; i < count; i = next) {
            uint32_t start = hd_order_position(space, scopes->scopes[holds[i]].acquire),
                     end = start;
            if (start > paper->keep[t])
                break;
            for (next = i; next < count; next++) {
                const hd_order_scope *hold = &scopes->scopes[holds[next]];
                uint32_t from = hd_order_position(space, hold->acquire);
                if (from > paper->keep[t] || (next > i && from > end))
                    break;
                uint32_t to = hd_order_position(space, hd_nondet_paper_end(paper, hold));
                end = end > to ? end : to;
            }
            assert(next > i && start <= end && end <= paper->keep[t]);
            for (uint32_t j = i; j < next; j++) {
                paper->start[holds[j]] = start;
                paper->end[holds[j]] = end;
            }
        }
    }
}

/* The hold of the thread with the last acquire at or before the position. */
static uint32_t last_hold(const hd_nondet_paper *paper, uint32_t thread, uint32_t position) {
    const hd_order_space *space = paper->space;
    const hd_order_scopes *scopes = space->scopes;
    const uint32_t *holds = hd_trace_list(&scopes->by_thread, thread);
    uint32_t low = 0, high = hd_trace_list_length(&scopes->by_thread, thread);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (hd_order_position(space, scopes->scopes[holds[middle]].acquire) <= position)
            low = middle + 1;
        else
            high = middle;
    }
    assert(!low || hd_order_position(space, scopes->scopes[holds[low - 1]].acquire) <= position);
    return low ? holds[low - 1] : HD_ORDER_NONE;
}

/* The meta-vertex around a place: its start, or its end; the place itself outside. */
static uint32_t widen(const hd_nondet_paper *paper, uint32_t thread, uint32_t position,
                      bool to_start) {
    uint32_t hold = last_hold(paper, thread, position);
    if (hold == HD_ORDER_NONE || paper->end[hold] < position)
        return position;
    assert(paper->start[hold] <= position);
    return to_start ? paper->start[hold] : paper->end[hold];
}

/* ---- Unordered pairs ---- */

/* How many holds of the group have their acquire before this position. */
static uint32_t holds_before(const hd_order_space *space, uint32_t group, uint32_t position) {
    const uint32_t *items = space->holds.items + space->holds.start[group];
    uint32_t low = 0, high = space->holds.start[group + 1] - space->holds.start[group];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (hd_order_position(space, space->scopes->scopes[items[middle]].acquire) < position)
            low = middle + 1;
        else
            high = middle;
    }
    assert(!low ||
           hd_order_position(space, space->scopes->scopes[items[low - 1]].acquire) < position);
    return low;
}

/* Is neither scope's end before the other's acquire? */
static bool is_unordered(const hd_nondet_paper *paper, const hd_order_scope *a,
                         const hd_order_scope *b) {
    return !hd_order_chains_reach(paper->now, hd_nondet_paper_end(paper, a), b->acquire) &&
           !hd_order_chains_reach(paper->now, hd_nondet_paper_end(paper, b), a->acquire);
}

/* Holds of the group that are neither before nor after this one: a row of them. */
static void add_unordered(hd_nondet_paper *paper, uint32_t number, uint32_t group) {
    const hd_order_space *space = paper->space;
    const hd_order_scope *scopes = space->scopes->scopes, *hold = &scopes[number];
    const uint32_t *items = space->holds.items + space->holds.start[group];
    uint32_t thread = space->holds.thread[group], end = hd_nondet_paper_end(paper, hold);
    uint32_t from = holds_before(space, group, hd_order_chains_before(paper->now, end, thread) + 1);
    uint32_t after = hd_order_chains_after(paper->now, end, thread);
    if (after > paper->keep[thread] + 1)
        after = paper->keep[thread] + 1;
    uint32_t to = holds_before(space, group, after);
    for (uint32_t i = from; i < to; i++)
        if (!(hold->reading && scopes[items[i]].reading)) {
            bool first = hold->acquire < scopes[items[i]].acquire;
            HD_COSTLY_ASSERT(is_unordered(paper, hold, &scopes[items[i]]));
            hd_vec_push(&paper->pairs, (struct hd_nondet_choice){first ? number : items[i],
                                                                 first ? items[i] : number});
        }
}

static void find_unordered(hd_nondet_paper *paper) {
    const hd_order_space *space = paper->space;
    const hd_order_groups *holds = &space->holds;
    hd_vec_clear(&paper->pairs);
    for (uint32_t number = 0; number < space->scopes->count; number++) {
        const hd_order_scope *hold = &space->scopes->scopes[number];
        if (hd_nondet_paper_late(paper))
            return;
        if (hd_order_position(space, hold->acquire) > paper->keep[hold->thread])
            continue;
        for (uint32_t g = holds->first[hold->lock]; g < holds->first[hold->lock + 1]; g++)
            if (holds->thread[g] < hold->thread)
                add_unordered(paper, number, g);
    }
}

/* ---- Walks ---- */

static uint32_t thread_of(const hd_nondet_paper *paper, uint32_t hold) {
    return paper->space->scopes->scopes[hold].thread;
}

static bool reached(const hd_nondet_paper *paper, uint32_t hold) {
    return paper->end[hold] >= paper->first[thread_of(paper, hold)];
}

static bool reaches(const hd_nondet_paper *paper, uint32_t hold) {
    return paper->start[hold] <= paper->last[thread_of(paper, hold)];
}

static bool lower(uint32_t *value, uint32_t to) {
    bool changed = to < *value;
    *value = changed ? to : *value;
    return changed;
}

static bool raise_to(uint32_t *value, uint32_t to) {
    bool changed = to > *value;
    *value = changed ? to : *value;
    return changed;
}

static bool walk_on(hd_nondet_paper *paper) {
    const hd_order_space *space = paper->space;
    bool changed = false;
    for (uint32_t t = 0; t < space->threads; t++) {
        if (hd_nondet_paper_late(paper))
            return false;
        if (paper->first[t] > paper->keep[t])
            continue;
        changed |= lower(&paper->first[t], widen(paper, t, paper->first[t], true));
        assert(paper->first[t]);
        uint32_t event = hd_order_event_at(space, t, paper->first[t]);
        for (uint32_t u = 0; u < space->threads; u++)
            if (u != t)
                changed |= lower(&paper->first[u], hd_order_chains_after(paper->now, event, u));
    }
    for (size_t i = 0; i < paper->pairs.length; i++) {
        struct hd_nondet_choice pair = paper->pairs.data[i];
        if (reached(paper, pair.first))
            changed |=
                lower(&paper->first[thread_of(paper, pair.second)], paper->start[pair.second]);
        if (reached(paper, pair.second))
            changed |= lower(&paper->first[thread_of(paper, pair.first)], paper->start[pair.first]);
    }
    return changed;
}

static bool walk_back(hd_nondet_paper *paper) {
    const hd_order_space *space = paper->space;
    bool changed = false;
    for (uint32_t t = 0; t < space->threads; t++) {
        if (hd_nondet_paper_late(paper))
            return false;
        if (!paper->last[t])
            continue;
        changed |= raise_to(&paper->last[t], widen(paper, t, paper->last[t], false));
        assert(paper->last[t] <= paper->keep[t]);
        uint32_t event = hd_order_event_at(space, t, paper->last[t]);
        for (uint32_t u = 0; u < space->threads; u++)
            if (u != t)
                changed |= raise_to(&paper->last[u], hd_order_chains_before(paper->now, event, u));
    }
    for (size_t i = 0; i < paper->pairs.length; i++) {
        struct hd_nondet_choice pair = paper->pairs.data[i];
        if (reaches(paper, pair.first))
            changed |=
                raise_to(&paper->last[thread_of(paper, pair.second)], paper->end[pair.second]);
        if (reaches(paper, pair.second))
            changed |= raise_to(&paper->last[thread_of(paper, pair.first)], paper->end[pair.first]);
    }
    return changed;
}

/* The pairs on walks from the target of a witness order edge to its source. */
static void choose_for(hd_nondet_paper *paper, uint32_t y, uint32_t x) {
    const hd_order_space *space = paper->space;
    for (uint32_t t = 0; t < space->threads; t++) {
        paper->first[t] = paper->keep[t] + 1;
        paper->last[t] = 0;
    }
    paper->first[hd_order_event(space, x)->thread] = hd_order_position(space, x);
    paper->last[hd_order_event(space, y)->thread] = hd_order_position(space, y);
    for (bool more = true; more;)
        more = walk_on(paper);
    for (bool more = true; more;)
        more = walk_back(paper);
    for (size_t i = 0; i < paper->pairs.length; i++) {
        struct hd_nondet_choice pair = paper->pairs.data[i];
        if ((reached(paper, pair.first) && reaches(paper, pair.second)) ||
            (reached(paper, pair.second) && reaches(paper, pair.first)))
            hd_bits_set(&paper->chosen, i);
    }
}

void hd_nondet_paper_choose(hd_nondet_paper *paper) {
    find_unordered(paper);
    hd_vec_clear(&paper->choices);
    if (!paper->pairs.length)
        return;
    hd_bits_release(&paper->chosen);
    hd_bits_init(&paper->chosen, paper->pairs.length);
    for (size_t i = 0; i < paper->edges.length && !hd_nondet_paper_late(paper); i++)
        choose_for(paper, (uint32_t)(paper->edges.data[i] >> 32), (uint32_t)paper->edges.data[i]);
    for (size_t i = 0; i < paper->pairs.length; i++)
        if (hd_bits_has(&paper->chosen, i))
            hd_vec_push(&paper->choices, paper->pairs.data[i]);
    /* Without a witness order edge there is no walk. */
    assert(paper->edges.length || !paper->choices.length);
}

/* ---- Choice graphs ---- */

/* One pair turned: the first scope before the second, or the other way. */
static bool turn_pair(hd_nondet_paper *paper, struct hd_nondet_choice pair, bool as_in_trace) {
    const hd_order_scope *scopes = paper->space->scopes->scopes;
    const hd_order_scope *a = &scopes[as_in_trace ? pair.first : pair.second];
    const hd_order_scope *b = &scopes[as_in_trace ? pair.second : pair.first];
    assert(a->lock == b->lock && a->thread != b->thread && !(a->reading && b->reading));
    return hd_nondet_paper_edge(paper, hd_nondet_paper_end(paper, a), b->acquire);
}

/* Takes back the last pairs that are turned both ways, and turns the one before them
 * the other way next; false if none exists. */
static bool go_back(hd_nondet_paper *paper) {
    while (paper->turned.length) {
        struct hd_nondet_turn *last = hd_vec_last(&paper->turned);
        assert(last->trail <= paper->now->trail.length);
        hd_order_chains_undo(paper->now, last->trail);
        if (last->as_in_trace) {
            last->as_in_trace = false;
            return true;
        }
        paper->turned.length--;
    }
    return false;
}

enum hd_order_answer hd_nondet_paper_explore(hd_nondet_paper *paper, uint64_t *explored) {
    uint64_t limit = *explored + paper->limit;
    hd_vec_clear(&paper->turned);
    bool again = false; /* the last pair is to be turned the other way */
    while (again || paper->turned.length < paper->choices.length) {
        if (!again)
            hd_vec_push(&paper->turned, (struct hd_nondet_turn){paper->now->trail.length, true});
        if (hd_nondet_paper_late(paper))
            return HD_ORDER_UNKNOWN;
        const struct hd_nondet_turn *last = hd_vec_last(&paper->turned);
        assert(paper->turned.length <= paper->choices.length);
        again = false;
        if (turn_pair(paper, paper->choices.data[paper->turned.length - 1], last->as_in_trace))
            continue;
        if (++*explored >= limit)
            return HD_ORDER_UNKNOWN;
        if (!go_back(paper))
            return HD_ORDER_INFEASIBLE;
        again = true;
    }
    ++*explored;
    assert(paper->turned.length == paper->choices.length);
    return HD_ORDER_FEASIBLE; /* the caller takes the edges back */
}
