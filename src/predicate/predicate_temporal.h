/*
 * Temporal predicates: what the runs from a state on have.
 *
 *     EF(p)     some run passes a state where p is true
 *     AF(p)     every run does
 *     EG(p)     some run has p in all its states
 *     AG(p)     every run does
 *     EU(p, q)  some run passes a state where q is true, and has p in all states before it
 *     AU(p, q)  every run does
 *
 * Runs are maximal: of a poset they end in its last state, of a loset also where no thread can go
 * on.  A run begins with the state that it is asked of, and takes a step at a time (the release and
 * the wait of a condition wait are one).  Operators nest, and go with && || ! and parentheses; what
 * is between them is a predicate of the language.
 *
 * A formula is decided at the empty state.  Where its form allows it, without its states:
 *
 *   EF(p), AG(p)     p without operators: as detection of p, or of !p (predicate_detect.h)
 *   AF(p), EG(p)     the same: as definitely p, or not definitely !p
 *   && || !          each side by itself, if that decides it
 *   of a poset       one of EF, AF directly around one of AG, EG, or the reverse, is true anywhere
 *                    iff what is inside is true in the last state: all runs end there
 *
 * Anything else goes through all states that can be reached (Clarke, Emerson), in the order of
 * their events, from the last back: time and memory are proportional to the states, times threads
 * and operators.  The number of states is exponential in the threads.
 */
#ifndef HD_PREDICATE_TEMPORAL_H
#define HD_PREDICATE_TEMPORAL_H

#include "predicate_detect.h"

enum hd_predicate_temporal_kind {
    HD_PREDICATE_T_EF,
    HD_PREDICATE_T_AF,
    HD_PREDICATE_T_EG,
    HD_PREDICATE_T_AG,
    HD_PREDICATE_T_EU,
    HD_PREDICATE_T_AU,
    HD_PREDICATE_T_NOT,
    HD_PREDICATE_T_AND,
    HD_PREDICATE_T_OR,
    HD_PREDICATE_T_ATOM, /* a predicate without operators */
    HD_PREDICATE_T_LAST  /* operand a in the last state of a poset */
};

typedef struct hd_predicate_temporal_node {
    enum hd_predicate_temporal_kind kind;
    uint32_t a, b;       /* operands, which come before it; of an atom, a is its number */
    uint32_t at, length; /* in the text */
} hd_predicate_temporal_node;

enum { HD_PREDICATE_T_MOST = 64 }; /* nodes */

typedef struct hd_predicate_temporal {
    const char *text;
    HD_VEC(hd_predicate_temporal_node) nodes; /* the last is the root */
    HD_VEC(hd_predicate) atoms;
} hd_predicate_temporal;

/* Does the text have an operator? */
bool hd_predicate_temporal_is(const char *text);

/* The text must stay.  False, with an error and its place. */
bool hd_predicate_temporal_init(hd_predicate_temporal *formula, const char *text,
                                hd_predicate_error *error);
void hd_predicate_temporal_release(hd_predicate_temporal *formula);

/* What is yes, no or not known. */
enum hd_predicate_temporal_truth {
    HD_PREDICATE_T_FALSE,
    HD_PREDICATE_T_TRUE,
    HD_PREDICATE_T_UNKNOWN
};

typedef struct hd_predicate_temporal_check {
    /* The question. */
    hd_order *order;
    enum hd_order_model model; /* of a loset: its reachable states */
    size_t memory;
    bool all;                /* where it is true, not only whether it is at the start */
    bool enumerate;          /* go through all states, whatever the form */
    hd_predicate_sink *sink; /* each such state, in lexical order; may be NULL */
    void *context;
    hd_predicate_control control;

    /* The answer. */
    enum hd_predicate_temporal_truth start; /* at the empty state */
    uint64_t states;                        /* where it is true, if that was asked */
    uint64_t looked_at;
    bool complete;   /* of `states` */
    bool has_path;   /* a run, or its beginning, that shows it: */
    hd_vec_u32 path; /* events; of what is false, it shows why */
    char algorithm[96];
    char why[HD_PREDICATE_WORDS];
} hd_predicate_temporal_check;

/* False, with an error, if a predicate in it does not fit the trace, or the memory is too small. */
bool hd_predicate_temporal_decide(const hd_predicate_temporal *formula,
                                  hd_predicate_temporal_check *check, hd_predicate_error *error);
void hd_predicate_temporal_check_release(hd_predicate_temporal_check *check);

#endif
