#include "race_blocks.h"

#include <stdio.h>
#include <string.h>

#include "race_blocks_pairs.h"
#include "race_blocks_parts.h"

/* What one asking costs apart from the solver's own work; the part of what is left of a limit
 * that is for one of the first tries. */
enum { ASKING = 10000, SHARE = 16 };

/* Three places, or four. */
struct group {
    uint32_t first, between, second, back; /* the last ones that were not decided */
    uint64_t work;
    uint64_t passed; /* the turn of a proof that was not told, so others may have one */
    bool proved, open;
};

typedef struct search {
    const hd_order_space *space;
    const hd_race_options *options;
    hd_race_result *result;
    hd_race_push *push;
    hd_race_parts parts;
    hd_order_solver *solver;
    hd_order_query query;
    HD_VEC(struct group) groups;
    hd_map pairs;     /* two places, or events if all are asked for -> a number */
    hd_map by_places; /* that number, and a third or the number of two others -> group */
    uint32_t pair_count;
    hd_map told_from, told_back; /* of one variable: places, or events, of the first access and the
                                    one between, of that and the second -> 1 */
    uint32_t variable;           /* the one at hand; of two, that of the first access */
    uint64_t turn;               /* counts variables, and pairs of two */
} search;

/* Some spans and comers that are alike. */
typedef struct likes {
    const struct hd_race_span *spans;
    const struct hd_race_comer *comers;
    uint32_t span_count, comer_count;
} likes;

/* What is asked about: the comer's `back` is 0 if it is about one variable. */
typedef struct candidate {
    uint32_t first, between, second, back;
    bool reads; /* it reads between */
} candidate;

static candidate candidate_of(const struct hd_race_span *span, const struct hd_race_comer *comer) {
    return (candidate){span->first, comer->event, span->second, comer->back,
                       span->between == HD_RACE_READ};
}

static bool is_over(const search *s) {
    return hd_race_push_over(s->push);
}

/* ---- One candidate ---- */

static enum hd_order_answer ask(search *s, const candidate *c, uint64_t limit) {
    hd_order_query *query = &s->query;
    hd_order_query_clear(query);
    hd_vec_push(&query->in, c->first);
    query->ends_with = !c->back;
    query->of = s->variable;
    query->limit = limit;
    if (c->reads) {
        hd_vec_push(&query->next, c->between);
        hd_vec_push(&query->out, c->second);
        query->last = c->first;
    } else {
        hd_vec_push(&query->in, c->between);
        hd_vec_push(&query->next, c->second);
        hd_vec_push(&query->edges, (uint64_t)c->first << 32 | c->between);
        query->last = c->between;
    }
    if (c->back)
        hd_vec_push(&query->in, c->back);
    s->result->candidates++;
    return hd_order_solve(s->solver, query);
}

/* ---- Words ---- */

static const char *because_of(const search *s, const candidate *c) {
    const heddle_event *first = hd_order_event(s->space, c->first);
    const heddle_event *second = hd_order_event(s->space, c->second);
    if (c->back)
        return "the block must come before the first of the other thread's accesses, and after the "
               "second";
    if (c->reads)
        return "another thread reads a value that the block replaces later";
    if (!hd_trace_reads(second))
        return "the block replaces a write that it has not seen: a lost update";
    if (!hd_trace_writes(first))
        return "two reads of the block see different writes";
    return "the block reads what another thread wrote, not what it wrote itself";
}

static const char *name_of(const hd_trace *trace, uint32_t event) {
    return hd_trace_object_name(&trace->tables, hd_trace_event(trace, event));
}

static char *message_of(const hd_trace *trace, const hd_finding *finding) {
    const uint32_t *events = finding->events.data;
    const char *name = name_of(trace, finding->block);
    char text[640];
    int length = snprintf(text, sizeof text, "block%s%.150s is not serializable: event",
                          *name ? " " : "", name);
    if (finding->events.length > 3)
        snprintf(text + length, sizeof text - (size_t)length,
                 "s %u and %u can come between events %u and %u on %.150s and %.150s", events[1],
                 events[3], events[0], events[2], finding->variable, name_of(trace, events[2]));
    else
        snprintf(text + length, sizeof text - (size_t)length,
                 " %u can come between events %u and %u on %.200s", events[1], events[0], events[2],
                 finding->variable);
    return hd_mem_string(text, strlen(text));
}

