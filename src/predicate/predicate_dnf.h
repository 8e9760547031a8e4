/*
 * Terms in the making, in disjunctive normal form: each is a list of literals.  A predicate becomes
 * one from its leaves up; predicate_form.h says what becomes of it.
 */
#ifndef HD_PREDICATE_DNF_H
#define HD_PREDICATE_DNF_H

#include "base/base.h"

enum { HD_PREDICATE_MOST_TERMS = 4096 };

enum hd_predicate_literal_kind {
    HD_PREDICATE_LITERAL_LOCAL,
    HD_PREDICATE_LITERAL_SUM,
    HD_PREDICATE_LITERAL_OPAQUE,
    HD_PREDICATE_LITERAL_RACE
};

typedef struct hd_predicate_literal {
    enum hd_predicate_literal_kind kind;
    uint32_t a, place; /* a local and its place, or a sum */
    bool want;         /* of a local */
} hd_predicate_literal;

typedef HD_VEC(hd_predicate_literal) hd_predicate_literals;

typedef struct hd_predicate_dnf {
    HD_VEC(hd_predicate_literals) terms;
    bool whole; /* false: too many */
} hd_predicate_dnf;

void hd_predicate_dnf_release(hd_predicate_dnf *dnf);

/* One term more. */
void hd_predicate_dnf_push(hd_predicate_dnf *dnf, const hd_predicate_literal *list, size_t count);

/* Of one term with one literal; true, or false; one term that only evaluating decides. */
hd_predicate_dnf hd_predicate_dnf_one(hd_predicate_literal literal);
hd_predicate_dnf hd_predicate_dnf_truth(bool value);
hd_predicate_dnf hd_predicate_dnf_opaque(enum hd_predicate_literal_kind kind);

/* They take over what they are given. */
hd_predicate_dnf hd_predicate_dnf_either(hd_predicate_dnf a, hd_predicate_dnf b);
hd_predicate_dnf hd_predicate_dnf_both(hd_predicate_dnf a, hd_predicate_dnf b);

#endif
