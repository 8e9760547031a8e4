/*
 * Data races by pairs: two accesses race if some state has both next.  Once all events are known,
 * each such state is reached by an order of known events that has the past of both accesses and
 * neither of them, so every pair of accesses is asked for; when one is found it is run, both
 * accesses one after the other, and the path reports it (explore_collision.c).
 *
 * The pairs are a table, whose rows several workers go through, each row as a whole.  Who leads
 * runs what they find, in the order of the table, so that the schedules do not depend on their
 * number.
 *
 * What keeps it short: two that hold a common lock are never next together, nor are two of which
 * one is in the past of the other; and two places in the program are shown to race once.  The
 * locations come in an order that does not depend on the search, so that this is of the least
 * variable that can race there.
 */
#include <stdlib.h>

#include "explore_unfold.h"

/* An access of the operation after an event: a row of the table, and a column of later rows. */
typedef struct pending {
    uint32_t event;    /* after which it comes, */
    uint32_t child;    /* and it: */
    uint32_t thread;   /* what is asked for first, of every pair */
    uint32_t position; /* in the program */
    uint32_t first;    /* of its location */
    uint8_t memory;
    bool writes;
} pending;

struct hd_unfold_races {
    HD_VEC(pending) pending; /* location by location */
    hd_map found;            /* pairs of places */
};

/* ---- The table ---- */

/* Can two of them race? */
static bool may_race(const pending *accesses, size_t count) {
    bool plain = false, writes = false, several = false;
    for (size_t i = 0; i < count; i++) {
        plain |= accesses[i].memory == HD_MACHINE_PLAIN;
        writes |= accesses[i].writes;
        several |= accesses[i].thread != accesses[0].thread;
    }
    return plain && writes && several;
}

/* Those of one location, in the order of their events: one of each event and mode. */
static void gather(const hd_unfold *u, hd_unfold_races *races, const hd_vec_u32 *events) {
    size_t first = races->pending.length;
    for (size_t i = 0; i < events->length; i++) {
        const hd_unfold_access *access = &u->accesses.data[events->data[i]];
        const hd_unfold_event *e = hd_unfold_at(u, access->event);
        bool writes = access->mode & HD_MACHINE_WRITE, known = false;
        for (size_t k = races->pending.length; k-- > first && !known;) {
            const pending *other = &races->pending.data[k];
            known = other->event == e->parent && other->writes == writes;
            if (other->event != e->parent)
                break;
        }
        if (!known)
            hd_vec_push(&races->pending, (pending){.event = e->parent,
                                                   .child = access->event,
                                                   .thread = e->thread,
                                                   .position = e->position,
                                                   .first = (uint32_t)first,
                                                   .memory = e->memory,
                                                   .writes = writes});
    }
    if (races->pending.length > first &&
        !may_race(races->pending.data + first, races->pending.length - first))
        races->pending.length = first;
}

typedef struct ordered {
    uint64_t order;
    uint32_t location;
} ordered;

static int compare(const void *a, const void *b) {
    const ordered *one = a, *other = b;
    if (one->order != other->order)
        return one->order < other->order ? -1 : 1;
    return one->location < other->location ? -1 : 1;
}

static ordered *order_locations(const hd_unfold *u) {
    const hd_machine *machine = u->search->path.machine;
    ordered *all = HD_NEW_ARRAY(ordered, (size_t)u->locations + 1);
    for (uint32_t i = 0; i < u->locations; i++)
        all[i] = (ordered){hd_machine_location_order(machine, i), i};
    qsort(all, u->locations, sizeof *all, compare);
    return all;
}

static void gather_all(const hd_unfold *u, hd_unfold_races *races) {
    hd_vec_u32 *by_location = HD_NEW_ARRAY(hd_vec_u32, (size_t)u->locations + 1);
    for (uint32_t i = 1; i < u->events.length; i++) {
        const hd_unfold_event *e = &u->events.data[i];
        for (uint32_t k = 0; e->memory != HD_MACHINE_NO_MEMORY && k < e->count; k++)
            hd_vec_push(&by_location[u->accesses.data[e->accesses + k].location], e->accesses + k);
    }
    ordered *sorted = order_locations(u);
    for (uint32_t i = 0; i < u->locations; i++) {
        hd_vec_u32 *events = &by_location[sorted[i].location];
        gather(u, races, events);
        hd_vec_release(events);
    }
    free(sorted);
    free(by_location);
}

/* ---- A row ---- */

static bool share_lock(const hd_unfold *u, const hd_unfold_event *a, const hd_unfold_event *b) {
    for (uint32_t i = 0; i < a->held; i++)
        for (uint32_t k = 0; k < b->held; k++)
            if (u->holds.data[a->holds + i] == u->holds.data[b->holds + k])
                return true;
    return false;
}

