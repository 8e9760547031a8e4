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
 * a schedule as well. */
static void decide_as_published(hd_nondet_worker *worker, hd_nondet_decided *to) {
    to->nondeterministic = hd_nondet_paper_decide(worker->paper, &worker->reader, to->task.read,
                                                  to->task.variable, worker->result);
    to->counts = worker->reader.counts;
    hd_nondet_push_read(&worker->push, &worker->reader);
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

hd_nondet_batch *hd_nondet_worker_decide(hd_nondet_worker *worker, const hd_nondet_task *tasks,
                                         size_t count) {
    hd_nondet_batch *batch = worker->batch = HD_NEW(hd_nondet_batch);
    worker->push.error = &batch->error;
    for (size_t i = 0; i < count && !batch->failed; i++) {
        hd_nondet_decided decided = {.task = tasks[i]};
        batch->cut = is_late(worker->options);
        if (batch->cut)
            break;
        if (worker->paper)
            decide_as_published(worker, &decided);
        else
            decide_exactly(worker, &decided);
        batch->failed = worker->push.failed;
        decided.findings = batch->findings.length;
        hd_vec_push(&batch->reads, decided);
    }
    worker->batch = NULL;
    return batch;
}
