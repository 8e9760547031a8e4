/*
 * Several workers that explore by reads-from (explore_unfold.h).
 *
 * One of them *leads*: what is known is entered by it alone.  The others only read that, and only
 * in *phases*, in which it does not change.  There are three sorts of phases.  In the first the
 * workers take events whose sources have to be combined, and each has the candidates that it finds
 * for itself; in the second they take candidates, search for schedules and run these, each on a
 * machine of its own.  A run is written down, and entered after the phase.  Candidates and runs are
 * entered in the order of what they are for, whoever found them, so what is known in the end, and
 * how many runs it took, does not depend on the number of workers.  It may be some more runs than
 * of one worker, which knows what a run has shown before it looks for the next one.  In the third,
 * when all is known, they look for pairs of accesses that race; a phase ends when one is found, and
 * who leads runs it.
 *
 * When all is known it does not change any more, and the tree of classes is shared: a worker gets
 * what is left of a node of another's, as near to the root as there is one.
 */
#include "explore_phase.h"
#include "explore_unfold.h"

/* Candidates of a phase: the more there are, the less often workers wait for each other; but all
 * runs of a phase are kept until its end. */
enum { BATCH = 1024, LEAST_BATCH = 256, MOST_STEPS = 1 << 17 };

/* What was done in a phase. */
struct trial {
    enum hd_unfold_found found;
    bool ran; /* the record is of it */
    hd_unfold_record record;
};

enum sort { COMBINES, TRIES, RACES };

struct combined {
    const hd_unfold *by; /* has the candidates in its agenda */
    size_t from, to;
};

typedef struct hd_unfold_crew {
    hd_unfold *u; /* of who leads */
    hd_unfold_waits waits;

    hd_explore_phase phase;
    enum sort sort; /* of the phase */
    atomic_uint next;
    uint32_t count;
    atomic_bool ends; /* nothing more is taken */
    struct trial trials[BATCH];
    size_t longest; /* steps of a run so far */
    HD_VEC(struct combined) combined;
    const hd_unfold_races *races;
    hd_unfold_meetings meetings; /* under the lock of the phase */
} hd_unfold_crew;

/* A worker, who leads or not. */
struct member {
    hd_unfold u;
    hd_unfold_crew *crew;
};

struct item {
    hd_unfold_part *part; /* of the tree; NULL: help is wanted */
};

/* ---- A phase ---- */

static void try_one(hd_unfold_crew *crew, hd_unfold *own, uint32_t number) {
    const hd_unfold *u = crew->u;
    const hd_unfold_candidate *candidate = &u->agenda.data[u->done + number];
    struct trial *trial = &crew->trials[number];
    trial->ran = false;
    trial->found = hd_explore_unfold_try(own, candidate, u->wants.data + candidate->wants);
    if (trial->found == HD_UNFOLD_FOUND)
        trial->ran = hd_explore_unfold_run_blindly(own, hd_unfold_at(own, candidate->event)->thread,
                                                   candidate->choice, &trial->record);
}

static void combine_one(hd_unfold_crew *crew, hd_unfold *own, uint32_t number) {
    struct combined *combined = &crew->combined.data[number];
    combined->by = own;
    combined->from = own->agenda.length;
    hd_explore_unfold_combine(own, crew->u->dirty.data[number]);
    combined->to = own->agenda.length;
}

static void look_for_race(hd_unfold_crew *crew, hd_unfold *own, uint32_t row) {
    hd_unfold_meetings found = {0};
    hd_explore_unfold_races_row(own, crew->races, row, &found);
    if (!found.length)
        return;
    atomic_store(&crew->ends, true);
    hd_mem_lock(&crew->phase.lock);
    for (size_t i = 0; i < found.length; i++)
        hd_vec_push(&crew->meetings, found.data[i]);
    hd_mem_unlock(&crew->phase.lock);
    hd_vec_release(&found);
}

static void work_in_phase(hd_unfold_crew *crew, hd_unfold *own) {
    uint32_t number;
    hd_explore_unfold_see(own, crew->u);
    hd_vec_clear(&own->agenda);
    hd_vec_clear(&own->wants);
    while (!hd_explore_phase_stops(own->search) && !atomic_load(&crew->ends) &&
           (number = atomic_fetch_add(&crew->next, 1)) < crew->count) {
        if (crew->sort == COMBINES)
            combine_one(crew, own, number);
        else if (crew->sort == TRIES)
            try_one(crew, own, number);
        else
            look_for_race(crew, own, number);
        hd_explore_unfold_report(own);
    }
}

static void help(struct member *member) {
    hd_unfold_crew *crew = member->crew;
    if (!hd_explore_phase_enter(&crew->phase))
        return;
    work_in_phase(crew, &member->u);
    hd_mem_lock(&crew->phase.lock);
    hd_explore_phase_leave(&crew->phase);
}

static void *call_for_help(void) {
    return HD_NEW(struct item);
}

/* Who leads works, too, by another view of its machine.  False if the search is over. */
static bool run_phase(hd_unfold *u, enum sort sort, uint32_t from, uint32_t count) {
    hd_unfold_crew *crew = u->crew;
    struct member *leader = u->search->own;
    assert(!u->run.length && !leader->u.run.length);
    crew->sort = sort;
    crew->count = count;
    atomic_store(&crew->next, from);
    atomic_store(&crew->ends, false);
    hd_explore_phase_open(&crew->phase, u->search, count - from - 1, call_for_help);
    work_in_phase(crew, &leader->u);
    hd_explore_phase_close(&crew->phase, u->search);
    hd_explore_unfold_run_back(&leader->u, 0);
    return !hd_explore_phase_stops(u->search);
}

