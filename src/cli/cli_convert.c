/*
 * heddle convert: from one trace format to the other, as a stream; or to that of
 * trace viewers.
 */
#include <string.h>

#include "cli.h"
#include "cli_verdict.h"
#include "report/report.h"

enum { TO = HD_CLI_OWN, RECOVER };

static const hd_cli_option options[] = {
    HD_CLI_COMMON,
    {"to", 't', "FORMAT",
     "text, binary or perfetto (binary if the name ends in .htr, otherwise text)"},
    {"recover", 0, NULL, "recover a truncated or damaged binary file"},
    {0},
};

/* Number of events converted, or -1. */
static int64_t convert(hd_trace_cursor *cursor, hd_trace_writer *writer, hd_error *error) {
    hd_progress progress;
    hd_progress_start(&progress, "converting", "bytes", hd_trace_cursor_size(cursor));
    hd_trace_batch batch;
    int64_t events = 0;
    int more;
    while ((more = hd_trace_cursor_next(cursor, &batch, error)) > 0) {
        events += (int64_t)batch.count;
        if (!hd_trace_writer_write(writer, hd_trace_cursor_tables(cursor), batch.events,
                                   batch.count))
            break; /* closing the writer says why */
        hd_trace_writer_forget(writer, hd_trace_cursor_stacks(cursor));
        hd_progress_step(&progress, hd_trace_cursor_done(cursor));
    }
    hd_progress_end(&progress);
    return more < 0 ? -1 : events;
}

static int report(const hd_cli_arguments *arguments, bool incomplete, int64_t events) {
    if (!hd_cli_given(arguments, HD_CLI_JSON))
        return HD_CLI_OK;
    hd_cli_answer answer;
    hd_verdict verdict;
    hd_engine_verdict_reading(&verdict, "the trace in another form", incomplete, 0);
    bool begun = hd_cli_json_begin(&answer, arguments, arguments->operands[0], &verdict);
    hd_verdict_release(&verdict);
    if (!begun)
        return HD_CLI_BAD;
    hd_json_uint(&answer.json, "events", (uint64_t)events);
    hd_json_text(&answer.json, "output", arguments->operands[1]);
    hd_cli_json_findings(&answer);
    return hd_cli_json_end(&answer, HD_CLI_OK);
}

/* Arrows and holds want the whole trace. */
static int convert_to_perfetto(const hd_cli_arguments *arguments, unsigned flags) {
    hd_error error = {""};
    hd_trace trace = {0};
    int status = HD_CLI_BAD;
    const char *input = arguments->operands[0];
    if (!hd_trace_load(&trace, input, flags, &error) ||
        (trace.late && !hd_error_set(&error, "%s: %s; nothing is written", hd_text_name(input),
                                     hd_clock_why())) ||
        !hd_report_perfetto_write(&trace, input, arguments->operands[1], &error))
        hd_cli_fail("%s", error.text);
    else {
        hd_cli_note_trace(input, &trace);
        status = report(arguments, trace.incomplete, hd_trace_length(&trace));
    }
    hd_trace_release(&trace);
    return status;
}

static int run(const hd_cli_arguments *arguments) {
    enum hd_trace_format format;
    hd_error error = {""};
    const char *to = arguments->values[TO];
    bool perfetto = to && strcmp(to, "perfetto") == 0;
    if (to && !perfetto && strcmp(to, "text") != 0 && strcmp(to, "binary") != 0)
        return hd_cli_usage(arguments, "--to takes text, binary or perfetto, not '%s'",
                            hd_text_name(to));
    if (!perfetto && !hd_cli_format(arguments, TO, arguments->operands[1], &format))
        return HD_CLI_BAD;
    if (hd_cli_given(arguments, HD_CLI_JSON) && strcmp(arguments->operands[1], "-") == 0)
        return hd_cli_usage(arguments, "--json and an output of - both want standard output");
    unsigned flags = HD_TRACE_TIMED | HD_TRACE_STACKS |
                     (hd_cli_given(arguments, RECOVER) ? HD_TRACE_RECOVER : 0U);
    if (perfetto)
        return convert_to_perfetto(arguments, flags);
    hd_trace_cursor *cursor = hd_trace_cursor_open(arguments->operands[0], flags, &error);
    if (!cursor)
        return hd_cli_fail("%s", error.text);
    hd_trace_writer *writer = hd_trace_writer_open(arguments->operands[1], format, &error);
    if (!writer) {
        hd_trace_cursor_close(cursor);
        return hd_cli_fail("%s", error.text);
    }
    int status;
    hd_trace_writer_stacks(writer, hd_trace_cursor_stacks(cursor));
    int64_t events = convert(cursor, writer, &error);
    hd_trace_writer_build(writer, hd_trace_cursor_build(cursor));
    hd_trace_writer_end(writer, hd_trace_cursor_end(cursor));
    hd_trace_writer_lost(writer, hd_trace_cursor_lost(cursor), hd_trace_cursor_incomplete(cursor));
    if (hd_trace_cursor_late(cursor) && events >= 0)
        hd_error_set(&error, "%s: %s; nothing is written", hd_text_name(arguments->operands[0]),
                     hd_clock_why());
    if (events < 0 || hd_trace_cursor_late(cursor)) {
        hd_trace_writer_abandon(writer);
        status = hd_cli_fail("%s", error.text);
    } else if (!hd_trace_writer_close(writer, &error))
        status = hd_cli_fail("%s", error.text);
    else {
        if (format == HD_TRACE_TEXT && hd_trace_cursor_stacks(cursor))
            hd_log_write(HD_LOG_WARNING, "%s: text has no stacks; those of the events are left out",
                         hd_text_name(arguments->operands[1]));
        hd_cli_note_cursor(arguments->operands[0], cursor);
        status = report(arguments, hd_trace_cursor_incomplete(cursor), events);
    }
    hd_trace_cursor_close(cursor);
    return status;
}

const hd_cli_command hd_cli_convert = {
    .name = "convert",
    .operands = "TRACE OUTPUT",
    .summary = "Convert a trace to another format",
    .details = "TRACE is a file in either format, or - for standard input; OUTPUT - is standard\n"
               "output.  OUTPUT is created atomically.  The format perfetto is JSON for the trace\n"
               "viewers Perfetto and chrome://tracing.",
    .options = options,
    .least = 2,
    .most = 2,
    .run = run,
};
