#include "predicate_normal.h"

#include <string.h>

bool hd_predicate_constant(const hd_predicate *predicate, uint32_t node, int64_t *value) {
    if (predicate->scope[node] != HD_PREDICATE_CONSTANT)
        return false;
    *value = hd_predicate_of_leaves(predicate, node, NULL);
    return true;
}

static enum hd_predicate_kind opposite(enum hd_predicate_kind kind) {
    static const enum hd_predicate_kind of[][2] = {
        {HD_PREDICATE_EQUAL, HD_PREDICATE_UNEQUAL},
        {HD_PREDICATE_LESS, HD_PREDICATE_GREATER_EQUAL},
        {HD_PREDICATE_GREATER, HD_PREDICATE_LESS_EQUAL},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (int j = 0; j < 2; j++)
            if (of[i][j] == kind)
                return of[i][!j];
    assert(0); /* every comparison has one */
    return kind;
}

/* `any` if one place is enough, else all of them. */
static hd_predicate_dnf over_places(const hd_predicate_normal *f, uint32_t local, bool any,
                                    bool want) {
    hd_predicate_dnf to = hd_predicate_dnf_truth(!any);
    for (uint32_t p = 0; p < f->places; p++) {
        hd_predicate_dnf one = hd_predicate_dnf_one(
            (hd_predicate_literal){HD_PREDICATE_LITERAL_LOCAL, local, p, want});
        to = any ? hd_predicate_dnf_either(to, one) : hd_predicate_dnf_both(to, one);
    }
    return to;
}

static hd_predicate_dnf mutex(const hd_predicate_normal *f, const hd_predicate_node *n) {
    uint32_t threads = f->places;
    bool same = strcmp(n->name, n->other) == 0;
    hd_predicate_dnf to = hd_predicate_dnf_truth(false);
    for (uint32_t p = 0; p < threads; p++)
        for (uint32_t q = same ? p + 1 : 0; q < threads; q++)
            if (p != q) {
                hd_predicate_literal pair[2] = {
                    {HD_PREDICATE_LITERAL_LOCAL, f->facts->predicate->local_of[n->a], p, true},
                    {HD_PREDICATE_LITERAL_LOCAL, f->facts->predicate->local_of[n->b], q, true}};
                hd_predicate_dnf_push(&to, pair, 2);
            }
    to.whole = to.terms.length <= HD_PREDICATE_MOST_TERMS;
    return to;
}

/* A condition on a thread; on one that has not come yet, what holds before its first event. */
static hd_predicate_dnf of_thread(const hd_predicate_normal *f, uint32_t node, bool want) {
    uint32_t place = f->facts->place_of[f->facts->predicate->of[node]];
    uint32_t local = f->facts->predicate->local_of[node];
    if (place == HD_PREDICATE_NONE)
        return hd_predicate_dnf_truth((f->facts->initial[local] != 0) == want);
    return hd_predicate_dnf_one(
        (hd_predicate_literal){HD_PREDICATE_LITERAL_LOCAL, local, place, want});
}

static hd_predicate_dnf form_of(const hd_predicate_normal *f, uint32_t node, bool negated);

static hd_predicate_dnf of_operator(const hd_predicate_normal *f, const hd_predicate_node *n,
                                    bool negated) {
    if (n->kind == HD_PREDICATE_NOT)
        return form_of(f, n->a, !negated);
    if (n->kind == HD_PREDICATE_AND || n->kind == HD_PREDICATE_OR) {
        hd_predicate_dnf a = form_of(f, n->a, negated), b = form_of(f, n->b, negated);
        return (n->kind == HD_PREDICATE_AND) != negated ? hd_predicate_dnf_both(a, b)
                                                        : hd_predicate_dnf_either(a, b);
    }
    if (f->facts->predicate->tree.nodes.data[n->a].truth) { /* of two truths */
        bool same = (n->kind == HD_PREDICATE_EQUAL) != negated;
        hd_predicate_dnf yes =
            hd_predicate_dnf_both(form_of(f, n->a, false), form_of(f, n->b, !same));
        hd_predicate_dnf no = hd_predicate_dnf_both(form_of(f, n->a, true), form_of(f, n->b, same));
        return hd_predicate_dnf_either(yes, no);
    }
    assert(n->kind >= HD_PREDICATE_EQUAL && n->kind <= HD_PREDICATE_GREATER_EQUAL);
    return f->compare(f->context, negated ? opposite(n->kind) : n->kind, n->a, n->b);
}

static hd_predicate_dnf form_of(const hd_predicate_normal *f, uint32_t node, bool negated) {
    const hd_predicate_node *n = &f->facts->predicate->tree.nodes.data[node];
    int64_t value;
    if (hd_predicate_constant(f->facts->predicate, node, &value))
        return hd_predicate_dnf_truth(!value == negated);
    if (f->facts->predicate->scope[node] == HD_PREDICATE_ONE &&
        f->facts->predicate->local_of[node] != HD_PREDICATE_NONE)
        return of_thread(f, node, !negated);
    switch (n->kind) {
    case HD_PREDICATE_ANY:
    case HD_PREDICATE_ALL:
        return over_places(f, f->facts->predicate->local_of[n->a],
                           (n->kind == HD_PREDICATE_ANY) != negated, !negated);
    case HD_PREDICATE_MUTEX:
        return negated ? hd_predicate_dnf_opaque(HD_PREDICATE_LITERAL_OPAQUE) : mutex(f, n);
    case HD_PREDICATE_RACE:
        return negated ? hd_predicate_dnf_opaque(HD_PREDICATE_LITERAL_OPAQUE)
                       : hd_predicate_dnf_opaque(HD_PREDICATE_LITERAL_RACE);
    case HD_PREDICATE_DEADLOCK:
        return f->no_deadlock ? hd_predicate_dnf_truth(negated)
                              : hd_predicate_dnf_opaque(HD_PREDICATE_LITERAL_OPAQUE);
    case HD_PREDICATE_PLUGIN:
        return hd_predicate_dnf_opaque(HD_PREDICATE_LITERAL_OPAQUE);
    default:
        return of_operator(f, n, negated);
    }
}

hd_predicate_dnf hd_predicate_normal_form(const hd_predicate_normal *normal) {
    return form_of(normal, normal->facts->predicate->tree.root, false);
}
