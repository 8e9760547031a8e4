#include "predicate_online_terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predicate_normal.h"

enum { MOST_TOTALS = 64, MOST_OPAQUE = 16 };

static const double largest_factor = 1e15, largest_total = 1e18;

void hd_predicate_online_terms_init(hd_predicate_online_terms *terms,
                                    const hd_predicate_facts *facts) {
    *terms = (hd_predicate_online_terms){.facts = facts};
    size_t locals = facts->predicate->locals.length;
    terms->largest = HD_NEW_ARRAY(int64_t, locals + 1);
    for (size_t i = 0; i < locals; i++)
        terms->largest[i] = facts->initial[i] < 0 ? -(facts->initial[i] + 1) : facts->initial[i];
}

static void clear_terms(hd_predicate_online_terms *terms) {
    for (size_t i = 0; i < terms->list.length; i++) {
        hd_vec_release(&terms->list.data[i].conditions);
        hd_vec_release(&terms->list.data[i].totals);
    }
    for (size_t i = 0; i < terms->totals.length; i++)
        hd_vec_release(&terms->totals.data[i].shares);
    hd_vec_clear(&terms->list);
    hd_vec_clear(&terms->totals);
    terms->made = false;
}

void hd_predicate_online_terms_release(hd_predicate_online_terms *terms) {
    clear_terms(terms);
    hd_vec_release(&terms->list);
    hd_vec_release(&terms->totals);
    hd_vec_release(&terms->groupings);
    free(terms->largest);
    *terms = (hd_predicate_online_terms){0};
}

/* ---- Groups ---- */

static bool in_group(const hd_predicate_online_terms *terms,
                     const struct hd_predicate_grouping *grouping, uint32_t group, uint32_t place,
                     uint32_t count) {
    for (uint32_t k = 0; k < grouping->keys; k++)
        if (hd_predicate_at(terms->facts, grouping->key[k], place, count) !=
            grouping->values[group][k])
            return false;
    return true;
}

/* Enters the group of the thread; true if it is new. */
static bool enter_group(const hd_predicate_online_terms *terms,
                        struct hd_predicate_grouping *grouping, uint32_t place, uint32_t count) {
    if (grouping->full || !hd_predicate_at(terms->facts, grouping->local, place, count))
        return false;
    for (uint32_t g = 0; g < grouping->count; g++)
        if (in_group(terms, grouping, g, place, count))
            return false;
    grouping->full = grouping->count == HD_PREDICATE_MOST_GROUPS;
    for (uint32_t k = 0; !grouping->full && k < grouping->keys; k++)
        grouping->values[grouping->count][k] =
            hd_predicate_at(terms->facts, grouping->key[k], place, count);
    grouping->count += !grouping->full;
    return true;
}

/* The grouping of a node, with what is known of all threads; its index. */
static uint32_t grouping_of(hd_predicate_online_terms *terms, uint32_t node) {
    const hd_predicate *predicate = terms->facts->predicate;
    const hd_predicate_node *n = &predicate->tree.nodes.data[node];
    for (uint32_t i = 0; i < terms->groupings.length; i++)
        if (terms->groupings.data[i].node == node)
            return i;
    struct hd_predicate_grouping grouping = {.node = node, .local = predicate->local_of[n->a]};
    for (uint32_t key = n->b; key != HD_PREDICATE_NONE && !grouping.full;
         key = predicate->tree.nodes.data[key].b) {
        grouping.full = grouping.keys == HD_PREDICATE_MOST_KEYS;
        if (!grouping.full)
            grouping.key[grouping.keys++] = predicate->local_of[predicate->tree.nodes.data[key].a];
    }
    for (uint32_t p = 0; p < terms->facts->places.length; p++)
        for (uint32_t c = terms->facts->places.data[p].base;
             c <= terms->facts->places.data[p].count; c++)
            enter_group(terms, &grouping, p, c);
    hd_vec_push(&terms->groupings, grouping);
    return (uint32_t)terms->groupings.length - 1;
}

void hd_predicate_online_terms_note(hd_predicate_online_terms *terms, uint32_t place,
                                    uint32_t count) {
    const hd_predicate *predicate = terms->facts->predicate;
    for (uint32_t i = 0; i < predicate->locals.length; i++) {
        uint32_t thread = predicate->locals.data[i].thread;
        if (thread != HD_PREDICATE_NONE && terms->facts->place_of[thread] != place)
            continue;
        int64_t value = hd_predicate_at(terms->facts, i, place, count);
        value = value < 0 ? -(value + 1) : value;
        terms->largest[i] = value > terms->largest[i] ? value : terms->largest[i];
    }
    for (size_t i = 0; i < terms->groupings.length; i++)
        if (enter_group(terms, &terms->groupings.data[i], place, count))
            terms->made = false;
}

