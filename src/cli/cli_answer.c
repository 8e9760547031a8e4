/* The frame of an answer in JSON, and the notes about a trace that an answer carries. */
#include "cli.h"

#include <errno.h>
#include <string.h>

#include "cli_verdict.h"
#include "report/report.h"

/* What was guessed of the trace that the answer is about. */
static struct {
    uint64_t guessed, unexplained;
    bool partly; /* not known how many */
} noted;

bool hd_cli_json_begin(hd_cli_answer *answer, const hd_cli_arguments *arguments, const char *input,
                       const hd_verdict *verdict) {
    hd_error error = {""};
    answer->file = hd_file_create("-", &error);
    if (!answer->file) {
        hd_cli_fail("%s", error.text);
        return false;
    }
    hd_json *json = &answer->json;
    hd_json_init(json, answer->file);
    hd_report_answer_begin(json, &(hd_report_answer){
                                     .command = arguments->command->name,
                                     .input = input,
                                     .verdict = verdict,
                                     .guessed = noted.guessed,
                                     .unexplained = noted.unexplained,
                                     .partly = noted.partly,
                                     .seconds = hd_progress_clock() - arguments->started,
                                 });
    return true;
}

void hd_cli_json_findings(hd_cli_answer *answer) {
    hd_report_answer_findings(&answer->json);
}

/* Of the answer that is being written: a process writes one. */
static struct { uint64_t events, left_out; } schedules;

void hd_cli_json_schedule(hd_json *json, const hd_vec_u32 *schedule) {
    enum { MOST = 10000000 };
    if (!schedules.events || schedules.events + schedule->length <= MOST) {
        schedules.events += schedule->length;
        hd_report_events_write(json, "schedule", schedule);
        return;
    }
    schedules.left_out++;
    hd_json_null(json, "schedule");
    hd_json_uint(json, "schedule_events", schedule->length);
    hd_json_text(json, "proof", hd_report_proof_name(HD_REPORT_CHECKED));
}

int hd_cli_json_end(hd_cli_answer *answer, int status) {
    char number[32];
    if (schedules.left_out)
        hd_log_write(HD_LOG_WARNING,
                     "%s findings come without their schedule, as 10 million events of schedules "
                     "were written; --output keeps every schedule in a file",
                     hd_text_grouped(number, schedules.left_out));
    hd_report_answer_end(&answer->json);
    hd_error error = {""};
    if (!hd_file_commit(answer->file, &error))
        return hd_cli_fail("%s", error.text);
    return status;
}

void hd_cli_json_next(hd_json *json, const char *key, const hd_trace_end *end,
                      const uint32_t *events) {
    hd_json_open(json, key, '[');
    for (size_t i = 0; i < end->next.length; i++) {
        const hd_trace_next *next = &end->next.data[i];
        bool other = next->kind == HD_TRACE_END_OTHER;
        hd_json_open(json, NULL, '{');
        hd_json_text(json, "thread", next->thread);
        hd_json_text(json, "op", other ? "other" : hd_trace_kinds[next->kind].op);
        hd_json_text(json, "object", next->object);
        hd_json_text(json, "location", next->location);
        if (events && events[i])
            hd_json_uint(json, "event", events[i]);
        hd_json_close(json);
    }
    hd_json_close(json);
}

static void json_doubts(hd_json *json, const hd_trace_end *end) {
    if (!end->doubts.length)
        return;
    hd_json_open(json, "doubts", '[');
    for (size_t i = 0; i < end->doubts.length; i++) {
        hd_json_open(json, NULL, '{');
        hd_json_text(json, "code", end->doubts.data[i].code);
        hd_json_text(json, "what", end->doubts.data[i].what);
        hd_json_text(json, "text", end->doubts.data[i].text);
        hd_json_close(json);
    }
    hd_json_close(json);
}

void hd_cli_json_end_of_run(hd_json *json, const hd_trace_end *end) {
    json_doubts(json, end);
    if (!end->how)
        return;
    hd_vec_char text = {0};
    hd_trace_end_print(end, &text);
    hd_json_open(json, "ended", '{');
    hd_json_string(json, "how", text.data, strcspn(text.data, " "));
    if (strchr(text.data, ' '))
        hd_json_uint(json, "number", (uint64_t)end->number);
    hd_cli_json_next(json, "next", end, NULL);
    hd_json_notes(json, "notes", end->notes.data, end->notes.length);
    hd_json_close(json);
    hd_vec_release(&text);
}

void hd_cli_json_effort(hd_json *json, const hd_order_effort *effort) {
    hd_json_open(json, "effort", '{');
    hd_json_uint(json, "queries", effort->queries);
    hd_json_uint(json, "closed", effort->closed);
    hd_json_uint(json, "straight", effort->straight);
    hd_json_uint(json, "runs", effort->runs);
    hd_json_uint(json, "branches", effort->branches);
    hd_json_uint(json, "work", effort->work);
    hd_json_close(json);
}

int hd_cli_flush(int status) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    static bool said;
    int cause = hd_pipe_standard_error();
    if (!said)
        hd_cli_fail("standard output: cannot write: %s", hd_pipe_error(cause ? cause : errno));
    said = true;
    return HD_CLI_BAD;
}

static void note_guesses(const char *name, uint64_t guessed, uint64_t unexplained) {
    char count[32], rest[32];
    const char *shown = strcmp(name, "-") == 0 ? "standard input" : hd_text_name(name);
    noted.guessed = guessed;
    noted.unexplained = unexplained;
    if (unexplained)
        hd_log_write(HD_LOG_WARNING,
                     "%s: order partly guessed: that of %s accesses; no order was found that "
                     "explains what %s of them read",
                     shown, hd_text_grouped(count, guessed), hd_text_grouped(rest, unexplained));
    else if (guessed)
        hd_log_write(HD_LOG_WARNING, "%s: order partly guessed: that of %s accesses", shown,
                     hd_text_grouped(count, guessed));
}

void hd_cli_note_free(const char *name) {
    noted.partly = true;
    hd_log_write(HD_LOG_WARNING, "%s: order partly guessed: that of accesses that race",
                 hd_text_name(name));
}

void hd_cli_note_trace(const char *name, const hd_trace *trace) {
    hd_engine_note_incomplete(name, trace->incomplete, trace->lost);
    note_guesses(name, trace->guessed, trace->unexplained);
}

void hd_cli_note_cursor(const char *name, const hd_trace_cursor *cursor) {
    hd_engine_note_incomplete(name, hd_trace_cursor_incomplete(cursor),
                              hd_trace_cursor_lost(cursor));
    note_guesses(name, hd_trace_cursor_guessed(cursor), hd_trace_cursor_unexplained(cursor));
}

int hd_cli_column(int least, const hd_names *names, const uint32_t *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int length = (int)strlen(hd_text_name(hd_names_text(names, numbers[i])));
        least = length > least ? length : least;
    }
    return least;
}
