#include "race_predict.h"

#include <stdlib.h>

#include "race_foresee.h"
#include "race_sides.h"

/* A pair of places. */
struct group {
    uint32_t first, second; /* the last pair that was not decided */
    uint64_t work;
    uint32_t passed; /* the variable + 1 of a proof that was not told, so others may have one */
    bool proved, open;
};

/* What one asking of a pair costs apart from the solver's own work; how many neighbours of
 * two sides are asked about in the trace's own order, and in any; the part of what is left
 * of a limit that is for one of them. */
enum { ASKING = 10000, STRAIGHT_TRIES = 8, FIRST_TRIES = 4, SHARE = 16 };

/* With fewer events one worker is done before others have begun. */
enum { FEW_EVENTS = 1000 };

typedef struct prediction {
    const hd_order_space *space;
    const hd_race_options *options;
    hd_race_result *result;
    hd_race_push *push;
    hd_race_asker asker;
    hd_race_sides of; /* the variable at hand */
    HD_VEC(struct group) groups;
    hd_map by_places;
    hd_vec_u32 schedule;
    uint32_t variable; /* the one at hand */
    bool left;         /* something of it is not settled by neighbours */
    uint64_t piece;    /* of one that looks ahead: which, + 1, */
    uint64_t hurried;  /* and which is waited for; atomic */
} prediction;

static bool is_over(const prediction *p) {
    return hd_race_push_over(p->push) ||
           (p->piece && __atomic_load_n(&p->hurried, __ATOMIC_RELAXED) == p->piece);
}

/* ---- One pair ---- */

static enum hd_order_answer ask_solver(prediction *p, uint32_t a, uint32_t b, uint64_t limit,
                                       bool straight) {
    assert(hd_order_event(p->space, a)->thread != hd_order_event(p->space, b)->thread);
    const uint32_t both[] = {a, b};
    hd_race_question question = {both, 2, limit, straight};
    enum hd_order_answer answer = hd_race_ask(&p->asker, question);
    p->result->candidates += !straight || answer == HD_ORDER_FEASIBLE;
    return answer;
}

/* True: it is not told, but others at the same places may be. */
static bool prove_pair(prediction *p, uint32_t a, uint32_t b) {
    const heddle_event *e = hd_order_event(p->space, a), *f = hd_order_event(p->space, b);
    assert(e->object == f->object && (hd_trace_writes(e) || hd_trace_writes(f)));
    assert(hd_trace_may_race(e, f));
    /* Both can be next, so no lock can be held for both. */
    assert(!hd_order_sets_conflict(&p->space->order->held.sets,
                                   hd_order_held_before(&p->space->order->held, a),
                                   hd_order_held_before(&p->space->order->held, b)));
    (void)e;
    (void)f;
    bool told = p->push->sink && !p->options->count_only;
    if (told && !hd_race_ask_schedule(&p->asker, &p->schedule))
        return false;
    p->result->races++;
    if (told)
        hd_race_push_pair(p->push, HD_RACE_SHOWN, a, b, &p->schedule);
    return hd_race_note_proved(p->push, a, b);
}

static void decide_pair(prediction *p, uint32_t a, uint32_t b) {
    enum hd_order_answer answer = ask_solver(p, a, b, p->options->limit, false);
    if (answer == HD_ORDER_FEASIBLE)
        prove_pair(p, a, b);
    else if (answer == HD_ORDER_UNKNOWN) {
        p->result->unproved++;
        hd_race_push_pair(p->push, HD_RACE_UNPROVED, a, b, NULL);
    }
}

/* ---- Pairs of places ---- */

static struct group *group_of(prediction *p, const struct hd_race_side *a,
                              const struct hd_race_side *b) {
    bool added;
    assert(a->thread != b->thread);
    uint32_t *at = hd_map_at(&p->by_places, hd_race_pair_key(a->place, b->place), &added);
    if (added) {
        *at = (uint32_t)p->groups.length;
        hd_vec_push(&p->groups, (struct group){0});
    }
    assert(*at < p->groups.length);
    struct group *group = &p->groups.data[*at];
    if (group->passed && group->passed != p->variable + 1)
        *group = (struct group){0};
    return group;
}

static bool is_spent(const prediction *p, const struct group *group) {
    return p->options->limit && group->work >= p->options->limit;
}

static uint64_t work_so_far(const prediction *p) {
    return p->asker.effort.work;
}

static void prove_group(prediction *p, struct group *group, uint32_t a, uint32_t b) {
    assert(!group->proved);
    group->proved = true;
    if (prove_pair(p, a, b))
        group->passed = p->variable + 1;
}

