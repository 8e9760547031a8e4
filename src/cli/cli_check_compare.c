/*
 * heddle check holds its answers against each other.  A complete exploration has every way in
 * which the program can end, every race and every deadlock; a run that was recorded or driven and
 * has another one shows a mistake of heddle's, and the answer says so instead of "complete".
 *
 * Not so if the program prints something else each time that it runs along one schedule: its
 * process id, an address, the time.  That is an input which differs, and the answer says that.
 */
#include <string.h>

#include "cli_check.h"

static bool was_complete(const hd_json_value *answer) {
    return hd_json_bool_of(answer, "complete", false);
}

/* ---- How runs ended ---- */

/* The beginning of what was printed is kept, and how much there was. */
static bool same_output(const hd_cli_check_run *run, const hd_json_value *outcome) {
    const char *output = hd_json_text_of(outcome, "output");
    size_t length = output ? strlen(output) : 0, kept = strlen(run->printed);
    return run->bytes == hd_json_uint_of(outcome, "bytes", 0) &&
           strncmp(run->printed, output ? output : "", kept < length ? kept : length) == 0;
}

/* What a run that is killed had printed is not the same from run to run: it was in buffers. */
static bool same_end(const hd_cli_check_run *run, const hd_json_value *outcome) {
    uint64_t signal = hd_json_uint_of(outcome, "signal", 0);
    if (run->signal || signal)
        return run->signal == signal;
    return run->exit_status == hd_json_uint_of(outcome, "exit_status", 0) &&
           same_output(run, outcome);
}

static bool has_end(const hd_cli_check_run *run, const hd_json_value *result) {
    if (run->deadlock)
        return hd_json_uint_of(result, "deadlocks", 0) > 0;
    for (const hd_json_value *o = hd_json_first(hd_json_get(result, "outcomes")); o; o = o->next)
        if (same_end(run, o))
            return true;
    return false;
}

static hd_report_part *explore_part(hd_cli_checkup *check) {
    return hd_report_part_of(&check->report, "explore");
}

static void contradict(hd_cli_checkup *check, const char *command, const char *what,
                       const char *file) {
    hd_report_part *part = explore_part(check);
    hd_verdict_not(&part->verdict, "contradiction",
                   "a mistake of heddle's, please report it: %s had %s, which a search that was "
                   "to be complete had not; send us %s and %s",
                   command, what, file, check->explored);
    part->complete = 0;
    check->contradicted = true;
}

/* Outputs that differ are no sign of the schedule then. */
static void note_outcomes(hd_report *report) {
    for (size_t i = 0; i < report->findings.length; i++) {
        hd_report_finding *finding = &report->findings.data[i];
        if (strcmp(finding->id, "outcome") != 0)
            continue;
        finding->level = HD_REPORT_NOTE;
        finding->message = hd_report_format(
            report, "%s; it differs between two runs of one schedule, too", finding->message);
    }
}

static void blame_inputs(hd_cli_checkup *check) {
    hd_verdict_rests(&explore_part(check)->verdict, "inputs", "varying", HD_VERDICT_SHAKY,
                     "two runs of one schedule print different things: the program reads something "
                     "that differs from run to run, such as its process id, an address or the "
                     "time; what it prints was not compared");
    note_outcomes(&check->report);
}

static bool ended_well(const hd_cli_check_run *run) {
    return !run->signal && !run->exit_status && !run->deadlock;
}

void hd_cli_check_compare_runs(hd_cli_checkup *check, const hd_json_value *explored) {
    const hd_json_value *result = hd_json_get(explored, "result");
    bool vary = false;
    if (!was_complete(explored) || check->kind != HD_CLI_CHECK_PROGRAM)
        return;
    for (size_t i = 0; i < check->runs.length; i++) {
        const hd_cli_check_run *run = &check->runs.data[i];
        bool good = ended_well(run);
        if (run->stopped || has_end(run, result) || (good && vary))
            continue;
        vary |= good && hd_cli_check_varies(check, run);
        if (!good || !vary)
            contradict(check, "record", good ? "another output" : run->ending, run->trace);
        else
            blame_inputs(check);
    }
}

/* ---- What was found ---- */

static bool found_by(const hd_report_finding *finding, const char *command) {
    for (size_t i = 0; i < finding->found_by.length; i++)
        if (strcmp(finding->found_by.data[i], command) == 0)
            return true;
    return false;
}

/* Was it shown on the program itself? */
static bool is_shown(const hd_report_finding *finding) {
    return finding->proof >= HD_REPORT_SEEN;
}

void hd_cli_check_compare_findings(hd_cli_checkup *check) {
    static const char *const commands[] = {"race", "deadlock"};
    hd_report *report = &check->report;
    const hd_report_part *part = explore_part(check);
    bool complete = part->inputs && part->complete == part->inputs;
    for (size_t i = 0; complete && i < report->findings.length; i++) {
        const hd_report_finding *finding = &report->findings.data[i];
        for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
            if (strcmp(finding->id, commands[k]) == 0 && found_by(finding, commands[k]) &&
                is_shown(finding) && !found_by(finding, "explore"))
                contradict(check, commands[k], finding->message,
                           finding->witness ? finding->witness : "its witness");
    }
}

/* What a complete search decides, runs from some schedules need not. */
void hd_cli_check_cover(hd_cli_checkup *check) {
    static const char *const others[] = {"record", "race", "deadlock"};
    const hd_report_part *part = explore_part(check);
    bool complete = part->inputs && part->complete == part->inputs;
    for (size_t i = 0; complete && i < check->report.parts.length; i++)
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            if (strcmp(check->report.parts.data[i].command, others[k]) == 0)
                check->report.parts.data[i].covered = true;
}
