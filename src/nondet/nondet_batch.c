#include "nondet_batch.h"

#include <stdlib.h>

void hd_nondet_batch_free(hd_nondet_batch *batch) {
    for (size_t i = 0; i < batch->findings.length; i++)
        hd_finding_release(&batch->findings.data[i]);
    hd_vec_release(&batch->findings);
    hd_vec_release(&batch->reads);
    free(batch);
}

/* A sink: whether more is wanted is known when the batch is entered. */
static int keep(void *context, hd_finding *finding) {
    hd_nondet_worker *worker = context;
    hd_vec_push(&worker->batch->findings, *finding);
    *finding = (hd_finding){.sort = finding->sort, .rule = finding->rule};
    return 0;
}

void hd_nondet_worker_init(hd_nondet_worker *worker, const hd_order_space *space,
                           const hd_nondet_options *options, bool wants, hd_nondet_seen *all,
                           hd_nondet_result *result) {
    *worker = (hd_nondet_worker){.options = options, .result = result};
    worker->solver = hd_order_solver_create(space);
    hd_nondet_reader_init(&worker->reader, space, worker->solver, options->limit);
    if (options->paper)
        worker->paper = hd_nondet_paper_create(space);
    worker->push = (hd_nondet_push){.trace = space->order->trace,
                                    .options = options,
                                    .all = all,
                                    .sink = wants ? keep : NULL,
                                    .context = worker};
}

void hd_nondet_worker_release(hd_nondet_worker *worker) {
    hd_nondet_push_release(&worker->push);
    hd_nondet_paper_free(worker->paper);
    hd_nondet_reader_release(&worker->reader);
    hd_order_solver_free(worker->solver);
}

/* All but what one schedule showed was not asked. */
static void leave_unasked(hd_nondet_counts *counts) {
    counts->unasked = counts->possible - counts->feasible;
    counts->no_choice = counts->feasible;
    counts->cyclic = counts->with_choice = counts->infeasible = counts->unknown = 0;
}

/* As published, a read is nondeterministic if its graphs say so; what is pushed has
 * a schedule as well.  False if there was no time for that. */
static bool decide_as_published(hd_nondet_worker *worker, hd_nondet_decided *to) {
    to->nondeterministic = hd_nondet_paper_decide(worker->paper, &worker->reader, to->task.read,
                                                  to->task.variable, worker->result);
    if (worker->paper->late)
        return false;
    to->counts = worker->reader.counts;
    hd_nondet_push_read(&worker->push, &worker->reader);
    return true;
}

static void decide_exactly(hd_nondet_worker *worker, hd_nondet_decided *to) {
    hd_nondet_reader *reader = &worker->reader;
    uint32_t read = to->task.read;
    bool one = worker->options->reads && read;
    if (one)
        hd_nondet_reader_decide_one(reader, read);
    else if (read)
        hd_nondet_reader_decide(reader, read);
    else
        hd_nondet_reader_decide_final(reader, to->task.variable);
    to->counts = hd_nondet_reader_count(reader);
    if (one && to->counts.feasible)
        leave_unasked(&to->counts);
    to->nondeterministic = hd_nondet_push_read(&worker->push, reader);
}

static bool is_late(const hd_nondet_options *options) {
    return (options->deadline > 0 && hd_progress_clock() >= options->deadline) || hd_clock_over();
}

static hd_nondet_batch *begin_batch(hd_nondet_worker *worker) {
    worker->batch = HD_NEW(hd_nondet_batch);
    worker->push.error = &worker->batch->error;
    return worker->batch;
}

hd_nondet_batch *hd_nondet_worker_decide(hd_nondet_worker *worker, const hd_nondet_task *tasks,
                                         size_t count) {
    hd_nondet_batch *batch = begin_batch(worker);
    hd_order_effort before = *hd_order_solver_effort(worker->solver);
    for (size_t i = 0; i < count && !batch->failed; i++) {
        hd_nondet_decided decided = {.task = tasks[i]};
        batch->cut = is_late(worker->options);
        if (batch->cut)
            break;
        if (!worker->paper)
            decide_exactly(worker, &decided);
        else if (!decide_as_published(worker, &decided)) {
            batch->cut = true;
            break;
        }
        batch->failed = worker->push.failed;
        decided.findings = batch->findings.length;
        hd_vec_push(&batch->reads, decided);
    }
    batch->effort = hd_order_effort_since(hd_order_solver_effort(worker->solver), &before);
    worker->batch = NULL;
    return batch;
}

/* ---- Between processes ---- */

