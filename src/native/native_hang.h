/*
 * Runs that take no more steps: whether they wait inside the C library, or are stopped.
 */
#ifndef HD_NATIVE_HANG_H
#define HD_NATIVE_HANG_H

#include <stdbool.h>
#include <sys/types.h>

/* Do all threads of the process wait in the futex system call?  Those of an explored program run
 * on one system thread, controlled waits make no such call, and the other system threads sleep: so
 * it would wait for ever.  One that was just made and has not slept yet is waited for, however long
 * the system gives it no processor.  False if that cannot be seen. */
bool hd_native_hang_is_blocked(pid_t process);

/* Is the process stopped, as by SIGSTOP?  Then it goes on only if it is sent SIGCONT. */
bool hd_native_hang_is_stopped(pid_t process);

/* Is it a child of that process, and not yet waited for? */
bool hd_native_hang_is_child(pid_t process, pid_t parent);

#endif
