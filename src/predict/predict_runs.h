/*
 * Runs of an explored program that need not be executed, because their log is known beforehand:
 * every step of theirs was seen in some run after the same findings of its thread, and what the
 * steps of this run find can be simulated (predict_simulate.h).
 *
 * This is valid only if, between its steps, a thread depends on nothing that another thread can
 * change.  The runtime knows which memory threads share, from all runs together; accesses to it are
 * steps.  Uninstrumented code is not seen, and where a thread depends on it, the thread will do
 * something other than was predicted.  So every run that is executed is compared with what was
 * learnt.  Of the runs that could be predicted, one in 512 is executed all the same, and more of
 * the first ones.  A single operation that differs ends all prediction (`wrong`), and the search
 * must start over.
 *
 * Runs that are not predicted: those that neither end with exit status 0 nor where a thread waits
 * in vain, and those with a step that cannot be simulated or was never seen.
 */
#ifndef HD_PREDICT_RUNS_H
#define HD_PREDICT_RUNS_H

#include "predict_simulate.h"

typedef struct hd_predict_runs {
    hd_predict_simulator simulator;
    uint32_t tries, hits; /* recently */
    uint32_t rest;        /* runs for which prediction is not tried */
    uint32_t pause;       /* how many these were the last time */
    uint64_t told;        /* runs predicted since hd_predict_forget */
    uint64_t next_check;  /* the number of the next one to be executed all the same */
    uint64_t checked;     /* runs that could be predicted, and were executed all the same */
    const char *wrong;    /* why predictions cannot be trusted; NULL: they can */
} hd_predict_runs;

void hd_predict_release(hd_predict_runs *f);

/* Forgets everything: from now on the program's steps are different ones. */
void hd_predict_forget(hd_predict_runs *f);

/* Are the start and the end of a thread, and every join, steps of their own?  If that is new, all
 * is forgotten. */
void hd_predict_apart(hd_predict_runs *f, bool apart);

/* How a run goes on after its decisions, as in heddle_wire_explore. */
typedef struct hd_predict_manner {
    uint64_t asleep;
    uint32_t first; /* thread + 1; 0: none */
    uint32_t most_steps;
} hd_predict_manner;

/* Predicts a run along the decisions, then as the runtime would go on.  Returns false if it must be
 * executed. */
bool hd_predict_run(hd_predict_runs *f, const heddle_wire_decision *decisions, size_t count,
                    hd_predict_manner manner, hd_launch_log *log);

/* Learns from a run that was executed.  If it contradicts what was learnt, `wrong` says how. */
void hd_predict_learn(hd_predict_runs *f, const hd_launch_log *log, const heddle_wire_looks *looks);

/* Were most of the recent runs predicted? */
bool hd_predict_helps(const hd_predict_runs *f);

#endif