/* Tells of it; the schedule is the solver's, if it is shown. */
static void push_it(search *s, const candidate *c, bool shown) {
    const hd_trace *trace = s->push->trace;
    const char *rule = shown ? HD_RACE_ATOMICITY : HD_RACE_ATOMICITY "-unproved";
    uint32_t events[4] = {c->first, c->between, c->second, c->back};
    size_t count = c->back ? 4 : 3;
    if (!s->push->sink || (shown && s->options->count_only))
        return;
    hd_finding finding;
    hd_finding_init(&finding, HD_FINDING_BLOCK, rule);
    finding.unproved = !shown;
    finding.block = hd_race_parts_begin(&s->parts, c->first, c->second);
    finding.because = shown ? because_of(s, c) : NULL;
    const char *variable = name_of(trace, c->between);
    finding.variable = hd_mem_string(variable, strlen(variable));
    finding.location = hd_race_place_text(trace, c->second);
    finding.fingerprint = hd_race_fingerprint(trace, rule, events, count);
    for (size_t i = 0; i < count; i++)
        hd_vec_push(&finding.events, events[i]);
    finding.message = message_of(trace, &finding);
    if (shown) {
        hd_vec_u32 schedule = {0};
        hd_order_solver_schedule(s->solver, &schedule);
        hd_race_attach(&finding, "race",
                       (hd_witness_claim){.kind = HD_WITNESS_ATOMICITY,
                                          .first = c->first,
                                          .between = c->between,
                                          .second = c->second,
                                          .back = c->back},
                       &schedule);
    }
    hd_race_push_finding(s->push, &finding);
}

/* ---- One defect is one finding ---- */

static uint64_t told_key(search *s, uint32_t a, uint32_t b) {
    return s->options->all ? (uint64_t)a << 32 | b
                           : (uint64_t)hd_race_place(s->push, a) << 32 | hd_race_place(s->push, b);
}

static void note_told(search *s, const candidate *c) {
    bool added;
    if (c->back || s->push->dropped)
        return;
    *hd_map_at(&s->told_from, told_key(s, c->first, c->between), &added) = 1;
    *hd_map_at(&s->told_back, told_key(s, c->between, c->second), &added) = 1;
}

/* Is it of two variables, and a finding of one has already the two accesses of either? */
static bool is_covered(search *s, const candidate *c) {
    return c->back && (hd_map_find(&s->told_from, told_key(s, c->first, c->between)) ||
                       hd_map_find(&s->told_back, told_key(s, c->back, c->second)));
}

/* True: it is not told, but others at the same places may be. */
static bool prove(search *s, const candidate *c) {
    s->push->dropped = false;
    s->result->races++;
    push_it(s, c, true);
    note_told(s, c);
    bool dropped = s->push->dropped && !s->options->all;
    s->push->dropped = false;
    return dropped;
}

/* Of one that reads and writes both questions are asked, but it is told once. */
static bool is_told(search *s, const candidate *c, bool tell) {
    const heddle_event *e = hd_order_event(s->space, c->between);
    if (c->back || !hd_trace_reads(e) || !hd_trace_writes(e))
        return false;
    bool added;
    uint32_t *pair = hd_map_at(&s->pairs, (uint64_t)c->first << 32 | c->second, &added);
    if (added)
        *pair = s->pair_count++;
    uint64_t key = (uint64_t)*pair << 32 | c->between;
    bool told = hd_map_find(&s->by_places, key) != NULL;
    if (tell)
        *hd_map_at(&s->by_places, key, &added) = 1;
    return told;
}

static void decide(search *s, const candidate *c) {
    if (is_told(s, c, false) || is_covered(s, c))
        return;
    enum hd_order_answer answer = ask(s, c, s->options->limit);
    if (answer != HD_ORDER_INFEASIBLE)
        is_told(s, c, true);
    if (answer == HD_ORDER_FEASIBLE)
        prove(s, c);
    else if (answer == HD_ORDER_UNKNOWN) {
        s->result->unproved++;
        push_it(s, c, false);
    }
}

/* ---- Places ---- */

static uint32_t pair_of(search *s, uint32_t a, uint32_t b) {
    bool added;
    uint32_t *pair = hd_map_at(&s->pairs, (uint64_t)a << 32 | b, &added);
    if (added)
        *pair = s->pair_count++;
    return *pair;
}

