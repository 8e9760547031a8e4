/*
 * Happens-before of C11 along a path, by vector clocks from front to back.
 *
 * Atomic accesses order as their memory orders say (order_machine.h has the rules in words).  All
 * other operations order as the search takes them to depend on each other, which is at least what
 * they do: so nothing is called unordered that a lock, a join or a call of the C library orders.
 *
 * Of each thread the last accesses of a location are kept.  Two that are next to each other in the
 * order of the search are no business of this file: hd_explore_push reports them.
 */
#include "explore_orders.h"

#include <stdlib.h>
#include <string.h>

/* Kinds of accesses; bit 0: it writes, bit 1: it is atomic. */
enum { WRITES = 1, ATOMIC = 2, KINDS = 4 };

typedef struct orders {
    hd_explore_path *path;
    uint32_t threads;
    uint32_t *clocks, *fenced, *found; /* [thread][thread]: numbers of events in their thread */
    uint32_t *published;               /* [location][thread] */
    uint32_t *last;                    /* [location][thread][kind]: number of the event, 0: none */
} orders;

static uint32_t *row(const orders *o, uint32_t *rows, uint32_t i) {
    return rows + (size_t)i * o->threads;
}

static void join(const orders *o, uint32_t *to, const uint32_t *from) {
    for (uint32_t t = 0; t < o->threads; t++)
        to[t] = to[t] < from[t] ? from[t] : to[t];
}

static void copy(const orders *o, uint32_t *to, const uint32_t *from) {
    memcpy(to, from, o->threads * sizeof *to);
}

static bool is_memory(const hd_explore_operation *operation, const hd_machine_access *access) {
    return operation->memory != HD_MACHINE_NO_MEMORY &&
           access->mode & (HD_MACHINE_READ | HD_MACHINE_WRITE);
}

/* ---- What an event observes, and what it publishes ---- */

static void observe(orders *o, const hd_explore_operation *operation,
                    const hd_machine_access *access) {
    uint32_t *clock = row(o, o->clocks, operation->thread);
    const uint32_t *published = row(o, o->published, access->location);
    if (access->mode == HD_MACHINE_LOOK || access->location < o->path->tokens)
        return;
    if (operation->fails && !is_memory(operation, access))
        return; /* C++: a lock does not synchronise with an attempt that fails after it */
    if (!is_memory(operation, access))
        join(o, clock, published);
    else if (operation->memory == HD_MACHINE_ATOMIC &&
             (operation->updates || !(access->mode & HD_MACHINE_WRITE)))
        join(o,
             hd_trace_observes((enum heddle_order)operation->order)
                 ? clock
                 : row(o, o->found, operation->thread),
             published);
}

static void publish(orders *o, const hd_explore_operation *operation,
                    const hd_machine_access *access) {
    uint32_t *clock = row(o, o->clocks, operation->thread);
    uint32_t *published = row(o, o->published, access->location);
    if (!(access->mode & HD_MACHINE_WRITES) || access->location < o->path->tokens)
        return;
    if (!is_memory(operation, access)) {
        copy(o, published, clock);
        return;
    }
    if (operation->memory == HD_MACHINE_PLAIN || operation->memory == HD_MACHINE_EXEMPT) {
        memset(published, 0, o->threads * sizeof *published);
        return;
    }
    const uint32_t *own = hd_trace_publishes((enum heddle_order)operation->order)
                              ? clock
                              : row(o, o->fenced, operation->thread);
    if (operation->updates)
        join(o, published, own);
    else
        copy(o, published, own);
}

static void pass_fence(orders *o, const hd_explore_operation *operation) {
    uint32_t *clock = row(o, o->clocks, operation->thread);
    if (hd_trace_observes((enum heddle_order)operation->order))
        join(o, clock, row(o, o->found, operation->thread));
    if (hd_trace_publishes((enum heddle_order)operation->order))
        copy(o, row(o, o->fenced, operation->thread), clock);
}

/* ---- Pairs ---- */

/* Does the search itself take the two for a race, so that both can be next? */
static bool is_race(const hd_explore_path *path, uint32_t first, uint32_t second) {
    const hd_explore_event *event = &path->events.data[second];
    for (uint32_t i = 0; i < event->race_count; i++)
        if (path->races.data[event->races + i].event == first)
            return true;
    return false;
}

bool hd_explore_meet(const hd_explore_path *path, const hd_explore_operation *a,
                     const hd_explore_operation *b, uint32_t *location) {
    const hd_machine_access *all = path->accesses.data;
    return hd_machine_meet(all + a->accesses, a->count, all + b->accesses, b->count, location);
}

