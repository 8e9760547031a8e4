#include "engine_drive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_property.h"
#include "engine_verdict.h"
#include "race/race.h"

/* ---- What was found, as a trace ---- */

static void keep_functions(hd_engine_driven *driven, hd_machine *machine,
                           const hd_replay_outcome *outcome) {
    uint32_t positions[2] = {outcome->first, outcome->second};
    for (int i = 0; i < 2; i++) {
        hd_vec_char text = {0};
        hd_native_function(machine, positions[i], &text);
        driven->functions[i] = hd_mem_string(text.length ? text.data : "", text.length);
        hd_vec_release(&text);
    }
}

/* The last event of the thread; 0 if it has none. */
static uint32_t last_event(const hd_trace *trace, const char *thread) {
    for (uint32_t n = hd_trace_length(trace); n > 0; n--)
        if (strcmp(hd_trace_thread_name(&trace->tables, hd_trace_event(trace, n)->thread),
                   thread) == 0)
            return n;
    return 0;
}

/* The accesses are the last step and an earlier one, both counted from 0.  Of an access of several
 * granules the events are several; the one of the variable that both touch counts. */
static void find_accesses(hd_engine_driven *driven, const hd_vec_u32 *step_of, size_t earlier,
                          size_t last) {
    const hd_trace *trace = &driven->trace;
    uint32_t length = hd_trace_length(trace);
    for (uint32_t b = length; b > 0 && step_of->data[b - 1] == last; b--)
        for (uint32_t a = b - 1; a > 0 && step_of->data[a - 1] >= earlier; a--)
            if (step_of->data[a - 1] == earlier &&
                hd_race_conflict(hd_trace_event(trace, a), hd_trace_event(trace, b))) {
                hd_vec_clear(&driven->events);
                hd_vec_push(&driven->events, a);
                hd_vec_push(&driven->events, b);
            }
    size_t next = driven->found->claim == HD_REPLAY_UNORDERED ? last : earlier;
    for (uint32_t n = 1; n <= length && step_of->data[n - 1] < next; n++)
        hd_vec_push(&driven->schedule, n);
}

static bool make_race(hd_engine_driven *driven, hd_machine *machine, const hd_vec_u32 *step_of,
                      hd_error *error) {
    hd_replay_outcome outcome;
    const hd_drive_found *found = driven->found;
    bool unordered = found->claim == HD_REPLAY_UNORDERED;
    size_t steps = found->schedule.length;
    if (!hd_replay_run_for(machine, found->claim, &found->schedule, &outcome, error))
        return false;
    find_accesses(driven, step_of, unordered ? outcome.earlier - 1 : steps - 2, steps - 1);
    if (!driven->events.length)
        return hd_error_set(error, "a race that was replayed is not in its trace");
    keep_functions(driven, machine, &outcome);
    if (!unordered) /* else the two are next in different states */
        hd_engine_stacks_before(machine, &found->schedule, HD_ENGINE_STACK_INDENT, driven->stacks);
    const char *name = hd_trace_object_name(&driven->trace.tables,
                                            hd_trace_event(&driven->trace, driven->events.data[0]));
    driven->variable = hd_mem_string(name, strlen(name));
    driven->former = hd_finding_fingerprint("race", (const char *const *)found->places, 2);
    return true;
}

/* The schedule hangs: of the threads that wait for a lock the last events are what they
 * hold; what they wait for is no event. */
static bool make_deadlock(hd_engine_driven *driven, hd_machine *machine, hd_error *error) {
    hd_replay_waits waits = {0};
    bool good = hd_replay_find_waits(machine, &driven->found->schedule, &waits, error);
    for (uint32_t n = 1; n <= hd_trace_length(&driven->trace); n++)
        hd_vec_push(&driven->schedule, n);
    for (size_t i = 0; good && i < waits.length; i++)
        if (waits.data[i].kind == HD_REPLAY_WAITS_LOCK) {
            uint32_t last = last_event(&driven->trace,
                                       machine->type->thread_name(machine, waits.data[i].thread));
            if (last)
                hd_vec_push(&driven->events, last);
        }
    driven->former = driven->found->fingerprint;
    hd_vec_release(&waits);
    return good;
}

