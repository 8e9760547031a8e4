/*
 * heddle check holds its answers against each other.  A complete exploration has every way in
 * which the program can end, every race and every deadlock; a run that was recorded or driven and
 * has another one shows a mistake of heddle's, and the answer says so instead of "complete".
 *
 * Not so if the program prints something else each time that it runs along one schedule: its
 * process id, an address, the time.  That is an input which differs, and the answer says that.
 */
#include <string.h>
#include <sys/wait.h>

#include "engine_check.h"
#include "recording/recording.h"

/* ---- How runs ended ---- */

/* The beginning of what was printed is kept, and how much there was. */
static bool same_output(const hd_engine_run *run, const hd_native_outcome *outcome) {
    size_t kept = run->printed ? strlen(run->printed) : 0;
    size_t length = outcome->shown ? strnlen(outcome->output, outcome->shown) : 0;
    return run->bytes == outcome->wrote &&
           (!kept || !length ||
            strncmp(run->printed, outcome->output, kept < length ? kept : length) == 0);
}

/* What a run that is killed had printed is not the same from run to run: it was in buffers. */
static bool same_end(const hd_engine_run *run, const hd_native_outcome *outcome) {
    if (WIFSIGNALED(run->status) || WIFSIGNALED(outcome->status))
        return WIFSIGNALED(run->status) && WIFSIGNALED(outcome->status) &&
               WTERMSIG(run->status) == WTERMSIG(outcome->status);
    return WEXITSTATUS(run->status) == WEXITSTATUS(outcome->status) && same_output(run, outcome);
}

static bool has_end(const hd_engine_run *run, const hd_engine_exploration *e) {
    if (run->end == HD_ENGINE_ENDED_STUCK)
        return e->result.deadlocks > 0 || e->assumed > 0;
    if (e->sv_comp) /* how else it ended was not kept */
        return run->end == HD_ENGINE_ENDED_WELL || e->findings.found.length > 0;
    for (size_t i = 0; i < e->outcomes.length; i++)
        if (same_end(run, &e->outcomes.data[i].end))
            return true;
    return false;
}

static hd_report_part *explore_part(hd_engine_check *check) {
    return hd_report_part_of(&check->report, "explore");
}

static void contradict(hd_engine_check *check, const char *command, const char *what,
                       const char *file) {
    hd_report_part *part = explore_part(check);
    hd_verdict_not(&part->verdict, "contradiction",
                   "an error in heddle, please report it: %s had %s, which a search that was "
                   "to be complete had not; send us %s and %s",
                   command, what, file, check->explored_file);
    part->complete = 0;
    check->contradicted = true;
}

/* Outputs that differ are no sign of the schedule then. */
static void note_outcomes(hd_report *report) {
    for (size_t i = 0; i < report->findings.length; i++) {
        hd_report_finding *finding = &report->findings.data[i];
        if (finding->rule->sort != HD_FINDING_OUTCOME)
            continue;
        finding->level = HD_REPORT_NOTE;
        finding->message = hd_report_format(
            report, "%s; it differs between two runs of one schedule, too", finding->message);
    }
}

static void blame_inputs(hd_engine_check *check) {
    hd_verdict_rests(&explore_part(check)->verdict, "inputs", "varying", HD_VERDICT_SHAKY,
                     "two runs of one schedule print different things: the program reads something "
                     "that differs from run to run, such as its process id, an address or the "
                     "time; what it prints was not compared");
    note_outcomes(&check->report);
    check->varies = true;
}

void hd_engine_check_compare_runs(hd_engine_check *check, const hd_engine_exploration *e) {
    bool vary = false;
    if (!hd_verdict_complete(&e->verdict) || check->kind != HD_ENGINE_PROGRAM)
        return;
    for (size_t i = 0; i < check->runs.length; i++) {
        const hd_engine_run *run = &check->runs.data[i];
        bool good = run->end == HD_ENGINE_ENDED_WELL;
        if (run->end == HD_ENGINE_ENDED_LATE || has_end(run, e) || (good && vary))
            continue;
        vary |= good && hd_engine_check_varies(check, run);
        if (!good || !vary)
            contradict(check, "record", good ? "another output" : run->ending,
                       run->output ? run->output : "the program");
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

/* Of races of several variables at the same two places, explore has one. */
static bool has_race_there(const hd_report *report, const hd_report_finding *finding) {
    for (size_t i = 0; i < report->findings.length; i++) {
        const hd_report_finding *other = &report->findings.data[i];
        if (other->rule->sort == HD_FINDING_RACE && found_by(other, "explore") &&
            hd_report_at_same_places(other, finding))
            return true;
    }
    return false;
}

void hd_engine_check_compare_findings(hd_engine_check *check) {
    static const struct {
        enum hd_finding_sort sort;
        const char *command;
    } both[] = {{HD_FINDING_RACE, "race"}, {HD_FINDING_DEADLOCK, "deadlock"}};
    hd_report *report = &check->report;
    const hd_report_part *part = explore_part(check);
    bool complete = part->inputs && part->complete == part->inputs;
    for (size_t i = 0; complete && i < report->findings.length; i++) {
        const hd_report_finding *finding = &report->findings.data[i];
        for (size_t k = 0; k < sizeof both / sizeof *both; k++)
            if (finding->rule->sort == both[k].sort && found_by(finding, both[k].command) &&
                is_shown(finding) && !found_by(finding, "explore") &&
                !(finding->rule->sort == HD_FINDING_RACE && has_race_there(report, finding)))
                contradict(check, both[k].command, finding->message,
                           finding->witness ? finding->witness : "its witness");
    }
}

/* Another part decides it: what its own runs lacked is no matter. */
static void cover(hd_report_part *part) {
    part->covered = true;
    hd_verdict_drop(&part->verdict, "threads", HD_RECORDING_UNENDED);
}

/* All ways to end are known: whatever a read of a recorded run may see, one of them comes of it. */
static void cover_nondet(hd_engine_check *check, hd_report_part *part) {
    if (!check->ends)
        return;
    cover(part);
    part->failed = NULL;
    part->detail = check->ends == 1 ? "one outcome"
                                    : hd_report_format(&check->report, "%zu outcomes", check->ends);
}

/* What a complete search decides, runs from some schedules need not. */
void hd_engine_check_cover(hd_engine_check *check) {
    static const char *const others[] = {"record", "race", "deadlock"};
    const hd_report_part *part = explore_part(check);
    bool complete = part->inputs && part->complete == part->inputs;
    for (size_t i = 0; complete && i < check->report.parts.length; i++) {
        hd_report_part *other = &check->report.parts.data[i];
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            if (strcmp(other->command, others[k]) == 0)
                cover(other);
        if (strcmp(other->command, "nondet") == 0)
            cover_nondet(check, other);
    }
}
