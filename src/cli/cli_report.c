/*
 * heddle report: the answers of other commands, put together and in other forms.
 */
#include "cli_report.h"

#include <string.h>

enum { TRACE = HD_CLI_OWN };

static const hd_cli_option options[] = {
    HD_CLI_COMMON,
    {"trace", 0, "FILE", "the trace of the answers, if it is not where they say"},
    HD_CLI_REPORT_OPTIONS,
    {0},
};

/* The trace that an answer is about gives its events names and places.  An answer about
 * something else, or about a trace that is gone, has to do without. */
static bool load_trace(const hd_cli_arguments *arguments, const hd_json_value *answer,
                       hd_trace *trace) {
    static const char *const about[] = {"race", "deadlock", "nondet", "detect"};
    const char *given = arguments->values[TRACE], *command = hd_json_text_of(answer, "command");
    const char *path = given ? given : hd_json_text_of(hd_json_get(answer, "input"), "file");
    hd_error error = {""};
    bool wanted = false;
    for (size_t i = 0; command && i < sizeof about / sizeof *about; i++)
        wanted |= strcmp(command, about[i]) == 0;
    if (!wanted || !path || strcmp(path, "-") == 0)
        return false;
    hd_file_protect(path);
    if (hd_trace_load(trace, path, 0, &error))
        return true;
    hd_log_write(HD_LOG_WARNING, "%s: events have no places: %s", hd_text_name(path), error.text);
    return false;
}

static bool add_file(const hd_cli_arguments *arguments, const char *path, hd_report *report) {
    hd_json_document document;
    hd_trace trace = {0};
    hd_error error = {""};
    if (!hd_json_load(&document, path, &error)) {
        hd_cli_fail("%s", error.text);
        return false;
    }
    const char *input = hd_json_text_of(hd_json_get(document.root, "input"), "file");
    bool loaded = load_trace(arguments, document.root, &trace);
    bool good = hd_report_add(report, document.root, loaded ? &trace : NULL, &error);
    if (!good)
        hd_cli_fail("%s: %s", hd_text_name(path), error.text);
    else if (!*report->input && input)
        report->input = hd_report_keep(report, input);
    hd_trace_release(&trace);
    hd_json_release(&document);
    return good;
}

static int run(const hd_cli_arguments *arguments) {
    hd_report report;
    hd_report_look look;
    int status = HD_CLI_BAD;
    if (!hd_cli_report_read(arguments, &look))
        return HD_CLI_BAD;
    hd_report_init(&report, "report", "");
    bool good = true;
    for (int i = 0; good && i < arguments->operand_count; i++)
        good = add_file(arguments, arguments->operands[i], &report);
    if (good && hd_clock_look() != HD_CLOCK_GOES) {
        hd_cli_fail("stopped before all answers were read; nothing is reported");
        good = false;
    }
    if (good) {
        hd_report_merge(&report);
        for (size_t i = 0; i < report.parts.length; i++)
            report.seconds += report.parts.data[i].seconds;
        bool written = hd_cli_report_write(arguments, &report);
        int printed = hd_cli_report_print(arguments, &report, &look);
        status = hd_cli_written(written, printed);
    }
    hd_report_release(&report);
    return status;
}

const hd_cli_command hd_cli_report = {
    .name = "report",
    .operands = "ANSWER...",
    .summary = "Combine the answers of other commands",
    .details =
        "ANSWER is the output of a command with --json, or - for standard input.  Findings\n"
        "that are the same defect become one.  Status 0: nothing wrong, and everything was\n"
        "decided; 1: an error or a warning; 3: nothing wrong was found, but that is no proof.",
    .options = options,
    .least = 1,
    .most = 1 << 20,
    .run = run,
};
