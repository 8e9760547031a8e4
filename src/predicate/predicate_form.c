#include "predicate_form.h"

#include <math.h>
#include <string.h>

#include "predicate_normal.h"

enum { MOST_SUMS = 64, MOST_GROUPS = 32, MOST_KEYS = 4 };

struct former {
    hd_predicate_form *form;
    const hd_predicate_facts *facts;
    const hd_predicate *predicate;
};

/* ---- Sums ---- */

/* Numbers are kept so small that nothing wraps round: `size` bounds them. */
struct linear {
    int64_t constant;
    int64_t *value;
    double size;
};

static const double largest = 1e18;

static int64_t times(int64_t a, int64_t b) {
    return hd_predicate_apply(HD_PREDICATE_MULTIPLY, a, b);
}

static int64_t plus(int64_t a, int64_t b) {
    return hd_predicate_apply(HD_PREDICATE_ADD, a, b);
}

static void add_column(const struct former *f, struct linear *to, uint32_t local, uint32_t place,
                       int64_t factor) {
    const hd_cut_space *space = &f->form->instance->space;
    double most = 0;
    assert(place < space->threads); /* a thread that is named has events */
    for (uint32_t c = 0; c <= space->length[place]; c++) {
        int64_t *value = &to->value[space->start[place] + c];
        int64_t more = hd_predicate_at(f->facts, local, place, c);
        *value = plus(*value, times(factor, more));
        most = fmax(most, fabs((double)more));
    }
    to->size += most * fabs((double)factor);
}

/* The only thread that notes or writes it; HD_PREDICATE_NONE if there are several. */
static uint32_t only_writer(const struct former *f, uint32_t stamp) {
    const hd_cut_space *space = &f->form->instance->space;
    uint32_t writer = HD_PREDICATE_NONE;
    assert(stamp < f->predicate->locals.length);
    for (uint32_t p = 0; p < space->threads; p++)
        if (hd_predicate_at(f->facts, stamp, p, space->length[p])) {
            if (writer != HD_PREDICATE_NONE)
                return HD_PREDICATE_NONE;
            writer = p;
        }
    return writer;
}

static bool add_linear(const struct former *f, struct linear *to, uint32_t node, int64_t factor) {
    const hd_predicate_node *n = &f->predicate->tree.nodes.data[node];
    int64_t value;
    if (hd_predicate_constant(f->predicate, node, &value)) {
        to->constant = plus(to->constant, times(factor, value));
        to->size += fabs((double)factor) * fabs((double)value);
        return true;
    }
    if (f->predicate->scope[node] == HD_PREDICATE_ONE) {
        add_column(f, to, f->predicate->local_of[node], f->facts->place_of[f->predicate->of[node]],
                   factor);
        return true;
    }
    switch (n->kind) {
    case HD_PREDICATE_ADD:
        return add_linear(f, to, n->a, factor) && add_linear(f, to, n->b, factor);
    case HD_PREDICATE_SUBTRACT:
        return add_linear(f, to, n->a, factor) && add_linear(f, to, n->b, times(factor, -1));
    case HD_PREDICATE_MINUS:
        return add_linear(f, to, n->a, times(factor, -1));
    case HD_PREDICATE_MULTIPLY:
        if (hd_predicate_constant(f->predicate, n->a, &value))
            return add_linear(f, to, n->b, times(factor, value));
        return hd_predicate_constant(f->predicate, n->b, &value) &&
               add_linear(f, to, n->a, times(factor, value));
    case HD_PREDICATE_LATEST: {
        uint32_t writer = only_writer(f, f->predicate->local_of[n->a]);
        if (writer == HD_PREDICATE_NONE)
            return false;
        add_column(f, to, f->predicate->local_of[n->b], writer, factor);
        return true;
    }
    case HD_PREDICATE_COUNT:
        if (n->b != HD_PREDICATE_NONE)
            return false;
        /* fall through */
    case HD_PREDICATE_SUM:
        for (uint32_t p = 0; p < f->form->instance->space.threads; p++)
            add_column(f, to, f->predicate->local_of[n->a], p, factor);
        return true;
    default:
        return false;
    }
}

static void find_movers(const struct former *f, hd_predicate_sum *sum) {
    const hd_cut_space *space = &f->form->instance->space;
    sum->mover = HD_PREDICATE_NONE;
    for (uint32_t p = 0; p < space->threads; p++) {
        const int64_t *value = sum->value + space->start[p];
        bool rises = false, falls = false;
        for (uint32_t c = 1; c <= space->length[p]; c++) {
            rises |= value[c] > value[c - 1];
            falls |= value[c] < value[c - 1];
        }
        sum->rising += rises;
        sum->falling += falls;
        if (rises)
            sum->mover = p;
    }
}

