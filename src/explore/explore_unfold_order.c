/*
 * Orders of events: is there one that keeps every thread's order, every source of a read, and the
 * locks?  Depth first over states (the last event of each thread, the last write of each location),
 * with a memory of the states from which there is none.
 *
 * What keeps it short: a write waits while an event that must be in has still to read what it
 * overwrites; an event that only reads, or releases a lock, is taken at once, as no other order
 * does better.  (There are no operations that need a lock to be held by others: one that is tried
 * is memory.)  What must be in comes first, in the order in which the events became
 * known, which is one in which they happened; then threads that hold a lock; then the others.  What
 * must come before what (explore_unfold_force.c) is worked out first if some last writes are
 * wanted, otherwise at the first dead end, since most orders are found without.
 */
#include <string.h>
#include <xxhash.h>

#include "explore_unfold.h"
#include "explore_without.h"

/* ---- States ---- */

static uint32_t target_of(const hd_unfold_order *o, uint32_t thread) {
    return o->goal.targets[thread] & ~HD_UNFOLD_FROZEN;
}

static bool is_frozen(const hd_unfold_order *o, uint32_t thread) {
    return o->goal.targets[thread] & HD_UNFOLD_FROZEN;
}

static bool is_parked(const hd_unfold_order *o, uint32_t thread) {
    return thread == o->goal.parked || thread + 1 == o->goal.parked_too;
}

/* Events that must be in and have still to read this write of the location. */
static uint32_t *pending_of(hd_unfold_order *o, uint32_t location, uint32_t source) {
    return source ? &o->pending.data[source] : &o->pending_first.data[location];
}

/* Has the thread events that must be in and were not taken? */
static bool is_needed(const hd_unfold_order *o, uint32_t thread) {
    return o->depth.data[thread] < o->wanted.data[thread];
}

static void set_cell(hd_unfold_order *o, uint32_t *cell, uint32_t value) {
    hd_vec_push(&o->undo, (hd_unfold_undo){cell, *cell});
    *cell = value;
}

static bool can_access(hd_unfold_order *o, const hd_unfold_access *access, bool needed) {
    uint32_t last = o->last.data[access->location];
    bool reads = access->mode & HD_MACHINE_READ;
    if (reads && last != access->source)
        return false;
    if (access->mode & HD_MACHINE_ACQUIRE && o->owner.data[access->location])
        return false;
    return !(access->mode & HD_MACHINE_WRITE) ||
           *pending_of(o, access->location, last) == (reads && needed);
}

static bool can_take(hd_unfold *u, const hd_unfold_event *event, bool needed) {
    for (uint32_t i = 0; i < event->count; i++)
        if (!can_access(&u->order, &u->accesses.data[event->accesses + i], needed))
            return false;
    return true;
}

static void take(hd_unfold *u, uint32_t number) {
    hd_unfold_order *o = &u->order;
    const hd_unfold_event *event = hd_unfold_at(u, number);
    bool needed = is_needed(o, event->thread);
    for (uint32_t i = 0; i < event->count; i++) {
        const hd_unfold_access *access = &u->accesses.data[event->accesses + i];
        uint32_t *owner = &o->owner.data[access->location];
        if (needed && access->mode & HD_MACHINE_READ) {
            uint32_t *pending = pending_of(o, access->location, access->source);
            assert(*pending > 0);
            set_cell(o, pending, *pending - 1);
        }
        if (access->mode & HD_MACHINE_WRITE)
            set_cell(o, &o->last.data[access->location], event->accesses + i);
        if (access->mode & (HD_MACHINE_ACQUIRE | HD_MACHINE_RELEASE))
            set_cell(o, owner, access->mode & HD_MACHINE_ACQUIRE ? event->thread + 1 : 0);
    }
    set_cell(o, &o->at.data[event->thread], number);
    set_cell(o, &o->depth.data[event->thread], o->depth.data[event->thread] + 1);
    if (needed)
        set_cell(o, &o->left, o->left - 1);
    if (o->goal.optimistic && number == target_of(o, event->thread) &&
        !is_frozen(o, event->thread) && !is_parked(o, event->thread))
        for (uint32_t i = 0; i < event->held; i++)
            set_cell(o, &o->owner.data[u->holds.data[event->holds + i]], 0);
    hd_vec_push(&o->taken, number);
}

static void take_back(hd_unfold_order *o, uint32_t mark) {
    while (o->undo.length > mark) {
        hd_unfold_undo undo = hd_vec_pop(&o->undo);
        *undo.cell = undo.old;
    }
}

/* ---- States that failed ---- */

