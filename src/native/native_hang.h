/*
 * Runs that take no more steps: whether they wait inside the C library, and ending them in a way
 * that reports where they are.
 */
#ifndef HD_NATIVE_HANG_H
#define HD_NATIVE_HANG_H

#include <stdbool.h>
#include <sys/types.h>

/* Does the process wait in the futex system call?  All threads of an explored program run on one
 * system thread, and controlled waits make no such call: so it would wait for ever.  False if that
 * cannot be seen. */
bool hd_native_hang_is_blocked(pid_t process);

#endif
