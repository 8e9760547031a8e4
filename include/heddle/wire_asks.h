/*
 * What the tool asks of the runtime: types of the parts of the shared file (wire.h) that only the
 * tool writes.
 */
#ifndef HEDDLE_WIRE_ASKS_H
#define HEDDLE_WIRE_ASKS_H

#include "wire_limits.h"

/* Modes, and what decides which thread runs. */
enum { HEDDLE_WIRE_CONTROLLED, HEDDLE_WIRE_FREE_RUNNING };
enum {
    HEDDLE_WIRE_BY_SEED,     /* random, from the seed; seed 0: a thread runs until it blocks */
    HEDDLE_WIRE_BY_SCHEDULE, /* the runs of the schedule, then by seed */
    HEDDLE_WIRE_BY_EVENTS,   /* the same, but steps are those that are events */
    HEDDLE_WIRE_BY_DECISIONS /* repeatedly from main on, as struct heddle_wire_explore says */
};

/* Which points may switch threads besides operations on synchronisation objects. */
enum {
    HEDDLE_WIRE_AT_SYNC,    /* atomics, and plain accesses now and then */
    HEDDLE_WIRE_AT_ACCESSES /* every plain access too */
};

/* What misuse of locks and threads that POSIX leaves undefined does to the run. */
enum heddle_wire_misuse {
    HEDDLE_WIRE_MISUSE_FAILS,
    HEDDLE_WIRE_MISUSE_NOTED, /* the run goes on as it would without heddle */
    HEDDLE_WIRE_MISUSE_IGNORED
};

/* A part of a schedule: a number of consecutive steps of one thread.  A step is a plain access, a
 * range, a mark, or the passing of another point; some leave no event (a yield), some several. */
typedef struct heddle_wire_run {
    uint32_t thread;
    uint32_t steps;
} heddle_wire_run;

/*
 * Exploring.  The first process stays where main is about to run.  For every requested run it forks
 * a child (HEDDLE_WIRE_BY_FORK); or it forks one child that executes run after run and restores its
 * memory in between (HEDDLE_WIRE_BY_MEMORY), until that child dies.  A run follows the decisions.
 * Then it takes the lowest thread that can go on and is not asleep, or as `first`, `parked` and
 * `seed` say, until none can go on.  Each step is logged.
 *
 * A step begins when a thread passes its point and ends at its next one.  What can only happen in
 * one way is part of the step that made it possible: the first instructions of a new thread; the
 * end of a thread, unless the program tries to join threads; the return from a join, except the one
 * after which a thread is alone, and unless threads are cancelled.  So after a step the next
 * operations of several threads may be new.  Plain accesses are points only if they touch a word (8
 * bytes) of the table `shared`. Words that turn out to be shared and are not in it are reported.
 * Threads are numbered by the table of names, which grows: a number means the same in every run.
 *
 * Requesting a run costs as much as executing some of its steps.  So other runs that will be
 * wanted, the *wishes*, can be requested with it; the runtime executes them one after the other
 * until one does not end normally.  That one is discarded and will be requested again, alone.
 */

/* The thread that takes the next step, and which of its ways if there are several.  Small, as a run
 * may have a million; the tool's own type is hd_step. */
typedef struct heddle_wire_decision {
    uint16_t thread, choice;
} heddle_wire_decision;

/* A run that will be wanted too: the first `depth` decisions of the requested one, then others. */
typedef struct heddle_wire_wish {
    uint32_t depth, decisions;
    heddle_wire_decision decision[HEDDLE_WIRE_WISHED];
    uint64_t asleep;
} heddle_wire_wish;

/* ALONE: no server and no child, the process itself is the one run; for use with a debugger, or for
 * its full record. */
enum { HEDDLE_WIRE_RUN, HEDDLE_WIRE_QUIT, HEDDLE_WIRE_ALONE };

/* Sent to a run that takes no more steps: it keeps the stack of the current thread and ends.  A
 * real-time signal that programs hardly use. */
enum { HEDDLE_WIRE_HANG_SIGNAL = 62 };

/* How the memory of a run is restored for the next one. */
enum { HEDDLE_WIRE_BY_FORK, HEDDLE_WIRE_BY_MEMORY };

#endif
