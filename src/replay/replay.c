/*
 * Running a machine along a schedule.
 */
#include "replay_waits.h"

const char *hd_replay_claim_name(enum hd_replay_claim claim) {
    static const char *const names[HD_REPLAY_CLAIMS] = {
        [HD_REPLAY_VIOLATION] = "violation", [HD_REPLAY_STUCK] = "stuck",
        [HD_REPLAY_RACE] = "race",           [HD_REPLAY_END] = "end",
        [HD_REPLAY_UNORDERED] = "unordered", [HD_REPLAY_LIVELOCK] = "livelock",
    };
    return names[claim];
}

size_t hd_replay_switches(const hd_steps *schedule) {
    size_t count = 0;
    for (size_t i = 1; i < schedule->length; i++)
        count += schedule->data[i].thread != schedule->data[i - 1].thread;
    return count;
}

/* Can the step be taken? */
static bool step_fits(hd_machine *machine, size_t number, const hd_step *step, hd_map *holders,
                      hd_error *error) {
    hd_machine_operation operation;
    if (step->thread >= machine->threads)
        return hd_error_set(error, "step %zu: there is no thread number %u", number, step->thread);
    const char *name = machine->type->thread_name(machine, step->thread);
    if (!machine->type->next(machine, step->thread, &operation))
        return hd_error_set(error, "step %zu: thread %.80s has ended", number, name);
    if (!operation.enabled) {
        hd_vec_char text = {0};
        machine->type->describe(machine, step->thread, &text);
        hd_vec_push(&text, '\0');
        hd_error_write(error, "step %zu: thread %.80s cannot go on: %.400s", number, name,
                       text.data);
        hd_vec_release(&text);
        return false;
    }
    assert(operation.choices); /* what is enabled can be done in some way */
    if (step->choice >= operation.choices)
        return hd_error_set(error,
                            "step %zu: thread %.80s has no choice %u; its next operation has %u",
                            number, name, step->choice, operation.choices);
    hd_replay_follow_locks(holders, step->thread, &operation);
    return true;
}

static bool failed_early(hd_machine *machine, size_t number, size_t length, hd_error *error) {
    hd_vec_char text = {0};
    machine->type->failure(machine, &text);
    hd_vec_push(&text, '\0');
    hd_error_write(error, "step %zu of %zu fails already: %.400s", number, length, text.data);
    hd_vec_release(&text);
    return false;
}

static void look_around(hd_machine *machine, const hd_map *holders, hd_replay_outcome *outcome) {
    bool all_yield = true;
    for (uint32_t thread = 0; thread < machine->threads; thread++) {
        hd_machine_operation operation;
        if (!machine->type->next(machine, thread, &operation) || operation.idle)
            continue;
        outcome->unfinished++;
        outcome->enabled += operation.enabled || operation.retries;
        all_yield &= (!operation.enabled || operation.yields) && !operation.retries;
    }
    if (outcome->enabled && all_yield && hd_replay_in_ring(machine, holders))
        outcome->enabled = 0;
}

static void expect_steps(hd_machine *machine, const hd_steps *schedule) {
    hd_steps steps = {0};
    if (!machine->type->expect)
        return;
    for (size_t i = 0; i < schedule->length; i++)
        hd_vec_push(&steps, (hd_step){schedule->data[i].thread, schedule->data[i].choice});
    machine->type->expect(machine, steps.data, steps.length);
    hd_vec_release(&steps);
}

/* The machine is before the last two steps: do they race? */
static void look_for_race(hd_machine *machine, const hd_step *last, hd_replay_outcome *outcome) {
    hd_machine_operation first = {0}, second = {0}; /* a model does not set all of it */
    outcome->race = last[0].thread != last[1].thread && last[1].thread < machine->threads &&
                    machine->type->next(machine, last[0].thread, &first) &&
                    machine->type->next(machine, last[1].thread, &second) &&
                    hd_machine_collide(&first, &second);
    if (!outcome->race)
        return;
    outcome->first = first.position;
    outcome->second = second.position;
}

