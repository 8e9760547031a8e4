/*
 * What Chang's dissertation proves of losets, on random ones: Theorems 11 to 14, 17 and 18
 * (15 and 16 are about time), how the classes of states contain each other, and that the
 * states of the valid posets are those on a run to the end.
 */
#include <stdio.h>
#include <string.h>

#include "support_random.h"
#include "support_states.h"

enum { MOST_VECTORS = 3000 };

static bool complain(char *why, size_t size, const char *what) {
    snprintf(why, size, "%s", what);
    return false;
}

static bool same_bits(const hd_bits *a, const hd_bits *b) {
    for (size_t i = 0; i < a->length; i++)
        if (hd_bits_has(a, i) != hd_bits_has(b, i))
            return false;
    return true;
}

static bool contains(const hd_bits *large, const hd_bits *small) {
    for (size_t i = hd_bits_next(small, 0); i < small->length; i = hd_bits_next(small, i + 1))
        if (!hd_bits_has(large, i))
            return false;
    return true;
}

/* Theorem 12: meets and joins of lock-free states are such states. */
static bool is_lattice(const support_states *s, const hd_bits *of) {
    uint32_t a[SUPPORT_STATES_THREADS] = {0}, b[SUPPORT_STATES_THREADS] = {0};
    for (size_t v = hd_bits_next(of, 0); v < s->vectors; v = hd_bits_next(of, v + 1))
        for (size_t w = hd_bits_next(of, 0); w < v; w = hd_bits_next(of, w + 1)) {
            support_states_vector(s, v, a);
            support_states_vector(s, w, b);
            size_t meet = 0, join = 0;
            for (uint32_t p = 0; p < s->threads; p++) {
                meet += (a[p] < b[p] ? a[p] : b[p]) * s->weight[p];
                join += (a[p] > b[p] ? a[p] : b[p]) * s->weight[p];
            }
            if (!hd_bits_has(of, meet) || !hd_bits_has(of, join))
                return false;
        }
    return true;
}

/* Theorem 14: normalizing takes away no state on a run to the end. */
static bool keeps_runs(const support_states *s) {
    uint32_t state[SUPPORT_STATES_THREADS] = {0};
    for (size_t v = hd_bits_next(&s->ends, 0); v < s->vectors; v = hd_bits_next(&s->ends, v + 1)) {
        support_states_vector(s, v, state);
        for (uint32_t b = 1; b <= s->events; b++)
            for (uint32_t a = 1; a <= s->events; a++) {
                uint32_t p = 0, q = 0;
                while (s->thread[p] != hd_order_thread_of(s->order, a))
                    p++;
                while (s->thread[q] != hd_order_thread_of(s->order, b))
                    q++;
                if (s->normal[a][b] && s->order->index.position[b] <= state[q] &&
                    s->order->index.position[a] > state[p])
                    return false;
            }
    }
    return true;
}

/* The states that a run through feasible states can come to from this one. */
static void reach_from(const support_states *s, size_t from, hd_bits *to) {
    uint32_t state[SUPPORT_STATES_THREADS] = {0};
    hd_bits_set(to, from);
    for (size_t v = from; v < s->vectors; v++) { /* what is behind a state has a larger number */
        if (!hd_bits_has(to, v))
            continue;
        support_states_vector(s, v, state);
        for (uint32_t p = 0; p < s->threads; p++)
            if (state[p] < s->length[p] &&
                hd_bits_has(&s->classes[HD_CUT_FEASIBLE], v + s->weight[p]))
                hd_bits_set(to, v + s->weight[p]);
    }
}

static bool is_below(const support_states *s, size_t low, size_t high) {
    uint32_t a[SUPPORT_STATES_THREADS] = {0}, b[SUPPORT_STATES_THREADS] = {0};
    support_states_vector(s, low, a);
    support_states_vector(s, high, b);
    for (uint32_t p = 0; p < s->threads; p++)
        if (a[p] > b[p])
            return false;
    return true;
}

/* Theorem 11: from every lock-free state to every reachable one above it. */
static bool goes_through(const support_states *s) {
    const hd_bits *free = &s->classes[HD_CUT_LOCK_FREE], *all = &s->classes[HD_CUT_REACHABLE];
    bool good = true;
    for (size_t f = hd_bits_next(free, 0); f < s->vectors && good; f = hd_bits_next(free, f + 1)) {
        hd_bits from;
        hd_bits_init(&from, s->vectors);
        reach_from(s, f, &from);
        for (size_t g = hd_bits_next(all, f); g < s->vectors && good; g = hd_bits_next(all, g + 1))
            good = hd_bits_has(&from, g) || !is_below(s, f, g);
        hd_bits_release(&from);
    }
    return good;
}

