#include "race_blocks.h"

#include <stdio.h>
#include <string.h>

#include "race_blocks_parts.h"

/* What one asking costs apart from the solver's own work; the part of what is left of a limit
 * that is for one of the first tries. */
enum { ASKING = 10000, SHARE = 16 };

/* Three places. */
struct group {
    uint32_t first, between, second; /* the last ones that were not decided */
    uint64_t work;
    uint32_t passed; /* the variable + 1 of a proof that was not told, so others may have one */
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
    hd_map by_places; /* that number and a third -> group */
    uint32_t pair_count;
    uint32_t variable; /* the one at hand */
} search;

/* Some spans and comers that are alike. */
typedef struct likes {
    const struct hd_race_span *spans;
    const struct hd_race_comer *comers;
    uint32_t span_count, comer_count;
} likes;

static bool is_over(const search *s) {
    return hd_race_push_over(s->push);
}

/* ---- One candidate ---- */

static enum hd_order_answer ask(search *s, const struct hd_race_span *span, uint32_t comer,
                                uint64_t limit) {
    hd_order_query *query = &s->query;
    hd_order_query_clear(query);
    hd_vec_push(&query->in, span->first);
    query->ends_with = true;
    query->of = s->variable;
    query->limit = limit;
    if (span->reads) {
        hd_vec_push(&query->next, comer);
        hd_vec_push(&query->out, span->second);
        query->last = span->first;
    } else {
        hd_vec_push(&query->in, comer);
        hd_vec_push(&query->next, span->second);
        hd_vec_push(&query->edges, (uint64_t)span->first << 32 | comer);
        query->last = comer;
    }
    s->result->candidates++;
    return hd_order_solve(s->solver, query);
}

/* ---- Words ---- */

static const char *because_of(const search *s, const struct hd_race_span *span) {
    const heddle_event *first = hd_order_event(s->space, span->first);
    const heddle_event *second = hd_order_event(s->space, span->second);
    if (span->reads)
        return "another thread reads a value that the block replaces later";
    if (!hd_trace_reads(second))
        return "the block replaces a write that it has not seen: a lost update";
    if (!hd_trace_writes(first))
        return "two reads of the block see different writes";
    return "the block reads what another thread wrote, not what it wrote itself";
}

static char *message_of(const hd_trace *trace, const hd_finding *finding) {
    const uint32_t *events = finding->events.data;
    const char *name = hd_trace_object_name(&trace->tables, hd_trace_event(trace, finding->block));
    char text[512];
    snprintf(text, sizeof text,
             "block%s%.150s is not serializable: event %u can come between events %u and %u on "
             "%.200s",
             *name ? " " : "", name, events[1], events[0], events[2], finding->variable);
    return hd_mem_string(text, strlen(text));
}

/* Tells of it; the schedule is the solver's, if it is shown. */
static void push_it(search *s, const struct hd_race_span *span, uint32_t comer, bool shown) {
    const hd_trace *trace = s->push->trace;
    const char *rule = shown ? HD_RACE_ATOMICITY : HD_RACE_ATOMICITY "-unproved";
    uint32_t events[3] = {span->first, comer, span->second};
    if (!s->push->sink || (shown && s->options->count_only))
        return;
    hd_finding finding;
    hd_finding_init(&finding, HD_FINDING_BLOCK, rule);
    finding.unproved = !shown;
    finding.block = hd_race_parts_begin(&s->parts, span->first, span->second);
    finding.because = shown ? because_of(s, span) : NULL;
    const char *variable = hd_trace_object_name(&trace->tables, hd_trace_event(trace, comer));
    finding.variable = hd_mem_string(variable, strlen(variable));
    finding.location = hd_race_place_text(trace, span->second);
    finding.fingerprint = hd_race_fingerprint(trace, rule, events, 3);
    for (size_t i = 0; i < 3; i++)
        hd_vec_push(&finding.events, events[i]);
    finding.message = message_of(trace, &finding);
    if (shown) {
        hd_vec_u32 schedule = {0};
        hd_order_solver_schedule(s->solver, &schedule);
        hd_race_attach(&finding, "race",
                       (hd_witness_claim){.kind = HD_WITNESS_ATOMICITY,
                                          .first = span->first,
                                          .between = comer,
                                          .second = span->second},
                       &schedule);
    }
    hd_race_push_finding(s->push, &finding);
}

