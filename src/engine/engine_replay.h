/*
 * The question replay: does the failure that a witness claims show again on its model or program?
 *
 *     hd_engine_replay r;
 *     hd_engine_replay_init(&r, path, "witness.std", arguments);
 *     good = hd_engine_replay_load(&r, &error);
 *     hd_engine_replay_run(&r);
 *     ... r.end, r.reason, r.outcome, r.verdict
 *     hd_engine_replay_release(&r);
 */
#ifndef HD_ENGINE_REPLAY_H
#define HD_ENGINE_REPLAY_H

#include "engine_machine.h"
#include "engine_words.h"
#include "verdict/verdict.h"

/* How a replay ended. */
enum hd_engine_replay_end {
    HD_ENGINE_SHOWN,
    HD_ENGINE_NOT_SHOWN, /* the run is the one of the witness, but does not fail */
    HD_ENGINE_HALTED,    /* the watch stopped it */
    HD_ENGINE_DIVERGED   /* the run is another one; `reason` says where */
};

typedef struct hd_engine_replay {
    const char *path, *file;
    hd_engine_words arguments; /* of the program */
    bool program;
    bool any_build;               /* a witness of another build is only warned of */
    const hd_replay_watch *watch; /* sees each step, and may stop; NULL: none */
    char **argv;                  /* of the program */
    char *made;                   /* the program, if it was a source */
    hd_replay_witness witness;
    HD_VEC(hd_model_define) defines;
    hd_machine *machine;
    bool bound; /* the threads of the witness are those of the machine */
    hd_replay_outcome outcome;
    enum hd_engine_replay_end end;
    hd_error reason; /* why the claim is not shown, or where the run diverges */
    hd_verdict verdict;
} hd_engine_replay;

void hd_engine_replay_init(hd_engine_replay *r, const char *path, const char *file,
                           hd_engine_words arguments);

/* The program's own words, and the program if it is a source. */
bool hd_engine_replay_program(hd_engine_replay *r, hd_error *error);

/* The witness, and the model or program that is to follow it, if they are not there already. */
bool hd_engine_replay_load(hd_engine_replay *r, hd_error *error);

/* Gives the threads of the witness the numbers of the machine; once, before the schedule is
 * looked at.  False: the run is another one. */
bool hd_engine_replay_bind(hd_engine_replay *r);

/* Runs it. */
void hd_engine_replay_run(hd_engine_replay *r);

void hd_engine_replay_release(hd_engine_replay *r);

/* Is the program the build that the file is of, as far as that is known (else "")?  The error says
 * so if it is not, and what to do `again`; with `any` it is only a warning. */
bool hd_engine_same_build(const char *file, const char *program, const char *path,
                          const char *build, const char *again, bool any, hd_error *error);

#endif