/* factor * linear + shift >= 0 */
static uint32_t push_sum(const struct former *f, const struct linear *linear, int64_t factor,
                         int64_t shift) {
    size_t positions = f->form->instance->space.start[f->form->instance->space.threads];
    hd_predicate_sum sum = {.value = HD_NEW_ARRAY(int64_t, positions + 1)};
    for (size_t i = 0; i < positions; i++)
        sum.value[i] = times(factor, linear->value[i]);
    sum.least = times(-1, plus(times(factor, linear->constant), shift));
    find_movers(f, &sum);
    assert(sum.mover == HD_PREDICATE_NONE || sum.mover < f->form->instance->space.threads);
    hd_vec_push(&f->form->sums, sum);
    return (uint32_t)f->form->sums.length - 1;
}

/* ---- Groups ---- */

struct groups {
    uint32_t count, keys;
    uint32_t local, key[MOST_KEYS]; /* what is counted, and by what */
    int64_t values[MOST_GROUPS][MOST_KEYS];
};

static bool in_group(const struct former *f, const struct groups *groups, uint32_t group,
                     uint32_t place, uint32_t count) {
    for (uint32_t k = 0; k < groups->keys; k++)
        if (hd_predicate_at(f->facts, groups->key[k], place, count) != groups->values[group][k])
            return false;
    return true;
}

/* Enters the group of a thread at a count; false if there are too many. */
static bool enter_group(const struct former *f, struct groups *groups, uint32_t place,
                        uint32_t count) {
    for (uint32_t g = 0; g < groups->count; g++)
        if (in_group(f, groups, g, place, count))
            return true;
    if (groups->count == MOST_GROUPS)
        return false;
    for (uint32_t k = 0; k < groups->keys; k++)
        groups->values[groups->count][k] = hd_predicate_at(f->facts, groups->key[k], place, count);
    groups->count++;
    assert(in_group(f, groups, groups->count - 1, place, count));
    return true;
}

static bool find_groups(const struct former *f, const hd_predicate_node *n, struct groups *groups) {
    const hd_cut_space *space = &f->form->instance->space;
    *groups = (struct groups){.local = f->predicate->local_of[n->a]};
    for (uint32_t key = n->b; key != HD_PREDICATE_NONE;
         key = f->predicate->tree.nodes.data[key].b) {
        if (groups->keys == MOST_KEYS)
            return false;
        groups->key[groups->keys++] = f->predicate->local_of[f->predicate->tree.nodes.data[key].a];
    }
    for (uint32_t p = 0; p < space->threads; p++)
        for (uint32_t c = 0; c <= space->length[p]; c++)
            if (hd_predicate_at(f->facts, groups->local, p, c) && !enter_group(f, groups, p, c))
                return false;
    return f->form->sums.length + groups->count <= MOST_SUMS;
}

/* The count of the largest group is at least so much if that of some group is; it is
 * less if that of every one is.  False if it is not of that kind. */
static bool compare_groups(const struct former *f, enum hd_predicate_kind kind, uint32_t a,
                           uint32_t b, hd_predicate_dnf *to) {
    const hd_predicate_node *n = &f->predicate->tree.nodes.data[a];
    const hd_cut_space *space = &f->form->instance->space;
    struct groups groups;
    int64_t bound;
    bool more = kind == HD_PREDICATE_GREATER || kind == HD_PREDICATE_GREATER_EQUAL;
    bool less = kind == HD_PREDICATE_LESS || kind == HD_PREDICATE_LESS_EQUAL;
    if (n->kind != HD_PREDICATE_COUNT || n->b == HD_PREDICATE_NONE || (!more && !less) ||
        !hd_predicate_constant(f->predicate, b, &bound) || bound < 1 || bound > INT32_MAX ||
        !find_groups(f, n, &groups))
        return false;
    bound += kind == HD_PREDICATE_GREATER || kind == HD_PREDICATE_LESS_EQUAL; /* >= it, < it */
    struct linear linear = {.value = HD_NEW_ARRAY(int64_t, space->start[space->threads] + 1)};
    *to = hd_predicate_dnf_truth(less);
    for (uint32_t g = 0; g < groups.count; g++) {
        for (uint32_t p = 0; p < space->threads; p++)
            for (uint32_t c = 0; c <= space->length[p]; c++)
                linear.value[space->start[p] + c] =
                    hd_predicate_at(f->facts, groups.local, p, c) && in_group(f, &groups, g, p, c);
        hd_predicate_literal it = {.kind = HD_PREDICATE_LITERAL_SUM};
        it.a = more ? push_sum(f, &linear, 1, -bound) : push_sum(f, &linear, -1, bound - 1);
        *to = more ? hd_predicate_dnf_either(*to, hd_predicate_dnf_one(it))
                   : hd_predicate_dnf_both(*to, hd_predicate_dnf_one(it));
    }
    free(linear.value);
    return true;
}

