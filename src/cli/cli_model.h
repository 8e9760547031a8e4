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

/* NULL after saying what is wrong. */
hd_machine *hd_cli_model_load(const char *path, const hd_model_define *defines, size_t count);

/* Is the file a program, or the source of one, and not a model? */
bool hd_cli_is_program(const char *path);

/* A trace in the binary format; that, or what heddle writes as text. */
bool hd_cli_is_recording(const char *path);
bool hd_cli_is_trace(const char *path);

/* Saves a witness of either; adds what was learnt of a program to its parameters, and releases
 * these. */
bool hd_cli_witness_save(hd_replay_witness *witness, hd_machine *machine, const char *file,
                         hd_error *error);

/* The program with its arguments as a machine, NULL after saying what is wrong. */
hd_machine *hd_cli_program_start(hd_native_machine_options how);

/* Of either: the line of a position, 0 if it is not known; of the step that failed what kind
 * of failure it is, and its position. */
uint32_t hd_cli_line(hd_machine *machine, uint32_t position);
const char *hd_cli_failed_rule(const hd_machine *machine);
uint32_t hd_cli_failed_position(const hd_machine *machine);

/* A table of the steps of a run: watches one (hd_replay_run), and prints a line a
 * step, or a JSON object a step if `json` is set. */
typedef struct hd_cli_steps {
    hd_json *json;
    const char *path; /* of the model */
    size_t most;      /* stops behind this step; 0: never */
    bool silent;      /* prints nothing */
    int width;        /* of the threads' names */
    uint32_t last;    /* thread of the step before */
    bool started;
    int column;       /* how much of the line is printed */
    hd_vec_char text; /* of the step in hand */
    HD_VEC(struct hd_cli_cell {
        uint32_t location;
        int64_t value;
    })
    written;
} hd_cli_steps;

void hd_cli_steps_init(hd_cli_steps *steps, hd_machine *machine, const char *path,
                       const hd_witness_steps *schedule, hd_json *json);
hd_replay_watch hd_cli_steps_watch(hd_cli_steps *steps);
void hd_cli_steps_release(hd_cli_steps *steps);

/* The thread's next statement with its values, without the thread's name in front of it. */
void hd_cli_statement(hd_machine *machine, uint32_t thread, hd_vec_char *text);

/* The step that just failed: its place ("file:line") and, without it, what failed; both
 * to be freed. */
void hd_cli_failure(hd_machine *machine, const char *path, char **location, char **message);

/* "file:line" of a statement; to be freed. */
char *hd_cli_place(hd_machine *machine, const char *path, uint32_t position);

/* Who waits for what after a schedule: a line each, or JSON objects. */
void hd_cli_waits(hd_machine *machine, const hd_witness_steps *schedule, hd_json *json);

/* How a program's run ended: "exit status 0, output "7\x0a"". */
void hd_cli_outcome_text(const hd_native_outcome *outcome, hd_vec_char *to);

#endif
