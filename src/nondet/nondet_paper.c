/*
 * Phase one, the witness order graph, and the loop over witnesses
 * (ReportFeasibleWitnesses, figure 9).
 */
#include "nondet_paper.h"

enum { EXPLORED = 100000 }; /* graphs for one witness, then it is unknown */

static void start_graph(hd_nondet_paper *paper, hd_order_chains *chains,
                        const hd_order_space *space);

hd_nondet_paper *hd_nondet_paper_create(const hd_order_space *space) {
    hd_nondet_paper *paper = HD_NEW(hd_nondet_paper);
    size_t threads = (size_t)space->threads + 1, holds = (size_t)space->scopes->count + 1;
    paper->space = space;
    paper->limit = EXPLORED;
    hd_order_chains_init(&paper->couples, space);
    hd_order_chains_init(&paper->without, space);
    hd_bits_init(&paper->let_go, hd_trace_length(space->trace) + (size_t)1);
    paper->keep = HD_NEW_ARRAY(uint32_t, threads);
    paper->first = HD_NEW_ARRAY(uint32_t, threads);
    paper->last = HD_NEW_ARRAY(uint32_t, threads);
    paper->start = HD_NEW_ARRAY(uint32_t, holds);
    paper->end = HD_NEW_ARRAY(uint32_t, holds);
    for (uint32_t t = 0; t < space->threads; t++)
        paper->keep[t] = hd_order_space_length(space, t);
    start_graph(paper, &paper->couples, space);
    return paper;
}

static void close_read(hd_nondet_paper *paper) {
    if (!paper->open_read)
        return;
    hd_order_space_release(&paper->free);
    hd_bits_unset(&paper->let_go, paper->open_read - 1);
    paper->open_read = 0;
}

void hd_nondet_paper_free(hd_nondet_paper *paper) {
    if (!paper)
        return;
    close_read(paper);
    hd_order_chains_release(&paper->couples);
    hd_order_chains_release(&paper->without);
    hd_bits_release(&paper->let_go);
    hd_vec_release(&paper->edges);
    hd_vec_release(&paper->pairs);
    hd_vec_release(&paper->choices);
    hd_vec_release(&paper->turned);
    hd_bits_release(&paper->chosen);
    free(paper->keep);
    free(paper->first);
    free(paper->last);
    free(paper->start);
    free(paper->end);
    free(paper);
}

/* ---- Induced edges ---- */

static bool is_kept(const hd_nondet_paper *paper, uint32_t event) {
    return event && hd_order_position(paper->space, event) <=
                        paper->keep[hd_order_event(paper->space, event)->thread];
}

uint32_t hd_nondet_paper_end(const hd_nondet_paper *paper, const hd_order_scope *hold) {
    assert(is_kept(paper, hold->acquire)); /* else it has no end here */
    return is_kept(paper, hold->release)
               ? hold->release
               : hd_order_event_at(paper->space, hold->thread, paper->keep[hold->thread]);
}

bool hd_nondet_paper_edge(hd_nondet_paper *paper, uint32_t before, uint32_t after) {
    assert(before && after && before != after);
    if (hd_order_chains_reach(paper->now, after, before))
        return false;
    hd_order_chains_add(paper->now, before, after);
    return true;
}

/* Scopes that begin before this one ends are before it: the last of each thread. */
static bool induce_before(hd_nondet_paper *paper, const hd_order_scope *hold) {
    const hd_order_space *space = paper->space;
    const hd_order_groups *holds = &space->holds;
    uint32_t end = hd_nondet_paper_end(paper, hold);
    for (uint32_t g = holds->first[hold->lock]; g < holds->first[hold->lock + 1]; g++) {
        uint32_t thread = holds->thread[g];
        if (thread == hold->thread)
            continue;
        if (hd_nondet_paper_late(paper))
            return false;
        uint32_t position = hd_order_chains_before(paper->now, end, thread);
        uint32_t other = hd_order_space_last_hold(space, g, position, hold);
        if (other != HD_ORDER_NONE &&
            !hd_nondet_paper_edge(paper, hd_nondet_paper_end(paper, &space->scopes->scopes[other]),
                                  hold->acquire))
            return false;
    }
    return true;
}

