/*
 * Threads that can never go on.
 */
#ifndef HD_NATIVE_WAITING_H
#define HD_NATIVE_WAITING_H

#include "launch/launch.h"

/* For a run that ended in a deadlock: a line for each waiting thread, with what it waits for,
 * where, and which thread holds it. */
void hd_native_waiting(const hd_launch_run *run, hd_vec_char *to);

#endif
