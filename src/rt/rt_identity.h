/*
 * As whom threads access files: each has its own user and group for that.
 */
#ifndef HD_RT_IDENTITY_H
#define HD_RT_IDENTITY_H

#include "rt.h"

/* A thread has asked for another than the process has. */
extern bool hd_rt_identity_differs;
void hd_rt_identity_adopt(const hd_rt_thread *thread);
void hd_rt_identity_assume(const hd_rt_thread *next);

/* A thread that the present one makes; a switch to a thread. */
static inline void hd_rt_identity_born(const hd_rt_thread *thread) {
    if (HD_RT_UNLIKELY(hd_rt_identity_differs))
        hd_rt_identity_adopt(thread);
}

static inline void hd_rt_identity_turn(const hd_rt_thread *next) {
    if (HD_RT_UNLIKELY(hd_rt_identity_differs))
        hd_rt_identity_assume(next);
}

#endif
