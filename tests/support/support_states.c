#include "support_states.h"

#include <string.h>

typedef bool relation[SUPPORT_STATES_EVENTS + 1][SUPPORT_STATES_EVENTS + 1];

size_t support_states_number(const support_states *s, const uint32_t *state) {
    size_t number = 0;
    for (uint32_t p = 0; p < s->threads; p++)
        number += state[p] * s->weight[p];
    return number;
}

void support_states_vector(const support_states *s, size_t number, uint32_t *state) {
    for (uint32_t p = 0; p < s->threads; p++) {
        state[p] = (uint32_t)(number / s->weight[p]);
        number %= s->weight[p];
    }
}

/* Is the event in the state? */
static bool in_state(const support_states *s, const uint32_t *state, uint32_t event) {
    for (uint32_t p = 0; p < s->threads; p++)
        if (s->thread[p] == hd_order_thread_of(s->order, event))
            return s->order->index.position[event] <= state[p];
    return false;
}

static bool consistent(const support_states *s, enum hd_order_model model, const uint32_t *state) {
    for (uint32_t f = 1; f <= s->events; f++)
        for (uint32_t e = 1; e <= s->events && in_state(s, state, f); e++)
            if (hd_order_before(s->order, model, e, f) && !in_state(s, state, e))
                return false;
    return true;
}

/* As many units as takes, of every semaphore. */
static bool has_units(const support_states *s, const uint32_t *state) {
    const hd_trace *trace = s->order->trace;
    for (uint32_t key = 0; key < trace->tables.names[HEDDLE_CLASS_SEMAPHORE].length; key++) {
        int ahead = 0, initial = 0, units = 0;
        for (uint32_t e = 1; e <= s->events; e++) {
            const heddle_event *event = hd_trace_event(trace, e);
            bool takes = event->kind == HEDDLE_TAKE;
            if ((!takes && event->kind != HEDDLE_POST) || event->object != key)
                continue;
            ahead += takes ? 1 : -1;
            initial = ahead > initial ? ahead : initial;
            units += !in_state(s, state, e) ? 0 : takes ? -1 : 1;
        }
        if (initial + units < 0)
            return false;
    }
    return true;
}

bool support_states_whole(const support_states *s, const uint32_t *state) {
    for (uint32_t p = 0; p < s->threads; p++) {
        const uint32_t *events = hd_trace_list(&s->order->index.threads, s->thread[p]);
        if (state[p] && state[p] < s->length[p] &&
            hd_trace_event(s->order->trace, events[state[p] - 1])->kind == HEDDLE_RELEASE &&
            hd_trace_event(s->order->trace, events[state[p]])->kind == HEDDLE_WAIT)
            return false;
    }
    return true;
}

/* ---- Holds ---- */

static bool is_held(const support_states *s, const uint32_t *state, const hd_order_scope *scope) {
    return in_state(s, state, scope->acquire) &&
           !(scope->release && in_state(s, state, scope->release));
}

static bool was_released(const support_states *s, const uint32_t *state,
                         const hd_order_scope *scope) {
    return scope->release && in_state(s, state, scope->release);
}

