/*
 * heddle detect --online: while the trace still grows.
 */
#include <stdlib.h>
#include <string.h>

#include "cli_detect.h"
#include "cli_race.h"
#include "cli_schedule.h"

/* A state that was found. */
struct kept {
    uint32_t event;
    hd_vec_u32 threads, state, events, schedule;
};

struct online {
    hd_cli_detect *d;
    hd_trace_cursor *cursor;
    hd_predicate_online *detector;
    uint64_t window;
    hd_vec_u32 schedule;
    HD_VEC(struct kept) kept;
    bool json, failed;
};

/* ---- Findings ---- */

/* The events so far as a trace, with the names that the cursor has. */
static void lend_names(struct online *o) {
    o->d->trace.tables = *hd_trace_cursor_tables(o->cursor);
}

static void take_back_names(struct online *o) {
    o->d->trace.tables = (hd_trace_tables){0};
}

/* The event of its thread after this one, 0 if it has not come. */
static uint32_t next_of_thread(const hd_trace *trace, uint32_t event) {
    uint32_t thread = hd_trace_event(trace, event)->thread;
    for (uint32_t n = event + 1; n <= hd_trace_length(trace); n++)
        if (hd_trace_event(trace, n)->thread == thread)
            return n;
    return 0;
}

/* In the order of the trace, waits right after their releases. */
static void make_schedule(struct online *o, const hd_predicate_sight *sight) {
    const hd_trace *trace = &o->d->trace;
    uint32_t threads = trace->tables.names[HEDDLE_CLASS_THREAD].length;
    uint32_t *left = HD_NEW_ARRAY(uint32_t, threads + 1);
    bool *early = HD_NEW_ARRAY(bool, threads + 1); /* its wait stands in the schedule already */
    for (uint32_t p = 0; p < sight->places; p++)
        left[sight->threads[p]] = sight->state[p];
    hd_vec_clear(&o->schedule);
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        if (!left[event->thread])
            continue;
        left[event->thread]--;
        if (!early[event->thread])
            hd_vec_push(&o->schedule, n);
        early[event->thread] = false;
        uint32_t next = event->kind == HEDDLE_RELEASE ? next_of_thread(trace, n) : 0;
        if (next && left[event->thread] && hd_trace_event(trace, next)->kind == HEDDLE_WAIT) {
            hd_vec_push(&o->schedule, next);
            early[event->thread] = true;
        }
    }
    free(left);
    free(early);
}

static bool check(struct online *o, const hd_predicate_sight *sight) {
    hd_witness *witness = &o->d->witness;
    make_schedule(o, sight);
    hd_witness_clear(witness);
    witness->claim.kind = HD_WITNESS_STATE;
    witness->claim.let_go = true;
    hd_vec_resize(&witness->claim.counts, o->d->trace.tables.names[HEDDLE_CLASS_THREAD].length);
    for (uint32_t p = 0; p < sight->places; p++)
        witness->claim.counts.data[sight->threads[p]] = sight->state[p];
    for (size_t i = 0; i < o->schedule.length; i++)
        hd_vec_push(&witness->schedule, o->schedule.data[i]);
    return hd_witness_check(witness, &o->d->trace, NULL);
}

static bool save(struct online *o) {
    hd_cli_detect *d = o->d;
    hd_error error = {""};
    if (!d->output)
        return true;
    d->witness.verdict = hd_mem_string(d->text, strcspn(d->text, "\r\n"));
    if (hd_witness_save(&d->witness, &d->trace, d->output, &error))
        return true;
    hd_cli_fail("%s", error.text);
    return false;
}

static void print_sight(const struct online *o, const hd_predicate_sight *sight) {
    const hd_trace_tables *tables = hd_trace_cursor_tables(o->cursor);
    printf("%s: possible since event %u: %s\n  state     ", hd_cli_name(o->d->path), sight->event,
           hd_cli_name(o->d->text));
    for (uint32_t p = 0; p < sight->places; p++)
        printf(" %s=%u", hd_cli_name(hd_trace_thread_name(tables, sight->threads[p])),
               sight->state[p]);
    putchar('\n');
    for (uint32_t p = 0; p < sight->places; p++)
        if (sight->events[p] && o->window)
            printf("  last       event %u of %s\n", sight->events[p],
                   hd_cli_name(hd_trace_thread_name(tables, sight->threads[p])));
        else if (sight->events[p])
            printf("  last       event %u, %s\n", sight->events[p],
                   hd_cli_event_text(&o->d->trace, sight->events[p]));
    if (o->window)
        printf("  schedule   none: with --window events are forgotten\n");
    else
        hd_cli_schedule_print(&(hd_cli_schedule){
            .trace = &o->d->trace, .events = o->schedule.data, .length = o->schedule.length});
    if (!o->window && o->d->output)
        printf("  witness    %s\n", hd_cli_name(o->d->output));
}

