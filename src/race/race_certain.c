#include "race_certain.h"

#include "race_beside.h"
#include "race_sides.h"

/* What a question costs apart from the solver's own work; the same for looking at a pair, and for
 * an event of a space of its own, times the threads. */
enum { ASKING = 10000, LOOKING = 100, BUILDING = 10 };

/* One of the two accesses: reads of its thread after `from` and before it are let go. */
typedef struct loose {
    uint32_t event, thread, from;
} loose;

typedef struct search {
    const hd_order_space *space; /* all reads are kept */
    const hd_race_options *options;
    hd_race_result *result;
    hd_race_push *push;
    hd_bits any_bits; /* every read that can be let go */
    hd_order_space any;
    hd_order_solver *any_solver;
    hd_bits bits; /* those of the pair at hand */
    hd_order_query query;
    hd_vec_u32 schedule;
    hd_race_sides of;
    hd_map work; /* pair of places -> work so far, in units of ASKING */
} search;

static const heddle_event *at(const search *s, uint32_t event) {
    return hd_order_event(s->space, event);
}

static bool is_plain_read(const heddle_event *e) {
    return e->kind == HEDDLE_READ || e->kind == HEDDLE_RMW;
}

static uint32_t neighbour(const search *s, uint32_t event, int step) {
    uint32_t position = hd_order_position(s->space, event) + (uint32_t)step;
    uint32_t thread = at(s, event)->thread;
    return position && position <= hd_order_space_length(s->space, thread)
               ? hd_order_event_at(s->space, thread, position)
               : 0;
}

/* ---- Which reads ---- */

/* Reads from the last event that is not certain on. */
static loose tail_of(const search *s, uint32_t event) {
    loose it = {event, at(s, event)->thread, 0};
    uint32_t first = event;
    while (hd_trace_is_certain(at(s, first)) && neighbour(s, first, -1))
        first = neighbour(s, first, -1);
    it.from = first - 1;
    return it;
}

static bool is_loose(const search *s, const loose *it, uint32_t event) {
    return at(s, event)->thread == it->thread && event > it->from && event < it->event &&
           is_plain_read(at(s, event));
}

static void set_bits(search *s, const loose *it, bool on) {
    for (uint32_t n = neighbour(s, it->event, -1); n && n > it->from; n = neighbour(s, n, -1))
        if (is_plain_read(at(s, n)) && on)
            hd_bits_set(&s->bits, n - 1);
        else
            hd_bits_unset(&s->bits, n - 1);
}

static bool has_loose(const search *s, const loose *it) {
    for (uint32_t n = neighbour(s, it->event, -1); n && n > it->from; n = neighbour(s, n, -1))
        if (is_plain_read(at(s, n)))
            return true;
    return false;
}

/* ---- One pair ---- */

static enum hd_order_answer ask(search *s, hd_order_solver *solver, uint32_t a, uint32_t b) {
    hd_order_effort before = *hd_order_solver_effort(solver), spent;
    hd_order_query_clear(&s->query);
    hd_vec_push(&s->query.next, a);
    hd_vec_push(&s->query.next, b);
    s->query.limit = s->options->limit;
    enum hd_order_answer answer = hd_order_solve(solver, &s->query);
    spent = hd_order_effort_since(hd_order_solver_effort(solver), &before);
    hd_order_effort_add(&s->result->effort, &spent);
    return answer;
}

/* The last write of a side after reads that are let go, from which a kept read of the schedule
 * reads: then these reads matter.  0: there is none. */
static uint32_t read_write(const search *s, const loose *it, const loose *other) {
    uint32_t last = 0;
    for (size_t i = 0; i < s->schedule.length; i++) {
        uint32_t n = s->schedule.data[i], write = s->space->index->pair[n];
        if (!hd_trace_reads(at(s, n)) || !write || is_loose(s, it, n) || is_loose(s, other, n))
            continue;
        if (at(s, write)->thread == it->thread && write > it->from && write > last)
            last = write;
    }
    return last;
}

/* In a space of its own, with fewer reads let go until those that matter are kept. */
static enum hd_order_answer ask_alone(search *s, loose *a, loose *b) {
    enum hd_order_answer answer = HD_ORDER_INFEASIBLE;
    hd_order_space space;
    hd_error error = {""};
    while (has_loose(s, a) || has_loose(s, b)) {
        set_bits(s, a, true);
        set_bits(s, b, true);
        bool good =
            hd_order_space_init(&space, s->space->order, &s->bits, s->options->max_bytes, &error);
        if (!good) {
            set_bits(s, a, false);
            set_bits(s, b, false);
            return HD_ORDER_UNKNOWN;
        }
        hd_order_solver *solver = hd_order_solver_create(&space);
        answer = ask(s, solver, a->event, b->event);
        if (answer == HD_ORDER_FEASIBLE)
            hd_order_solver_schedule(solver, &s->schedule);
        hd_order_solver_free(solver);
        hd_order_space_release(&space);
        set_bits(s, a, false);
        set_bits(s, b, false);
        if (answer != HD_ORDER_FEASIBLE)
            return answer;
        uint32_t first = read_write(s, a, b), second = read_write(s, b, a);
        if (!first && !second)
            return answer;
        a->from = first ? first : a->from;
        b->from = second ? second : b->from;
        answer = HD_ORDER_INFEASIBLE;
    }
    return answer;
}