static bool run_along(hd_machine *machine, const hd_steps *schedule, const hd_replay_watch *watch,
                      hd_map *holders, hd_replay_outcome *outcome, hd_error *error) {
    *outcome = (hd_replay_outcome){0};
    expect_steps(machine, schedule);
    machine->type->restart(machine);
    for (size_t i = 0; i < schedule->length && !outcome->stopped; i++) {
        const hd_step *step = &schedule->data[i];
        assert(outcome->steps == i);
        if (outcome->failed)
            return failed_early(machine, i, schedule->length, error);
        if (!step_fits(machine, i + 1, step, holders, error))
            return false;
        if (watch->before && watch->before(watch->context, machine, i + 1, step)) {
            outcome->stopped = true;
            break;
        }
        if (i + 2 == schedule->length)
            look_for_race(machine, step, outcome);
        enum hd_machine_result result = machine->type->step(machine, step->thread, step->choice);
        if (result == HD_MACHINE_HUNG)
            return hd_error_set(error, "step %zu never ends", i + 1);
        outcome->failed = result == HD_MACHINE_FAILED;
        outcome->steps++;
        outcome->stopped = watch->after && watch->after(watch->context, machine, i + 1, step) != 0;
    }
    if (!outcome->failed)
        look_around(machine, holders, outcome);
    assert(outcome->stopped ? outcome->steps <= schedule->length
                            : outcome->steps == schedule->length);
    assert(outcome->enabled <= outcome->unfinished && outcome->unfinished <= machine->threads);
    return true;
}

bool hd_replay_run(hd_machine *machine, const hd_steps *schedule, const hd_replay_watch *watch,
                   hd_replay_outcome *outcome, hd_error *error) {
    static const hd_replay_watch no_watch = {0};
    hd_map holders = {0};
    bool good = run_along(machine, schedule, watch ? watch : &no_watch, &holders, outcome, error);
    hd_map_release(&holders);
    return good;
}

/* Names a thread that can go on. */
static bool not_stuck(hd_machine *machine, hd_error *error) {
    uint32_t thread;
    bool found = hd_machine_find_enabled(machine, &thread);
    assert(found);
    (void)found;
    return hd_error_set(error, "not stuck: thread %.80s can go on",
                        machine->type->thread_name(machine, thread));
}

bool hd_replay_shows(hd_machine *machine, const hd_replay_outcome *outcome,
                     enum hd_replay_claim claim, hd_error *error) {
    assert(!outcome->race || outcome->steps >= 2);
    assert(!outcome->unordered || (outcome->earlier && outcome->earlier < outcome->steps));
    if (claim == HD_REPLAY_VIOLATION)
        return outcome->failed ||
               hd_error_set(error, "no failure: the last step, %zu, goes through", outcome->steps);
    if (claim == HD_REPLAY_RACE)
        return outcome->race ||
               hd_error_set(error, "no race: the last two steps are not accesses of common memory "
                                   "by two threads, one of them a write, one of them plain");
    if (claim == HD_REPLAY_UNORDERED)
        return outcome->unordered ||
               hd_error_set(error, "no race: all accesses that conflict with the last step happen "
                                   "before it");
    if (claim == HD_REPLAY_LIVELOCK)
        return outcome->cycle ||
               hd_error_set(error, "no livelock: the last state is not one from which all threads "
                                   "that could go on have taken a step");
    if (outcome->failed) {
        hd_vec_char text = {0};
        machine->type->failure(machine, &text);
        hd_vec_push(&text, '\0');
        hd_error_write(error, "%s: the last step fails: %.400s",
                       claim == HD_REPLAY_END ? "no end" : "not stuck", text.data);
        hd_vec_release(&text);
        return false;
    }
    if (claim == HD_REPLAY_END)
        return outcome->unfinished == 0 ||
               hd_error_set(error, "no end: %u threads have not ended", outcome->unfinished);
    if (outcome->unfinished == 0)
        return hd_error_set(error, "not stuck: every thread has ended");
    return outcome->enabled == 0 || not_stuck(machine, error);
}

bool hd_replay_run_for(hd_machine *machine, enum hd_replay_claim claim, const hd_steps *schedule,
                       hd_replay_outcome *outcome, hd_error *error) {
    hd_replay_prepare(machine, claim);
    return claim == HD_REPLAY_UNORDERED ? hd_replay_run_unordered(machine, schedule, outcome, error)
           : claim == HD_REPLAY_LIVELOCK ? hd_replay_run_livelock(machine, schedule, outcome, error)
                                         : hd_replay_run(machine, schedule, NULL, outcome, error);
}

bool hd_replay_check(hd_machine *machine, enum hd_replay_claim claim, const hd_steps *schedule,
                     hd_error *error) {
    hd_replay_outcome outcome;
    return hd_replay_run_for(machine, claim, schedule, &outcome, error) &&
           hd_replay_shows(machine, &outcome, claim, error);
}
