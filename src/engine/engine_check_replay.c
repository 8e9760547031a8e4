/*
 * heddle check and its findings: each is replayed on the program before it is told, if it can be.
 */
#include <stdlib.h>
#include <string.h>

#include "engine_asking.h"
#include "engine_check.h"

/* ---- Replaying ---- */

static void replay_one(hd_engine_check *check, hd_report_finding *finding) {
    hd_engine_answer answer;
    hd_error error = {""};
    hd_engine_question q = {.what = HD_ENGINE_REPLAY,
                            .path = check->program,
                            .arguments = check->words,
                            .witness = finding->witness,
                            /* A replay is short; it is worth a moment more than there was time. */
                            .seconds = hd_clock_left(check->seconds) + 2};
    if (hd_engine_ask(&q, &answer, &error) && answer.verdict.found)
        finding->proof = HD_REPORT_REPLAYED;
    hd_engine_answer_release(&answer);
    char *line = hd_engine_replay_line(check->program, finding->witness, check->words);
    finding->replay = hd_report_keep(&check->report, line);
    free(line);
}

/* What was not seen again on the program is not told as a failure of it. */
static void doubt(hd_engine_check *check, hd_report_finding *finding) {
    hd_report_part *part = hd_report_part_of(&check->report, finding->found_by.data[0]);
    finding->level = HD_REPORT_NOTE;
    hd_verdict_not(&part->verdict, "undecided", "not replayed on the program: %s",
                   finding->message ? finding->message : finding->rule->text);
    part->complete = 0;
}

static bool is_doubted(const hd_engine_check *check, const hd_report_finding *finding) {
    return check->kind == HD_ENGINE_PROGRAM && finding->level > HD_REPORT_NOTE &&
           finding->proof < HD_REPORT_REPLAYED;
}

void hd_engine_check_replay(hd_engine_check *check) {
    for (size_t i = 0; i < check->report.findings.length; i++) {
        hd_report_finding *finding = &check->report.findings.data[i];
        if (finding->witness && !finding->replay)
            replay_one(check, finding);
        if (is_doubted(check, finding))
            doubt(check, finding);
    }
}

/* ---- Telling ---- */

/* Has the same defect been told? */
static bool is_told(const hd_engine_check *check, const hd_report_finding *finding) {
    for (size_t i = 0; i < check->report.findings.length; i++) {
        const hd_report_finding *other = &check->report.findings.data[i];
        if (other->told && (hd_report_same(other, finding) || hd_report_same(finding, other)))
            return true;
    }
    return false;
}

static void tell(hd_engine_check *check, hd_report_finding *finding) {
    finding->told = true;
    if (check->found && !check->enough)
        check->enough = check->found(check->context, finding) != 0;
}

/* Notes, ways to end, and what has no place are told at the end: until then they may become part
 * of another finding. */
int hd_engine_check_found(void *context, hd_report_finding *finding) {
    hd_engine_check *check = context;
    if (!check->found || check->enough || finding->level == HD_REPORT_NOTE ||
        finding->rule->sort == HD_FINDING_OUTCOME || !finding->places.length ||
        is_told(check, finding))
        return check->enough;
    if (check->kind == HD_ENGINE_PROGRAM && finding->witness && !finding->replay &&
        finding->proof < HD_REPORT_REPLAYED)
        replay_one(check, finding);
    if (!is_doubted(check, finding) && finding->proof > HD_REPORT_UNPROVED)
        tell(check, finding);
    return check->enough;
}

void hd_engine_check_tell_rest(hd_engine_check *check) {
    for (size_t i = 0; i < check->report.findings.length && !check->enough; i++)
        if (!check->report.findings.data[i].told)
            tell(check, &check->report.findings.data[i]);
}
