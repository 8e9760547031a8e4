/*
 * All runs: from each seed, again when the program turns out to be another, and then what was found
 * once more.
 */
#include <stdlib.h>
#include <string.h>

#include "drive_state.h"

static void forget(hd_driver *driver) {
    hd_drive_result_release(driver->result);
    for (size_t i = 0; i < driver->warnings.length; i++)
        free(driver->warnings.data[i].variable);
    hd_vec_clear(&driver->warnings);
    hd_map_clear(&driver->position_places);
    hd_map_clear(&driver->proved);
    hd_map_clear(&driver->passed);
    hd_map_clear(&driver->asked);
    hd_map_clear(&driver->met);
    driver->open = driver->all_seen = driver->rest_searched = false;
    driver->quiet = 0;
}

static bool is_broken(hd_driver *driver) {
    const char *broken = hd_native_machine_broken(driver->machine);
    if (broken)
        hd_error_write(driver->error, "%s", broken);
    return broken != NULL;
}

/* ---- How many runs ---- */

/* Runs before all schedules are searched, and the runs without anything new after which no more
 * are made. */
enum { FIRST_RUNS = 8, QUIET_RUNS = 12, MOST_RUNS = 1000 };

/* What a run showed: places of which one follows the other at a variable, in another thread. */
static void count_met(hd_driver *driver) {
    const hd_trace *trace = &driver->run.trace;
    size_t before = driver->met.length, found = driver->result->found.length;
    hd_map last = {0}; /* variable -> its last event */
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        bool added;
        if (!hd_trace_is_access(event))
            continue;
        uint32_t *at = hd_map_at(&last, event->object, &added);
        uint32_t place = hd_drive_place(driver, hd_trace_location(&trace->tables, event));
        uint32_t former = 0;
        if (!added && hd_trace_event(trace, *at)->thread != event->thread)
            former = 1 + hd_drive_place(
                             driver, hd_trace_location(&trace->tables, hd_trace_event(trace, *at)));
        *at = n;
        hd_map_at(&driver->met, (uint64_t)former << 32 | place, &added);
    }
    hd_map_release(&last);
    bool grew = driver->met.length > before || found > driver->found_before;
    driver->found_before = found;
    driver->quiet = grew ? 0 : driver->quiet + 1;
}

/* Runs before anything else is done. */
static uint64_t first_runs(const hd_driver *driver) {
    return driver->options->seeds ? driver->options->seeds : FIRST_RUNS;
}

/* Is the run of that number wanted?  Without a number from the user, as long as there is time and
 * runs go on to show what earlier ones did not. */
static bool wants_run(hd_driver *driver, uint64_t run) {
    const hd_drive_options *options = driver->options;
    if (hd_clock_look() != HD_CLOCK_GOES) {
        driver->result->late |= hd_clock_look() == HD_CLOCK_LATE;
        return false;
    }
    if (options->seeds || driver->first_look || run < FIRST_RUNS)
        return run < first_runs(driver);
    driver->result->quiet = driver->quiet >= QUIET_RUNS;
    if (driver->result->whole || driver->result->quiet || run >= MOST_RUNS)
        return false;
    bool late = options->total_seconds > 0 &&
                hd_progress_clock() - driver->started > options->total_seconds;
    driver->result->late |= late;
    return !late;
}

/* Once, if nothing was found. */
static void search_rest(hd_driver *driver, bool deadlocks) {
    const hd_drive_options *options = driver->options;
    bool brief = driver->result->found.length && !options->whole && !driver->open;
    if (driver->rest_searched || driver->all_seen || brief)
        return;
    driver->rest_searched = true;
    hd_drive_whole(driver, deadlocks, false);
}

static bool may_search_whole(const hd_driver *driver) {
    return !driver->first_look && !hd_drive_over(driver) && !driver->error->text[0];
}

/* All schedules are searched briefly after the first runs: where that comes to its end, more runs
 * show nothing.  Where it does not, a few more runs may show at once what is far in the order of a
 * search, so these are first. */
static void search_whole_after(hd_driver *driver, uint64_t runs, bool deadlocks) {
    bool all = driver->options->seeds || !driver->options->most_executions;
    if (!may_search_whole(driver))
        return;
    if (runs == first_runs(driver)) {
        driver->rest_searched = all;
        hd_drive_whole(driver, deadlocks, !all);
    } else if (runs == FIRST_RUNS + QUIET_RUNS)
        search_rest(driver, deadlocks);
}

/* False if it cannot go on. */
static bool look_at_runs(hd_driver *driver, void (*body)(hd_driver *driver), bool deadlocks) {
    driver->result->runs = 0;
    for (uint64_t seed = 0; wants_run(driver, seed); seed++) {
        double since = hd_progress_clock();
        bool good = hd_drive_run_make(driver, seed);
        hd_drive_spent(driver, HD_DRIVE_RUN, &since);
        if (!good && hd_clock_look() == HD_CLOCK_LATE) { /* it was ended while it was recorded */
            driver->error->text[0] = '\0';
            driver->result->late = true;
            return true;
        }
        if (!good || is_broken(driver))
            return false;
        driver->result->runs++;
        if (driver->result->hung)
            return true; /* each of them may take as long */
        if (!hd_drive_over(driver))
            body(driver);
        search_whole_after(driver, seed + 1, deadlocks);
        if (hd_drive_over(driver) || driver->error->text[0])
            break;
        if (!driver->first_look)
            count_met(driver);
    }
    if (!driver->options->seeds && may_search_whole(driver))
        search_rest(driver, deadlocks);
    driver->result->late |= hd_clock_look() == HD_CLOCK_LATE;
    return !is_broken(driver) && !driver->error->text[0];
}

