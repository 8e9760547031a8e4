/*
 * Claims: does one fit the trace at all, and does the state that its schedule
 * reached show it.
 */
#ifndef HD_WITNESS_CLAIM_H
#define HD_WITNESS_CLAIM_H

#include "witness_state.h"

/* Event numbers within the trace, events of kinds that the claim can be about. */
bool hd_witness_claim_fits(const hd_witness_claim *claim, const hd_trace *trace,
                           hd_witness_fault *fault, hd_error *error);

/* For a claim that fits, in the state after the schedule, which is a reordering. */
bool hd_witness_claim_holds(hd_witness_checker *checker, const hd_witness *witness,
                            hd_witness_fault *fault, hd_error *error);

#endif