/* To a fixed point; false: a cycle, or no time is left. */
static bool induce(hd_nondet_paper *paper) {
    const hd_order_scopes *scopes = paper->space->scopes;
    size_t edges;
    do {
        edges = paper->now->trail.length;
        for (uint32_t hold = 0; hold < scopes->count; hold++)
            if (is_kept(paper, scopes->scopes[hold].acquire) &&
                !induce_before(paper, &scopes->scopes[hold]))
                return false;
        assert(paper->now->trail.length >= edges); /* the graph only grows, so this ends */
    } while (edges != paper->now->trail.length);
    return true;
}

/* The graph before any witness.  It has no cycle: the trace is an order of it. */
static void start_graph(hd_nondet_paper *paper, hd_order_chains *chains,
                        const hd_order_space *space) {
    hd_order_chains_undo(chains, 0);
    chains->space = space;
    paper->now = chains;
    bool good = induce(paper);
    assert(good || paper->late);
    (void)good;
}

/* ---- Witness order edges ---- */

/* The hold of the lock that the event is in. */
static const hd_order_scope *hold_around(const hd_nondet_paper *paper, uint32_t lock,
                                         uint32_t event) {
    static const hd_order_scope any = {.reading = false};
    const hd_order_space *space = paper->space;
    uint32_t group =
        hd_order_groups_find(&space->holds, lock, hd_order_event(space, event)->thread);
    assert(group != HD_ORDER_NONE);
    uint32_t hold = hd_order_space_last_hold(space, group, hd_order_position(space, event), &any);
    assert(hold != HD_ORDER_NONE && hd_order_scope_covers(&space->scopes->scopes[hold], event));
    return &space->scopes->scopes[hold];
}

static bool witness_edge(hd_nondet_paper *paper, uint32_t before, uint32_t after) {
    hd_vec_push(&paper->edges, (uint64_t)before << 32 | after);
    return hd_nondet_paper_edge(paper, before, after);
}

/* a before b: the three cases for every pair of their scopes. */
static bool order_pair(hd_nondet_paper *paper, uint32_t a, uint32_t b) {
    const hd_order_space *space = paper->space;
    const hd_order_held *held = &space->order->held;
    if (hd_order_event(space, a)->thread == hd_order_event(space, b)->thread)
        return a < b;
    if (!witness_edge(paper, a, b))
        return false;
    hd_vec_u32 common = {0};
    hd_order_sets_common(&held->sets, hd_order_held_before(held, a), hd_order_held_before(held, b),
                         true, &common);
    bool good = true;
    for (size_t i = 0; i < common.length && good; i++)
        good =
            witness_edge(paper, hd_nondet_paper_end(paper, hold_around(paper, common.data[i], a)),
                         hold_around(paper, common.data[i], b)->acquire);
    hd_vec_release(&common);
    return good;
}

/* The three orders as pairs; 0 is before everything. */
static bool order_all(hd_nondet_paper *paper, const hd_nondet_reader *reader,
                      enum hd_witness_order order, uint32_t c) {
    uint32_t w = reader->writer, r = reader->read;
    hd_vec_clear(&paper->edges);
    if (order == HD_WITNESS_WCR)
        return (!w || order_pair(paper, w, c)) && (!r || order_pair(paper, c, r)) &&
               (!w || !r || order_pair(paper, w, r));
    if (c && !order_pair(paper, c, r))
        return false;
    return order == HD_WITNESS_CR || (order_pair(paper, r, w) && (!c || order_pair(paper, c, w)));
}

/* ---- One witness ---- */

struct tally {
    hd_nondet_counts *counts;
    hd_nondet_result *result;
};

static void count_cyclic(const struct tally *tally) {
    tally->counts->possible++;
    tally->counts->cyclic++;
    tally->counts->infeasible++;
}

static bool count_choices(hd_nondet_paper *paper, const struct tally *tally) {
    tally->counts->possible++;
    hd_nondet_paper_choose(paper);
    if (!paper->choices.length) {
        tally->counts->no_choice++;
        tally->counts->feasible++;
        return true;
    }
    enum hd_order_answer answer = hd_nondet_paper_explore(paper, &tally->result->explored_graphs);
    hd_vec_u64 *choices = &tally->result->choices;
    if (choices->length <= paper->choices.length)
        hd_vec_resize(choices, paper->choices.length + 1);
    choices->data[paper->choices.length]++;
    if (answer == HD_ORDER_UNKNOWN)
        tally->counts->unknown++;
    else
        tally->counts->with_choice++;
    tally->counts->feasible += answer == HD_ORDER_FEASIBLE;
    tally->counts->infeasible += answer == HD_ORDER_INFEASIBLE;
    return answer == HD_ORDER_FEASIBLE;
}

