/*
 * A report as JUnit XML, which every CI service shows: a case for each question, which
 * is skipped if it was not answered completely, and a case that failed for each
 * finding.  Known findings, and notes, are skipped cases.  The verdict is in the
 * properties; where the exit status is 3, a case `verdict` has an error, since CI
 * services show skipped cases as green.  Of heddle test, a case for each test.
 */
#include <stdlib.h>
#include <string.h>

#include "report_result.h"

/* XML has no way to say most control characters: they become \xNN. */
static void put(hd_file *file, const char *text) {
    size_t length = strlen(text), size = 4 * length + 1;
    char *shown = hd_mem_alloc(size);
    size_t used = hd_text_printable(shown, size, text, length);
    for (size_t i = 0; i < used; i++) {
        static const char special[] = "<>&\"'";
        static const char *const names[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};
        const char *found = strchr(special, shown[i]);
        /* U+FFFE and U+FFFF are the others that XML has not. */
        bool none = i + 2 < used && memcmp(shown + i, "\xef\xbf", 2) == 0 &&
                    (unsigned char)shown[i + 2] >= 0xbe;
        if (found)
            hd_file_print(file, "%s", names[found - special]);
        else
            hd_file_write(file, none ? "?" : shown + i, 1);
        if (none)
            i += 2;
    }
    free(shown);
}

static void put_attribute(hd_file *file, const char *name, const char *value) {
    hd_file_print(file, " %s=\"", name);
    put(file, value);
    hd_file_print(file, "\"");
}

static bool fails(const hd_report_finding *finding) {
    return !finding->known && finding->level > HD_REPORT_NOTE;
}

static bool answered(const hd_report_part *part) {
    bool complete = part->inputs && part->complete == part->inputs;
    return (complete || part->covered) && !part->failed;
}

/* What the whole rests on, for people who look for it there. */
static void write_verdict(const hd_verdict *verdict, hd_file *file) {
    hd_file_print(file, "    <properties>\n");
    hd_file_print(file, "      <property name=\"complete\" value=\"%s\"/>\n",
                  hd_verdict_complete(verdict) ? "true" : "false");
    hd_file_print(file, "      <property name=\"status\" value=\"%d\"/>\n",
                  hd_verdict_status(verdict));
    for (size_t i = 0; i < verdict->why_not.length; i++) {
        hd_file_print(file, "      <property name=\"why_not.%s\"", verdict->why_not.data[i].code);
        put_attribute(file, "value", verdict->why_not.data[i].text);
        hd_file_print(file, "/>\n");
    }
    for (size_t i = 0; i < verdict->rests_on.length; i++) {
        const hd_verdict_basis *basis = verdict->rests_on.data[i];
        hd_file_print(file, "      <property name=\"rests_on.%s", basis->code);
        if (basis->what) {
            hd_file_print(file, ".");
            put(file, basis->what);
        }
        hd_file_print(file, "\"");
        put_attribute(file, "value", basis->text);
        hd_file_print(file, "/>\n");
    }
    if (!verdict->rests_on.length)
        hd_file_print(file, "      <property name=\"rests_on\" value=\"nothing\"/>\n");
    hd_file_print(file, "    </properties>\n");
}

/* Nothing was found, and yet it is not green: a case of its own, so that a reader of these
 * files does not see all cases pass where the exit status is 3. */
static bool is_open(const hd_report *report) {
    return hd_verdict_status(&report->verdict) == HD_VERDICT_OPEN;
}

static void write_open(const hd_report *report, hd_file *file) {
    const hd_verdict *verdict = &report->verdict;
    hd_file_print(file, "    <testcase");
    put_attribute(file, "classname", report->input);
    put_attribute(file, "name", "verdict");
    hd_file_print(file, " time=\"0\"><error");
    put_attribute(file, "message",
                  hd_verdict_complete(verdict) ? "nothing found, but it rests on something shaky"
                                               : "nothing found, but not complete");
    hd_file_print(file, " type=\"open\">");
    for (size_t i = 0; i < verdict->why_not.length; i++) {
        put(file, verdict->why_not.data[i].text);
        hd_file_print(file, "\n");
    }
    for (size_t i = 0; i < verdict->rests_on.length; i++)
        if (verdict->rests_on.data[i]->trust == HD_VERDICT_SHAKY &&
            !verdict->rests_on.data[i]->accepted) {
            put(file, verdict->rests_on.data[i]->text);
            hd_file_print(file, "\n");
        }
    hd_file_print(file, "</error></testcase>\n");
}

