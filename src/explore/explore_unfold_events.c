/*
 * Events and configurations (explore_unfold.h).
 */
#include <stddef.h>
#include <string.h>
#include <xxhash.h>

#include "explore_unfold.h"
#include "explore_without.h"

/* ---- Configurations ---- */

static uint32_t ancestor(const hd_unfold *u, uint32_t event, uint32_t depth) {
    while (u->events.data[event].depth > depth) {
        uint32_t jump = u->events.data[event].jump;
        event = u->events.data[jump].depth >= depth ? jump : u->events.data[event].parent;
    }
    return event;
}

/* Jumps whose lengths are those of skew binary numbers (Myers 1983). */
static uint32_t jump_of(const hd_unfold *u, uint32_t parent) {
    const hd_unfold_event *events = u->events.data;
    uint32_t once = events[parent].jump, twice = events[once].jump;
    return events[parent].depth - events[once].depth == events[once].depth - events[twice].depth
               ? twice
               : parent;
}

/* The later of two events of a thread; 0 if neither is before the other. */
static uint32_t later_of(const hd_unfold *u, uint32_t a, uint32_t b) {
    if (a == b || b <= u->threads) /* a root */
        return a;
    if (a <= u->threads)
        return b;
    uint32_t a_depth = u->events.data[a].depth, b_depth = u->events.data[b].depth;
    if (a_depth >= b_depth)
        return ancestor(u, a, b_depth) == b ? a : 0;
    return ancestor(u, b, a_depth) == a ? b : 0;
}

bool hd_explore_unfold_is_before(const hd_unfold *u, uint32_t event, uint32_t other) {
    const hd_unfold_event *a = hd_unfold_at(u, event), *b = hd_unfold_at(u, other);
    return a->depth <= b->depth && ancestor(u, other, a->depth) == event;
}

bool hd_explore_unfold_merge(const hd_unfold *u, uint32_t *configuration, uint32_t event) {
    const uint32_t *past = hd_unfold_past(u, event);
    for (uint32_t t = 0; t < u->threads; t++) {
        uint32_t here = configuration[t] & ~HD_UNFOLD_FROZEN;
        uint32_t later = later_of(u, here, past[t]);
        if (!later || (later != here && configuration[t] & HD_UNFOLD_FROZEN))
            return false;
        configuration[t] = later | (configuration[t] & HD_UNFOLD_FROZEN);
    }
    return true;
}

uint64_t hd_explore_unfold_hash(const hd_unfold *u, const uint32_t *configuration) {
    uint64_t hash = u->threads;
    for (uint32_t t = 0; t < u->threads; t++) {
        uint32_t event = configuration[t] & ~HD_UNFOLD_FROZEN;
        hash = XXH3_64bits_withSeed(&event, sizeof event, hash);
    }
    return hash;
}

/* ---- Interning ---- */

static bool is_read(uint8_t mode) {
    return mode & HD_MACHINE_READ;
}

/* Of a parent, a choice, and the sources that were put into the scratch vector. */
static uint64_t hash_of(uint32_t parent, uint32_t choice, const hd_vec_u32 *sources) {
    return XXH3_64bits_withSeed(sources->data, sources->length * sizeof *sources->data,
                                ((uint64_t)parent << 32) + choice);
}

/* Location and source of each read. */
static void gather_sources(const hd_unfold *u, hd_vec_u32 *to, const hd_machine_access *accesses,
                           uint32_t count, const uint32_t *last) {
    hd_vec_reserve(to, 2 * (size_t)count + 1); /* a hash wants a place, even of nothing */
    hd_vec_clear(to);
    for (uint32_t i = 0; i < count; i++)
        if (is_read(hd_unfold_mode(u, &accesses[i]))) {
            hd_vec_push(to, accesses[i].location);
            hd_vec_push(to, last[accesses[i].location]);
        }
}

static bool same_sources(const hd_unfold *u, uint32_t accesses, uint32_t count,
                         const hd_vec_u32 *sources) {
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        const hd_unfold_access *access = &u->accesses.data[accesses + i];
        if (!is_read(access->mode))
            continue;
        if (at + 2 > sources->length || sources->data[at] != access->location ||
            sources->data[at + 1] != access->source)
            return false;
        at += 2;
    }
    return at == sources->length;
}