/* Is no sum larger than `size` says?  Doubles round, so a little more will do. */
HD_ASSERT_ONLY static bool is_bounded(const struct former *f, const struct linear *linear) {
    const hd_cut_space *space = &f->form->instance->space;
    double sum = fabs((double)linear->constant);
    for (uint32_t p = 0; p < space->threads; p++) {
        double most = 0;
        for (uint32_t c = 0; c <= space->length[p]; c++)
            most = fmax(most, fabs((double)linear->value[space->start[p] + c]));
        sum += most;
    }
    return sum <= linear->size * (1 + 1e-9);
}

/* A comparison of sums: a - b against 0. */
static hd_predicate_dnf compare_sums(void *context, enum hd_predicate_kind kind, uint32_t a,
                                     uint32_t b) {
    const struct former *f = context;
    size_t positions = f->form->instance->space.start[f->form->instance->space.threads];
    hd_predicate_dnf to;
    if (compare_groups(f, kind, a, b, &to))
        return to;
    struct linear linear = {.value = HD_NEW_ARRAY(int64_t, positions + 1)};
    if (f->form->sums.length >= MOST_SUMS || !add_linear(f, &linear, a, 1) ||
        !add_linear(f, &linear, b, -1) || linear.size > largest) {
        free(linear.value);
        return hd_predicate_dnf_opaque(HD_PREDICATE_LITERAL_OPAQUE);
    }
    assert(is_bounded(f, &linear));
    bool less = kind == HD_PREDICATE_LESS || kind == HD_PREDICATE_LESS_EQUAL;
    bool strict = kind == HD_PREDICATE_LESS || kind == HD_PREDICATE_GREATER;
    if (kind == HD_PREDICATE_EQUAL || kind == HD_PREDICATE_UNEQUAL) {
        int64_t shift = kind == HD_PREDICATE_EQUAL ? 0 : -1;
        hd_predicate_literal above = {.kind = HD_PREDICATE_LITERAL_SUM,
                                      .a = push_sum(f, &linear, 1, shift)};
        hd_predicate_literal below = {.kind = HD_PREDICATE_LITERAL_SUM,
                                      .a = push_sum(f, &linear, -1, shift)};
        to =
            kind == HD_PREDICATE_EQUAL
                ? hd_predicate_dnf_both(hd_predicate_dnf_one(above), hd_predicate_dnf_one(below))
                : hd_predicate_dnf_either(hd_predicate_dnf_one(above), hd_predicate_dnf_one(below));
    } else {
        hd_predicate_literal it = {.kind = HD_PREDICATE_LITERAL_SUM,
                                   .a = push_sum(f, &linear, less ? -1 : 1, -strict)};
        to = hd_predicate_dnf_one(it);
    }
    free(linear.value);
    return to;
}

/* ---- The form ---- */

static void allow_whole_steps(const hd_predicate_instance *instance, hd_bits *allowed) {
    size_t positions = instance->space.start[instance->space.threads];
    hd_bits_init(allowed, positions + 1);
    for (size_t i = 0; i < positions; i++)
        if (!hd_bits_has(&instance->between, i))
            hd_bits_set(allowed, i);
}

static void restrict_place(const struct former *f, hd_predicate_term *term,
                           const hd_predicate_literal *literal) {
    const hd_cut_space *space = &f->form->instance->space;
    bool before = false;
    assert(literal->place < space->threads && literal->a < f->predicate->locals.length);
    term->local = true;
    for (uint32_t c = 0; c <= space->length[literal->place]; c++) {
        bool is = (hd_predicate_at(f->facts, literal->a, literal->place, c) != 0) == literal->want;
        if (!is)
            hd_bits_unset(&term->allowed, space->start[literal->place] + c);
        term->closed &= is || !before;
        before |= is;
    }
}

static void make_term(const struct former *f, const hd_predicate_literals *list) {
    hd_predicate_term term = {.closed = true};
    hd_bits places;
    allow_whole_steps(f->form->instance, &term.allowed);
    hd_bits_init(&places, f->form->instance->space.threads + 1);
    for (size_t i = 0; list && i < list->length; i++) {
        const hd_predicate_literal *literal = &list->data[i];
        if (literal->kind == HD_PREDICATE_LITERAL_LOCAL) {
            restrict_place(f, &term, literal);
            term.places += !hd_bits_has(&places, literal->place);
            hd_bits_set(&places, literal->place);
        } else if (literal->kind == HD_PREDICATE_LITERAL_SUM) {
            hd_vec_push(&term.sums, literal->a);
        } else {
            term.races |= literal->kind == HD_PREDICATE_LITERAL_RACE;
            term.opaque |= literal->kind == HD_PREDICATE_LITERAL_OPAQUE;
        }
    }
    term.opaque |= !list;
    hd_bits_release(&places);
    hd_vec_push(&f->form->terms, term);
}

