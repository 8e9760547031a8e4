/*
 * A schedule that a program is to follow once more, for people who look closer.
 */
#ifndef HD_CLI_REPLAY_H
#define HD_CLI_REPLAY_H

#include "cli_model.h"

typedef struct hd_cli_followed {
    char **argv;
    char *const *words; /* the parameters of the witness */
    size_t word_count;
    const hd_steps *schedule;
    enum hd_replay_claim claim;
    uint64_t to;        /* stops after this step; 0: at the end */
    const char *output; /* where the trace goes; NULL: nowhere */
} hd_cli_followed;

/* Becomes gdb; returns only after saying what is wrong. */
int hd_cli_replay_gdb(const hd_cli_followed *it, const hd_native_commands *commands);

/* Prints every event of the run. */
int hd_cli_replay_events(const hd_cli_followed *it);

/* Events as a table, as they come: a hd_recording_sink and what it is for. */
typedef struct hd_cli_printing hd_cli_printing;
hd_cli_printing *hd_cli_printing_create(void);
void hd_cli_printing_free(hd_cli_printing *printing);
bool hd_cli_printing_take(void *to, const hd_trace_tables *tables, const heddle_event *events,
                          size_t count);

/* ---- Recordings ---- */

typedef struct hd_cli_recording {
    const char *program, *file;
    char **argv;
    uint64_t to; /* events; 0: all */
    bool print, json, quiet, gdb, any_build;
    hd_native_commands commands; /* of gdb */
    const char *output;          /* where the trace goes; NULL: nowhere */
} hd_cli_recording;

int hd_cli_replay_recording(const hd_cli_recording *it, const hd_cli_arguments *arguments);

#endif
