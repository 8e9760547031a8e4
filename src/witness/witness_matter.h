/*
 * Which reads of a schedule matter: what its threads do depends on them (doc/witness.md, "Reads
 * that matter").  Threads contribute prefixes, and so do the reads of a thread that matter: for
 * each thread one number says how far they go.
 */
#ifndef HD_WITNESS_MATTER_H
#define HD_WITNESS_MATTER_H

#include "witness_state.h"

/* Fills checker->matters for the witness. */
void hd_witness_matter(hd_witness_checker *checker, const hd_witness *witness);

#endif
