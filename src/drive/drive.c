/*
 * The stages, one after the other.
 */
#include <stdlib.h>
#include <string.h>

#include "drive_state.h"

const char *const hd_drive_way_names[HD_DRIVE_WAYS] = {
    [HD_DRIVE_OBSERVED] = "observed",
    [HD_DRIVE_PREDICTED] = "predicted",
    [HD_DRIVE_EXTENDED] = "extended",
    [HD_DRIVE_SEARCHED] = "searched",
};

const char *const hd_drive_stage_names[HD_DRIVE_STAGES] = {
    [HD_DRIVE_RUN] = "run",       [HD_DRIVE_PREDICT] = "predict", [HD_DRIVE_SCAN] = "scan",
    [HD_DRIVE_EXTEND] = "extend", [HD_DRIVE_PARK] = "park",       [HD_DRIVE_SEARCH] = "search",
    [HD_DRIVE_REPLAY] = "replay",
};

void hd_drive_options_init(hd_drive_options *options) {
    *options = (hd_drive_options){.effort = UINT64_C(2000000000),
                                  .most_executions = 1000,
                                  .whole_executions = 100000,
                                  .most_seconds = 10,
                                  .total_seconds = 60};
}

void hd_drive_options_limit(hd_drive_options *options, double seconds) {
    enum { PARTS = 6, LEAST = 1 };
    if (seconds <= 0)
        return;
    options->total_seconds = seconds;
    options->most_seconds = seconds / PARTS > LEAST ? seconds / PARTS : LEAST;
}

/* ---- Places, time ---- */

uint32_t hd_drive_place(hd_driver *driver, const char *text) {
    return hd_names_add(&driver->places, text, strlen(text));
}

uint32_t hd_drive_place_of(hd_driver *driver, uint32_t position) {
    bool added;
    uint32_t *place = hd_map_at(&driver->position_places, position, &added);
    if (added) {
        hd_vec_char text = {0};
        hd_native_place(driver->machine, position, &text);
        hd_vec_push(&text, '\0');
        *place = hd_drive_place(driver, text.data);
        hd_vec_release(&text);
    }
    return *place;
}

void hd_drive_spent(hd_driver *driver, enum hd_drive_stage stage, double *since) {
    double now = hd_progress_clock();
    driver->result->seconds[stage] += now - *since;
    *since = now;
}

bool hd_drive_seconds(hd_driver *driver, double *seconds) {
    const hd_drive_options *options = driver->options;
    const double *spent = driver->result->seconds;
    *seconds = options->most_seconds;
    if (hd_clock_look() != HD_CLOCK_GOES) {
        driver->result->late |= hd_clock_look() == HD_CLOCK_LATE;
        return false;
    }
    if (options->total_seconds <= 0)
        return true;
    double left = options->total_seconds - spent[HD_DRIVE_PARK] - spent[HD_DRIVE_SEARCH];
    driver->result->late |= left <= 0;
    if (*seconds <= 0 || *seconds > left)
        *seconds = left;
    return left > 0;
}

static char *place_text(const hd_driver *driver, uint32_t place) {
    return hd_mem_string(hd_names_text(&driver->places, place),
                         hd_names_size(&driver->places, place));
}

/* ---- Results ---- */

static void release_warnings(hd_drive_warning *warnings, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(warnings[i].places[0]);
        free(warnings[i].places[1]);
        free(warnings[i].variable);
        free(warnings[i].reason);
    }
}

static void release_found(hd_drive_found *found) {
    free(found->places[0]);
    free(found->places[1]);
    hd_vec_release(&found->schedule);
}

void hd_drive_result_release(hd_drive_result *result) {
    for (size_t i = 0; i < result->found.length; i++)
        release_found(&result->found.data[i]);
    hd_vec_release(&result->found);
    release_warnings(result->unproved.data, result->unproved.length);
    release_warnings(result->refuted.data, result->refuted.length);
    hd_vec_release(&result->unproved);
    hd_vec_release(&result->refuted);
    *result = (hd_drive_result){0};
}

