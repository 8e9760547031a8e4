/*
 * Looks for failures and deadlocks of a program by going through its states (predict_states.h).
 * Runs in random orders of the threads come first; then a run is made where the search comes to a
 * step that no run has shown.
 */
#ifndef HD_NATIVE_STATES_H
#define HD_NATIVE_STATES_H

#include "native_machine.h"

typedef struct hd_native_states hd_native_states;

enum hd_native_states_end {
    HD_NATIVE_STATES_PAUSED,
    HD_NATIVE_STATES_OVER,  /* nothing is left to do, or it does not work for this program */
    HD_NATIVE_STATES_NEWS,  /* the machine has changed, or is broken */
    HD_NATIVE_STATES_FAILS, /* a run did */
    HD_NATIVE_STATES_STUCK  /* one came to where no thread can go on */
};

/* What there was so far. */
typedef struct hd_native_states_figures {
    uint64_t states;                /* that were gone through in the largest search */
    uint64_t executions;            /* runs that came to an end, */
    uint64_t deadlocks, violations; /* in these ways among others, */
    uint64_t blocked, cut;          /* and runs that did not */
    bool finished;                  /* by what is known there are no other states */
} hd_native_states_figures;

/* The machine is for this alone from now on.  At most so many bytes are taken for states.  Runs in
 * random orders are drawn from the seed. */
hd_native_states *hd_native_states_create(hd_machine *machine, size_t most_bytes, uint64_t seed);

/* Goes on for that much work, a number of steps, or until a run ended badly: these are its steps.
 */
enum hd_native_states_end hd_native_states_go_on(hd_native_states *it, uint64_t work,
                                                 hd_steps *schedule);

hd_native_states_figures hd_native_states_count(const hd_native_states *it);
void hd_native_states_free(hd_native_states *it);

#endif
