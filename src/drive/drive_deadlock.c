/*
 * Deadlocks.  Cycles of the lock order of a run, decided by the reordering solver on its
 * trace; what it shows is driven on the program: to the state where the threads wait for
 * each other, then everybody else as far as they go.  Only if nothing can go on then it is
 * a deadlock: threads wait in a ring for each other's locks, or for something that no thread is
 * left to do, such as a signal that came too early.
 *
 * Where there are cycles that the solver does not show, only a search of all schedules
 * (drive_whole.c) can say that the program has no deadlock: other values lead to other code.
 */
#include <stdlib.h>
#include <string.h>

#include "drive_state.h"

#define NO_THREAD UINT32_MAX

/* ---- Is it one? ---- */

static const hd_replay_wait *wait_of(const hd_replay_waits *waits, uint32_t thread) {
    for (size_t i = 0; i < waits->length; i++)
        if (waits->data[i].thread == thread && waits->data[i].kind == HD_REPLAY_WAITS_LOCK)
            return &waits->data[i];
    return NULL;
}

/* A thread that waits in a ring of locks, or for a lock of its own; NO_THREAD: none does. */
static uint32_t find_ring(const hd_replay_waits *waits) {
    for (size_t i = 0; i < waits->length; i++) {
        const hd_replay_wait *at = wait_of(waits, waits->data[i].thread);
        for (size_t steps = 0; at && steps <= waits->length; steps++) {
            if (at->holder == waits->data[i].thread)
                return at->holder;
            at = wait_of(waits, at->holder);
        }
    }
    return NO_THREAD;
}

/* Where the thread waits. */
static const char *place_of(hd_driver *driver, uint32_t thread) {
    hd_machine_operation operation;
    driver->machine->type->next(driver->machine, thread, &operation);
    return hd_names_text(&driver->places, hd_drive_place_of(driver, operation.position));
}

static const char *lock_of(hd_driver *driver, const hd_replay_wait *wait) {
    const char *name = wait->kind == HD_REPLAY_WAITS_LOCK
                           ? driver->machine->type->location_name(driver->machine, wait->location)
                           : "";
    return hd_names_text(&driver->places, hd_drive_place(driver, name));
}

/* What tells deadlocks apart: the rule and the places at which the threads of the ring wait;
 * without a ring, all.  And what does so beside one that is suppressed: the locks as well. */
typedef struct prints {
    uint64_t places, locks;
} prints;

static prints prints_of(hd_driver *driver, const hd_replay_waits *waits, uint32_t start) {
    HD_VEC(const char *) places = {0}, locks = {0};
    uint32_t thread = start;
    for (size_t i = 0; start == NO_THREAD && i < waits->length; i++) {
        hd_vec_push(&places, place_of(driver, waits->data[i].thread));
        hd_vec_push(&locks, lock_of(driver, &waits->data[i]));
    }
    if (start != NO_THREAD)
        do {
            const hd_replay_wait *wait = wait_of(waits, thread);
            hd_vec_push(&places, place_of(driver, thread));
            hd_vec_push(&locks, lock_of(driver, wait));
            thread = wait->holder;
        } while (thread != start);
    prints of = {.places = hd_finding_fingerprint("deadlock", places.data, places.length),
                 .locks = hd_finding_fingerprint("locks", locks.data, locks.length)};
    hd_vec_release(&places);
    hd_vec_release(&locks);
    return of;
}