/* ---- Witnesses ---- */

static bool is_known(const hd_driver *driver, uint64_t pair) {
    return hd_map_find(&driver->proved, pair) != NULL;
}

void hd_drive_tell(hd_driver *driver) {
    hd_drive_found *found = hd_vec_last(&driver->result->found);
    if (!driver->options->each || driver->enough || hd_native_machine_changed(driver->machine) ||
        hd_native_machine_broken(driver->machine))
        return;
    found->told = true;
    driver->enough = driver->options->each(driver->options->context, found, driver->round) != 0;
}

uint64_t hd_drive_variable(const char *name) {
    return hd_finding_fingerprint("variable", &name, 1);
}

static bool is_passed(const hd_driver *driver, uint64_t pair, uint64_t variable) {
    return hd_map_find(&driver->passed, hd_map_key_with(pair, variable)) != NULL;
}

/* A race that is suppressed is kept once for each variable, to be counted, and is not told. */
static void pass_race(hd_driver *driver, uint64_t pair, uint64_t variable, hd_drive_found *found) {
    bool added;
    hd_map_at(&driver->passed, pair, &added);
    hd_map_at(&driver->passed, hd_map_key_with(pair, variable), &added);
    driver->dropped = true;
    found->told = true;
    if (added)
        hd_vec_push(&driver->result->found, *found);
    else
        release_found(found);
}

static void keep_race(hd_driver *driver, uint64_t pair, enum hd_replay_claim claim,
                      hd_replay_shrunk *shrunk, enum hd_drive_way way) {
    const hd_drive_options *options = driver->options;
    bool added;
    uint64_t variable;
    hd_drive_found found = {
        .places = {place_text(driver, (uint32_t)(pair >> 32)), place_text(driver, (uint32_t)pair)},
        .way = way,
        .seed = driver->run.seed,
        .seconds = hd_progress_clock() - driver->started,
        .states = driver->result->states,
        .claim = claim,
        .schedule = shrunk->schedule,
        .fewest = shrunk->fewest};
    if (options->dropped && options->dropped(options->context, &found, &variable)) {
        pass_race(driver, pair, variable, &found);
        return;
    }
    hd_map_at(&driver->proved, pair, &added);
    hd_vec_push(&driver->result->found, found);
    hd_drive_tell(driver);
}

bool hd_drive_try_race(hd_driver *driver, const hd_steps *steps, enum hd_replay_claim claim,
                       enum hd_drive_way way, uint64_t *shown) {
    enum { STATES = 1 << 12 };
    hd_replay_outcome outcome;
    hd_replay_shrunk shrunk;
    hd_error error = {""};
    double since = hd_progress_clock();
    driver->dropped = false;
    bool good = hd_replay_run_for(driver->machine, claim, steps, &outcome, &error) &&
                hd_replay_shows(driver->machine, &outcome, claim, &error) && !hd_drive_over(driver);
    if (good) {
        *shown = hd_drive_pair(hd_drive_place_of(driver, outcome.first),
                               hd_drive_place_of(driver, outcome.second));
        if (!is_known(driver, *shown) &&
            hd_replay_shrink(driver->machine, claim, steps, STATES, &shrunk, &error))
            keep_race(driver, *shown, claim, &shrunk, way);
    } else
        hd_log_write(HD_LOG_NOTE, "seed %llu: %s: the program does not follow: %s",
                     (unsigned long long)driver->run.seed, hd_drive_way_names[way],
                     error.text[0] ? error.text : "no race there");
    hd_drive_spent(driver, HD_DRIVE_REPLAY, &since);
    return good;
}