/* Theorem 13: a state is reachable iff it is so from the greatest lock-free state below it,
 * which is what hd_cut_lock_free_below finds. */
static bool resets(const support_states *s, const hd_order *order, const uint32_t *places) {
    hd_cut_space space;
    hd_cut_loset loset;
    bool good = true;
    hd_cut_space_init(&space, order, HD_ORDER_LOSET, places);
    hd_cut_loset_init(&loset, &space, true);
    for (size_t g = 0; g < s->vectors && good; g++) {
        uint32_t state[SUPPORT_STATES_THREADS] = {0}, below[SUPPORT_STATES_THREADS] = {0};
        if (!hd_bits_has(&s->classes[HD_CUT_FEASIBLE], g) || g % 3) /* a third will do */
            continue;
        hd_bits from;
        hd_bits_init(&from, s->vectors);
        support_states_vector(s, g, state);
        hd_cut_lock_free_below(&loset, state, below);
        reach_from(s, support_states_number(s, below), &from);
        good = hd_bits_has(&from, g) == hd_bits_has(&s->classes[HD_CUT_REACHABLE], g);
        hd_bits_release(&from);
    }
    hd_cut_loset_release(&loset);
    hd_cut_space_release(&space);
    return good;
}

static bool theorems(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    support_cut test;
    if (!support_cut_init(&test, trace, random, MOST_VECTORS))
        return true;
    const support_states *s = &test.states;
    const hd_bits *c = s->classes;
    const char *wrong = NULL;
    if (!contains(&c[HD_CUT_VIABLE], &c[HD_CUT_LOCK_FREE]))
        wrong = "lock-free, not viable";
    else if (!contains(&c[HD_CUT_REACHABLE], &c[HD_CUT_VIABLE]))
        wrong = "viable, not reachable (theorems 11 and 18)";
    else if (!contains(&c[HD_CUT_STRONGLY_FEASIBLE], &c[HD_CUT_REACHABLE]))
        wrong = "reachable, not strongly feasible";
    else if (!contains(&c[HD_CUT_REACHABLE], &s->poset))
        wrong = "of the poset, not reachable";
    else if (!contains(&s->ends, &s->poset))
        wrong = "of the poset, not on a run to the end";
    else if (s->threads == 2 && !same_bits(&c[HD_CUT_REACHABLE], &c[HD_CUT_STRONGLY_FEASIBLE]))
        wrong = "two threads, strongly feasible, not reachable (theorem 17)";
    else if (!is_lattice(s, &c[HD_CUT_LOCK_FREE]))
        wrong = "lock-free states are no lattice (theorem 12)";
    else if (!keeps_runs(s))
        wrong = "normalizing takes a run away (theorem 14)";
    else if (!goes_through(s))
        wrong = "no run through a lock-free state below (theorem 11)";
    else if (!resets(s, &test.order, test.places))
        wrong = "not from the greatest lock-free state below (theorem 13)";
    support_cut_release(&test);
    return !wrong || complain(why, size, wrong);
}

/* ---- Valid posets ---- */

enum { MOST_EVENTS = SUPPORT_STATES_EVENTS + 1 };
typedef bool relation[MOST_EVENTS][MOST_EVENTS];

/* All runs to the end, one after the other. */
struct runs {
    const support_states *s;
    uint32_t place[MOST_EVENTS]; /* [event] */
    uint32_t when[MOST_EVENTS];  /* [event]: its step in the run at hand */
    hd_vec_u64 orders;           /* those of conflicting holds that were met: a bit a pair */
    hd_bits *states;             /* of their posets */
    uint64_t left;               /* runs that may still be looked at */
};

static bool conflict(const hd_order_scope *i, const hd_order_scope *j) {
    return i->lock == j->lock && i->thread != j->thread && !(i->reading && j->reading);
}

/* The poset of the run: must-edges, and the order in which it took locks. */
static void relate(const struct runs *r, relation before) {
    const hd_order *order = r->s->order;
    memset(before, 0, sizeof(relation));
    for (uint32_t a = 1; a <= r->s->events; a++)
        for (uint32_t b = 1; b <= r->s->events; b++)
            before[a][b] = a != b && hd_order_before(order, HD_ORDER_LOSET, a, b);
    for (uint32_t i = 0; i < order->scopes.count; i++)
        for (uint32_t j = 0; j < order->scopes.count; j++) {
            const hd_order_scope *x = &order->scopes.scopes[i], *y = &order->scopes.scopes[j];
            if (conflict(x, y) && x->release && r->when[x->release] < r->when[y->acquire])
                before[x->release][y->acquire] = true;
        }
    for (uint32_t k = 1; k <= r->s->events; k++)
        for (uint32_t a = 1; a <= r->s->events; a++)
            for (uint32_t b = 1; before[a][k] && b <= r->s->events; b++)
                before[a][b] |= before[k][b];
}