static void prove(search *s, uint32_t a, uint32_t b) {
    s->result->races++;
    s->result->certain++;
    if (!s->options->count_only)
        hd_race_push_certain(s->push, a, b, &s->schedule);
    hd_race_note_proved(s->push, a, b);
}

static bool may_race(const search *s, uint32_t a, uint32_t b) {
    const hd_order_held *held = &s->space->order->held;
    return hd_race_conflict(at(s, a), at(s, b)) &&
           !hd_order_sets_conflict(&held->sets, hd_order_held_before(held, a),
                                   hd_order_held_before(held, b)) &&
           hd_race_both_next(&s->any, a, b);
}

/* What it cost. */
static uint64_t decide_pair(search *s, uint32_t a, uint32_t b, bool *open) {
    loose one = tail_of(s, a), other = tail_of(s, b);
    if (!may_race(s, a, b) || !(has_loose(s, &one) || has_loose(s, &other)))
        return LOOKING;
    uint64_t before = s->result->effort.work, length = hd_trace_length(s->space->trace);
    s->result->candidates++;
    enum hd_order_answer answer = ask(s, s->any_solver, a, b);
    uint64_t built = 0;
    if (answer != HD_ORDER_INFEASIBLE) {
        answer = ask_alone(s, &one, &other);
        built = BUILDING * length * s->space->threads;
    }
    *open |= answer == HD_ORDER_UNKNOWN;
    if (answer == HD_ORDER_FEASIBLE)
        prove(s, a, b);
    return ASKING + built + s->result->effort.work - before;
}

/* ---- Pairs of places ---- */

static bool is_spent(const search *s, uint64_t work) {
    return s->options->limit && work >= s->options->limit;
}

static void decide_sides(search *s, const struct hd_race_side *a, const struct hd_race_side *b) {
    const struct hd_race_access *one = s->of.accesses.data + a->start;
    const struct hd_race_access *other = s->of.accesses.data + b->start;
    uint32_t *known = hd_map_at(&s->work, hd_race_pair_key(a->place, b->place), NULL);
    uint64_t work = (uint64_t)*known * ASKING;
    bool open = false;
    for (uint32_t i = 0; i < a->count && !hd_race_push_over(s->push); i++)
        for (uint32_t j = 0; j < b->count && !hd_race_push_over(s->push); j++) {
            if (hd_race_is_proved(s->push, one[i].event, other[j].event)) {
                if (!s->options->all)
                    return;
                continue;
            }
            open |= is_spent(s, work);
            if (is_spent(s, work) && !s->options->all)
                break;
            uint64_t cost = decide_pair(s, one[i].event, other[j].event, &open);
            work = s->options->all ? 0 : work + cost;
        }
    known = hd_map_at(&s->work, hd_race_pair_key(a->place, b->place), NULL);
    *known = work / ASKING < UINT32_MAX ? (uint32_t)(work / ASKING) : UINT32_MAX;
    s->result->certain_open += open;
}

static void decide_variable(search *s, uint32_t variable) {
    if (!hd_race_sides_gather(&s->of, s->space, s->push, variable))
        return;
    for (size_t i = 0; i < s->of.sides.length; i++)
        for (size_t j = i + 1; j < s->of.sides.length && !hd_race_push_over(s->push); j++)
            if (s->of.sides.data[i].thread != s->of.sides.data[j].thread)
                decide_sides(s, &s->of.sides.data[i], &s->of.sides.data[j]);
}

/* Every read that has a certain event after it; false: there is none. */
static bool find_reads(search *s) {
    bool some = false;
    for (uint32_t n = 1; n <= hd_trace_length(s->space->trace); n++) {
        uint32_t next = is_plain_read(at(s, n)) ? neighbour(s, n, 1) : 0;
        if (!next || !hd_trace_is_certain(at(s, next)))
            continue;
        hd_bits_set(&s->any_bits, n - 1);
        some = true;
    }
    return some;
}

void hd_race_certain(const hd_order_space *space, const hd_race_options *options,
                     hd_race_result *result, hd_race_push *push) {
    search s = {.space = space, .options = options, .result = result, .push = push};
    size_t length = hd_trace_length(space->trace);
    hd_error error = {""};
    hd_bits_init(&s.any_bits, length + 1);
    hd_bits_init(&s.bits, length + 1);
    if (find_reads(&s)) {
        if (hd_order_space_init(&s.any, space->order, &s.any_bits, options->max_bytes, &error)) {
            s.any_solver = hd_order_solver_create(&s.any);
            for (uint32_t v = 0; v < space->index->variables.count && !hd_race_push_over(push); v++)
                decide_variable(&s, v);
            hd_order_solver_free(s.any_solver);
            hd_order_space_release(&s.any);
        } else
            result->certain_open++;
    }
    hd_bits_release(&s.any_bits);
    hd_bits_release(&s.bits);
    hd_order_query_release(&s.query);
    hd_vec_release(&s.schedule);
    hd_race_sides_release(&s.of);
    hd_map_release(&s.work);
}