static bool make_once(hd_engine_driven *driven, const hd_engine_drive *drive,
                      const hd_drive_found *found, hd_error *error) {
    hd_vec_u32 step_of = {0};
    *driven = (hd_engine_driven){.found = found};
    hd_trace_init(&driven->trace);
    bool good =
        hd_drive_record(drive->machine, &driven->found->schedule, &driven->trace, &step_of, error);
    if (good)
        good = drive->deadlocks ? make_deadlock(driven, drive->machine, error)
                                : make_race(driven, drive->machine, &step_of, error);
    hd_vec_release(&step_of);
    return good;
}

/* The system's timers may make another run of it, which shows nothing. */
bool hd_engine_driven_make(hd_engine_driven *driven, const hd_engine_drive *drive,
                           const hd_drive_found *found, hd_error *error) {
    enum { TRIES = 8 };
    bool good = make_once(driven, drive, found, error);
    for (int i = 1; !good && i < TRIES && !hd_native_machine_broken(drive->machine); i++) {
        hd_engine_driven_release(driven);
        error->text[0] = '\0';
        good = make_once(driven, drive, found, error);
    }
    return good;
}

void hd_engine_driven_release(hd_engine_driven *driven) {
    hd_trace_release(&driven->trace);
    hd_vec_release(&driven->events);
    hd_vec_release(&driven->schedule);
    free(driven->functions[0]);
    free(driven->functions[1]);
    free(driven->stacks[0]);
    free(driven->stacks[1]);
    free(driven->variable);
}

/* ---- Saving ---- */

char *hd_engine_driven_text(const hd_engine_drive *drive, const hd_engine_driven *driven) {
    char *text = NULL;
    int length = drive->deadlocks ? asprintf(&text, "deadlock: threads wait for %s",
                                             driven->found->ring ? "each other's locks"
                                                                 : "what no thread is left to do")
                                  : asprintf(&text, "race on %s: %s and %s", driven->variable,
                                             driven->found->places[0], driven->found->places[1]);
    return length < 0 ? hd_mem_made(NULL) : text;
}

bool hd_engine_driven_save(const hd_engine_drive *drive, const hd_engine_driven *driven, size_t i,
                           hd_error *error) {
    char *file = hd_engine_witness_file(drive->output, i),
         *verdict = hd_engine_driven_text(drive, driven);
    hd_replay_witness witness = {.claim = driven->found->claim,
                                 .schedule = driven->found->schedule,
                                 .program = (char *)drive->path,
                                 .question = (char *)(drive->deadlocks ? "deadlock" : "race"),
                                 .verdict = verdict};
    bool good = hd_engine_witness_save(&witness, drive->machine, file, error);
    free(verdict);
    free(file);
    return good;
}

/* ---- What is shown ---- */

hd_engine_shown hd_engine_driven_shown(const hd_engine_drive *drive,
                                       const hd_engine_driven *driven) {
    return (hd_engine_shown){.machine = drive->machine,
                             .path = drive->path,
                             .claim = driven->found->claim,
                             .schedule = &driven->found->schedule,
                             .rule = drive->deadlocks ? "deadlock" : "race",
                             .variable = driven->variable};
}

/* Is a finding of these parts to be passed over?  `counted`: it is counted, if so. */
static bool drops(const hd_engine_drive *drive, const hd_engine_driven *driven,
                  const hd_finding_part *parts, size_t count, hd_finding_filter *counted) {
    hd_engine_shown shown = hd_engine_driven_shown(drive, driven);
    hd_finding_about about = {.parts = parts,
                              .count = count,
                              .deadlock = drive->deadlocks,
                              .fingerprint = hd_engine_shown_identity(&shown),
                              .former = driven->former};
    return counted ? hd_finding_filter_drops(counted, &about)
                   : hd_finding_filter_names(&drive->filter, &about);
}

static bool drops_race(const hd_engine_drive *drive, const hd_engine_driven *driven,
                       hd_finding_filter *counted) {
    hd_finding_part parts[2];
    for (int i = 0; i < 2; i++)
        parts[i] = (hd_finding_part){.variable = driven->variable,
                                     .place = driven->found->places[i],
                                     .function = driven->functions[i]};
    return drops(drive, driven, parts, 2, counted);
}

static bool drops_deadlock(const hd_engine_drive *drive, const hd_engine_driven *driven,
                           hd_finding_filter *counted) {
    hd_engine_parts parts = {0};
    hd_engine_parts_of_waits(&parts, drive->machine, drive->path, &driven->found->schedule,
                             driven->found->ring);
    bool dropped = drops(drive, driven, parts.data, parts.length, counted);
    hd_engine_parts_release(&parts);
    return dropped;
}

