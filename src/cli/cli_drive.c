#include "cli_drive.h"

#include <stdlib.h>
#include <string.h>

#include "cli_stack.h"

/* ---- What was found, as a trace ---- */

static void keep_functions(hd_cli_driven *driven, hd_machine *machine,
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

/* Of an access of several granules the events are several; the one of the variable that
 * both touch counts. */
static void find_accesses(hd_cli_driven *driven, const hd_vec_u32 *step_of, size_t steps) {
    const hd_trace *trace = &driven->trace;
    uint32_t length = hd_trace_length(trace);
    for (uint32_t b = length; b > 0 && step_of->data[b - 1] + 1 == steps; b--)
        for (uint32_t a = b - 1; a > 0 && step_of->data[a - 1] + 2 >= steps; a--)
            if (step_of->data[a - 1] + 2 == steps &&
                hd_race_conflict(hd_trace_event(trace, a), hd_trace_event(trace, b))) {
                hd_vec_clear(&driven->events);
                hd_vec_push(&driven->events, a);
                hd_vec_push(&driven->events, b);
            }
    for (uint32_t n = 1; n <= length && step_of->data[n - 1] + 2 < steps; n++)
        hd_vec_push(&driven->schedule, n);
}

static bool make_race(hd_cli_driven *driven, hd_machine *machine, const hd_vec_u32 *step_of,
                      hd_error *error) {
    hd_replay_outcome outcome;
    const hd_drive_found *found = driven->found;
    if (!hd_replay_run(machine, &found->schedule, NULL, &outcome, error))
        return false;
    find_accesses(driven, step_of, found->schedule.length);
    if (!driven->events.length)
        return hd_error_set(error, "a race that was replayed is not in its trace");
    keep_functions(driven, machine, &outcome);
    hd_cli_stacks_before(machine, &found->schedule, HD_CLI_STACK_INDENT, driven->stacks);
    const char *name = hd_trace_object_name(&driven->trace.tables,
                                            hd_trace_event(&driven->trace, driven->events.data[0]));
    driven->variable = hd_mem_string(name, strlen(name));
    driven->former = hd_finding_fingerprint("race", (const char *const *)found->places, 2);
    return true;
}

/* The schedule hangs: of the threads that wait for a lock the last events are what they
 * hold; what they wait for is no event. */
static bool make_deadlock(hd_cli_driven *driven, hd_machine *machine, hd_error *error) {
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

bool hd_cli_driven_make(hd_cli_driven *driven, const hd_cli_drive *drive, size_t i,
                        hd_error *error) {
    hd_vec_u32 step_of = {0};
    *driven = (hd_cli_driven){.found = &drive->result.found.data[i]};
    hd_trace_init(&driven->trace);
    bool good =
        hd_drive_record(drive->machine, &driven->found->schedule, &driven->trace, &step_of, error);
    if (good)
        good = drive->deadlocks ? make_deadlock(driven, drive->machine, error)
                                : make_race(driven, drive->machine, &step_of, error);
    hd_vec_release(&step_of);
    return good;
}

void hd_cli_driven_release(hd_cli_driven *driven) {
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

static char *verdict_of(const hd_cli_drive *drive, const hd_cli_driven *driven) {
    char *text = NULL;
    int length = drive->deadlocks ? asprintf(&text, "deadlock: threads wait for %s",
                                             driven->found->ring ? "each other's locks"
                                                                 : "what nobody is left to do")
                                  : asprintf(&text, "race on %s: %s and %s", driven->variable,
                                             driven->found->places[0], driven->found->places[1]);
    return length < 0 ? NULL : text;
}

static bool save(const hd_cli_drive *drive, const hd_cli_driven *driven, size_t i,
                 hd_error *error) {
    char *file = hd_engine_witness_file(drive->output, i), *verdict = verdict_of(drive, driven);
    hd_replay_witness witness = {.claim = drive->deadlocks ? HD_REPLAY_STUCK : HD_REPLAY_RACE,
                                 .schedule = driven->found->schedule,
                                 .program = drive->arguments->operands[0],
                                 .question = (char *)drive->arguments->command->name,
                                 .verdict = verdict};
    bool good = hd_engine_witness_save(&witness, drive->machine, file, error);
    free(verdict);
    free(file);
    return good;
}

/* ---- What is shown ---- */

hd_engine_shown hd_cli_driven_shown(const hd_cli_drive *drive, const hd_cli_driven *driven) {
    return (hd_engine_shown){.machine = drive->machine,
                             .path = drive->arguments->operands[0],
                             .claim = drive->deadlocks ? HD_REPLAY_STUCK : HD_REPLAY_RACE,
                             .schedule = &driven->found->schedule,
                             .rule = drive->deadlocks ? "deadlock" : "race",
                             .variable = driven->variable};
}

/* Is a finding of these parts to be passed over? */
static bool drops(hd_cli_drive *drive, const hd_cli_driven *driven, const hd_finding_part *parts,
                  size_t count) {
    hd_engine_shown shown = hd_cli_driven_shown(drive, driven);
    hd_finding_about about = {parts, count, hd_engine_shown_identity(&shown), driven->former};
    return hd_finding_filter_drops(&drive->filter, &about);
}

static bool drops_race(hd_cli_drive *drive, const hd_cli_driven *driven) {
    hd_finding_part parts[2];
    for (int i = 0; i < 2; i++)
        parts[i] =
            (hd_finding_part){driven->variable, driven->found->places[i], driven->functions[i]};
    return drops(drive, driven, parts, 2);
}

/* What a thread waits for, if it is a lock, and where. */
static hd_finding_part part_of(const hd_cli_drive *drive, const hd_replay_wait *wait) {
    hd_machine *machine = drive->machine;
    hd_machine_operation operation;
    hd_vec_char function = {0};
    const char *lock = wait->kind == HD_REPLAY_WAITS_LOCK
                           ? machine->type->location_name(machine, wait->location)
                           : "";
    machine->type->next(machine, wait->thread, &operation);
    hd_native_function(machine, operation.position, &function);
    hd_finding_part part = {
        hd_mem_string(lock, strlen(lock)),
        hd_engine_place(machine, drive->arguments->operands[0], operation.position),
        hd_mem_string(function.length ? function.data : "", function.length)};
    hd_vec_release(&function);
    return part;
}

static bool drops_deadlock(hd_cli_drive *drive, const hd_cli_driven *driven) {
    hd_replay_waits waits = {0};
    HD_VEC(hd_finding_part) parts = {0};
    hd_error error = {""};
    hd_replay_find_waits(drive->machine, &driven->found->schedule, &waits, &error);
    for (size_t i = 0; i < waits.length; i++)
        if (!driven->found->ring || waits.data[i].kind == HD_REPLAY_WAITS_LOCK)
            hd_vec_push(&parts, part_of(drive, &waits.data[i]));
    bool dropped = drops(drive, driven, parts.data, parts.length);
    for (size_t i = 0; i < parts.length; i++) {
        free((char *)parts.data[i].variable);
        free((char *)parts.data[i].place);
        free((char *)parts.data[i].function);
    }
    hd_vec_release(&parts);
    hd_vec_release(&waits);
    return dropped;
}

static bool is_dropped(hd_cli_drive *drive, const hd_cli_driven *driven) {
    return drive->deadlocks ? drops_deadlock(drive, driven) : drops_race(drive, driven);
}

static bool filter(hd_cli_drive *drive, hd_error *error) {
    size_t count = drive->result.found.length;
    drive->dropped = HD_NEW_ARRAY(bool, count + 1);
    for (size_t i = 0; drive->filter.on && i < count; i++) {
        hd_cli_driven driven;
        bool good = hd_cli_driven_make(&driven, drive, i, error);
        drive->dropped[i] = good && is_dropped(drive, &driven);
        hd_cli_driven_release(&driven);
        if (!good)
            return false;
    }
    for (size_t i = 0; i < count; i++)
        drive->shown += !drive->dropped[i];
    return true;
}

/* In the page: with the run that shows it. */
static void add_to_page(hd_cli_drive *drive, const hd_cli_driven *driven) {
    hd_finding finding;
    if (!drive->page.path)
        return;
    hd_finding_init(&finding, drive->deadlocks ? "deadlock" : "race");
    finding.message = verdict_of(drive, driven);
    if (driven->variable)
        finding.variable = hd_mem_string(driven->variable, strlen(driven->variable));
    if (driven->found->places[1])
        finding.location =
            hd_mem_string(driven->found->places[1], strlen(driven->found->places[1]));
    hd_cli_page_schedule(&drive->page, drive->machine, &finding,
                         drive->deadlocks ? HD_REPLAY_STUCK : HD_REPLAY_RACE,
                         &driven->found->schedule);
    hd_finding_release(&finding);
}

static bool tell(hd_cli_drive *drive, hd_json *json, hd_error *error) {
    size_t shown = 0;
    bool good = true;
    for (size_t i = 0; good && !drive->summary && i < drive->result.found.length; i++) {
        hd_cli_driven driven;
        if (drive->dropped[i])
            continue;
        good = hd_cli_driven_make(&driven, drive, i, error) &&
               (!drive->output || save(drive, &driven, shown, error));
        if (good && json)
            hd_cli_drive_write_found(drive, &driven, shown, json);
        else if (good)
            hd_cli_drive_print_found(drive, &driven, shown);
        if (good)
            add_to_page(drive, &driven);
        hd_cli_driven_release(&driven);
        shown++;
    }
    return good;
}

/* ---- The verdict ---- */

/* Some runs and what they make likely are not all schedules. */
static void not_all(const hd_cli_drive *drive, hd_verdict *verdict) {
    const hd_drive_result *result = &drive->result;
    if (result->whole)
        return; /* whatever driving could not decide */
    if (result->hung)
        hd_verdict_not(verdict, "hang",
                       "a run has no scheduling point for long: a loop that waits for a plain "
                       "variable, say (-O0 or an atomic variable show that); no more were run");
    else if (result->cut)
        hd_verdict_not(verdict, "cut",
                       "a run has more than %d steps, or does what a trace cannot say; what comes "
                       "after that was not looked at: heddle record, and ask about the trace",
                       HD_NATIVE_MOST_STEPS);
    if (result->unproved.length)
        hd_verdict_not(verdict, "undecided", "%s unproved",
                       hd_text_count(result->unproved.length, "pair is", "pairs are"));
    if (result->late)
        hd_verdict_not(verdict, "limit", "stopped after %g s of searching: --total gives more",
                       drive->options.total_seconds);
    hd_verdict_not(verdict, "sampled",
                   "driven from %s, which are not all schedules: heddle explore looks at all",
                   hd_text_count((size_t)result->runs, "run", "runs"));
}

static void judge(hd_cli_drive *drive) {
    const hd_cli_arguments *arguments = drive->arguments;
    hd_verdict *verdict = &drive->verdict;
    hd_verdict_init(verdict, drive->deadlocks ? "deadlocks" : "data races");
    not_all(drive, verdict);
    hd_native_machine_rests(drive->machine, verdict);
    hd_engine_verdict_inputs(
        verdict, (hd_engine_words){arguments->operands + 1, (size_t)arguments->operand_count - 1},
        false);
    hd_cli_verdict_end(verdict, arguments, drive->shown > 0);
}

/* ---- The way through ---- */

static int answer_as_text(hd_cli_drive *drive, hd_error *error) {
    hd_cli_drive_print(drive);
    if (!tell(drive, NULL, error))
        return hd_cli_fail("%s", error->text);
    hd_cli_drive_print_unproved(drive);
    return hd_verdict_status(&drive->verdict);
}

static int answer_as_json(hd_cli_drive *drive, hd_error *error) {
    hd_cli_answer out;
    if (!hd_cli_json_begin(&out, drive->arguments, drive->arguments->operands[0], &drive->verdict))
        return HD_CLI_BAD;
    hd_cli_drive_write_result(drive, &out.json);
    hd_cli_json_findings(&out);
    int status = hd_verdict_status(&drive->verdict);
    if (!tell(drive, &out.json, error))
        status = hd_cli_fail("%s", error->text);
    return hd_cli_json_end(&out, status);
}

static int answer(hd_cli_drive *drive) {
    hd_error error = {""};
    bool good = drive->deadlocks
                    ? hd_drive_deadlocks(drive->machine, &drive->options, &drive->result, &error)
                    : hd_drive_races(drive->machine, &drive->options, &drive->result, &error);
    const char *name = hd_text_name(drive->arguments->operands[0]);
    if (good && hd_native_machine_refused(drive->machine))
        hd_log_write(HD_LOG_WARNING,
                     "%s: calls that start other processes were refused; they fail with ENOSYS",
                     name);
    if (!good || !filter(drive, &error))
        return hd_cli_fail("%s: %s", name, error.text);
    judge(drive);
    return hd_cli_given(drive->arguments, HD_CLI_JSON) ? answer_as_json(drive, &error)
                                                       : answer_as_text(drive, &error);
}

static bool read_options(hd_cli_drive *drive) {
    const hd_cli_arguments *arguments = drive->arguments;
    hd_drive_options *o = &drive->options;
    drive->summary = hd_cli_given(arguments, HD_CLI_RACE_SUMMARY);
    drive->options.whole = hd_cli_given(arguments, HD_CLI_RACE_SUPPRESSIONS) ||
                           hd_cli_given(arguments, HD_CLI_RACE_BASELINE);
    return hd_cli_race_read(arguments, &drive->output, &o->effort) &&
           hd_cli_number(arguments, HD_CLI_RACE_SEEDS, o->seeds, 1, UINT32_MAX, &o->seeds) &&
           hd_cli_number(arguments, HD_CLI_RACE_EXECUTIONS, o->most_executions, 0, UINT64_MAX,
                         &o->most_executions) &&
           hd_cli_seconds(arguments, HD_CLI_RACE_TIME, o->most_seconds, &o->most_seconds) &&
           hd_cli_seconds(arguments, HD_CLI_RACE_TOTAL, o->total_seconds, &o->total_seconds) &&
           hd_cli_race_read_filter(arguments, &drive->filter);
}

/* The page has what is printed. */
static int end_page(hd_cli_drive *drive, int status) {
    hd_json *json = status == HD_CLI_BAD ? NULL : hd_cli_page_result(&drive->page, &drive->verdict);
    if (json)
        hd_cli_drive_write_result(drive, json);
    return hd_cli_page_end(&drive->page, status);
}

int hd_cli_drive_run(hd_cli_drive *drive) {
    const hd_cli_arguments *arguments = drive->arguments;
    int status = HD_CLI_BAD;
    if (read_options(drive) && hd_cli_page_begin(&drive->page, arguments, HD_CLI_RACE_HTML,
                                                 arguments->operands[0], NULL)) {
        hd_error error = {""};
        drive->machine = hd_engine_program_start(
            (hd_native_machine_options){
                .argv = arguments->operands, .most_steps = HD_NATIVE_MOST_STEPS, .by_fork = true},
            &error);
        if (!drive->machine)
            hd_cli_fail("%s", error.text);
        if (drive->machine) {
            status = answer(drive);
            status = end_page(drive, status);
            drive->machine->type->free(drive->machine);
        } else
            status = hd_cli_page_end(&drive->page, status);
    }
    free(drive->dropped);
    hd_drive_result_release(&drive->result);
    hd_verdict_release(&drive->verdict);
    hd_finding_filter_release(&drive->filter);
    return status;
}
