/*
 * Shrinking against its slow twin: on runs of random models, the shrunk schedule
 * shows the same failure, has only steps of the causal past, and no linearization
 * of its own partial order has fewer context switches.  The twin walks through
 * all of them, and runs them too: each must show the claim.
 *
 * And witnesses there and back: what is saved loads, is a well-formed trace, and
 * shows its claim again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay/replay.h"
#include "support_files.h"
#include "support_models.h"
#include "support_suite.h"

enum { MOST_STEPS = 40, MOST_TWIN = 14, MOST_ORDERS = 20000, MOST_RUN = 300 };

/* ---- A random run that fails or is stuck ---- */

static bool walk(hd_machine *machine, hd_random *random, hd_steps *schedule,
                 enum hd_replay_claim *claim) {
    machine->type->restart(machine);
    while (schedule->length < MOST_STEPS) {
        hd_step ways[64];
        uint32_t count = 0, running = 0;
        for (uint32_t t = 0; t < machine->threads; t++) {
            hd_machine_operation operation;
            if (!machine->type->next(machine, t, &operation))
                continue;
            running += !operation.idle;
            for (uint32_t c = 0; operation.enabled && c < operation.choices; c++)
                ways[count++] = (hd_step){t, c};
        }
        *claim = HD_REPLAY_STUCK;
        if (count == 0)
            return running > 0;
        hd_step step = ways[hd_random_below(random, count)];
        hd_vec_push(schedule, step);
        *claim = HD_REPLAY_VIOLATION;
        if (machine->type->step(machine, step.thread, step.choice) == HD_MACHINE_FAILED)
            return true;
    }
    return false;
}

/* ---- The twin: what a step needs, pair by pair; all orders that keep it ---- */

struct twin {
    hd_machine *machine;
    enum hd_replay_claim claim;
    hd_steps schedule;
    bool needs[MOST_STEPS][MOST_STEPS]; /* [later][earlier] */
    bool used[MOST_STEPS];
    hd_steps order;
    size_t fewest, orders;
    hd_machine_access accesses[MOST_STEPS][32];
    uint32_t counts[MOST_STEPS];
    bool wrong;
};

static int note_accesses(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    struct twin *twin = context;
    hd_machine_operation operation;
    machine->type->next(machine, step->thread, &operation);
    twin->counts[number - 1] = operation.count;
    for (uint32_t i = 0; i < operation.count; i++)
        twin->accesses[number - 1][i] = operation.accesses[i];
    return 0;
}

static void twin_order(struct twin *twin) {
    hd_replay_watch watch = {.before = note_accesses, .context = twin};
    hd_replay_outcome outcome;
    hd_error error = {""};
    hd_replay_run(twin->machine, &twin->schedule, &watch, &outcome, &error);
    for (size_t b = 0; b < twin->schedule.length; b++)
        for (size_t a = 0; a < b; a++)
            twin->needs[b][a] = twin->schedule.data[a].thread == twin->schedule.data[b].thread ||
                                hd_machine_dependent(twin->accesses[a], twin->counts[a],
                                                     twin->accesses[b], twin->counts[b]);
}

static bool ready(const struct twin *twin, size_t step) {
    for (size_t a = 0; a < step; a++)
        if (twin->needs[step][a] && !twin->used[a])
            return false;
    return !twin->used[step];
}

static void all_orders(struct twin *twin) {
    hd_error error = {""};
    if (twin->orders > MOST_ORDERS || twin->wrong)
        return;
    if (twin->order.length == twin->schedule.length) {
        size_t switches = hd_replay_switches(&twin->order);
        if (switches < twin->fewest)
            twin->fewest = switches;
        if (twin->orders++ < MOST_RUN &&
            !hd_replay_check(twin->machine, twin->claim, &twin->order, &error))
            twin->wrong = true;
        return;
    }
    for (size_t i = 0; i < twin->schedule.length; i++) {
        if (!ready(twin, i))
            continue;
        twin->used[i] = true;
        hd_vec_push(&twin->order, twin->schedule.data[i]);
        all_orders(twin);
        twin->order.length--;
        twin->used[i] = false;
    }
}

