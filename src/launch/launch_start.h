/*
 * Starting a program with the runtime in it.
 */
#ifndef HD_LAUNCH_START_H
#define HD_LAUNCH_START_H

#include "launch_run.h"

/* From now on the environment of programs is padded, so that the stack of main begins in one place
 * whatever variables there are: for searches that another process goes on with. */
void hd_launch_start_padded(bool wanted);

/* The process, when it has become the program; or, if it could not, with what execve said in *code,
 * to be waited for.  For a program that runs freely it is the guard (base_guard.h).  -1 after
 * setting the error. */
pid_t hd_launch_start(const hd_launch_options *options, int wire, const char *runtime, int *code,
                      hd_error *error);

#endif
