/*
 * The slice of a trace for a predicate, as a loset.
 *
 *     hd_engine_slice s = {.trace = &trace, .text = "at(T1, open)", .memory = bytes};
 *     good = hd_engine_slice_run(&s, &error);
 *     ... s.slicing, s.verdict; s.wrong says what is wrong with the predicate
 *     hd_engine_slice_release(&s);
 */
#ifndef HD_ENGINE_SLICE_H
#define HD_ENGINE_SLICE_H

#include "predicate/predicate.h"
#include "verdict/verdict.h"

typedef struct hd_engine_slice {
    const hd_trace *trace;
    const char *text;
    size_t memory;

    hd_predicate predicate;
    hd_predicate_error wrong;
    hd_order order;
    hd_predicate_instance instance;
    hd_predicate_slicing slicing;
    hd_verdict verdict;
    bool ordered, placed;
} hd_engine_slice;

bool hd_engine_slice_run(hd_engine_slice *s, hd_error *error);
void hd_engine_slice_release(hd_engine_slice *s);

#endif