static void twin_init(struct twin *twin, hd_machine *machine, enum hd_replay_claim claim,
                      const hd_steps *schedule) {
    *twin = (struct twin){.machine = machine, .claim = claim, .fewest = SIZE_MAX};
    for (size_t i = 0; i < schedule->length; i++)
        hd_vec_push(&twin->schedule, schedule->data[i]);
    twin_order(twin);
}

static void twin_release(struct twin *twin) {
    hd_vec_release(&twin->schedule);
    hd_vec_release(&twin->order);
}

/* Steps of each thread in the causal past of the last one, by closure. */
static void past_of(const struct twin *twin, uint32_t *counts) {
    bool in[MOST_STEPS] = {false};
    size_t last = twin->schedule.length - 1;
    in[last] = true;
    for (size_t b = last + 1; b-- > 0;)
        for (size_t a = 0; in[b] && a < b; a++)
            in[a] |= twin->needs[b][a];
    for (size_t i = 0; i <= last; i++)
        counts[twin->schedule.data[i].thread] += in[i];
}

/* ---- Properties ---- */

static bool say(char *why, size_t size, const char *text) {
    snprintf(why, size, "%s", text);
    return false;
}

static bool within_past(hd_machine *machine, const hd_steps *before, const hd_steps *after,
                        char *why, size_t why_size) {
    static struct twin twin;
    uint32_t past[SUPPORT_MODEL_THREADS] = {0}, kept[SUPPORT_MODEL_THREADS] = {0};
    twin_init(&twin, machine, HD_REPLAY_VIOLATION, before);
    past_of(&twin, past);
    twin_release(&twin);
    for (size_t i = 0; i < after->length; i++)
        kept[after->data[i].thread]++;
    for (unsigned t = 0; t < SUPPORT_MODEL_THREADS; t++)
        if (kept[t] > past[t])
            return say(why, why_size, "a step outside the causal past was kept");
    return true;
}

static bool fewest_of_all(hd_machine *machine, enum hd_replay_claim claim,
                          const hd_replay_shrunk *shrunk, char *why, size_t why_size) {
    static struct twin twin;
    if (shrunk->schedule.length > MOST_TWIN || shrunk->schedule.length == 0)
        return true;
    twin_init(&twin, machine, claim, &shrunk->schedule);
    all_orders(&twin);
    twin_release(&twin);
    if (twin.wrong)
        return say(why, why_size, "a linearization does not show the claim");
    if (twin.fewest < shrunk->switches) {
        snprintf(why, why_size, "%zu context switches, but %zu are enough", shrunk->switches,
                 twin.fewest);
        return false;
    }
    return true;
}

/* The budget of the search is 1 for the greedy order. */
static bool shrinks(hd_machine *machine, enum hd_replay_claim claim, const hd_steps *schedule,
                    size_t budget, char *why, size_t why_size) {
    hd_replay_shrunk shrunk;
    hd_error error = {""};
    if (!hd_replay_shrink(machine, claim, schedule, budget, &shrunk, &error))
        return say(why, why_size, error.text);
    bool good =
        hd_replay_check(machine, claim, &shrunk.schedule, &error) || say(why, why_size, error.text);
    if (good && shrunk.schedule.length + shrunk.dropped != schedule->length)
        good = say(why, why_size, "steps were lost");
    if (good && shrunk.switches > hd_replay_switches(schedule))
        good = say(why, why_size, "there are more context switches than before");
    if (good && !budget && !shrunk.fewest)
        good = say(why, why_size, "the budget was not enough for a small run");
    if (good && claim == HD_REPLAY_VIOLATION)
        good = within_past(machine, schedule, &shrunk.schedule, why, why_size);
    if (good && shrunk.fewest)
        good = fewest_of_all(machine, claim, &shrunk, why, why_size);
    hd_vec_release(&shrunk.schedule);
    return good;
}