/* One try at a pair of places; `share` is the part of its limit for this try. */
static void try_pair(prediction *p, struct group *group, uint32_t a, uint32_t b, unsigned share) {
    assert(!group->proved && !is_spent(p, group));
    uint64_t left = p->options->limit ? p->options->limit - group->work : 0;
    uint64_t limit = share && left >= share ? left / share : left;
    uint64_t before = work_so_far(p);
    enum hd_order_answer answer = ask_solver(p, a, b, limit, false);
    group->work += work_so_far(p) - before + ASKING;
    if (answer == HD_ORDER_FEASIBLE) {
        prove_group(p, group, a, b);
    } else if (answer == HD_ORDER_UNKNOWN || is_spent(p, group)) {
        group->open = true;
        group->first = a;
        group->second = b;
    }
}

static bool is_settled(const prediction *p, const struct group *group) {
    return group->proved || is_spent(p, group) || is_over(p);
}

/* ---- Neighbours ---- */

/* F1 and F3; the threads differ. */
static bool may_race(const prediction *p, uint32_t traits, uint32_t held, uint32_t other_traits,
                     uint32_t other_held) {
    return ((traits | other_traits) & HEDDLE_T_WRITES) &&
           !(traits & other_traits & HEDDLE_T_ATOMIC) &&
           !hd_order_sets_conflict(&p->space->order->held.sets, held, other_held);
}

/* Two accesses of two sides with none of either between them. */
struct neighbours {
    const struct hd_race_access *one, *one_end, *other, *other_end;
};

static bool has_neighbours(const struct neighbours *n) {
    return n->one < n->one_end && n->other < n->other_end;
}

/* On to the next two in the order of the trace. */
static void pass_neighbours(struct neighbours *n) {
    if (n->one->event < n->other->event)
        n->one++;
    else
        n->other++;
}

static bool neighbours_may_race(const prediction *p, const struct neighbours *n) {
    const struct hd_race_access *a = n->one, *b = n->other;
    return may_race(p, a->traits, a->held, b->traits, b->held) &&
           hd_race_both_next(p->space, a->event, b->event);
}

/* Passes those that cannot race, unless that takes long: then the time is looked at first. */
static bool find_neighbours(const prediction *p, struct neighbours *n) {
    enum { MANY = 256 };
    for (unsigned passed = 0; passed < MANY && has_neighbours(n); passed++) {
        if (neighbours_may_race(p, n))
            return true;
        pass_neighbours(n);
    }
    return false;
}

/* Neighbours in the trace race most often, and mostly in its own order. */
static void try_sides(prediction *p, struct group *group, const struct hd_race_side *a,
                      const struct hd_race_side *b, bool straight) {
    assert(a->thread != b->thread && a->count && b->count);
    const struct hd_race_access *one = p->of.accesses.data + a->start,
                                *other = p->of.accesses.data + b->start;
    struct neighbours n = {one, one + a->count, other, other + b->count};
    unsigned tries = straight ? STRAIGHT_TRIES : FIRST_TRIES;
    while (has_neighbours(&n) && tries && !is_settled(p, group)) {
        if (!find_neighbours(p, &n))
            continue;
        tries--;
        if (!straight)
            try_pair(p, group, n.one->event, n.other->event, SHARE);
        else if (ask_solver(p, n.one->event, n.other->event, 0, true) == HD_ORDER_FEASIBLE)
            prove_group(p, group, n.one->event, n.other->event);
        pass_neighbours(&n);
    }
}

/* ---- Pairs of classes ---- */

static uint32_t event_of(const prediction *p, const struct hd_race_alike *c, uint32_t i) {
    return p->of.events.data[c->start + i];
}

static void beside(const prediction *p, uint32_t a, const struct hd_race_alike *b, uint32_t *from,
                   uint32_t *end) {
    hd_race_beside(p->space, a, p->of.events.data + b->start, b->count, from, end);
}

static void decide_every_pair(prediction *p, const struct hd_race_alike *a,
                              const struct hd_race_alike *b) {
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t one = event_of(p, a, i), from, end;
        beside(p, one, b, &from, &end);
        for (uint32_t j = from; j < end; j++) {
            decide_pair(p, one, event_of(p, b, j));
            if (is_over(p))
                return;
        }
    }
}

/* Neighbours in the trace first. */
static void try_near_pairs(prediction *p, struct group *group, const struct hd_race_alike *a,
                           const struct hd_race_alike *b) {
    for (uint32_t i = 0, j = 0; i < a->count && !is_settled(p, group); i++) {
        uint32_t one = event_of(p, a, i), from, end;
        beside(p, one, b, &from, &end);
        while (j < b->count && event_of(p, b, j) < one)
            j++;
        if (j > from && j <= end)
            try_pair(p, group, one, event_of(p, b, j - 1), SHARE);
        if (j >= from && j < end && !is_settled(p, group))
            try_pair(p, group, one, event_of(p, b, j), SHARE);
    }
}