/* The two accesses after the events; in the other order if the first one is fatal. */
static bool try_events(hd_driver *driver, const hd_vec_u32 *events, uint32_t a, uint32_t b,
                       enum hd_drive_way how, uint64_t *shown) {
    bool good = false;
    for (int turn = 0; turn < 2 && !good && !hd_drive_over(driver); turn++) {
        hd_steps steps = {0};
        hd_drive_way_there way = {.run = &driver->run, .steps = &steps};
        for (size_t i = 0; i < events->length; i++)
            hd_drive_go(&way, events->data[i]);
        hd_drive_go_before(&way, a);
        hd_drive_go_before(&way, b);
        hd_drive_go(&way, turn ? b : a);
        hd_drive_go(&way, turn ? a : b);
        good = hd_drive_try_race(driver, &steps, HD_REPLAY_RACE, how, shown);
        hd_vec_release(&steps);
    }
    return good;
}

/* The events, and the access after them. */
static void try_unordered(hd_driver *driver, const hd_vec_u32 *events, uint32_t access,
                          uint64_t *shown) {
    hd_steps steps = {0};
    hd_drive_way_there way = {.run = &driver->run, .steps = &steps};
    for (size_t i = 0; i < events->length; i++)
        hd_drive_go(&way, events->data[i]);
    hd_drive_go(&way, access);
    hd_drive_try_race(driver, &steps, HD_REPLAY_UNORDERED, HD_DRIVE_PREDICTED, shown);
    hd_vec_release(&steps);
}

/* ---- Stage I, and the solver ---- */

static uint64_t count_reports(hd_driver *driver, enum hd_race_method method) {
    hd_race_options options;
    hd_race_result result;
    hd_error error = {""};
    hd_race_options_init(&options);
    options.method = method;
    options.count_only = true;
    return hd_race_run(&driver->run.trace, &options, &result, NULL, NULL, &error) ? result.races
                                                                                  : 0;
}

static void most(uint64_t *to, uint64_t value) {
    *to = *to > value ? *to : value;
}

static void look_at_run(hd_driver *driver) {
    hd_drive_result *result = driver->result;
    most(&result->lockset, count_reports(driver, HD_RACE_LOCKSET));
    most(&result->lockset_plain, count_reports(driver, HD_RACE_LOCKSET_PLAIN));
    most(&result->happens, count_reports(driver, HD_RACE_HB));
    most(&result->events, hd_trace_length(&driver->run.trace));
    most(&result->steps, driver->run.steps.length);
}

static uint32_t place_at(hd_driver *driver, uint32_t event) {
    const hd_trace *trace = &driver->run.trace;
    return hd_drive_place(driver, hd_trace_location(&trace->tables, hd_trace_event(trace, event)));
}

static int take_prediction(void *context, hd_finding *finding) {
    hd_driver *driver = context;
    uint64_t shown;
    if (!finding->witness)
        return 0;
    uint32_t a = finding->events.data[0], b = finding->events.data[1];
    uint64_t pair = hd_drive_pair(place_at(driver, a), place_at(driver, b));
    const hd_trace *trace = &driver->run.trace;
    const char *name = hd_trace_object_name(&trace->tables, hd_trace_event(trace, a));
    finding->dropped = driver->options->dropped && is_passed(driver, pair, hd_drive_variable(name));
    if (is_known(driver, pair) || finding->dropped)
        return hd_drive_over(driver);
    driver->dropped = false;
    if (finding->witness->claim.kind == HD_WITNESS_UNORDERED)
        try_unordered(driver, &finding->witness->schedule, b, &shown);
    else
        try_events(driver, &finding->witness->schedule, a, b, HD_DRIVE_PREDICTED, &shown);
    finding->dropped = driver->dropped;
    return hd_drive_over(driver);
}

