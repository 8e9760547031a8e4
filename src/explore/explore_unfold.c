/*
 * unfold: runs the machine until its unfolding is saturated.
 *
 * For every known event, what its thread does next is tried with every combination of known writes
 * that it could read: a search among known events looks for a real schedule that makes it read
 * them, the machine runs it, and every event of that run becomes known.  What was not found is
 * tried again whenever something new is known.  When nothing is left, every event of every
 * execution is known.  For take any execution: if its first k events are known, the next one is a
 * candidate, and those k events are a schedule that the search can find.
 *
 * The ideas are those of unfoldings (McMillan 1993; Rodriguez, Sousa, Sharma, Kroening, CONCUR
 * 2015) and of exploring by reads-from (Chalupa et al., POPL 2018; Abdulla et al., OOPSLA 2019);
 * this search, and how it treats locks, is our own.  An operation may read several locations, and
 * what it reads first may decide what it reads then: sources are tried for all the locations that
 * it is known to read, and if it turns out to read another one, for that too.
 *
 * Cost: a run for each candidate that was found, fewer than there are classes; a search that fails
 * takes exponential time at worst.
 */
#include <stdlib.h>

#include "explore_unfold.h"
#include "explore_without.h"

/* ---- Candidates ---- */

typedef struct combination {
    hd_unfold *u;
    uint32_t event;
    uint32_t count;   /* reads */
    hd_vec_u32 reads; /* in unfold->reads */
    hd_vec_u32 past;  /* merged, level by level */
    hd_vec_u32 found; /* sources that may fit, level by level */
    HD_VEC(hd_unfold_want) wants;
    uint32_t
        fresh; /* the read that has a source which was not tried; those before it have others */
} combination;

static void add_candidate(combination *c) {
    hd_unfold *u = c->u;
    if (hd_explore_unfold_knows(u, c->event, c->wants.data, c->count, 0))
        return;
    uint32_t first = (uint32_t)u->wants.length;
    for (uint32_t i = 0; i < c->count; i++)
        hd_vec_push(&u->wants, c->wants.data[i]);
    hd_vec_push(&u->agenda,
                (hd_unfold_candidate){.event = c->event, .wants = first, .count = c->count});
}

/* Sources of a location that may fit: the initial value, 0, and writes by their numbers, those in
 * [from, to). */
typedef struct sources {
    uint32_t location, from, to;
    uint32_t left; /* events that may still be looked at */
} sources;

static void add_writes(combination *c, const sources *s, uint32_t event) {
    const hd_unfold_event *e = hd_unfold_at(c->u, event);
    for (uint32_t i = 0; i < e->count; i++) {
        const hd_unfold_access *access = &c->u->accesses.data[e->accesses + i];
        if (access->location == s->location && access->number && access->number >= s->from &&
            access->number < s->to)
            hd_vec_push(&c->found, access->number);
    }
}

/* Writes of events before and after one in its thread; false: there are too many events. */
static bool add_before(combination *c, sources *s, uint32_t event) {
    const uint64_t bit = UINT64_C(1) << (s->location & 63);
    for (; c->u->events.data[event].wrote & bit; event = c->u->events.data[event].parent) {
        if (!s->left--)
            return false;
        add_writes(c, s, event);
    }
    return true;
}

static bool add_after(combination *c, sources *s, uint32_t event) {
    const hd_unfold_event *events = c->u->events.data;
    for (uint32_t at = event;;) {
        if (events[at].child) {
            at = events[at].child;
        } else {
            while (at != event && !events[at].sibling)
                at = events[at].parent;
            if (at == event)
                return true;
            at = events[at].sibling;
        }
        if (!s->left--)
            return false;
        add_writes(c, s, at);
    }
}

/* Adds to c->found, in order, all sources that do not conflict with a configuration, and perhaps
 * some that do.  A write that does not is before or after the configuration's event of its thread:
 * of many writes few are.  Where those would be no fewer, it is all writes. */
static void find_sources(combination *c, sources s, const uint32_t *past) {
    size_t first = c->found.length;
    uint32_t own = c->u->events.data[c->event].thread;
    const uint64_t writers = c->u->places[s.location].writers;
    bool few = true;
    s.left = s.to > s.from ? s.to - s.from : 0;
    for (uint32_t t = 0; t < c->u->threads && few; t++)
        few = !(writers >> (t & 63) & 1) ||
              (add_before(c, &s, past[t]) && (t == own || add_after(c, &s, past[t])));
    if (!few) {
        hd_vec_resize(&c->found, first);
        for (uint32_t i = s.from; i < s.to; i++)
            hd_vec_push(&c->found, i);
        return;
    }
    if (s.from == 0 && s.to)
        hd_vec_push(&c->found, 0);
    if (c->found.length > first + 1)
        qsort(c->found.data + first, c->found.length - first, sizeof *c->found.data,
              hd_unfold_by_number);
}