/* Where an event is in the table, or is to be: two with the same hash are told apart. */
static uint32_t *find_interned(hd_unfold *u, uint32_t parent, uint32_t choice,
                               const hd_vec_u32 *sources, bool *added) {
    for (uint64_t hash = hash_of(parent, choice, sources);; hash++) {
        uint32_t *number = hd_map_at(&u->interned, hash, added);
        if (*added)
            return number;
        const hd_unfold_event *event = hd_unfold_at(u, *number);
        if (event->parent == parent && event->choice == choice &&
            same_sources(u, event->accesses, event->count, sources))
            return number;
    }
}

/* There may be more that the operation after it can read. */
static void make_dirty(hd_unfold *u, uint32_t event) {
    hd_unfold_event *e = hd_unfold_at(u, event);
    if (!e->dirty)
        hd_vec_push(&u->dirty, event);
    e->dirty = true;
}

/* The operation after `event` can read the location. */
static void add_read(hd_unfold *u, uint32_t event, uint32_t location) {
    hd_unfold_event *e = hd_unfold_at(u, event);
    for (uint32_t r = e->reads; r != HD_EXPLORE_NONE; r = u->reads.data[r].next)
        if (u->reads.data[r].location == location)
            return;
    if (!HD_EXPLORE_CURE(19) && e->child)
        return;
    hd_vec_push(&u->reads,
                (hd_unfold_read){.event = event, .location = location, .next = e->reads});
    e->reads = (uint32_t)u->reads.length - 1;
    e->known_reads++;
    /* With what the others read all of it has to be tried again. */
    for (uint32_t r = e->reads; r != HD_EXPLORE_NONE; r = u->reads.data[r].next)
        u->reads.data[r].tried = 0;
    make_dirty(u, event);
}

static uint32_t copy_accesses(hd_unfold *u, uint32_t event, const hd_machine_access *accesses,
                              uint32_t count) {
    const uint32_t *last = u->last.data;
    uint32_t first = (uint32_t)u->accesses.length;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t mode = hd_unfold_mode(u, &accesses[i]);
        hd_vec_push(&u->accesses,
                    (hd_unfold_access){.location = accesses[i].location,
                                       .source = is_read(mode) ? last[accesses[i].location] : 0,
                                       .event = event,
                                       .mode = mode});
    }
    return first;
}

/* The locks that a thread has after an event, given those before it. */
static void find_held(hd_unfold *u, uint32_t event) {
    hd_unfold_event *e = hd_unfold_at(u, event);
    const hd_unfold_event *parent = hd_unfold_at(u, e->parent);
    bool changes = false;
    for (uint32_t i = 0; i < e->count; i++)
        changes |= (u->accesses.data[e->accesses + i].mode &
                    (HD_MACHINE_ACQUIRE | HD_MACHINE_RELEASE)) != 0;
    e->holds = parent->holds;
    e->held = parent->held;
    if (!changes)
        return;
    uint32_t first = (uint32_t)u->holds.length;
    for (uint32_t k = 0; k < parent->held; k++) {
        uint32_t lock = u->holds.data[parent->holds + k];
        bool released = false;
        for (uint32_t i = 0; i < e->count; i++)
            released |= u->accesses.data[e->accesses + i].location == lock &&
                        u->accesses.data[e->accesses + i].mode & HD_MACHINE_RELEASE;
        if (!released)
            hd_vec_push(&u->holds, lock);
    }
    for (uint32_t i = 0; i < e->count; i++)
        if (u->accesses.data[e->accesses + i].mode & HD_MACHINE_ACQUIRE)
            hd_vec_push(&u->holds, u->accesses.data[e->accesses + i].location);
    e->holds = first;
    e->held = (uint32_t)u->holds.length - first;
}