static void write_part(const hd_report *report, const hd_report_part *part, hd_file *file) {
    hd_file_print(file, "    <testcase");
    put_attribute(file, "classname", report->input);
    put_attribute(file, "name", part->command);
    hd_file_print(file, " time=\"%.3f\"", part->seconds);
    if (answered(part)) {
        hd_file_print(file, "/>\n");
        return;
    }
    hd_file_print(file, "><skipped");
    put_attribute(file, "message",
                  part->failed                   ? part->failed
                  : part->verdict.why_not.length ? part->verdict.why_not.data[0].text
                                                 : "not complete");
    hd_file_print(file, "/></testcase>\n");
}

static void put_place(hd_file *file, const hd_report_place *place) {
    char number[16];
    put(file, place->role);
    if (place->file) {
        put(file, " ");
        put(file, hd_report_short(place->file));
        snprintf(number, sizeof number, ":%u", place->line);
        put(file, number);
    }
    if (place->thread) {
        put(file, " ");
        put(file, place->thread);
    }
    if (place->text) {
        put(file, " ");
        put(file, place->text);
    }
    hd_file_print(file, "\n");
}

/* Where it is, and how to see it again. */
static void put_details(hd_file *file, const hd_report_finding *finding) {
    for (size_t k = 0; k < finding->places.length; k++)
        put_place(file, &finding->places.data[k]);
    if (finding->replay) {
        put(file, "see again: ");
        put(file, finding->replay);
        hd_file_print(file, "\n");
    }
}

static void write_finding(const hd_report *report, const hd_report_finding *finding, size_t i,
                          hd_file *file) {
    char number[24];
    snprintf(number, sizeof number, " %zu", i + 1);
    hd_file_print(file, "    <testcase");
    put_attribute(file, "classname", report->input);
    hd_file_print(file, " name=\"");
    put(file, finding->id);
    put(file, number);
    hd_file_print(file, "\"");
    if (finding->places.length && finding->places.data[0].file) {
        put_attribute(file, "file", hd_report_short(finding->places.data[0].file));
        hd_file_print(file, " line=\"%u\"", finding->places.data[0].line);
    }
    hd_file_print(file, " time=\"0\"><%s", fails(finding) ? "failure" : "skipped");
    put_attribute(file, "message", finding->message ? finding->message : finding->rule->text);
    if (!fails(finding)) {
        hd_file_print(file, "/></testcase>\n");
        return;
    }
    put_attribute(file, "type", finding->id);
    hd_file_print(file, ">");
    put_details(file, finding);
    hd_file_print(file, "</failure></testcase>\n");
}

/* ---- heddle test ---- */

const char *hd_report_test_word(enum hd_report_test_end end) {
    static const char *const words[] = {[HD_REPORT_TEST_PROVED] = "proved",
                                        [HD_REPORT_TEST_DECLARED] = "fails as declared",
                                        [HD_REPORT_TEST_KNOWN] = "fails as known",
                                        [HD_REPORT_TEST_FAILED] = "failed",
                                        [HD_REPORT_TEST_OPEN] = "not complete"};
    return words[end];
}

/* The rule that a test failed by. */
static const char *rule_of(const hd_report *report, const hd_report_test *test) {
    for (size_t i = 0; i < report->findings.length; i++)
        if (report->findings.data[i].test == test->name)
            return report->findings.data[i].id;
    return "declared"; /* to fail, but it does not */
}

