/*
 * Is one global state reachable?  With a schedule that leads there, checked.
 *
 *     hd_engine_reach r = {.trace = &trace, .model = HD_ORDER_LOSET, .text = "T1=3,T2=1"};
 *     good = hd_engine_reach_run(&r, memory, &error);
 *     ... r.answer, r.state, r.witness.schedule, r.event and r.needs, r.verdict
 *     hd_engine_reach_release(&r);
 *
 * A state is named by counts of events: a thread that is not named has none.  In a poset it is
 * reachable if it is consistent, in a loset if some run leads there through feasible states; the
 * reordering solver decides that, without going through other states.
 */
#ifndef HD_ENGINE_REACH_H
#define HD_ENGINE_REACH_H

#include "predicate/predicate.h"
#include "verdict/verdict.h"

typedef struct hd_engine_reach {
    /* The question. */
    const hd_trace *trace;
    enum hd_order_model model;
    const char *text;
    const char *path, *output; /* of the trace; of the witness, NULL: it is not saved */

    /* The answer. */
    enum hd_order_answer answer;
    hd_order order;
    hd_predicate any; /* true everywhere */
    hd_predicate_instance instance;
    uint32_t *state;       /* by place of the instance's space */
    uint32_t event, needs; /* if it is not consistent: an event in it, and one that is not */
    bool cut_step;         /* it lies between the release and the wait of a condition wait */
    hd_witness witness;
    hd_verdict *verdict; /* the caller's */

    bool begun;
} hd_engine_reach;

bool hd_engine_reach_run(hd_engine_reach *r, size_t memory, hd_error *error);
void hd_engine_reach_release(hd_engine_reach *r);

#endif
