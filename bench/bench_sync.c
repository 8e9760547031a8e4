/*
 * Sync-preserving races of a trace, as pairs of places: a plain implementation of the closure
 * of Mathur, Pavlogiannis and Viswanathan, "Optimal Prediction of Synchronization-Preserving
 * Races" (POPL 2021), for comparison.
 *
 *     bench_sync TRACE SECONDS      prints the number, or "-" if the time is over first
 *
 * A pair of accesses is one if the least set that has what comes before both in their
 * threads, what reads in it saw, and the release of each hold in it that is not the last of
 * its lock there, has neither of the two.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "race/race_predict.h"

typedef struct search {
    hd_order order;
    hd_order_space space;
    hd_race_push push; /* for places */
    hd_map found;      /* pairs of places */
    uint32_t *set;
    hd_vec_u32 *accesses; /* [thread]: of the variable at hand */
    double end;
    bool late;
} search;

/* The holds of a lock that are the last of their threads in the set: one that another one
 * follows in the trace has to be closed.  Whether the set grew. */
static bool close_lock(search *s, uint32_t lock) {
    static const hd_order_scope any = {.reading = false};
    const hd_order_groups *holds = &s->space.holds;
    const hd_order_scope *scopes = s->space.scopes->scopes;
    bool grown = false;
    for (uint32_t g = holds->first[lock]; g < holds->first[lock + 1]; g++) {
        uint32_t thread = holds->thread[g];
        uint32_t hold = hd_order_space_last_hold(&s->space, g, s->set[thread], &any);
        if (hold == HD_ORDER_NONE || !scopes[hold].release ||
            hd_order_position(&s->space, scopes[hold].release) <= s->set[thread])
            continue;
        for (uint32_t h = holds->first[lock]; h < holds->first[lock + 1]; h++) {
            uint32_t other =
                hd_order_space_last_hold(&s->space, h, s->set[holds->thread[h]], &scopes[hold]);
            if (h == g || other == HD_ORDER_NONE || scopes[other].acquire < scopes[hold].acquire)
                continue;
            hd_order_space_include(&s->space, s->set, scopes[hold].release);
            grown = true;
            break;
        }
    }
    return grown;
}

static bool is_in(const search *s, uint32_t event) {
    return hd_order_position(&s->space, event) <= s->set[hd_order_event(&s->space, event)->thread];
}

/* A hold that is never released is missed here: the traces measured have none. */
static bool is_race(search *s, uint32_t a, uint32_t b) {
    bool grown = true;
    memset(s->set, 0, s->space.threads * sizeof *s->set);
    hd_order_space_before(&s->space, s->set, a);
    hd_order_space_before(&s->space, s->set, b);
    while (grown && !is_in(s, a) && !is_in(s, b)) {
        grown = false;
        for (uint32_t lock = 0; lock < s->space.index->locks.count; lock++)
            grown |= close_lock(s, lock);
    }
    return !is_in(s, a) && !is_in(s, b);
}

static void look_at_pair(search *s, uint32_t a, uint32_t b) {
    const hd_order_held *held = &s->order.held;
    uint64_t key = hd_race_pair_key(hd_race_place(&s->push, a), hd_race_place(&s->push, b));
    if (!hd_race_conflict(hd_order_event(&s->space, a), hd_order_event(&s->space, b)) ||
        hd_order_sets_conflict(&held->sets, hd_order_held_before(held, a),
                               hd_order_held_before(held, b)) ||
        hd_map_find(&s->found, key))
        return;
    if (is_race(s, a, b))
        *hd_map_at(&s->found, key, NULL) = 1;
    s->late |= hd_progress_clock() > s->end;
}

static void look_at_variable(search *s, uint32_t variable) {
    const hd_trace_lists *lists = &s->space.index->variables;
    const uint32_t *events = hd_trace_list(lists, variable);
    uint32_t count = hd_trace_list_length(lists, variable);
    for (uint32_t t = 0; t < s->space.threads; t++)
        hd_vec_clear(&s->accesses[t]);
    for (uint32_t i = 0; i < count; i++)
        hd_vec_push(&s->accesses[hd_order_event(&s->space, events[i])->thread], events[i]);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t t = hd_order_event(&s->space, events[i])->thread + 1; t < s->space.threads;
             t++) {
            uint32_t from, end;
            hd_race_beside(&s->space, events[i], s->accesses[t].data,
                           (uint32_t)s->accesses[t].length, &from, &end);
            for (uint32_t j = from; j < end && !s->late; j++)
                look_at_pair(s, events[i], s->accesses[t].data[j]);
        }
}

static bool start(search *s, hd_trace *trace, const char *path) {
    hd_error error = {""};
    const size_t most = (size_t)1 << 30;
    bool good = hd_trace_load(trace, path, 0, &error);
    if (good) {
        hd_order_init(&s->order, trace);
        good = hd_order_need(&s->order, HD_ORDER_SCOPES | HD_ORDER_HELD, most, &error) &&
               hd_order_space_init(&s->space, &s->order, NULL, most, &error);
    }
    if (!good)
        fprintf(stderr, "bench_sync: %s\n", error.text);
    return good;
}

int main(int argc, char **argv) {
    search s = {0};
    hd_trace trace = {0};
    if (argc != 3 || !start(&s, &trace, argv[1]))
        return 2;
    s.push.trace = &trace;
    s.end = hd_progress_clock() + strtod(argv[2], NULL);
    s.set = HD_NEW_ARRAY(uint32_t, (size_t)s.space.threads + 1);
    s.accesses = HD_NEW_ARRAY(hd_vec_u32, (size_t)s.space.threads + 1);
    for (uint32_t v = 0; v < s.space.index->variables.count && !s.late; v++)
        look_at_variable(&s, v);
    if (s.late)
        puts("-");
    else
        printf("%zu\n", s.found.length);
    for (uint32_t t = 0; t < s.space.threads; t++)
        hd_vec_release(&s.accesses[t]);
    free(s.accesses);
    free(s.set);
    hd_map_release(&s.found);
    hd_race_push_release(&s.push);
    hd_order_space_release(&s.space);
    hd_order_release(&s.order);
    hd_trace_release(&trace);
    return 0;
}
