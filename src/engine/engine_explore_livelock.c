/*
 * Threads that go on for ever.  Where executions have no end the search through schedules has none
 * either.  The states of a model may be finitely many all the same; then going through them decides
 * everything: what fails, where no thread can go on, and where threads go round for ever though
 * every one of them gets its turns.
 *
 * Of a program not all states can be reached at will.  Those of random runs are put together to a
 * graph: two runs that come to the same state can go on like each other.  Its cycles are real ones,
 * but there may be others.
 */
#include <stdlib.h>

#include "engine_explore.h"

static const char states_name[] = "states";

static void take_schedule(hd_engine_exploration *e, const hd_steps *schedule, size_t count) {
    hd_vec_clear(&e->schedule);
    for (size_t i = 0; i < count; i++)
        hd_vec_push(&e->schedule, schedule->data[i]);
}

/* Threads that only wait are a deadlock, as for the search: they go on as far as they can where a
 * round of a loop that waits is no step.  False if they do not come to an end like that. */
static bool wait_for_ever(hd_engine_exploration *e) {
    enum { FAR = 4096 };
    hd_machine *machine = hd_engine_explore_checker(e);
    hd_replay_outcome outcome;
    hd_error error = {""};
    uint32_t thread;
    hd_replay_prepare(machine, HD_REPLAY_STUCK);
    if (!hd_replay_run(machine, &e->schedule, NULL, &outcome, &error) || outcome.failed)
        return false;
    for (int i = 0; i < FAR && hd_machine_find_enabled(machine, &thread); i++) {
        hd_vec_push(&e->schedule, (hd_step){thread, 0});
        if (machine->type->step(machine, thread, 0) != HD_MACHINE_WENT_ON)
            return false;
    }
    return !hd_machine_find_enabled(machine, &thread);
}

typedef struct states {
    hd_engine_exploration *e;
    bool lost; /* the checker could not run a schedule */
} states;

/* The step that fails was found before: in fewer steps. */
static bool is_known(hd_engine_exploration *e, const hd_machine *machine) {
    uint32_t positions[] = {hd_engine_failed_position(machine), hd_engine_failed_line(machine)};
    return hd_finding_list_find(&e->findings,
                                hd_engine_explore_print_of(hd_engine_failed_rule(machine),
                                                           positions, positions[1] ? 2 : 1));
}

static int visit_state(void *context, hd_machine *machine, const hd_graph_seen *seen) {
    states *s = context;
    hd_engine_exploration *e = s->e;
    int stop;
    if (!(e->find &
          (seen->end == HD_GRAPH_FAILURE ? HD_ENGINE_FIND_FAILURE : HD_ENGINE_FIND_DEADLOCK)))
        return 0;
    if (seen->end == HD_GRAPH_LIVELOCK && !seen->writes) {
        take_schedule(e, seen->schedule, seen->before);
        stop = wait_for_ever(e) ? hd_engine_explore_push(e, HD_REPLAY_STUCK, states_name) : -1;
        if (stop >= 0)
            return stop;
    }
    if (seen->end == HD_GRAPH_FAILURE && is_known(e, machine))
        return 0;
    take_schedule(e, seen->schedule, seen->schedule->length);
    stop = hd_engine_explore_push(e,
                                  seen->end == HD_GRAPH_FAILURE    ? HD_REPLAY_VIOLATION
                                  : seen->end == HD_GRAPH_DEADLOCK ? HD_REPLAY_STUCK
                                                                   : HD_REPLAY_LIVELOCK,
                                  states_name);
    s->lost |= stop < 0;
    return stop > 0;
}

/* ---- Programs ---- */

enum { RUN = 256 }; /* steps of a run */

/* A state, and how it was first reached. */
typedef struct met {
    uint64_t enabled;
    uint32_t parent;
    hd_step step;
} met;

typedef struct way {
    uint32_t from;
    hd_graph_edge edge;
} way;

typedef struct sampler {
    hd_engine_exploration *e;
    hd_machine *machine;
    HD_VEC(met) states; /* the first one is that before all steps */
    HD_VEC(way) ways;
    hd_map by_hash;
    hd_graph graph;
    hd_vec_char bytes;
    bool stopped;
} sampler;

