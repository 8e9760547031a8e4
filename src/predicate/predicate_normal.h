/*
 * The disjunctive normal form of a predicate, over the threads that there are: conditions on one
 * thread each become literals, `any`, `all` and `mutex` are written out.  What is to become of a
 * comparison of numbers of several threads, the caller says.
 */
#ifndef HD_PREDICATE_NORMAL_H
#define HD_PREDICATE_NORMAL_H

#include "predicate_dnf.h"
#include "predicate_facts.h"

typedef struct hd_predicate_normal {
    const hd_predicate_facts *facts;
    uint32_t places;  /* threads */
    bool no_deadlock; /* no state is one */
    hd_predicate_dnf (*compare)(void *context, enum hd_predicate_kind kind, uint32_t a, uint32_t b);
    void *context;
} hd_predicate_normal;

hd_predicate_dnf hd_predicate_normal_form(const hd_predicate_normal *normal);

/* The value of a node that is the same everywhere; false if it is not. */
bool hd_predicate_constant(const hd_predicate *predicate, uint32_t node, int64_t *value);

#endif
