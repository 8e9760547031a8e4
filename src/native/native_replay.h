/*
 * One run of a program along the steps of a witness, in the program's own process: recorded
 * in full, or under gdb (heddle/wire.h, HEDDLE_WIRE_ALONE; rt_gdb.py).
 */
#ifndef HD_NATIVE_REPLAY_H
#define HD_NATIVE_REPLAY_H

#include "launch/launch.h"
#include "native_follow.h"

typedef struct hd_native_replay {
    char **argv;
    char *const *words; /* of the witness: what is shared, who the threads are */
    size_t word_count;
    const heddle_wire_decision *decisions;
    size_t count;
    uint32_t stop_at; /* after this step; 0: where it fails */
    bool aside;       /* its output goes to standard error */
} hd_native_replay;

/* The run with all its events (recording_events.h). */
bool hd_native_replay_record(const hd_native_replay *replay, hd_launch_run *run, hd_error *error);

typedef struct hd_native_commands {
    const char *const *all;
    size_t count;
} hd_native_commands;

/* Executes gdb, which runs the commands and ends, or is interactive if there are none.  Returns
 * only with an error. */
bool hd_native_replay_gdb(const hd_native_replay *replay, const hd_native_commands *commands,
                          hd_error *error);

/* The same along the events of a recording, with what came from outside in the file `world` if it
 * is not NULL; stops after the last one. */
bool hd_native_follow_gdb(const hd_native_followed *followed, char **argv, const char *world,
                          const hd_native_commands *commands, hd_error *error);

#endif