/* For JSON, whose answer says first whether it is complete. */
static void keep_sight(struct online *o, const hd_predicate_sight *sight) {
    struct kept kept = {.event = sight->event};
    for (uint32_t p = 0; p < sight->places; p++) {
        hd_vec_push(&kept.threads, sight->threads[p]);
        hd_vec_push(&kept.state, sight->state[p]);
        hd_vec_push(&kept.events, sight->events[p]);
    }
    for (size_t i = 0; !o->window && i < o->schedule.length; i++)
        hd_vec_push(&kept.schedule, o->schedule.data[i]);
    hd_vec_push(&o->kept, kept);
}

static void write_sight(const struct online *o, const struct kept *kept, hd_json *json) {
    const hd_trace_tables *tables = hd_trace_cursor_tables(o->cursor);
    hd_json_open(json, NULL, '{');
    hd_json_uint(json, "since", kept->event);
    hd_json_open(json, "state", '{');
    for (size_t p = 0; p < kept->threads.length; p++)
        hd_json_uint(json, hd_trace_thread_name(tables, kept->threads.data[p]),
                     kept->state.data[p]);
    hd_json_close(json);
    hd_json_open(json, "frontier", '[');
    for (size_t p = 0; p < kept->events.length; p++)
        if (kept->events.data[p])
            hd_json_uint(json, NULL, kept->events.data[p]);
    hd_json_close(json);
    hd_json_bool(json, "proved", !o->window);
    if (!o->window)
        hd_report_events_write(json, "schedule", &kept->schedule);
    hd_json_close(json);
}

static void release_kept(struct online *o) {
    for (size_t i = 0; i < o->kept.length; i++) {
        hd_vec_release(&o->kept.data[i].threads);
        hd_vec_release(&o->kept.data[i].state);
        hd_vec_release(&o->kept.data[i].events);
        hd_vec_release(&o->kept.data[i].schedule);
    }
    hd_vec_release(&o->kept);
}

/* A state that the checker does not take lies between the halves of a step. */
static int report(void *context, const hd_predicate_sight *sight) {
    struct online *o = context;
    hd_cli_detect *d = o->d;
    bool good = true;
    lend_names(o);
    if (o->window || check(o, sight)) {
        good = o->window || save(o);
        d->answer.found = true;
        d->shown++;
        hd_progress_hide();
        if (o->json)
            keep_sight(o, sight);
        else if (good)
            print_sight(o, sight);
        fflush(stdout);
    }
    take_back_names(o);
    o->failed = !good;
    return !good || (d->answer.found && (!d->all || (d->most && d->shown == d->most)));
}

/* ---- The stream ---- */

/* Takes some events, and looks at what is new; 1: enough, 0: go on, -1: wrong. */
static int take_some(struct online *o, const heddle_event *events, size_t count) {
    hd_predicate_error wrong = {0};
    for (size_t i = 0; i < count; i++) {
        if (!o->window)
            hd_trace_append(&o->d->trace, events[i]);
        if (!hd_predicate_online_take(o->detector, &events[i], &wrong)) {
            hd_cli_detect_fail(o->d->text, &wrong);
            return -1;
        }
    }
    int why = hd_predicate_online_look(o->detector, report, o);
    return o->failed ? -1 : why != 0;
}

/* A batch, in parts that are small beside the window. */
static int take_batch(struct online *o, const hd_trace_batch *batch) {
    enum { PART = 8 };
    size_t part =
        o->window && o->window / PART < batch->count ? (size_t)o->window / PART + 1 : batch->count;
    int why = 0;
    for (size_t from = 0; from < batch->count && !why; from += part) {
        size_t left = batch->count - from;
        why = take_some(o, batch->events + from, left < part ? left : part);
    }
    return why;
}

