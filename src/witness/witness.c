/*
 * The witness itself: a schedule, a claim and three strings.
 */
#include "witness.h"

#include <stdlib.h>

void hd_witness_init(hd_witness *witness) {
    *witness = (hd_witness){0};
}

void hd_witness_claim_release(hd_witness_claim *claim) {
    hd_vec_release(&claim->acquires);
    hd_vec_release(&claim->counts);
    *claim = (hd_witness_claim){0};
}

uint32_t hd_witness_claim_next(const hd_witness *witness) {
    for (size_t i = 0; i < witness->schedule.length; i++)
        if (witness->schedule.data[i] == witness->claim.between)
            return witness->claim.second;
    return witness->claim.between;
}

void hd_witness_clear(hd_witness *witness) {
    hd_vec_u32 schedule = witness->schedule; /* keeps its memory for the next one */
    witness->schedule = (hd_vec_u32){0};
    hd_witness_release(witness);
    witness->schedule = schedule;
    hd_vec_clear(&witness->schedule);
}

void hd_witness_release(hd_witness *witness) {
    hd_vec_release(&witness->schedule);
    hd_witness_claim_release(&witness->claim);
    free(witness->question);
    free(witness->verdict);
    free(witness->trace);
    *witness = (hd_witness){0};
}