/* With the location, if another one's race at the same places does not do. */
static uint64_t pair_of(const hd_unfold *u, const pending *a, const pending *b) {
    uint64_t low = a->position < b->position ? a->position : b->position;
    uint64_t high = a->position < b->position ? b->position : a->position;
    uint64_t pair = low << 32 | high;
    return u->search->options->each_variable ? hd_map_key_with(pair, a->first) : pair;
}

/* May it be that both are next? */
static bool may_meet(const hd_unfold *u, const pending *a, const pending *b) {
    return a->thread != b->thread && (a->writes || b->writes) &&
           hd_machine_race(a->memory, b->memory) &&
           !share_lock(u, hd_unfold_at(u, a->event), hd_unfold_at(u, b->event));
}

/* A schedule after which both are, in unfold->plan. */
static bool do_meet(hd_unfold *u, const pending *a, const pending *b) {
    hd_vec_resize(&u->targets, u->threads);
    memcpy(u->targets.data, hd_unfold_past(u, a->event), u->threads * sizeof *u->targets.data);
    if (!hd_explore_unfold_merge(u, u->targets.data, b->event) ||
        u->targets.data[a->thread] != a->event || u->targets.data[b->thread] != b->event)
        return false;
    hd_unfold_goal goal = {.targets = u->targets.data,
                           .lock = HD_EXPLORE_NONE,
                           .parked = a->thread,
                           .parked_too = b->thread + 1};
    return hd_explore_unfold_find(u, goal) == HD_UNFOLD_FOUND;
}

static void add_meeting(const hd_unfold *u, uint32_t row, uint32_t column, hd_unfold_meetings *to) {
    hd_unfold_meeting meeting = {.row = row, .column = column};
    for (size_t i = 0; i < u->plan.length; i++)
        hd_vec_push(&meeting.plan, u->plan.data[i]);
    hd_vec_push(to, meeting);
}

void hd_explore_unfold_races_row(hd_unfold *u, const hd_unfold_races *races, uint32_t row,
                                 hd_unfold_meetings *to) {
    const pending *accesses = races->pending.data, *own = &accesses[row];
    hd_map here = {0}; /* pairs of places, found in this row */
    for (uint32_t i = own->first; i < row && !hd_unfold_is_over_soon(u); i++) {
        uint64_t pair = pair_of(u, own, &accesses[i]);
        bool added;
        if (!may_meet(u, own, &accesses[i]) || hd_map_find(&races->found, pair) ||
            hd_map_find(&here, pair) || !do_meet(u, own, &accesses[i]))
            continue;
        hd_map_at(&here, pair, &added);
        add_meeting(u, row, i, to);
    }
    hd_map_release(&here);
}

/* ---- What was found ---- */

static void show(hd_unfold *u, hd_unfold_races *races, const hd_unfold_meeting *meeting) {
    const pending *a = &races->pending.data[meeting->row];
    const pending *b = &races->pending.data[meeting->column];
    bool added;
    hd_map_at(&races->found, pair_of(u, a, b), &added);
    if (added &&
        hd_explore_unfold_run_along(u, meeting->plan.data, meeting->plan.length, a->thread) &&
        hd_explore_unfold_run_step(u, a->thread))
        hd_explore_unfold_run_step(u, b->thread);
}

static int by_place(const void *a, const void *b) {
    const hd_unfold_meeting *one = a, *other = b;
    if (one->row != other->row)
        return one->row < other->row ? -1 : 1;
    return (one->column > other->column) - (one->column < other->column);
}

static void show_all(hd_unfold *u, hd_unfold_races *races, hd_unfold_meetings *meetings) {
    if (meetings->length > 1)
        qsort(meetings->data, meetings->length, sizeof *meetings->data, by_place);
    for (size_t i = 0; i < meetings->length; i++) {
        show(u, races, &meetings->data[i]);
        hd_vec_release(&meetings->data[i].plan);
    }
    hd_vec_clear(meetings);
}

void hd_explore_unfold_races(hd_unfold *u) {
    hd_unfold_races races = {0};
    hd_unfold_meetings meetings = {0};
    gather_all(u, &races);
    for (uint32_t row = 0; row < races.pending.length && !u->search->stop;) {
        if (u->crew) {
            hd_explore_unfold_run_back(u, 0);
            row = hd_explore_unfold_crew_races(u, &races, row, (uint32_t)races.pending.length,
                                               &meetings);
        } else
            hd_explore_unfold_races_row(u, &races, row++, &meetings);
        show_all(u, &races, &meetings);
    }
    hd_vec_release(&meetings);
    hd_vec_release(&races.pending);
    hd_map_release(&races.found);
}
