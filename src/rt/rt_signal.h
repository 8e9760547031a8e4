/*
 * Signals of a controlled program: what is pending, and what is to be done with it.
 */
#ifndef HD_RT_SIGNAL_H
#define HD_RT_SIGNAL_H

#include <signal.h>

#include "rt.h"

/* One that was sent. */
typedef struct hd_rt_signal {
    int number;
    int code; /* si_code */
    union sigval value;
    const siginfo_t *outside; /* what the system said of it, if it came from outside */
} hd_rt_signal;

/* What comes of it if it is not blocked. */
enum hd_rt_signal_fate {
    HD_RT_SIGNAL_IGNORED,
    HD_RT_SIGNAL_HANDLED,
    HD_RT_SIGNAL_KILLS, /* the process */
    HD_RT_SIGNAL_STOPS
};
enum hd_rt_signal_fate hd_rt_signal_fate(int signal);

/* Is it of those that instructions raise, which are left to the system? */
bool hd_rt_signal_at_once(int signal);

/* It is pending for the thread, or for the process if that is NULL; false: too many are. */
bool hd_rt_signal_queue(hd_rt_thread *to, const hd_rt_signal *it);

/* What is pending and not blocked is handled now, at a place that the program has chosen: it raised
 * the signal there, or unblocked it. */
void hd_rt_signal_deliver_here(void);

/* The default action ends the process. */
void hd_rt_signal_die(int signal, uintptr_t code);

/* What is pending of that number is sent to the system instead, which has it for descriptors. */
void hd_rt_signal_surface(int signal);

/* A jump leaves the handlers that run, and restores the mask or not. */
void hd_rt_signal_jump(bool restores);

/* The program has a handler for what instructions raise. */
extern bool hd_rt_signal_handles_faults;

/* That signal may come by a timer, at any moment; 0: none does that has not before.  If it has a
 * handler the verdict says so.  (rt_signal_send.c) */
void hd_rt_signal_by_timer(int signal);

/* Calls it on the stack that the thread has set for handlers, if it has.  (rt_signal_stack.c) */
void hd_rt_signal_on_stack(void (*work)(void *), void *argument);

/* A step on what is pending for a thread, or on what is to be done with signals, if other threads
 * are there: heddle_wire_signals or HEDDLE_WIRE_ACTIONS. */
void hd_rt_signal_step(uint64_t address, uint32_t size, unsigned flags, uintptr_t code);

/* Takes one of a set without handling it, as sigwait does, and returns it, or 0; is there one? */
int hd_rt_signal_take(const sigset_t *set, siginfo_t *info);
bool hd_rt_signal_waits(const hd_rt_thread *thread, const sigset_t *set);

/* Another mask, for the time of a call that waits; returns the one before. */
uint64_t hd_rt_signal_swap(uint64_t blocked);

#endif
