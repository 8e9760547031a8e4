/*
 * Signals that wait for a thread of a controlled program, for calls such as sigwait.
 */
#ifndef HD_RT_SIGNAL_H
#define HD_RT_SIGNAL_H

#include <signal.h>

#include "rt.h"

/* Takes one of a set without handling it, as sigwait does, and returns it, or 0; is there one? */
int hd_rt_signal_take(const sigset_t *set, siginfo_t *info);
bool hd_rt_signal_waits(const hd_rt_thread *thread, const sigset_t *set);

/* Another mask, for the time of a call that waits; returns the one before. */
uint64_t hd_rt_signal_swap(uint64_t blocked);

#endif
