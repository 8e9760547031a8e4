/*
 * The answer of heddle detect, as text and as JSON.
 */
#include <stdlib.h>
#include <string.h>

#include "cli_detect.h"
#include "cli_model.h"
#include "cli_race_common.h"
#include "cli_schedule.h"
#include "cli_stack.h"

enum { MOST_READS = 8 };

int hd_cli_detect_fail(const char *text, const hd_predicate_error *error) {
    hd_cli_fail("%s", error->error.text);
    if (!error->length || strchr(text, '\n'))
        return HD_CLI_BAD;
    hd_vec_char line = {0};
    size_t length = strlen(text);
    size_t at = error->at < length ? error->at : length;
    size_t end = error->length < length - at ? at + error->length : length;
    hd_text_mark(&line, text, at, end);
    fprintf(stderr, "%s", line.data);
    hd_vec_release(&line);
    return HD_CLI_BAD;
}

/* ---- Text ---- */

static const char *model_name(const hd_cli_detect *d) {
    return d->e.model == HD_ORDER_POSET ? "poset" : "loset";
}

static void print_count(const hd_cli_detect *d) {
    char *digits = hd_cut_count_text(&d->e.answer.states);
    bool cut = d->e.most && d->e.told == d->e.most;
    printf("%s: %s%s %s state%s of the %s: %s%s\n", hd_text_name(d->e.path),
           cut ? "the first " : "", digits, hd_cut_class_names[d->e.request.class],
           strcmp(digits, "1") == 0 ? "" : "s", model_name(d), hd_text_name(d->e.text),
           d->e.answer.complete ? "" : " (so far)");
    free(digits);
}

static void print_verdict(const hd_cli_detect *d) {
    const char *name = hd_text_name(d->e.path), *text = hd_text_name(d->e.text);
    if (d->count || d->all)
        print_count(d);
    else if (!hd_verdict_complete(&d->e.verdict) && !d->e.answer.found)
        printf("%s: no verdict: nothing found, but not all was looked at: %s\n", name, text);
    else if (d->definitely)
        printf("%s: %s: %s\n", name, d->e.answer.found ? "in every run" : "not in every run", text);
    else if (d->e.answer.found)
        printf("%s: possible: %s\n", name, text);
    else
        printf("%s: in no %s state of the %s%s: %s\n", name, hd_cut_class_names[d->e.request.class],
               model_name(d), hd_cli_verdict_proviso(&d->e.verdict), text);
}

void hd_cli_detect_print(const hd_cli_detect *d) {
    print_verdict(d);
    if (!d->explain)
        return;
    char number[32];
    printf("  class      %s\n  algorithm  %s\n", d->e.answer.class, d->e.answer.algorithm);
    if (d->e.answer.why[0])
        printf("  because    %s\n", d->e.answer.why);
    printf("  looked at  %s\n", hd_text_grouped(number, d->e.answer.looked_at));
}

void hd_cli_detect_print_counts(const hd_cli_detect *d, const uint32_t *state) {
    const hd_cut_space *space = &d->e.scene.space;
    uint64_t events = 0;
    for (uint32_t p = 0; p < space->threads; p++) {
        printf("%s%s=%u", p ? " " : "",
               hd_text_name(hd_trace_thread_name(&d->trace.tables, space->thread[p])), state[p]);
        events += state[p];
    }
    printf("%s%llu of %u events\n", space->threads ? ", " : "", (unsigned long long)events,
           hd_trace_length(&d->trace));
}

static void print_frontier(const hd_cli_detect *d, const uint32_t *state) {
    const hd_cut_space *space = &d->e.scene.space;
    for (uint32_t p = 0; p < space->threads; p++)
        if (state[p]) {
            uint32_t event = hd_cut_event(space, p, state[p]);
            printf("  last       event %u, %s\n", event, hd_cli_event_text(&d->trace, event));
            hd_cli_stack_print(&d->trace, event, HD_CLI_STACK_INDENT);
        }
}

static void print_reads(const hd_cli_detect *d) {
    for (size_t i = 0; i < d->e.reads.length; i++) {
        const hd_predicate_read *read = &d->e.reads.data[i];
        if (i == MOST_READS) {
            printf("              ... %zu more\n", d->e.reads.length - i);
            break;
        }
        printf("  %-10s event %u sees %s%.0u, in the trace %s%.0u\n", i ? "" : "but", read->read,
               read->sees ? "event " : "the initial value", read->sees,
               read->saw ? "event " : "the initial value", read->saw);
    }
}