static void add_past(hd_unfold *u, uint32_t event) {
    const hd_unfold_event *e = hd_unfold_at(u, event);
    hd_vec_resize(&u->pasts, (size_t)(event + 1) * u->threads);
    uint32_t *past = hd_unfold_past(u, event);
    memcpy(past, hd_unfold_past(u, e->parent), u->threads * sizeof *past);
    for (uint32_t i = 0; i < e->count; i++) {
        uint32_t source = u->accesses.data[e->accesses + i].source;
        bool merged = !source || hd_explore_unfold_merge(u, past, u->accesses.data[source].event);
        assert(merged);
        (void)merged;
    }
    assert(past[e->thread] == e->parent);
    past[e->thread] = event;
}

/* Does a known event what the thread is about to do? */
static bool same_operation(const hd_unfold *u, uint32_t event,
                           const hd_explore_operation *operation,
                           const hd_machine_access *accesses) {
    const hd_unfold_event *e = hd_unfold_at(u, event);
    if (e->count != operation->count || e->position != operation->position ||
        e->memory != operation->memory || e->choices != operation->choices)
        return false;
    for (uint32_t i = 0; i < e->count; i++) {
        const hd_unfold_access *access = &u->accesses.data[e->accesses + i];
        if (access->location != accesses[i].location ||
            access->mode != hd_unfold_mode(u, &accesses[i]))
            return false;
    }
    return true;
}

uint32_t hd_explore_unfold_intern(hd_unfold *u, uint32_t parent,
                                  const hd_explore_operation *operation,
                                  const hd_machine_access *accesses, uint32_t choice, bool *added) {
    gather_sources(u, &u->sources, accesses, operation->count, u->last.data);
    uint32_t *number = find_interned(u, parent, choice, &u->sources, added);
    if (!*added) {
        if (!same_operation(u, *number, operation, accesses))
            hd_explore_differ(u->search, "a thread that did and read the same does another thing");
        return *number;
    }
    uint32_t event = *number = (uint32_t)u->events.length;
    hd_unfold_event *before = hd_unfold_at(u, parent);
    hd_unfold_event made = {.thread = before->thread,
                            .parent = parent,
                            .depth = before->depth + 1,
                            .jump = jump_of(u, parent),
                            .choice = choice,
                            .choices = operation->choices,
                            .count = operation->count,
                            .position = operation->position,
                            .memory = operation->memory,
                            .sibling = before->child,
                            .blocked = HD_EXPLORE_NONE,
                            .lock = HD_EXPLORE_NONE,
                            .reads = HD_EXPLORE_NONE};
    made.wrote = before->wrote;
    for (uint32_t i = 0; i < operation->count; i++)
        if (hd_unfold_mode(u, &accesses[i]) & HD_MACHINE_WRITE)
            made.wrote |= UINT64_C(1) << (accesses[i].location & 63);
    before->child = event;
    hd_vec_push(&u->events, made);
    hd_unfold_at(u, event)->accesses = copy_accesses(u, event, accesses, operation->count);
    find_held(u, event);
    add_past(u, event);
    for (uint32_t i = 0; i < operation->count; i++)
        if (is_read(hd_unfold_mode(u, &accesses[i])))
            add_read(u, parent, accesses[i].location);
    return event;
}

uint32_t hd_explore_unfold_known(hd_unfold *u, uint32_t parent,
                                 const hd_explore_operation *operation,
                                 const hd_machine_access *accesses, uint32_t choice) {
    for (uint32_t i = 0; i < operation->count; i++)
        if (accesses[i].location >= u->locations || accesses[i].location >= u->last.length)
            return 0;
    gather_sources(u, &u->sources, accesses, operation->count, u->last.data);
    const uint32_t *number;
    for (uint64_t hash = hash_of(parent, choice, &u->sources);
         (number = hd_map_find(&u->interned, hash)) != NULL; hash++) {
        const hd_unfold_event *event = hd_unfold_at(u, *number);
        if (event->parent == parent && event->choice == choice &&
            same_sources(u, event->accesses, event->count, &u->sources))
            return same_operation(u, *number, operation, accesses) ? *number : 0;
    }
    return 0;
}