static bool shrinks_well(const void *input, hd_random *random, char *why, size_t why_size) {
    hd_machine *machine = support_model_machine(input, why, why_size);
    if (!machine)
        return false;
    bool good = true;
    for (int run = 0; good && run < 4; run++) {
        hd_steps schedule = {0};
        enum hd_replay_claim claim;
        if (walk(machine, random, &schedule, &claim))
            good = shrinks(machine, claim, &schedule, 0, why, why_size) &&
                   shrinks(machine, claim, &schedule, 1, why, why_size);
        hd_vec_release(&schedule);
    }
    machine->type->free(machine);
    return good;
}

static bool survives(hd_machine *machine, enum hd_replay_claim claim, const hd_steps *schedule,
                     const char *path, char *why, size_t why_size) {
    hd_replay_witness out, in;
    hd_replay_outcome outcome;
    hd_trace trace = {0};
    hd_error error = {""};
    hd_replay_witness_init(&out);
    hd_replay_witness_init(&in);
    out.claim = claim;
    out.schedule = *schedule;
    bool good = hd_replay_witness_save(&out, machine, path, &error) &&
                hd_replay_witness_load(&in, path, &error) &&
                hd_replay_witness_bind(&in, machine, &error) &&
                hd_replay_witness_run(&in, machine, NULL, &outcome, &error) &&
                hd_replay_shows(machine, &outcome, in.claim, &error) && in.claim == claim;
    if (good && (in.schedule.length != schedule->length ||
                 (schedule->length && memcmp(in.schedule.data, schedule->data,
                                             schedule->length * sizeof *schedule->data) != 0)))
        good = hd_error_set(&error, "the schedule changed on the way");
    if (good && in.run.events.length > 0) {
        good = hd_trace_load(&trace, path, 0, &error);
        hd_trace_release(&trace);
    }
    hd_replay_witness_release(&in);
    hd_trace_release(&out.run);
    return good || say(why, why_size, error.text);
}

static bool comes_back(const void *input, hd_random *random, char *why, size_t why_size) {
    hd_machine *machine = support_model_machine(input, why, why_size);
    if (!machine)
        return false;
    char path[512];
    support_temporary(path, sizeof path, "random_replay");
    hd_steps schedule = {0};
    enum hd_replay_claim claim;
    bool good = true;
    if (walk(machine, random, &schedule, &claim))
        good = survives(machine, claim, &schedule, path, why, why_size);
    unlink(path);
    hd_vec_release(&schedule);
    machine->type->free(machine);
    return good;
}

SUPPORT_SUITE(random_replay) {
    enum {
        /* much that fails or blocks */
        FEATURES = SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_AWAITS | SUPPORT_MODEL_CONDITIONS |
                   SUPPORT_MODEL_POINTERS | SUPPORT_MODEL_ASSERTIONS | SUPPORT_MODEL_OUTSIDE |
                   SUPPORT_MODEL_OFTEN
    };
    static const support_model_shape two = {2, 5, FEATURES}, three = {3, 3, FEATURES},
                                     four = {4, 2, FEATURES};
    static const support_model_shape objects = {
        3, 3, FEATURES | SUPPORT_MODEL_OBJECTS | SUPPORT_MODEL_FORKS | SUPPORT_MODEL_INVARIANTS};
    static const support_input_property properties[] = {
        {"two threads: shrinking equals its twin", &two, shrinks_well},
        {"three threads: shrinking equals its twin", &three, shrinks_well},
        {"four threads: shrinking equals its twin", &four, shrinks_well},
        {"witnesses come back", &three, comes_back},
        {"objects: shrinking equals its twin", &objects, shrinks_well},
        {"objects: witnesses come back", &objects, comes_back},
    };
    return support_random_inputs(argc, argv, &support_models, properties, 6);
}
