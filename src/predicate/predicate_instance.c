#include "predicate_instance.h"

#include <string.h>

/* ---- Races ---- */

bool hd_predicate_collide(const hd_predicate_instance *instance, uint32_t a, uint32_t b,
                          bool initialisation) {
    const heddle_event *e = hd_trace_event(instance->order->trace, a);
    const heddle_event *f = hd_trace_event(instance->order->trace, b);
    if (e->object != f->object || !hd_trace_may_race(e, f))
        return false;
    return initialisation ||
           !(hd_bits_has(&instance->initialising, a) || hd_bits_has(&instance->initialising, b));
}

static bool race(void *context, const uint32_t *state, bool initialisation) {
    const hd_predicate_instance *instance = context;
    const hd_cut_space *space = &instance->space;
    for (uint32_t p = 0; p < space->threads; p++) {
        uint32_t a = instance->access[space->start[p] + state[p]];
        const uint32_t *clock = a ? hd_cut_low(space, p, state[p]) : NULL;
        for (uint32_t q = p + 1; a && q < space->threads; q++) {
            uint32_t b = instance->access[space->start[q] + state[q]];
            if (b && clock[q] < state[q] && hd_cut_low(space, q, state[q])[p] < state[p] &&
                hd_predicate_collide(instance, a, b, initialisation))
                return true;
        }
    }
    return false;
}

/* The accesses of a variable by its first thread, which writes first, that came
 * before all others' in the run. */
static void find_initialisation(hd_predicate_instance *instance, const uint32_t *accesses,
                                uint32_t count) {
    const hd_order *order = instance->order;
    if (!count || !hd_trace_writes(hd_trace_event(order->trace, accesses[0])))
        return;
    uint32_t owner = hd_order_thread_of(order, accesses[0]), own = 0;
    while (own < count && hd_order_thread_of(order, accesses[own]) == owner)
        own++;
    for (uint32_t i = 0; i < own && own < count; i++) {
        bool before = true;
        for (uint32_t j = own; j < count && before; j++)
            before = hd_order_thread_of(order, accesses[j]) == owner ||
                     hd_order_before(order, HD_ORDER_POSET, accesses[i], accesses[j]);
        assert(i == 0 || accesses[i - 1] < accesses[i]);
        if (!before)
            break; /* the later ones of the thread are not either */
        hd_bits_set(&instance->initialising, accesses[i]);
    }
}

static void prepare_races(hd_predicate_instance *instance) {
    const hd_cut_space *space = &instance->space;
    const hd_trace_lists *variables = &instance->order->index.variables;
    instance->access = HD_NEW_ARRAY(uint32_t, space->start[space->threads] + 1);
    for (uint32_t p = 0; p < space->threads; p++)
        for (uint32_t c = 1; c <= space->length[p]; c++) {
            uint32_t event = hd_cut_event(space, p, c);
            if (hd_trace_is_access(hd_trace_event(instance->order->trace, event)))
                instance->access[space->start[p] + c] = event;
        }
    hd_bits_init(&instance->initialising, (size_t)hd_order_length(instance->order) + 1);
    /* In what is no run nothing came first. */
    for (uint32_t v = 0; v < variables->count; v++)
        find_initialisation(instance, hd_trace_list(variables, v),
                            hd_trace_list_length(variables, v));
}

/* ---- Deadlocks ---- */

static bool has(const hd_predicate_instance *instance, const uint32_t *state, uint32_t event) {
    assert(event && event <= hd_order_length(instance->order));
    return instance->order->index.position[event] <= state[instance->event_place[event]];
}

static bool waits_for_lock(const hd_predicate_instance *instance, const uint32_t *state,
                           uint32_t place, const heddle_event *event) {
    const hd_cut_space *space = &instance->space;
    bool reading = event->kind == HEDDLE_READ_ACQUIRE;
    if (event->flags & HEDDLE_REENTRANT)
        return false;
    for (uint32_t q = 0; q < space->threads; q++) {
        if (q == place || !state[q])
            continue;
        uint32_t set =
            hd_order_held_after(&instance->order->held, hd_cut_event(space, q, state[q]));
        hd_order_lock lock = hd_order_sets_find(&instance->order->held.sets, set, event->object);
        if (lock != HD_ORDER_NONE && !(reading && hd_order_lock_reading(lock)))
            return true;
    }
    return false;
}

