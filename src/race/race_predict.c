#include "race_predict.h"

/* Accesses of one variable by a thread at a place, in the order of the trace. */
struct side {
    uint32_t thread, place;
    uint32_t start, count;             /* in the list of accesses */
    uint32_t first_class, class_count; /* among the classes, when these are made */
};

/* Of those, what the filters need not tell apart. */
struct alike {
    uint32_t held, traits;
    uint32_t start, count; /* in the list of events */
};

struct access {
    uint32_t thread, place, held, traits, event;
};

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

typedef struct prediction {
    const hd_order_space *space;
    const hd_race_options *options;
    hd_race_result *result;
    hd_race_push *push;
    hd_order_solver *solver;
    hd_order_query query;
    HD_VEC(struct access) accesses; /* of the variable at hand, by thread, place, event */
    HD_VEC(struct side) sides;
    hd_vec_u32 events; /* of the accesses, by class */
    HD_VEC(struct alike) classes;
    HD_VEC(struct group) groups;
    hd_map by_places;
    hd_vec_u32 schedule;
    uint32_t variable; /* the one at hand */
    bool left;         /* something of it is not settled by neighbours */
} prediction;

/* ---- One pair ---- */

static enum hd_order_answer ask_solver(prediction *p, uint32_t a, uint32_t b, uint64_t limit,
                                       bool straight) {
    assert(hd_order_event(p->space, a)->thread != hd_order_event(p->space, b)->thread);
    hd_order_query_clear(&p->query);
    hd_vec_push(&p->query.next, a);
    hd_vec_push(&p->query.next, b);
    p->query.limit = limit;
    p->query.straight = straight;
    enum hd_order_answer answer = hd_order_solve(p->solver, &p->query);
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
    p->result->races++;
    if (p->push->sink && !p->options->count_only) {
        hd_order_solver_schedule(p->solver, &p->schedule);
        hd_race_push_pair(p->push, HD_RACE_SHOWN, a, b, &p->schedule);
    }
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

static struct group *group_of(prediction *p, const struct side *a, const struct side *b) {
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
    return hd_order_solver_effort(p->solver)->work;
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
    return group->proved || is_spent(p, group) || hd_race_push_over(p->push);
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
static void try_neighbours(prediction *p, struct group *group, const struct access *a,
                           const struct access *b, bool straight, unsigned *tries) {
    if (!*tries || is_settled(p, group) || !may_race(p, a->traits, a->held, b->traits, b->held) ||
        !hd_race_both_next(p->space, a->event, b->event))
        return;
    --*tries;
    if (!straight)
        try_pair(p, group, a->event, b->event, SHARE);
    else if (ask_solver(p, a->event, b->event, 0, true) == HD_ORDER_FEASIBLE)
        prove_group(p, group, a->event, b->event);
}

/* Neighbours in the trace race most often, and mostly in its own order. */
static void try_sides(prediction *p, struct group *group, const struct side *a,
                      const struct side *b, bool straight) {
    assert(a->thread != b->thread && a->count && b->count);
    const struct access *one = p->accesses.data + a->start, *other = p->accesses.data + b->start;
    const struct access *one_end = one + a->count, *other_end = other + b->count;
    unsigned tries = straight ? STRAIGHT_TRIES : FIRST_TRIES;
    while (one < one_end && other < other_end && tries && !is_settled(p, group)) {
        try_neighbours(p, group, one, other, straight, &tries);
        if (one->event < other->event)
            one++;
        else
            other++;
    }
}

/* ---- Pairs of classes ---- */

static uint32_t event_of(const prediction *p, const struct alike *c, uint32_t i) {
    return p->events.data[c->start + i];
}

static void beside(const prediction *p, uint32_t a, const struct alike *b, uint32_t *from,
                   uint32_t *end) {
    hd_race_beside(p->space, a, p->events.data + b->start, b->count, from, end);
}

static void decide_every_pair(prediction *p, const struct alike *a, const struct alike *b) {
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t one = event_of(p, a, i), from, end;
        beside(p, one, b, &from, &end);
        for (uint32_t j = from; j < end; j++) {
            decide_pair(p, one, event_of(p, b, j));
            if (hd_race_push_over(p->push))
                return;
        }
    }
}

/* Neighbours in the trace first. */
static void try_near_pairs(prediction *p, struct group *group, const struct alike *a,
                           const struct alike *b) {
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

static void try_every_pair(prediction *p, struct group *group, const struct alike *a,
                           const struct alike *b) {
    for (uint32_t i = 0; i < a->count && !is_settled(p, group); i++) {
        uint32_t one = event_of(p, a, i), from, end;
        beside(p, one, b, &from, &end);
        for (uint32_t j = from; j < end && !is_settled(p, group); j++)
            try_pair(p, group, one, event_of(p, b, j), 1);
    }
}

static void try_classes(prediction *p, struct group *group, const struct alike *a,
                        const struct alike *b) {
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
static void decide_classes(prediction *p, struct group *group, const struct side *a,
                           const struct side *b) {
    const struct alike *one = p->classes.data + a->first_class;
    for (uint32_t i = 0; i < a->class_count; i++, one++) {
        const struct alike *other = p->classes.data + b->first_class;
        for (uint32_t j = 0; j < b->class_count && !hd_race_push_over(p->push); j++, other++) {
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

static int compare_numbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int compare_sides(const struct access *a, const struct access *b) {
    int order = compare_numbers(a->thread, b->thread);
    return order ? order : compare_numbers(a->place, b->place);
}

static int by_event(const void *x, const void *y) {
    int order = compare_sides(x, y);
    const struct access *a = x, *b = y;
    return order ? order : compare_numbers(a->event, b->event);
}

static int by_class(const void *x, const void *y) {
    int order = compare_sides(x, y);
    const struct access *a = x, *b = y;
    if (!order)
        order = compare_numbers(a->held, b->held);
    if (!order)
        order = compare_numbers(a->traits, b->traits);
    return order ? order : compare_numbers(a->event, b->event);
}

/* The accesses of a variable that count; false if it is one thread's, or never written. */
static bool gather_accesses(prediction *p, uint32_t variable) {
    const hd_trace_lists *accesses = &p->space->index->variables;
    const uint32_t *events = hd_trace_list(accesses, variable);
    uint32_t count = hd_trace_list_length(accesses, variable);
    bool shared = false, written = false;
    const heddle_event *first = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const heddle_event *e = hd_order_event(p->space, events[i]);
        if (hd_trace_is_exempt(e))
            continue;
        first = first ? first : e;
        shared |= e->thread != first->thread;
        written |= hd_trace_writes(e);
    }
    hd_vec_clear(&p->accesses);
    for (uint32_t i = 0; i < count && shared && written; i++) {
        const heddle_event *e = hd_order_event(p->space, events[i]);
        if (hd_trace_is_exempt(e))
            continue;
        hd_vec_push(&p->accesses,
                    (struct access){e->thread, hd_race_place(p->push, events[i]),
                                    hd_order_held_before(&p->space->order->held, events[i]),
                                    hd_trace_traits(e), events[i]});
    }
    return shared && written;
}

static void part_into_sides(prediction *p) {
    hd_vec_clear(&p->sides);
    qsort(p->accesses.data, p->accesses.length, sizeof *p->accesses.data, by_event);
    for (uint32_t i = 0; i < p->accesses.length; i++) {
        const struct access *a = &p->accesses.data[i];
        if (!i || compare_sides(a - 1, a))
            hd_vec_push(&p->sides, (struct side){a->thread, a->place, i, 0, 0, 0});
        hd_vec_last(&p->sides)->count++;
        assert(hd_vec_last(&p->sides)->start + hd_vec_last(&p->sides)->count == i + 1);
    }
    assert(p->sides.length > 1); /* of two threads at least */
}

/* The accesses are sorted anew; where a side starts stays. */
static void part_into_classes(prediction *p) {
    struct side *side = p->sides.data;
    hd_vec_clear(&p->classes);
    hd_vec_clear(&p->events);
    qsort(p->accesses.data, p->accesses.length, sizeof *p->accesses.data, by_class);
    for (uint32_t i = 0; i < p->accesses.length; i++) {
        const struct access *a = &p->accesses.data[i];
        hd_vec_push(&p->events, a->event);
        if (i == side->start + side->count)
            side++;
        assert(side < p->sides.data + p->sides.length && a->thread == side->thread &&
               a->place == side->place);
        if (i == side->start)
            side->first_class = (uint32_t)p->classes.length;
        if (i == side->start || a->held != a[-1].held || a->traits != a[-1].traits) {
            hd_vec_push(&p->classes, (struct alike){a->held, a->traits, i, 0});
            side->class_count++;
        }
        hd_vec_last(&p->classes)->count++;
    }
    assert(side + 1 == p->sides.data + p->sides.length);
    assert(p->classes.length >= p->sides.length && p->events.length == p->accesses.length);
}

/* Calls `decide` for each two sides of different threads. */
typedef void decide_sides(prediction *p, const struct side *a, const struct side *b);

static void for_sides(prediction *p, decide_sides *decide) {
    for (size_t i = 0; i < p->sides.length; i++)
        for (size_t j = i + 1; j < p->sides.length && !hd_race_push_over(p->push); j++)
            if (p->sides.data[i].thread != p->sides.data[j].thread)
                decide(p, &p->sides.data[i], &p->sides.data[j]);
}

static void decide_near(prediction *p, const struct side *a, const struct side *b) {
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

static void decide_left(prediction *p, const struct side *a, const struct side *b) {
    struct group *group = group_of(p, a, b);
    if (!is_settled(p, group))
        decide_classes(p, group, a, b);
}

static void decide_all(prediction *p, const struct side *a, const struct side *b) {
    decide_classes(p, NULL, a, b);
}

static void decide_variable(prediction *p, uint32_t variable) {
    p->variable = variable;
    if (!gather_accesses(p, variable))
        return;
    part_into_sides(p);
    p->left = p->options->all;
    if (!p->options->all)
        for_sides(p, decide_near);
    if (!p->left)
        return;
    part_into_classes(p);
    for_sides(p, p->options->all ? decide_all : decide_left);
}

static void push_open(prediction *p) {
    for (size_t i = 0; i < p->groups.length && !hd_race_push_over(p->push); i++) {
        const struct group *group = &p->groups.data[i];
        if (group->proved || !group->open)
            continue;
        assert(group->first && group->second);
        p->result->unproved++;
        hd_race_push_pair(p->push, HD_RACE_UNPROVED, group->first, group->second, NULL);
    }
}

void hd_race_predict(const hd_order_space *space, const hd_race_options *options,
                     hd_race_result *result, hd_race_push *push) {
    prediction p = {.space = space, .options = options, .result = result, .push = push};
    p.solver = hd_order_solver_create(space);
    for (uint32_t v = 0; v < space->index->variables.count && !hd_race_push_over(push); v++)
        decide_variable(&p, v);
    push_open(&p);
    result->effort = *hd_order_solver_effort(p.solver);
    hd_order_solver_free(p.solver);
    hd_order_query_release(&p.query);
    hd_vec_release(&p.accesses);
    hd_vec_release(&p.sides);
    hd_vec_release(&p.events);
    hd_vec_release(&p.classes);
    hd_vec_release(&p.groups);
    hd_vec_release(&p.schedule);
    hd_map_release(&p.by_places);
}
