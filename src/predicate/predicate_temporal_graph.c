#include "predicate_temporal_graph.h"

#include <string.h>

struct graph {
    const hd_predicate_temporal *formula;
    const hd_predicate_instance *instances;
    const hd_cut_space *space;
    const hd_cut_loset *loset; /* NULL: a poset */
    hd_predicate_temporal_check *check;
    uint32_t root;
    hd_cut_table states; /* and after each a word: the nodes that are true there */
    uint64_t *key;
    uint32_t *now; /* the state, in the key */
    uint64_t last; /* nodes true in the last state of the poset */
};

/* How many events the thread's next step has, 0 if it cannot go on. */
static uint32_t step_of(const struct graph *g, uint32_t place) {
    const hd_cut_space *space = g->space;
    uint32_t count = g->now[place];
    if (count == space->length[place])
        return 0;
    bool goes = g->loset ? hd_cut_step_is_feasible(g->loset, g->now, place)
                         : hd_cut_enabled(space, g->now, place);
    if (!goes)
        return 0;
    return hd_bits_has(&g->instances[0].between, space->start[place] + count + 1) ? 2 : 1;
}

static bool goes_on(struct graph *g) {
    g->check->control.states = g->states.count;
    return hd_predicate_go_on(&g->check->control) &&
           hd_cut_table_bytes(&g->states) < g->check->memory / 2;
}

static void load(const struct graph *g, size_t state) {
    memcpy(g->key, hd_cut_table_record(&g->states, state), g->states.width * sizeof *g->key);
}

/* All states from the empty one on; false if there are too many. */
static bool find_states(struct graph *g) {
    bool added;
    hd_cut_table_add(&g->states, g->key, &added);
    for (size_t state = 0; state < g->states.count; state++) {
        if (g->states.count >= UINT32_MAX || !goes_on(g))
            return false;
        load(g, state);
        for (uint32_t p = 0; p < g->space->threads; p++) {
            uint32_t events = step_of(g, p);
            if (!events)
                continue;
            g->now[p] += events;
            hd_cut_table_add(&g->states, g->key, &added);
            g->now[p] -= events;
        }
    }
    return true;
}

static uint64_t *word_of(const struct graph *g, size_t state) {
    return hd_cut_table_record(&g->states, state) + g->states.width;
}

static bool is_true(const struct graph *g, size_t state, uint32_t node) {
    return *word_of(g, state) >> node & 1;
}

/* What the states after this one have in common, and what one of them has. */
struct after {
    uint64_t all, any;
    bool some;
};

static bool evaluate(const struct graph *g, uint32_t node, uint64_t word, struct after after) {
    const hd_predicate_temporal_node *n = &g->formula->nodes.data[node];
    bool a = n->kind != HD_PREDICATE_T_ATOM && word >> n->a & 1, b = word >> n->b & 1;
    bool any = after.any >> node & 1, all = after.some && (after.all >> node & 1);
    switch (n->kind) {
    case HD_PREDICATE_T_EF:
        return a || any;
    case HD_PREDICATE_T_AF:
        return a || all;
    case HD_PREDICATE_T_EG:
        return a && (!after.some || any);
    case HD_PREDICATE_T_AG:
        return a && (!after.some || all);
    case HD_PREDICATE_T_EU:
        return b || (a && any);
    case HD_PREDICATE_T_AU:
        return b || (a && all);
    case HD_PREDICATE_T_NOT:
        return !a;
    case HD_PREDICATE_T_AND:
        return a && b;
    case HD_PREDICATE_T_OR:
        return a || b;
    case HD_PREDICATE_T_LAST:
        return (after.some ? g->last : word) >> n->a & 1;
    case HD_PREDICATE_T_ATOM:
        return hd_predicate_true(&g->instances[n->a], g->now);
    }
    return false;
}

/* The state at hand after all that come after it. */
static void label(struct graph *g, size_t state) {
    struct after after = {.all = ~UINT64_C(0)};
    bool added;
    for (uint32_t p = 0; p < g->space->threads; p++) {
        uint32_t events = step_of(g, p);
        if (!events)
            continue;
        g->now[p] += events;
        uint64_t next = *word_of(g, hd_cut_table_add(&g->states, g->key, &added));
        assert(!added);
        g->now[p] -= events;
        after.all &= next;
        after.any |= next;
        after.some = true;
    }
    uint64_t word = 0;
    for (uint32_t node = 0; node <= g->root; node++)
        word |= (uint64_t)evaluate(g, node, word, after) << node;
    *word_of(g, state) = word;
    if (!after.some)
        g->last = word; /* of a poset there is one such state, and it comes first */
}

static uint64_t events_of(const struct graph *g, size_t state) {
    const uint32_t *counts = (const uint32_t *)hd_cut_table_record(&g->states, state);
    uint64_t events = 0;
    for (uint32_t p = 0; p < g->space->threads; p++)
        events += counts[p];
    return events;
}