/* `units`: sends and receives of a channel, or posts and takes of a semaphore; `spare`: units at
 * first. */
static bool waits_for_unit(const hd_predicate_instance *instance, const uint32_t *state,
                           const hd_trace_lists *units, uint32_t key, uint32_t spare) {
    const uint32_t *list = hd_trace_list(units, key);
    uint32_t given = spare, taken = 0;
    for (uint32_t i = 0; i < hd_trace_list_length(units, key); i++)
        if (has(instance, state, list[i])) {
            uint8_t kind = hd_trace_event(instance->order->trace, list[i])->kind;
            bool gives = kind == HEDDLE_SEND || kind == HEDDLE_POST;
            given += gives;
            taken += !gives;
        }
    assert(given + taken <= spare + hd_trace_list_length(units, key));
    return given <= taken;
}

/* No notify that may have come since the wait, and was not another's. */
static bool waits_for_notify(const hd_predicate_instance *instance, const uint32_t *state,
                             uint32_t wake, uint32_t condition) {
    if (!instance->order->index.pair[wake])
        return false; /* it timed out */
    uint32_t wait = hd_order_wait_of(&instance->order->index, wake);
    const uint32_t *list = hd_trace_list(&instance->signals, condition);
    for (uint32_t i = 0; i < hd_trace_list_length(&instance->signals, condition); i++) {
        uint32_t notify = list[i], taker = instance->taker[notify];
        bool one = hd_trace_event(instance->order->trace, notify)->kind == HEDDLE_NOTIFY;
        if (has(instance, state, notify) &&
            !hd_order_before(instance->order, HD_ORDER_LOSET, notify, wait) &&
            !(one && taker && taker != wake && has(instance, state, taker)))
            return false;
    }
    return true;
}

static bool waits_for_round(const hd_predicate_instance *instance, const uint32_t *state,
                            uint32_t round) {
    const hd_trace_lists *rounds = &instance->order->index.rounds;
    assert(round && round <= rounds->count);
    for (uint32_t i = 0; i < hd_trace_list_length(rounds, round - 1); i++)
        if (!has(instance, state, hd_trace_list(rounds, round - 1)[i]))
            return true;
    return false;
}

static bool blocked(const hd_predicate_instance *instance, const uint32_t *state, uint32_t place,
                    uint32_t number) {
    const heddle_event *event = hd_trace_event(instance->order->trace, number);
    uint32_t pair = instance->order->index.pair[number];
    switch (event->kind) {
    case HEDDLE_ACQUIRE:
    case HEDDLE_READ_ACQUIRE: /* not the tries, which do not wait */
        return waits_for_lock(instance, state, place, event);
    case HEDDLE_JOIN:
        return pair && !has(instance, state, pair);
    case HEDDLE_RECV:
        return waits_for_unit(instance, state, &instance->units, event->object,
                              instance->spare[event->object]);
    case HEDDLE_TAKE:
        return waits_for_unit(instance, state, &instance->semaphores.events, event->object,
                              instance->semaphores.initial[event->object]);
    case HEDDLE_WAKE:
        return waits_for_notify(instance, state, number, event->object);
    case HEDDLE_BARRIER_OUT:
        return waits_for_round(instance, state, pair);
    default:
        return false;
    }
}

/* A thread whose fork has not happened is not there yet. */
static bool has_started(const hd_predicate_instance *instance, const uint32_t *state,
                        uint32_t place) {
    const hd_cut_space *space = &instance->space;
    if (state[place])
        return true;
    uint32_t first = hd_cut_event(space, place, 1);
    hd_order_list into = hd_order_lists_of(&instance->order->must.into, first);
    for (uint32_t i = 0; i < into.count; i++)
        if (hd_trace_event(instance->order->trace, into.events[i])->kind == HEDDLE_FORK &&
            !has(instance, state, into.events[i]))
            return false;
    return true;
}

static bool deadlock(void *context, const uint32_t *state) {
    const hd_predicate_instance *instance = context;
    const hd_cut_space *space = &instance->space;
    bool any = false;
    for (uint32_t p = 0; p < space->threads; p++) {
        if (state[p] == space->length[p] || !has_started(instance, state, p))
            continue;
        if (!blocked(instance, state, p, hd_cut_event(space, p, state[p] + 1)))
            return false;
        any = true;
    }
    return any;
}

