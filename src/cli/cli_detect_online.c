/*
 * heddle detect --online: while the trace still grows, or beside a program for as long as it runs.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli_ask.h"
#include "cli_detect.h"
#include "cli_model.h"
#include "cli_race_common.h"
#include "cli_schedule.h"
#include "native/native.h"

/* A state that was found, for JSON, whose answer says first whether it is complete. */
typedef struct kept_sight {
    uint32_t event, before;
    bool proved;
    hd_vec_u32 threads, state, events, schedule;
} kept_sight;

typedef struct watching {
    hd_cli_detect *d;
    bool json;
    HD_VEC(char *) names; /* of threads, [thread]: those of a stream go with it */
    HD_VEC(kept_sight) kept;
} watching;

/* ---- Text ---- */

static void print_last(const hd_engine_online *o, const hd_predicate_sight *sight, uint32_t p) {
    uint32_t number = sight->events[p], place = hd_predicate_window_place(&o->kept, number);
    if (number && place)
        printf("  last       event %u, %s\n", number, hd_cli_event_text(&o->kept.trace, place));
    else if (number)
        printf("  last       event %u of %s\n", number,
               hd_text_name(hd_trace_thread_name(o->tables, sight->threads[p])));
}

static void print_sight(const hd_engine_online *o, const hd_predicate_sight *sight) {
    printf("%s: possible since event %u: %s\n  state     ", hd_text_name(o->d->path), sight->event,
           hd_text_name(o->d->text));
    for (uint32_t p = 0; p < sight->places; p++)
        printf(" %s=%u", hd_text_name(hd_trace_thread_name(o->tables, sight->threads[p])),
               sight->state[p]);
    putchar('\n');
    for (uint32_t p = 0; p < sight->places; p++)
        print_last(o, sight, p);
    if (!o->d->proved) {
        printf("  schedule   none %s\n",
               o->kept.before ? "is known: how it begins is forgotten" : "leads there");
        return;
    }
    hd_cli_schedule_print(&(hd_cli_schedule){.trace = &o->kept.trace,
                                             .events = o->schedule.data,
                                             .length = o->schedule.length,
                                             .numbers = o->kept.numbers.data});
    if (o->kept.before)
        printf("              after %u events that are in every later state\n", o->kept.before);
    if (o->d->output)
        printf("  witness    %s\n", hd_text_name(o->d->output));
}

/* ---- JSON ---- */

static void keep_name(watching *w, const hd_engine_online *o, uint32_t thread) {
    const char *name = hd_trace_thread_name(o->tables, thread);
    while (w->names.length <= thread)
        hd_vec_push(&w->names, NULL);
    if (!w->names.data[thread])
        w->names.data[thread] = hd_mem_string(name, strlen(name));
}

static void keep_sight(watching *w, const hd_engine_online *o, const hd_predicate_sight *from) {
    kept_sight kept = {.event = from->event, .before = o->kept.before, .proved = o->d->proved};
    for (uint32_t p = 0; p < from->places; p++) {
        keep_name(w, o, from->threads[p]);
        hd_vec_push(&kept.threads, from->threads[p]);
        hd_vec_push(&kept.state, from->state[p]);
        hd_vec_push(&kept.events, from->events[p]);
    }
    for (size_t i = 0; kept.proved && i < o->schedule.length; i++)
        hd_vec_push(&kept.schedule, o->kept.numbers.data[o->schedule.data[i] - 1]);
    hd_vec_push(&w->kept, kept);
}

static void write_sight(const watching *w, const kept_sight *kept, hd_json *json) {
    hd_json_open(json, NULL, '{');
    hd_json_uint(json, "since", kept->event);
    hd_json_open(json, "state", '{');
    for (size_t p = 0; p < kept->threads.length; p++)
        hd_json_uint(json, w->names.data[kept->threads.data[p]], kept->state.data[p]);
    hd_json_close(json);
    hd_json_open(json, "frontier", '[');
    for (size_t p = 0; p < kept->events.length; p++)
        if (kept->events.data[p])
            hd_json_uint(json, NULL, kept->events.data[p]);
    hd_json_close(json);
    hd_json_bool(json, "proved", kept->proved);
    hd_json_uint(json, "before", kept->before);
    if (kept->proved)
        hd_report_events_write(json, "schedule", &kept->schedule);
    hd_json_close(json);
}

static void write_ending(const hd_engine_online *o, hd_json *json) {
    const hd_launch_run *run = hd_recording_live_run(o->program);
    hd_vec_char text = {0};
    hd_launch_run_describe(run, &text);
    hd_json_text(json, "ending", text.data);
    if (WIFEXITED(run->status))
        hd_json_uint(json, "exit_status", (uint64_t)WEXITSTATUS(run->status));
    else
        hd_json_uint(json, "signal", (uint64_t)WTERMSIG(run->status));
    hd_json_uint(json, "lost", hd_recording_live_lost(o->program));
    hd_json_bool(json, "tail_skipped", o->tail_skipped);
    hd_vec_release(&text);
}

