#include "predicate_dnf.h"

void hd_predicate_dnf_release(hd_predicate_dnf *dnf) {
    for (size_t i = 0; i < dnf->terms.length; i++)
        hd_vec_release(&dnf->terms.data[i]);
    hd_vec_release(&dnf->terms);
}

void hd_predicate_dnf_push(hd_predicate_dnf *dnf, const hd_predicate_literal *list, size_t count) {
    hd_predicate_literals term = {0};
    for (size_t i = 0; i < count; i++)
        hd_vec_push(&term, list[i]);
    hd_vec_push(&dnf->terms, term);
}

hd_predicate_dnf hd_predicate_dnf_one(hd_predicate_literal literal) {
    hd_predicate_dnf dnf = {.whole = true};
    hd_predicate_dnf_push(&dnf, &literal, 1);
    return dnf;
}

hd_predicate_dnf hd_predicate_dnf_either(hd_predicate_dnf a, hd_predicate_dnf b) {
    for (size_t i = 0; i < b.terms.length; i++)
        hd_vec_push(&a.terms, b.terms.data[i]);
    hd_vec_release(&b.terms);
    a.whole &= b.whole && a.terms.length <= HD_PREDICATE_MOST_TERMS;
    return a;
}

hd_predicate_dnf hd_predicate_dnf_both(hd_predicate_dnf a, hd_predicate_dnf b) {
    hd_predicate_dnf to = {.whole = a.whole && b.whole};
    to.whole &= !b.terms.length || a.terms.length <= HD_PREDICATE_MOST_TERMS / b.terms.length;
    for (size_t i = 0; i < a.terms.length && to.whole; i++)
        for (size_t j = 0; j < b.terms.length; j++) {
            hd_predicate_dnf_push(&to, a.terms.data[i].data, a.terms.data[i].length);
            hd_predicate_literals *term = hd_vec_last(&to.terms);
            for (size_t k = 0; k < b.terms.data[j].length; k++)
                hd_vec_push(term, b.terms.data[j].data[k]);
        }
    assert(!to.whole || to.terms.length == a.terms.length * b.terms.length);
    hd_predicate_dnf_release(&a);
    hd_predicate_dnf_release(&b);
    return to;
}

hd_predicate_dnf hd_predicate_dnf_truth(bool value) {
    hd_predicate_dnf dnf = {.whole = true};
    if (value)
        hd_predicate_dnf_push(&dnf, NULL, 0);
    return dnf;
}

hd_predicate_dnf hd_predicate_dnf_opaque(enum hd_predicate_literal_kind kind) {
    return hd_predicate_dnf_one((hd_predicate_literal){.kind = kind});
}