void hd_explore_unfold_enter(hd_unfold *u, uint32_t event) {
    const hd_unfold_event *e = hd_unfold_at(u, event);
    for (uint32_t i = 0; i < e->count; i++) {
        hd_unfold_access *access = &u->accesses.data[e->accesses + i];
        if (!(access->mode & HD_MACHINE_WRITE))
            continue;
        hd_unfold_place *place = &u->places[access->location];
        if (!place->writes.length)
            hd_vec_push(&u->written, access->location);
        hd_vec_push(&place->writes, e->accesses + i);
        place->writers |= UINT64_C(1) << (e->thread & 63);
        access->number = (uint32_t)place->writes.length;
        while (place->readers.length) {
            hd_unfold_read *read = &u->reads.data[hd_vec_pop(&place->readers)];
            read->listed = false;
            make_dirty(u, read->event);
        }
    }
}

/* ---- The operation after an event ---- */

void hd_explore_unfold_describe(hd_unfold *u, uint32_t event, const hd_explore_operation *operation,
                                const hd_machine_access *accesses) {
    hd_unfold_event *e = hd_unfold_at(u, event);
    if (e->described)
        return;
    e->described = true;
    e->over = !operation->runs;
    e->cut = operation->cut;
    e->varies = operation->varies;
    if (e->over || e->cut)
        return;
    for (uint32_t i = 0; i < operation->count; i++) {
        uint8_t mode = hd_unfold_mode(u, &accesses[i]);
        if (mode & HD_MACHINE_ACQUIRE)
            e->lock = accesses[i].location;
        if (is_read(mode)) {
            add_read(u, event, accesses[i].location);
            e = hd_unfold_at(u, event);
        }
    }
    make_dirty(u, event);
}

void hd_explore_unfold_note_blocked(hd_unfold *u, uint32_t event,
                                    const hd_explore_operation *operation,
                                    const hd_machine_access *accesses) {
    if (hd_explore_unfold_waits(u, event, u->last.data))
        return;
    uint32_t first = copy_accesses(u, event, accesses, operation->count);
    hd_vec_push(&u->blocked, (hd_unfold_blocked){.accesses = first,
                                                 .count = operation->count,
                                                 .next = hd_unfold_at(u, event)->blocked});
    hd_unfold_at(u, event)->blocked = (uint32_t)u->blocked.length - 1;
    for (uint32_t i = 0; i < operation->count; i++)
        if (is_read(hd_unfold_mode(u, &accesses[i])))
            add_read(u, event, accesses[i].location);
}

bool hd_explore_unfold_waits(const hd_unfold *u, uint32_t event, const uint32_t *last) {
    for (uint32_t b = hd_unfold_at(u, event)->blocked; b != HD_EXPLORE_NONE;
         b = u->blocked.data[b].next) {
        const hd_unfold_blocked *blocked = &u->blocked.data[b];
        bool same = true;
        for (uint32_t i = 0; i < blocked->count && same; i++) {
            const hd_unfold_access *access = &u->accesses.data[blocked->accesses + i];
            same = !is_read(access->mode) || last[access->location] == access->source;
        }
        if (same)
            return true;
    }
    return false;
}

static bool wants_source(const hd_unfold_want *wants, uint32_t count, uint32_t location,
                         uint32_t source) {
    for (uint32_t i = 0; i < count; i++)
        if (wants[i].location == location)
            return wants[i].source == source;
    return false;
}

/* Are these accesses among those wanted? */
static bool agrees(const hd_unfold *u, uint32_t accesses, uint32_t count,
                   const hd_unfold_want *wants, uint32_t want_count) {
    for (uint32_t i = 0; i < count; i++) {
        const hd_unfold_access *access = &u->accesses.data[accesses + i];
        if (is_read(access->mode) &&
            !wants_source(wants, want_count, access->location, access->source))
            return false;
    }
    return true;
}

bool hd_explore_unfold_knows(const hd_unfold *u, uint32_t event, const hd_unfold_want *wants,
                             uint32_t count, uint32_t choice) {
    const hd_unfold_event *e = hd_unfold_at(u, event);
    for (uint32_t c = e->child; c; c = u->events.data[c].sibling) {
        const hd_unfold_event *child = hd_unfold_at(u, c);
        if ((!choice || child->choice == choice) &&
            agrees(u, child->accesses, child->count, wants, count))
            return true;
    }
    for (uint32_t b = e->blocked; b != HD_EXPLORE_NONE; b = u->blocked.data[b].next)
        if (agrees(u, u->blocked.data[b].accesses, u->blocked.data[b].count, wants, count))
            return true;
    return false;
}