static bool compatible(const support_states *s, const uint32_t *state) {
    const hd_order_scopes *scopes = &s->order->scopes;
    for (uint32_t i = 0; i < scopes->count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (hd_order_scope_conflicts(&scopes->scopes[i], &scopes->scopes[j]) &&
                is_held(s, state, &scopes->scopes[i]) && is_held(s, state, &scopes->scopes[j]))
                return false;
    return true;
}

static bool lock_free(const support_states *s, const uint32_t *state) {
    for (uint32_t i = 0; i < s->order->scopes.count; i++)
        if (is_held(s, state, &s->order->scopes.scopes[i]))
            return false;
    return true;
}

/* ---- The order that locks force, pair by pair ---- */

static void close_transitively(const support_states *s, relation before) {
    for (uint32_t k = 1; k <= s->events; k++)
        for (uint32_t a = 1; a <= s->events; a++)
            for (uint32_t b = 1; b <= s->events && before[a][k]; b++)
                before[a][b] = before[a][b] || before[k][b];
}

/* The last event of a hold that is in the state; it has one. */
static uint32_t last_of(const support_states *s, const uint32_t *state,
                        const hd_order_scope *scope) {
    uint32_t last = 0;
    for (uint32_t e = 1; e <= s->events; e++)
        if (hd_order_thread_of(s->order, e) == scope->thread && in_state(s, state, e) &&
            e <= hd_order_scope_end(scope))
            last = e;
    return last;
}

/* I.acq before J's last event forces I.rel -> J.acq.  1: an edge was added; 0: not;
 * -1: I would have to be released. */
static int force(const support_states *s, const uint32_t *state, relation before,
                 const hd_order_scope *i, const hd_order_scope *j, bool dynamic) {
    if (!hd_order_scope_conflicts(i, j) || !in_state(s, state, i->acquire) ||
        !in_state(s, state, j->acquire))
        return 0;
    bool wanted = before[i->acquire][last_of(s, state, j)] ||
                  (dynamic && is_held(s, state, j) && was_released(s, state, i));
    if (!wanted)
        return 0;
    if (!was_released(s, state, i))
        return -1;
    if (before[i->release][j->acquire])
        return 0;
    before[i->release][j->acquire] = true;
    return 1;
}

/* The closure on the events of a state; false if it has a cycle or asks a held one
 * to be released. */
static bool normalize(const support_states *s, const uint32_t *state, bool dynamic,
                      relation before) {
    const hd_order_scopes *scopes = &s->order->scopes;
    for (uint32_t a = 1; a <= s->events; a++)
        for (uint32_t b = 1; b <= s->events; b++)
            before[a][b] = in_state(s, state, a) && in_state(s, state, b) &&
                           hd_order_before(s->order, HD_ORDER_LOSET, a, b);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < scopes->count; i++)
            for (uint32_t j = 0; j < scopes->count; j++) {
                int forced =
                    force(s, state, before, &scopes->scopes[i], &scopes->scopes[j], dynamic);
                if (forced < 0)
                    return false;
                more = more || forced;
            }
        close_transitively(s, before);
    }
    for (uint32_t e = 1; e <= s->events; e++)
        if (before[e][e])
            return false;
    return true;
}

static bool strongly_feasible(const support_states *s, const uint32_t *state) {
    relation before;
    return normalize(s, state, true, before);
}

/* Is J.acq before I's end in the normal loset? */
static bool starts_before_end(const support_states *s, const hd_order_scope *j,
                              const hd_order_scope *i) {
    uint32_t all[SUPPORT_STATES_THREADS];
    memcpy(all, s->length, sizeof all);
    return s->normal[j->acquire][last_of(s, all, i)];
}

static bool viable(const support_states *s, const uint32_t *state) {
    const hd_order_scopes *scopes = &s->order->scopes;
    for (uint32_t a = 1; a <= s->events; a++)
        for (uint32_t b = 1; b <= s->events; b++)
            if (s->normal[a][b] && in_state(s, state, b) && !in_state(s, state, a))
                return false;
    for (uint32_t i = 0; i < scopes->count; i++)
        for (uint32_t j = 0; j < scopes->count; j++) {
            const hd_order_scope *held = &scopes->scopes[i], *other = &scopes->scopes[j];
            if (hd_order_scope_conflicts(held, other) && is_held(s, state, held) &&
                was_released(s, state, other) && !starts_before_end(s, other, held))
                return false;
        }
    return true;
}

/* ---- Runs ---- */

/* Vectors are in lexical order, so those without one event come before. */
static void find_reachable(support_states *s) {
    uint32_t state[SUPPORT_STATES_THREADS];
    const hd_bits *feasible = &s->classes[HD_CUT_FEASIBLE];
    hd_bits *reachable = &s->classes[HD_CUT_REACHABLE];
    for (size_t v = 0; v < s->vectors; v++) {
        support_states_vector(s, v, state);
        bool found = v == 0;
        for (uint32_t p = 0; p < s->threads; p++)
            found = found || (state[p] && hd_bits_has(reachable, v - s->weight[p]));
        if (found && hd_bits_has(feasible, v))
            hd_bits_set(reachable, v);
    }
    for (size_t v = s->vectors; v-- > 0;) {
        support_states_vector(s, v, state);
        bool found = v + 1 == s->vectors;
        for (uint32_t p = 0; p < s->threads; p++)
            found = found || (state[p] < s->length[p] && hd_bits_has(&s->ends, v + s->weight[p]));
        if (found && hd_bits_has(reachable, v))
            hd_bits_set(&s->ends, v);
    }
}