static void try_every_pair(prediction *p, struct group *group, const struct hd_race_alike *a,
                           const struct hd_race_alike *b) {
    for (uint32_t i = 0; i < a->count && !is_settled(p, group); i++) {
        uint32_t one = event_of(p, a, i), from, end;
        beside(p, one, b, &from, &end);
        for (uint32_t j = from; j < end && !is_settled(p, group); j++)
            try_pair(p, group, one, event_of(p, b, j), 1);
    }
}

static void try_classes(prediction *p, struct group *group, const struct hd_race_alike *a,
                        const struct hd_race_alike *b) {
    bool was_open = group->open;
    if (is_settled(p, group))
        return;
    group->open = false;
    try_near_pairs(p, group, a, b);
    if (is_settled(p, group))
        return;
    group->open = false; /* all are asked again, with what is left of the limit */
    try_every_pair(p, group, a, b);
    group->open |= was_open;
}

/* The classes of two sides; group is NULL where every pair is asked for. */
static void decide_classes(prediction *p, struct group *group, const struct hd_race_side *a,
                           const struct hd_race_side *b) {
    const struct hd_race_alike *one = p->of.classes.data + a->first_class;
    for (uint32_t i = 0; i < a->class_count; i++, one++) {
        const struct hd_race_alike *other = p->of.classes.data + b->first_class;
        for (uint32_t j = 0; j < b->class_count && !is_over(p); j++, other++) {
            if (!may_race(p, one->traits, one->held, other->traits, other->held))
                continue;
            if (group)
                try_classes(p, group, one, other);
            else
                decide_every_pair(p, one, other);
        }
    }
}

/* ---- Variables ---- */

/* Calls `decide` for each two sides of different threads that no lock keeps apart. */
typedef void decide_sides(prediction *p, const struct hd_race_side *a,
                          const struct hd_race_side *b);

static void for_sides(prediction *p, decide_sides *decide) {
    const struct hd_race_side *sides = p->of.sides.data;
    for (size_t i = 0; i < p->of.sides.length; i++)
        for (size_t j = i + 1; j < p->of.sides.length && !is_over(p); j++)
            if (sides[i].thread != sides[j].thread &&
                !hd_race_sides_guarded(&p->of, &sides[i], &sides[j]))
                decide(p, &sides[i], &sides[j]);
}

static void decide_near(prediction *p, const struct hd_race_side *a, const struct hd_race_side *b) {
    struct group *group = group_of(p, a, b);
    bool was_open = group->open;
    if (!is_settled(p, group))
        try_sides(p, group, a, b, true);
    if (!is_settled(p, group))
        try_sides(p, group, a, b, false);
    if (is_settled(p, group))
        return;
    p->left = true; /* then all are asked again, with what is left of the limit */
    group->open = was_open;
}

static void decide_left(prediction *p, const struct hd_race_side *a, const struct hd_race_side *b) {
    struct group *group = group_of(p, a, b);
    if (!is_settled(p, group))
        decide_classes(p, group, a, b);
}

static void decide_all(prediction *p, const struct hd_race_side *a, const struct hd_race_side *b) {
    decide_classes(p, NULL, a, b);
}

static void decide_variable(prediction *p, uint32_t variable) {
    p->variable = variable;
    if (!hd_race_sides_gather(&p->of, p->space, p->push, variable))
        return;
    p->left = p->options->all;
    if (!p->options->all)
        for_sides(p, decide_near);
    if (!p->left)
        return;
    hd_race_sides_classes(&p->of);
    for_sides(p, p->options->all ? decide_all : decide_left);
}

static void push_open(prediction *p) {
    for (size_t i = 0; i < p->groups.length && !is_over(p); i++) {
        const struct group *group = &p->groups.data[i];
        if (group->proved || !group->open)
            continue;
        assert(group->first && group->second);
        p->result->unproved++;
        hd_race_push_pair(p->push, HD_RACE_UNPROVED, group->first, group->second, NULL);
    }
}

static void init(prediction *p, const hd_order_space *space, const hd_race_options *options,
                 hd_race_result *result, hd_race_push *push) {
    *p = (prediction){.space = space, .options = options, .result = result, .push = push};
    hd_race_asker_init(&p->asker, space);
}

static void release(prediction *p) {
    hd_race_asker_release(&p->asker);
    hd_race_sides_release(&p->of);
    hd_vec_release(&p->groups);
    hd_vec_release(&p->schedule);
    hd_map_release(&p->by_places);
}

