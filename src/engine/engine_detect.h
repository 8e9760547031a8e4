/*
 * The question detect of a trace: is there a state where a predicate is true?  The least one, with
 * a schedule that leads to it and was checked.
 *
 *     hd_engine_detection d;
 *     good = hd_engine_detect_run(&d, &trace, "race", &error);
 *     ... d.found, d.witness if d.proved, d.frontier, d.verdict
 *     hd_engine_detect_release(&d);
 */
#ifndef HD_ENGINE_DETECT_H
#define HD_ENGINE_DETECT_H

#include "order/order.h"
#include "predicate/predicate.h"
#include "verdict/verdict.h"
#include "witness/witness.h"

typedef struct hd_engine_detection {
    bool found, proved;
    hd_witness witness;  /* the schedule to the state, if proved */
    hd_vec_u32 frontier; /* the last event of each thread in the state */
    uint64_t looked_at;  /* states */
    hd_verdict verdict;
} hd_engine_detection;

/* In either case to be released. */
bool hd_engine_detect_run(hd_engine_detection *d, const hd_trace *trace, const char *predicate,
                          hd_error *error);
void hd_engine_detect_release(hd_engine_detection *d);

#endif