/* Do the local conditions and sums of a term hold there? */
static bool term_allows(const hd_predicate_form *form, const hd_predicate_term *term,
                        const uint32_t *state) {
    const hd_cut_space *space = &form->instance->space;
    for (uint32_t p = 0; p < space->threads; p++)
        if (!hd_bits_has(&term->allowed, space->start[p] + state[p]))
            return false;
    for (size_t i = 0; i < term->sums.length; i++) {
        const hd_predicate_sum *sum = &form->sums.data[term->sums.data[i]];
        int64_t total = 0;
        for (uint32_t p = 0; p < space->threads; p++)
            total += sum->value[space->start[p] + state[p]];
        if (total < sum->least)
            return false;
    }
    return true;
}

/* Of a state: if the predicate is true some term allows it, and if a term allows it that has no
 * rest, the predicate is true. */
HD_ASSERT_ONLY static bool says_the_same(const hd_predicate_form *form, const uint32_t *state) {
    bool any = false, surely = false;
    if (hd_predicate_uses(form->instance->facts.predicate, HD_PREDICATE_PLUGIN))
        return true; /* a call may count states */
    if (form->instance->together.rows && !hd_predicate_whole(form->instance, state))
        return true; /* no state */
    for (size_t i = 0; i < form->terms.length; i++) {
        const hd_predicate_term *term = &form->terms.data[i];
        bool allows = term_allows(form, term, state);
        any |= allows;
        surely |= allows && !term->opaque && !term->races;
    }
    bool is = hd_predicate_true(form->instance, state);
    return is ? any : !surely;
}

void hd_predicate_form_init(hd_predicate_form *form, const hd_predicate_instance *instance) {
    *form = (hd_predicate_form){.instance = instance};
    struct former f = {form, &instance->facts, instance->facts.predicate};
    /* In a poset the first event of the trace that is not in a state can come next. */
    hd_predicate_normal normal = {.facts = f.facts,
                                  .places = instance->space.threads,
                                  .no_deadlock = instance->model == HD_ORDER_POSET,
                                  .compare = compare_sums,
                                  .context = &f};
    hd_predicate_dnf dnf = hd_predicate_normal_form(&normal);
    form->split = dnf.whole;
    for (size_t i = 0; form->split && i < dnf.terms.length; i++)
        make_term(&f, &dnf.terms.data[i]);
    if (!form->split)
        make_term(&f, NULL);
    hd_predicate_dnf_release(&dnf);
    HD_COSTLY_ASSERT(says_the_same(form, instance->none));
    HD_COSTLY_ASSERT(says_the_same(form, instance->space.length));
}

void hd_predicate_form_release(hd_predicate_form *form) {
    for (size_t i = 0; i < form->terms.length; i++) {
        hd_bits_release(&form->terms.data[i].allowed);
        hd_vec_release(&form->terms.data[i].sums);
    }
    for (size_t i = 0; i < form->sums.length; i++)
        free(form->sums.data[i].value);
    hd_vec_release(&form->terms);
    hd_vec_release(&form->sums);
    *form = (hd_predicate_form){0};
}

enum hd_predicate_class hd_predicate_term_class(const hd_predicate_form *form, size_t term) {
    const hd_predicate_term *t = &form->terms.data[term];
    bool linear = true;
    assert(term < form->terms.length && (t->places != 0) == t->local);
    for (size_t i = 0; i < t->sums.length; i++)
        linear &= hd_predicate_sum_linear(&form->sums.data[t->sums.data[i]]);
    if (t->opaque || t->races)
        return t->races && !t->opaque && !t->local && !t->sums.length ? HD_PREDICATE_RACES
               : t->local                                             ? HD_PREDICATE_SLICED
                                                                      : HD_PREDICATE_GENERAL;
    return !t->sums.length ? HD_PREDICATE_CONJUNCTIVE
           : linear        ? HD_PREDICATE_LINEAR
                           : HD_PREDICATE_ADDITIVE;
}

bool hd_predicate_form_stable(const hd_predicate_form *form) {
    for (size_t i = 0; i < form->terms.length; i++) {
        const hd_predicate_term *term = &form->terms.data[i];
        if (term->opaque || term->races || !term->closed)
            return false;
        for (size_t j = 0; j < term->sums.length; j++)
            if (form->sums.data[term->sums.data[j]].falling)
                return false;
    }
    return form->split;
}