/* Adds the consistent states of the run's poset. */
static void add_states(struct runs *r) {
    static relation before;
    uint32_t state[SUPPORT_STATES_THREADS] = {0};
    const uint32_t *position = r->s->order->index.position;
    relate(r, before);
    for (size_t v = 0; v < r->s->vectors; v++) {
        bool closed = true;
        support_states_vector(r->s, v, state);
        for (uint32_t a = 1; a <= r->s->events && closed; a++)
            for (uint32_t b = 1; b <= r->s->events && closed; b++)
                closed = !before[a][b] || position[b] > state[r->place[b]] ||
                         position[a] <= state[r->place[a]];
        if (closed)
            hd_bits_set(r->states, v);
    }
}

static void end_run(struct runs *r) {
    const hd_order *order = r->s->order;
    uint64_t key = 1;
    for (uint32_t i = 0; i < order->scopes.count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (conflict(&order->scopes.scopes[i], &order->scopes.scopes[j]))
                key = key * 2 + (r->when[order->scopes.scopes[i].acquire] <
                                 r->when[order->scopes.scopes[j].acquire]);
    for (size_t i = 0; i < r->orders.length; i++)
        if (r->orders.data[i] == key)
            return;
    hd_vec_push(&r->orders, key);
    add_states(r);
}

static void run_on(struct runs *r, size_t v, uint32_t step) {
    const support_states *s = r->s;
    uint32_t state[SUPPORT_STATES_THREADS] = {0};
    if (!r->left)
        return;
    if (v + 1 == s->vectors) {
        r->left--;
        end_run(r);
        return;
    }
    support_states_vector(s, v, state);
    for (uint32_t p = 0; p < s->threads; p++) {
        if (state[p] == s->length[p] || !hd_bits_has(&s->ends, v + s->weight[p]))
            continue;
        r->when[hd_trace_event_at(&s->order->index, s->thread[p], state[p] + 1)] = step;
        run_on(r, v + s->weight[p], step + 1);
    }
}

/* The states on a run to the end are those of the valid posets: of the orders of locks
 * that some such run has.  Both ways. */
static bool valid_posets(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    enum { MOST_RUNS = 100000, MOST_PAIRS = 60 };
    support_cut test;
    if (!support_cut_init(&test, trace, random, MOST_VECTORS))
        return true;
    const support_states *s = &test.states;
    struct runs r = {.s = s, .left = MOST_RUNS};
    hd_bits states;
    uint32_t pairs = 0;
    hd_bits_init(&states, s->vectors);
    r.states = &states;
    for (uint32_t p = 0; p < s->threads; p++)
        for (uint32_t c = 1; c <= s->length[p]; c++)
            r.place[hd_trace_event_at(&s->order->index, s->thread[p], c)] = p;
    for (uint32_t i = 0; i < test.order.scopes.count; i++)
        for (uint32_t j = 0; j < i; j++)
            pairs += conflict(&test.order.scopes.scopes[i], &test.order.scopes.scopes[j]);
    const char *wrong = NULL;
    if (pairs <= MOST_PAIRS)
        run_on(&r, 0, 1);
    if (pairs <= MOST_PAIRS && r.left) {
        if (!contains(&s->ends, &states))
            wrong = "of a valid poset, not on a run to the end";
        else if (!contains(&states, &s->ends))
            wrong = "on a run to the end, of no valid poset";
    }
    hd_bits_release(&states);
    hd_vec_release(&r.orders);
    support_cut_release(&test);
    return !wrong || complain(why, size, wrong);
}

enum {
    LOCKS = SUPPORT_LOCKS | SUPPORT_RWLOCKS | SUPPORT_CHANNELS | SUPPORT_FORKS | SUPPORT_WAITS |
            SUPPORT_REENTRANT
};

static const support_property properties[] = {
    {"theorems", {4, 16, 3, 2, LOCKS}, theorems},
    {"theorems of two threads", {2, 20, 3, 1, LOCKS}, theorems},
    {"valid posets", {3, 12, 2, 1, LOCKS}, valid_posets},
    {"valid posets of many threads", {5, 12, 2, 1, LOCKS}, valid_posets},
};

SUPPORT_SUITE(random_theorems) {
    return support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
}