static bool is_dropped(const hd_engine_drive *drive, const hd_engine_driven *driven,
                       hd_finding_filter *counted) {
    return drive->deadlocks ? drops_deadlock(drive, driven, counted)
                            : drops_race(drive, driven, counted);
}

bool hd_engine_driven_suppressed(const hd_engine_drive *drive, const hd_engine_driven *driven) {
    return drive->filter.on && is_dropped(drive, driven, NULL);
}

static bool filter(hd_engine_drive *drive, hd_error *error) {
    size_t count = drive->result.found.length;
    drive->dropped = HD_NEW_ARRAY(bool, count + 1);
    for (size_t i = 0; drive->filter.on && i < count; i++) {
        hd_engine_driven driven;
        bool good = hd_engine_driven_make(&driven, drive, &drive->result.found.data[i], error);
        drive->dropped[i] = good && is_dropped(drive, &driven, &drive->filter);
        hd_engine_driven_release(&driven);
        if (!good)
            return false;
    }
    for (size_t i = 0; i < count; i++)
        drive->shown += !drive->dropped[i];
    return true;
}

/* ---- The verdict ---- */

/* Some runs and what they make likely are not all schedules. */
static void not_all(const hd_engine_drive *drive, hd_verdict *verdict) {
    const hd_drive_result *result = &drive->result;
    hd_engine_verdict_stopped(verdict, result->fault);
    if (result->whole)
        return; /* whatever driving could not decide */
    if (result->hung)
        hd_verdict_not(verdict, "hang",
                       "a run has no scheduling point for long: a loop that waits for a plain "
                       "variable, say (-O0 or an atomic variable show that); no more were run");
    else if (result->cut)
        hd_verdict_not(verdict, "cut",
                       "a run has more than %d steps or %d threads, or does what a trace cannot "
                       "say; what comes after that was not looked at: heddle record, and ask about "
                       "the trace",
                       HD_NATIVE_MOST_STEPS, HEDDLE_WIRE_EXPLORED);
    if (result->unproved.length)
        hd_verdict_not(verdict, "undecided", "%s unproved",
                       hd_text_count(result->unproved.length, "pair is", "pairs are"));
    if (hd_clock_look() == HD_CLOCK_STOPPED && !hd_stop_asked())
        hd_verdict_not(verdict, "interrupted", "interrupted before all was looked at");
    if (result->late)
        hd_verdict_not(verdict, "limit", "stopped after %.1f s of searching: --time gives more",
                       drive->options.total_seconds);
    hd_verdict_not(verdict, "sampled",
                   "driven from %s, which %s not all schedules%s: heddle explore looks at all",
                   hd_text_count((size_t)result->runs, "run", "runs"),
                   result->runs == 1 ? "is" : "are",
                   result->quiet ? " (the last ones showed nothing new)" : "");
}

static void judge(hd_engine_drive *drive) {
    hd_verdict *verdict = &drive->verdict;
    hd_verdict_init(verdict, drive->deadlocks ? "deadlocks" : "data races");
    not_all(drive, verdict);
    hd_native_machine_rests(drive->machine, verdict);
    hd_native_machine_notes(drive->machine, verdict);
    hd_engine_verdict_inputs(verdict, drive->arguments, false);
    if (drive->usual_whole && !drive->shown)
        hd_verdict_note(verdict, "inputs",
                        "with 0, 1, -1, 2, 3 for every input the search was complete");
    verdict->found = drive->shown > 0;
}

const char *hd_engine_drive_word(const hd_engine_drive *drive) {
    return hd_engine_property_word(HD_ENGINE_NO_DATA_RACE,
                                   drive->result.found.length ? "no-data-race" : NULL, true,
                                   &drive->verdict);
}

/* ---- The question ---- */

void hd_engine_drive_init(hd_engine_drive *drive, const char *path, hd_engine_words arguments,
                          bool deadlocks) {
    *drive = (hd_engine_drive){.path = path, .arguments = arguments, .deadlocks = deadlocks};
    hd_drive_options_init(&drive->options);
}