static void combine(combination *c, uint32_t level) {
    hd_unfold *u = c->u;
    if (level == c->count) {
        add_candidate(c);
        return;
    }
    uint32_t threads = u->threads;
    const hd_unfold_read *read = &u->reads.data[c->reads.data[level]];
    const hd_vec_u32 *writes = &u->places[read->location].writes;
    sources all = {.location = read->location,
                   .from = level == c->fresh ? read->tried : 0,
                   .to = level < c->fresh ? read->tried : (uint32_t)writes->length + 1};
    uint32_t *past = c->past.data + (size_t)(level + 1) * threads;
    size_t first = c->found.length;
    find_sources(c, all, past - threads);
    for (size_t i = first; i < c->found.length; i++) {
        if (hd_unfold_is_over_soon(u))
            break;
        if (!HD_EXPLORE_CURE(18) && level > 0 && i != first)
            break;
        uint32_t number = c->found.data[i], source = number ? writes->data[number - 1] : 0;
        memcpy(past, past - threads, threads * sizeof *past);
        if (source && (!hd_explore_unfold_merge(u, past, u->accesses.data[source].event) ||
                       past[u->events.data[c->event].thread] != c->event))
            continue;
        c->wants.data[level] = (hd_unfold_want){read->location, source};
        combine(c, level + 1);
    }
    hd_vec_resize(&c->found, first);
}

/* All known writes were tried for a read. */
static void wait_for_writes(hd_unfold *u, uint32_t number) {
    hd_unfold_read *read = &u->reads.data[number];
    hd_unfold_place *place = &u->places[read->location];
    read->tried = (uint32_t)place->writes.length + 1;
    if (!read->listed)
        hd_vec_push(&place->readers, number);
    read->listed = true;
}

/* Everything that the operation after an event could read and that was not tried yet. */
void hd_explore_unfold_combine(hd_unfold *u, uint32_t event) {
    const hd_unfold_event *e = hd_unfold_at(u, event);
    if (!e->described || e->over || e->cut)
        return;
    combination c = {.u = u, .event = event, .count = e->known_reads};
    for (uint32_t r = e->reads; r != HD_EXPLORE_NONE; r = u->reads.data[r].next)
        hd_vec_push(&c.reads, r);
    hd_vec_resize(&c.past, (size_t)(c.count + 1) * u->threads);
    hd_vec_resize(&c.wants, c.count);
    memcpy(c.past.data, hd_unfold_past(u, event), u->threads * sizeof *c.past.data);
    for (c.fresh = 0; c.fresh < c.count; c.fresh++)
        combine(&c, 0);
    if (!c.count)
        combine(&c, 0);
    hd_vec_release(&c.reads);
    hd_vec_release(&c.found);
    hd_vec_release(&c.past);
    hd_vec_release(&c.wants);
}

void hd_explore_unfold_combined(hd_unfold *u, uint32_t event) {
    hd_unfold_event *e = hd_unfold_at(u, event);
    e->dirty = false;
    if (!e->described || e->over || e->cut)
        return;
    for (uint32_t r = e->reads; r != HD_EXPLORE_NONE; r = u->reads.data[r].next)
        wait_for_writes(u, r);
}

static void combine_all(hd_unfold *u) {
    while (u->dirty.length && !u->search->stop) {
        uint32_t event = hd_vec_pop(&u->dirty);
        hd_explore_unfold_combine(u, event);
        hd_explore_unfold_combined(u, event);
    }
}

/* ---- Finding one ---- */

/* The schedule is put into unfold->plan. */
static bool search_order(hd_unfold *u, const hd_unfold_goal *goal) {
    bool found = hd_explore_unfold_order_first(u, goal);
    hd_vec_clear(&u->plan);
    for (size_t i = 0; found && i < u->order.taken.length; i++)
        hd_vec_push(&u->plan, u->order.taken.data[i]);
    hd_explore_unfold_order_end(u);
    return found;
}

enum hd_unfold_found hd_explore_unfold_find(hd_unfold *u, hd_unfold_goal goal) {
    uint32_t lock = goal.lock;
    if (search_order(u, &goal))
        return HD_UNFOLD_FOUND;
    if (!u->order.locks)
        return HD_UNFOLD_NEVER; /* locks as they are were no obstacle */
    goal.optimistic = true;
    goal.lock = HD_EXPLORE_NONE;
    if (!search_order(u, &goal))
        return HD_UNFOLD_NEVER;
    goal.optimistic = false;
    goal.lock = lock;
    goal.beyond = HD_EXPLORE_CURE(8);
    return search_order(u, &goal) ? HD_UNFOLD_FOUND : HD_UNFOLD_NOT_YET;
}

