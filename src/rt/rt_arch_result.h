/*
 * Does the code after a call use what the call returned?
 *
 * pthread_barrier_wait tells one of its threads that it came last.  Where the calls' results are
 * not used, nothing tells in which order threads arrived.  Only the code shows this.
 */
#ifndef HD_RT_ARCH_RESULT_H
#define HD_RT_ARCH_RESULT_H

#include <stdbool.h>

/* `code` is what the call returns to.  False where the result is used, is what the function itself
 * returns, or the instructions are not understood. */
bool hd_rt_arch_unused_x86_64(const unsigned char *code);
bool hd_rt_arch_unused_aarch64(const unsigned char *code);

#if defined __x86_64__
#define hd_rt_arch_unused_here hd_rt_arch_unused_x86_64
#else
#define hd_rt_arch_unused_here hd_rt_arch_unused_aarch64
#endif

#endif
