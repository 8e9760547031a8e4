#include "support_predicate.h"

#include <stdio.h>
#include <string.h>

struct view {
    const support_states *states;
    const hd_predicate_tree *tree;
    enum hd_order_model model;
    const uint32_t *state;
};

static const hd_trace *trace_of(const struct view *v) {
    return v->states->order->trace;
}

static uint32_t event_at(const struct view *v, uint32_t place, uint32_t count) {
    return hd_trace_event_at(&v->states->order->index, v->states->thread[place], count);
}

static const heddle_event *event_of(const struct view *v, uint32_t place, uint32_t count) {
    return hd_trace_event(trace_of(v), event_at(v, place, count));
}

static const char *name_of(const struct view *v, const heddle_event *event) {
    return hd_trace_object_name(&trace_of(v)->tables, event);
}

static bool in_state(const struct view *v, uint32_t event) {
    uint32_t thread = hd_order_thread_of(v->states->order, event), place = 0;
    while (v->states->thread[place] != thread)
        place++;
    return v->states->order->index.position[event] <= v->state[place];
}

/* ---- One thread ---- */

static bool is_at(const struct view *v, uint32_t place, const char *label) {
    for (uint32_t c = v->state[place]; c; c--) {
        const heddle_event *event = event_of(v, place, c);
        if (event->kind == HEDDLE_MARK && !(event->flags & HEDDLE_HAS_VALUE))
            return strcmp(name_of(v, event), label) == 0;
    }
    return false;
}

static bool gives(const struct view *v, const heddle_event *event, const char *name) {
    bool note = event->kind == HEDDLE_MARK && (event->flags & HEDDLE_HAS_VALUE);
    return (note || hd_trace_writes(event)) && strcmp(name_of(v, event), name) == 0;
}

/* The last event of the thread that gave the name a value, 0 if none. */
static uint32_t giver(const struct view *v, uint32_t place, const char *name) {
    for (uint32_t c = v->state[place]; c; c--)
        if (gives(v, event_of(v, place, c), name))
            return event_at(v, place, c);
    return 0;
}

static int64_t value_given(const struct view *v, uint32_t event) {
    return event ? hd_trace_event(trace_of(v), event)->value : 0;
}

static bool holds_lock(const struct view *v, uint32_t place, const char *lock) {
    bool held = false;
    for (uint32_t c = 1; c <= v->state[place]; c++) {
        const heddle_event *event = event_of(v, place, c);
        if (!(hd_trace_traits(event) & HEDDLE_T_LOCK) || (event->flags & HEDDLE_REENTRANT) ||
            strcmp(name_of(v, event), lock) != 0)
            continue;
        held = hd_trace_acquires(event);
    }
    return held;
}

static uint32_t place_named(const struct view *v, const char *name) {
    uint32_t place = 0;
    while (strcmp(hd_trace_thread_name(&trace_of(v)->tables, v->states->thread[place]), name) != 0)
        place++;
    return place;
}

/* ---- Races, deadlocks ---- */

static bool initialises(const struct view *v, uint32_t event) {
    const heddle_event *e = hd_trace_event(trace_of(v), event);
    bool first = true;
    for (uint32_t n = 1; n <= hd_trace_length(trace_of(v)); n++) {
        const heddle_event *f = hd_trace_event(trace_of(v), n);
        if (!hd_trace_is_access(f) || f->object != e->object)
            continue;
        if (first && (f->thread != e->thread || !hd_trace_writes(f)))
            return false; /* another's variable, or it did not begin with a write */
        first = false;
        if (f->thread != e->thread && !hd_order_before(v->states->order, HD_ORDER_POSET, event, n))
            return false;
    }
    for (uint32_t n = 1; n <= hd_trace_length(trace_of(v)); n++) { /* was it ever shared? */
        const heddle_event *f = hd_trace_event(trace_of(v), n);
        if (hd_trace_is_access(f) && f->object == e->object && f->thread != e->thread)
            return true;
    }
    return false;
}