static int write_json(const watching *w) {
    const hd_cli_detect *d = w->d;
    const hd_predicate_online_effort *effort = &d->o.effort;
    hd_cli_answer out;
    hd_json *json = &out.json;
    if (!hd_cli_json_begin(&out, d->arguments, d->e.path, &d->e.verdict))
        return HD_CLI_BAD;
    hd_json_text(json, "predicate", d->e.text);
    hd_json_text(json, "question", "possibly");
    hd_json_bool(json, "found", d->e.answer.found);
    bool loset = d->e.model == HD_ORDER_LOSET;
    hd_json_text(json, "model", loset ? "loset" : "poset");
    if (loset)
        hd_json_text(json, "class", hd_cut_class_names[d->e.request.class]);
    hd_json_uint(json, "events", effort->events);
    hd_json_uint(json, "kept", effort->kept);
    if (d->o.argv) {
        hd_json_uint(json, "reused_variables", effort->reused[0]);
        hd_json_uint(json, "reused_locks", effort->reused[1]);
    }
    hd_json_uint(json, "intervals", effort->intervals);
    hd_json_uint(json, "looked_at", effort->states);
    hd_json_uint(json, "unseen", effort->unseen);
    hd_json_uint(json, "guessed_wrong", effort->guessed);
    if (d->o.program)
        write_ending(&d->o, json);
    hd_cli_json_findings(&out);
    for (size_t i = 0; i < w->kept.length; i++)
        write_sight(w, &w->kept.data[i], json);
    return hd_cli_json_end(&out, hd_verdict_status(&d->e.verdict));
}

/* ---- The end as text ---- */

static void print_ending(const hd_engine_online *o) {
    const hd_launch_run *run = hd_recording_live_run(o->program);
    hd_vec_char text = {0};
    hd_launch_run_describe(run, &text);
    printf("  program    %s, %s looked at\n", text.data,
           hd_text_count(o->effort.events, "event", "events"));
    if (run->wire->ending == HEDDLE_WIRE_DEADLOCK) {
        hd_vec_clear(&text);
        hd_native_waiting(run, &text);
        fputs(text.data, stdout);
    }
    hd_vec_release(&text);
}

static void print_end(const hd_cli_detect *d) {
    const hd_predicate_online_effort *effort = &d->o.effort;
    char number[32], none[64] = "in no state of the poset";
    if (d->e.model == HD_ORDER_LOSET)
        snprintf(none, sizeof none, "in no %s state of the loset",
                 hd_cut_class_names[d->e.request.class]);
    if (!d->e.answer.found)
        printf("%s: %s: %s\n", hd_text_name(d->e.path),
               hd_verdict_complete(&d->e.verdict)
                   ? none
                   : "no verdict: nothing found, but not all was looked at",
               hd_text_name(d->e.text));
    hd_cli_verdict_print(&d->e.verdict, 10);
    if (d->explain) {
        printf("  events     %s", hd_text_grouped(number, effort->events));
        printf(", %s kept", hd_text_grouped(number, effort->kept));
        printf("\n  intervals  %s", hd_text_grouped(number, effort->intervals));
        printf(", %s events change nothing that is asked",
               hd_text_grouped(number, effort->events - effort->intervals));
        printf("\n  looked at  %s\n", hd_text_grouped(number, effort->states));
    }
    if (d->o.program)
        print_ending(&d->o);
}

/* ---- The question ---- */

static int put(void *context, const hd_engine_online *o, const hd_predicate_sight *from) {
    watching *w = context;
    if (w->json)
        keep_sight(w, o, from);
    else
        print_sight(o, from);
    fflush(stdout);
    return 0;
}

static void release(watching *w) {
    for (size_t i = 0; i < w->kept.length; i++) {
        hd_vec_release(&w->kept.data[i].threads);
        hd_vec_release(&w->kept.data[i].state);
        hd_vec_release(&w->kept.data[i].events);
        hd_vec_release(&w->kept.data[i].schedule);
    }
    hd_vec_release(&w->kept);
    for (size_t i = 0; i < w->names.length; i++)
        free(w->names.data[i]);
    hd_vec_release(&w->names);
}

int hd_cli_detect_online(hd_cli_detect *d) {
    watching w = {.d = d, .json = hd_cli_given(d->arguments, HD_CLI_JSON)};
    hd_error error = {""};
    hd_engine_question question = {
        .what = HD_ENGINE_DETECT, .path = d->e.path, .whole.online = &d->o};
    d->o.all = d->all;
    d->o.aside = w.json;
    d->o.each = put;
    d->o.context = &w; // cppcheck-suppress autoVariables ; used up before this returns
    if (hd_engine_online_guesses(&d->o))
        hd_cli_note_free(d->e.path);
    int status = HD_CLI_BAD;
    if (!hd_cli_ask(d->arguments, &question, &error))
        status = d->e.wrong.error.text[0] ? hd_cli_detect_fail(d->e.text, &d->e.wrong)
                                          : hd_cli_fail("%s", error.text);
    else if (w.json)
        status = write_json(&w);
    else {
        print_end(d);
        status = hd_verdict_status(&d->e.verdict);
    }
    release(&w);
    return status;
}
