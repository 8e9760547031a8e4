/*
 * Cancellation points: functions that end a thread which was cancelled.
 */
#ifndef HD_RT_CANCEL_H
#define HD_RT_CANCEL_H

#include "rt.h"

/* Before a call of that name, by rt_cancel.def: ends the thread if it is cancelled and the call
 * acts on that. */
void hd_rt_cancel_point(const char *name, uintptr_t code);

/* The same, but true in place of ending the thread; with the arguments of the call, if they are
 * known.  And for a stream of C++. */
bool hd_rt_cancel_call(const char *name, const uintptr_t *arguments, uintptr_t code);
bool hd_rt_cancel_stream(uintptr_t code);

/* Explored: a wait that can go on, of a thread that was cancelled meanwhile.  The C library acts on
 * the cancellation or not: a step of its own, with both ways.  True if it does; the caller ends the
 * thread.  A run that is not explored goes on. */
bool hd_rt_cancel_either(uintptr_t code);

/* Explored: the thread goes on into a call that has an effect, and is a cancellation point. */
void hd_rt_cancel_calls(void);

/* What is called in place of the function then. */
void hd_rt_cancel_now(void);

#endif