static bool race(const struct view *v, bool initialisation) {
    for (uint32_t p = 0; p < v->states->threads; p++)
        for (uint32_t q = 0; q < p; q++) {
            if (!v->state[p] || !v->state[q])
                continue;
            uint32_t a = event_at(v, p, v->state[p]), b = event_at(v, q, v->state[q]);
            const heddle_event *e = hd_trace_event(trace_of(v), a);
            const heddle_event *f = hd_trace_event(trace_of(v), b);
            bool exempt = hd_trace_is_exempt(e) || hd_trace_is_exempt(f);
            bool plain = !(hd_trace_traits(e) & hd_trace_traits(f) & HEDDLE_T_ATOMIC) && !exempt;
            if (hd_trace_is_access(e) && hd_trace_is_access(f) && e->object == f->object && plain &&
                (hd_trace_writes(e) || hd_trace_writes(f)) &&
                hd_order_concurrent(v->states->order, v->model, a, b) &&
                (initialisation || (!initialises(v, a) && !initialises(v, b))))
                return true;
        }
    return false;
}

static bool lock_is_taken(const struct view *v, uint32_t place, const heddle_event *acquire) {
    bool taken = false;
    for (uint32_t q = 0; q < v->states->threads; q++) {
        bool writing = false, reading = false;
        for (uint32_t c = 1; c <= v->state[q]; c++) {
            const heddle_event *event = event_of(v, q, c);
            if (!(hd_trace_traits(event) & HEDDLE_T_LOCK) || event->object != acquire->object ||
                (event->flags & HEDDLE_REENTRANT))
                continue;
            writing = hd_trace_acquires(event) && !hd_trace_is_shared(event);
            reading = hd_trace_acquires(event) && hd_trace_is_shared(event);
        }
        if (q != place)
            taken |= writing || (reading && acquire->kind == HEDDLE_ACQUIRE);
    }
    return taken;
}

static bool no_unit(const struct view *v, const heddle_event *recv) {
    int units = 0;
    for (uint32_t n = 1; n <= hd_trace_length(trace_of(v)); n++) {
        const heddle_event *event = hd_trace_event(trace_of(v), n);
        if (event->object != recv->object)
            continue;
        bool semaphore = recv->kind == HEDDLE_TAKE;
        if (event->kind == (semaphore ? HEDDLE_TAKE : HEDDLE_RECV))
            units += !v->states->order->index.pair[n] - in_state(v, n);
        else if (event->kind == (semaphore ? HEDDLE_POST : HEDDLE_SEND))
            units += in_state(v, n);
    }
    return units <= 0;
}

/* A notify that another wake in the state took is spent. */
static bool no_notify(const struct view *v, uint32_t wake) {
    const hd_order *order = v->states->order;
    const heddle_event *w = hd_trace_event(trace_of(v), wake);
    if (!order->index.pair[wake])
        return false;
    uint32_t wait = hd_trace_event_at(&order->index, w->thread, order->index.position[wake] - 1);
    for (uint32_t n = 1; n <= hd_trace_length(trace_of(v)); n++) {
        const heddle_event *event = hd_trace_event(trace_of(v), n);
        bool all = event->kind == HEDDLE_NOTIFYALL;
        if ((!all && event->kind != HEDDLE_NOTIFY) || event->object != w->object ||
            !in_state(v, n) || hd_order_before(order, HD_ORDER_LOSET, n, wait))
            continue;
        bool spent = false;
        for (uint32_t m = 1; m <= hd_trace_length(trace_of(v)) && !all; m++)
            spent |= m != wake && hd_trace_event(trace_of(v), m)->kind == HEDDLE_WAKE &&
                     order->index.pair[m] == n && in_state(v, m);
        if (!spent)
            return false;
    }
    return true;
}

