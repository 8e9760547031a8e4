/*
 * Findings of nondet: a witness of the read at hand is made again as a schedule,
 * checked by the checker that shares nothing with us, and pushed.  Private to
 * nondet.
 */
#ifndef HD_NONDET_FINDING_H
#define HD_NONDET_FINDING_H

#include <pthread.h>

#include "nondet_read.h"

/* Fingerprints that had their schedule, of several workers. */
typedef struct hd_nondet_seen {
    pthread_mutex_t mutex;
    hd_map seen;
} hd_nondet_seen;

typedef struct hd_nondet_push {
    const hd_trace *trace;
    const hd_nondet_options *options;
    hd_witness_checker *checker; /* made with the first finding */
    hd_map seen;                 /* fingerprints that had their schedule */
    hd_nondet_seen *all;         /* the same of all workers, as far as they are entered */
    hd_finding_sink *sink;
    void *context;
    hd_error *error;
    bool failed, stopped;
} hd_nondet_push;

void hd_nondet_push_release(hd_nondet_push *push);

/* Pushes what options ask for of the read at hand.  Returns whether it counts as
 * nondeterministic: it does if any witness is shown, and with --values if one is
 * that shows another value. */
bool hd_nondet_push_read(hd_nondet_push *push, hd_nondet_reader *reader);

/* A finding of this witness with the schedule given, which is taken. */
void hd_nondet_push_witness(hd_nondet_push *push, uint32_t variable, hd_witness_claim claim,
                            hd_vec_u32 *schedule);

/* One more at a place that has its schedule. */
void hd_nondet_push_again(hd_nondet_push *push, uint32_t read, uint32_t variable);

/* Is its place new, so that it needs a schedule?  (Or is every witness asked for.) */
bool hd_nondet_push_wants(hd_nondet_push *push, uint32_t read, uint32_t variable);

#endif
