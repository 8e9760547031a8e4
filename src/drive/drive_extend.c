/*
 * Stage III: a longer prefix of a witness.
 *
 *   Shacham, Sagiv, Schuster, Fig. 5
 *
 *   paper          here
 *   Pi             events, in order; x.in says which
 *   pi             the events from a1 to a2
 *   V[m]           x.skipped: the last write of m was left out
 *   psi            x.stuck, threads
 *   owner of l     x.owner, in Pi, not in the run
 *
 * Deviations.  Line 12 means m = m(a1).  The paper has neither forks nor waits: an event
 * with a must-edge from one that was left out (the fork of its thread, the end of a thread
 * joined, a notification or its wait, a message, a part of a round of a barrier) makes its
 * thread stuck, and so does a try for a lock that failed by something else than in Pi.  An rmw is a
 * read first.
 *
 * Time is linear in the events between a1 and a2, and the prefix.
 */
#include "drive_state.h"

#define NO_THREAD UINT32_MAX

typedef struct extension {
    const hd_trace *trace;
    const hd_trace_index *index;
    const hd_order_must *must;
    const heddle_event *first; /* a1 */
    hd_bits in;                /* [event - 1] */
    hd_bits stuck;             /* threads */
    hd_bits skipped;           /* variables */
    hd_vec_u32 owner;          /* of a lock, for writing; NO_THREAD */
    hd_vec_u32 readers;        /* of a lock: holds for reading */
    hd_vec_u32 last;           /* of a lock: the last event in Pi that changed it */
    hd_vec_u32 left;           /* of a semaphore: units */
    hd_vec_u32 *events;
} extension;

static void add(extension *x, uint32_t number, const heddle_event *event) {
    hd_bits_set(&x->in, number - 1);
    hd_vec_push(x->events, number);
    if (event->kind == HEDDLE_POST)
        x->left.data[event->object]++;
    if (event->kind == HEDDLE_TAKE)
        x->left.data[event->object]--;
    if (!(hd_trace_traits(event) & HEDDLE_T_LOCK))
        return;
    x->last.data[event->object] = number;
    if (event->flags & HEDDLE_REENTRANT)
        return;
    bool taken = hd_trace_acquires(event);
    if (!hd_trace_is_shared(event))
        x->owner.data[event->object] = taken ? event->thread : NO_THREAD;
    else if (taken)
        x->readers.data[event->object]++;
    else
        x->readers.data[event->object]--;
}

static bool is_in(const extension *x, uint32_t number) {
    return number == 0 || hd_bits_has(&x->in, number - 1);
}

/* Is all that must come before it in? */
static bool can_be_next(const extension *x, uint32_t number) {
    hd_order_list into = hd_order_lists_of(&x->must->into, number);
    for (uint32_t i = 0; i < into.count; i++)
        if (!is_in(x, into.events[i]))
            return false;
    return true;
}

static bool is_free(const extension *x, const heddle_event *event) {
    uint32_t owner = x->owner.data[event->object];
    if (event->flags & HEDDLE_REENTRANT)
        return true;
    return owner == NO_THREAD && (hd_trace_is_shared(event) || !x->readers.data[event->object]);
}

/* Lines 15 to 35: can it be added? */
static bool can_go_on(const extension *x, uint32_t number, const heddle_event *event) {
    switch (event->kind) {
    case HEDDLE_ACQUIRE:
    case HEDDLE_READ_ACQUIRE:
    case HEDDLE_TRY_ACQUIRE:
    case HEDDLE_TRY_READ_ACQUIRE:
        return is_free(x, event);
    case HEDDLE_TRYFAIL:
        return x->last.data[event->object] == x->index->pair[number];
    case HEDDLE_TAKE:
        return x->left.data[event->object] > 0;
    default:
        return !hd_trace_reads(event) || !hd_bits_has(&x->skipped, event->object);
    }
}

static void skip(extension *x, const heddle_event *event) {
    hd_bits_set(&x->stuck, event->thread);
    if (hd_trace_is_access(event) && hd_trace_writes(event))
        hd_bits_set(&x->skipped, event->object);
}

/* The events from a1 to a2; the one that races with a1, 0 if none does. */
static uint32_t extend(extension *x, uint32_t from, uint32_t to) {
    for (uint32_t n = from; n <= to; n++) {
        const heddle_event *event = hd_trace_event(x->trace, n);
        bool stuck = hd_bits_has(&x->stuck, event->thread) || !can_be_next(x, n);
        if (!stuck && hd_trace_is_access(event) && hd_race_conflict(event, x->first))
            return n;
        if (stuck || !can_go_on(x, n, event)) {
            skip(x, event);
            continue;
        }
        if (hd_trace_is_access(event) && hd_trace_writes(event))
            hd_bits_unset(&x->skipped, event->object);
        add(x, n, event);
    }
    return 0;
}

static void init(extension *x, const hd_drive_run *run, hd_vec_u32 *events) {
    *x = (extension){
        .trace = &run->trace, .index = &run->index, .must = &run->must, .events = events};
    const hd_trace_tables *tables = &run->trace.tables;
    hd_bits_init(&x->in, hd_trace_length(x->trace));
    hd_bits_init(&x->stuck, tables->names[HEDDLE_CLASS_THREAD].length);
    hd_bits_init(&x->skipped, tables->names[HEDDLE_CLASS_VARIABLE].length);
    hd_vec_resize(&x->readers, (size_t)tables->names[HEDDLE_CLASS_LOCK].length);
    hd_vec_resize(&x->last, (size_t)tables->names[HEDDLE_CLASS_LOCK].length);
    for (uint32_t i = 0; i < tables->names[HEDDLE_CLASS_LOCK].length; i++)
        hd_vec_push(&x->owner, NO_THREAD);
    hd_order_units units;
    hd_order_units_build(&units, x->index);
    for (uint32_t s = 0; s < units.semaphores; s++)
        hd_vec_push(&x->left, units.initial[s]);
    hd_order_units_release(&units);
    hd_vec_clear(events);
}

static void release(extension *x) {
    hd_bits_release(&x->in);
    hd_bits_release(&x->stuck);
    hd_bits_release(&x->skipped);
    hd_vec_release(&x->owner);
    hd_vec_release(&x->readers);
    hd_vec_release(&x->last);
    hd_vec_release(&x->left);
}

uint32_t hd_drive_extend(const hd_drive_run *run, uint32_t first, uint32_t second,
                         hd_vec_u32 *events) {
    extension x;
    init(&x, run, events);
    x.first = hd_trace_event(x.trace, first);
    for (uint32_t n = 1; n < first; n++)
        add(&x, n, hd_trace_event(x.trace, n));
    hd_bits_set(&x.stuck, x.first->thread);
    uint32_t racing = extend(&x, first, second);
    release(&x);
    return racing;
}
