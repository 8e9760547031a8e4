/*
 * What an explored program has in the kernel and not in its memory.  A fork shares it: where a
 * file is read next, what is in a pipe, memory that is mapped as shared.  So what one run leaves
 * there the next one finds.
 *
 * What there is when main is about to run is noted, and put back before each run: offsets, flags
 * and contents of open files, contents of pipes, counts of event descriptors, shared memory. What
 * cannot be restored, and is used, is reported: then the runs are not independent.
 */
#ifndef HD_RT_KERNEL_H
#define HD_RT_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

/* The process begins: what is open now is shared with other processes. */
void hd_rt_kernel_inherit(void);

/* main is about to run; a run is. */
void hd_rt_kernel_note(void);
void hd_rt_kernel_restore(void);

/* A run uses a pipe, a socket or the like: if it was there before main, and cannot be put back,
 * that is said. */
void hd_rt_kernel_used(int file, uint64_t inode);

/* A run leaves something to the next one: in words, "a run leaves ... to the next". */
void hd_rt_kernel_left(const char *what);

#endif
