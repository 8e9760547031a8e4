/*
 * Loops that wait (rt_spin.c), and what they may have changed (rt_spin_state.c).
 */
#ifndef HD_RT_SPIN_H
#define HD_RT_SPIN_H

#include "rt.h"

/* A checksum of the registers and the stack of a thread at the call that its point is in; false: it
 * is not known. */
bool hd_rt_spin_state(const hd_rt_thread *thread, uint64_t *hash);

/* A checksum of everything that a library may have changed: the pages that are restored, or,
 * without these, the variables of all modules and the heap. */
uint64_t hd_rt_spin_sum(const hd_rt_thread *self);

/* Words of the thread's own, not on its stack, that a round has read; `vague`: more than are kept.
 */
typedef struct hd_rt_looks {
    heddle_wire_own look[HEDDLE_WIRE_STAY_LOOKS];
    uint32_t count;
    bool vague;
} hd_rt_looks;

static inline void hd_rt_stay_forget(hd_rt_looks *looks) {
    looks->count = 0;
    looks->vague = false;
}
void hd_rt_stay_look(hd_rt_looks *looks, const volatile void *address, size_t size);

/* From this state the value led back to it.  Is such a value known, in this search?  Is it this
 * one? */
void hd_rt_stay_add(uint64_t key, uint64_t value, const hd_rt_looks *looks);
bool hd_rt_stay_known(uint64_t key);
bool hd_rt_stay_stays(uint64_t key, uint64_t value);

#endif
