/*
 * Whether a feasible state of a loset that grows is strongly feasible: that is a matter of the
 * events in the state alone (cut_normal.h), so what came so far, as a trace, can tell.  It is
 * put in order anew when it has grown since the last question.
 *
 * Events that the detector forgot are forgotten here too: they come before all others then, and
 * what is open of them, such as a hold, stays (predicate_window.h).  A state that is strongly
 * feasible so is strongly feasible.  The reverse is true if every event that is kept has heard of
 * all that were forgotten.
 */
#ifndef HD_PREDICATE_STRONG_H
#define HD_PREDICATE_STRONG_H

#include "predicate_window.h"

typedef struct hd_predicate_strong hd_predicate_strong;

/* The tables must stay. */
hd_predicate_strong *hd_predicate_strong_create(const hd_trace_tables *tables, unsigned workers);
void hd_predicate_strong_free(hd_predicate_strong *strong);

void hd_predicate_strong_take(hd_predicate_strong *strong, uint32_t number,
                              const heddle_event *event);

/* Forgets what the detector did, which keeps so many events. */
void hd_predicate_strong_forget(hd_predicate_strong *strong, const hd_predicate_online *online,
                                uint64_t kept);

/* Of a feasible state: `state[i]` events of thread `threads[i]`.  Each worker may ask at the same
 * time as the others; they wait for each other only while the first puts the trace in order. */
bool hd_predicate_strong_holds(hd_predicate_strong *strong, unsigned worker,
                               const uint32_t *threads, const uint32_t *state, uint32_t count);

#endif