static struct group *group_of(search *s, const likes *l) {
    const struct hd_race_span *span = l->spans;
    const struct hd_race_comer *comer = l->comers;
    bool added;
    uint32_t between = comer->back ? pair_of(s, comer->place, comer->back_place) : comer->place;
    uint32_t block = pair_of(s, span->first_place, span->second_place);
    uint32_t *at = hd_map_at(&s->by_places, (uint64_t)block << 32 | between, &added);
    if (added) {
        candidate c = candidate_of(span, comer);
        *at = (uint32_t)s->groups.length;
        hd_vec_push(&s->groups, (struct group){.proved = is_covered(s, &c)});
    }
    struct group *group = &s->groups.data[*at];
    if (group->passed && group->passed != s->turn)
        *group = (struct group){0};
    return group;
}

static bool is_settled(const search *s, const struct group *group) {
    return group->proved || (s->options->limit && group->work >= s->options->limit) || is_over(s);
}

static void try_one(search *s, struct group *group, const candidate *c, unsigned share) {
    uint64_t left = s->options->limit ? s->options->limit - group->work : 0;
    uint64_t limit = left >= share ? left / share : left;
    uint64_t before = hd_order_solver_effort(s->solver)->work;
    enum hd_order_answer answer = ask(s, c, limit);
    group->work += hd_order_solver_effort(s->solver)->work - before + ASKING;
    if (answer == HD_ORDER_FEASIBLE) {
        group->proved = true;
        if (prove(s, c))
            group->passed = s->turn;
    } else if (answer == HD_ORDER_UNKNOWN || is_settled(s, group)) {
        group->open = true;
        group->first = c->first;
        group->between = c->between;
        group->second = c->second;
        group->back = c->back;
    }
}

/* ---- Candidates that are alike ---- */