static const uint32_t *make_key(hd_unfold *u) {
    hd_unfold_order *o = &u->order;
    hd_vec_clear(&o->scratch);
    for (uint32_t t = 0; t < u->threads; t++)
        hd_vec_push(&o->scratch, o->at.data[t]);
    for (size_t i = 0; i < u->written.length; i++)
        hd_vec_push(&o->scratch, o->last.data[u->written.data[i]]);
    assert(o->scratch.length == o->key);
    return o->scratch.data;
}

static uint64_t hash_key(const uint32_t *key, uint32_t length) {
    return XXH3_64bits(key, length * sizeof *key);
}

static uint32_t *slot_of(hd_unfold_order *o, const uint32_t *key) {
    size_t mask = o->slots.length - 1, at = hash_key(key, o->key) & mask;
    while (o->slots.data[at] && memcmp(o->failed.data + (size_t)(o->slots.data[at] - 1) * o->key,
                                       key, o->key * sizeof *key) != 0)
        at = (at + 1) & mask;
    return &o->slots.data[at];
}

static bool has_failed(hd_unfold *u) {
    return u->order.failures && *slot_of(&u->order, make_key(u));
}

static void grow_slots(hd_unfold_order *o) {
    size_t wanted = o->slots.length ? 2 * o->slots.length : 64;
    hd_vec_clear(&o->slots);
    hd_vec_resize(&o->slots, wanted);
    for (uint32_t i = 0; i < o->failures; i++)
        *slot_of(o, o->failed.data + (size_t)i * o->key) = i + 1;
}

static void note_failure(hd_unfold *u) {
    hd_unfold_order *o = &u->order;
    if (2 * ((size_t)o->failures + 1) > o->slots.length)
        grow_slots(o);
    const uint32_t *key = make_key(u);
    uint32_t *slot = slot_of(o, key);
    if (*slot)
        return;
    hd_vec_reserve(&o->failed, o->failed.length + o->key);
    memcpy(o->failed.data + o->failed.length, key, o->key * sizeof *key);
    o->failed.length += o->key;
    *slot = ++o->failures;
}

static void forget_failures(hd_unfold_order *o) {
    if (o->failures)
        memset(o->slots.data, 0, o->slots.length * sizeof *o->slots.data);
    o->failures = 0;
    hd_vec_clear(&o->failed);
}

/* ---- Moves ---- */

/* The next event of a thread that must be in. */
static uint32_t needed_event(const hd_unfold_order *o, uint32_t thread) {
    return o->paths.data[o->begins.data[thread] + o->depth.data[thread]];
}

/* Has all that must come before it been taken? */
static bool is_due(const hd_unfold *u, uint32_t number) {
    const hd_unfold_order *o = &u->order;
    const hd_unfold_event *event = hd_unfold_at(u, number);
    if (!o->forced)
        return true;
    const uint32_t *row =
        o->before.data + (size_t)(o->begins.data[event->thread] + event->depth - 1) * u->threads;
    for (uint32_t t = 0; t < u->threads; t++)
        if (t != event->thread && o->depth.data[t] < row[t])
            return false;
    return true;
}

/* Does it make other events possible, and none impossible? */
static bool is_harmless(const hd_unfold *u, const hd_unfold_event *event) {
    for (uint32_t i = 0; i < event->count; i++)
        if (u->accesses.data[event->accesses + i].mode & (HD_MACHINE_WRITE | HD_MACHINE_ACQUIRE))
            return false;
    return true;
}

/* Takes a lock that it has at the end: better later. */
static bool stays_open(const hd_unfold *u, const hd_unfold_order *o, const hd_unfold_event *event) {
    const hd_unfold_event *end = hd_unfold_at(u, target_of(o, event->thread));
    for (uint32_t i = 0; i < event->count; i++)
        for (uint32_t k = 0; k < end->held; k++)
            if (u->accesses.data[event->accesses + i].mode & HD_MACHINE_ACQUIRE &&
                u->holds.data[end->holds + k] == u->accesses.data[event->accesses + i].location)
                return true;
    return false;
}

/* Puts a move before those of this kind that became known later. */
static void put_move(hd_unfold_order *o, uint32_t from, uint32_t number) {
    hd_vec_push(&o->moves, number);
    for (size_t i = o->moves.length - 1; i > from && o->moves.data[i - 1] > number; i--) {
        o->moves.data[i] = o->moves.data[i - 1];
        o->moves.data[i - 1] = number;
    }
}