static void put_finding(const hd_finding *finding, hd_vec_char *to) {
    hd_bytes_put(to, finding->witness != NULL);
    if (!finding->witness)
        return; /* one more at a place that has its schedule */
    const hd_witness_claim *claim = &finding->witness->claim;
    const hd_vec_u32 *schedule = &finding->witness->schedule;
    hd_bytes_put(to, claim->order);
    hd_bytes_put(to, claim->sees);
    hd_bytes_put(to, claim->writer);
    hd_bytes_put(to, claim->challenger);
    hd_bytes_put(to, schedule->length);
    for (size_t i = 0; i < schedule->length; i++)
        hd_bytes_put(to, schedule->data[i]);
}

/* Of a read that has been decided. */
static void get_finding(hd_nondet_worker *worker, const hd_nondet_task *task, hd_bytes *from) {
    uint32_t last = (uint32_t)hd_trace_length(worker->push.trace);
    if (!hd_bytes_get(from, 1)) {
        if (!from->bad)
            hd_nondet_push_again(&worker->push, task->read, task->variable);
        return;
    }
    hd_witness_claim claim = {.kind = task->read ? HD_WITNESS_READ : HD_WITNESS_FINAL_READ,
                              .read = task->read,
                              .variable = task->read ? 0 : task->variable};
    hd_vec_u32 schedule = {0};
    claim.order = (enum hd_witness_order)hd_bytes_get(from, HD_NONDET_ORDERS - 1);
    claim.sees = (uint32_t)hd_bytes_get(from, last);
    claim.writer = (uint32_t)hd_bytes_get(from, last);
    claim.challenger = (uint32_t)hd_bytes_get(from, last);
    size_t length = hd_bytes_get_count(from, 1);
    for (size_t i = 0; i < length; i++)
        hd_vec_push(&schedule, (uint32_t)hd_bytes_get(from, last));
    if (!from->bad)
        hd_nondet_push_witness(&worker->push, task->variable, claim, &schedule);
    hd_vec_release(&schedule);
}

static void put_counts(const hd_nondet_counts *counts, hd_vec_char *to) {
    const uint64_t all[] = {counts->possible, counts->cyclic,     counts->no_choice,
                            counts->feasible, counts->infeasible, counts->with_choice,
                            counts->unknown,  counts->unasked};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        hd_bytes_put(to, all[i]);
}

static void get_counts(hd_nondet_counts *counts, hd_bytes *from) {
    uint64_t *const all[] = {&counts->possible, &counts->cyclic,     &counts->no_choice,
                             &counts->feasible, &counts->infeasible, &counts->with_choice,
                             &counts->unknown,  &counts->unasked};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = hd_bytes_get(from, UINT64_MAX);
}

void hd_nondet_batch_put(const hd_nondet_batch *batch, hd_vec_char *to) {
    size_t found = 0;
    hd_bytes_put(to, batch->cut);
    hd_bytes_put(to, batch->failed);
    hd_bytes_put_string(to, batch->error.text);
    hd_order_effort_put(&batch->effort, to);
    hd_bytes_put(to, batch->reads.length);
    for (size_t i = 0; i < batch->reads.length; i++) {
        const hd_nondet_decided *decided = &batch->reads.data[i];
        hd_bytes_put(to, decided->task.read);
        hd_bytes_put(to, decided->task.variable);
        hd_bytes_put(to, decided->nondeterministic);
        put_counts(&decided->counts, to);
        hd_bytes_put(to, decided->findings - found);
        for (; found < decided->findings; found++)
            put_finding(&batch->findings.data[found], to);
    }
}

hd_nondet_batch *hd_nondet_batch_get(hd_nondet_worker *worker, const hd_nondet_task *tasks,
                                     size_t count, hd_bytes *from) {
    hd_nondet_batch *batch = begin_batch(worker);
    batch->cut = hd_bytes_get(from, 1);
    bool failed = hd_bytes_get(from, 1);
    char *text = hd_bytes_get_string(from);
    if (failed)
        hd_error_set(&batch->error, "%s", text ? text : "");
    free(text);
    batch->effort = hd_order_effort_get(from);
    size_t reads = hd_bytes_get_count(from, 1);
    if (reads > count)
        from->bad = true;
    for (size_t i = 0; i < reads && !from->bad; i++) {
        hd_nondet_decided decided = {.task = tasks[i]};
        if (hd_bytes_get(from, UINT32_MAX) != tasks[i].read ||
            hd_bytes_get(from, UINT32_MAX) != tasks[i].variable)
            from->bad = true;
        decided.nondeterministic = hd_bytes_get(from, 1);
        get_counts(&decided.counts, from);
        size_t findings = hd_bytes_get_count(from, 1);
        for (size_t k = 0; k < findings && !from->bad; k++)
            get_finding(worker, &tasks[i], from);
        decided.findings = batch->findings.length;
        hd_vec_push(&batch->reads, decided);
    }
    batch->failed = failed || worker->push.failed;
    worker->batch = NULL;
    return batch;
}
