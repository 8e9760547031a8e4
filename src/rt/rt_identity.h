/*
 * As whom threads access files: each has its own user and group for that.  And under which numbers
 * the program knows itself and its threads.
 */
#ifndef HD_RT_IDENTITY_H
#define HD_RT_IDENTITY_H

#include "rt.h"

/* A thread has asked for another than the process has. */
extern bool hd_rt_identity_differs;
void hd_rt_identity_adopt(const hd_rt_thread *thread);
void hd_rt_identity_assume(const hd_rt_thread *next);

/* The system's number of the process that the program knows by this one. */
pid_t hd_rt_identity_real(pid_t process);

/* A function is to be called with the system's numbers instead of those that the program was told:
 * of the first `numbers` arguments, and of a file below /proc that argument `path`, from 1 on, is
 * the name of; 0: none is.  Only if the program was told one. */
extern bool hd_rt_identity_asked;
void hd_rt_identity_translate(uintptr_t *arguments, unsigned numbers, unsigned path);

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
