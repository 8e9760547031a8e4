/*
 * The question replay of a recording: the program once more, along the events of a trace.  Does
 * it fail again?  Or of a witness of a recording: the program along the events of the witness.
 * Do they come in this order, and does that show what the witness claims?
 *
 *     hd_engine_follow f = {.path = "./bank", .file = "bank.htr", .argv = argv};
 *     good = hd_engine_follow_load(&f, &error) && hd_engine_follow_run(&f, &error);
 *     ... f.end, f.ending, f.difference, f.verdict
 *     hd_engine_follow_release(&f);
 */
#ifndef HD_ENGINE_FOLLOW_H
#define HD_ENGINE_FOLLOW_H

#include "engine_replay.h"
#include "witness/witness.h"

typedef struct hd_engine_follow {
    const char *path, *file; /* the program, the recording */
    char **argv;             /* to a NULL */
    uint64_t to;             /* stops after this event; 0: at the end */
    bool any_build;          /* a recording of another build is only warned of */
    bool aside;              /* what it prints goes to standard error */
    bool silent;             /* it prints nothing, and has no input */
    unsigned timeout;        /* seconds; 0: none */
    hd_recording_sink *sink; /* of its events; NULL: none */
    void *context;

    /* Of a witness: the recording that it is about, and what it claims. */
    bool of_witness;
    char *recording;
    bool has_trace;
    hd_trace trace;
    hd_witness witness;
    hd_vec_char claim;
    hd_native_reordered reordered;

    hd_native_followed followed;
    hd_launch_run run;
    hd_native_difference difference; /* if it diverged */
    uint64_t missing;   /* the first event that did not come because a signal ended the run; 0: none
                         */
    hd_vec_char ending; /* in words */
    enum hd_engine_replay_end end;
    hd_error reason; /* where it diverges */
    hd_verdict verdict;
    bool loaded;
} hd_engine_follow;

/* Is the file a witness of a trace, not of a run? */
bool hd_engine_is_trace_witness(const char *file);

/* engine_report.c: the rule of what was shown; and that in words: what the witness claims, or how
 * the run ended. */
const char *hd_engine_follow_rule(const hd_engine_follow *f);
const char *hd_engine_follow_text(const hd_engine_follow *f);

/* engine_follow_witness.c: inside. */
bool hd_engine_follow_load_witness(hd_engine_follow *f, hd_error *error);

bool hd_engine_follow_load(hd_engine_follow *f, hd_error *error);

/* Loads it if that was not done. */
bool hd_engine_follow_run(hd_engine_follow *f, hd_error *error);

/* The same in gdb, as hd_native_follow_gdb; it is loaded. */
bool hd_engine_follow_gdb(const hd_engine_follow *f, const hd_native_commands *commands,
                          hd_error *error);
void hd_engine_follow_release(hd_engine_follow *f);

#endif
