/*
 * Reads that one worker decides, and what comes of them, to be entered in their order.  Private to
 * nondet.
 */
#ifndef HD_NONDET_BATCH_H
#define HD_NONDET_BATCH_H

#include "nondet_finding.h"
#include "nondet_paper.h"

/* A read, 0 for the final one, of a variable. */
typedef struct hd_nondet_task {
    uint32_t read, variable;
} hd_nondet_task;

typedef struct hd_nondet_decided {
    hd_nondet_task task;
    hd_nondet_counts counts;
    bool nondeterministic;
    size_t findings; /* of the batch, up to and with its own */
} hd_nondet_decided;

typedef struct hd_nondet_batch {
    HD_VEC(hd_nondet_decided) reads;
    HD_VEC(hd_finding) findings;
    hd_order_effort effort;
    bool cut;       /* there was no time for the rest */
    bool failed;    /* a schedule did not pass its check */
    hd_error error; /* then */
} hd_nondet_batch;

void hd_nondet_batch_free(hd_nondet_batch *batch);

typedef struct hd_nondet_worker {
    const hd_nondet_options *options;
    hd_order_solver *solver;
    hd_nondet_reader reader;
    hd_nondet_paper *paper;   /* NULL: exactly */
    hd_nondet_result *result; /* of the paper's answer, which has one worker: its graphs */
    hd_nondet_push push;      /* into the batch at hand */
    hd_nondet_batch *batch;
} hd_nondet_worker;

/* `all` is what the batches that were entered have found. */
void hd_nondet_worker_init(hd_nondet_worker *worker, const hd_order_space *space,
                           const hd_nondet_options *options, bool wants, hd_nondet_seen *all,
                           hd_nondet_result *result);
void hd_nondet_worker_release(hd_nondet_worker *worker);

hd_nondet_batch *hd_nondet_worker_decide(hd_nondet_worker *worker, const hd_nondet_task *tasks,
                                         size_t count);

/* As bytes, for another process, and back: of these tasks, by a worker that asks nothing at
 * present.  Schedules are checked once more. */
void hd_nondet_batch_put(const hd_nondet_batch *batch, hd_vec_char *to);
hd_nondet_batch *hd_nondet_batch_get(hd_nondet_worker *worker, const hd_nondet_task *tasks,
                                     size_t count, hd_bytes *from);

#endif