static void write_findings(const hd_report *report, const hd_report_test *test, hd_file *file) {
    for (size_t i = 0; i < report->findings.length; i++) {
        const hd_report_finding *finding = &report->findings.data[i];
        if (finding->test != test->name)
            continue;
        put(file, finding->message ? finding->message : finding->rule->text);
        hd_file_print(file, "\n");
        put_details(file, finding);
    }
}

/* Line by line: what is put in one piece has no line feeds. */
static void write_history(const char *history, hd_file *file) {
    while (*history) {
        char line[512];
        size_t length = strcspn(history, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, history);
        put(file, line);
        hd_file_print(file, "\n");
        history += length + (history[length] == '\n');
    }
}

static void write_test(const hd_report *report, const hd_report_test *test, hd_file *file) {
    static const char *const elements[] = {[HD_REPORT_TEST_KNOWN] = "skipped",
                                           [HD_REPORT_TEST_FAILED] = "failure",
                                           [HD_REPORT_TEST_OPEN] = "error"};
    hd_file_print(file, "    <testcase");
    put_attribute(file, "classname", report->input);
    put_attribute(file, "name", test->name);
    hd_file_print(file, " time=\"%.3f\"", test->seconds);
    if (test->end == HD_REPORT_TEST_PROVED || test->end == HD_REPORT_TEST_DECLARED) {
        hd_file_print(file, "/>\n");
        return;
    }
    hd_file_print(file, "><%s", elements[test->end]);
    put_attribute(file, "message", test->reason ? test->reason : "");
    if (test->end == HD_REPORT_TEST_FAILED)
        put_attribute(file, "type", rule_of(report, test));
    if (test->end == HD_REPORT_TEST_OPEN)
        put_attribute(file, "type", "open");
    hd_file_print(file, ">");
    write_findings(report, test, file);
    write_history(test->history ? test->history : "", file);
    hd_file_print(file, "</%s></testcase>\n", elements[test->end]);
}

/* A case for each test. */
static void write_tests(const hd_report *report, hd_file *file) {
    size_t counts[HD_REPORT_TEST_OPEN + 1] = {0};
    for (size_t i = 0; i < report->tests.length; i++)
        counts[report->tests.data[i].end]++;
    hd_file_print(file,
                  " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n",
                  report->tests.length, counts[HD_REPORT_TEST_FAILED], counts[HD_REPORT_TEST_OPEN],
                  counts[HD_REPORT_TEST_KNOWN], report->seconds);
    write_verdict(&report->verdict, file);
    for (size_t i = 0; i < report->tests.length; i++)
        write_test(report, &report->tests.data[i], file);
}

/* ---- All ---- */

static void write_all(const hd_report *report, hd_file *file) {
    size_t failures = 0, skipped = 0;
    for (size_t i = 0; i < report->findings.length; i++)
        failures += fails(&report->findings.data[i]);
    skipped = report->findings.length - failures;
    for (size_t i = 0; i < report->parts.length; i++)
        skipped += !answered(&report->parts.data[i]);
    hd_file_print(file,
                  " tests=\"%zu\" failures=\"%zu\" errors=\"%d\" skipped=\"%zu\" time=\"%.3f\">\n",
                  report->parts.length + report->findings.length + is_open(report), failures,
                  is_open(report), skipped, report->seconds);
    write_verdict(&report->verdict, file);
    for (size_t i = 0; i < report->parts.length; i++)
        write_part(report, &report->parts.data[i], file);
    for (size_t i = 0; i < report->findings.length; i++)
        write_finding(report, &report->findings.data[i], i, file);
    if (is_open(report))
        write_open(report, file);
}

bool hd_report_write_junit(const hd_report *report, const char *path, hd_error *error) {
    hd_file *file = hd_file_create(path, error);
    if (!file)
        return false;
    hd_file_print(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite");
    put_attribute(file, "name", "heddle");
    if (report->tests.length)
        write_tests(report, file);
    else
        write_all(report, file);
    hd_file_print(file, "  </testsuite>\n</testsuites>\n");
    return hd_file_commit(file, error);
}