/* The states by their number of events, the most first; false if it was stopped. */
static bool label_all(struct graph *g) {
    size_t most = g->space->start[g->space->threads] + 2, count = g->states.count;
    size_t *start = HD_NEW_ARRAY(size_t, most + 1);
    uint32_t *order = HD_NEW_ARRAY(uint32_t, count + 1);
    for (size_t i = 0; i < count; i++)
        start[events_of(g, i) + 1]++;
    for (size_t i = 1; i <= most; i++)
        start[i] += start[i - 1];
    for (size_t i = 0; i < count; i++)
        order[start[events_of(g, i)]++] = (uint32_t)i;
    bool good = true;
    for (size_t i = count; i-- > 0 && (good = hd_predicate_go_on(&g->check->control));) {
        load(g, order[i]);
        label(g, order[i]);
    }
    free(start);
    free(order);
    return good;
}

/* ---- A run that shows it ---- */

/* Is the path at its end?  Otherwise it goes on to a state where the node has the same truth. */
static bool ends(const struct graph *g, size_t state, const hd_predicate_temporal_node *n) {
    switch (n->kind) {
    case HD_PREDICATE_T_EF:
        return is_true(g, state, n->a);
    case HD_PREDICATE_T_EU:
        return is_true(g, state, n->b);
    case HD_PREDICATE_T_AG:
    case HD_PREDICATE_T_AU:
        return !is_true(g, state, n->a); /* where AU is false, q is */
    default:
        return false; /* EG, and AF that is false: to the end */
    }
}

static bool has_path(const hd_predicate_temporal_node *n, bool truth) {
    switch (n->kind) {
    case HD_PREDICATE_T_EF:
    case HD_PREDICATE_T_EG:
    case HD_PREDICATE_T_EU:
        return truth;
    case HD_PREDICATE_T_AF:
    case HD_PREDICATE_T_AG:
    case HD_PREDICATE_T_AU:
        return !truth;
    default:
        return false;
    }
}

static void find_path(struct graph *g) {
    const hd_predicate_temporal_node *n = &g->formula->nodes.data[g->root];
    bool truth = is_true(g, 0, g->root), added;
    if (!has_path(n, truth))
        return;
    g->check->has_path = true;
    size_t state = 0;
    for (bool going = true; going && !ends(g, state, n);) {
        going = false;
        load(g, state);
        for (uint32_t p = 0; p < g->space->threads && !going; p++) {
            uint32_t events = step_of(g, p);
            if (!events)
                continue;
            g->now[p] += events;
            size_t next = hd_cut_table_add(&g->states, g->key, &added);
            g->now[p] -= events;
            if (is_true(g, next, g->root) != truth)
                continue;
            for (uint32_t i = 1; i <= events; i++)
                hd_vec_push(&g->check->path, hd_cut_event(g->space, p, g->now[p] + i));
            state = next;
            going = true;
        }
    }
}

/* ---- Where it is true ---- */

static uint32_t sorted_threads; /* of the states that are being sorted; one thread does */
static const hd_cut_table *sorted;

static int by_counts(const void *a, const void *b) {
    const uint32_t *x = (const uint32_t *)hd_cut_table_record(sorted, *(const uint32_t *)a);
    const uint32_t *y = (const uint32_t *)hd_cut_table_record(sorted, *(const uint32_t *)b);
    for (uint32_t p = 0; p < sorted_threads; p++)
        if (x[p] != y[p])
            return x[p] < y[p] ? -1 : 1;
    return 0;
}

static void tell_states(struct graph *g) {
    uint32_t *list = HD_NEW_ARRAY(uint32_t, g->states.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < g->states.count; i++)
        if (is_true(g, i, g->root))
            list[count++] = (uint32_t)i;
    g->check->states = count;
    if (g->check->sink) {
        sorted_threads = g->space->threads;
        sorted = &g->states;
        qsort(list, count, sizeof *list, by_counts);
        for (size_t i = 0; i < count; i++) {
            load(g, list[i]);
            if (g->check->sink(g->check->context, g->now)) {
                g->check->complete = false;
                break;
            }
        }
    }
    free(list);
}

void hd_predicate_temporal_graph(const hd_predicate_temporal *formula,
                                 const hd_predicate_instance *instances, uint32_t node,
                                 hd_predicate_temporal_check *check) {
    struct graph g = {.formula = formula,
                      .instances = instances,
                      .space = &instances[0].space,
                      .check = check,
                      .root = node};
    hd_cut_loset loset;
    bool open = check->model == HD_ORDER_LOSET;
    size_t width = hd_cut_table_words(g.space->threads);
    if (open)
        hd_cut_loset_init(&loset, g.space, !check->order->trace->loset);
    g.loset = open ? &loset : NULL;
    g.key = HD_NEW_ARRAY(uint64_t, width + 1);
    g.now = (uint32_t *)g.key;
    hd_cut_table_init(&g.states, width, 1);
    check->complete = find_states(&g) && label_all(&g);
    check->start = HD_PREDICATE_T_UNKNOWN;
    check->looked_at += g.states.count;
    if (check->complete) {
        check->start = is_true(&g, 0, node) ? HD_PREDICATE_T_TRUE : HD_PREDICATE_T_FALSE;
        find_path(&g);
        if (check->all)
            tell_states(&g);
    }
    hd_cut_table_release(&g.states);
    free(g.key);
    if (open)
        hd_cut_loset_release(&loset);
}
