/*
 * The question detect: is there a global state where a predicate is true?
 *
 * Of a trace:
 *
 *     hd_engine_detection d;
 *     hd_engine_detect_init(&d, "race");
 *     d.trace = &trace; d.path = "run.std"; d.request.ask = ...
 *     good = hd_engine_detect_run(&d, &error);
 *     ... d.answer, d.witness if d.proved, d.frontier, d.verdict
 *     hd_engine_detect_release(&d);
 *
 * Of a trace that still grows, or of a program while it runs: engine_online.h.
 */
#ifndef HD_ENGINE_DETECT_H
#define HD_ENGINE_DETECT_H

#include "order/order.h"
#include "predicate/predicate.h"
#include "verdict/verdict.h"
#include "witness/witness.h"

typedef struct hd_engine_detection {
    /* The question. */
    const hd_trace *trace;
    const char *path;             /* its name */
    const char *text;             /* the predicate; of one in C its file */
    bool in_c;                    /* it is a file in C */
    enum hd_order_model model;    /* poset */
    hd_predicate_request request; /* what is asked, of which states, how */
    uint64_t most;                /* of every state: at most so many; 0: all */
    bool keep_reads;              /* only schedules in which every read sees what it saw */
    bool only_marks;              /* as if there were nothing but marks and notes */
    bool proves;                  /* of every state: each is proved before it is told */
    const char *output;           /* file for the witness; NULL: none */
    /* Each state, and of one or every run the answer's, when it is proved; other than 0: no more
     * are wanted.  NULL: not told. */
    int (*each)(void *context, struct hd_engine_detection *d, const uint32_t *state);
    void *context;

    /* The answer.  `witness`, `frontier`, `reads` and `proved` are of the state that was told
     * last, or of the run that avoids all of them. */
    hd_predicate_error wrong; /* if the predicate is: its text and the place in it */
    hd_predicate_instance scene;
    hd_order order;
    hd_predicate_answer answer;
    bool proved;
    hd_witness witness;  /* the schedule to the state, if proved */
    hd_vec_u32 frontier; /* the last event of each thread in the state */
    hd_predicate_reads reads;
    uint64_t told; /* states */
    hd_verdict verdict;

    /* Inside. */
    hd_predicate predicate;
    hd_predicate_plugin *plugin;
    hd_predicate_instance marks; /* of only_marks */
    uint32_t *lifted;            /* a state of it, as one of the scene */
    hd_predicate_prover *prover;
    bool read, ready, projected, failed, enough;
    hd_error *error;
} hd_engine_detection;

void hd_engine_detect_init(hd_engine_detection *d, const char *text);

/* Reads the predicate; false, with `wrong` filled in, if it is not one. */
bool hd_engine_detect_read(hd_engine_detection *d, hd_error *error);

/* Reads the predicate if that was not done, and looks. */
bool hd_engine_detect_run(hd_engine_detection *d, hd_error *error);

/* The same states once more, each told: for who has counted them and now wants to see them.  The
 * verdict stays. */
bool hd_engine_detect_again(hd_engine_detection *d, hd_error *error);

void hd_engine_detect_release(hd_engine_detection *d);

/* Is there one state that the answer is about? */
static inline bool hd_engine_detect_has_state(const hd_engine_detection *d) {
    return d->answer.found && d->request.ask == HD_PREDICATE_LEAST_STATE;
}

/* Saves the witness of the state at hand, if it is proved and there is an output; `trace` is what
 * its schedule is of, `path` its name if it has one. */
bool hd_engine_detect_save(hd_engine_detection *d, const hd_trace *trace, const char *path,
                           hd_error *error);

#endif