/* The state that the machine is in.  One that is not known is like no other, and no cycle has it:
 * all threads are said to go on there. */
static uint32_t meet(sampler *s, uint32_t parent, hd_step step) {
    uint64_t hash = 0;
    bool added = false, told;
    hd_vec_clear(&s->bytes);
    told = s->machine->type->state(s->machine, &s->bytes) && s->bytes.length == sizeof hash;
    if (told)
        memcpy(&hash, s->bytes.data, sizeof hash);
    uint32_t number = (uint32_t)s->states.length, *known = NULL;
    if (told)
        known = hd_map_at(&s->by_hash, hash, &added);
    if (known && !added)
        return *known;
    if (known)
        *known = number;
    hd_vec_push(&s->states, (met){told ? 0 : UINT64_MAX, parent, step});
    return number;
}

static bool writes(const hd_machine_operation *operation) {
    for (uint32_t i = 0; i < operation->count; i++)
        if (operation->accesses[i].mode & HD_MACHINE_WRITES)
            return true;
    return false;
}

/* Looks around in a state, and at the step that is taken there; false: it cannot be taken. */
static bool look(sampler *s, uint32_t state, hd_step *step, hd_graph_edge *edge) {
    hd_machine_operation operation = {0};
    bool can = false;
    for (uint32_t t = 0; t < s->machine->threads; t++) {
        if (!s->machine->type->next(s->machine, t, &operation)) {
            s->graph.can_end |= UINT64_C(1) << t;
            continue;
        }
        s->states.data[state].enabled |= operation.enabled ? UINT64_C(1) << t : 0;
        if (t != step->thread || !operation.enabled)
            continue;
        can = true;
        if (step->choice >= operation.choices)
            step->choice = 0;
        *edge = (hd_graph_edge){.thread = (uint8_t)t,
                                .only = operation.choices == 1 && !operation.outside,
                                .writes = writes(&operation)};
    }
    return can;
}

static void run_once(sampler *s, uint64_t seed) {
    hd_machine *machine = s->machine;
    hd_step step;
    hd_graph_edge edge;
    uint32_t at = 0;
    machine->type->restart(machine);
    machine->type->draw(machine, &(hd_machine_drawing){.kind = HD_MACHINE_UNIFORM, .seed = seed});
    for (int i = 0; i < RUN && machine->type->drawn(machine, &step); i++) {
        if (!look(s, at, &step, &edge) ||
            machine->type->step(machine, step.thread, step.choice) != HD_MACHINE_WENT_ON)
            break;
        uint32_t to = meet(s, at, step);
        edge.to = to;
        hd_vec_push(&s->ways, (way){at, edge});
        at = to;
    }
    hd_step none = {UINT32_MAX, 0};
    if (!hd_machine_changed(machine))
        look(s, at, &none, &edge);
}

static int by_from(const void *a, const void *b) {
    const way *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->edge.thread != y->edge.thread)
        return x->edge.thread < y->edge.thread ? -1 : 1;
    return (x->edge.to > y->edge.to) - (x->edge.to < y->edge.to);
}

/* Each way once.  Where a thread leads to two states from one, what is told is not all there is:
 * that one is left out. */
static void make_graph(sampler *s) {
    size_t at = 0;
    if (s->ways.length)
        qsort(s->ways.data, s->ways.length, sizeof *s->ways.data, by_from);
    for (uint32_t n = 0; n < s->states.length; n++) {
        hd_graph_node node = {s->states.data[n].enabled, s->graph.edges.length};
        for (const way *last = NULL; at < s->ways.length && s->ways.data[at].from == n; at++) {
            const way *now = &s->ways.data[at];
            bool same = last && last->edge.thread == now->edge.thread;
            if (same && last->edge.to != now->edge.to && now->edge.only)
                node.enabled = UINT64_MAX;
            if (!same || last->edge.to != now->edge.to)
                hd_vec_push(&s->graph.edges, now->edge);
            last = now;
        }
        hd_vec_push(&s->graph.nodes, node);
    }
    hd_vec_push(&s->graph.nodes, (hd_graph_node){.first = s->graph.edges.length});
}

