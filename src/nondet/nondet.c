/*
 * Every read of a trace, and the final reads, put to one of the two answers.
 */
#include "nondet.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nondet_batch.h"

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
    HD_VEC(hd_nondet_task) tasks; /* reads that are wanted, final ones too, in their order */
    size_t each;                  /* tasks of a batch */
    hd_nondet_worker *workers;
    hd_nondet_seen seen;
    hd_finding_sink *sink;
    void *context;
    hd_error *error;
    bool failed, stopped;
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

static void enter_read(analysis *a, const hd_nondet_decided *decided) {
    hd_nondet_result *result = a->result;
    const hd_nondet_counts *counts = &decided->counts;
    hd_nondet_variable *of = &result->variables[decided->task.variable];
    bool nondeterministic = decided->nondeterministic;
    bool unknown = !nondeterministic && counts->unknown > 0;
    assert(adds_up(counts) && counts->possible % 3 == 0);
    assert(!nondeterministic || counts->feasible); /* what counts was shown */
    add_counts(&result->witnesses, counts);
    result->triplets += counts->possible / 3;
    result->unknown_reads += unknown;
    of->triplets += counts->possible / 3;
    of->feasible += counts->feasible;
    of->unknown += unknown;
    if (!decided->task.read) {
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

static uint64_t decided_reads(const analysis *a) {
    return a->result->reads + a->result->final_reads;
}

/* ---- What is asked ---- */

static bool is_read(const analysis *a, uint32_t event) {
    const heddle_event *it = hd_trace_event(a->trace, event);
    return hd_trace_reads(it) && !hd_trace_is_kept(it) && is_wanted(a, event);
}

static bool has_final(const analysis *a, uint32_t variable) {
    return wants_final(a) &&
           a->space.changes.start[variable] != a->space.changes.start[variable + 1];
}

static void add_task(analysis *a, uint32_t read, uint32_t variable) {
    if (a->options->leaves_out &&
        a->options->leaves_out(a->options->leaves_out_context, read, variable))
        a->result->left_out_reads++;
    else
        hd_vec_push(&a->tasks, (hd_nondet_task){read, variable});
}

static void add_variable(analysis *a, uint32_t variable) {
    const hd_trace_lists *accesses = &a->order.index.variables;
    for (uint32_t i = accesses->start[variable]; i < accesses->start[variable + 1]; i++)
        if (is_read(a, accesses->items[i]))
            add_task(a, accesses->items[i], variable);
    if (has_final(a, variable))
        add_task(a, 0, variable);
}

/* One that stands for what annotations order: the program reads nothing there. */
static bool is_annotation(const analysis *a, uint32_t variable) {
    static const char begin[] = "order of ";
    const hd_names *names = &a->trace->tables.names[HEDDLE_CLASS_VARIABLE];
    return a->trace->end.told_orders &&
           strncmp(hd_names_text(names, variable), begin, sizeof begin - 1) == 0;
}

static void add_tasks(analysis *a) {
    for (uint32_t variable = 0; variable < a->result->variable_count; variable++)
        if (a->options->variable == HD_NONDET_ANY ? !is_annotation(a, variable)
                                                  : a->options->variable == variable)
            add_variable(a, variable);
}

/* ---- Batches, in turn ---- */

/* The first task of a batch, and how many it has. */
static size_t batch_at(const analysis *a, uint64_t number, size_t *count) {
    size_t first = (size_t)number * a->each, rest = a->tasks.length - first;
    *count = rest < a->each ? rest : a->each;
    return first;
}

static void *decide_batch(void *context, unsigned worker, uint64_t number) {
    analysis *a = context;
    size_t count, first = batch_at(a, number, &count);
    return hd_nondet_worker_decide(&a->workers[worker], a->tasks.data + first, count);
}

static void pack_batch(void *context, const void *done, hd_vec_char *to) {
    (void)context;
    hd_nondet_batch_put(done, to);
}

static void *unpack_batch(void *context, uint64_t number, hd_bytes *from) {
    analysis *a = context;
    size_t count, first = batch_at(a, number, &count);
    return hd_nondet_batch_get(&a->workers[0], a->tasks.data + first, count, from);
}

static void drop_batch(void *context, void *done) {
    (void)context;
    hd_nondet_batch_free(done);
}

/* A place that had its schedule when the worker made one more has it twice by now: the first
 * counts. */
static void leave_one(analysis *a, hd_finding *finding) {
    bool added;
    if (!a->options->grouped || !finding->witness)
        return;
    hd_mem_lock(&a->seen.mutex);
    *hd_map_at(&a->seen.seen, finding->fingerprint, &added) = 1;
    hd_mem_unlock(&a->seen.mutex);
    if (added)
        return;
    uint64_t fingerprint = finding->fingerprint;
    hd_finding_release(finding);
    hd_finding_init(finding, finding->sort, finding->rule);
    finding->fingerprint = fingerprint;
}

static bool enter_batch(void *context, void *done) {
    analysis *a = context;
    hd_nondet_batch *batch = done;
    size_t pushed = 0;
    for (size_t i = 0; i < batch->reads.length && !a->stopped; i++) {
        const hd_nondet_decided *decided = &batch->reads.data[i];
        for (; pushed < decided->findings && !a->stopped; pushed++) {
            hd_finding *finding = &batch->findings.data[pushed];
            leave_one(a, finding);
            a->stopped = a->sink(a->context, finding) != 0;
        }
        enter_read(a, decided);
        if (a->options->progress)
            a->options->progress(a->options->progress_context, decided_reads(a), a->tasks.length);
    }
    a->failed = batch->failed;
    if (a->failed)
        hd_error_set(a->error, "%s", batch->error.text);
    hd_order_effort_add(&a->result->effort, &batch->effort);
    bool more = !batch->cut && !a->failed && !a->stopped;
    hd_nondet_batch_free(batch);
    return more;
}

/* Many reads take no longer than it takes to hand them over, some a second. */
static void decide_all(analysis *a, unsigned workers) {
    enum { MOST = 64, BATCHES = 16 };
    size_t tasks = a->tasks.length;
    uint64_t asked = a->options->most && a->options->most < tasks ? a->options->most : tasks;
    a->tasks.length = (size_t)asked;
    const hd_turns_crew *crew = hd_turns_crew_now();
    a->each = (size_t)asked / ((size_t)(crew ? crew->size : workers) * BATCHES) + 1;
    if (a->each > MOST)
        a->each = MOST;
    hd_turns turns = {.context = a,
                      .pieces = (asked + a->each - 1) / a->each,
                      .work = decide_batch,
                      .enter = enter_batch,
                      .drop = drop_batch,
                      .pack = pack_batch,
                      .unpack = unpack_batch};
    hd_turns_run(&turns, workers);
    a->tasks.length = tasks;
}

static void decide_with(analysis *a, unsigned workers) {
    pthread_mutex_init(&a->seen.mutex, NULL);
    a->workers = HD_NEW_ARRAY(hd_nondet_worker, workers);
    for (unsigned i = 0; i < workers; i++)
        hd_nondet_worker_init(&a->workers[i], &a->space, a->options, a->sink != NULL, &a->seen,
                              a->result);
    decide_all(a, workers);
    assert(decided_reads(a) <= a->tasks.length);
    for (unsigned i = 0; i < workers; i++)
        hd_nondet_worker_release(&a->workers[i]);
    if (!a->options->paper)
        a->result->explored_graphs = a->result->effort.branches;
    a->result->stopped = a->stopped;
    a->result->unasked_reads = a->tasks.length - decided_reads(a);
    free(a->workers);
    hd_map_release(&a->seen.seen);
    pthread_mutex_destroy(&a->seen.mutex);
}

/* The solver keeps a little for each pair of threads, the published graphs twice.  How many
 * workers have room for that; 0, with an error, if none has. */
static unsigned workers_with_room(const hd_order *order, const hd_nondet_options *options,
                                  hd_error *error) {
    size_t threads = hd_order_threads(order);
    size_t most = options->max_bytes / sizeof(hd_order_stairs) / (options->paper ? 3 : 1);
    size_t workers = options->workers && !options->paper ? options->workers : 1;
    if (threads && threads > most / threads) {
        hd_error_set(error,
                     "%zu threads are too many: the order of each two takes more than %zu bytes",
                     threads, options->max_bytes);
        return 0;
    }
    size_t fit = threads ? most / (threads * threads) : workers;
    return (unsigned)(workers < fit ? workers : fit);
}

bool hd_nondet_run(const hd_trace *trace, const hd_nondet_options *options,
                   hd_nondet_result *result, hd_finding_sink *sink, void *context,
                   hd_error *error) {
    analysis a = {.trace = trace,
                  .options = options,
                  .result = result,
                  .sink = sink,
                  .context = context,
                  .error = error};
    *result = (hd_nondet_result){0};
    hd_stop_listen();
    hd_order_init(&a.order, trace);
    unsigned workers = workers_with_room(&a.order, options, error);
    bool good =
        workers &&
        hd_order_need(&a.order, HD_ORDER_SCOPES | HD_ORDER_HELD, options->max_bytes, error) &&
        hd_order_space_init(&a.space, &a.order, NULL, options->max_bytes, error);
    if (good) {
        result->variable_count = a.order.index.variables.count;
        result->variables = HD_NEW_ARRAY(hd_nondet_variable, (size_t)result->variable_count + 1);
        add_tasks(&a);
        decide_with(&a, workers < a.tasks.length ? workers : (unsigned)a.tasks.length + 1);
        hd_vec_release(&a.tasks);
        hd_order_space_release(&a.space);
    }
    hd_order_release(&a.order);
    return good && !a.failed;
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
