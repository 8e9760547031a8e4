/*
 * Whether a feasible state of a loset that grows is strongly feasible: that is a matter of the
 * events in the state alone (cut_normal.h), so what came so far, as a trace, can tell.  It is
 * put in order anew when it has grown since the last question.
 */
#ifndef HD_PREDICATE_STRONG_H
#define HD_PREDICATE_STRONG_H

#include "cut/cut.h"

typedef struct hd_predicate_strong hd_predicate_strong;

/* The tables must stay. */
hd_predicate_strong *hd_predicate_strong_create(const hd_trace_tables *tables);
void hd_predicate_strong_free(hd_predicate_strong *strong);

void hd_predicate_strong_take(hd_predicate_strong *strong, const heddle_event *event);

/* Of a feasible state: `state[i]` events of thread `threads[i]`.  May be asked by several
 * workers at a time. */
bool hd_predicate_strong_holds(hd_predicate_strong *strong, const uint32_t *threads,
                               const uint32_t *state, uint32_t count);

#endif