/* ---- From the beginning ---- */

void hd_explore_unfold_grow(hd_unfold *u, uint32_t to) {
    hd_machine *machine = u->search->path.machine;
    uint32_t from = u->locations;
    if (u->places && from >= to)
        return;
    u->places = hd_mem_resize(u->places, (size_t)to + 1, sizeof *u->places);
    memset(u->places + from, 0, (size_t)(to + 1 - from) * sizeof *u->places);
    for (uint32_t i = from; machine->type->lock_is_read && i < to; i++)
        u->places[i].read = HD_EXPLORE_CURE(22) && machine->type->lock_is_read(machine, i);
    hd_vec_resize(&u->last, to);
    u->locations = to;
}

void hd_explore_unfold_init(hd_unfold *u, hd_explore_search *search) {
    *u = (hd_unfold){.search = search,
                     .threads = search->path.machine->threads,
                     .classes = search->options->by_reads};
    hd_explore_unfold_grow(u, search->path.machine->locations);
    hd_vec_resize(&u->accesses, 1); /* number 0 is the initial value, there is no event 0 */
    hd_vec_resize(&u->events, 1);
    hd_vec_resize(&u->pasts, (size_t)(u->threads + 1) * u->threads);
    for (uint32_t t = 0; t < u->threads; t++) {
        hd_vec_push(&u->events, (hd_unfold_event){.thread = t,
                                                  .jump = t + 1,
                                                  .blocked = HD_EXPLORE_NONE,
                                                  .lock = HD_EXPLORE_NONE,
                                                  .reads = HD_EXPLORE_NONE});
        hd_vec_push(&u->at, t + 1);
        for (uint32_t other = 0; other < u->threads; other++)
            u->pasts.data[(t + 1) * u->threads + other] = other + 1;
    }
}

void hd_explore_unfold_release(hd_unfold *u) {
    for (uint32_t i = 0; i < u->locations; i++) {
        hd_vec_release(&u->places[i].writes);
        hd_vec_release(&u->places[i].readers);
    }
    free(u->places);
    hd_vec_release(&u->events);
    hd_vec_release(&u->accesses);
    hd_vec_release(&u->reads);
    hd_vec_release(&u->blocked);
    hd_vec_release(&u->pasts);
    hd_vec_release(&u->holds);
    hd_vec_release(&u->written);
    hd_map_release(&u->interned);
    hd_map_release(&u->stuck);
    hd_explore_unfold_leave(u);
}

void hd_explore_unfold_join(hd_unfold *u, const hd_unfold *of, hd_explore_search *search) {
    *u = (hd_unfold){.search = search, .crew = of->crew};
    for (uint32_t t = 0; t < of->threads; t++)
        hd_vec_push(&u->at, t + 1);
}

void hd_explore_unfold_see(hd_unfold *u, const hd_unfold *of) {
    memcpy(u, of, offsetof(hd_unfold, search));
    if (u->last.length < u->locations)
        hd_vec_resize(&u->last, u->locations);
}

void hd_explore_unfold_leave(hd_unfold *u) {
    hd_vec_release(&u->run);
    hd_vec_release(&u->at);
    hd_vec_release(&u->last);
    hd_vec_release(&u->overwritten);
    hd_vec_release(&u->marks);
    hd_vec_release(&u->seen);
    hd_vec_release(&u->entries);
    hd_vec_release(&u->shown);
    hd_vec_release(&u->fresh);
    hd_vec_release(&u->dirty);
    hd_vec_release(&u->wants);
    hd_vec_release(&u->agenda);
    hd_vec_release(&u->postponed);
    hd_vec_release(&u->plan);
    hd_vec_release(&u->targets);
    hd_vec_release(&u->sources);
    hd_vec_release(&u->next);
    hd_explore_unfold_order_release(&u->order);
}
