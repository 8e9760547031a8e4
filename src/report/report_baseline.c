/*
 * The baseline: fingerprints of findings that are known already, with a word on each
 * for people who read the file; sorted, so that it changes little in version control.
 */
#include <stdlib.h>
#include <string.h>

#include "finding/finding.h"
#include "report_answer.h"
#include "report_result.h"

static bool is_known(const hd_finding_filter *baseline, const hd_report_finding *finding) {
    bool known = hd_finding_baseline_has(baseline, finding->fingerprint);
    for (size_t i = 0; i < finding->said.length; i++)
        known |= hd_finding_baseline_has(baseline, finding->said.data[i]);
    return known;
}

bool hd_report_baseline_load(hd_report *report, const char *path, hd_error *error) {
    hd_finding_filter baseline = {0};
    report->against_baseline = hd_finding_baseline_load(&baseline, path, error);
    for (size_t i = 0; report->against_baseline && i < report->findings.length; i++)
        report->findings.data[i].known |= is_known(&baseline, &report->findings.data[i]);
    hd_finding_filter_release(&baseline);
    return report->against_baseline;
}

static int compare(const void *x, const void *y) {
    const hd_report_finding *a = *(const hd_report_finding *const *)x;
    const hd_report_finding *b = *(const hd_report_finding *const *)y;
    return (a->fingerprint > b->fingerprint) - (a->fingerprint < b->fingerprint);
}

/* Fingerprints by which single commands know it: of a deadlock some tell all who wait. */
static void write_others(const hd_report_finding *finding, hd_json *json) {
    bool any = false;
    for (size_t i = 0; i < finding->said.length; i++) {
        bool seen = finding->said.data[i] == finding->fingerprint;
        for (size_t k = 0; k < i; k++)
            seen |= finding->said.data[k] == finding->said.data[i];
        if (seen)
            continue;
        if (!any)
            hd_json_open(json, "also", '[');
        any = true;
        hd_json_open(json, NULL, '{');
        hd_report_fingerprint_write(json, "fingerprint", finding->said.data[i]);
        hd_json_close(json);
    }
    if (any)
        hd_json_close(json);
}

/* A finding a line. */
static void write_line(hd_file *file, const hd_report_finding *finding, bool last) {
    hd_json json;
    hd_file_print(file, "    ");
    hd_json_init(&json, file);
    hd_json_open(&json, NULL, '{');
    hd_report_fingerprint_write(&json, "fingerprint", finding->fingerprint);
    write_others(finding, &json);
    hd_json_text(&json, "rule", finding->id);
    hd_json_text(&json, "message", finding->message);
    hd_json_close(&json);
    hd_file_print(file, "%s\n", last ? "" : ",");
}

bool hd_report_baseline_save(const hd_report *report, const char *path, hd_error *error) {
    hd_file *file = hd_file_renew(path, error);
    if (!file)
        return false;
    size_t count = report->findings.length;
    const hd_report_finding **sorted = HD_NEW_ARRAY(const hd_report_finding *, count + 1);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &report->findings.data[i];
    qsort(sorted, count, sizeof *sorted, compare);
    hd_file_print(file, "{\n  \"heddle\": \"%s\",\n  \"findings\": [\n", HEDDLE_VERSION);
    for (size_t i = 0; i < count; i++)
        write_line(file, sorted[i], i + 1 == count);
    hd_file_print(file, "  ]\n}\n");
    free(sorted);
    return hd_file_commit(file, error);
}
