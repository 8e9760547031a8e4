/*
 * The calls of a thread, outermost first (rt_calls.c).  The first entry is none: its frame
 * is above all.
 */
#ifndef HD_RT_CALLS_H
#define HD_RT_CALLS_H

#include "rt.h"

struct hd_rt_call {
    uintptr_t frame; /* the stack pointer of the function that was called */
    uint32_t site;   /* of its begin, in the record */
    uint32_t caller; /* low half of the address that it returns to */
};

/* Those that began below the address have ended. */
void hd_rt_calls_below(hd_rt_thread *self, uintptr_t frame);

#endif