uint32_t hd_explore_collision_location(const hd_explore_collision *collision) {
    uint32_t location;
#ifdef HD_EXPLORE_WIDER
    if (collision->words > HD_EXPLORE_WORDS)
        return HD_EXPLORE_WIDER(collision_location)(collision);
#endif
    const hd_explore_path *path = collision->path;
    const hd_explore_operation *a = hd_explore_taken(path, collision->first);
    const hd_explore_operation *b = hd_explore_taken(path, collision->second);
    return hd_explore_meet(path, a, b, &location) ? location - path->tokens : 0;
}

static void report_pair(orders *o, uint32_t first, uint32_t second) {
    hd_explore_path *path = o->path;
    const hd_explore_operation *a = hd_explore_taken(path, first);
    const hd_explore_operation *b = hd_explore_taken(path, second);
    assert(first < second && a->thread != b->thread);
    hd_explore_collision collision = {.threads = {a->thread, b->thread},
                                      .positions = {a->position, b->position},
                                      .machine = path->machine,
                                      .path = path,
                                      .words = HD_EXPLORE_WORDS,
                                      .first = first,
                                      .second = second,
                                      .unordered = true};
    path->collide(path->context, &collision);
}

/* Of the earlier accesses that do not happen before this one the latest is reported: it is the one
 * that a replay of the execution up to here shows. */
static void compare(orders *o, uint32_t event, const hd_explore_operation *operation,
                    const hd_machine_access *access, unsigned kind) {
    const uint32_t *clock = row(o, o->clocks, operation->thread);
    uint32_t latest = 0;
    for (uint32_t t = 0; t < o->threads; t++) {
        const uint32_t *last = o->last + ((size_t)access->location * o->threads + t) * KINDS;
        for (unsigned k = 0; k < KINDS && t != operation->thread; k++)
            if (last[k] > latest && (k | kind) & WRITES && !(k & kind & ATOMIC) &&
                o->path->events.data[last[k] - 1].sequence > clock[t])
                latest = last[k];
    }
    assert(latest <= event);
    if (latest && !is_race(o->path, latest - 1, event))
        report_pair(o, latest - 1, event);
}

static void look_at_access(orders *o, uint32_t event, const hd_explore_operation *operation,
                           const hd_machine_access *access) {
    if (!is_memory(operation, access) || operation->memory == HD_MACHINE_EXEMPT)
        return;
    unsigned kind = (access->mode & HD_MACHINE_WRITE ? WRITES : 0U) |
                    (operation->memory == HD_MACHINE_ATOMIC ? ATOMIC : 0U);
    compare(o, event, operation, access, kind);
    uint32_t *last =
        &o->last[((size_t)access->location * o->threads + operation->thread) * KINDS + kind];
    assert(*last <= event + 1);
    *last = event + 1;
}

static void take_event(orders *o, uint32_t event) {
    const hd_explore_operation *operation = hd_explore_taken(o->path, event);
    const hd_machine_access *accesses = o->path->accesses.data + operation->accesses;
    uint32_t *clock = row(o, o->clocks, operation->thread);
    clock[operation->thread] = o->path->events.data[event].sequence;
    HD_EXPLORE_EACH(ended, operation->ended_before) /* joins */
    join(o, clock, row(o, o->clocks, hd_explore_set_first(ended)));
    for (uint32_t i = 0; i < operation->count; i++)
        observe(o, operation, &accesses[i]);
    if (operation->fence)
        pass_fence(o, operation);
    /* No clock knows more of a thread than its own. */
    assert(clock[operation->thread] == o->path->events.data[event].sequence);
    for (uint32_t i = 0; i < operation->count; i++)
        look_at_access(o, event, operation, &accesses[i]);
    for (uint32_t i = 0; i < operation->count; i++)
        publish(o, operation, &accesses[i]);
}

/* Most executions lack either operations that order less or plain accesses. */
void hd_explore_report_unordered(hd_explore_path *path) {
    uint32_t threads = path->threads;
    size_t square = (size_t)threads * threads;
    size_t places = ((size_t)path->machine->locations + path->tokens) * threads;
    if (!path->weaker || !path->plain)
        return;
    orders o = {.path = path, .threads = threads};
    o.clocks = HD_NEW_ARRAY(uint32_t, square);
    o.fenced = HD_NEW_ARRAY(uint32_t, square);
    o.found = HD_NEW_ARRAY(uint32_t, square);
    o.published = HD_NEW_ARRAY(uint32_t, places);
    o.last = HD_NEW_ARRAY(uint32_t, places * KINDS);
    for (uint32_t k = 0; k < path->events.length; k++)
        take_event(&o, k);
    free(o.clocks);
    free(o.fenced);
    free(o.found);
    free(o.published);
    free(o.last);
}
