/*
 * Detection: is the predicate true in some state of the trace, in which one with
 * the fewest events, in how many, in which, or in every run?
 *
 *     hd_predicate_instance instance;                     predicate and trace
 *     hd_predicate_request request = {.model = ..., .class = ..., .ask = HD_PREDICATE_LEAST_STATE};
 *     hd_predicate_answer answer;
 *     if (!hd_predicate_detect(&instance, &request, &answer, &error)) ...
 *     if (answer.found) use(answer.state);
 *     hd_predicate_answer_release(&answer);
 *
 * The predicate is brought into a form (predicate_form.h), and each of its terms
 * goes to the cheapest algorithm that is exact for it; where none is, states
 * are enumerated (room cut).  The answer says which, and why.
 */
#ifndef HD_PREDICATE_DETECT_H
#define HD_PREDICATE_DETECT_H

#include "predicate_definitely.h"
#include "predicate_prove.h"

enum hd_predicate_ask {
    HD_PREDICATE_LEAST_STATE, /* one with the fewest events, then lexically least */
    HD_PREDICATE_HOW_MANY,    /* states */
    HD_PREDICATE_EVERY_STATE, /* each goes to the sink, in lexical order */
    HD_PREDICATE_EVERY_RUN    /* does every maximal run pass one? */
};

/* Other than 0 stops. */
typedef int hd_predicate_sink(void *context, const uint32_t *state);

typedef struct hd_predicate_request {
    enum hd_cut_class class; /* of the instance's model */
    enum hd_cut_algorithm algorithm;
    enum hd_predicate_ask ask;
    unsigned workers; /* at least 1 */
    size_t memory;
    hd_predicate_prover *keep; /* only states that it proves; NULL: all */
    hd_predicate_sink *sink;
    void *context;
    hd_predicate_control control;
} hd_predicate_request;

enum { HD_PREDICATE_WORDS = 320 };

typedef struct hd_predicate_answer {
    bool found, complete;
    uint32_t *state;     /* if found, where a state was asked for */
    hd_cut_count states; /* solutions, where their number was asked for */
    hd_vec_u32 avoiding; /* a run that passes none, where every run was asked for */
    uint64_t looked_at;  /* states, or pairs of events */
    char class[64];      /* of the predicate */
    char algorithm[64];  /* that did it */
    char why[HD_PREDICATE_WORDS];
} hd_predicate_answer;

/* False, with an error, if the algorithm does not serve, or memory is too small. */
bool hd_predicate_detect(hd_predicate_instance *instance, hd_predicate_request *request,
                         hd_predicate_answer *answer, hd_error *error);
void hd_predicate_answer_release(hd_predicate_answer *answer);

#endif