/* True: it is not told, but others at the same places may be. */
static bool prove(search *s, const struct hd_race_span *span, uint32_t comer) {
    s->push->dropped = false;
    s->result->races++;
    push_it(s, span, comer, true);
    bool dropped = s->push->dropped && !s->options->all;
    s->push->dropped = false;
    return dropped;
}

/* Of one that reads and writes both questions are asked, but it is told once. */
static bool is_told(search *s, const struct hd_race_span *span, uint32_t comer, bool tell) {
    const heddle_event *e = hd_order_event(s->space, comer);
    if (!hd_trace_reads(e) || !hd_trace_writes(e))
        return false;
    bool added;
    uint32_t *pair = hd_map_at(&s->pairs, (uint64_t)span->first << 32 | span->second, &added);
    if (added)
        *pair = s->pair_count++;
    uint64_t key = (uint64_t)*pair << 32 | comer;
    bool told = hd_map_find(&s->by_places, key) != NULL;
    if (tell)
        *hd_map_at(&s->by_places, key, &added) = 1;
    return told;
}

static void decide(search *s, const struct hd_race_span *span, uint32_t comer) {
    if (is_told(s, span, comer, false))
        return;
    enum hd_order_answer answer = ask(s, span, comer, s->options->limit);
    if (answer != HD_ORDER_INFEASIBLE)
        is_told(s, span, comer, true);
    if (answer == HD_ORDER_FEASIBLE)
        prove(s, span, comer);
    else if (answer == HD_ORDER_UNKNOWN) {
        s->result->unproved++;
        push_it(s, span, comer, false);
    }
}

/* ---- Places ---- */

static struct group *group_of(search *s, const struct hd_race_span *span, uint32_t place) {
    bool added;
    uint32_t *pair =
        hd_map_at(&s->pairs, (uint64_t)span->first_place << 32 | span->second_place, &added);
    if (added)
        *pair = s->pair_count++;
    uint32_t *at = hd_map_at(&s->by_places, (uint64_t)*pair << 32 | place, &added);
    if (added) {
        *at = (uint32_t)s->groups.length;
        hd_vec_push(&s->groups, (struct group){0});
    }
    struct group *group = &s->groups.data[*at];
    if (group->passed && group->passed != s->variable + 1)
        *group = (struct group){0};
    return group;
}

static bool is_settled(const search *s, const struct group *group) {
    return group->proved || (s->options->limit && group->work >= s->options->limit) || is_over(s);
}

