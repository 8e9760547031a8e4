/*
 * replay: drives a machine along a schedule, keeps schedules that show something
 * as files, and makes them short.
 *
 * A schedule is a list of steps (thread, choice) from the machine's first state.
 * What it claims to show is one of six things:
 *
 *   violation   the last step fails
 *   stuck       after it some threads have not ended and none can go on; or threads wait in a ring,
 *               each for a lock that the next one holds, and those that can go on only wait for a
 *               time or yield
 *   race        its last two steps are accesses of two threads to the same memory, one of
 *               them a write and one of them plain, and both were next before the first
 *   end         after it every thread has ended, and nothing failed
 *   unordered   its last step and an earlier one are such accesses, and by the memory orders of
 *               the atomic operations between them the earlier does not happen before the last
 *   livelock    its last state is one that it had before; since then every thread that could go on
 *               at some time has taken a step, and no step could go another way.  So these steps
 *               can be repeated for ever, by a schedule that is fair
 *
 * Nothing is reported whose claim hd_replay_check did not see on a restarted
 * machine.  A *machine witness* is a schedule with its claim in a file that is
 * also a trace of the run (doc/witness.md).
 */
#ifndef HD_REPLAY_H
#define HD_REPLAY_H

#include "base/base.h"
#include "machine/machine.h"
#include "trace/trace.h"
#include "witness/witness.h"

enum hd_replay_claim {
    HD_REPLAY_VIOLATION,
    HD_REPLAY_STUCK,
    HD_REPLAY_RACE,
    HD_REPLAY_END,
    HD_REPLAY_UNORDERED,
    HD_REPLAY_LIVELOCK,
    HD_REPLAY_CLAIMS
};

const char *hd_replay_claim_name(enum hd_replay_claim claim);

/* ---- Running ---- */

/* Called before and after every step; numbers start at 1.  Non-zero stops, before
 * the step is taken or after it.  Both may be NULL. */
typedef int hd_replay_visit(void *context, hd_machine *machine, size_t number, const hd_step *step);

typedef struct hd_replay_watch {
    hd_replay_visit *before, *after;
    void *context;
} hd_replay_watch;

typedef struct hd_replay_outcome {
    size_t steps;           /* taken */
    bool failed;            /* the last one */
    bool stopped;           /* by the watch */
    uint32_t unfinished;    /* threads that have not ended, */
    uint32_t enabled;       /* and those of them that can go on; 0 both if it failed; 0 if they all
                               yield and others wait in a ring for each other's locks */
    bool race;              /* between the last two steps, */
    bool unordered;         /* or the last and an earlier one: looked for if it is claimed, */
    uint32_t first, second; /* positions of these in the program */
    size_t earlier;         /* the number of the earlier one */
    bool cycle;             /* the last state was there before, */
    size_t before;          /* after so many steps: looked for if a livelock is claimed */
} hd_replay_outcome;

/* Restarts the machine and takes the steps; the machine stays in the last state.
 * False, with a sentence that begins with "step N", at a step that cannot be
 * taken, or if one before the last fails; the machine is then in the state
 * before that step, or after the failed one.  `watch` may be NULL. */
bool hd_replay_run(hd_machine *machine, const hd_steps *schedule, const hd_replay_watch *watch,
                   hd_replay_outcome *outcome, hd_error *error);

/* The same, and looks for an earlier access that does not happen before the last step: the run is
 * recorded as a trace, and the checker of witnesses decides. */
bool hd_replay_run_unordered(hd_machine *machine, const hd_steps *schedule,
                             hd_replay_outcome *outcome, hd_error *error);

/* The same, and looks for the shortest fair cycle that the run ends with.  (Of a model, rounds of
 * loops that wait are steps like others then: hd_replay_prepare.) */
bool hd_replay_run_livelock(hd_machine *machine, const hd_steps *schedule,
                            hd_replay_outcome *outcome, hd_error *error);

/* Before a schedule with this claim is run in another way than by the functions below. */
void hd_replay_prepare(hd_machine *machine, enum hd_replay_claim claim);

/* The one of the three that tells whether the claim is shown. */
bool hd_replay_run_for(hd_machine *machine, enum hd_replay_claim claim, const hd_steps *schedule,
                       hd_replay_outcome *outcome, hd_error *error);

