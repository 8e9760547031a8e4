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
    const hd_witness_steps *schedule;
    enum hd_replay_claim claim;
    uint64_t to;        /* stops behind this step; 0: at the end */
    const char *output; /* where the trace goes; NULL: nowhere */
} hd_cli_followed;

/* Becomes gdb; returns only after saying what is wrong. */
int hd_cli_replay_gdb(const hd_cli_followed *it, const char *const *commands, size_t count);

/* Prints every event of the run. */
int hd_cli_replay_events(const hd_cli_followed *it);

#endif
