/*
 * Runs of an explored program that need not be done, for their log is known beforehand: every
 * step of theirs was seen in some run, with the same findings of its thread's, and what the steps
 * of this one find can be reckoned (predict_simulate.h).
 *
 * That stands on this: between its steps a thread uses nothing that others change.  What memory
 * threads share is known to the runtime, and found out in all runs together; accesses to it are
 * steps.  Code without instrumentation is not seen, and where that matters to a thread it will do
 * other than was foretold.  So every run that is done is held against what was learnt, and of
 * those that could be foretold one in 512 is done all the same, and more of the first ones.  One
 * that differs, be it in one operation, ends all foretelling (`wrong`), and what was searched with
 * it is to be searched again.
 *
 * Runs that are not foretold: what ends otherwise than with exit status 0; what has a step that
 * cannot be reckoned, or that nobody saw.
 */
#ifndef HD_PREDICT_RUNS_H
#define HD_PREDICT_RUNS_H

#include "predict_simulate.h"

typedef struct hd_predict_runs {
    hd_predict_simulator reckoner;
    uint32_t tries, hits; /* lately */
    uint32_t rest;        /* runs for which it is not tried */
    uint64_t told;        /* runs since all was forgotten */
    uint64_t checked;     /* runs that could be told, and were done all the same */
    const char *wrong;    /* why it is no use; NULL: it is */
} hd_predict_runs;

void hd_predict_release(hd_predict_runs *f);

/* Forgets all: the program is seen in another way from now on. */
void hd_predict_forget(hd_predict_runs *f);

/* A run along the decisions, then as the runtime would go on.  False if it must be done. */
bool hd_predict_run(hd_predict_runs *f, const heddle_wire_decision *decisions, size_t count,
                    uint64_t asleep, uint32_t most_steps, hd_launch_log *log);

/* A run that was done.  If it contradicts what was learnt, `wrong` says how. */
void hd_predict_learn(hd_predict_runs *f, const hd_launch_log *log, const heddle_wire_looks *looks);

/* Were most of the last runs foretold? */
bool hd_predict_helps(const hd_predict_runs *f);

#endif