/* What costs little is asked of all first runs before anything is searched from one: a search may
 * take long, another run may show the race at once, and memory that only other runs share makes
 * all begin again. */
static bool run_seeds(hd_driver *driver, void (*body)(hd_driver *driver), bool deadlocks) {
    driver->looked_at = 0;
    driver->first_look = !deadlocks && !driver->options->no_predict && first_runs(driver) > 1;
    if (driver->first_look) {
        bool good = look_at_runs(driver, body, deadlocks);
        driver->first_look = false;
        driver->looked_at = driver->result->runs;
        if (!good || driver->result->hung || hd_drive_over(driver))
            return good;
    }
    return look_at_runs(driver, body, deadlocks);
}

/* A run that shows more shared memory, or more threads, makes another machine of the
 * program: what was found before is found again. */
static bool run_rounds(hd_driver *driver, void (*body)(hd_driver *driver), bool deadlocks) {
    enum { ROUNDS = 64 };
    for (int round = 0; round < ROUNDS; round++) {
        if (!run_seeds(driver, body, deadlocks))
            return false;
        if (driver->result->hung)
            return true;
        if (!hd_native_machine_changed(driver->machine) || driver->enough ||
            hd_clock_look() != HD_CLOCK_GOES)
            return true;
        forget(driver);
        driver->round++;
        hd_native_machine_renew(driver->machine);
        if (is_broken(driver))
            return false;
    }
    return hd_error_set(driver->error, "every run shares other memory than those before it");
}

/* What was seen once and not again, as where timers of the system decide: no finding. */
static void doubt(hd_driver *driver, size_t i, const char *why) {
    hd_drive_result *result = driver->result;
    hd_drive_found *found = &result->found.data[i];
    static const char what[] = "a schedule that was seen once";
    hd_drive_warning warning = {.variable = hd_mem_string(what, sizeof what - 1),
                                .reason = hd_mem_string(why, strlen(why))};
    for (int k = 0; k < 2; k++) {
        warning.places[k] = found->places[k];
        found->places[k] = NULL;
    }
    hd_vec_push(&result->unproved, warning);
    hd_vec_release(&found->schedule);
    for (; i + 1 < result->found.length; i++)
        result->found.data[i] = result->found.data[i + 1];
    result->found.length--;
    result->whole = false;
}

/* P1: in processes of their own, which had no part in finding it.  If every run was in such a
 * process (`last`), what they do not show is given up. */
static bool confirm(hd_driver *driver, bool last) {
    double since = hd_progress_clock();
    hd_drive_result *result = driver->result;
    bool good = true;
    if (!result->found.length)
        return true;
    hd_machine *checker = driver->machine->type->copy(driver->machine);
    hd_native_machine_by_fork(checker);
    for (size_t i = 0; good && i < result->found.length;) {
        hd_drive_found *found = &result->found.data[i];
        uint32_t most = (uint32_t)found->schedule.length + 2; /* what comes then is of no account */
        if (found->claim == HD_REPLAY_STUCK)
            hd_native_machine_manner(checker, (hd_native_manner){.most_steps = most});
        good = hd_replay_check(checker, found->claim, &found->schedule, driver->error);
        if (good)
            i++;
        else if (last && !hd_native_machine_broken(checker)) {
            doubt(driver, i, driver->error->text);
            driver->error->text[0] = '\0';
            good = true;
        }
    }
    checker->type->free(checker);
    hd_drive_spent(driver, HD_DRIVE_REPLAY, &since);
    return good;
}

/* What was found in runs from restored memory and is not so in a process of its own was found in
 * memory that was not restored well: then all begins again, with a process for each run. */
bool hd_drive_seeds(hd_driver *driver, void (*body)(hd_driver *driver), bool deadlocks) {
    while (run_rounds(driver, body, deadlocks)) {
        if (confirm(driver, false))
            return true;
        if (!hd_native_machine_mistrust(driver->machine, driver->error->text)) {
            driver->error->text[0] = '\0';
            return confirm(driver, true);
        }
        driver->error->text[0] = '\0';
        forget(driver);
        driver->round++;
        hd_native_machine_renew(driver->machine);
        if (is_broken(driver))
            return false;
    }
    return false;
}

void hd_drive_release(hd_driver *driver) {
    driver->machine->type->restart(driver->machine);
    for (size_t i = 0; i < driver->warnings.length; i++)
        free(driver->warnings.data[i].variable);
    hd_vec_release(&driver->warnings);
    hd_drive_run_release(&driver->run);
    hd_names_release(&driver->places);
    hd_map_release(&driver->position_places);
    hd_map_release(&driver->proved);
    hd_map_release(&driver->passed);
    hd_map_release(&driver->asked);
    hd_map_release(&driver->met);
}
