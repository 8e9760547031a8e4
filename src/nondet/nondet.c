/*
 * Every read of a trace, and the final reads, put to one of the two answers.
 */
#include "nondet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "nondet_finding.h"
#include "nondet_paper.h"

void hd_nondet_options_init(hd_nondet_options *options) {
    const size_t most = (size_t)1 << 30, budget = hd_mem_budget_or(most);
    *options = (hd_nondet_options){.variable = HD_NONDET_ANY,
                                   .thread = HD_NONDET_ANY,
                                   .location = HD_NONDET_ANY,
                                   .max_bytes = budget < most ? budget : most};
}

void hd_nondet_result_release(hd_nondet_result *result) {
    free(result->variables);
    hd_vec_release(&result->choices);
    *result = (hd_nondet_result){0};
}

typedef struct analysis {
    const hd_trace *trace;
    const hd_nondet_options *options;
    hd_nondet_result *result;
    hd_order order;
    hd_order_space space;
    hd_order_solver *solver;
    hd_nondet_reader reader;
    hd_nondet_paper *paper;
    hd_nondet_push push;
    uint64_t wanted; /* reads, final ones too */
} analysis;

static bool is_wanted(const analysis *a, uint32_t read) {
    const heddle_event *e = hd_trace_event(a->trace, read);
    return (a->options->thread == HD_NONDET_ANY || a->options->thread == e->thread) &&
           (a->options->location == HD_NONDET_ANY || a->options->location == e->location);
}

static bool wants_final(const analysis *a) {
    return a->options->thread == HD_NONDET_ANY && a->options->location == HD_NONDET_ANY;
}

/* ---- Counting ---- */

static void add_counts(hd_nondet_counts *to, const hd_nondet_counts *from) {
    to->possible += from->possible;
    to->cyclic += from->cyclic;
    to->no_choice += from->no_choice;
    to->with_choice += from->with_choice;
    to->feasible += from->feasible;
    to->infeasible += from->infeasible;
    to->unknown += from->unknown;
    to->unasked += from->unasked;
}

/* Both sums of the counts (nondet.h). */
HD_ASSERT_ONLY static bool adds_up(const hd_nondet_counts *c) {
    return c->possible == c->cyclic + c->no_choice + c->with_choice + c->unknown + c->unasked &&
           c->possible == c->feasible + c->infeasible + c->unknown + c->unasked;
}

static void enter_read(analysis *a, uint32_t variable, bool final, const hd_nondet_counts *counts,
                       bool nondeterministic) {
    hd_nondet_result *result = a->result;
    hd_nondet_variable *of = &result->variables[variable];
    bool unknown = !nondeterministic && counts->unknown > 0;
    assert(adds_up(counts) && counts->possible % 3 == 0);
    assert(!nondeterministic || counts->feasible); /* what counts was shown */
    add_counts(&result->witnesses, counts);
    result->triplets += counts->possible / 3;
    result->unknown_reads += unknown;
    of->triplets += counts->possible / 3;
    of->feasible += counts->feasible;
    of->unknown += unknown;
    if (final) {
        result->final_reads++;
        result->nondeterministic_final_reads += nondeterministic;
        of->final = nondeterministic;
    } else {
        result->reads++;
        result->nondeterministic_reads += nondeterministic;
        of->reads++;
        of->nondeterministic += nondeterministic;
    }
    assert(adds_up(&result->witnesses) && result->witnesses.possible == 3 * result->triplets);
    assert(of->nondeterministic <= of->reads && of->feasible <= 3 * of->triplets);
}

static uint64_t decided(const analysis *a) {
    return a->result->reads + a->result->final_reads;
}

/* All but what one schedule showed was not asked. */
static void leave_unasked(hd_nondet_counts *counts) {
    counts->unasked = counts->possible - counts->feasible;
    counts->no_choice = counts->feasible;
    counts->cyclic = counts->with_choice = counts->infeasible = counts->unknown = 0;
}

/* ---- The loops ---- */

/* As published, a read is nondeterministic if its graphs say so; what is pushed has
 * a schedule as well. */
