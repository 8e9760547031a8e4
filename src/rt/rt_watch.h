/*
 * What a run of an explored program changes outside itself: the files that it makes, changes,
 * renames and removes would be found by the next run.  A seccomp filter stops such system calls;
 * the runtime notes what was there before and does the call, and when the run has ended, the
 * process that forked it restores the files.  What it cannot restore it reports (rt_kernel.h).
 *
 * This is for runs that have a process each; where one process executes many runs, no such calls
 * are made (rt_filter.c).
 */
#ifndef HD_RT_WATCH_H
#define HD_RT_WATCH_H

#include <stdint.h>

/* main is about to run; a run has ended. */
void hd_rt_watch_init(void);
void hd_rt_watch_undo(void);

/* Memory that the runs share with the process that forks them: its size, 0: there is none. */
uint64_t hd_rt_watch_memory(uintptr_t *low);

/* A system call that the program makes by syscall(), which no filter stops. */
long hd_rt_watch_call(long call, const uintptr_t a[6]);

#endif
