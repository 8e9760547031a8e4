/*
 * heddle check and the ways in which a program ends: several that differ are one finding.
 */
#include <string.h>
#include <sys/wait.h>

#include "engine_check.h"

/* Other ends are failures, which are found as such. */
static bool ends_well(const hd_engine_outcome *outcome) {
    return WIFEXITED(outcome->end.status) && WEXITSTATUS(outcome->end.status) == 0;
}

/* "it prints '1', or '2'": as much as fits a line. */
static void add_outcome(hd_engine_check *check, const hd_engine_outcome *outcome,
                        const char **text) {
    enum { MOST = 40 };
    const char *output = outcome->output;
    char shown[4 * MOST + 1];
    size_t length = output ? strlen(output) : 0;
    size_t line = length && output[length - 1] == '\n' ? length - 1 : length;
    hd_text_printable(shown, sizeof shown, output ? output : "", line < MOST ? line : MOST);
    *text = hd_report_format(&check->report, "%s%s '%s%s'", *text ? *text : "",
                             *text ? ", or" : "it prints", shown, line > MOST ? "..." : "");
}

/* Ways to end that differ are one finding, and a note unless they were asked for: most programs
 * may print what they like in the order they like. */
void hd_engine_check_fold_outcomes(hd_engine_check *check, size_t from,
                                   const hd_engine_exploration *e) {
    enum { MOST = 4 };
    hd_report *report = &check->report;
    const char *text = NULL;
    size_t kept = from, count = 0, ways = 0;
    for (size_t i = 0; i < e->outcomes.length; i++)
        if (ends_well(&e->outcomes.data[i]) && ways++ < MOST)
            add_outcome(check, &e->outcomes.data[i], &text);
    for (size_t i = from; i < report->findings.length; i++) {
        hd_report_finding *finding = &report->findings.data[i];
        bool outcome = finding->rule->sort == HD_FINDING_OUTCOME;
        if (outcome && (count++ || ways < 2)) {
            hd_report_finding_release(finding);
            continue;
        }
        if (outcome && !(check->asked & HD_ENGINE_ASK_OUTCOME))
            finding->level = HD_REPORT_NOTE;
        report->findings.data[kept++] = *finding;
    }
    report->findings.length = kept;
    if (!count)
        return;
    hd_report_part_of(report, "explore")->found -= ways < 2 ? count : count - 1;
    for (size_t i = from; i < kept; i++)
        if (report->findings.data[i].rule->sort == HD_FINDING_OUTCOME)
            report->findings.data[i].message =
                ways > MOST ? hd_report_format(report, "%s, or %zu others", text, ways - MOST)
                            : text;
}
