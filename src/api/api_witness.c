#include <stdlib.h>

#include "api_trace.h"
#include "witness/witness.h"

struct heddle_witness {
    hd_witness witness;
    const hd_trace *trace;
    hd_vec_char claim; /* as text */
};

heddle_witness *heddle_witness_open(const heddle_trace *trace, const char *path,
                                    heddle_error *error) {
    heddle_witness *handle = HD_NEW(heddle_witness);
    hd_witness_init(&handle->witness);
    handle->trace = &trace->trace;
    if (!hd_witness_load(&handle->witness, handle->trace, path, hd_api_error(error))) {
        heddle_witness_close(handle);
        return NULL;
    }
    hd_witness_claim_print(&handle->witness.claim, handle->trace, &handle->claim);
    hd_vec_push(&handle->claim, '\0');
    return handle;
}

void heddle_witness_close(heddle_witness *witness) {
    if (!witness)
        return;
    hd_witness_release(&witness->witness);
    hd_vec_release(&witness->claim);
    free(witness);
}

bool heddle_witness_check(const heddle_witness *witness, heddle_error *error) {
    return hd_witness_check(&witness->witness, witness->trace, hd_api_error(error));
}

size_t heddle_witness_length(const heddle_witness *witness) {
    return witness->witness.schedule.length;
}

const uint32_t *heddle_witness_schedule(const heddle_witness *witness) {
    return witness->witness.schedule.data;
}

const char *heddle_witness_claim(const heddle_witness *witness) {
    return witness->claim.data;
}
