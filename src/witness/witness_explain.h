/*
 * What is wrong with a schedule, in one sentence that names the event and the
 * other one involved.  Apart from the rules, so that those stay fast and short:
 * the sentence may take a pass over the trace or the schedule.
 */
#ifndef HD_WITNESS_EXPLAIN_H
#define HD_WITNESS_EXPLAIN_H

#include "witness_state.h"

typedef struct hd_witness_words {
    char text[224];
} hd_witness_words;

/* "event 12, t2|acq(l)|b1" */
const char *hd_witness_say(hd_witness_words *words, const hd_trace *trace, uint32_t number);

/* A name, printable and short enough for a sentence. */
const char *hd_witness_say_name(hd_witness_words *words, const hd_trace *trace,
                                enum heddle_class class, uint32_t id);

/* The event at schedule[at] cannot come next; the state is that before it. */
void hd_witness_explain(const hd_witness_checker *checker, const hd_vec_u32 *schedule, size_t at,
                        enum hd_witness_wrong wrong, hd_error *error);

#endif
