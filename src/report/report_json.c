/*
 * A report as JSON: the frame of every answer, with each finding's places and steps.
 */
#include <string.h>

#include "report_answer.h"
#include "report_result.h"

static void write_steps(const hd_report_finding *finding, hd_json *json) {
    hd_json_open(json, "steps", '[');
    for (size_t i = 0; i < finding->steps.length; i++) {
        const hd_report_step *step = &finding->steps.data[i];
        hd_json_open(json, NULL, '{');
        hd_report_text_write(json, "thread", step->thread);
        hd_json_text(json, "text", step->text ? step->text : "");
        hd_report_line_write(json, step->file, step->line);
        if (step->event)
            hd_json_uint(json, "event", step->event);
        if (step->matters)
            hd_json_bool(json, "matters", true);
        hd_json_close(json);
    }
    hd_json_close(json);
}

static void write_finding(const hd_report *report, const hd_report_finding *finding,
                          hd_json *json) {
    hd_json_open(json, NULL, '{');
    hd_report_text_write(json, "test", finding->test);
    hd_json_text(json, "rule", finding->id);
    hd_json_text(json, "level", hd_report_level_name(finding->level));
    hd_report_text_write(json, "message", finding->message);
    hd_report_text_write(json, "variable", finding->variable);
    hd_report_fingerprint_write(json, "fingerprint", finding->fingerprint);
    hd_json_uint(json, "count", finding->count);
    hd_json_text(json, "proof", hd_report_proof_name(finding->proof));
    if (finding->unordered)
        hd_json_bool(json, "unordered", true);
    if (report->against_baseline)
        hd_json_bool(json, "known", finding->known);
    hd_json_open(json, "found_by", '[');
    for (size_t i = 0; i < finding->found_by.length; i++)
        hd_json_text(json, NULL, finding->found_by.data[i]);
    hd_json_close(json);
    hd_report_places_write(&finding->places, json);
    write_steps(finding, json);
    hd_report_text_write(json, "advice", finding->advice);
    hd_report_text_write(json, "witness", finding->witness);
    hd_report_text_write(json, "replay", finding->replay);
    hd_json_close(json);
}

static void write_parts(const hd_report *report, hd_json *json) {
    hd_json_open(json, "parts", '[');
    for (size_t i = 0; i < report->parts.length; i++) {
        const hd_report_part *part = &report->parts.data[i];
        hd_json_open(json, NULL, '{');
        hd_json_text(json, "command", part->command);
        hd_json_uint(json, "inputs", part->inputs);
        hd_json_uint(json, "complete", part->complete);
        hd_json_uint(json, "found", part->found);
        if (part->covered)
            hd_json_bool(json, "covered", true);
        hd_json_real(json, "seconds", part->seconds);
        hd_report_text_write(json, "detail", part->detail);
        hd_report_text_write(json, "failed", part->failed);
        if (!hd_verdict_complete(&part->verdict))
            hd_verdict_write_reasons(&part->verdict, json);
        hd_json_close(json);
    }
    hd_json_close(json);
}

static void write_tests(const hd_report *report, hd_json *json) {
    hd_json_open(json, "tests", '[');
    for (size_t i = 0; i < report->tests.length; i++) {
        const hd_report_test *test = &report->tests.data[i];
        hd_json_open(json, NULL, '{');
        hd_json_text(json, "name", test->name);
        hd_json_text(json, "verdict", hd_report_test_word(test->end));
        hd_report_text_write(json, "reason", test->reason);
        if (test->clients)
            hd_json_uint(json, "clients", test->clients);
        hd_json_uint(json, "executions", test->executions);
        hd_json_real(json, "seconds", test->seconds);
        hd_report_text_write(json, "replay", test->replay);
        hd_report_text_write(json, "client", test->client);
        hd_report_text_write(json, "history", test->history);
        hd_json_close(json);
    }
    hd_json_close(json);
}

static void write_names(hd_json *json, const char *key, const char *const *names, size_t count) {
    hd_json_open(json, key, '[');
    for (size_t i = 0; i < count; i++)
        hd_json_text(json, NULL, names[i]);
    hd_json_close(json);
}

static void write_files(const hd_report_files *files, hd_json *json) {
    hd_json_open(json, "files", '{');
    hd_json_uint(json, "instrumented", files->seen);
    write_names(json, "not_instrumented", files->blind.data, files->blind.length);
    if (files->bare.length)
        write_names(json, "without_debug_information", files->bare.data, files->bare.length);
    if (files->asked)
        write_names(json, "not_in_program", files->absent.data, files->absent.length);
    hd_json_close(json);
}

static void write_result(const hd_report *report, hd_json *json) {
    size_t known = 0;
    for (size_t i = 0; i < report->findings.length; i++)
        known += report->findings.data[i].known;
    hd_json_uint(json, "errors", hd_report_count(report, HD_REPORT_ERROR));
    hd_json_uint(json, "warnings", hd_report_count(report, HD_REPORT_WARNING));
    hd_json_uint(json, "notes", hd_report_count(report, HD_REPORT_NOTE));
    if (report->against_baseline)
        hd_json_uint(json, "known", known);
    hd_report_text_write(json, "folder", report->folder);
    if (report->word) {
        hd_json_open(json, "sv_comp", '{');
        hd_json_text(json, "property", report->property);
        hd_json_text(json, "word", report->word);
        hd_json_close(json);
    }
    if (report->files.known)
        write_files(&report->files, json);
    write_parts(report, json);
    if (report->tests.length)
        write_tests(report, json);
}

bool hd_report_write_json(const hd_report *report, const char *path, hd_error *error) {
    hd_file *file = hd_file_create(path, error);
    hd_json json;
    if (!file)
        return false;
    hd_json_init(&json, file);
    hd_report_answer_begin(&json, &(hd_report_answer){
                                      .command = report->command,
                                      .input = report->input,
                                      .arguments = report->arguments.data,
                                      .argument_count = report->arguments.length,
                                      .verdict = &report->verdict,
                                      .seconds = report->seconds,
                                  });
    write_result(report, &json);
    hd_report_answer_findings(&json);
    size_t listed = 0;
    double over = 0;
    while (listed < report->findings.length && hd_report_goes_on(&over, listed))
        write_finding(report, &report->findings.data[listed++], &json);
    if (listed < report->findings.length) {
        hd_log_write(HD_LOG_WARNING, "%s: not all findings are listed, only %zu: %s",
                     strcmp(path, "-") == 0 ? "the answer" : hd_text_name(path), listed,
                     hd_clock_why());
        hd_report_answer_list(&json, listed,
                              hd_clock_look() == HD_CLOCK_LATE ? "limit" : "interrupted",
                              hd_clock_why());
    }
    hd_report_answer_end(&json);
    return hd_file_commit(file, error);
}