void hd_cli_detect_print_state(const hd_cli_detect *d, const uint32_t *state) {
    printf("  state      ");
    hd_cli_detect_print_counts(d, state);
    print_frontier(d, state);
    if (!d->e.proved) {
        printf("  schedule   none: the state is %s, but no schedule reaches it\n",
               hd_cut_class_names[d->e.request.class]);
        return;
    }
    const hd_vec_u32 *schedule = &d->e.witness.schedule;
    hd_cli_schedule_print(&(hd_cli_schedule){
        .trace = &d->trace, .events = schedule->data, .length = schedule->length});
    print_reads(d);
    if (d->e.output)
        printf("  witness    %s\n", hd_text_name(d->e.output));
}

void hd_cli_detect_print_avoiding(const hd_cli_detect *d) {
    printf("  avoided by a run that passes no such state:\n");
    const hd_vec_u32 *schedule = &d->e.witness.schedule;
    hd_cli_schedule_print(&(hd_cli_schedule){
        .trace = &d->trace, .events = schedule->data, .length = schedule->length});
    if (d->e.output)
        printf("  witness    %s\n", hd_text_name(d->e.output));
}

/* ---- JSON ---- */

void hd_cli_detect_write_result(const hd_cli_detect *d) {
    hd_json *json = d->json;
    hd_json_text(json, "predicate", d->e.text);
    hd_json_text(json, "question", d->definitely ? "definitely" : "possibly");
    hd_json_bool(json, "found", d->e.answer.found);
    hd_json_text(json, "model", model_name(d));
    hd_json_text(json, "class", hd_cut_class_names[d->e.request.class]);
    if (d->count || d->all) {
        char *digits = hd_cut_count_text(&d->e.answer.states);
        hd_json_digits(json, "states", digits);
        free(digits);
    }
    hd_json_text(json, "predicate_class", d->e.answer.class);
    hd_json_text(json, "algorithm", d->e.answer.algorithm);
    hd_json_text(json, "because", d->e.answer.why);
    hd_json_uint(json, "looked_at", d->e.answer.looked_at);
    if (d->definitely && !d->e.answer.found && d->e.answer.avoiding.length)
        hd_report_events_write(json, "avoiding", &d->e.answer.avoiding);
}

static void write_reads(const hd_cli_detect *d) {
    hd_json *json = d->json;
    hd_json_open(json, "reads_changed", '[');
    for (size_t i = 0; i < d->e.reads.length; i++) {
        hd_json_open(json, NULL, '{');
        hd_json_uint(json, "read", d->e.reads.data[i].read);
        hd_json_uint(json, "saw", d->e.reads.data[i].saw);
        hd_json_uint(json, "sees", d->e.reads.data[i].sees);
        hd_json_close(json);
    }
    hd_json_close(json);
}

void hd_cli_detect_write_state(const hd_cli_detect *d, const uint32_t *state) {
    const hd_cut_space *space = &d->e.scene.space;
    hd_json *json = d->json;
    hd_vec_u32 events = {0};
    hd_json_open(json, NULL, '{');
    hd_json_open(json, "state", '{');
    for (uint32_t p = 0; p < space->threads; p++)
        hd_json_uint(json, hd_trace_thread_name(&d->trace.tables, space->thread[p]), state[p]);
    hd_json_close(json);
    hd_json_open(json, "frontier", '[');
    for (uint32_t p = 0; p < space->threads; p++)
        if (state[p]) {
            uint32_t event = hd_cut_event(space, p, state[p]);
            hd_json_open(json, NULL, '{');
            hd_json_uint(json, "event", event);
            hd_json_text(json, "location",
                         hd_trace_location(&d->trace.tables, hd_trace_event(&d->trace, event)));
            hd_json_close(json);
            hd_vec_push(&events, event);
        }
    hd_json_close(json);
    hd_cli_stacks_write(&d->trace, events.data, events.length, json);
    hd_vec_release(&events);
    hd_json_bool(json, "proved", d->e.proved);
    if (d->e.proved) {
        hd_report_events_write(json, "schedule", &d->e.witness.schedule);
        write_reads(d);
    }
    if (d->e.proved && d->e.output && !d->all)
        hd_json_text(json, "witness", d->e.output);
    hd_json_close(json);
}
