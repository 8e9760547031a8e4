/*
 * The question record: how some runs of a program end, and their traces.
 *
 *     hd_engine_recording r;
 *     hd_engine_record_init(&r);
 *     r.how.argv = argv; r.output = "run.htr"; r.runs = 8; ...
 *     good = hd_engine_record_run(&r, &error);
 *     ... r.kept, r.verdict
 *     hd_engine_record_release(&r);
 */
#ifndef HD_ENGINE_RECORD_H
#define HD_ENGINE_RECORD_H

#include "engine_words.h"
#include "native/native.h"
#include "verdict/verdict.h"

/* How a run ended. */
enum hd_engine_end {
    HD_ENGINE_ENDED_WELL,   /* exit status 0 */
    HD_ENGINE_ENDED_FAILED, /* another one */
    HD_ENGINE_ENDED_KILLED, /* by a signal: a failed assertion, a crash */
    HD_ENGINE_ENDED_STUCK,  /* in a deadlock */
    HD_ENGINE_ENDED_LATE    /* it was ended from outside, at the limit on its time */
};

/* A run that is kept: no earlier one is the same but for the order of independent steps. */
typedef struct hd_engine_run {
    uint64_t seed, switches;
    hd_recording_summary summary;
    enum hd_engine_end end;
    const char *rule; /* that it broke, if it ended badly: a constant, as the explorer calls it */
    int status;       /* as from waitpid */
    char *output;     /* file of the trace; NULL: nothing was recorded */
    char *ending;     /* in words, for people */
    char *place;      /* "FILE:LINE" of what failed; NULL: it is not known */
    char *printed;    /* the beginning of what it printed; NULL: not kept */
    uint64_t bytes;   /* that it printed */
} hd_engine_run;

typedef struct hd_engine_recording {
    hd_launch_options how;     /* argv, the first seed, ... */
    hd_engine_words arguments; /* of the program: argv without its first */
    const char *output;        /* file for the trace; of several runs, with a number in it */
    const char *save_schedule; /* file for the schedule; NULL: none */
    enum hd_trace_format format;
    double seconds; /* for each run; 0: no limit but how.timeout */
    uint64_t runs;  /* to be made; then, that were made */
    bool outside;   /* what comes from outside is kept for replay, of one run */
    bool uncounted; /* the number of events is not asked for, unless it is printed */
    /* Each run that is kept; other than 0: no more are wanted.  NULL: not told. */
    int (*each)(void *context, const hd_engine_run *run);
    void *context;
    hd_map classes;
    HD_VEC(hd_engine_run) kept;
    uint64_t failed, timed_out, replaced;
    uint32_t asked; /* for inputs: HEDDLE_WIRE_ASKED_... */
    uint64_t found; /* runs that failed and were not ended from outside */
    bool late;      /* the clock ended it before all were made */
    bool enough;    /* `each` did */
    hd_verdict verdict;
} hd_engine_recording;

/* One run of seed 1, with stacks, 4096 MiB for the record, 10 s until it is said that it hangs. */
void hd_engine_record_init(hd_engine_recording *r);

/* What the programs print is kept, not shown; before the first run. */
bool hd_engine_record_capture(hd_engine_recording *r, hd_error *error);

bool hd_engine_record_run(hd_engine_recording *r, hd_error *error);
void hd_engine_record_release(hd_engine_recording *r);

#endif