/* ---- Totals ---- */

struct linear {
    HD_VEC(struct hd_predicate_share) shares;
    int64_t constant;
    double size; /* of the constant */
    bool wild;   /* numbers are too large to be sure of */
};

static void add_share(struct linear *to, uint32_t place, uint32_t local, int64_t factor) {
    to->wild |= fabs((double)factor) > largest_factor;
    hd_vec_push(&to->shares, (struct hd_predicate_share){place, local, factor, HD_PREDICATE_NONE,
                                                         HD_PREDICATE_NONE});
}

static void add_constant(struct linear *to, int64_t value, int64_t factor) {
    to->size += fabs((double)value) * fabs((double)factor);
    to->wild |= to->size > largest_total;
    if (!to->wild)
        to->constant += value * factor;
}

static int64_t scale(struct linear *to, int64_t factor, int64_t by) {
    to->wild |= fabs((double)factor) * fabs((double)by) > largest_factor;
    return to->wild ? 0 : factor * by;
}

/* The thread that alone noted or wrote it; `none` if none did. */
static bool only_writer(const hd_predicate_facts *facts, uint32_t stamp, uint32_t *writer,
                        bool *none) {
    *none = true;
    for (uint32_t p = 0; p < facts->places.length; p++)
        if (hd_predicate_at(facts, stamp, p, facts->places.data[p].count)) {
            if (!*none)
                return false;
            *none = false;
            *writer = p;
        }
    return true;
}

static bool add_latest(const hd_predicate_facts *facts, struct linear *to,
                       const hd_predicate_node *n, int64_t factor) {
    const hd_predicate *predicate = facts->predicate;
    uint32_t writer = 0;
    bool none;
    if (!only_writer(facts, predicate->local_of[n->a], &writer, &none))
        return false;
    if (!none)
        add_share(to, writer, predicate->local_of[n->b], factor);
    return true;
}

static bool add_linear(const hd_predicate_facts *facts, struct linear *to, uint32_t node,
                       int64_t factor) {
    const hd_predicate *predicate = facts->predicate;
    const hd_predicate_node *n = &predicate->tree.nodes.data[node];
    int64_t value;
    if (hd_predicate_constant(predicate, node, &value)) {
        add_constant(to, value, factor);
        return !to->wild;
    }
    if (predicate->scope[node] == HD_PREDICATE_ONE) {
        uint32_t local = predicate->local_of[node], place = facts->place_of[predicate->of[node]];
        if (local == HD_PREDICATE_NONE)
            return false;
        if (place == HD_PREDICATE_NONE)
            add_constant(to, facts->initial[local], factor);
        else
            add_share(to, place, local, factor);
        return !to->wild;
    }
    switch (n->kind) {
    case HD_PREDICATE_ADD:
        return add_linear(facts, to, n->a, factor) && add_linear(facts, to, n->b, factor);
    case HD_PREDICATE_SUBTRACT:
        return add_linear(facts, to, n->a, factor) && add_linear(facts, to, n->b, -factor);
    case HD_PREDICATE_MINUS:
        return add_linear(facts, to, n->a, -factor);
    case HD_PREDICATE_MULTIPLY:
        if (hd_predicate_constant(predicate, n->a, &value))
            return add_linear(facts, to, n->b, scale(to, factor, value));
        return hd_predicate_constant(predicate, n->b, &value) &&
               add_linear(facts, to, n->a, scale(to, factor, value));
    case HD_PREDICATE_LATEST:
        return add_latest(facts, to, n, factor);
    case HD_PREDICATE_COUNT:
        if (n->b != HD_PREDICATE_NONE)
            return false;
        /* fall through */
    case HD_PREDICATE_SUM:
        for (uint32_t p = 0; p < facts->places.length; p++)
            add_share(to, p, predicate->local_of[n->a], factor);
        return true;
    default:
        return false;
    }
}

