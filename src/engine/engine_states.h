/*
 * The question states of a trace: how many global states it has, and which.
 *
 *     hd_engine_states s;
 *     hd_engine_states_init(&s, &trace);
 *     s.request.class = ...; s.names = "T2,T1";
 *     good = hd_engine_states_begin(&s, &error) && hd_engine_states_run(&s, &error);
 *     ... s.counted, s.places, s.verdict
 *     hd_engine_states_release(&s);
 */
#ifndef HD_ENGINE_STATES_H
#define HD_ENGINE_STATES_H

#include "cut/cut.h"
#include "engine_keep.h"
#include "engine_reach.h"
#include "order/order.h"
#include "verdict/verdict.h"

typedef struct hd_engine_states {
    /* The question.  With visitors in the request each state is shown as it comes. */
    const hd_trace *trace;
    hd_cut_request request;
    const char *reach;         /* NULL: all states; else this one, and the answer is there: */
    hd_engine_reach *reached;  /* with the question in it */
    hd_cut_estimate *estimate; /* not NULL: only about how many; question and answer are there */
    hd_cut_posets *posets;     /* not NULL: valid posets instead of states; the answer is there */
    const char *names; /* of threads, from the highest priority on, with commas; NULL: as usual */

    /* The answer. */
    hd_order order;
    uint32_t *places; /* the threads in their order */
    uint32_t threads; /* that have events */
    hd_cut_answer counted;
    bool begun;
    hd_verdict verdict;

    /* In slices (engine_states_slices.c): checkpoints, with a sum of the trace's file; and several
     * processes, of which those that serve have no answer. */
    hd_engine_keep keep;
    uint64_t sum;
    bool team;
} hd_engine_states;

/* Half of what the process may use; the other half is for the trace and its indexes. */
size_t hd_engine_states_memory(void);

void hd_engine_states_init(hd_engine_states *s, const hd_trace *trace);

/* The order of the threads; false if a name is wrong. */
bool hd_engine_states_begin(hd_engine_states *s, hd_error *error);

/* Begins if that was not done. */
bool hd_engine_states_run(hd_engine_states *s, hd_error *error);

/* The same states once more, for this visitor, one after the other; the verdict stays.  False if
 * that ended early. */
bool hd_engine_states_again(hd_engine_states *s, hd_cut_visitor *visitor, hd_error *error);

void hd_engine_states_release(hd_engine_states *s);

/* Inside: the count in slices, or in stages (engine_states_stages.c). */
bool hd_engine_states_sliced(hd_engine_states *s, hd_error *error);
bool hd_engine_states_staged(hd_engine_states *s, hd_error *error);

/* Inside: the answer where time was up, or a signal came, before any was counted. */
void hd_engine_states_none(hd_engine_states *s);

#endif