static void classify(support_states *s, size_t v, bool acyclic) {
    uint32_t state[SUPPORT_STATES_THREADS] = {0};
    support_states_vector(s, v, state);
    if (consistent(s, HD_ORDER_POSET, state))
        hd_bits_set(&s->poset, v);
    if (!consistent(s, HD_ORDER_LOSET, state) || !has_units(s, state))
        return;
    hd_bits_set(&s->classes[HD_CUT_CONSISTENT], v);
    if (!compatible(s, state))
        return;
    hd_bits_set(&s->classes[HD_CUT_FEASIBLE], v);
    if (lock_free(s, state))
        hd_bits_set(&s->classes[HD_CUT_LOCK_FREE], v);
    if (acyclic && viable(s, state))
        hd_bits_set(&s->classes[HD_CUT_VIABLE], v);
    if (strongly_feasible(s, state))
        hd_bits_set(&s->classes[HD_CUT_STRONGLY_FEASIBLE], v);
}

static bool measure(support_states *s, size_t most_vectors) {
    s->vectors = 1;
    for (uint32_t p = s->threads; p-- > 0;) {
        s->length[p] = hd_order_thread_length(s->order, s->thread[p]);
        s->weight[p] = s->vectors;
        s->vectors *= s->length[p] + 1;
        if (s->vectors > most_vectors)
            return false;
    }
    return true;
}

bool support_states_init(support_states *s, const hd_order *order, const uint32_t *places,
                         size_t most_vectors) {
    memset(s, 0, sizeof *s);
    s->order = order;
    s->events = hd_order_length(order);
    if (hd_order_threads(order) > SUPPORT_STATES_THREADS || s->events > SUPPORT_STATES_EVENTS)
        return false;
    s->threads = hd_cut_space_threads(order, s->thread);
    if (places)
        memcpy(s->thread, places, s->threads * sizeof *places);
    if (!measure(s, most_vectors))
        return false;
    hd_bits_init(&s->poset, s->vectors);
    hd_bits_init(&s->ends, s->vectors);
    for (int class = 0; class < HD_CUT_CLASSES; class ++)
        hd_bits_init(&s->classes[class], s->vectors);
    bool acyclic = normalize(s, s->length, false, s->normal);
    for (size_t v = 0; v < s->vectors; v++)
        classify(s, v, acyclic);
    find_reachable(s);
    return true;
}

void support_states_release(support_states *s) {
    hd_bits_release(&s->poset);
    hd_bits_release(&s->ends);
    for (int class = 0; class < HD_CUT_CLASSES; class ++)
        hd_bits_release(&s->classes[class]);
}

/* ---- A case ---- */

static void shuffle(uint32_t *numbers, uint32_t count, hd_random *random) {
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = (uint32_t)hd_random_below(random, i), other = numbers[i - 1];
        numbers[i - 1] = numbers[j];
        numbers[j] = other;
    }
}

bool support_cut_init(support_cut *cut, const hd_trace *trace, hd_random *random,
                      size_t most_vectors) {
    hd_error error = {""};
    hd_order_init(&cut->order, trace);
    bool built =
        hd_order_need(&cut->order,
                      HD_ORDER_SCOPES | HD_ORDER_HELD | HD_ORDER_LOSET_CLOCKS |
                          HD_ORDER_LOSET_REVERSE | HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE,
                      SIZE_MAX, &error);
    assert(built);
    (void)built;
    if (hd_order_threads(&cut->order) <= SUPPORT_STATES_THREADS) {
        shuffle(cut->places, hd_cut_space_threads(&cut->order, cut->places), random);
        if (support_states_init(&cut->states, &cut->order, cut->places, most_vectors))
            return true;
    }
    hd_order_release(&cut->order);
    return false;
}

void support_cut_release(support_cut *cut) {
    support_states_release(&cut->states);
    hd_order_release(&cut->order);
}