static void keep(hd_driver *driver, prints of, bool ring, const hd_steps *steps,
                 enum hd_drive_way way) {
    enum { STATES = 1 << 12 };
    const hd_drive_options *options = driver->options;
    hd_replay_shrunk shrunk;
    hd_error error = {""};
    bool added;
    uint64_t passed = hd_map_key_with(of.places, of.locks), unused;
    if (hd_map_find(&driver->proved, of.places) || hd_map_find(&driver->passed, passed) ||
        !hd_replay_shrink(driver->machine, HD_REPLAY_STUCK, steps, STATES, &shrunk, &error))
        return;
    hd_drive_found found = {.fingerprint = of.places,
                            .ring = ring,
                            .way = way,
                            .seed = driver->run.seed,
                            .seconds = hd_progress_clock() - driver->started,
                            .states = driver->result->states,
                            .claim = HD_REPLAY_STUCK,
                            .schedule = shrunk.schedule,
                            .fewest = shrunk.fewest};
    driver->dropped = options->dropped && options->dropped(options->context, &found, &unused);
    hd_map_at(driver->dropped ? &driver->passed : &driver->proved,
              driver->dropped ? passed : of.places, &added);
    found.told = driver->dropped; /* kept, to be counted */
    hd_vec_push(&driver->result->found, found);
    if (!driver->dropped)
        hd_drive_tell(driver);
}

/* Keeps the schedule if it hangs; *ring: whether that is in a ring of locks. */
static bool try_hang(hd_driver *driver, const hd_steps *steps, enum hd_drive_way way,
                     bool *in_ring) {
    hd_replay_waits waits = {0};
    hd_error error = {""};
    double since = hd_progress_clock();
    uint32_t ring = NO_THREAD;
    driver->dropped = false;
    bool good = hd_replay_check(driver->machine, HD_REPLAY_STUCK, steps, &error) &&
                hd_replay_find_waits(driver->machine, steps, &waits, &error) &&
                !hd_drive_over(driver);
    if (good) {
        ring = find_ring(&waits);
        keep(driver, prints_of(driver, &waits, ring), ring != NO_THREAD, steps, way);
    }
    hd_vec_release(&waits);
    hd_drive_spent(driver, HD_DRIVE_REPLAY, &since);
    *in_ring = ring != NO_THREAD;
    return good;
}

bool hd_drive_try_hang(hd_driver *driver, const hd_steps *steps) {
    bool ring;
    return try_hang(driver, steps, HD_DRIVE_SEARCHED, &ring);
}

/* ---- The solver's ---- */

/* The next after `last` that can go on, one that only waits for a time after all others. */
static bool find_next(hd_machine *machine, uint32_t *last, bool *yields) {
    uint32_t found = NO_THREAD;
    for (uint32_t i = 1; i <= machine->threads; i++) {
        hd_machine_operation operation;
        uint32_t thread = (*last + i) % machine->threads;
        if (!machine->type->next(machine, thread, &operation) || !operation.enabled)
            continue;
        if (found == NO_THREAD || !operation.yields) {
            found = thread;
            *yields = operation.yields;
        }
        if (!operation.yields)
            break;
    }
    *last = found;
    return found != NO_THREAD;
}

/* Everybody else goes on, as far as they can.  Where only those go on that wait for a time, a ring
 * of locks is enough; without one they may go on for ever. */
static bool let_run(hd_machine *machine, hd_steps *steps) {
    enum { MOST_YIELDS = 1000 };
    hd_replay_outcome outcome;
    hd_error error = {""};
    uint32_t thread = 0;
    machine->asleep = 0;
    if (!hd_replay_run(machine, steps, NULL, &outcome, &error) || outcome.failed)
        return false;
    bool enabled, yields = false;
    uint32_t yielded = 0;
    while ((enabled = find_next(machine, &thread, &yields)) &&
           steps->length < HD_NATIVE_MOST_STEPS && yielded < MOST_YIELDS) {
        if (yields && !yielded++ && hd_replay_run(machine, steps, NULL, &outcome, &error) &&
            !outcome.failed && !outcome.enabled)
            return true;
        hd_vec_push(steps, (hd_step){thread, 0});
        if (machine->type->step(machine, thread, 0) != HD_MACHINE_WENT_ON)
            return false;
    }
    return !enabled;
}

struct solved {
    hd_driver *driver;
    uint64_t refused; /* cycles that the program did not follow */
};