static void try_one(search *s, struct group *group, const struct hd_race_span *span, uint32_t comer,
                    unsigned share) {
    uint64_t left = s->options->limit ? s->options->limit - group->work : 0;
    uint64_t limit = left >= share ? left / share : left;
    uint64_t before = hd_order_solver_effort(s->solver)->work;
    enum hd_order_answer answer = ask(s, span, comer, limit);
    group->work += hd_order_solver_effort(s->solver)->work - before + ASKING;
    if (answer == HD_ORDER_FEASIBLE) {
        group->proved = true;
        if (prove(s, span, comer))
            group->passed = s->variable + 1;
    } else if (answer == HD_ORDER_UNKNOWN || is_settled(s, group)) {
        group->open = true;
        group->first = span->first;
        group->between = comer;
        group->second = span->second;
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

/* B1: the comers from *from to before *end. */
static void beside(const search *s, const likes *l, const struct hd_race_span *span, uint32_t *from,
                   uint32_t *end) {
    uint32_t thread = l->comers->thread, length = hd_order_space_length(s->space, thread);
    uint32_t needed = hd_order_clocks_at(&s->space->need, span->first, thread);
    uint32_t most = hd_order_clocks_at(&s->space->free, span->second, thread) + span->reads;
    *from = comers_below(l, hd_order_limit_of(s->space, thread, needed));
    *end = comers_below(l, hd_order_limit_of(s->space, thread, most < length ? most : length));
}

static void decide_every(search *s, const likes *l) {
    for (uint32_t i = 0; i < l->span_count; i++) {
        uint32_t from, end;
        beside(s, l, &l->spans[i], &from, &end);
        for (uint32_t j = from; j < end && !is_over(s); j++)
            decide(s, &l->spans[i], l->comers[j].event);
    }
}

/* Neighbours in the trace first. */
static void try_near(search *s, struct group *group, const likes *l) {
    for (uint32_t i = 0; i < l->span_count && !is_settled(s, group); i++) {
        uint32_t from, end, at = comers_below(l, l->spans[i].second);
        beside(s, l, &l->spans[i], &from, &end);
        if (at > from && at <= end)
            try_one(s, group, &l->spans[i], l->comers[at - 1].event, SHARE);
        if (at >= from && at < end && !is_settled(s, group))
            try_one(s, group, &l->spans[i], l->comers[at].event, SHARE);
    }
}

static void try_every(search *s, struct group *group, const likes *l) {
    for (uint32_t i = 0; i < l->span_count && !is_settled(s, group); i++) {
        uint32_t from, end;
        beside(s, l, &l->spans[i], &from, &end);
        for (uint32_t j = from; j < end && !is_settled(s, group); j++)
            try_one(s, group, &l->spans[i], l->comers[j].event, 1);
    }
}

static void decide_likes(search *s, const likes *l) {
    if (l->spans->thread == l->comers->thread || l->spans->reads != l->comers->reads ||
        hd_order_sets_conflict(s->parts.sets, l->spans->cover, l->comers->held))
        return;
    if (s->options->all) {
        decide_every(s, l);
        return;
    }
    struct group *group = group_of(s, l->spans, l->comers->place);
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

static uint32_t alike_spans(const hd_race_parts *parts, size_t from) {
    const struct hd_race_span *spans = parts->spans.data, *a = &spans[from];
    size_t end = from + 1;
    while (end < parts->spans.length && spans[end].thread == a->thread &&
           spans[end].first_place == a->first_place && spans[end].second_place == a->second_place &&
           spans[end].cover == a->cover && spans[end].reads == a->reads)
        end++;
    return (uint32_t)(end - from);
}

static uint32_t alike_comers(const hd_race_parts *parts, size_t from) {
    const struct hd_race_comer *comers = parts->comers.data, *a = &comers[from];
    size_t end = from + 1;
    while (end < parts->comers.length && comers[end].thread == a->thread &&
           comers[end].place == a->place && comers[end].held == a->held &&
           comers[end].reads == a->reads)
        end++;
    return (uint32_t)(end - from);
}

static void decide_variable(search *s, uint32_t variable) {
    const hd_race_parts *parts = &s->parts;
    likes l;
    s->variable = variable;
    if (!hd_race_parts_gather(&s->parts, s->push, variable))
        return;
    for (size_t i = 0; i < parts->spans.length; i += l.span_count) {
        l.spans = parts->spans.data + i;
        l.span_count = alike_spans(parts, i);
        for (size_t j = 0; j < parts->comers.length && !is_over(s); j += l.comer_count) {
            l.comers = parts->comers.data + j;
            l.comer_count = alike_comers(parts, j);
            decide_likes(s, &l);
        }
    }
}

static void push_open(search *s) {
    for (size_t i = 0; i < s->groups.length && !is_over(s); i++) {
        const struct group *group = &s->groups.data[i];
        if (group->proved || !group->open)
            continue;
        s->result->unproved++;
        push_it(s, &(struct hd_race_span){.first = group->first, .second = group->second},
                group->between, false);
    }
}

void hd_race_blocks(const hd_order_space *space, const hd_race_options *options,
                    hd_race_result *result, hd_race_push *push) {
    search s = {.space = space, .options = options, .result = result, .push = push};
    if (hd_race_parts_init(&s.parts, space)) {
        result->blocks = s.parts.blocks.length;
        s.solver = hd_order_solver_create(space);
        for (uint32_t v = 0; v < space->index->variables.count && !is_over(&s); v++)
            decide_variable(&s, v);
        push_open(&s);
        result->effort = *hd_order_solver_effort(s.solver);
        hd_order_solver_free(s.solver);
    }
    hd_race_parts_release(&s.parts);
    hd_order_query_release(&s.query);
    hd_vec_release(&s.groups);
    hd_map_release(&s.pairs);
    hd_map_release(&s.by_places);
}
