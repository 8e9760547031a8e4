/*
 * What must come before what in every order of a configuration: edges that follow from sources and
 * locks, until nothing is added or there is a cycle.  It is not all that must, as choices between
 * two orders remain; but it settles nearly every question that has the answer no, and the search
 * for an order follows it (explore_unfold_order.c).
 *
 *   r reads w, w' is another write    w before w'  =>  r before w'
 *                                     w' before r  =>  w' before w
 *   sections s, s' of one lock        s.acquire before the end of s'  =>  s.release before
 * s'.acquire
 *
 * A section without a release ends after the last event of its thread if it may be closed there,
 * otherwise it is the last one of its lock.
 */
#include <string.h>

#include "explore_unfold.h"

/* An event is known by its place in order->paths; order->before has a row for each: how many events
 * of each thread come before it, itself included. */
static uint32_t *row_of(const hd_unfold *u, uint32_t place) {
    return u->order.before.data + (size_t)place * u->threads;
}

static const hd_unfold_event *event_of(const hd_unfold *u, uint32_t place) {
    return hd_unfold_at(u, u->order.paths.data[place]);
}

static bool comes_before(const hd_unfold *u, uint32_t place, uint32_t other) {
    const hd_unfold_event *event = event_of(u, place);
    return row_of(u, other)[event->thread] >= event->depth;
}

/* Puts one before another, and all that is before it before all that is after that.  False if the
 * other is before it. */
static bool put_before(hd_unfold *u, uint32_t place, uint32_t other, bool *added) {
    if (comes_before(u, place, other))
        return place != other;
    // NOLINTNEXTLINE(readability-suspicious-call-argument): the other way round
    if (comes_before(u, other, place))
        return false;
    const uint32_t *row = row_of(u, place);
    const hd_unfold_event *event = event_of(u, other);
    for (uint32_t p = 0; p < u->order.paths.length; p++) {
        uint32_t *later = row_of(u, p);
        if (later[event->thread] < event->depth)
            continue;
        for (uint32_t t = 0; t < u->threads; t++)
            if (later[t] < row[t])
                later[t] = row[t];
    }
    *added = true;
    return true;
}

/* ---- Accesses by location ---- */

static void gather_accesses(hd_unfold *u) {
    hd_unfold_order *o = &u->order;
    hd_vec_clear(&o->uses);
    for (uint32_t p = 0; p < o->paths.length; p++) {
        const hd_unfold_event *event = event_of(u, p);
        for (uint32_t i = 0; i < event->count; i++) {
            const hd_unfold_access *access = &u->accesses.data[event->accesses + i];
            uint32_t *first = &o->first_use.data[access->location];
            hd_vec_push(&o->uses, (hd_unfold_use){p, event->accesses + i, *first});
            *first = (uint32_t)o->uses.length;
        }
    }
}

static void forget_accesses(hd_unfold *u) {
    hd_unfold_order *o = &u->order;
    for (size_t i = 0; i < o->uses.length; i++)
        o->first_use.data[u->accesses.data[o->uses.data[i].access].location] = 0;
}

static bool has_mode(const hd_unfold *u, const hd_unfold_use *use, uint8_t mode) {
    return u->accesses.data[use->access].mode & mode;
}

/* ---- Sources ---- */

/* A read of `source` and a write of the same location that is not its source. */
static bool order_read_write(hd_unfold *u, uint32_t reader, uint32_t source, uint32_t writer,
                             bool *added) {
    if (!source)
        return reader == writer || put_before(u, reader, writer, added);
    const hd_unfold_event *from = hd_unfold_at(u, u->accesses.data[source].event);
    uint32_t origin = u->order.begins.data[from->thread] + from->depth - 1;
    if (reader != writer && comes_before(u, origin, writer) &&
        !put_before(u, reader, writer, added))
        return false;
    return !(reader != writer && comes_before(u, writer, reader)) ||
           put_before(u, writer, origin, added);
}

static bool order_sources(hd_unfold *u, uint32_t read, bool *added) {
    const hd_unfold_order *o = &u->order;
    const hd_unfold_use *use = &o->uses.data[read];
    const hd_unfold_access *access = &u->accesses.data[use->access];
    for (uint32_t i = o->first_use.data[access->location]; i; i = o->uses.data[i - 1].next) {
        const hd_unfold_use *other = &o->uses.data[i - 1];
        if (has_mode(u, other, HD_MACHINE_WRITE) && other->access != access->source &&
            !order_read_write(u, use->place, access->source, other->place, added))
            return false;
    }
    return true;
}

