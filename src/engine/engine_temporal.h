/*
 * The question detect with a temporal predicate (predicate_temporal.h): is it true at the start,
 * and what run shows it?
 *
 *     hd_engine_temporal t = {.trace = &trace, .text = "AG(EF(done(T1)))", .memory = bytes};
 *     good = hd_engine_temporal_run(&t, &error);
 *     ... t.check, t.verdict; t.wrong says what is wrong with the text
 *     hd_engine_temporal_release(&t);
 */
#ifndef HD_ENGINE_TEMPORAL_H
#define HD_ENGINE_TEMPORAL_H

#include "predicate/predicate.h"
#include "verdict/verdict.h"

typedef struct hd_engine_temporal {
    const hd_trace *trace;
    const char *text;
    size_t memory;
    hd_predicate_temporal_check check; /* with the question: model, all, sink */

    hd_predicate_temporal formula;
    hd_predicate_error wrong;
    hd_order order;
    hd_verdict verdict;
    bool read, ordered;
} hd_engine_temporal;

/* False, with an error; if .wrong has one too, it is of the text. */
bool hd_engine_temporal_run(hd_engine_temporal *t, hd_error *error);
void hd_engine_temporal_release(hd_engine_temporal *t);

#endif