/* ---- Several workers ---- */

/* One that looks ahead.  It tells nothing, and where it is wrong about what was proved, the answers
 * that it keeps are not asked for, or too few. */
typedef struct scout {
    prediction p;
    hd_race_result result;
    hd_race_push push;
} scout;

typedef struct together {
    prediction *p;   /* that decides */
    uint32_t from;   /* the first variable */
    hd_vec_u32 ends; /* [piece]: the variable after its last */
    scout *scouts;
} together;

static hd_race_piece *new_piece(const together *t, uint64_t number) {
    return hd_race_piece_new(number ? t->ends.data[number - 1] : t->from, t->ends.data[number]);
}

static void *look_ahead(void *context, unsigned worker, uint64_t number) {
    together *t = context;
    scout *s = &t->scouts[worker];
    hd_race_piece *it = new_piece(t, number);
    s->p.asker.notes = &it->foresight;
    s->p.piece = number + 1;
    for (uint32_t v = it->from; v < it->end && !is_over(&s->p); v++)
        decide_variable(&s->p, v);
    return it;
}

/* The one that decides goes on with what is known so far: so what is found is told at once, and
 * there when the time is over. */
static void hurry_piece(void *context, unsigned worker, uint64_t number) {
    together *t = context;
    __atomic_store_n(&t->scouts[worker].p.hurried, number + 1, __ATOMIC_RELAXED);
}

static bool decide_piece(void *context, void *done) {
    together *t = context;
    hd_race_piece *it = done;
    t->p->asker.known = &it->foresight;
    for (uint32_t v = it->from; v < it->end && !is_over(t->p); v++)
        decide_variable(t->p, v);
    t->p->asker.known = NULL;
    hd_race_piece_drop(context, done);
    return !is_over(t->p);
}

static void *unpack_piece(void *context, uint64_t number, hd_bytes *from) {
    const together *t = context;
    hd_race_piece *it = new_piece(t, number);
    hd_race_foresight_get(&it->foresight, (uint32_t)hd_trace_length(t->p->space->trace), from);
    return it;
}

/* So that a piece is worth handing over. */
static void part_variables(together *t) {
    enum { ACCESSES = 256 };
    const hd_trace_lists *accesses = &t->p->space->index->variables;
    uint32_t count = 0;
    for (uint32_t v = t->from; v < accesses->count; v++) {
        count += hd_trace_list_length(accesses, v);
        if (count < ACCESSES && v + 1 < accesses->count)
            continue;
        hd_vec_push(&t->ends, v + 1);
        count = 0;
    }
}

static void decide_together(prediction *p, uint32_t from, unsigned workers) {
    together t = {.p = p, .from = from};
    hd_race_options quiet = *p->options;
    quiet.count_only = true;
    part_variables(&t);
    t.scouts = HD_NEW_ARRAY(scout, workers);
    for (unsigned i = 0; i < workers; i++) {
        scout *s = &t.scouts[i];
        s->push = (hd_race_push){.trace = p->push->trace, .all = p->push->all};
        init(&s->p, p->space, &quiet, &s->result, &s->push);
    }
    hd_turns turns = {.context = &t,
                      .pieces = t.ends.length,
                      .work = look_ahead,
                      .enter = decide_piece,
                      .drop = hd_race_piece_drop,
                      .hurry = hurry_piece,
                      .pack = hd_race_piece_pack,
                      .unpack = unpack_piece};
    hd_turns_run(&turns, workers);
    for (unsigned i = 0; i < workers; i++) {
        release(&t.scouts[i].p);
        hd_race_push_release(&t.scouts[i].push);
    }
    free(t.scouts);
    hd_vec_release(&t.ends);
}

/* What others do ahead is what the solver does.  All else is done again here, and of a trace in
 * which little is asked that is most. */
static bool pays_together(const prediction *p) {
    uint32_t length = hd_trace_length(p->space->trace);
    if (hd_turns_crew_now())
        return length >= FEW_EVENTS;
    return p->options->workers > 1 && length >= FEW_EVENTS && work_so_far(p) > length;
}

void hd_race_predict(const hd_order_space *space, const hd_race_options *options,
                     hd_race_result *result, hd_race_push *push) {
    prediction p;
    init(&p, space, options, result, push);
    uint32_t v = 0, count = space->index->variables.count;
    while (v < count && !is_over(&p) && !pays_together(&p))
        decide_variable(&p, v++);
    if (v < count && !is_over(&p))
        decide_together(&p, v, options->workers ? options->workers : 1);
    push_open(&p);
    result->effort = p.asker.effort;
    release(&p);
}