static int take_deadlock(void *context, hd_finding *finding) {
    struct solved *solved = context;
    hd_driver *driver = solved->driver;
    hd_steps steps = {0};
    hd_drive_way_there way = {.run = &driver->run, .steps = &steps};
    if (!finding->witness) {
        solved->refused++;
        return 0;
    }
    for (size_t i = 0; i < finding->witness->schedule.length; i++)
        hd_drive_go(&way, finding->witness->schedule.data[i]);
    for (size_t i = 0; i < finding->events.length; i++)
        hd_drive_go_before(&way, finding->events.data[i]);
    bool ring = false;
    if (!let_run(driver->machine, &steps) || !try_hang(driver, &steps, HD_DRIVE_PREDICTED, &ring) ||
        !ring)
        solved->refused++;
    finding->dropped = driver->dropped;
    hd_vec_release(&steps);
    return hd_drive_over(driver);
}

static bool solve(hd_driver *driver, struct solved *solved, hd_race_deadlock_result *result) {
    hd_race_options options;
    double since = hd_progress_clock(), replayed = driver->result->seconds[HD_DRIVE_REPLAY];
    hd_race_options_init(&options);
    options.untimed = true;
    options.limit = driver->options->effort;
    bool good = hd_race_deadlocks(&driver->run.trace, &options, result, take_deadlock, solved,
                                  driver->error);
    hd_drive_spent(driver, HD_DRIVE_PREDICT, &since);
    driver->result->seconds[HD_DRIVE_PREDICT] -=
        driver->result->seconds[HD_DRIVE_REPLAY] - replayed;
    return good;
}

/* ---- All ---- */

static void warn(hd_driver *driver) {
    static const char what[] = "cycles of locks";
    static const char why[] =
        "the solver does not show them all, and the search for schedules that hang was cut off";
    hd_vec_push(&driver->result->unproved, (hd_drive_warning){{NULL, NULL},
                                                              hd_mem_string(what, sizeof what - 1),
                                                              hd_mem_string(why, sizeof why - 1)});
}

/* Steps of a schedule that is tried, and what comes after it: more than the run that was seen had,
 * but a thread that looks round now and then would go on for ever. */
static uint32_t most_steps(const hd_driver *driver) {
    enum { TIMES = 4, MORE = 4000 };
    size_t most = TIMES * driver->run.steps.length + MORE;
    return most < HD_NATIVE_MOST_STEPS ? (uint32_t)most : HD_NATIVE_MOST_STEPS;
}

static void look_at_run(hd_driver *driver) {
    struct solved solved = {.driver = driver};
    hd_race_deadlock_result result = {0};
    hd_drive_result *total = driver->result;
    if (hd_trace_length(&driver->run.trace) > total->events)
        total->events = hd_trace_length(&driver->run.trace);
    if (driver->run.steps.length > total->steps)
        total->steps = driver->run.steps.length;
    bool ring;
    try_hang(driver, &driver->run.steps, HD_DRIVE_OBSERVED, &ring);
    if (hd_drive_over(driver) || !solve(driver, &solved, &result))
        return;
    total->cycles = result.cycles > total->cycles ? result.cycles : total->cycles;
    driver->open |=
        solved.refused || result.unproved || result.cut || result.cycles > result.deadlocks;
}

static void find_deadlocks(hd_driver *driver) {
    hd_native_machine_manner(driver->machine, (hd_native_manner){.most_steps = most_steps(driver)});
    look_at_run(driver);
    hd_native_machine_manner(driver->machine, (hd_native_manner){0});
}

bool hd_drive_deadlocks(hd_machine *machine, const hd_drive_options *options,
                        hd_drive_result *result, hd_error *error) {
    hd_driver driver = {.machine = machine,
                        .options = options,
                        .result = result,
                        .started = hd_progress_clock(),
                        .error = error};
    *result = (hd_drive_result){0};
    bool good = hd_drive_seeds(&driver, find_deadlocks, true);
    if (good && driver.open && !driver.all_seen && !hd_drive_over(&driver))
        warn(&driver);
    hd_drive_release(&driver);
    return good;
}