static bool round_is_open(const struct view *v, uint32_t bout) {
    for (uint32_t n = 1; n <= hd_trace_length(trace_of(v)); n++)
        if (hd_trace_event(trace_of(v), n)->kind == HEDDLE_BARRIER_IN &&
            v->states->order->index.pair[n] == v->states->order->index.pair[bout] &&
            !in_state(v, n))
            return true;
    return false;
}

static bool is_stuck(const struct view *v, uint32_t place) {
    uint32_t next = event_at(v, place, v->state[place] + 1);
    const heddle_event *event = hd_trace_event(trace_of(v), next);
    uint32_t pair = v->states->order->index.pair[next];
    switch (event->kind) {
    case HEDDLE_ACQUIRE:
    case HEDDLE_READ_ACQUIRE:
        return !(event->flags & HEDDLE_REENTRANT) && lock_is_taken(v, place, event);
    case HEDDLE_JOIN:
        return pair && !in_state(v, pair);
    case HEDDLE_RECV:
    case HEDDLE_TAKE:
        return no_unit(v, event);
    case HEDDLE_WAKE:
        return no_notify(v, next);
    case HEDDLE_BARRIER_OUT:
        return round_is_open(v, next);
    default:
        return false;
    }
}

static bool was_forked(const struct view *v, uint32_t place) {
    for (uint32_t n = 1; n <= hd_trace_length(trace_of(v)); n++) {
        const heddle_event *event = hd_trace_event(trace_of(v), n);
        if (event->kind == HEDDLE_FORK && event->object == v->states->thread[place])
            return in_state(v, n);
    }
    return true;
}

static bool deadlock(const struct view *v) {
    uint32_t stuck = 0, going = 0;
    for (uint32_t p = 0; p < v->states->threads; p++)
        if (v->state[p] < v->states->length[p] && (v->state[p] || was_forked(v, p))) {
            stuck += is_stuck(v, p);
            going += !is_stuck(v, p);
        }
    return stuck && !going;
}

/* ---- Expressions ---- */

static int64_t evaluate(const struct view *v, uint32_t node, uint32_t place);

static bool agree(const struct view *v, uint32_t key, uint32_t p, uint32_t q) {
    for (; key != HD_PREDICATE_NONE; key = v->tree->nodes.data[key].b) {
        uint32_t k = v->tree->nodes.data[key].a;
        if (evaluate(v, k, p) != evaluate(v, k, q))
            return false;
    }
    return true;
}

static int64_t over_all(const struct view *v, const hd_predicate_node *n) {
    int64_t most = INT64_MIN, least = INT64_MAX, best = 0;
    uint64_t sum = 0;
    if (!v->states->threads)
        return n->kind == HD_PREDICATE_ALL;
    for (uint32_t p = 0; p < v->states->threads; p++) {
        int64_t value = evaluate(v, n->a, p), group = 0;
        most = value > most ? value : most;
        least = value < least ? value : least;
        sum += (uint64_t)value;
        for (uint32_t q = 0; q < v->states->threads && value; q++)
            group += evaluate(v, n->a, q) && agree(v, n->b, p, q);
        best = group > best ? group : best;
    }
    return n->kind == HD_PREDICATE_SUM     ? (int64_t)sum
           : n->kind == HD_PREDICATE_COUNT ? (n->b == HD_PREDICATE_NONE ? (int64_t)sum : best)
           : n->kind == HD_PREDICATE_ANY   ? sum != 0
           : n->kind == HD_PREDICATE_ALL   ? sum == v->states->threads
           : n->kind == HD_PREDICATE_LEAST ? least
                                           : most;
}

static int64_t latest(const struct view *v, const char *name) {
    uint32_t last = 0;
    for (uint32_t p = 0; p < v->states->threads; p++) {
        uint32_t event = giver(v, p, name);
        last = event > last ? event : last;
    }
    return value_given(v, last);
}

