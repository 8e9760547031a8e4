/*
 * The bounded search against its twin, which takes every schedule with at most K
 * preemptions and collects the different traces among them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "explore/explore.h"
#include "support_models.h"
#include "support_runs.h"
#include "support_suite.h"

/* ---- The twin ---- */

struct twin {
    hd_machine *machine;
    uint32_t most; /* preemptions */
    support_run run;
    support_traces traces;
    uint64_t schedules;
    bool too_many; /* not all schedules were taken */
};

static void all_schedules(struct twin *twin);

static void take(struct twin *twin, uint32_t thread) {
    hd_machine_operation operation;
    twin->machine->type->next(twin->machine, thread, &operation);
    uint32_t choices = operation.choices;
    for (uint32_t choice = 0; choice < choices && !twin->too_many; choice++) {
        support_run_step(&twin->run, twin->machine, thread, choice);
        if (twin->run.preemptions <= twin->most)
            all_schedules(twin);
        support_run_back(&twin->run, twin->machine);
    }
}

static void all_schedules(struct twin *twin) {
    enum { MOST_SCHEDULES = 4000, MOST_STEPS = 100 };
    enum hd_explore_end end;
    if (support_run_end(&twin->run, twin->machine, &end)) {
        support_traces_add(&twin->traces, &twin->run);
        twin->too_many = ++twin->schedules > MOST_SCHEDULES;
        return;
    }
    twin->too_many |= twin->run.events.length > MOST_STEPS;
    for (uint32_t thread = 0; thread < twin->machine->threads && !twin->too_many; thread++)
        if (support_run_enabled(twin->machine, thread))
            take(twin, thread);
}

/* ---- Properties ---- */

static bool agrees(const struct twin *twin, hd_machine *copy, uint32_t workers,
                   hd_explore_result *result, char *why, size_t why_size) {
    support_shown shown = {.copy = copy};
    hd_explore_options options = {.bounded = true,
                                  .preemptions = twin->most,
                                  .threads = workers,
                                  .visit = support_shown_visit,
                                  .context = &shown};
    hd_error error = {""};
    hd_explore_run(twin->machine, &options, result, &error);
    bool good = false;
    if (!result->complete)
        snprintf(why, why_size, "%u preemptions: %s%s", twin->most, error.text, shown.why);
    else if (shown.preemptions > twin->most)
        snprintf(why, why_size, "a schedule has %u preemptions, not %u", shown.preemptions,
                 twin->most);
    else if (result->executions != twin->traces.texts.length ||
             shown.traces.texts.length != twin->traces.texts.length)
        snprintf(why, why_size, "%u preemptions: %llu executions, but there are %zu traces",
                 twin->most, (unsigned long long)result->executions, twin->traces.texts.length);
    else
        good = true;
    support_shown_release(&shown);
    return good;
}

/* One worker and several: what is counted is the same. */
static bool check_workers(const struct twin *twin, hd_machine *copy, char *why, size_t why_size) {
    hd_explore_result one = {0}, several = {0};
    if (!agrees(twin, copy, 1, &one, why, why_size))
        return false;
    if (twin->most != 2)
        return true;
    if (!agrees(twin, copy, 3, &several, why, why_size))
        return false;
    if (one.deadlocks == several.deadlocks && one.violations == several.violations &&
        one.prefixes == several.prefixes && one.levels == several.levels &&
        one.beyond == several.beyond)
        return true;
    snprintf(why, why_size, "%u preemptions: several workers count something else", twin->most);
    return false;
}

static bool check_bounds(hd_machine *machine, hd_machine *copy, char *why, size_t why_size) {
    bool good = true;
    for (uint32_t most = 0; most <= 3 && good; most++) {
        struct twin twin = {.machine = machine, .most = most};
        machine->type->restart(machine);
        support_run_start(&twin.run, machine);
        all_schedules(&twin);
        good = twin.too_many || check_workers(&twin, copy, why, why_size);
        support_run_release(&twin.run);
        support_traces_release(&twin.traces);
    }
    return good;
}

/* No bound at all: every trace there is, and nothing beyond. */
static bool check_unbounded(hd_machine *machine, char *why, size_t why_size) {
    hd_explore_options options = {.algorithm = HD_EXPLORE_NAIVE, .most_executions = 10000};
    hd_explore_result naive, bounded;
    hd_error error = {""};
    if (!hd_explore_run(machine, &options, &naive, &error) || !naive.complete)
        return true;
    options = (hd_explore_options){.bounded = true, .preemptions = UINT32_MAX};
    if (hd_explore_run(machine, &options, &bounded, &error) && bounded.complete &&
        !bounded.beyond && bounded.executions == naive.traces &&
        (naive.deadlocks > 0) == (bounded.deadlocks > 0) &&
        (naive.violations > 0) == (bounded.violations > 0))
        return true;
    snprintf(why, why_size, "without a bound %llu executions, but there are %llu traces",
             (unsigned long long)bounded.executions, (unsigned long long)naive.traces);
    return false;
}

static bool check(const void *input, hd_random *random, char *why, size_t why_size) {
    (void)random;
    hd_machine *machine = support_model_machine(input, why, why_size);
    if (!machine)
        return false;
    hd_machine *copy = machine->type->copy(machine);
    bool good =
        check_bounds(machine, copy, why, why_size) && check_unbounded(machine, why, why_size);
    copy->type->free(copy);
    machine->type->free(machine);
    return good;
}

SUPPORT_SUITE(random_explore_bound) {
    enum {
        WAITING = SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_AWAITS | SUPPORT_MODEL_CONDITIONS,
        VARYING = SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS,
        ALL = WAITING | VARYING | SUPPORT_MODEL_ATOMICS
    };
    static const support_model_shape plain = {3, 4, VARYING};
    static const support_model_shape waiting = {3, 3, WAITING};
    static const support_model_shape few = {4, 3, ALL};
    static const support_model_shape many = {6, 2, SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_LOCKS};
    static const support_input_property properties[] = {
        {"bounded search of reads, writes, branches, pointers", &plain, check},
        {"bounded search of threads that wait", &waiting, check},
        {"bounded search of everything", &few, check},
        {"bounded search of five and six threads", &many, check},
    };
    return support_random_inputs(argc, argv, &support_models, properties, 4);
}
