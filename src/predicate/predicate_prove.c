#include "predicate_prove.h"

#include <string.h>

#include "predicate_path.h"

struct hd_predicate_prover {
    const hd_predicate_instance *instance;
    bool keep_reads, solves;
    hd_bits let_go;
    hd_order_space space;
    hd_order_solver *solver;
    hd_witness_checker *checker;
    bool searches; /* it is no run (predicate_path.h) */
    hd_cut_loset loset;
    size_t memory;
};

static void let_reads_go(hd_predicate_prover *prover) {
    const hd_trace *trace = prover->instance->order->trace;
    hd_bits_init(&prover->let_go, (size_t)hd_trace_length(trace) + 1);
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        if (hd_trace_reads(event) || event->kind == HEDDLE_TRYFAIL)
            hd_bits_set(&prover->let_go, n - 1);
    }
}

hd_predicate_prover *hd_predicate_prover_create(const hd_predicate_instance *instance,
                                                bool keep_reads, size_t memory, hd_error *error) {
    hd_predicate_prover *prover = HD_NEW(hd_predicate_prover);
    prover->instance = instance;
    prover->keep_reads = keep_reads;
    const hd_trace_loset *loset = instance->order->trace->loset;
    prover->searches = loset && !loset->run;
    prover->solves = !prover->searches && (keep_reads || instance->model == HD_ORDER_LOSET);
    prover->memory = memory;
    assert(!prover->searches || (!keep_reads && instance->model == HD_ORDER_LOSET));
    if (prover->searches)
        hd_cut_loset_init(&prover->loset, &instance->space, false);
    if (prover->solves) {
        if (!keep_reads)
            let_reads_go(prover);
        if (!hd_order_space_init(&prover->space, instance->order,
                                 keep_reads ? NULL : &prover->let_go, memory, error)) {
            hd_bits_release(&prover->let_go);
            free(prover);
            return NULL;
        }
        prover->solver = hd_order_solver_create(&prover->space);
    }
    prover->checker = hd_witness_checker_create(instance->order->trace);
    return prover;
}

void hd_predicate_prover_free(hd_predicate_prover *prover) {
    if (!prover)
        return;
    if (prover->searches)
        hd_cut_loset_release(&prover->loset);
    if (prover->solves) {
        hd_order_solver_free(prover->solver);
        hd_order_space_release(&prover->space);
    }
    hd_bits_release(&prover->let_go);
    hd_witness_checker_free(prover->checker);
    free(prover);
}

/* As in the trace, but for waits, which come right after their releases. */
static void in_trace_order(const hd_predicate_instance *instance, const uint32_t *state,
                           hd_vec_u32 *schedule) {
    const hd_order *order = instance->order;
    for (uint32_t n = 1; n <= hd_order_length(order); n++) {
        uint32_t place = instance->place_of[hd_order_thread_of(order, n)];
        uint32_t count = order->index.position[n];
        if (count > state[place] ||
            (count > 1 &&
             hd_bits_has(&instance->between, instance->space.start[place] + count - 1)))
            continue;
        hd_vec_push(schedule, n);
        if (hd_bits_has(&instance->between, instance->space.start[place] + count))
            hd_vec_push(schedule, hd_cut_event(&instance->space, place, count + 1));
    }
}

/* Does the schedule have as many events as the state? */
static bool has_events_of(const hd_cut_space *space, const uint32_t *state,
                          const hd_vec_u32 *schedule) {
    uint64_t events = 0;
    for (uint32_t p = 0; p < space->threads; p++)
        events += state[p];
    return events == schedule->length;
}

enum hd_order_answer hd_predicate_prove(hd_predicate_prover *prover, const uint32_t *state,
                                        hd_vec_u32 *schedule) {
    const hd_cut_space *space = &prover->instance->space;
    hd_vec_clear(schedule);
    if (prover->searches)
        return hd_predicate_path(prover->instance, &prover->loset, state, prover->memory, schedule);
    if (!prover->solves) {
        in_trace_order(prover->instance, state, schedule);
        HD_COSTLY_ASSERT(has_events_of(space, state, schedule));
        return HD_ORDER_FEASIBLE;
    }
    hd_order_query query = {0};
    for (uint32_t p = 0; p < space->threads; p++) {
        if (state[p])
            hd_vec_push(&query.in, hd_cut_event(space, p, state[p]));
        if (state[p] < space->length[p])
            hd_vec_push(&query.out, hd_cut_event(space, p, state[p] + 1));
    }
    enum hd_order_answer answer = hd_order_solve(prover->solver, &query);
    if (answer == HD_ORDER_FEASIBLE)
        hd_order_solver_schedule(prover->solver, schedule);
    assert(answer != HD_ORDER_UNKNOWN || hd_clock_over()); /* there is no other limit */
    HD_COSTLY_ASSERT(answer != HD_ORDER_FEASIBLE || has_events_of(space, state, schedule));
    hd_order_query_release(&query);
    return answer;
}

bool hd_predicate_witness(hd_predicate_prover *prover, const uint32_t *state,
                          const hd_vec_u32 *schedule, hd_witness *witness, hd_error *error) {
    const hd_cut_space *space = &prover->instance->space;
    hd_witness_clear(witness);
    witness->claim.kind = HD_WITNESS_STATE;
    witness->claim.let_go = !prover->keep_reads;
    hd_vec_resize(&witness->claim.counts, hd_order_threads(prover->instance->order));
    HD_COSTLY_ASSERT(has_events_of(space, state, schedule));
    for (uint32_t p = 0; p < space->threads; p++)
        witness->claim.counts.data[space->thread[p]] = state[p];
    for (size_t i = 0; i < schedule->length; i++)
        hd_vec_push(&witness->schedule, schedule->data[i]);
    return hd_witness_checker_run(prover->checker, witness, NULL, error);
}

void hd_predicate_changed(const hd_predicate_instance *instance, const hd_vec_u32 *schedule,
                          hd_predicate_reads *reads) {
    const hd_trace *trace = instance->order->trace;
    const hd_trace_tables *tables = &trace->tables;
    if (trace->loset)
        return; /* in what is no run, a read saw nothing */
    uint32_t *wrote = HD_NEW_ARRAY(uint32_t, tables->names[HEDDLE_CLASS_VARIABLE].length + 1);
    uint32_t *locked = HD_NEW_ARRAY(uint32_t, tables->names[HEDDLE_CLASS_LOCK].length + 1);
    for (size_t i = 0; i < schedule->length; i++) {
        uint32_t n = schedule->data[i];
        const heddle_event *event = hd_trace_event(trace, n);
        bool access = hd_trace_is_access(event), try = event->kind == HEDDLE_TRYFAIL;
        uint32_t *last = access ? &wrote[event->object] : NULL;
        if (try || (hd_trace_traits(event) & HEDDLE_T_LOCK))
            last = &locked[event->object];
        if (!last)
            continue;
        uint32_t saw = instance->order->index.pair[n];
        assert(saw < n || hd_trace_traits(event) & HEDDLE_T_LOCK); /* an acquire has its release */
        if ((try || hd_trace_reads(event)) && saw != *last)
            hd_vec_push(reads, (hd_predicate_read){n, saw, *last});
        bool changes = access ? hd_trace_writes(event) : !try && !(event->flags & HEDDLE_REENTRANT);
        if (changes)
            *last = n;
    }
    free(wrote);
    free(locked);
}
