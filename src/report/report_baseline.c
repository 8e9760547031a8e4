/*
 * The baseline: fingerprints of findings that are known already, with a word on each
 * for people who read the file; sorted, so that it changes little in version control.
 */
#include <stdlib.h>
#include <string.h>

#include "report_result.h"

static bool read_fingerprint(const hd_json_value *finding, uint64_t *print) {
    const char *text = hd_json_text_of(finding, "fingerprint");
    if (!text || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        return false;
    *print = strtoull(text, NULL, 16);
    return true;
}

bool hd_report_baseline_load(hd_report *report, const char *path, hd_error *error) {
    hd_json_document document;
    if (!hd_json_load(&document, path, error))
        return false;
    const hd_json_value *findings = hd_json_get(document.root, "findings");
    bool good = findings && findings->kind == HD_JSON_ARRAY;
    if (!good)
        hd_error_write(error, "%s: not a baseline: it has no list of findings", path);
    report->against_baseline = good;
    for (const hd_json_value *f = hd_json_first(findings); good && f; f = f->next) {
        uint64_t print;
        good = read_fingerprint(f, &print);
        if (!good)
            hd_error_write(error, "%s: not a baseline: a finding without a fingerprint", path);
        for (size_t i = 0; good && i < report->findings.length; i++)
            report->findings.data[i].known |= report->findings.data[i].fingerprint == print;
    }
    hd_json_release(&document);
    return good;
}

static int compare(const void *x, const void *y) {
    const hd_report_finding *a = *(const hd_report_finding *const *)x;
    const hd_report_finding *b = *(const hd_report_finding *const *)y;
    return (a->fingerprint > b->fingerprint) - (a->fingerprint < b->fingerprint);
}

/* A finding a line. */
static void write_line(hd_file *file, const hd_report_finding *finding, bool last) {
    char print[20];
    hd_json json;
    snprintf(print, sizeof print, "%016llx", (unsigned long long)finding->fingerprint);
    hd_file_print(file, "    ");
    hd_json_init(&json, file);
    hd_json_open(&json, NULL, '{');
    hd_json_text(&json, "fingerprint", print);
    hd_json_text(&json, "rule", finding->id);
    hd_json_text(&json, "message", finding->message);
    hd_json_close(&json);
    hd_file_print(file, "%s\n", last ? "" : ",");
}

bool hd_report_baseline_save(const hd_report *report, const char *path, hd_error *error) {
    hd_file *file = hd_file_create(path, error);
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
