/*
 * What the claims have in common: sentences about what is wrong, and where events are.
 * Private to witness.
 */
#ifndef HD_WITNESS_TRIAL_H
#define HD_WITNESS_TRIAL_H

#include "witness_claim.h"

/* One claim that is being checked. */
typedef struct hd_witness_trial {
    const hd_witness_claim *claim;
    const hd_trace *trace;
    hd_witness_checker *checker; /* NULL while only hd_witness_claim_fits runs */
    const hd_vec_u32 *schedule;
    hd_witness_fault *fault;
    hd_error *error;
} hd_witness_trial;

/* Both return false. */
bool hd_witness_blame(const hd_witness_trial *t, uint32_t number, const char *what);
bool hd_witness_blame_two(const hd_witness_trial *t, uint32_t number, const char *what,
                          uint32_t other, const char *rest);

bool hd_witness_access_fits(const hd_witness_trial *t, uint32_t number);

/* Next in its thread, with all must-edges into it satisfied.  An access or an
 * acquire has no others than program order and the fork. */
bool hd_witness_is_next(const hd_witness_trial *t, uint32_t number);

/* In the schedule, or 0: the initial value. */
bool hd_witness_is_in(const hd_witness_trial *t, uint32_t number);

/* Both are in the schedule, or 0: which is before everything. */
bool hd_witness_comes_before(const hd_witness_trial *t, uint32_t a, uint32_t b);

/* witness_claim_block.c */
bool hd_witness_atomicity_fits(const hd_witness_trial *t);
bool hd_witness_atomicity_holds(const hd_witness_trial *t);

#endif
