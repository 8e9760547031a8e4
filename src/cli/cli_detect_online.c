/*
 * heddle detect --online: while the trace still grows.
 */
#include "cli_detect_online.h"

#include <stdlib.h>
#include <string.h>

#include "cli_race_common.h"
#include "cli_schedule.h"

/* ---- Findings ---- */

/* Of a loset: a schedule through feasible states, if there is one; checked.  False is a
 * mistake. */
static bool prove(hd_cli_online *o, const hd_predicate_sight *sight, hd_error *error) {
    hd_cli_detect *d = o->d;
    hd_order order;
    hd_predicate_instance scene;
    hd_predicate any; /* what the predicate names may not all have come */
    hd_predicate_error wrong = {0};
    d->proved = false;
    if (o->window.before)
        return true; /* how it begins is forgotten */
    hd_order_init(&order, &o->window.trace);
    bool good =
        hd_predicate_init(&any, "true", &wrong) &&
        hd_predicate_instance_init(&scene, &order, &any, HD_ORDER_LOSET, d->request.memory, &wrong);
    if (good) {
        hd_predicate_prover *prover =
            hd_predicate_prover_create(&scene, false, d->request.memory, error);
        uint32_t *state = HD_NEW_ARRAY(uint32_t, scene.space.stride + 1);
        for (uint32_t p = 0; p < sight->places; p++)
            if (sight->state[p])
                state[scene.place_of[sight->threads[p]]] = sight->state[p];
        d->proved = prover && hd_predicate_prove(prover, state, &o->schedule) == HD_ORDER_FEASIBLE;
        good = prover && (!d->proved ||
                          hd_predicate_witness(prover, state, &o->schedule, &d->witness, error));
        free(state);
        hd_predicate_prover_free(prover);
        hd_predicate_instance_release(&scene);
    }
    hd_predicate_release(&any);
    hd_order_release(&order);
    return good;
}

/* The schedule to the state, checked. */
static bool check(hd_cli_online *o, const hd_predicate_sight *sight, hd_error *error) {
    hd_witness *witness = &o->d->witness;
    if (o->d->scene.model == HD_ORDER_LOSET)
        return prove(o, sight, error);
    o->d->proved = true;
    hd_witness_clear(witness);
    witness->claim.kind = HD_WITNESS_STATE;
    witness->claim.let_go = true;
    hd_predicate_window_schedule(&o->window, sight, &o->schedule, &witness->claim.counts);
    for (size_t i = 0; i < o->schedule.length; i++)
        hd_vec_push(&witness->schedule, o->schedule.data[i]);
    return hd_witness_check(witness, &o->window.trace, error);
}

static bool save(hd_cli_online *o) {
    hd_cli_detect *d = o->d;
    hd_error error = {""};
    if (!d->output || !d->proved)
        return true;
    d->witness.verdict = hd_mem_string(d->text, strcspn(d->text, "\r\n"));
    if (hd_witness_save(&d->witness, &o->window.trace, d->output, &error))
        return true;
    hd_cli_fail("%s", error.text);
    return false;
}

static void print_last(const hd_cli_online *o, const hd_predicate_sight *sight, uint32_t p) {
    uint32_t number = sight->events[p], place = hd_predicate_window_place(&o->window, number);
    if (number && place)
        printf("  last       event %u, %s\n", number, hd_cli_event_text(&o->window.trace, place));
    else if (number)
        printf("  last       event %u of %s\n", number,
               hd_text_name(hd_trace_thread_name(o->tables, sight->threads[p])));
}

static void print_sight(const hd_cli_online *o, const hd_predicate_sight *sight) {
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
               o->window.before ? "is known: how it begins is forgotten" : "leads there");
        return;
    }
    hd_cli_schedule_print(&(hd_cli_schedule){.trace = &o->window.trace,
                                             .events = o->schedule.data,
                                             .length = o->schedule.length,
                                             .numbers = o->window.numbers.data});
    if (o->window.before)
        printf("              after %u events that are in every later state\n", o->window.before);
    if (o->d->output)
        printf("  witness    %s\n", hd_text_name(o->d->output));
}

static void keep_sight(hd_cli_online *o, const hd_predicate_sight *sight) {
    struct hd_cli_sight kept = {
        .event = sight->event, .before = o->window.before, .proved = o->d->proved};
    for (uint32_t p = 0; p < sight->places; p++) {
        hd_vec_push(&kept.threads, sight->threads[p]);
        hd_vec_push(&kept.state, sight->state[p]);
        hd_vec_push(&kept.events, sight->events[p]);
    }
    for (size_t i = 0; kept.proved && i < o->schedule.length; i++)
        hd_vec_push(&kept.schedule, o->window.numbers.data[o->schedule.data[i] - 1]);
    hd_vec_push(&o->kept, kept);
}

