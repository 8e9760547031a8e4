/*
 * Threads that go on for ever.  Where executions have no end the search through schedules has none
 * either.  The states of a model may be finitely many all the same; then going through them decides
 * everything: what fails, where no thread can go on, and where threads go round for ever though
 * every one of them gets its turns.
 */
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
    hd_machine *machine = e->checker;
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

bool hd_engine_explore_states(hd_engine_exploration *e, uint32_t most) {
    enum { BYTES = 1 << 28 };
    hd_graph_states_result *result = &e->portfolio.states;
    if (e->program || !hd_graph_states_can(e->machine))
        return false;
    states s = {.e = e};
    hd_machine *machine = e->machine->type->copy(e->machine);
    hd_graph_states(
        machine,
        &(hd_graph_states_options){
            .most_states = most, .most_bytes = BYTES, .visit = visit_state, .context = &s},
        result);
    machine->type->free(machine);
    result->complete &= !s.lost;
    return result->complete || result->stopped;
}