static bool predict(hd_driver *driver) {
    hd_race_options options;
    hd_race_result result;
    double since = hd_progress_clock(), replayed = driver->result->seconds[HD_DRIVE_REPLAY];
    hd_race_options_init(&options);
    options.limit = driver->options->effort;
    bool good =
        hd_race_run(&driver->run.trace, &options, &result, take_prediction, driver, driver->error);
    hd_drive_spent(driver, HD_DRIVE_PREDICT, &since);
    driver->result->seconds[HD_DRIVE_PREDICT] -=
        driver->result->seconds[HD_DRIVE_REPLAY] - replayed;
    return good;
}

/* ---- Stages II to VI ---- */

/* The prefix of stage III, and the event after it that races with a1, 0 if none does. */
static uint32_t extend_instance(hd_driver *driver, const hd_drive_instance *instance,
                                hd_vec_u32 *prefix) {
    double since = hd_progress_clock();
    uint32_t last = driver->options->no_extend ? instance->first - 1 : instance->second;
    uint32_t racing = hd_drive_extend(&driver->run, instance->first, last, prefix);
    hd_drive_spent(driver, HD_DRIVE_EXTEND, &since);
    return racing;
}

/* True if stage III alone shows the pair. */
static bool show_instance(hd_driver *driver, const hd_drive_instance *instance, uint64_t pair) {
    hd_vec_u32 prefix = {0};
    uint64_t shown;
    uint32_t racing = extend_instance(driver, instance, &prefix);
    if (racing)
        try_events(driver, &prefix, instance->first, racing, HD_DRIVE_EXTENDED, &shown);
    hd_vec_release(&prefix);
    return racing && is_known(driver, pair);
}

static enum hd_drive_verdict search_instance(hd_driver *driver, const hd_drive_instance *instance,
                                             uint64_t pair) {
    hd_vec_u32 prefix = {0};
    double seconds;
    enum hd_drive_verdict verdict = HD_DRIVE_UNDECIDED;
    extend_instance(driver, instance, &prefix);
    if (hd_drive_seconds(driver, &seconds))
        verdict =
            hd_drive_search(driver, &prefix, instance->first, instance->second, pair, seconds);
    hd_vec_release(&prefix);
    return is_known(driver, pair) ? HD_DRIVE_PROVED : verdict;
}

/* Stage III costs little.  A search may cost much: if some did, only the first and the last begin
 * one. */
static enum hd_drive_verdict ask_suspect(hd_driver *driver, const hd_drive_suspect *suspect) {
    enum { FIRST = 2, FEW = 100 };
    uint64_t before = driver->result->executions;
    enum hd_drive_verdict all = HD_DRIVE_REFUTED;
    for (uint32_t i = 0; i < suspect->count && !hd_drive_over(driver); i++)
        if (show_instance(driver, &suspect->instances[i], suspect->pair))
            return HD_DRIVE_PROVED;
    for (uint32_t i = 0; i < suspect->count && !hd_drive_over(driver); i++) {
        if (i >= FIRST && i + 1 < suspect->count && driver->result->executions - before > FEW)
            continue;
        enum hd_drive_verdict one = search_instance(driver, &suspect->instances[i], suspect->pair);
        if (one == HD_DRIVE_PROVED)
            return one;
        if (one == HD_DRIVE_UNDECIDED)
            all = one;
    }
    return all;
}

static const char *reason_of(enum hd_drive_verdict verdict) {
    return verdict == HD_DRIVE_REFUTED
               ? "no schedule from the state before one of them leads to the other"
               : "no reordering of a run shows it, and the search for another run was cut off";
}

static void keep_warning(hd_driver *driver, const hd_drive_suspect *suspect) {
    const hd_trace *trace = &driver->run.trace;
    const char *name =
        hd_trace_object_name(&trace->tables, hd_trace_event(trace, suspect->instances[0].first));
    hd_vec_push(&driver->warnings, (hd_drive_state){.pair = suspect->pair,
                                                    .variable = hd_mem_string(name, strlen(name)),
                                                    .verdict = HD_DRIVE_REFUTED});
}

/* What is proved of a pair is not asked again.  What a search could not decide is asked once
 * more, from another run; what was refuted, a few times, as another run leads to another
 * state before a1. */
