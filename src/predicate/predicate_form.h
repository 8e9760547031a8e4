/*
 * The form of a predicate over a instance: a disjunction of terms, each of
 *
 *   local conditions   which counts of each thread it allows
 *   sums               of one number a thread, which must be at least so much
 *   the rest           whatever is neither (`opaque`): only evaluating tells
 *
 * So a term without sums and rest is conjunctive (Garg, Waldecker); a sum of which
 * all threads but one can only make less is linear (Chase, Garg): while it is too
 * small, no state is a solution until that thread goes on.  A term of local and
 * linear conditions has a least state.  If there would be too many terms the whole
 * is one opaque term.
 */
#ifndef HD_PREDICATE_FORM_H
#define HD_PREDICATE_FORM_H

#include "predicate_instance.h"

typedef struct hd_predicate_sum {
    int64_t *value; /* [start[p] + c] */
    int64_t least;
    uint32_t rising;  /* threads that can make it more */
    uint32_t falling; /* threads that can make it less */
    uint32_t mover;   /* the only one that can make it more, if it is one */
} hd_predicate_sum;

typedef struct hd_predicate_term {
    hd_bits allowed; /* [start[p] + c]; never between the halves of a step */
    bool local;      /* it has local conditions */
    uint32_t places; /* threads with one */
    hd_vec_u32 sums; /* in the form's */
    bool opaque, races;
    bool closed; /* local conditions that hold from some count on */
} hd_predicate_term;

typedef struct hd_predicate_form {
    const hd_predicate_instance *instance;
    HD_VEC(hd_predicate_sum) sums;
    HD_VEC(hd_predicate_term) terms;
    bool split; /* false: too many terms */
} hd_predicate_form;

void hd_predicate_form_init(hd_predicate_form *form, const hd_predicate_instance *instance);
void hd_predicate_form_release(hd_predicate_form *form);

static inline bool hd_predicate_sum_linear(const hd_predicate_sum *sum) {
    return sum->rising <= 1;
}

/* The class of a term, and of the whole. */
enum hd_predicate_class {
    HD_PREDICATE_CONJUNCTIVE,
    HD_PREDICATE_LINEAR,
    HD_PREDICATE_ADDITIVE,
    HD_PREDICATE_RACES,  /* race alone */
    HD_PREDICATE_SLICED, /* with local conditions beside the rest */
    HD_PREDICATE_GENERAL
};

enum hd_predicate_class hd_predicate_term_class(const hd_predicate_form *form, size_t term);

/* Once true, true for ever: what makes it true stays so however threads go on. */
bool hd_predicate_form_stable(const hd_predicate_form *form);

#endif