bool hd_engine_drive_start(hd_engine_drive *drive, hd_error *error) {
    if (drive->machine)
        return true;
    size_t count = drive->arguments.count;
    drive->argv = HD_NEW_ARRAY(char *, count + 2);
    drive->argv[0] = (char *)drive->path;
    for (size_t i = 0; i < count; i++)
        drive->argv[i + 1] = drive->arguments.data[i];
    if (hd_launch_is_source(drive->path)) {
        drive->made = hd_launch_make(drive->path, hd_launch_options_is_sv_comp(), error);
        if (!drive->made)
            return false;
        drive->argv[0] = drive->made;
    }
    drive->machine = hd_engine_program_start(
        (hd_native_machine_options){.argv = drive->argv, .most_steps = HD_NATIVE_MOST_STEPS},
        error);
    if (!drive->machine || !hd_engine_program_suppressions(drive->machine, &drive->filter, error))
        return false;
    drive->options.whole |= drive->filter.on;
    return true;
}

static int take_found(void *context, const hd_drive_found *found, uint32_t round) {
    hd_engine_drive *drive = context;
    return drive->each(drive->context, drive, found, round);
}

static bool drops_found(void *context, const hd_drive_found *found, uint64_t *variable) {
    const hd_engine_drive *drive = context;
    hd_engine_driven driven;
    hd_error error = {""};
    bool dropped = hd_engine_driven_make(&driven, drive, found, &error) &&
                   hd_engine_driven_suppressed(drive, &driven);
    if (dropped && !drive->deadlocks)
        *variable = hd_drive_variable(driven.variable);
    hd_engine_driven_release(&driven);
    return dropped;
}

static bool ask(hd_engine_drive *drive, hd_error *error) {
    return drive->deadlocks
               ? hd_drive_deadlocks(drive->machine, &drive->options, &drive->result, error)
               : hd_drive_races(drive->machine, &drive->options, &drive->result, error);
}

/* Nothing is found with the usual inputs: is something with those that the program compares them
 * with?  As often as that shows more, in four times the time at most if there is no limit. */
static bool ask_wider(hd_engine_drive *drive, double started, bool limited, hd_error *error) {
    static const double least = 10, times = 4;
    bool good = true;
    double taken = hd_progress_clock() - started;
    hd_clock clock = {.until =
                          hd_progress_clock() + (times * taken > least ? times * taken : least)};
    if (!limited)
        hd_clock_begin(&clock);
    while (good && !drive->result.found.length && hd_clock_look() == HD_CLOCK_GOES &&
           !hd_native_machine_broken(drive->machine) && hd_native_machine_widen(drive->machine)) {
        bool whole = drive->result.whole;
        hd_drive_result_release(&drive->result);
        hd_native_machine_renew(drive->machine);
        good = ask(drive, error);
        drive->usual_whole |= whole && !drive->result.whole;
    }
    if (!limited)
        hd_clock_end(&clock);
    return good;
}

/* Without a limit on time there is the usual one. */
static bool ask_all(hd_engine_drive *drive, hd_error *error) {
    double started = hd_progress_clock();
    bool limited = hd_clock_left(1e9) < 1e9;
    hd_clock clock = {.until = started + drive->options.total_seconds};
    if (!limited)
        hd_clock_begin(&clock);
    bool good = ask(drive, error) && ask_wider(drive, started, limited, error);
    if (!limited)
        hd_clock_end(&clock);
    return good;
}

bool hd_engine_drive_run(hd_engine_drive *drive, hd_error *error) {
    drive->options.context = drive;
    if (drive->each)
        drive->options.each = take_found;
    if (drive->filter.on)
        drive->options.dropped = drops_found;
    bool good = ask_all(drive, error);
    const char *name = hd_text_name(drive->path);
    if (good && hd_native_machine_refused(drive->machine))
        hd_log_write(HD_LOG_WARNING,
                     "%s: calls that start other processes were refused; they fail with ENOSYS",
                     name);
    for (size_t i = 0; good && drive->each && i < drive->result.found.length; i++)
        if (!drive->result.found.data[i].told &&
            drive->each(drive->context, drive, &drive->result.found.data[i], UINT32_MAX))
            break;
    if (!good || !filter(drive, error))
        return hd_error_prefix(error, "%s: ", name);
    judge(drive);
    hd_engine_verdict_filter(&drive->verdict, &drive->filter);
    return true;
}

void hd_engine_drive_release(hd_engine_drive *drive) {
    if (drive->machine)
        drive->machine->type->free(drive->machine);
    free(drive->argv);
    free(drive->made);
    free(drive->dropped);
    hd_drive_result_release(&drive->result);
    hd_verdict_release(&drive->verdict);
    hd_finding_filter_release(&drive->filter);
}