static bool is_worth_asking(hd_driver *driver, const hd_drive_suspect *suspect) {
    enum { UNDECIDED_AT_MOST = 2, ASKED_AT_MOST = 4 };
    bool added;
    if (is_known(driver, suspect->pair))
        return false;
    uint32_t *at = hd_map_at(&driver->asked, suspect->pair, &added);
    if (added) {
        *at = (uint32_t)driver->warnings.length;
        keep_warning(driver, suspect);
    }
    hd_drive_state *state = &driver->warnings.data[*at];
    return state->undecided < UNDECIDED_AT_MOST && state->asked++ < ASKED_AT_MOST;
}

static void ask_warning(hd_driver *driver, const hd_drive_suspect *suspect) {
    if (!is_worth_asking(driver, suspect))
        return;
    enum hd_drive_verdict verdict = ask_suspect(driver, suspect);
    hd_drive_state *state = &driver->warnings.data[*hd_map_find(&driver->asked, suspect->pair)];
    state->undecided += verdict == HD_DRIVE_UNDECIDED;
    if (verdict == HD_DRIVE_UNDECIDED)
        state->verdict = verdict;
}

/* What costs little: stage III. */
static void show_warning(hd_driver *driver, const hd_drive_suspect *suspect) {
    bool shown = is_known(driver, suspect->pair);
    for (uint32_t i = 0; i < suspect->count && !shown && !hd_drive_over(driver); i++)
        shown = show_instance(driver, &suspect->instances[i], suspect->pair);
}

static void ask_warnings(hd_driver *driver) {
    hd_drive_suspects suspects = {0};
    double since = hd_progress_clock();
    hd_drive_find_warnings(driver, &suspects);
    hd_drive_spent(driver, HD_DRIVE_SCAN, &since);
    for (size_t i = 0; i < suspects.length && !hd_drive_over(driver); i++)
        (driver->first_look ? show_warning : ask_warning)(driver, &suspects.data[i]);
    hd_vec_release(&suspects);
}

/* The warnings that stayed warnings. */
static void tell_warnings(hd_driver *driver) {
    hd_drive_result *result = driver->result;
    result->warnings = driver->warnings.length;
    for (size_t i = 0; i < driver->warnings.length; i++) {
        hd_drive_state *state = &driver->warnings.data[i];
        const char *reason = reason_of(state->verdict);
        if (is_known(driver, state->pair) || hd_map_find(&driver->passed, state->pair))
            continue;
        hd_drive_warning warning = {{place_text(driver, (uint32_t)(state->pair >> 32)),
                                     place_text(driver, (uint32_t)state->pair)},
                                    state->variable,
                                    hd_mem_string(reason, strlen(reason))};
        state->variable = NULL;
        if (state->verdict == HD_DRIVE_REFUTED)
            hd_vec_push(&result->refuted, warning);
        else
            hd_vec_push(&result->unproved, warning);
    }
}

/* ---- All ---- */

static void find_races(hd_driver *driver) {
    double since = hd_progress_clock();
    bool again = !driver->first_look && driver->run.seed < driver->looked_at;
    look_at_run(driver);
    hd_drive_spent(driver, HD_DRIVE_RUN, &since);
    if (!driver->options->no_predict && !again && !predict(driver))
        return;
    if (!hd_drive_over(driver))
        ask_warnings(driver);
}

bool hd_drive_races(hd_machine *machine, const hd_drive_options *options, hd_drive_result *result,
                    hd_error *error) {
    hd_driver driver = {.machine = machine,
                        .options = options,
                        .result = result,
                        .started = hd_progress_clock(),
                        .error = error};
    *result = (hd_drive_result){0};
    bool good = hd_drive_seeds(&driver, find_races, false);
    if (good)
        tell_warnings(&driver);
    hd_drive_release(&driver);
    return good;
}
