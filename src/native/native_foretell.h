/*
 * Runs of an explored program that need not be done, for their log is known beforehand: every
 * step of theirs was seen in some run, with the same findings of its thread's, and what the steps
 * of this one find can be reckoned (native_reckon.h).
 *
 * That stands on this: between its steps a thread uses nothing that others change.  What memory
 * threads share is known to the runtime, and found out in all runs together; accesses to it are
 * steps.  Code without instrumentation is not seen, and where that matters to a thread it will do
 * other than was foretold.  So every run that is done is held against what was learnt, and of
 * those that could be foretold one in 512 is done all the same, and more of the first ones.  One
 * that differs, be it in one operation, ends all foretelling (`wrong`), and what was searched with
 * it is to be searched again.
 *
 * Runs that are not foretold: what ends otherwise than with exit status 0; what has a step that
 * cannot be reckoned, or that nobody saw.
 */
#ifndef HD_NATIVE_FORETELL_H
#define HD_NATIVE_FORETELL_H

#include "native_reckon.h"

typedef struct hd_native_foreteller {
    hd_native_reckoner reckoner;
    uint32_t tries, hits; /* lately */
    uint32_t rest;        /* runs for which it is not tried */
    uint64_t told;        /* runs since all was forgotten */
    uint64_t checked;     /* runs that could be told, and were done all the same */
    const char *wrong;    /* why it is no use; NULL: it is */
} hd_native_foreteller;

void hd_native_foretell_release(hd_native_foreteller *f);

/* Forgets all: the program is seen in another way from now on. */
void hd_native_foretell_forget(hd_native_foreteller *f);

/* A run along the decisions, then as the runtime would go on.  False if it must be done. */
bool hd_native_foretell(hd_native_foreteller *f, const heddle_wire_decision *decisions,
                        size_t count, uint64_t asleep, uint32_t most_steps, hd_native_log *log);

/* A run that was done.  If it contradicts what was learnt, `wrong` says how. */
void hd_native_foretell_learn(hd_native_foreteller *f, const hd_native_log *log,
                              const heddle_wire_looks *looks);

/* Were most of the last runs foretold? */
bool hd_native_foretell_helps(const hd_native_foreteller *f);

#endif