/* A cycle counts if it can be gone round several times on another process. */
static int check_cycle(void *context, uint32_t node, const hd_steps *cycle, bool wrote) {
    enum { TIMES = 4 };
    sampler *s = context;
    hd_engine_exploration *e = s->e;
    hd_error error = {""};
    hd_steps back = {0};
    if (!wrote)
        return 0; /* threads that only wait: the search has that */
    hd_engine_portfolio_lock(e);
    for (uint32_t at = node; at; at = s->states.data[at].parent)
        hd_vec_push(&back, s->states.data[at].step);
    hd_vec_clear(&e->schedule);
    for (size_t i = back.length; i-- > 0;)
        hd_vec_push(&e->schedule, back.data[i]);
    for (size_t i = 0; i < TIMES * cycle->length; i++)
        hd_vec_push(&e->schedule, cycle->data[i % cycle->length]);
    int stop = 0;
    if (hd_replay_check(hd_engine_explore_checker(e), HD_REPLAY_LIVELOCK, &e->schedule, &error)) {
        e->schedule.length -= (TIMES - 1) * cycle->length;
        stop = hd_engine_explore_push(e, HD_REPLAY_LIVELOCK, states_name);
    }
    hd_replay_prepare(hd_engine_explore_checker(e), HD_REPLAY_VIOLATION);
    hd_engine_portfolio_unlock(e);
    hd_vec_release(&back);
    s->stopped |= stop > 0;
    return stop > 0;
}

/* In the states that were met by now. */
static void look_for_cycles(sampler *s) {
    hd_vec_clear(&s->graph.nodes);
    hd_vec_clear(&s->graph.edges);
    make_graph(s);
    hd_graph_fair(&s->graph, check_cycle, s);
}

static bool sample(hd_engine_exploration *e, uint32_t runs) {
    enum { MOST_THREADS = 64, FEW = 8 };
    sampler s = {.e = e};
    if (e->machine->threads > MOST_THREADS)
        return false;
    s.machine = hd_engine_explore_another_checker(e);
    s.machine->type->tell_states(s.machine, true);
    hd_native_machine_depth(s.machine, RUN);
    hd_vec_push(&s.states, (met){UINT64_MAX, 0, {0, 0}});
    for (uint32_t i = 1; i <= runs && !s.stopped && hd_clock_look() == HD_CLOCK_GOES; i++) {
        run_once(&s, ++e->portfolio.sampled);
        bool changed = hd_machine_changed(s.machine);
        if (changed || i == runs || (i >= FEW && (i & (i - 1)) == 0))
            look_for_cycles(&s);
        if (changed)
            break;
    }
    if (e->portfolio.states.states < s.states.length)
        e->portfolio.states.states = (uint32_t)s.states.length;
    e->portfolio.states.stopped = s.stopped;
    s.machine->type->draw(s.machine, NULL);
    s.machine->type->free(s.machine);
    hd_graph_release(&s.graph);
    hd_vec_release(&s.states);
    hd_vec_release(&s.ways);
    hd_map_release(&s.by_hash);
    hd_vec_release(&s.bytes);
    return s.stopped;
}

/* ---- Both ---- */

bool hd_engine_explore_states(hd_engine_exploration *e, uint32_t most) {
    enum { BYTES = 1 << 28 };
    hd_graph_states_result *result = &e->portfolio.states;
    if (e->program)
        return e->find & HD_ENGINE_FIND_DEADLOCK && !e->sv_comp && sample(e, most / RUN);
    if (!hd_graph_states_can(e->machine))
        return false;
    states s = {.e = e};
    hd_engine_portfolio_lock(e);
    hd_machine *machine = e->machine->type->copy(e->machine);
    hd_graph_states(
        machine,
        &(hd_graph_states_options){
            .most_states = most, .most_bytes = BYTES, .visit = visit_state, .context = &s},
        result);
    machine->type->free(machine);
    hd_engine_portfolio_unlock(e);
    result->complete &= !s.lost;
    return result->complete || result->stopped;
}
