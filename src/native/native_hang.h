/*
 * Runs that take no step any more: whether it is the C library that waits, and ending them with a
 * last word on where they are.
 */
#ifndef HD_NATIVE_HANG_H
#define HD_NATIVE_HANG_H

#include <stdbool.h>
#include <sys/types.h>

/* Does the process wait in a futex call of the system's?  All threads of a program that is
 * explored run on one thread of the system, and waits under control make no such call: so nobody
 * will ever wake it.  False if that cannot be seen. */
bool hd_native_hang_is_blocked(pid_t process);

#endif
