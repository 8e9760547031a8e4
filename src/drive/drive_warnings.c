/*
 * Stage II: for every access a2 the last a1 before it with
 *
 *   m(a1) = m(a2)                    one variable
 *   t(a1) != t(a2)                   different threads
 *   type(a1) or type(a2) is Write
 *   not both are protected           atomic, here
 *   locks(a1) and locks(a2) disjoint readers of one lock do not exclude each other
 *
 * and, what the paper's programs do not have, not before a2 by forks, joins and barriers,
 * which order them in every schedule.  An a1 is looked for among accesses that differ in
 * thread, place, locks or kind, so that every pair of places has its own.  Some a1 of a
 * pair are kept: the first ones, and the last.
 */
#include "drive_state.h"

/* Accesses of a variable that need not be told apart; the last one of them. */
struct alike {
    uint32_t thread, place, held, traits;
    uint32_t event, position;
};

typedef HD_VEC(struct alike) classes;

typedef struct scan {
    hd_driver *driver;
    const hd_trace *trace;
    const hd_trace_index *index;
    hd_order_sets sets;
    uint32_t threads;
    uint32_t *held;   /* of each thread */
    uint32_t *clocks; /* of each thread: events of each that are before the present */
    HD_VEC(classes) variables;
    hd_map by_pair;
    hd_drive_suspects *suspects;
} scan;

static uint32_t *clock_of(const scan *s, uint32_t thread) {
    return s->clocks + (size_t)thread * s->threads;
}

static void join_clock(scan *s, uint32_t to, const uint32_t *from) {
    uint32_t *clock = clock_of(s, to);
    for (uint32_t t = 0; t < s->threads; t++)
        clock[t] = clock[t] > from[t] ? clock[t] : from[t];
}

/* Everybody that came into the round is before everybody that leaves it. */
static void leave_barrier(scan *s, const heddle_event *event, uint32_t round) {
    const uint32_t *bins = hd_trace_list(&s->index->rounds, round - 1);
    uint32_t count = hd_trace_list_length(&s->index->rounds, round - 1);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t thread = hd_trace_event(s->trace, bins[i])->thread;
        uint32_t *at = &clock_of(s, event->thread)[thread];
        *at = *at > s->index->position[bins[i]] ? *at : s->index->position[bins[i]];
    }
}

static void follow_order(scan *s, uint32_t number, const heddle_event *event) {
    uint32_t thread = event->thread;
    if (event->kind == HEDDLE_JOIN && event->object < s->threads)
        join_clock(s, thread, clock_of(s, event->object));
    if (event->kind == HEDDLE_BARRIER_OUT && s->index->pair[number])
        leave_barrier(s, event, s->index->pair[number]);
    clock_of(s, thread)[thread] = s->index->position[number];
    if (event->kind == HEDDLE_FORK && event->object < s->threads)
        join_clock(s, event->object, clock_of(s, thread));
}

static bool meets_conditions(const scan *s, const struct alike *a, const struct alike *b) {
    return a->thread != b->thread && ((a->traits | b->traits) & HEDDLE_T_WRITES) &&
           !(a->traits & b->traits & HEDDLE_T_ATOMIC) &&
           !hd_order_sets_conflict(&s->sets, a->held, b->held) &&
           clock_of(s, b->thread)[a->thread] < a->position;
}

static void suspect(scan *s, const struct alike *first, const struct alike *second) {
    uint64_t pair = hd_drive_pair(first->place, second->place);
    bool added;
    uint32_t *at = hd_map_at(&s->by_pair, pair, &added);
    if (added) {
        *at = (uint32_t)s->suspects->length;
        hd_vec_push(s->suspects, (hd_drive_suspect){.pair = pair});
    }
    hd_drive_suspect *suspect = &s->suspects->data[*at];
    uint32_t place = suspect->count < HD_DRIVE_INSTANCES ? suspect->count++ : suspect->count - 1;
    suspect->instances[place] = (hd_drive_instance){first->event, second->event};
}

static bool is_alike(const struct alike *a, const struct alike *b) {
    return a->thread == b->thread && a->place == b->place && a->held == b->held &&
           a->traits == b->traits;
}

static void access(scan *s, uint32_t number, const heddle_event *event) {
    if (event->object >= s->variables.length)
        hd_vec_resize(&s->variables, (size_t)event->object + 1);
    classes *known = &s->variables.data[event->object];
    struct alike present = {
        .thread = event->thread,
        .place = hd_drive_place(s->driver, hd_trace_location(&s->trace->tables, event)),
        .held = s->held[event->thread],
        .traits = hd_trace_traits(event),
        .event = number,
        .position = s->index->position[number]};
    struct alike *own = NULL;
    for (size_t i = 0; i < known->length; i++) {
        struct alike *other = &known->data[i];
        if (is_alike(other, &present))
            own = other;
        else if (meets_conditions(s, other, &present))
            suspect(s, other, &present);
    }
    if (own)
        *own = present;
    else
        hd_vec_push(known, present);
}

static void follow(scan *s) {
    for (uint32_t n = 1; n <= hd_trace_length(s->trace); n++) {
        const heddle_event *event = hd_trace_event(s->trace, n);
        follow_order(s, n, event);
        if (hd_trace_is_exempt(event))
            continue;
        if (hd_trace_is_access(event))
            access(s, n, event);
        else if (hd_trace_traits(event) & HEDDLE_T_LOCK)
            s->held[event->thread] = hd_order_sets_step(&s->sets, s->held[event->thread], event);
    }
}

void hd_drive_find_warnings(hd_driver *driver, hd_drive_suspects *suspects) {
    hd_drive_run_index(&driver->run);
    scan all = {.driver = driver,
                .trace = &driver->run.trace,
                .index = &driver->run.index,
                .threads = driver->run.trace.tables.names[HEDDLE_CLASS_THREAD].length,
                .suspects = suspects};
    scan *s = &all;
    s->held = HD_NEW_ARRAY(uint32_t, s->threads);
    s->clocks = HD_NEW_ARRAY(uint32_t, (size_t)s->threads * s->threads);
    hd_order_sets_init(&s->sets);
    hd_vec_clear(suspects);
    follow(s);
    for (size_t i = 0; i < s->variables.length; i++)
        hd_vec_release(&s->variables.data[i]);
    hd_vec_release(&s->variables);
    hd_map_release(&s->by_pair);
    hd_order_sets_release(&s->sets);
    free(s->held);
    free(s->clocks);
}
