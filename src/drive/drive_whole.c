/*
 * All schedules of the program, within the limits of one search; after the first runs, whether
 * something was found from them or not, and once more where these limits were small ones.  Runs and
 * what they make likely say nothing of other schedules; only if this search ends by itself is "no
 * race" or "no deadlock" an answer.
 */
#include "drive_state.h"
#include "explore/explore.h"

/* Schedules that show something are kept and tried when the search is over: trying moves the
 * machine. */
struct hunt {
    hd_driver *driver;
    bool deadlocks;
    hd_map pairs; /* of positions that collided; where some races are suppressed, and variables */
    HD_VEC(hd_steps) kept;
    HD_VEC(bool) unordered; /* of these, if they are races */
};

enum { ENOUGH = 64 };

static bool is_over(const struct hunt *hunt) {
    return hd_drive_over(hunt->driver) || hunt->kept.length >= ENOUGH;
}

static int visit(void *context, hd_machine *machine, enum hd_explore_end end,
                 const hd_step *schedule, size_t length) {
    struct hunt *hunt = context;
    (void)machine;
    if (end == HD_EXPLORE_VIOLATION)
        hd_drive_note_fault(hunt->driver);
    if (hunt->deadlocks && end == HD_EXPLORE_DEADLOCK) {
        hd_steps steps = {0};
        for (size_t i = 0; i < length; i++)
            hd_vec_push(&steps, (hd_step){schedule[i].thread, schedule[i].choice});
        hd_vec_push(&hunt->kept, steps);
    }
    return is_over(hunt);
}

static void collide(void *context, const hd_explore_collision *found) {
    struct hunt *hunt = context;
    bool added;
    uint64_t pair = hd_drive_pair(found->positions[0], found->positions[1]);
    if (hunt->driver->options->dropped) /* of one variable, perhaps */
        pair = hd_map_key_with(pair, hd_explore_collision_location(found));
    hd_map_at(&hunt->pairs, pair, &added);
    if (!added || is_over(hunt))
        return;
    hd_steps steps = {0};
    hd_steps witness = {0};
    hd_explore_collision_schedule(found, true, &steps);
    for (size_t i = 0; i < steps.length; i++)
        hd_vec_push(&witness, (hd_step){steps.data[i].thread, steps.data[i].choice});
    if (!found->unordered) {
        hd_vec_push(&witness, (hd_step){found->threads[0], 0});
        hd_vec_push(&witness, (hd_step){found->threads[1], 0});
    }
    hd_vec_push(&hunt->kept, witness);
    hd_vec_push(&hunt->unordered, found->unordered);
    hd_vec_release(&steps);
}

static uint64_t most_briefly(const hd_drive_options *options) {
    uint64_t most = options->most_executions, whole = options->whole_executions;
    return !most || (whole && whole < most) ? whole : most;
}

/* True if every schedule was seen. */
static bool search(struct hunt *hunt, bool briefly, double seconds) {
    hd_driver *driver = hunt->driver;
    hd_explore_result result = {0};
    hd_error error = {""};
    static const double moment = 1;
    bool found = driver->result->found.length > 0 && !driver->options->whole;
    briefly |= found;
    if (briefly && !driver->open && (seconds <= 0 || seconds > moment))
        seconds = moment;
    hd_explore_options how = {.algorithm = HD_EXPLORE_SDPOR,
                              .most_executions = briefly ? most_briefly(driver->options)
                                                         : driver->options->whole_executions,
                              .most_seconds = seconds,
                              .most_steps = HD_NATIVE_USUAL_STEPS,
                              .visit = visit,
                              .collide = hunt->deadlocks ? NULL : collide,
                              .context = hunt};
    bool good = hd_explore_run(driver->machine, &how, &result, &error);
    driver->result->executions += result.executions + result.blocked;
    driver->result->states += result.steps;
    return good && result.complete && !result.stopped && !hd_drive_over(driver);
}

/* Tries what was kept; true if the program showed all of it. */
static bool try_kept(struct hunt *hunt) {
    bool shown_all = true;
    for (size_t i = 0; i < hunt->kept.length; i++) {
        uint64_t shown;
        if (!hd_drive_over(hunt->driver))
            shown_all &= hunt->deadlocks
                             ? hd_drive_try_hang(hunt->driver, &hunt->kept.data[i])
                             : hd_drive_try_race(hunt->driver, &hunt->kept.data[i],
                                                 hunt->unordered.data[i] ? HD_REPLAY_UNORDERED
                                                                         : HD_REPLAY_RACE,
                                                 HD_DRIVE_SEARCHED, &shown);
        hd_vec_release(&hunt->kept.data[i]);
    }
    hd_vec_release(&hunt->kept);
    hd_vec_release(&hunt->unordered);
    return shown_all;
}

void hd_drive_whole(hd_driver *driver, bool deadlocks, bool briefly) {
    struct hunt hunt = {.driver = driver, .deadlocks = deadlocks};
    const hd_drive_options *options = driver->options;
    hd_drive_result *result = driver->result;
    double seconds, since = hd_progress_clock();
    bool useless = !driver->open && (options->no_predict || result->cut);
    if (useless || result->hung || !hd_drive_seconds(driver, &seconds))
        return;
    bool complete = search(&hunt, briefly, seconds);
    hd_drive_spent(driver, HD_DRIVE_SEARCH, &since);
    hd_map_release(&hunt.pairs);
    driver->all_seen = try_kept(&hunt) && complete && !hd_drive_over(driver);
    result->whole = driver->all_seen && !options->no_predict && !result->cut;
}