static void decide_read(analysis *a, uint32_t read, uint32_t variable) {
    hd_nondet_reader *reader = &a->reader;
    hd_nondet_counts counts;
    bool nondeterministic;
    if (a->paper) {
        nondeterministic = hd_nondet_paper_decide(a->paper, reader, read, variable, a->result);
        counts = reader->counts;
        hd_nondet_push_read(&a->push, reader);
    } else {
        bool one = a->options->reads && read;
        if (one)
            hd_nondet_reader_decide_one(reader, read);
        else if (read)
            hd_nondet_reader_decide(reader, read);
        else
            hd_nondet_reader_decide_final(reader, variable);
        counts = hd_nondet_reader_count(reader);
        if (one && counts.feasible)
            leave_unasked(&counts);
        nondeterministic = hd_nondet_push_read(&a->push, reader);
    }
    enter_read(a, variable, read == 0, &counts, nondeterministic);
    if (a->options->progress)
        a->options->progress(a->options->progress_context, decided(a), a->wanted);
}

static bool is_over(const analysis *a) {
    const hd_nondet_options *o = a->options;
    return a->push.failed || a->push.stopped || (o->most && decided(a) >= o->most) ||
           (o->deadline > 0 && hd_progress_clock() >= o->deadline) || hd_clock_over();
}

static bool is_read(const analysis *a, uint32_t event) {
    const heddle_event *it = hd_trace_event(a->trace, event);
    return hd_trace_reads(it) && !hd_trace_is_kept(it) && is_wanted(a, event);
}

static bool has_final(const analysis *a, uint32_t variable) {
    return wants_final(a) &&
           a->space.changes.start[variable] != a->space.changes.start[variable + 1];
}

static void decide_variable(analysis *a, uint32_t variable) {
    const hd_trace_lists *accesses = &a->order.index.variables;
    for (uint32_t i = accesses->start[variable]; i < accesses->start[variable + 1]; i++) {
        uint32_t event = accesses->items[i];
        if (!is_read(a, event))
            continue;
        if (is_over(a))
            return;
        decide_read(a, event, variable);
    }
    if (has_final(a, variable) && !is_over(a))
        decide_read(a, 0, variable);
}

static void count_variable(analysis *a, uint32_t variable) {
    const hd_trace_lists *accesses = &a->order.index.variables;
    for (uint32_t i = accesses->start[variable]; i < accesses->start[variable + 1]; i++)
        a->wanted += is_read(a, accesses->items[i]);
    a->wanted += has_final(a, variable);
}

/* One that stands for what annotations order: the program reads nothing there. */
static bool is_annotation(const analysis *a, uint32_t variable) {
    static const char begin[] = "order of ";
    const hd_names *names = &a->trace->tables.names[HEDDLE_CLASS_VARIABLE];
    return a->trace->end.told_orders &&
           strncmp(hd_names_text(names, variable), begin, sizeof begin - 1) == 0;
}

static void for_variables(analysis *a, void (*each)(analysis *a, uint32_t variable)) {
    for (uint32_t variable = 0; variable < a->result->variable_count; variable++)
        if (a->options->variable == HD_NONDET_ANY ? !is_annotation(a, variable)
                                                  : a->options->variable == variable)
            each(a, variable);
}

static void finish(analysis *a) {
    assert(decided(a) <= a->wanted);
    a->result->effort = *hd_order_solver_effort(a->solver);
    if (!a->paper)
        a->result->explored_graphs = a->result->effort.branches;
    a->result->stopped = a->push.stopped;
    a->result->unasked_reads = a->wanted - decided(a);
}

/* The solver keeps a little for each pair of threads, the published graphs twice. */
static bool has_room(const hd_order *order, const hd_nondet_options *options, hd_error *error) {
    size_t threads = hd_order_threads(order);
    size_t most = options->max_bytes / sizeof(hd_order_stairs) / (options->paper ? 3 : 1);
    if (!threads || threads <= most / threads)
        return true;
    return hd_error_set(error,
                        "%zu threads are too many: the order of each two takes more than %zu bytes",
                        threads, options->max_bytes);
}