static void find_beyond(hd_unfold *u, bool holders) {
    hd_unfold_order *o = &u->order;
    for (uint32_t t = 0; t < u->threads; t++) {
        const hd_unfold_event *at = hd_unfold_at(u, o->at.data[t]);
        if (is_needed(o, t) || is_parked(o, t) || is_frozen(o, t) || (at->held > 0) != holders)
            continue;
        for (uint32_t child = at->child; child; child = u->events.data[child].sibling)
            if (!u->events.data[child].fails && can_take(u, &u->events.data[child], false))
                hd_vec_push(&o->moves, child);
    }
}

/* Adds the events that must be in and can be taken, those that keep a lock to the end or the
 * others. True if one was found that no other has to be tried besides: it is the only one then. */
static bool find_needed(hd_unfold *u, uint32_t from, bool open, bool *others) {
    hd_unfold_order *o = &u->order;
    uint32_t first = (uint32_t)o->moves.length;
    for (uint32_t t = 0; t < u->threads; t++) {
        if (!is_needed(o, t))
            continue;
        uint32_t number = needed_event(o, t);
        const hd_unfold_event *event = hd_unfold_at(u, number);
        if ((o->locks && stays_open(u, o, event)) != open) {
            *others = true;
            continue;
        }
        if (!is_due(u, number) || !can_take(u, event, true))
            continue;
        if (is_harmless(u, event)) {
            o->moves.length = from;
            hd_vec_push(&o->moves, number);
            return true;
        }
        put_move(o, first, number);
    }
    return false;
}

/* All that can be taken in this state, best first; or one that no other has to be tried besides. */
static void find_moves(hd_unfold *u) {
    hd_unfold_order *o = &u->order;
    uint32_t from = (uint32_t)o->moves.length;
    bool others = false;
    if (find_needed(u, from, false, &others) || (others && find_needed(u, from, true, &others)))
        return;
    if (o->goal.beyond) {
        find_beyond(u, true);
        if (HD_EXPLORE_CURE(9))
            find_beyond(u, false);
    }
}

/* ---- The search ---- */

static bool is_reached(const hd_unfold *u, const hd_unfold_order *o) {
    if (o->left)
        return false;
    for (uint32_t i = 0; i < o->goal.want_count; i++)
        if (o->last.data[o->goal.wants[i].location] != o->goal.wants[i].source)
            return false;
    if (o->goal.lock != HD_EXPLORE_NONE && o->owner.data[o->goal.lock])
        return false;
    for (uint32_t t = 0; t < u->threads && o->goal.stuck; t++) {
        if (!is_frozen(o, t))
            continue;
        const hd_unfold_event *at = hd_unfold_at(u, o->at.data[t]);
        if (o->goal.parks && at->may_end)
            continue;
        if (at->lock != HD_EXPLORE_NONE ? !o->owner.data[at->lock]
                                        : !hd_explore_unfold_waits(u, o->at.data[t], o->last.data))
            return false;
    }
    return true;
}

/* False if all from this state on was tried: it is left then. */
static bool try_next(hd_unfold *u) {
    hd_unfold_order *o = &u->order;
    hd_unfold_frame *frame = hd_vec_last(&o->frames);
    if (frame->next < o->moves.length) {
        uint32_t undo = (uint32_t)o->undo.length;
        take(u, o->moves.data[frame->next++]);
        hd_vec_push(&o->frames,
                    (hd_unfold_frame){(uint32_t)o->moves.length, (uint32_t)o->moves.length, undo});
        return true;
    }
    if (o->moves.length - frame->moves != 1)
        note_failure(u);
    o->moves.length = frame->moves;
    take_back(o, frame->undo);
    (void)hd_vec_pop(&o->frames);
    if (o->frames.length)
        (void)hd_vec_pop(&o->taken);
    return false;
}

/* At the first dead end: is there an order at all, by what is forced?  Then from the beginning,
 * with that; states that failed are known. */
static bool start_over(hd_unfold *u) {
    hd_unfold_order *o = &u->order;
    take_back(o, 0);
    hd_vec_clear(&o->frames);
    hd_vec_clear(&o->moves);
    hd_vec_clear(&o->taken);
    o->forced = true;
    if (!hd_explore_unfold_force(u))
        return false;
    hd_vec_push(&o->frames, (hd_unfold_frame){0});
    return true;
}

/* Is there no time left?  That is asked at every eighth state, of which each counts. */
static bool is_over_here(hd_unfold *u) {
    enum { OFTEN = 8 };
    if (++u->asked % OFTEN)
        return u->search->stop;
    u->search->effort += OFTEN - 1;
    return hd_unfold_is_over(u);
}

