/*
 * Tables of witnesses of nondeterminism, for tests: which of the three orders of
 * which triplet is feasible.  The final read of a variable is read 0.
 */
#ifndef SUPPORT_NONDET_H
#define SUPPORT_NONDET_H

#include "trace/trace.h"
#include "witness/witness.h"

typedef struct support_nondet support_nondet;

support_nondet *support_nondet_create(const hd_trace *trace);
void support_nondet_free(support_nondet *table);

/* Is c (0: the initial value) a challenger of the read, or of the final read of
 * the variable if read is 0? */
bool support_nondet_challenges(const hd_trace *trace, uint32_t read, uint32_t variable, uint32_t c);

/* The last write of a variable, 0 if none exists; and the write a read saw. */
uint32_t support_nondet_last(const hd_trace *trace, uint32_t variable);
uint32_t support_nondet_writer(const hd_trace *trace, uint32_t read, uint32_t variable);

void support_nondet_set(support_nondet *table, enum hd_witness_order order, uint32_t read,
                        uint32_t variable, uint32_t challenger);
bool support_nondet_get(const support_nondet *table, enum hd_witness_order order, uint32_t read,
                        uint32_t variable, uint32_t challenger);

/* The same witnesses?  If not, the first difference in `why`. */
bool support_nondet_equal(const hd_trace *trace, const support_nondet *expected,
                          const support_nondet *found, char *why, size_t why_size);

typedef struct support_nondet_sums {
    uint64_t triplets, feasible;
    uint64_t nondeterministic; /* reads, final ones too */
} support_nondet_sums;

support_nondet_sums support_nondet_sum(const hd_trace *trace, const support_nondet *table);

#endif