static void list_events(hd_trace_lists *lists, const hd_trace *trace, uint32_t keys,
                        enum heddle_kind a, enum heddle_kind b) {
    uint32_t length = hd_trace_length(trace), count = 0;
    lists->count = keys;
    lists->start = HD_NEW_ARRAY(uint32_t, (size_t)keys + 2);
    for (uint32_t n = 1; n <= length; n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        if (event->kind == a || event->kind == b) {
            lists->start[event->object + 2]++;
            count++;
        }
    }
    for (uint32_t k = 0; k < keys; k++)
        lists->start[k + 2] += lists->start[k + 1];
    lists->items = HD_NEW_ARRAY(uint32_t, (size_t)count + 1);
    for (uint32_t n = 1; n <= length; n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        if (event->kind == a || event->kind == b)
            lists->items[lists->start[event->object + 1]++] = n;
    }
    assert(lists->start[keys] == count);
}

static void prepare_deadlocks(hd_predicate_instance *instance) {
    const hd_trace *trace = instance->order->trace;
    uint32_t length = hd_trace_length(trace);
    uint32_t channels = trace->tables.names[HEDDLE_CLASS_CHANNEL].length;
    uint32_t conditions = trace->tables.names[HEDDLE_CLASS_CONDITION].length;
    list_events(&instance->units, trace, channels, HEDDLE_SEND, HEDDLE_RECV);
    list_events(&instance->signals, trace, conditions, HEDDLE_NOTIFY, HEDDLE_NOTIFYALL);
    hd_order_units_build(&instance->semaphores, &instance->order->index);
    instance->spare = HD_NEW_ARRAY(uint32_t, (size_t)channels + 1);
    instance->event_place = HD_NEW_ARRAY(uint32_t, 2 * ((size_t)length + 1));
    instance->taker = instance->event_place + length + 1;
    for (uint32_t n = 1; n <= length; n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        instance->event_place[n] = instance->place_of[event->thread];
        if (event->kind == HEDDLE_RECV && !instance->order->index.pair[n])
            instance->spare[event->object]++;
        if (event->kind == HEDDLE_WAKE)
            instance->taker[instance->order->index.pair[n]] = n;
        assert(instance->order->index.pair[n] < n || event->kind != HEDDLE_WAKE);
    }
}

/* ---- The instance ---- */

static void feed(hd_predicate_instance *instance) {
    const hd_cut_space *space = &instance->space;
    const hd_trace *trace = instance->order->trace;
    for (uint32_t p = 0; p < space->threads; p++) {
        instance->place_of[space->thread[p]] = p;
        hd_predicate_facts_place(&instance->facts, space->thread[p], space->length[p]);
    }
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        uint32_t place = instance->place_of[event->thread];
        hd_predicate_facts_take(&instance->facts, place, n, event);
        if (hd_order_releases_to_wait(&instance->order->index, n)) {
            hd_bits_set(&instance->between,
                        space->start[place] + instance->order->index.position[n]);
            instance->cut_steps++;
        }
    }
}

/* Are all events of each thread in its facts, and the counts between halves of steps counted? */
HD_ASSERT_ONLY static bool is_fed(const hd_predicate_instance *instance) {
    const hd_cut_space *space = &instance->space;
    uint32_t between = 0;
    for (uint32_t p = 0; p < space->threads; p++) {
        if (instance->facts.places.data[p].count != space->length[p] ||
            instance->place_of[space->thread[p]] != p)
            return false;
        for (uint32_t c = 0; c <= space->length[p]; c++)
            between += hd_bits_has(&instance->between, space->start[p] + c);
    }
    return between == instance->cut_steps;
}

