/*
 * A process between the tool and a program that may start others.
 *
 * A signal at the parent's death ends only the program, for processes that it forked have no such
 * signal, and no list of them is left when the tool is killed.  So the guard is the parent of the
 * program and of every process whose own parent has ended (PR_SET_CHILD_SUBREAPER), whatever that
 * has executed, whatever session it is in.  When the tool ends before the program, the guard kills
 * them all.
 *
 * To the tool the guard is the program: it passes on the tool's signals and ends as the program
 * does.  Processes that the program leaves then become the tool's, or those of the next reaper.
 */
#ifndef HD_BASE_GUARD_H
#define HD_BASE_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base_error.h"

/* Starts the program, in the guard, which is its parent then.  If execve fails, what it said is in
 * *code, and the process ends.  -1 with errno if no process was made.  Only system calls. */
typedef pid_t hd_guard_starts(void *context, int *code);

/* The guard, when its program has begun, or could not (*code).  -1 after setting the error.  A
 * guard that was killed is returned, too: its program may have begun.  All signals are blocked. The
 * guard has a process group of its own, in which the program begins. `gently`: when the tool ends,
 * or sends a signal, the group is asked to end, with SIGTERM, and then killed with all that the
 * program has started. */
pid_t hd_guard_start(hd_guard_starts *start, void *context, bool gently, int *code,
                     hd_error *error);

/* The program of a guard; the guard itself if that is not known. */
pid_t hd_guard_program(pid_t child);

#endif
