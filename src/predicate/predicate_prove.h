/*
 * From a state to a schedule that reaches it, and a witness of it.
 *
 * In the poset the order of the trace is one: all that a lock was held by before is
 * in the state.  In the loset, and where reads are to be kept, the reordering solver
 * finds one, or says that none exists; of a loset that is no run, a search.  The wait of a
 * condition wait comes right after its release.
 */
#ifndef HD_PREDICATE_PROVE_H
#define HD_PREDICATE_PROVE_H

#include "finding/finding.h"
#include "predicate_instance.h"

typedef struct hd_predicate_prover hd_predicate_prover;

/* The instance must stay.  NULL, with an error, if what the solver needs does not fit. */
hd_predicate_prover *hd_predicate_prover_create(const hd_predicate_instance *instance,
                                                bool keep_reads, size_t memory, hd_error *error);
void hd_predicate_prover_free(hd_predicate_prover *prover);

/* A schedule to the state into `schedule`, which is emptied first. */
enum hd_order_answer hd_predicate_prove(hd_predicate_prover *prover, const uint32_t *state,
                                        hd_vec_u32 *schedule);

/* A witness with the claim that this schedule reaches this state; checked by the
 * checker.  False, with an error, if that rejects it. */
bool hd_predicate_witness(hd_predicate_prover *prover, const uint32_t *state,
                          const hd_vec_u32 *schedule, hd_witness *witness, hd_error *error);

/* Reads (and failed tries) in the schedule that see another write than in the trace. */
typedef struct hd_predicate_read {
    uint32_t read, saw, sees; /* event numbers; 0: the initial value */
} hd_predicate_read;

typedef HD_VEC(hd_predicate_read) hd_predicate_reads;

void hd_predicate_changed(const hd_predicate_instance *instance, const hd_vec_u32 *schedule,
                          hd_predicate_reads *reads);

#endif