static int by_share_place(const void *a, const void *b) {
    const struct hd_predicate_share *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* factor * linear + shift >= 0, as a literal */
static hd_predicate_dnf push_total(hd_predicate_online_terms *terms, const struct linear *linear,
                                   int64_t factor, int64_t shift) {
    struct hd_predicate_total total = {.least = -(factor * linear->constant + shift),
                                       .constant = linear->size + 1};
    for (size_t i = 0; i < linear->shares.length; i++) {
        struct hd_predicate_share share = linear->shares.data[i];
        share.factor *= factor;
        hd_vec_push(&total.shares, share);
    }
    if (total.shares.length)
        qsort(total.shares.data, total.shares.length, sizeof *total.shares.data, by_share_place);
    hd_vec_push(&terms->totals, total);
    return hd_predicate_dnf_one((hd_predicate_literal){.kind = HD_PREDICATE_LITERAL_SUM,
                                                       .a = (uint32_t)terms->totals.length - 1});
}

/* As compare_groups of predicate_form.c: the largest group has at least so many if some group has,
 * and fewer if every one has. */
static bool compare_groups(hd_predicate_online_terms *terms, enum hd_predicate_kind kind,
                           uint32_t a, uint32_t b, hd_predicate_dnf *to) {
    const hd_predicate *predicate = terms->facts->predicate;
    const hd_predicate_node *n = &predicate->tree.nodes.data[a];
    bool more = kind == HD_PREDICATE_GREATER || kind == HD_PREDICATE_GREATER_EQUAL;
    bool less = kind == HD_PREDICATE_LESS || kind == HD_PREDICATE_LESS_EQUAL;
    int64_t bound;
    if (n->kind != HD_PREDICATE_COUNT || n->b == HD_PREDICATE_NONE || (!more && !less) ||
        !hd_predicate_constant(predicate, b, &bound) || bound < 1 || bound > INT32_MAX)
        return false;
    uint32_t index = grouping_of(terms, a);
    const struct hd_predicate_grouping *grouping = &terms->groupings.data[index];
    if (grouping->full || terms->totals.length + grouping->count > MOST_TOTALS)
        return false;
    bound += kind == HD_PREDICATE_GREATER || kind == HD_PREDICATE_LESS_EQUAL; /* >= it, < it */
    *to = hd_predicate_dnf_truth(less);
    for (uint32_t g = 0; g < grouping->count; g++) {
        struct linear linear = {0};
        for (uint32_t p = 0; p < terms->facts->places.length; p++)
            hd_vec_push(&linear.shares,
                        (struct hd_predicate_share){p, grouping->local, 1, index, g});
        hd_predicate_dnf one = more ? push_total(terms, &linear, 1, -bound)
                                    : push_total(terms, &linear, -1, bound - 1);
        *to = more ? hd_predicate_dnf_either(*to, one) : hd_predicate_dnf_both(*to, one);
        hd_vec_release(&linear.shares);
    }
    return true;
}

static hd_predicate_dnf compare_totals(void *context, enum hd_predicate_kind kind, uint32_t a,
                                       uint32_t b) {
    hd_predicate_online_terms *terms = context;
    struct linear linear = {0};
    hd_predicate_dnf to;
    if (compare_groups(terms, kind, a, b, &to))
        return to;
    bool less = kind == HD_PREDICATE_LESS || kind == HD_PREDICATE_LESS_EQUAL;
    bool strict = kind == HD_PREDICATE_LESS || kind == HD_PREDICATE_GREATER;
    if (terms->totals.length >= MOST_TOTALS || !add_linear(terms->facts, &linear, a, 1) ||
        !add_linear(terms->facts, &linear, b, -1) || linear.wild)
        to = hd_predicate_dnf_opaque(HD_PREDICATE_LITERAL_OPAQUE);
    else if (kind == HD_PREDICATE_EQUAL)
        to = hd_predicate_dnf_both(push_total(terms, &linear, 1, 0),
                                   push_total(terms, &linear, -1, 0));
    else if (kind == HD_PREDICATE_UNEQUAL)
        to = hd_predicate_dnf_either(push_total(terms, &linear, 1, -1),
                                     push_total(terms, &linear, -1, -1));
    else
        to = push_total(terms, &linear, less ? -1 : 1, -strict);
    hd_vec_release(&linear.shares);
    return to;
}

bool hd_predicate_online_total_exact(const hd_predicate_online_terms *terms, uint32_t total) {
    const struct hd_predicate_total *it = &terms->totals.data[total];
    double size = it->constant;
    for (size_t i = 0; i < it->shares.length; i++)
        size += fabs((double)it->shares.data[i].factor) *
                ((double)terms->largest[it->shares.data[i].local] + 1);
    return size < largest_total;
}

static size_t first_share(const struct hd_predicate_total *total, uint32_t place) {
    size_t from;
    hd_vec_lower(from, &total->shares, place, place);
    return from;
}

int64_t hd_predicate_online_total_at(const hd_predicate_online_terms *terms,
                                     const struct hd_predicate_total *total, uint32_t place,
                                     uint32_t count) {
    int64_t sum = 0;
    for (size_t i = first_share(total, place);
         i < total->shares.length && total->shares.data[i].place == place; i++) {
        const struct hd_predicate_share *share = &total->shares.data[i];
        int64_t value = hd_predicate_at(terms->facts, share->local, place, count);
        if (share->grouping != HD_PREDICATE_NONE)
            value = value && in_group(terms, &terms->groupings.data[share->grouping], share->group,
                                      place, count);
        sum += share->factor * value;
    }
    return sum;
}

/* ---- Terms ---- */

static int by_literal_place(const void *a, const void *b) {
    const hd_predicate_literal *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* What follows from several totals together: their sum is at least the sum of what they must be.
 * Threads that can be in one but not in two of them show there. */
static void add_sum_of_totals(hd_predicate_online_terms *terms,
                              struct hd_predicate_online_term *term) {
    struct hd_predicate_total sum = {0};
    double least = 0;
    for (size_t i = 0; i < term->totals.length; i++) {
        const struct hd_predicate_total *it = &terms->totals.data[term->totals.data[i]];
        for (size_t j = 0; j < it->shares.length; j++)
            hd_vec_push(&sum.shares, it->shares.data[j]);
        sum.constant += it->constant;
        least += fabs((double)it->least);
        sum.least += least < largest_total ? it->least : 0;
    }
    if (term->totals.length < 2 || least >= largest_total) {
        hd_vec_release(&sum.shares);
        return;
    }
    if (sum.shares.length)
        qsort(sum.shares.data, sum.shares.length, sizeof *sum.shares.data, by_share_place);
    hd_vec_push(&terms->totals, sum);
    hd_vec_push(&term->totals, (uint32_t)terms->totals.length - 1);
}

static void push_term(hd_predicate_online_terms *terms, const hd_predicate_literals *literals) {
    struct hd_predicate_online_term term = {.opaque = !literals};
    for (size_t i = 0; literals && i < literals->length; i++) {
        const hd_predicate_literal *it = &literals->data[i];
        if (it->kind == HD_PREDICATE_LITERAL_LOCAL)
            hd_vec_push(&term.conditions, *it);
        else if (it->kind == HD_PREDICATE_LITERAL_SUM)
            hd_vec_push(&term.totals, it->a);
        else
            term.opaque = true;
    }
    add_sum_of_totals(terms, &term);
    if (term.conditions.length)
        qsort(term.conditions.data, term.conditions.length, sizeof *term.conditions.data,
              by_literal_place);
    hd_vec_push(&terms->list, term);
}

static bool has_condition(const struct hd_predicate_online_term *term,
                          const hd_predicate_literal *wanted) {
    for (size_t i = 0; i < term->conditions.length; i++) {
        const hd_predicate_literal *it = &term->conditions.data[i];
        if (it->place == wanted->place && it->a == wanted->a && it->want == wanted->want)
            return true;
    }
    return false;
}

/* Of terms that only evaluating decides, that means evaluating the whole predicate: does one look
 * at every state at which the other does? */
static bool covers(const struct hd_predicate_online_term *term,
                   const struct hd_predicate_online_term *other) {
    bool all = term->opaque && other->opaque && !term->totals.length;
    for (size_t i = 0; i < term->conditions.length && all; i++)
        all = has_condition(other, &term->conditions.data[i]);
    return all;
}

static void drop_covered(hd_predicate_online_terms *terms) {
    size_t kept = 0, opaque = 0;
    for (size_t i = 0; i < terms->list.length; i++)
        opaque += terms->list.data[i].opaque;
    if (opaque > MOST_OPAQUE) { /* they overlap: it is less work to look at each state once */
        hd_predicate_online_terms_make_opaque(terms);
        return;
    }
    for (size_t i = 0; i < terms->list.length; i++) {
        struct hd_predicate_online_term term = terms->list.data[i];
        bool covered = false;
        for (size_t j = 0; j < terms->list.length && opaque > 1 && !covered; j++)
            covered = (j < kept || j > i) && covers(&terms->list.data[j], &term);
        if (covered) {
            hd_vec_release(&term.conditions);
            hd_vec_release(&term.totals);
        } else {
            terms->list.data[kept++] = term;
        }
    }
    terms->list.length = kept;
}

void hd_predicate_online_terms_make_opaque(hd_predicate_online_terms *terms) {
    clear_terms(terms);
    push_term(terms, NULL);
    terms->made = true;
}

void hd_predicate_online_terms_make(hd_predicate_online_terms *terms) {
    hd_predicate_normal normal = {.facts = terms->facts,
                                  .places = (uint32_t)terms->facts->places.length,
                                  .compare = compare_totals,
                                  .context = terms};
    clear_terms(terms);
    hd_predicate_dnf dnf = hd_predicate_normal_form(&normal);
    for (size_t i = 0; dnf.whole && i < dnf.terms.length; i++)
        push_term(terms, &dnf.terms.data[i]);
    if (!dnf.whole)
        push_term(terms, NULL);
    hd_predicate_dnf_release(&dnf);
    drop_covered(terms);
    terms->made = true;
}
