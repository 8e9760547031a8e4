/*
 * Waiting for the end of a program, and making it end: when its time is up, or when the tool itself
 * is asked to end (base_stop.h).
 */
#ifndef HD_LAUNCH_END_H
#define HD_LAUNCH_END_H

#include "launch_run.h"

/* What the program leaves running becomes a child of the tool's, until hd_launch_end_release.  A
 * host of the library may run programs of several questions at once, in threads of its own. */
typedef struct hd_launch_family {
    HD_VEC(pid_t) before; /* children that are not the program's */
    unsigned number;      /* in the environment of the program, and of what it starts */
} hd_launch_family;

void hd_launch_end_init(hd_launch_family *family);
void hd_launch_end_release(hd_launch_family *family);

/* The number of the family that this thread began and has not released; 0: none. */
unsigned hd_launch_end_family(void);

/* Kills what is left of them; the program has ended.  Processes without a number, which were
 * started with another environment, are its own if no other family is there. */
void hd_launch_end_kill_rest(const hd_launch_family *family);

/* Waits for the end of the program; run->status, run->timed_out, run->stopped.  Of one that was
 * made to end, the processes that it started end too. */
void hd_launch_end_await(hd_launch_run *run, pid_t child, const hd_launch_options *options,
                         const hd_launch_family *family);

/* Kills a process and waits for it. */
void hd_launch_end_kill(pid_t child, int *status);

#endif
