/*
 * Deadlocks of a trace: cycles of the lock order (race_cycles.c), the short ones first.
 *
 * With several workers, or processes, some look for cycles from some nodes on as if they were
 * alone, and one decides, with what the solver told them (race_foresee.h).
 */
#include <stdlib.h>

#include "race_cycles.h"

/* With fewer events one worker is done before others have begun. */
enum { FEW_EVENTS = 1000 };

/* One that looks ahead. */
typedef struct scout {
    hd_race_cycles cycles;
    hd_race_deadlock_result result;
    hd_race_push push;
} scout;

typedef struct together {
    hd_race_cycles *s; /* that decides */
    scout *scouts;
    uint32_t each; /* nodes of a piece */
} together;

static hd_race_piece *new_piece(const together *t, uint64_t number) {
    uint32_t nodes = (uint32_t)t->s->graph->nodes.length, from = (uint32_t)number * t->each;
    return hd_race_piece_new(from, nodes - from < t->each ? nodes : from + t->each);
}

static void *look_ahead(void *context, unsigned worker, uint64_t number) {
    together *t = context;
    hd_race_cycles *s = &t->scouts[worker].cycles;
    hd_race_piece *it = new_piece(t, number);
    s->asker.notes = &it->foresight;
    s->length = t->s->length;
    s->piece = number + 1;
    hd_race_cycles_from(s, it->from, it->end);
    s->asker.notes = NULL;
    return it;
}

static void hurry_piece(void *context, unsigned worker, uint64_t number) {
    together *t = context;
    __atomic_store_n(&t->scouts[worker].cycles.hurried, number + 1, __ATOMIC_RELAXED);
}

static bool decide_piece(void *context, void *done) {
    together *t = context;
    hd_race_piece *it = done;
    t->s->asker.known = &it->foresight;
    hd_race_cycles_from(t->s, it->from, it->end);
    t->s->asker.known = NULL;
    hd_race_piece_drop(context, done);
    return !t->s->ended && !hd_race_push_over(t->s->push);
}

static void *unpack_piece(void *context, uint64_t number, hd_bytes *from) {
    const together *t = context;
    hd_race_piece *it = new_piece(t, number);
    hd_race_foresight_get(&it->foresight, (uint32_t)hd_trace_length(t->s->space->trace), from);
    return it;
}

static void decide_together(together *t, unsigned workers) {
    enum { PIECES = 16 };
    uint32_t nodes = (uint32_t)t->s->graph->nodes.length;
    const hd_turns_crew *crew = hd_turns_crew_now();
    t->each = nodes / ((crew ? crew->size : workers) * PIECES) + 1;
    hd_turns turns = {.context = t,
                      .pieces = (nodes + t->each - 1) / t->each,
                      .work = look_ahead,
                      .enter = decide_piece,
                      .drop = hd_race_piece_drop,
                      .hurry = hurry_piece,
                      .pack = hd_race_piece_pack,
                      .unpack = unpack_piece};
    hd_turns_run(&turns, workers);
}

static void init_scouts(together *t, unsigned workers, const hd_race_options *quiet) {
    const hd_race_cycles *s = t->s;
    t->scouts = HD_NEW_ARRAY(scout, workers);
    for (unsigned i = 0; i < workers; i++) {
        scout *it = &t->scouts[i];
        it->push = (hd_race_push){.trace = s->push->trace};
        hd_race_cycles_init(&it->cycles, s->space, s->graph, quiet, &it->result, &it->push);
    }
}

static void release_scouts(together *t, unsigned workers) {
    for (unsigned i = 0; i < workers && t->scouts; i++) {
        hd_race_cycles_release(&t->scouts[i].cycles);
        hd_race_push_release(&t->scouts[i].push);
    }
    free(t->scouts);
}

/* Shorter cycles first.  A process that only does pieces does not know when there are no longer
 * ones, and goes on until it is told, or cycles have all threads. */
static void search_all(hd_race_cycles *s) {
    unsigned workers = s->options->workers ? s->options->workers : 1;
    uint32_t nodes = (uint32_t)s->graph->nodes.length, threads = s->space->index->threads.count;
    bool several = (workers > 1 || hd_turns_crew_now()) && nodes > 1 &&
                   hd_trace_length(s->space->trace) >= FEW_EVENTS;
    together t = {.s = s};
    hd_race_options quiet = *s->options;
    quiet.count_only = true;
    if (several)
        init_scouts(&t, workers, &quiet);
    s->longer = true;
    for (s->length = 2; s->longer && !s->ended && !hd_race_push_over(s->push); s->length++) {
        s->longer = hd_turns_serves() && s->length < threads;
        if (several)
            decide_together(&t, workers);
        else
            hd_race_cycles_from(s, 0, nodes);
    }
    release_scouts(&t, workers);
    s->result->effort = s->asker.effort;
}

bool hd_race_deadlocks(const hd_trace *trace, const hd_race_options *options,
                       hd_race_deadlock_result *result, hd_finding_sink *sink, void *context,
                       hd_error *error) {
    hd_stop_listen();
    hd_race_push push = {.trace = trace, .sink = sink, .context = context, .error = error};
    hd_race_cycles s;
    hd_race_cycles_graph graph;
    hd_order order;
    hd_order_space space;
    *result = (hd_race_deadlock_result){0};
    hd_order_init(&order, trace);
    bool good = hd_order_need(&order, HD_ORDER_SCOPES | HD_ORDER_HELD, options->max_bytes, error) &&
                hd_order_space_init(&space, &order, NULL, options->max_bytes, error);
    if (good) {
        hd_race_cycles_graph_init(&graph, &space);
        hd_race_cycles_init(&s, &space, &graph, options, result, &push);
        search_all(&s);
        hd_race_cycles_release(&s);
        hd_race_cycles_graph_release(&graph);
        hd_order_space_release(&space);
    }
    result->stopped = push.stopped;
    hd_race_push_release(&push);
    hd_order_release(&order);
    return good && !push.failed;
}