bool hd_explore_unfold_order_next(hd_unfold *u) {
    hd_unfold_order *o = &u->order;
    bool enters = !o->begun;
    o->begun = true;
    while (o->frames.length) {
        if (enters) {
            if (is_over_here(u))
                return false;
            bool failed = has_failed(u); /* then there are no moves: goes back */
            if (!failed && is_reached(u, o))
                return true;
            if (!failed)
                find_moves(u);
        }
        enters = try_next(u);
        if (!enters && !o->forced)
            enters = start_over(u);
    }
    return false;
}

/* ---- From and to ---- */

static void make_room(hd_unfold *u) {
    hd_unfold_order *o = &u->order;
    if (!o->at.length)
        for (uint32_t t = 0; t < u->threads; t++)
            hd_vec_push(&o->at, t + 1);
    hd_vec_resize(&o->begins, u->threads);
    hd_vec_resize(&o->wanted, u->threads);
    hd_vec_resize(&o->depth, u->threads);
    hd_vec_resize(&o->last, u->locations);
    hd_vec_resize(&o->owner, u->locations);
    hd_vec_resize(&o->pending_first, u->locations);
    hd_vec_resize(&o->pending, u->accesses.length);
    hd_vec_resize(&o->first_use, u->locations);
}

/* Puts the events of a thread up to its target into `paths`. */
static void add_path(hd_unfold *u, uint32_t thread) {
    hd_unfold_order *o = &u->order;
    uint32_t event = target_of(o, thread), depth = u->events.data[event].depth;
    uint32_t begin = o->begins.data[thread] = (uint32_t)o->paths.length;
    o->wanted.data[thread] = depth;
    hd_vec_resize(&o->paths, begin + (size_t)depth);
    for (; depth; depth--) {
        o->paths.data[begin + depth - 1] = event;
        event = u->events.data[event].parent;
    }
}

/* Counts what must be read, or forgets it. */
static void count_pending(hd_unfold *u, bool forget) {
    hd_unfold_order *o = &u->order;
    for (size_t k = 0; k < o->paths.length; k++) {
        const hd_unfold_event *event = hd_unfold_at(u, o->paths.data[k]);
        for (uint32_t i = 0; i < event->count; i++) {
            const hd_unfold_access *access = &u->accesses.data[event->accesses + i];
            o->locks |= (access->mode & HD_MACHINE_ACQUIRE) != 0;
            if (!(access->mode & HD_MACHINE_READ))
                continue;
            uint32_t *pending = pending_of(o, access->location, access->source);
            *pending = forget ? 0 : *pending + 1;
        }
    }
    for (uint32_t i = 0; i < o->goal.want_count; i++) {
        uint32_t *pending = pending_of(o, o->goal.wants[i].location, o->goal.wants[i].source);
        *pending = forget ? 0 : *pending + 1;
    }
}

bool hd_explore_unfold_order_first(hd_unfold *u, const hd_unfold_goal *goal) {
    hd_unfold_order *o = &u->order;
    assert(!o->frames.length && !o->undo.length);
    o->goal = *goal;
    o->key = u->threads + (uint32_t)u->written.length;
    o->locks = o->begun = o->forced = false;
    make_room(u);
    hd_vec_clear(&o->paths);
    hd_vec_clear(&o->taken);
    for (uint32_t t = 0; t < u->threads; t++)
        add_path(u, t);
    o->left = (uint32_t)o->paths.length;
    count_pending(u, false);
    o->forced = goal->want_count > 0; /* then most answers are no */
    if (o->forced && !hd_explore_unfold_force(u))
        return false;
    hd_vec_push(&o->frames, (hd_unfold_frame){0});
    return hd_explore_unfold_order_next(u);
}

void hd_explore_unfold_order_end(hd_unfold *u) {
    hd_unfold_order *o = &u->order;
    take_back(o, 0);
    hd_vec_clear(&o->frames);
    hd_vec_clear(&o->moves);
    forget_failures(o);
    count_pending(u, true);
}

void hd_explore_unfold_order_release(hd_unfold_order *o) {
    hd_vec_release(&o->paths);
    hd_vec_release(&o->begins);
    hd_vec_release(&o->wanted);
    hd_vec_release(&o->depth);
    hd_vec_release(&o->before);
    hd_vec_release(&o->first_use);
    hd_vec_release(&o->uses);
    hd_vec_release(&o->at);
    hd_vec_release(&o->last);
    hd_vec_release(&o->owner);
    hd_vec_release(&o->pending);
    hd_vec_release(&o->pending_first);
    hd_vec_release(&o->taken);
    hd_vec_release(&o->moves);
    hd_vec_release(&o->frames);
    hd_vec_release(&o->undo);
    hd_vec_release(&o->failed);
    hd_vec_release(&o->slots);
    hd_vec_release(&o->scratch);
}
