/*
 * Reads that depend on the schedule without being seen.  If all executions of a program end alike,
 * a read that can see another write reaches no output, no exit status and no mark, as that of a sum
 * under a lock: it is no finding.  Such reads are listed apart, those of one execution: its run is
 * recorded as a trace, and asked about as `heddle nondet` asks about traces.
 */
#include <stdlib.h>
#include <string.h>

#include "engine_explore.h"
#include "nondet/nondet.h"

static int record(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    (void)number;
    (void)step;
    machine->type->record(machine, context);
    return 0;
}

static void take(hd_engine_exploration *e, const hd_trace *run, const hd_nondet_result *result) {
    const hd_names *names = &run->tables.names[HEDDLE_CLASS_VARIABLE];
    e->apart.reads = result->reads;
    e->apart.differ = result->nondeterministic_reads;
    e->apart.undecided = result->unknown_reads + result->unasked_reads;
    for (uint32_t i = 0; i < result->variable_count; i++) {
        const hd_nondet_variable *of = &result->variables[i];
        const char *name = hd_names_text(names, i);
        if (of->nondeterministic)
            hd_vec_push(&e->apart.variables,
                        (hd_engine_apart_variable){hd_mem_string(name, strlen(name)), of->reads,
                                                   of->nondeterministic});
    }
}

void hd_engine_explore_read_apart(hd_engine_exploration *e) {
    enum { EFFORT = 100000000, SECONDS = 2 }; /* it is said beside the answer: not for long */
    hd_replay_outcome outcome;
    hd_nondet_options options;
    hd_nondet_result result;
    hd_error error = {""};
    hd_trace run;
    if (!e->nondet || !e->program || e->outcomes.length != 1 || e->varies.length ||
        hd_clock_look() != HD_CLOCK_GOES)
        return;
    hd_trace_init(&run);
    hd_replay_watch watch = {NULL, record, &run};
    hd_nondet_options_init(&options);
    options.reads = options.count_only = true;
    options.limit = EFFORT;
    options.deadline = hd_progress_clock() + SECONDS;
    if (hd_replay_run(hd_engine_explore_checker(e), &e->outcomes.data[0].schedule, &watch, &outcome,
                      &error) &&
        hd_trace_check_all(&run, &error)) {
        e->apart.known = hd_nondet_run(&run, &options, &result, NULL, NULL, &error);
        if (e->apart.known)
            take(e, &run, &result);
        hd_nondet_result_release(&result);
    }
    hd_trace_release(&run);
}

void hd_engine_explore_forget_apart(hd_engine_exploration *e) {
    for (size_t i = 0; i < e->apart.variables.length; i++)
        free(e->apart.variables.data[i].name);
    hd_vec_release(&e->apart.variables);
}