static int watch(struct online *o) {
    const volatile int *stop = hd_cli_stop();
    hd_error error = {""};
    hd_trace_batch batch;
    hd_progress progress;
    int more = 0, why = 0;
    hd_progress_start(&progress, "watching", "events", 0);
    while (!why && !*stop && (more = hd_trace_cursor_next(o->cursor, &batch, &error)) > 0) {
        why = take_batch(o, &batch);
        hd_progress_step(&progress, hd_predicate_online_effort_of(o->detector).events);
    }
    hd_progress_end(&progress);
    if (more < 0 && !*stop) {
        hd_cli_fail("%s", error.text);
        return HD_CLI_BAD;
    }
    bool unseen = hd_predicate_online_effort_of(o->detector).unseen != 0;
    o->d->answer.complete = !*stop && !unseen;
    return why < 0                         ? HD_CLI_BAD
           : *stop                         ? HD_CLI_LIMIT
           : unseen && !o->d->answer.found ? HD_CLI_LIMIT
           : o->d->answer.found            ? HD_CLI_FOUND
                                           : HD_CLI_OK;
}

static void print_end(const struct online *o) {
    hd_predicate_online_effort effort = hd_predicate_online_effort_of(o->detector);
    char number[32];
    if (!o->d->answer.found)
        printf("%s: %s: %s\n", hd_cli_name(o->d->path),
               o->d->answer.complete ? "in no state of the poset"
                                     : "no verdict: nothing found, but not all was looked at",
               hd_cli_name(o->d->text));
    if (o->d->explain) {
        printf("  events     %s", hd_text_grouped(number, effort.events));
        printf(", %s kept", hd_text_grouped(number, effort.kept));
        printf("\n  intervals  %s", hd_text_grouped(number, effort.intervals));
        printf("\n  looked at  %s\n", hd_text_grouped(number, effort.states));
    }
    if (effort.unseen)
        printf("  not seen   states with one of %s events that were forgotten too early\n",
               hd_text_grouped(number, effort.unseen));
    if (effort.guessed)
        printf("  not exact  %u waits took another notification than was to be expected\n",
               effort.guessed);
}

static int watch_as_json(struct online *o) {
    hd_cli_answer out;
    hd_json *json = &out.json;
    int status = watch(o);
    hd_predicate_online_effort effort = hd_predicate_online_effort_of(o->detector);
    if (status == HD_CLI_BAD ||
        !hd_cli_json_begin(&out, o->d->arguments, o->d->path, o->d->answer.complete))
        return HD_CLI_BAD;
    hd_json_text(json, "predicate", o->d->text);
    hd_json_text(json, "question", "possibly");
    hd_json_bool(json, "found", o->d->answer.found);
    hd_json_text(json, "model", "poset");
    hd_json_uint(json, "events", effort.events);
    hd_json_uint(json, "kept", effort.kept);
    hd_json_uint(json, "intervals", effort.intervals);
    hd_json_uint(json, "looked_at", effort.states);
    hd_json_uint(json, "unseen", effort.unseen);
    hd_json_uint(json, "guessed_wrong", effort.guessed);
    hd_cli_json_findings(&out);
    for (size_t i = 0; i < o->kept.length; i++)
        write_sight(o, &o->kept.data[i], json);
    return hd_cli_json_end(&out, status);
}

int hd_cli_detect_online(hd_cli_detect *d, unsigned workers, uint64_t window) {
    struct online o = {.d = d, .window = window};
    o.json = hd_cli_given(d->arguments, HD_CLI_JSON);
    hd_predicate_error wrong = {0};
    hd_error error = {""};
    hd_predicate_online_options options = {.workers = workers, .window = window};
    o.cursor = hd_trace_cursor_open(d->path, 0, &error);
    if (!o.cursor)
        return hd_cli_fail("%s", error.text);
    o.detector = hd_predicate_online_create(&d->predicate, hd_trace_cursor_tables(o.cursor),
                                            &options, &wrong);
    int status = HD_CLI_BAD;
    if (!o.detector) {
        status = hd_cli_detect_fail(d->text, &wrong);
    } else if (o.json) {
        status = watch_as_json(&o);
    } else {
        status = watch(&o);
        if (status != HD_CLI_BAD)
            print_end(&o);
    }
    release_kept(&o);
    hd_predicate_online_free(o.detector);
    hd_trace_cursor_close(o.cursor);
    hd_vec_release(&o.schedule);
    return status;
}
