/*
 * What a program gets from outside: files, the network, random numbers, its number.  While it is
 * recorded under control, each system call that can bring something is kept with its result and
 * with what it stored; a run that follows the recording gets the same, and the calls are not done.
 *
 * A filter of the kernel's stops these calls wherever they are made, in the C library too; those
 * that the runtime makes for itself go through hd_rt_world_call.  Each thread has its own order.
 */
#ifndef HD_RT_WORLD_H
#define HD_RT_WORLD_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Are calls stopped?  And is what they do played back? */
extern bool hd_rt_world_on;
bool hd_rt_world_plays(void);

/* The program is about to start. */
void hd_rt_world_init(void);

/* As hd_rt_syscall; it is kept, or played back, as one of the program's is. */
long hd_rt_world_call(long number, long a, long b, long c, long d, long e, long f);

/* Which of some files are ready now; errno says why that is not known, and it is -1. */
int hd_rt_world_poll(struct pollfd *files, nfds_t count);

/* A value that the runtime has found, such as the time: the one of the recording. */
enum hd_rt_world_said {
    HD_RT_SAID_TIME = 1,
    HD_RT_SAID_END,
    HD_RT_SAID_PROCESS,
    HD_RT_SAID_SIGNAL,
    HD_RT_SAID_PENDING
};
int64_t hd_rt_world_say(enum hd_rt_world_said what, int64_t value);

/* The present thread looks for a signal: the one that the recording has there, if it has.  And it
 * has taken one that came from outside, where it looked last. */
bool hd_rt_world_signal(siginfo_t *info);
void hd_rt_world_keep_signal(siginfo_t *info);

#endif