static bool mutex(const struct view *v, const hd_predicate_node *n) {
    for (uint32_t p = 0; p < v->states->threads; p++)
        for (uint32_t q = 0; q < v->states->threads; q++)
            if (p != q && is_at(v, p, n->name) && is_at(v, q, n->other))
                return true;
    return false;
}

static int64_t evaluate(const struct view *v, uint32_t node, uint32_t place) {
    const hd_predicate_node *n = &v->tree->nodes.data[node];
    if (n->thread)
        place = place_named(v, n->thread);
    switch (n->kind) {
    case HD_PREDICATE_NUMBER:
    case HD_PREDICATE_TRUTH:
        return n->number;
    case HD_PREDICATE_AT:
        return is_at(v, place, n->name);
    case HD_PREDICATE_VALUE:
        return value_given(v, giver(v, place, n->name));
    case HD_PREDICATE_HELD:
        return holds_lock(v, place, n->name);
    case HD_PREDICATE_POSITION:
        return v->state[place];
    case HD_PREDICATE_DONE:
        return v->state[place] == v->states->length[place];
    case HD_PREDICATE_COUNT:
    case HD_PREDICATE_SUM:
    case HD_PREDICATE_LEAST:
    case HD_PREDICATE_MOST:
    case HD_PREDICATE_ANY:
    case HD_PREDICATE_ALL:
        return over_all(v, n);
    case HD_PREDICATE_LATEST:
        return latest(v, n->name);
    case HD_PREDICATE_MUTEX:
        return mutex(v, n);
    case HD_PREDICATE_RACE:
        return race(v, n->initialisation);
    case HD_PREDICATE_DEADLOCK:
        return deadlock(v);
    default:
        break;
    }
    int64_t a = evaluate(v, n->a, place);
    int64_t b = n->b == HD_PREDICATE_NONE ? 0 : evaluate(v, n->b, place);
    return hd_predicate_apply(n->kind, a, b);
}

bool support_predicate_holds(const support_states *states, const hd_predicate_tree *tree,
                             enum hd_order_model model, const uint32_t *state) {
    struct view v = {states, tree, model, state};
    return evaluate(&v, tree->root, HD_PREDICATE_NONE) != 0;
}

bool support_predicate_whole(const support_states *states, const uint32_t *state) {
    struct view v = {.states = states, .state = state};
    for (uint32_t p = 0; p < states->threads; p++)
        if (state[p] && state[p] < states->length[p] &&
            event_of(&v, p, state[p])->kind == HEDDLE_RELEASE &&
            event_of(&v, p, state[p] + 1)->kind == HEDDLE_WAIT)
            return false;
    return true;
}

/* ---- Random predicates ---- */

struct writer {
    const hd_trace *trace;
    hd_random *random;
    hd_vec_char text;
};

static unsigned draw(struct writer *w, unsigned below) {
    return (unsigned)hd_random_below(w->random, below);
}

static void put(struct writer *w, const char *text) {
    for (; *text; text++)
        hd_vec_push(&w->text, *text);
}

static void put_number(struct writer *w, unsigned number) {
    char text[16];
    snprintf(text, sizeof text, "%u", number);
    put(w, text);
}

/* A name of a class, or one that is not there if none exists. */
static void put_name(struct writer *w, enum heddle_class class) {
    const hd_names *names = &w->trace->tables.names[class];
    put(w, "\"");
    put(w, names->length ? hd_names_text(names, draw(w, names->length)) : "none");
    put(w, "\"");
}

static void put_given(struct writer *w) {
    put_name(w, draw(w, 2) ? HEDDLE_CLASS_LABEL : HEDDLE_CLASS_VARIABLE);
}

