/*
 * Runs of machines, and Mazurkiewicz traces as they are defined: sets of events,
 * each with the set of events before it.  Slow and obvious; the explorers' own
 * clocks and hashes are not used.
 *
 *     support_run run = {0};
 *     support_run_start(&run, machine);
 *     support_run_step(&run, machine, thread, choice); ...   or support_run_again
 *     if (!support_traces_add(&traces, &run)) ...            the trace is there already
 *     support_run_release(&run);
 *     support_traces_release(&traces);
 */
#ifndef SUPPORT_RUNS_H
#define SUPPORT_RUNS_H

#include "explore/explore.h"

typedef struct support_run_event {
    uint32_t thread, choice;
    uint32_t accesses, access_count; /* in run->accesses */
} support_run_event;

typedef struct support_run {
    uint32_t threads;
    HD_VEC(support_run_event) events;
    HD_VEC(hd_machine_access) accesses;
    bool failed;          /* the last step did */
    uint32_t preemptions; /* steps of another thread than the last while that was enabled */
} support_run;

void support_run_start(support_run *run, const hd_machine *machine);
void support_run_release(support_run *run);

bool support_run_enabled(hd_machine *machine, uint32_t thread);

/* Takes a step that is allowed, and takes the last one back. */
void support_run_step(support_run *run, hd_machine *machine, uint32_t thread, uint32_t choice);
void support_run_back(support_run *run, hd_machine *machine);

/* How the run has ended.  False if it has not: somebody is enabled. */
bool support_run_end(const support_run *run, hd_machine *machine, enum hd_explore_end *end);

/* A whole schedule, from the machine's first state on.  False, with a reason, if a
 * step is not allowed or the run does not end so. */
bool support_run_again(support_run *run, hd_machine *machine, const hd_step *schedule,
                       size_t length, enum hd_explore_end end, char *why, size_t why_size);

/* A set of traces. */
typedef struct support_traces {
    HD_VEC(hd_vec_char) texts; /* thread by thread the events with choice and past */
    hd_map by_hash;
} support_traces;

/* Enters the trace of a run that has ended; false if it was there. */
bool support_traces_add(support_traces *traces, const support_run *run);
void support_traces_release(support_traces *traces);

/* The context of a visitor that runs every schedule again on another machine of
 * the same program and enters its trace: each must be legal, end as it is said to,
 * and be new; if not, the visitor stops. */
typedef struct support_shown {
    hd_machine *copy;
    support_traces traces;
    uint32_t preemptions; /* the most of a schedule */
    support_run run;      /* scratch */
    char why[128];        /* empty, or what was wrong with a schedule */
} support_shown;

int support_shown_visit(void *context, hd_machine *machine, enum hd_explore_end end,
                        const hd_step *schedule, size_t length);
void support_shown_release(support_shown *shown);

#endif