/* All other writes come before one that is wanted at the end. */
static bool order_wants(hd_unfold *u, bool *added) {
    const hd_unfold_order *o = &u->order;
    for (uint32_t w = 0; w < o->goal.want_count; w++) {
        uint32_t source = o->goal.wants[w].source;
        for (uint32_t i = o->first_use.data[o->goal.wants[w].location]; i;
             i = o->uses.data[i - 1].next) {
            const hd_unfold_use *use = &o->uses.data[i - 1];
            if (!has_mode(u, use, HD_MACHINE_WRITE) || use->access == source)
                continue;
            if (!source)
                return false;
            const hd_unfold_event *from = hd_unfold_at(u, u->accesses.data[source].event);
            if (!put_before(u, use->place, o->begins.data[from->thread] + from->depth - 1, added))
                return false;
        }
    }
    return true;
}

/* ---- Locks ---- */

typedef struct section {
    uint32_t acquire, end; /* places; the end is its release, or its thread's last event */
    bool closes;           /* it ends there, or may */
} section;

/* May a thread release its locks after its last event? */
static bool may_close(const hd_unfold_order *o, uint32_t thread) {
    return !(o->goal.targets[thread] & HD_UNFOLD_FROZEN) && thread != o->goal.parked &&
           thread + 1 != o->goal.parked_too && (o->goal.optimistic || o->goal.beyond);
}

static section section_of(const hd_unfold *u, const hd_unfold_use *acquire, uint32_t location) {
    const hd_unfold_order *o = &u->order;
    uint32_t thread = event_of(u, acquire->place)->thread;
    uint32_t after =
        thread + 1 < u->threads ? o->begins.data[thread + 1] : (uint32_t)o->paths.length;
    for (uint32_t i = acquire->place + 1; i < after; i++) {
        const hd_unfold_event *event = event_of(u, i);
        for (uint32_t k = 0; k < event->count; k++)
            if (u->accesses.data[event->accesses + k].location == location &&
                u->accesses.data[event->accesses + k].mode & HD_MACHINE_RELEASE)
                return (section){acquire->place, i, true};
    }
    return (section){acquire->place, after - 1, may_close(o, thread)};
}

/* If the one has to begin before the other ends, it ends before the other begins. */
static bool order_pair(hd_unfold *u, section a, section b, bool *added) {
    if (!b.closes || comes_before(u, a.acquire, b.end))
        return a.closes && put_before(u, a.end, b.acquire, added);
    return true;
}

static bool order_sections(hd_unfold *u, uint32_t acquire, bool *added) {
    const hd_unfold_order *o = &u->order;
    uint32_t location = u->accesses.data[o->uses.data[acquire].access].location;
    section a = section_of(u, &o->uses.data[acquire], location);
    for (uint32_t i = o->first_use.data[location]; i; i = o->uses.data[i - 1].next) {
        const hd_unfold_use *other = &o->uses.data[i - 1];
        if (!has_mode(u, other, HD_MACHINE_ACQUIRE) ||
            event_of(u, other->place)->thread == event_of(u, a.acquire)->thread)
            continue;
        if (!order_pair(u, a, section_of(u, other, location), added))
            return false;
    }
    return true;
}

/* ---- Until nothing is added ---- */

static void begin_rows(hd_unfold *u) {
    hd_unfold_order *o = &u->order;
    hd_vec_reserve(&o->before, o->paths.length * u->threads);
    o->before.length = o->paths.length * u->threads;
    for (uint32_t p = 0; p < o->paths.length; p++) {
        const uint32_t *past = hd_unfold_past(u, o->paths.data[p]);
        uint32_t *row = row_of(u, p);
        for (uint32_t t = 0; t < u->threads; t++)
            row[t] = u->events.data[past[t]].depth;
    }
}

/* The answer does not count if the search is over. */
static bool add_edges(hd_unfold *u) {
    const hd_unfold_order *o = &u->order;
    bool added = false;
    if (!order_wants(u, &added))
        return false;
    do {
        added = false;
        for (uint32_t i = 0; i < o->uses.length && !hd_unfold_is_over(u); i++) {
            const hd_unfold_use *use = &o->uses.data[i];
            if (has_mode(u, use, HD_MACHINE_READ) && !order_sources(u, i, &added))
                return false;
            if (has_mode(u, use, HD_MACHINE_ACQUIRE) && !order_sections(u, i, &added))
                return false;
        }
    } while (added && !u->search->stop);
    return true;
}

bool hd_explore_unfold_force(hd_unfold *u) {
    begin_rows(u);
    gather_accesses(u);
    bool possible = add_edges(u);
    forget_accesses(u);
    return possible;
}
