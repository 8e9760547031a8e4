/*
 * Data races by pairs: two accesses race if some state has both next.  Once all events are known,
 * each such state is reached by an order of known events that has the past of both accesses and
 * neither of them, so every pair of accesses is asked for; when one is found it is run, both
 * accesses one after the other, and the path reports it (explore_collision.c).
 *
 * What keeps it short: two that hold a common lock are never next together, nor are two of which
 * one is in the past of the other; and two places in the program are shown to race once.
 */
#include "explore_unfold.h"

/* An access of the operation after an event. */
typedef struct pending {
    uint32_t event; /* after which it comes, */
    uint32_t child; /* and it */
    bool writes;
} pending;

typedef struct race_search {
    hd_unfold *u;
    HD_VEC(pending) pending; /* of one location */
    hd_map found;            /* pairs of places */
} race_search;

/* Those of one location, one of each event and mode. */
static void gather(race_search *s, const hd_vec_u32 *events) {
    hd_unfold *u = s->u;
    hd_vec_clear(&s->pending);
    for (size_t i = 0; i < events->length; i++) {
        const hd_unfold_access *access = &u->accesses.data[events->data[i]];
        const hd_unfold_event *e = hd_unfold_at(u, access->event);
        bool writes = access->mode & HD_MACHINE_WRITE, known = false;
        for (size_t k = s->pending.length; k-- > 0 && !known;) {
            const pending *other = &s->pending.data[k];
            known = other->event == e->parent && other->writes == writes;
            if (other->event != e->parent)
                break;
        }
        if (!known)
            hd_vec_push(&s->pending, (pending){e->parent, access->event, writes});
    }
}

static bool share_lock(const hd_unfold *u, const hd_unfold_event *a, const hd_unfold_event *b) {
    for (uint32_t i = 0; i < a->held; i++)
        for (uint32_t k = 0; k < b->held; k++)
            if (u->holds.data[a->holds + i] == u->holds.data[b->holds + k])
                return true;
    return false;
}

static uint64_t pair_of(const hd_unfold_event *a, const hd_unfold_event *b) {
    uint64_t low = a->position < b->position ? a->position : b->position;
    uint64_t high = a->position < b->position ? b->position : a->position;
    return low << 32 | high;
}

/* May it be that both are next? */
static bool may_meet(const race_search *s, const pending *a, const pending *b) {
    const hd_unfold *u = s->u;
    const hd_unfold_event *first = hd_unfold_at(u, a->child), *second = hd_unfold_at(u, b->child);
    return first->thread != second->thread && (a->writes || b->writes) &&
           hd_machine_race(first->memory, second->memory) &&
           !hd_map_find(&s->found, pair_of(first, second)) &&
           !share_lock(u, hd_unfold_at(u, a->event), hd_unfold_at(u, b->event));
}

static void try_pair(race_search *s, const pending *a, const pending *b) {
    hd_unfold *u = s->u;
    uint32_t one = hd_unfold_at(u, a->child)->thread, other = hd_unfold_at(u, b->child)->thread;
    bool added;
    hd_vec_resize(&u->targets, u->threads);
    memcpy(u->targets.data, hd_unfold_past(u, a->event), u->threads * sizeof *u->targets.data);
    if (!hd_explore_unfold_merge(u, u->targets.data, b->event) ||
        u->targets.data[one] != a->event || u->targets.data[other] != b->event)
        return;
    hd_unfold_goal goal = {.targets = u->targets.data,
                           .lock = HD_EXPLORE_NONE,
                           .parked = one,
                           .parked_too = other + 1};
    if (hd_explore_unfold_find(u, goal) != HD_UNFOLD_FOUND)
        return;
    uint64_t pair = pair_of(hd_unfold_at(u, a->child), hd_unfold_at(u, b->child));
    if (hd_explore_unfold_run_along(u, u->plan.data, u->plan.length, one) &&
        hd_explore_unfold_run_step(u, one))
        hd_explore_unfold_run_step(u, other);
    hd_map_at(&s->found, pair, &added);
}

/* Of one location: accesses in the order of their events' parents. */
static void try_location(race_search *s) {
    for (size_t i = 0; i < s->pending.length; i++)
        for (size_t k = 0; k < i; k++) {
            if (hd_unfold_is_over(s->u))
                return;
            if (may_meet(s, &s->pending.data[i], &s->pending.data[k]))
                try_pair(s, &s->pending.data[i], &s->pending.data[k]);
        }
}

void hd_explore_unfold_races(hd_unfold *u) {
    race_search s = {.u = u};
    hd_vec_u32 *by_location = HD_NEW_ARRAY(hd_vec_u32, (size_t)u->locations + 1);
    uint32_t locations = u->locations;
    for (uint32_t i = 1; i < u->events.length; i++) {
        const hd_unfold_event *e = &u->events.data[i];
        for (uint32_t k = 0; e->memory != HD_MACHINE_NO_MEMORY && k < e->count; k++)
            hd_vec_push(&by_location[u->accesses.data[e->accesses + k].location], e->accesses + k);
    }
    for (uint32_t i = 0; i < locations && !u->search->stop; i++) {
        gather(&s, &by_location[i]);
        try_location(&s);
    }
    for (uint32_t i = 0; i < locations; i++)
        hd_vec_release(&by_location[i]);
    free(by_location);
    hd_vec_release(&s.pending);
    hd_map_release(&s.found);
}
