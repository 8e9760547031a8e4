/*
 * What the commands that run models and programs share: loading one, and showing a
 * schedule of it step by step.
 */
#ifndef HD_CLI_MODEL_H
#define HD_CLI_MODEL_H

#include "cli.h"
#include "model/model.h"
#include "native/native.h"
#include "replay/replay.h"

/* A table of the steps of a run: watches one (hd_replay_run), and prints a line a
 * step, or a JSON object a step if `json` is set. */
typedef struct hd_cli_steps {
    hd_json *json;
    const char *path;         /* of the model */
    size_t most;              /* stops after this step; 0: never */
    bool silent;              /* prints nothing */
    const hd_vec_u32 *matter; /* steps that are marked, in order; NULL: none */
    int width;                /* of the threads' names */
    uint32_t last;            /* thread of the step before */
    bool started;
    bool within;          /* a step: it has begun, and not ended */
    int column;           /* how much of the line is there */
    hd_vec_char text;     /* of the step in hand */
    hd_vec_char line;     /* of the table */
    HD_VEC(char *) lines; /* printed when it is released: rounds of a loop are folded */
    HD_VEC(struct hd_cli_cell {
        uint32_t location;
        int64_t value;
    })
    written;
} hd_cli_steps;

void hd_cli_steps_init(hd_cli_steps *steps, hd_machine *machine, const char *path,
                       const hd_steps *schedule, hd_json *json);
hd_replay_watch hd_cli_steps_watch(hd_cli_steps *steps);

/* Ends the array of steps, and before it the step in which a run broke off. */
void hd_cli_steps_close(hd_cli_steps *steps);
void hd_cli_steps_release(hd_cli_steps *steps);

/* Who waits for what after a schedule: a line each, or JSON objects. */
void hd_cli_waits(hd_machine *machine, const hd_steps *schedule, hd_json *json);

#endif