enum hd_unfold_found hd_explore_unfold_try(hd_unfold *u, const hd_unfold_candidate *candidate,
                                           const hd_unfold_want *wants) {
    if (hd_explore_unfold_knows(u, candidate->event, wants, candidate->count, candidate->choice))
        return HD_UNFOLD_NEVER;
    const hd_unfold_event *e = hd_unfold_at(u, candidate->event);
    hd_vec_resize(&u->targets, u->threads);
    memcpy(u->targets.data, hd_unfold_past(u, candidate->event),
           u->threads * sizeof *u->targets.data);
    for (uint32_t i = 0; i < candidate->count; i++)
        if (wants[i].source &&
            !hd_explore_unfold_merge(u, u->targets.data, u->accesses.data[wants[i].source].event))
            return HD_UNFOLD_NEVER;
    if (u->targets.data[e->thread] != candidate->event)
        return HD_UNFOLD_NEVER;
    return hd_explore_unfold_find(u, (hd_unfold_goal){.targets = u->targets.data,
                                                      .wants = wants,
                                                      .want_count = candidate->count,
                                                      .lock = e->lock,
                                                      .parked = e->thread});
}

static void try_candidate(hd_unfold *u, hd_unfold_candidate candidate) {
    uint32_t known = (uint32_t)u->events.length;
    enum hd_unfold_found found =
        hd_explore_unfold_try(u, &candidate, u->wants.data + candidate.wants);
    if (found == HD_UNFOLD_FOUND) {
        uint32_t thread = u->events.data[candidate.event].thread;
        if (hd_explore_unfold_run_along(u, u->plan.data, u->plan.length, thread))
            hd_explore_unfold_run_on(u, thread, candidate.choice);
    } else if (found == HD_UNFOLD_NOT_YET) {
        candidate.tried = known;
        hd_vec_push(&u->postponed, candidate);
    }
}

/* ---- Saturation ---- */

/* Those that were not found are tried again if there are new events. */
static bool take_postponed(hd_unfold *u) {
    size_t kept = 0;
    for (size_t i = 0; i < u->postponed.length; i++) {
        hd_unfold_candidate candidate = u->postponed.data[i];
        if (HD_EXPLORE_CURE(10) && candidate.tried < u->events.length)
            hd_vec_push(&u->agenda, candidate);
        else
            u->postponed.data[kept++] = candidate;
    }
    u->postponed.length = kept;
    return u->agenda.length > 0;
}

/* A search by slices is one of several, and has its share of the memory. */
static bool is_too_large(const hd_unfold *u) {
    enum { MOST_PASTS = 1 << 23 };
    return u->search->pause_at && u->pasts.length > MOST_PASTS;
}

void hd_explore_unfold_overdue(hd_unfold *u) {
    static const double patience = 1;
    if (u->overdue <= 0)
        u->overdue = u->search->clock;
    else if (u->search->clock - u->overdue > patience)
        hd_explore_abandon(u->search);
}

/* Until all is known; or a while of it. */
static void saturate(hd_unfold *u) {
    while (!hd_unfold_is_over(u)) {
        if (hd_explore_pauses(u->search))
            return;
        if (is_too_large(u)) {
            hd_explore_abandon(u->search);
            return;
        }
        hd_explore_unfold_report(u);
        if (u->done < u->agenda.length) {
            if (u->crew)
                hd_explore_unfold_crew_try(u);
            else
                try_candidate(u, u->agenda.data[u->done++]);
            continue;
        }
        hd_vec_clear(&u->agenda);
        u->done = 0;
        if (u->crew)
            hd_explore_unfold_crew_combine(u);
        else
            combine_all(u);
        if (!u->agenda.length && !u->postponed.length)
            hd_vec_clear(&u->wants);
        if (!u->agenda.length && !take_postponed(u))
            return;
    }
}

/* Once all events are known. */
static void look_for_ends(hd_unfold *u) {
    if (!u->search->stop && u->search->path.collide)
        hd_explore_unfold_races(u);
    u->saturated = true;
    if (!u->search->stop && (u->classes || HD_EXPLORE_CURE(17)))
        hd_explore_unfold_tree(u);
    hd_explore_unfold_run_back(u, 0);
}

static void first_run(hd_unfold *u) {
    hd_explore_unfold_run_along(u, NULL, 0, HD_EXPLORE_NONE);
    hd_explore_unfold_run_on(u, HD_EXPLORE_NONE, 0);
}

void hd_explore_unfold_lead(hd_unfold *u) {
    first_run(u);
    hd_explore_unfold_run_back(u, 0); /* the machine is that of one of the workers, too */
    saturate(u);
    look_for_ends(u);
}

static void end_unfold(hd_explore_search *search, hd_unfold *u) {
    search->result->events = u->events.length - 1 - u->threads;
    hd_explore_unfold_release(u);
    free(u);
    search->own = NULL;
}

static void unfold_go_on(hd_explore_search *search) {
    hd_unfold *u = search->own;
    u->overdue = 0;
    saturate(u);
    if (search->paused)
        return;
    look_for_ends(u);
    end_unfold(search, u);
}

void hd_explore_unfold(hd_explore_search *search) {
    hd_unfold *u = HD_NEW(hd_unfold);
    search->own = u;
    search->go_on = unfold_go_on;
    hd_explore_unfold_init(u, search);
    if (search->options->threads > 1 && !search->pause_at) {
        hd_explore_unfold_crew(search, u);
        end_unfold(search, u);
        return;
    }
    first_run(u);
    unfold_go_on(search);
}