/* A name without a thread: its writes, or notes, must be ordered. */
static bool check_latest(const hd_predicate_instance *instance, uint32_t leaf,
                         hd_predicate_error *error) {
    const hd_trace *trace = instance->order->trace;
    const hd_predicate *predicate = instance->facts.predicate;
    const hd_predicate_leaf *l = &predicate->leaves.data[leaf];
    bool noted = instance->facts.noted[leaf];
    uint32_t last = 0;
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        bool it = noted ? event->kind == HEDDLE_MARK && (event->flags & HEDDLE_HAS_VALUE) &&
                              event->object == instance->facts.label[leaf]
                        : hd_trace_writes(event) && event->object == instance->facts.variable[leaf];
        if (!it)
            continue;
        if (last && !hd_order_before(instance->order, instance->model, last, n))
            return hd_predicate_fail(
                error, &predicate->tree.nodes.data[l->node],
                "events %u and %u %s '%s' in no fixed order; say whose: %s.%s, or sum(%s)", last, n,
                noted ? "note" : "write", l->name,
                hd_trace_thread_name(&trace->tables, event->thread), l->name, l->name);
        last = n;
    }
    return true;
}

static bool check(const hd_predicate_instance *instance, hd_predicate_error *error) {
    if (!hd_predicate_facts_check(&instance->facts, true, error))
        return false;
    for (uint32_t i = 0; i < instance->facts.predicate->leaves.length; i++)
        if (instance->facts.predicate->leaves.data[i].kind == HD_PREDICATE_STAMP &&
            !check_latest(instance, i, error))
            return false;
    return true;
}

static bool need(hd_order *order, const hd_predicate *predicate, enum hd_order_model model,
                 size_t memory, hd_predicate_error *error) {
    unsigned what = model == HD_ORDER_POSET ? HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE
                                            : HD_ORDER_LOSET_CLOCKS | HD_ORDER_LOSET_REVERSE;
    what |= HD_ORDER_SCOPES | HD_ORDER_HELD;
    if (hd_predicate_uses(predicate, HD_PREDICATE_RACE)) {
        if (order->trace->loset)
            return hd_error_set(&error->error, "race is not asked of a loset that is no run: its "
                                               "order is not what synchronises threads");
        what |= HD_ORDER_POSET_CLOCKS;
        hd_order_count_orders(order);
    }
    if (hd_predicate_uses(predicate, HD_PREDICATE_DEADLOCK))
        what |= HD_ORDER_LOSET_CLOCKS;
    return hd_order_need(order, what, memory, &error->error);
}

bool hd_predicate_instance_init(hd_predicate_instance *instance, hd_order *order,
                                const hd_predicate *predicate, enum hd_order_model model,
                                size_t memory, hd_predicate_error *error) {
    *instance = (hd_predicate_instance){.order = order, .model = model};
    *error = (hd_predicate_error){0};
    if (!need(order, predicate, model, memory, error) ||
        !hd_cut_space_init_in_time(&instance->space, order, model, NULL, &error->error))
        return false;
    hd_cut_together_init(&instance->together, &instance->space);
    hd_predicate_facts_init(&instance->facts, predicate, &order->trace->tables);
    hd_bits_init(&instance->between, instance->space.start[instance->space.threads] + 1);
    instance->place_of = HD_NEW_ARRAY(uint32_t, hd_order_threads(order) + 1);
    instance->none = HD_NEW_ARRAY(uint32_t, instance->space.stride + 1);
    instance->facts.judge =
        (hd_predicate_judge){.context = instance, .race = race, .deadlock = deadlock};
    feed(instance);
    HD_COSTLY_ASSERT(is_fed(instance));
    if (hd_predicate_uses(predicate, HD_PREDICATE_RACE))
        prepare_races(instance);
    if (hd_predicate_uses(predicate, HD_PREDICATE_DEADLOCK))
        prepare_deadlocks(instance);
    if (check(instance, error))
        return true;
    hd_predicate_instance_release(instance);
    return false;
}

void hd_predicate_instance_release(hd_predicate_instance *instance) {
    hd_cut_space_release(&instance->space);
    hd_predicate_facts_release(&instance->facts);
    hd_bits_release(&instance->between);
    hd_cut_together_release(&instance->together);
    hd_bits_release(&instance->initialising);
    free(instance->access);
    free(instance->place_of);
    free(instance->event_place);
    free(instance->spare);
    free(instance->units.start);
    free(instance->units.items);
    hd_order_units_release(&instance->semaphores);
    free(instance->signals.start);
    free(instance->signals.items);
    free(instance->none);
    free(instance->counts);
    *instance = (hd_predicate_instance){0};
}