bool hd_nondet_run(const hd_trace *trace, const hd_nondet_options *options,
                   hd_nondet_result *result, hd_finding_sink *sink, void *context,
                   hd_error *error) {
    analysis a = {.trace = trace, .options = options, .result = result};
    a.push = (hd_nondet_push){
        .trace = trace, .options = options, .sink = sink, .context = context, .error = error};
    *result = (hd_nondet_result){0};
    hd_stop_listen();
    hd_order_init(&a.order, trace);
    bool good =
        has_room(&a.order, options, error) &&
        hd_order_need(&a.order, HD_ORDER_SCOPES | HD_ORDER_HELD, options->max_bytes, error) &&
        hd_order_space_init(&a.space, &a.order, NULL, options->max_bytes, error);
    if (good) {
        result->variable_count = a.order.index.variables.count;
        result->variables = HD_NEW_ARRAY(hd_nondet_variable, (size_t)result->variable_count + 1);
        a.solver = hd_order_solver_create(&a.space);
        hd_nondet_reader_init(&a.reader, &a.space, a.solver, options->limit);
        if (options->paper)
            a.paper = hd_nondet_paper_create(&a.space);
        for_variables(&a, count_variable);
        for_variables(&a, decide_variable);
        finish(&a);
        hd_nondet_paper_free(a.paper);
        hd_nondet_reader_release(&a.reader);
        hd_order_solver_free(a.solver);
        hd_order_space_release(&a.space);
    }
    hd_nondet_push_release(&a.push);
    hd_order_release(&a.order);
    return good && !a.push.failed;
}

/* The set held before an event, by a walk over its thread. */
static uint32_t held_before(hd_order_sets *sets, const hd_trace *trace, uint32_t event) {
    uint32_t set = 0, thread = hd_trace_event(trace, event)->thread;
    for (uint32_t n = 1; n < event; n++)
        if (hd_trace_event(trace, n)->thread == thread)
            set = hd_order_sets_step(sets, set, hd_trace_event(trace, n));
    return set;
}

uint32_t hd_nondet_common_lock(const hd_trace *trace, uint32_t a, uint32_t b) {
    hd_order_sets sets;
    hd_vec_u32 common = {0};
    hd_order_sets_init(&sets);
    uint32_t one = held_before(&sets, trace, a), other = held_before(&sets, trace, b);
    hd_order_sets_common(&sets, one, other, true, &common);
    uint32_t lock = common.length ? common.data[0] : HD_NONDET_ANY;
    hd_vec_release(&common);
    hd_order_sets_release(&sets);
    return lock;
}

/* ---- How many choice graphs there are ---- */

double hd_nondet_possible_graphs_about(const hd_nondet_result *result) {
    double sum = 0;
    for (size_t d = 1; d < result->choices.length; d++)
        if (result->choices.data[d])
            sum += (double)result->choices.data[d] * exp2((double)d);
    return sum;
}

/* Twice the number, and so much more; nine digits a place, the lowest first. */
static void double_and_add(hd_vec_u64 *number, uint64_t more) {
    for (size_t i = 0; i < number->length || more; i++) {
        if (i == number->length)
            hd_vec_push(number, 0);
        uint64_t value = 2 * number->data[i] + more % 1000000000;
        number->data[i] = value % 1000000000;
        more = more / 1000000000 + value / 1000000000;
    }
}

char *hd_nondet_possible_graphs(const hd_nondet_result *result) {
    hd_vec_u64 number = {0};
    for (size_t d = result->choices.length; d-- > 0;)
        double_and_add(&number, result->choices.data[d]);
    size_t size = number.length * 9 + 2, used;
    char *digits = hd_mem_zero(size, 1);
    uint64_t top = number.length ? number.data[number.length - 1] : 0;
    used = (size_t)snprintf(digits, size, "%llu", (unsigned long long)top);
    for (size_t i = number.length; i-- > 1;)
        used += (size_t)snprintf(digits + used, size - used, "%09llu",
                                 (unsigned long long)number.data[i - 1]);
    assert(used < size);
    hd_vec_release(&number);
    return digits;
}
