/*
 * Loops that wait (rt_spin.c), and what they may have changed (rt_spin_state.c).
 */
#ifndef HD_RT_SPIN_H
#define HD_RT_SPIN_H

#include "rt.h"

static inline uint64_t hd_rt_spin_mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* A checksum of the registers and the stack of a thread at the call that its point is in; false: it
 * is not known. */
bool hd_rt_spin_state(const hd_rt_thread *thread, uint64_t *hash);

/* A checksum of everything that a library may have changed: the pages that are restored, or,
 * without these, the variables of all modules and the heap. */
uint64_t hd_rt_spin_sum(const hd_rt_thread *self);

/* After this history of a thread, the value that its read found led back to where it was.  Is such
 * a value known, in this search?  Is it this one? */
void hd_rt_stay_add(uint64_t history, uint64_t value);
bool hd_rt_stay_known(uint64_t history);
bool hd_rt_stay_stays(uint64_t history, uint64_t value);

#endif