/* Does a run to the end show the claim?  If not, the error says what it shows. */
bool hd_replay_shows(hd_machine *machine, const hd_replay_outcome *outcome,
                     enum hd_replay_claim claim, hd_error *error);

/* Both.  The machine stays in the last state. */
bool hd_replay_check(hd_machine *machine, enum hd_replay_claim claim, const hd_steps *schedule,
                     hd_error *error);

size_t hd_replay_switches(const hd_steps *schedule); /* context switches */

/* A thread that cannot go on after a schedule, and why. */
enum hd_replay_wait_kind {
    HD_REPLAY_WAITS_LOCK,      /* for a lock, which `holder` has */
    HD_REPLAY_WAITS_CONDITION, /* until what it reads has other values */
};

typedef struct hd_replay_wait {
    uint32_t thread;
    enum hd_replay_wait_kind kind;
    uint32_t location; /* the lock */
    uint32_t holder;   /* the thread that acquired it last and did not give it back */
} hd_replay_wait;

typedef HD_VEC(hd_replay_wait) hd_replay_waits;

/* All threads that have not ended and cannot go on, in their order; appended. */
bool hd_replay_find_waits(hd_machine *machine, const hd_steps *schedule, hd_replay_waits *waits,
                          hd_error *error);

/* ---- Shrinking ---- */

/* States of the search for the fewest context switches, if nothing else is said. */
enum { HD_REPLAY_BUDGET = 1 << 18 };

typedef struct hd_replay_shrunk {
    hd_steps schedule;
    size_t dropped;  /* steps that had nothing to do with the failure */
    size_t switches; /* that are left */
    bool fewest;     /* no order of these steps with the same outcome has fewer; else
                        the budget was spent and the order is a greedy one */
} hd_replay_shrunk;

/* A short schedule that shows the same.  Of a violation and of a race only steps in the
 * causal past of the last one are kept; of a violation, last steps of a thread without
 * which it fails in the same way are dropped, too.  Then the steps are put in an
 * order of the same Mazurkiewicz trace with as few context switches as can be;
 * `budget` bounds the states looked at (0: HD_REPLAY_BUDGET).  Every schedule on
 * the way is run again and must show the claim.  False only if the given one
 * does not.  The machine stays in the last state. */
bool hd_replay_shrink(hd_machine *machine, enum hd_replay_claim claim, const hd_steps *schedule,
                      size_t budget, hd_replay_shrunk *shrunk, hd_error *error);

/* ---- Machine witnesses ---- */

typedef struct hd_replay_witness {
    enum hd_replay_claim claim;
    hd_steps schedule;         /* threads: numbers of the machine; before
                                          hd_replay_witness_bind, of `tokens` */
    char *program;             /* name of the file; these may be NULL */
    char *question, *verdict;  /* for show */
    HD_VEC(char *) parameters; /* "NAME=VALUE" */
    uint32_t threads;          /* of the machine; 0: not said */
    hd_names tokens;           /* threads, as the file has them */
    hd_trace run;              /* the events, empty if the file has none */
    bool headless;             /* the file that was to be loaded is no witness at all */
} hd_replay_witness;

void hd_replay_witness_init(hd_replay_witness *witness);
void hd_replay_witness_release(hd_replay_witness *witness);

/* Runs the schedule, whose threads are numbers, on the machine and writes claim,
 * schedule and events.  `path` may be "-". */
bool hd_replay_witness_save(const hd_replay_witness *witness, hd_machine *machine, const char *path,
                            hd_error *error);

/* Fills an initialised, empty witness, which is released on failure.  Errors
 * begin with the file's name, and the line if there is one. */
bool hd_replay_witness_load(hd_replay_witness *witness, const char *path, hd_error *error);
bool hd_replay_witness_read(hd_replay_witness *witness, const void *data, size_t size,
                            const char *name, hd_error *error);

/* From the threads of the file to those of the machine.  False if the machine has
 * another number of threads, or lacks one that the schedule names. */
bool hd_replay_witness_bind(hd_replay_witness *witness, hd_machine *machine, hd_error *error);

/* hd_replay_run of a bound witness, which also compares every step's events with
 * those of the file, if it has any: what is accessed, and the values.  (Not the
 * locations: lines move.) */
bool hd_replay_witness_run(const hd_replay_witness *witness, hd_machine *machine,
                           const hd_replay_watch *watch, hd_replay_outcome *outcome,
                           hd_error *error);

#endif
