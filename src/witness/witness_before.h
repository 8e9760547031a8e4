/*
 * Happens-before in a schedule, as C11 and C++20 define it: what a race is where atomic operations
 * ask for less than sequential consistency.
 */
#ifndef HD_WITNESS_BEFORE_H
#define HD_WITNESS_BEFORE_H

#include "witness_state.h"

/* Does `first`, which is in the schedule, happen before `second`, which is next after it?  The
 * checker is in the state after the schedule.  Linear in the schedule. */
bool hd_witness_before(const hd_witness_checker *checker, const hd_vec_u32 *schedule,
                       uint32_t first, uint32_t second);

#endif
