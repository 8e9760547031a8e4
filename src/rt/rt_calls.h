/*
 * The calls of a thread, outermost first (rt_calls.c).  The first entry is not a call: its frame is
 * above all others.
 */
#ifndef HD_RT_CALLS_H
#define HD_RT_CALLS_H

#include "rt.h"

struct hd_rt_call {
    uintptr_t frame;   /* the stack pointer of the function that was called */
    uint32_t site;     /* of its begin, in the record */
    uint32_t caller;   /* low half of the address that it returns to */
    uintptr_t code;    /* where it said that it began */
    uintptr_t pointer; /* its frame pointer, if it has one */
    bool shown;        /* it is among the wire's functions */
};

void hd_rt_calls_show_all(const hd_rt_thread *self);

/* Others may see the variables of the thread. */
static inline void hd_rt_calls_show(const hd_rt_thread *self) {
    if (self->calls && !self->call_top[-1].shown)
        hd_rt_calls_show_all(self);
}

/* Those that began below the address have ended. */
void hd_rt_calls_below(hd_rt_thread *self, uintptr_t frame);

#endif