/* How many candidates are tried at a time, whatever the number of workers. */
static uint32_t batch_of(const hd_unfold_crew *crew) {
    size_t count = crew->longest > MOST_STEPS / BATCH ? MOST_STEPS / crew->longest : BATCH;
    return count > LEAST_BATCH ? (uint32_t)count : LEAST_BATCH;
}

void hd_explore_unfold_crew_try(hd_unfold *u) {
    hd_unfold_crew *crew = u->crew;
    size_t left = u->agenda.length - u->done;
    uint32_t count = batch_of(crew), known = (uint32_t)u->events.length;
    count = left < count ? (uint32_t)left : count;
    if (!run_phase(u, TRIES, 0, count))
        return;
    for (uint32_t i = 0; i < count && !u->search->stop; i++) {
        hd_unfold_candidate candidate = u->agenda.data[u->done++];
        if (crew->trials[i].ran) {
            size_t steps = crew->trials[i].record.events.length;
            crew->longest = steps > crew->longest ? steps : crew->longest;
            hd_explore_unfold_enter_record(u, &crew->trials[i].record);
        }
        if (crew->trials[i].found != HD_UNFOLD_NOT_YET)
            continue;
        candidate.tried = known;
        hd_vec_push(&u->postponed, candidate);
    }
}

static void take_candidates(hd_unfold *u, const struct combined *combined) {
    for (size_t i = combined->from; i < combined->to; i++) {
        hd_unfold_candidate candidate = combined->by->agenda.data[i];
        uint32_t first = (uint32_t)u->wants.length;
        for (uint32_t k = 0; k < candidate.count; k++)
            hd_vec_push(&u->wants, combined->by->wants.data[candidate.wants + k]);
        candidate.wants = first;
        hd_vec_push(&u->agenda, candidate);
    }
}

void hd_explore_unfold_crew_combine(hd_unfold *u) {
    hd_unfold_crew *crew = u->crew;
    uint32_t count = (uint32_t)u->dirty.length;
    hd_vec_resize(&crew->combined, count);
    if (!count || !run_phase(u, COMBINES, 0, count))
        return;
    for (uint32_t i = 0; i < count; i++) {
        take_candidates(u, &crew->combined.data[i]);
        hd_explore_unfold_combined(u, u->dirty.data[i]);
    }
    hd_vec_clear(&u->dirty);
}

uint32_t hd_explore_unfold_crew_races(hd_unfold *u, const hd_unfold_races *races, uint32_t from,
                                      uint32_t rows, hd_unfold_meetings *to) {
    hd_unfold_crew *crew = u->crew;
    crew->races = races;
    if (!run_phase(u, RACES, from, rows))
        return from;
    for (size_t i = 0; i < crew->meetings.length; i++)
        hd_vec_push(to, crew->meetings.data[i]);
    hd_vec_clear(&crew->meetings);
    uint32_t next = atomic_load(&crew->next); /* what was taken is done */
    return next < rows ? next : rows;
}

/* ---- The tree ---- */

hd_unfold_waits *hd_explore_unfold_crew_waits(hd_unfold *u) {
    return &u->crew->waits;
}

void hd_explore_unfold_crew_give(hd_unfold *u, hd_unfold_part *part) {
    struct item *it = HD_NEW(struct item);
    it->part = part;
    hd_explore_give(u->search->crew, it);
}

/* ---- Everything together ---- */

static void *unfold_begin(hd_explore_search *search) {
    hd_unfold *u = search->own;
    struct member *own = HD_NEW(struct member);
    own->crew = u->crew;
    hd_explore_unfold_join(&own->u, u, search);
    own->u.blind = true;
    search->own = own;
    return own;
}

static void drop_item(void *it) {
    free(((struct item *)it)->part);
    free(it);
}

static void unfold_work(void *context, void *it) {
    struct member *own = context;
    hd_unfold_crew *crew = own->crew;
    if (!it) {
        crew->u->search = own->u.search;
        hd_explore_unfold_lead(crew->u);
        return;
    }
    if (((struct item *)it)->part) {
        hd_explore_unfold_see(&own->u, crew->u);
        hd_explore_unfold_tree_part(&own->u, &crew->waits, ((struct item *)it)->part);
    } else
        help(own);
    drop_item(it);
}

static void unfold_end(void *context) {
    struct member *own = context;
    hd_explore_unfold_leave(&own->u);
    free(own);
}

void hd_explore_unfold_crew(hd_explore_search *search, hd_unfold *u) {
    static const hd_explore_job job = {.together = true,
                                       .begin = unfold_begin,
                                       .work = unfold_work,
                                       .drop = drop_item,
                                       .end = unfold_end};
    hd_unfold_crew *crew = HD_NEW(hd_unfold_crew);
    crew->u = u;
    u->crew = crew;
    hd_explore_phase_init(&crew->phase);
    hd_explore_crew_run(search, &job);
    u->search = search;
    for (uint32_t i = 0; i < BATCH; i++)
        hd_explore_unfold_record_release(&crew->trials[i].record);
    hd_vec_release(&crew->combined);
    for (size_t i = 0; i < crew->meetings.length; i++)
        hd_vec_release(&crew->meetings.data[i].plan);
    hd_vec_release(&crew->meetings);
    hd_explore_unfold_waits_release(&crew->waits);
    hd_explore_phase_release(&crew->phase);
    free(crew);
    u->crew = NULL;
}