/* A truth, or a number, of one thread: a certain one, or the one at hand. */
static void put_truth_of(struct writer *w, bool named) {
    static const char *const words[] = {"at(", "held("};
    unsigned kind = draw(w, 4);
    if (kind < 2) {
        put(w, words[kind]);
        if (named)
            put_name(w, HEDDLE_CLASS_THREAD);
        put(w, named ? ", " : "");
        put_name(w, kind ? HEDDLE_CLASS_LOCK : HEDDLE_CLASS_LABEL);
        put(w, ")");
        return;
    }
    put(w, kind == 2 ? "pos(" : "done(");
    if (named)
        put_name(w, HEDDLE_CLASS_THREAD);
    put(w, ")");
    if (kind == 2) {
        put(w, draw(w, 2) ? " > " : " == ");
        put_number(w, draw(w, 5));
    }
}

static void put_number_of(struct writer *w, bool named) {
    if (draw(w, 3) == 0) {
        put(w, "pos(");
        if (named)
            put_name(w, HEDDLE_CLASS_THREAD);
        put(w, ")");
    } else {
        if (named) {
            put_name(w, HEDDLE_CLASS_THREAD);
            put(w, ".");
        }
        put_given(w);
    }
}

static void put_term(struct writer *w) {
    switch (draw(w, 6)) {
    case 0:
        put(w, "sum(");
        put_number_of(w, false);
        put(w, ")");
        break;
    case 1:
        put(w, "count(");
        put_truth_of(w, false);
        if (draw(w, 3) == 0) {
            put(w, " by ");
            put_number_of(w, false);
        }
        put(w, ")");
        break;
    case 2:
        put(w, draw(w, 2) ? "min(" : "max(");
        put_number_of(w, false);
        put(w, ")");
        break;
    case 3:
        put_given(w);
        break;
    default:
        put_number_of(w, true);
    }
}

static void put_sum(struct writer *w) {
    put_term(w);
    while (draw(w, 2)) {
        static const char *const operators[] = {" + ", " - ", " * 2 + ", " * "};
        put(w, operators[draw(w, 16) ? draw(w, 3) : 3]);
        put_term(w);
    }
}

static void put_truth(struct writer *w, unsigned depth) {
    static const char *const comparisons[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    unsigned kind = draw(w, depth ? 12 : 8);
    if (kind < 3) {
        put_truth_of(w, true);
    } else if (kind < 5) {
        put(w, "(");
        put_sum(w);
        put(w, comparisons[draw(w, 6)]);
        put_number(w, draw(w, 6));
        put(w, ")");
    } else if (kind == 5) {
        put(w, draw(w, 2) ? "any(" : "all(");
        put_truth_of(w, false);
        put(w, ")");
    } else if (kind == 6) {
        put(w, "mutex(");
        put_name(w, HEDDLE_CLASS_LABEL);
        put(w, ", ");
        put_name(w, HEDDLE_CLASS_LABEL);
        put(w, ")");
    } else if (kind == 7) {
        static const char *const words[] = {"race", "race(all)", "deadlock", "true"};
        put(w, words[draw(w, 4)]);
    } else {
        static const char *const operators[] = {" && ", " && ", " || ", " == "};
        put(w, draw(w, 4) ? "((" : "!((");
        put_truth(w, depth - 1);
        put(w, ")");
        put(w, operators[draw(w, 4)]);
        put(w, "(");
        put_truth(w, depth - 1);
        put(w, "))");
    }
}

void support_predicate_draw(const hd_trace *trace, hd_random *random, char *text, size_t size) {
    struct writer w = {trace, random, {0}};
    if (draw(&w, 12) == 0) {
        put(&w, draw(&w, 2) ? "race" : "race(all)");
    } else if (draw(&w, 3) == 0) { /* conjunctive */
        put_truth_of(&w, true);
        for (unsigned more = draw(&w, 3); more; more--) {
            put(&w, " && ");
            put_truth_of(&w, true);
        }
    } else {
        put_truth(&w, 2);
    }
    hd_vec_push(&w.text, '\0');
    snprintf(text, size, "%s", w.text.data);
    hd_vec_release(&w.text);
}