/* How many of the comers are before this event. */
static uint32_t comers_below(const likes *l, uint32_t limit) {
    uint32_t low = 0, high = l->comer_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (l->comers[middle].event < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The same by what comes last. */
static uint32_t backs_below(const likes *l, uint32_t limit) {
    uint32_t low = 0, high = l->comer_count;
    if (!l->comers->back)
        return comers_below(l, limit);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (l->comers[middle].back < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* B1: the comers from *from to before *end; none if that is not after. */
static void beside(const search *s, const likes *l, const struct hd_race_span *span, uint32_t *from,
                   uint32_t *end) {
    uint32_t thread = l->comers->thread, length = hd_order_space_length(s->space, thread);
    uint32_t needed = hd_order_clocks_at(&s->space->need, span->first, thread);
    uint32_t most =
        hd_order_clocks_at(&s->space->free, span->second, thread) + (span->between == HD_RACE_READ);
    *from = comers_below(l, hd_order_limit_of(s->space, thread, needed));
    *end = backs_below(l, hd_order_limit_of(s->space, thread, most < length ? most : length));
}

static void decide_every(search *s, const likes *l) {
    for (uint32_t i = 0; i < l->span_count; i++) {
        uint32_t from, end;
        beside(s, l, &l->spans[i], &from, &end);
        for (uint32_t j = from; j < end && !is_over(s); j++) {
            candidate c = candidate_of(&l->spans[i], &l->comers[j]);
            decide(s, &c);
        }
    }
}

static void try_at(search *s, struct group *group, const likes *l, uint32_t span, uint32_t comer,
                   unsigned share) {
    candidate c = candidate_of(&l->spans[span], &l->comers[comer]);
    try_one(s, group, &c, share);
}

/* Neighbours in the trace first. */
static void try_near(search *s, struct group *group, const likes *l) {
    for (uint32_t i = 0; i < l->span_count && !is_settled(s, group); i++) {
        uint32_t from, end, at = comers_below(l, l->spans[i].second);
        beside(s, l, &l->spans[i], &from, &end);
        if (at > from && at <= end)
            try_at(s, group, l, i, at - 1, SHARE);
        if (at >= from && at < end && !is_settled(s, group))
            try_at(s, group, l, i, at, SHARE);
    }
}

static void try_every(search *s, struct group *group, const likes *l) {
    for (uint32_t i = 0; i < l->span_count && !is_settled(s, group); i++) {
        uint32_t from, end;
        beside(s, l, &l->spans[i], &from, &end);
        for (uint32_t j = from; j < end && !is_settled(s, group); j++)
            try_at(s, group, l, i, j, 1);
    }
}

static void decide_likes(search *s, const likes *l) {
    if (l->spans->thread == l->comers->thread || l->spans->between != l->comers->between ||
        hd_order_sets_conflict(s->parts.sets, l->spans->cover, l->comers->held) ||
        (l->comers->back &&
         hd_order_sets_conflict(s->parts.sets, l->spans->cover, l->comers->back_held)))
        return;
    if (s->options->all) {
        decide_every(s, l);
        return;
    }
    struct group *group = group_of(s, l);
    bool was_open = group->open;
    if (is_settled(s, group))
        return;
    group->open = false;
    try_near(s, group, l);
    if (is_settled(s, group))
        return;
    group->open = false; /* all are asked again, with what is left of the limit */
    try_every(s, group, l);
    group->open |= was_open;
}

/* ---- Variables ---- */

static uint32_t alike_spans(const hd_race_parts *parts, size_t from, size_t last) {
    const struct hd_race_span *spans = parts->spans.data, *a = &spans[from];
    size_t end = from + 1;
    while (end < last && spans[end].thread == a->thread &&
           spans[end].first_place == a->first_place && spans[end].second_place == a->second_place &&
           spans[end].cover == a->cover && spans[end].between == a->between)
        end++;
    return (uint32_t)(end - from);
}

static uint32_t alike_comers(const hd_race_parts *parts, size_t from) {
    const struct hd_race_comer *comers = parts->comers.data, *a = &comers[from];
    size_t end = from + 1;
    while (end < parts->comers.length && comers[end].thread == a->thread &&
           comers[end].place == a->place && comers[end].held == a->held &&
           comers[end].between == a->between && comers[end].back_place == a->back_place &&
           comers[end].back_held == a->back_held)
        end++;
    return (uint32_t)(end - from);
}

/* These spans, with all comers. */
static void decide_spans(search *s, size_t from, size_t end) {
    const hd_race_parts *parts = &s->parts;
    likes l;
    for (size_t i = from; i < end; i += l.span_count) {
        l.spans = parts->spans.data + i;
        l.span_count = alike_spans(parts, i, end);
        for (size_t j = 0; j < parts->comers.length && !is_over(s); j += l.comer_count) {
            l.comers = parts->comers.data + j;
            l.comer_count = alike_comers(parts, j);
            decide_likes(s, &l);
        }
    }
}

static void decide_variable(search *s, uint32_t variable) {
    s->variable = variable;
    s->turn++;
    if (hd_race_parts_gather(&s->parts, s->push, variable))
        decide_spans(s, 0, s->parts.spans.length);
}

/* The variable, and each other one that a block accesses after it. */
static void decide_two(search *s, hd_race_pairs *pairs, uint32_t variable) {
    const struct hd_race_span *spans;
    s->variable = variable;
    if (!hd_race_pairs_spans(pairs, variable))
        return;
    for (size_t i = 0, end; i < s->parts.spans.length && !is_over(s); i = end) {
        spans = s->parts.spans.data;
        for (end = i + 1; end < s->parts.spans.length && spans[end].variable == spans[i].variable;)
            end++;
        s->turn++;
        hd_race_pairs_comers(pairs, variable, spans + i, end - i);
        decide_spans(s, i, end);
    }
}

static void push_open(search *s) {
    for (size_t i = 0; i < s->groups.length && !is_over(s); i++) {
        const struct group *group = &s->groups.data[i];
        if (group->proved || !group->open)
            continue;
        s->result->unproved++;
        candidate c = {group->first, group->between, group->second, group->back, false};
        push_it(s, &c, false);
    }
}

static void forget_groups(search *s) {
    hd_vec_release(&s->groups);
    hd_map_release(&s->pairs);
    hd_map_release(&s->by_places);
    s->pair_count = 0;
}

static void search_one(search *s) {
    for (uint32_t v = 0; v < s->space->index->variables.count && !is_over(s); v++)
        decide_variable(s, v);
    push_open(s);
    forget_groups(s);
}

static void search_two(search *s) {
    hd_race_pairs pairs;
    hd_race_pairs_init(&pairs, &s->parts, s->push);
    for (uint32_t v = 0; v < s->space->index->variables.count && !is_over(s); v++)
        decide_two(s, &pairs, v);
    push_open(s);
    forget_groups(s);
    hd_race_pairs_release(&pairs);
}

void hd_race_blocks(const hd_order_space *space, const hd_race_options *options,
                    hd_race_result *result, hd_race_push *push) {
    search s = {.space = space, .options = options, .result = result, .push = push};
    if (hd_race_parts_init(&s.parts, space)) {
        result->blocks = s.parts.blocks.length;
        s.solver = hd_order_solver_create(space);
        search_one(&s);
        if (s.parts.blocks.length && !is_over(&s))
            search_two(&s);
        result->effort = *hd_order_solver_effort(s.solver);
        hd_order_solver_free(s.solver);
    }
    hd_race_parts_release(&s.parts);
    hd_order_query_release(&s.query);
    hd_map_release(&s.told_from);
    hd_map_release(&s.told_back);
}
