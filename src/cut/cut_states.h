/*
 * The states of a trace: one question, whatever the model, the class of states
 * and the algorithm.
 *
 *     hd_cut_request request = {.class = HD_CUT_CONSISTENT, .model = HD_ORDER_POSET, ...};
 *     hd_cut_answer answer;
 *     if (!hd_cut_states(&order, &request, &answer, &error)) ...
 *     char *digits = hd_cut_count_text(&answer.states);
 *     hd_cut_answer_release(&answer);
 *
 * Which algorithm serves which class:
 *
 *   poset; consistent states     auto bfs dfs tree lex quicklex bounds diagram
 *   feasible lock-free viable    auto bounds diagram lex1 lex2
 *   strongly-feasible            auto sweep lex1 lex2
 *   reachable                    auto sweep lex1 lex2 bfs dfs
 *
 * A loset without locks is a poset.  `auto` counts with a diagram as long as that
 * promises to be quicker, else with bounds; visits with bounds; and for the last
 * two classes sweeps if two slabs fit into the memory.  What `diagram`, `bounds`
 * and `sweep` cannot do within the memory, another algorithm does; the answer
 * says which.  A published algorithm that is asked for is the one used.
 *
 * Several workers share what is ours, and the published algorithms over consistent
 * states; lex1, lex2, and bfs and dfs over reachable states, which each go on from where
 * they are, run on one (hd_cut_shares).
 */
#ifndef HD_CUT_STATES_H
#define HD_CUT_STATES_H

#include "cut_reach.h"
#include "cut_share.h"

extern const char *const hd_cut_algorithm_names[HD_CUT_ALGORITHMS];

/* How the states were gone through. */
enum hd_cut_manner {
    HD_CUT_SYMBOLIC, /* counted together, none visited */
    HD_CUT_BLOCKS,   /* in runs or words */
    HD_CUT_SINGLY,   /* one after the other */
    HD_CUT_MANNERS
};

extern const char *const hd_cut_manner_names[HD_CUT_MANNERS];

typedef struct hd_cut_request {
    enum hd_order_model model;
    enum hd_cut_class class; /* of a poset: consistent */
    enum hd_cut_algorithm algorithm;
    unsigned workers;         /* at least 1 */
    bool lexical;             /* several workers' jobs are to follow each other in this order */
    const uint32_t *places;   /* lexical order; NULL: by first event */
    uint32_t cell_places;     /* of a sweep (cut_sweep.h); 0: as is best */
    size_t memory;            /* bytes */
    bool unchecked;           /* not from a checked trace: perhaps no run */
    hd_cut_visitor *visitors; /* one a worker; NULL: only count */
    const volatile int *stop; /* other than 0: it ends early; NULL: never */
} hd_cut_request;

typedef struct hd_cut_answer {
    hd_cut_count states;             /* all, or those before it stopped */
    enum hd_cut_algorithm algorithm; /* that did it */
    enum hd_cut_manner manner;
    int why;        /* 0: complete; HD_CUT_LIMITED, HD_CUT_STOPPED; else what a visitor returned */
    double busiest; /* CPU seconds of the worker that had most to do */
    uint64_t nodes; /* of a diagram, if it was one */
} hd_cut_answer;

/* False, with an error, if the algorithm does not serve the class, or clocks do
 * not fit into the memory. */
bool hd_cut_states(hd_order *order, const hd_cut_request *request, hd_cut_answer *answer,
                   hd_error *error);
void hd_cut_answer_release(hd_cut_answer *answer);

/* Do several workers share it, and can they do so in lexical order? */
bool hd_cut_shares(enum hd_cut_algorithm algorithm, enum hd_cut_class class, bool lexical);

/* Does it serve this class of this model? */
bool hd_cut_serves(enum hd_cut_algorithm algorithm, enum hd_order_model model,
                   enum hd_cut_class class);

/* For who counts a part of them (cut_slices.h): the orders that are needed, and the same question
 * put simply.  False, with an error, as above. */
bool hd_cut_prepare(hd_order *order, const hd_cut_request *request, hd_cut_request *simple,
                    hd_error *error);

#endif
