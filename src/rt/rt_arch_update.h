/*
 * What the code after a call of __tsan_write does before it stores.
 *
 * A write to a bit-field is announced as a write of the bytes around it; the code then loads them,
 * changes some bits and stores them: two accesses, between which other threads can act.  A copy of
 * a structure is announced as a write and then a read, and done after both.  Only the code shows
 * this.
 */
#ifndef HD_RT_ARCH_UPDATE_H
#define HD_RT_ARCH_UPDATE_H

#include <stdbool.h>

typedef struct hd_rt_arch_store {
    bool updates;              /* the memory that is stored to is loaded first */
    const unsigned char *call; /* what a call or branch returns to, or would, that comes before the
                                  store; NULL: none does */
} hd_rt_arch_store;

/* `code` is what the call returns to.  What is not announced, variables and values in the
 * function's frame, is left out unless the memory is `on_stack`.  Where the instructions are not
 * understood, `updates` is true: an extra read does no harm, a missing one does. */
hd_rt_arch_store hd_rt_arch_store_x86_64(const unsigned char *code, bool on_stack);
hd_rt_arch_store hd_rt_arch_store_aarch64(const unsigned char *code, bool on_stack);

#if defined __x86_64__
#define hd_rt_arch_store_here hd_rt_arch_store_x86_64
#else
#define hd_rt_arch_store_here hd_rt_arch_store_aarch64
#endif

#endif
