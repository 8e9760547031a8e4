/*
 * One run of a program under the runtime.
 */
#ifndef HD_LAUNCH_RUN_H
#define HD_LAUNCH_RUN_H

#include <sys/types.h>

#include "base/base.h"
#include "heddle/wire.h"
#include "trace/trace.h"

/* How many chunks the runtime may take ahead of its reader, in addition to one for each lane. */
enum { HD_LAUNCH_LIVE_AHEAD = 1 };

typedef struct hd_launch_options {
    char **argv; /* the program and its arguments, NULL at the end */
    uint64_t seed;
    uint64_t limit; /* bytes of the shared file */
    bool free_running;
    bool every_access; /* threads may change at every access */
    bool calls;        /* the stack of each event is kept */
    bool tsan;         /* a program built for the compiler's own runtime */
    bool silent;       /* its output goes nowhere */
    int captured;      /* with silent: file that its standard output goes to; 0: nowhere */
    bool no_input;     /* its standard input is empty */
    bool aside;        /* its standard output goes to standard error */
    unsigned timeout;  /* seconds, 0: none */
    unsigned patience; /* seconds without a record after which to warn; 0: never */
    const heddle_wire_run *schedule;
    uint64_t schedule_runs;
    bool by_events;      /* its steps are events (native_follow.h); */
    bool stops;          /* and the program is stopped after the last one */
    bool watched;        /* by a debugger */
    bool live;           /* what it did is read while it runs (recording_live.h) */
    bool explored;       /* run after run, as struct heddle_wire_explore says */
    bool alone;          /* of that: one run, which the terminal belongs to; */
    bool again;          /* it was started before, and is known to come to main */
    bool recorded;       /* with every event, */
    const char *world;   /* file for what comes from outside (rt_world.h); NULL: not kept */
    bool plays;          /* and it is played back */
    uint32_t most_steps; /* at which it is cut off; 0: never */
    char *const *words;  /* as in launch_options.h; others are ignored */
    size_t word_count;
    /* Completes the shared file before the program starts; false, with an error, stops. */
    bool (*prepare)(void *context, heddle_wire *wire, hd_error *error);
    void *context;
} hd_launch_options;

typedef struct hd_launch_drain hd_launch_drain;

typedef struct hd_launch_run {
    heddle_wire *wire; /* mapped; of `size` bytes */
    uint64_t size;
    int status; /* as from waitpid */
    bool timed_out;
    int stopped;  /* the signal by which the tool was asked to end while it ran; 0: none */
    bool killed;  /* it did not end by that */
    bool damaged; /* the program wrote over the counts in the file */
    bool unsure;  /* how many events were lost is not known */
    int file;     /* of a live run: the shared file */
    hd_launch_drain *drain; /* what was taken out of the file (launch_drain.h); may be NULL */
} hd_launch_run;

/* Starts the program and waits for its end.  False if it could not be run, or does
 * not have the runtime in it.  What it did is in run->wire. */
bool hd_launch_run_program(hd_launch_run *run, const hd_launch_options *options, hd_error *error);
void hd_launch_run_release(hd_launch_run *run);

/* Starts a program that is to be explored or read while it runs, and returns when it is ready.
 * If it has ended by then, *child is 0. */
bool hd_launch_run_start(hd_launch_run *run, const hd_launch_options *options, pid_t *child,
                         hd_error *error);

/* The shared file alone: its descriptor, which a program inherits; -1 with an error.  And the
 * program with such a file, which is closed here. */
int hd_launch_run_wire(hd_launch_run *run, const hd_launch_options *options, hd_error *error);
bool hd_launch_run_begin(hd_launch_run *run, int file, const hd_launch_options *options,
                         pid_t *child, hd_error *error);

/* The same in two parts, so that several programs can get ready at the same time: it is started,
 * and the file closed; and it is ready.  A run that fails is released. */
bool hd_launch_run_launch(hd_launch_run *run, int file, const hd_launch_options *options,
                          pid_t *child, hd_error *error);
bool hd_launch_run_attach(hd_launch_run *run, const hd_launch_options *options, pid_t *child,
                          hd_error *error);

/* Programs that this process executes get the same addresses in every run, where that is
 * allowed. */
void hd_launch_run_fix_addresses(void);

/* Did it end by itself with status 0? */
bool hd_launch_run_succeeded(const hd_launch_run *run);

/* How it ended, in words: "exit status 3", "killed by signal 11, Segmentation fault". */
void hd_launch_run_describe(const hd_launch_run *run, hd_vec_char *to);

/* The rule that it broke if it failed, as the explorer calls it: "deadlock", "assertion", "abort",
 * "signal", "exit", or one of heddle/fault.def.  The first is for what the runtime found wrong,
 * NULL if it did not; the second for a run that aborted with this message. */
const char *hd_launch_fault_rule(const heddle_wire_fault *fault);
const char *hd_launch_abort_rule(const char *message, const heddle_wire_fault *fault);
const char *hd_launch_run_rule(const hd_launch_run *run);

/* "main", "main.2", "main.2.1" */
void hd_launch_thread_name(const hd_launch_run *run, uint32_t thread, hd_vec_char *to);

/* The programs that this thread and those that work for it (base_worker.h) have started since
 * `begin`, and that still run: `kill` ends them, and the threads that read their records.  For who
 * gives up in the middle of something. */
void hd_launch_launched_begin(void);
void hd_launch_launched_note(pid_t process);
void hd_launch_launched_kill(void);

/* Was the process started for another asker? */
bool hd_launch_launched_elsewhere(pid_t process);

/* The folder that has the runtime, NULL after setting the error. */
const char *hd_launch_runtime(hd_error *error);

/* The folder that has heddle/mark.h, NULL if it is not installed with this program. */
const char *hd_launch_headers(void);

#endif