static void write_sight(const hd_cli_online *o, const struct hd_cli_sight *kept, hd_json *json) {
    hd_json_open(json, NULL, '{');
    hd_json_uint(json, "since", kept->event);
    hd_json_open(json, "state", '{');
    for (size_t p = 0; p < kept->threads.length; p++)
        hd_json_uint(json, hd_trace_thread_name(o->tables, kept->threads.data[p]),
                     kept->state.data[p]);
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

static void tell(hd_cli_online *o, const hd_predicate_sight *sight) {
    hd_cli_detect *d = o->d;
    d->answer.found = true;
    d->shown++;
    hd_progress_hide();
    if (o->json)
        keep_sight(o, sight);
    else
        print_sight(o, sight);
    fflush(stdout);
}

/* Where a wait took another notification than the clocks guessed, a state may not be possible. */
static int report(void *context, const hd_predicate_sight *sight) {
    hd_cli_online *o = context;
    hd_cli_detect *d = o->d;
    hd_error error = {""};
    o->window.trace.tables = *o->tables; /* lent */
    if (check(o, sight, &error)) {
        o->failed = !save(o);
        if (!o->failed)
            tell(o, sight);
    } else if (!hd_predicate_online_effort_of(o->detector).guessed) {
        hd_cli_fail("a mistake of heddle's, please report it: %s", error.text);
        o->failed = true;
    }
    o->window.trace.tables = (hd_trace_tables){0};
    return o->failed || (d->answer.found && (!d->all || (d->most && d->shown == d->most)));
}

/* ---- Events ---- */

bool hd_cli_online_begin(hd_cli_online *o, hd_cli_detect *d, const hd_trace_tables *tables,
                         uint64_t window) {
    enum { PART = 8, SLACK = 256 };
    hd_predicate_error wrong = {0};
    hd_predicate_online_options options = {.workers = d->request.workers,
                                           .window = window,
                                           .loset = d->scene.model == HD_ORDER_LOSET,
                                           .class = d->request.class};
    *o = (hd_cli_online){.d = d, .tables = tables, .json = hd_cli_given(d->arguments, HD_CLI_JSON)};
    o->window.slack = SLACK;
    o->part = window ? window / PART + 1 : 0; /* small beside the window */
    o->detector = hd_predicate_online_create(&d->predicate, tables, &options, &wrong);
    if (!o->detector)
        hd_cli_detect_fail(d->text, &wrong);
    return o->detector != NULL;
}

void hd_cli_online_end(hd_cli_online *o) {
    for (size_t i = 0; i < o->kept.length; i++) {
        hd_vec_release(&o->kept.data[i].threads);
        hd_vec_release(&o->kept.data[i].state);
        hd_vec_release(&o->kept.data[i].events);
        hd_vec_release(&o->kept.data[i].schedule);
    }
    hd_vec_release(&o->kept);
    hd_vec_release(&o->schedule);
    hd_predicate_window_release(&o->window);
    hd_predicate_online_free(o->detector);
}

static int take_some(hd_cli_online *o, const heddle_event *events, size_t count) {
    hd_predicate_error wrong = {0};
    uint32_t number = (uint32_t)hd_predicate_online_effort_of(o->detector).events;
    for (size_t i = 0; i < count; i++) {
        hd_predicate_window_take(&o->window, ++number, &events[i]);
        if (!hd_predicate_online_take(o->detector, &events[i], &wrong)) {
            hd_cli_detect_fail(o->d->text, &wrong);
            return -1;
        }
    }
    int why = hd_predicate_online_look(o->detector, report, o);
    if (!o->d->output) /* a witness is of the whole trace */
        hd_predicate_window_forget(&o->window, o->detector);
    return o->failed ? -1 : why != 0;
}

int hd_cli_online_take(hd_cli_online *o, const heddle_event *events, size_t count) {
    size_t part = o->part && o->part < count ? (size_t)o->part : count;
    int why = 0;
    o->full |= hd_predicate_online_effort_of(o->detector).events + count > HD_TRACE_MAX_EVENTS;
    for (size_t from = 0; from < count && !why && !o->full; from += part) {
        size_t left = count - from;
        why = take_some(o, events + from, left < part ? left : part);
    }
    return o->full ? 1 : why;
}

/* ---- The end ---- */

int hd_cli_online_judge(hd_cli_online *o, int why, bool stopped) {
    hd_verdict *verdict = &o->d->verdict;
    if (!why && !stopped && !o->full)
        why = hd_predicate_online_finish(o->detector, report, o);
    why = o->failed ? -1 : why;
    hd_predicate_online_effort effort = hd_predicate_online_effort_of(o->detector);
    if (stopped && *hd_cli_stop())
        hd_verdict_not(verdict, "interrupted", "interrupted before all was looked at");
    else if (stopped)
        hd_verdict_not(verdict, "limit", "stopped by the limit on time");
    if (effort.unseen)
        hd_verdict_not(verdict, "limit",
                       "states without one of %s that were forgotten too early were not seen",
                       hd_text_count((size_t)effort.unseen, "event", "events"));
    if (o->full)
        hd_verdict_not(verdict, "limit", "what came after %s was not seen",
                       hd_text_count((size_t)effort.events, "event", "events"));
    if (effort.guessed)
        hd_verdict_not(verdict, "undecided", "%s another notification than was to be expected",
                       hd_text_count(effort.guessed, "wait took", "waits took"));
    hd_cli_verdict_end(verdict, o->d->arguments, o->d->answer.found);
    return why < 0 ? HD_CLI_BAD : hd_verdict_status(verdict);
}

void hd_cli_online_print_end(const hd_cli_online *o) {
    hd_predicate_online_effort effort = hd_predicate_online_effort_of(o->detector);
    char number[32], none[64] = "in no state of the poset";
    if (o->d->scene.model == HD_ORDER_LOSET)
        snprintf(none, sizeof none, "in no %s state of the loset",
                 hd_cut_class_names[o->d->request.class]);
    if (!o->d->answer.found)
        printf("%s: %s: %s\n", hd_text_name(o->d->path),
               hd_verdict_complete(&o->d->verdict)
                   ? none
                   : "no verdict: nothing found, but not all was looked at",
               hd_text_name(o->d->text));
    hd_cli_verdict_print(&o->d->verdict, 10);
    if (o->d->explain) {
        printf("  events     %s", hd_text_grouped(number, effort.events));
        printf(", %s kept", hd_text_grouped(number, effort.kept));
        printf("\n  intervals  %s", hd_text_grouped(number, effort.intervals));
        printf(", %s events change nothing that is asked",
               hd_text_grouped(number, effort.events - effort.intervals));
        printf("\n  looked at  %s\n", hd_text_grouped(number, effort.states));
    }
}

int hd_cli_online_write(const hd_cli_online *o, int status, void (*more)(void *context, hd_json *),
                        void *context) {
    hd_cli_answer out;
    hd_json *json = &out.json;
    hd_predicate_online_effort effort = hd_predicate_online_effort_of(o->detector);
    if (!hd_cli_json_begin(&out, o->d->arguments, o->d->path, &o->d->verdict))
        return HD_CLI_BAD;
    hd_json_text(json, "predicate", o->d->text);
    hd_json_text(json, "question", "possibly");
    hd_json_bool(json, "found", o->d->answer.found);
    bool loset = o->d->scene.model == HD_ORDER_LOSET;
    hd_json_text(json, "model", loset ? "loset" : "poset");
    if (loset)
        hd_json_text(json, "class", hd_cut_class_names[o->d->request.class]);
    hd_json_uint(json, "events", effort.events);
    hd_json_uint(json, "kept", effort.kept);
    hd_json_uint(json, "intervals", effort.intervals);
    hd_json_uint(json, "looked_at", effort.states);
    hd_json_uint(json, "unseen", effort.unseen);
    hd_json_uint(json, "guessed_wrong", effort.guessed);
    if (more)
        more(context, json);
    hd_cli_json_findings(&out);
    for (size_t i = 0; i < o->kept.length; i++)
        write_sight(o, &o->kept.data[i], json);
    return hd_cli_json_end(&out, status);
}

/* ---- A file or a pipe ---- */

static int watch(hd_cli_online *o, hd_trace_cursor *cursor) {
    const volatile int *stop = hd_cli_stop();
    hd_error error = {""};
    hd_trace_batch batch;
    hd_progress progress;
    int more = 0, why = 0;
    hd_progress_start(&progress, "watching", "events", 0);
    while (!why && !*stop && (more = hd_trace_cursor_next(cursor, &batch, &error)) > 0) {
        why = hd_cli_online_take(o, batch.events, batch.count);
        hd_progress_step(&progress, hd_predicate_online_effort_of(o->detector).events);
    }
    hd_progress_end(&progress);
    if (more < 0 && !*stop)
        return hd_cli_fail("%s", error.text);
    hd_verdict_init(&o->d->verdict, "states where it is true");
    hd_engine_verdict_cursor(&o->d->verdict, cursor);
    return hd_cli_online_judge(o, why, *stop);
}

int hd_cli_detect_online(hd_cli_detect *d) {
    hd_cli_online o;
    hd_error error = {""};
    hd_trace_cursor *cursor = hd_trace_cursor_open(d->path, HD_TRACE_TIMED, &error);
    if (!cursor)
        return hd_cli_fail("%s", error.text);
    int status = HD_CLI_BAD;
    if (hd_cli_online_begin(&o, d, hd_trace_cursor_tables(cursor), d->window)) {
        status = watch(&o, cursor);
        if (status != HD_CLI_BAD && o.json)
            status = hd_cli_online_write(&o, status, NULL, NULL);
        else if (status != HD_CLI_BAD)
            hd_cli_online_print_end(&o);
    }
    hd_cli_online_end(&o);
    hd_trace_cursor_close(cursor);
    return status;
}
