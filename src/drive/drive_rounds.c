/*
 * All runs: from each seed, again when the program turns out to be another, and then what was found
 * once more.
 */
#include <stdlib.h>

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
    driver->searched = false;
}

static bool is_broken(hd_driver *driver) {
    const char *broken = hd_native_machine_broken(driver->machine);
    if (broken)
        hd_error_write(driver->error, "%s", broken);
    return broken != NULL;
}

/* A run that shows more shared memory, or more threads, makes another machine of the
 * program: what was found before is found again. */
static bool run_rounds(hd_driver *driver, void (*body)(hd_driver *driver), bool deadlocks) {
    enum { ROUNDS = 64 };
    for (int round = 0; round < ROUNDS; round++) {
        driver->result->runs = 0;
        for (uint64_t seed = 0; seed < driver->options->seeds; seed++) {
            double since = hd_progress_clock();
            bool good = hd_drive_run_make(driver, seed);
            hd_drive_spent(driver, HD_DRIVE_RUN, &since);
            if (!good || is_broken(driver))
                return false;
            driver->result->runs++;
            if (driver->result->hung)
                return true; /* each of them may take as long */
            if (!hd_drive_over(driver))
                body(driver);
            if (hd_drive_over(driver) || driver->error->text[0])
                break;
        }
        if (is_broken(driver) || driver->error->text[0])
            return false;
        if (!hd_drive_over(driver))
            hd_drive_whole(driver, deadlocks);
        if (is_broken(driver))
            return false;
        if (!hd_native_machine_changed(driver->machine) || hd_stop_asked() || driver->enough)
            return true;
        forget(driver);
        driver->round++;
        hd_native_machine_renew(driver->machine);
        if (is_broken(driver))
            return false;
    }
    return hd_error_set(driver->error, "every run shares other memory than those before it");
}

/* P1: in processes of their own, which had no part in finding it. */
static bool confirm(hd_driver *driver) {
    double since = hd_progress_clock();
    hd_drive_result *result = driver->result;
    bool good = true;
    if (!result->found.length)
        return true;
    hd_machine *checker = driver->machine->type->copy(driver->machine);
    hd_native_machine_by_fork(checker);
    for (size_t i = 0; good && i < result->found.length; i++)
        good = hd_replay_check(checker, result->found.data[i].claim,
                               &result->found.data[i].schedule, driver->error);
    checker->type->free(checker);
    hd_drive_spent(driver, HD_DRIVE_REPLAY, &since);
    return good;
}

/* What was found in runs from restored memory and is not so in a process of its own was found in
 * memory that was not restored well: then all begins again, with a process for each run. */
bool hd_drive_seeds(hd_driver *driver, void (*body)(hd_driver *driver), bool deadlocks) {
    while (run_rounds(driver, body, deadlocks)) {
        if (confirm(driver))
            return true;
        if (!hd_native_machine_mistrust(driver->machine, driver->error->text))
            return false;
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
}