static bool decide_witness(hd_nondet_paper *paper, const hd_nondet_reader *reader,
                           enum hd_witness_order order, uint32_t c, const struct tally *tally) {
    size_t trail = paper->now->trail.length;
    bool feasible = false;
    if ((c && !is_kept(paper, c)) || !order_all(paper, reader, order, c) || !induce(paper))
        count_cyclic(tally);
    else
        feasible = count_choices(paper, tally);
    assert(paper->now->trail.length >= trail);
    hd_order_chains_undo(paper->now, trail);
    return feasible;
}

/* ---- One read ---- */

/* Chooses the graph for an order; false if all its witnesses are cyclic, or no time is left. */
static bool begin_order(hd_nondet_paper *paper, const hd_nondet_reader *reader,
                        enum hd_witness_order order) {
    const hd_order_space *space = paper->space;
    uint32_t w = reader->writer, r = reader->read;
    hd_error error = {""};
    for (uint32_t t = 0; t < space->threads; t++)
        paper->keep[t] = hd_order_space_length(space, t);
    paper->now = &paper->couples;
    if (order == HD_WITNESS_WCR) {
        hd_nondet_paper_meta(paper);
        return true;
    }
    if (!r || !w)
        return false;
    if (paper->open_read != r) {
        close_read(paper);
        paper->open_read = r;
        hd_bits_set(&paper->let_go, r - 1);
        paper->late |=
            !hd_order_space_init(&paper->free, space->order, &paper->let_go, SIZE_MAX, &error);
        if (paper->late) /* there is no other limit that it could pass */
            return false;
    }
    if (hd_order_needs(&paper->free, w, r))
        return false; /* w before r without the couple too */
    if (order == HD_WITNESS_CR)
        hd_order_clocks_copy(&paper->free.free, w, paper->keep);
    hd_nondet_paper_meta(paper);
    start_graph(paper, &paper->without, &paper->free);
    return true;
}

/* Every challenger of the read but the initial value; then that. */
static uint32_t challenger_at(const hd_nondet_paper *paper, const hd_nondet_reader *reader,
                              uint32_t i) {
    const hd_trace_lists *changes = &paper->space->changes;
    uint32_t first = changes->start[reader->variable], end = changes->start[reader->variable + 1];
    return first + i < end ? changes->items[first + i] : 0;
}

static void decide_order(hd_nondet_paper *paper, hd_nondet_reader *reader,
                         enum hd_witness_order order, const struct tally *tally) {
    bool possible = begin_order(paper, reader, order);
    uint32_t count = hd_trace_list_length(&paper->space->changes, reader->variable);
    for (uint32_t i = 0; i <= count && !hd_nondet_paper_late(paper); i++) {
        uint32_t c = challenger_at(paper, reader, i);
        if (c == reader->writer || (c && c == reader->read))
            continue;
        bool feasible = false;
        if (!possible || (c == 0 && order == HD_WITNESS_WCR))
            count_cyclic(tally);
        else
            feasible = decide_witness(paper, reader, order, c, tally);
        hd_nondet_reader_mark(reader, order, c, feasible ? HD_NONDET_SHOWN : HD_NONDET_REFUTED);
    }
}

bool hd_nondet_paper_decide(hd_nondet_paper *paper, hd_nondet_reader *reader, uint32_t read,
                            uint32_t variable, hd_nondet_result *result) {
    hd_nondet_counts counts = {0};
    struct tally tally = {&counts, result};
    hd_nondet_reader_start(reader, read, variable);
    for (int order = 0; order < HD_NONDET_ORDERS && !hd_nondet_paper_late(paper); order++)
        decide_order(paper, reader, (enum hd_witness_order)order, &tally);
    assert(counts.possible ==
           counts.cyclic + counts.no_choice + counts.with_choice + counts.unknown);
    assert(counts.possible == counts.feasible + counts.infeasible + counts.unknown);
    reader->counts = counts;
    return counts.feasible > 0;
}
