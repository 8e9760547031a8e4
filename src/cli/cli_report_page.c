/*
 * A report as a page: each finding with its places, its steps in words, and, where
 * its schedule was kept in a file, that.
 */
#include <stdlib.h>

#include "cli_page.h"
#include "cli_report.h"

static char *location_of(const hd_report_place *place) {
    char *text = NULL;
    if (!place->file || (place->line ? asprintf(&text, "%s:%u", place->file, place->line)
                                     : asprintf(&text, "%s", place->file)) < 0)
        return NULL;
    return text;
}

static void write_text(hd_json *json, const char *key, const char *text) {
    if (text)
        hd_json_text(json, key, text);
}

static void write_places(hd_cli_page *page, const hd_report_finding *finding) {
    for (size_t i = 0; i < finding->places.length; i++) {
        const hd_report_place *place = &finding->places.data[i];
        hd_report_page_source(&page->page, place->file);
        for (size_t k = 0; k < place->stack.length; k++)
            hd_report_page_source(&page->page, place->stack.data[k].file);
    }
    hd_report_places_write(&finding->places, &page->page.json);
}

static void write_left_out(hd_json *json) {
    hd_json_open(json, "words", '[');
    hd_json_open(json, NULL, '{');
    hd_json_text(json, "text", hd_report_left_out);
    hd_json_close(json);
    hd_json_close(json);
}

static void write_steps(hd_cli_page *page, const hd_report_finding *finding) {
    hd_json *json = &page->page.json;
    hd_json_open(json, "words", '[');
    for (size_t i = 0; i < finding->steps.length; i++) {
        const hd_report_step *step = &finding->steps.data[i];
        hd_report_page_source(&page->page, step->file);
        hd_json_open(json, NULL, '{');
        write_text(json, "thread", step->thread);
        write_text(json, "text", step->text);
        write_text(json, "file", step->file);
        if (step->file)
            hd_json_uint(json, "line", step->line);
        hd_json_close(json);
    }
    hd_json_close(json);
}

/* Without its schedule if that is left out: there is no time for it. */
static void write_finding(hd_cli_page *page, const hd_report_finding *finding, bool whole) {
    hd_json *json = &page->page.json;
    hd_finding shown;
    hd_finding_init(&shown, finding->rule->sort, finding->id);
    shown.message = (char *)finding->message;
    shown.variable = (char *)finding->variable;
    shown.location = finding->places.length ? location_of(&finding->places.data[0]) : NULL;
    shown.fingerprint = finding->fingerprint;
    shown.count = finding->count;
    bool begun = hd_report_page_finding_begin(&page->page, &shown);
    free(shown.location);
    if (!begun)
        return;
    hd_json_text(json, "level", hd_report_level_name(finding->level));
    hd_json_text(json, "proof", hd_report_proof_name(finding->proof));
    hd_json_bool(json, "known", finding->known);
    write_text(json, "replay", finding->replay);
    write_text(json, "help", hd_report_help(finding));
    write_places(page, finding);
    if (whole)
        write_steps(page, finding);
    else
        write_left_out(json);
    if (whole && finding->witness)
        hd_cli_page_witness(page, finding->witness);
    hd_json_close(json);
}

/* Of each test what its verdict is, and why. */
static void write_tests(hd_json *json, const hd_report *report) {
    if (!report->tests.length)
        return;
    hd_json_open(json, "tests", '{');
    for (size_t i = 0; i < report->tests.length; i++) {
        const hd_report_test *test = &report->tests.data[i];
        const char *word = hd_report_test_word(test->end);
        char *text = NULL;
        if (test->reason && asprintf(&text, "%s: %s", word, test->reason) < 0)
            text = NULL;
        hd_json_text(json, test->name, text ? text : word);
        free(text);
    }
    hd_json_close(json);
}

static void write_result(hd_json *json, const hd_report *report) {
    write_tests(json, report);
    hd_json_uint(json, "errors", hd_report_count(report, HD_REPORT_ERROR));
    hd_json_uint(json, "warnings", hd_report_count(report, HD_REPORT_WARNING));
    hd_json_uint(json, "notes", hd_report_count(report, HD_REPORT_NOTE));
    for (size_t i = 0; i < report->parts.length; i++) {
        const hd_report_part *part = &report->parts.data[i];
        hd_json_open(json, part->command, '{');
        hd_json_uint(json, "inputs", part->inputs);
        hd_json_uint(json, "complete", part->complete);
        hd_json_uint(json, "found", part->found);
        hd_json_real(json, "seconds", part->seconds);
        write_text(json, "detail", part->detail);
        write_text(json, "failed", part->failed);
        hd_json_close(json);
    }
}

bool hd_cli_report_page(const hd_cli_arguments *arguments, const char *path,
                        const hd_report *report) {
    hd_cli_page page;
    if (!hd_cli_page_start(&page, arguments, path, report->input, NULL))
        return false;
    size_t left_out = 0;
    double over = 0;
    for (size_t i = 0; i < report->findings.length; i++) {
        const hd_report_finding *finding = &report->findings.data[i];
        bool whole = (!finding->steps.length && !finding->witness) || hd_report_goes_on(&over, i);
        left_out += !whole;
        write_finding(&page, finding, whole);
    }
    hd_report_say_left_out(path, left_out);
    write_result(hd_cli_page_result(&page, &report->verdict), report);
    return hd_cli_page_end(&page, HD_CLI_OK) == HD_CLI_OK;
}
