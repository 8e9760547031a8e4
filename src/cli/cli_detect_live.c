/*
 * heddle detect --online PROGRAM: beside the program, for as long as it runs.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "cli_detect_online.h"
#include "cli_model.h"
#include "native/native.h"

/* Events that are kept if nobody says how many; seconds between one way of ending the program
 * and the next, more forceful one. */
enum { WINDOW = 1 << 16, NAP = 1000 * 1000 };
static const double patience = 2.0, moment = 0.2;

typedef struct live {
    hd_cli_online online;
    hd_recording_live *native;
    int why;
    bool behind; /* and not everything was looked at when it was stopped */
    hd_trace_tables tables;
} live;

/* ---- Events ---- */

static bool take(void *to, const hd_trace_tables *tables, const heddle_event *events,
                 size_t count) {
    live *l = to;
    (void)tables;
    l->why = hd_cli_online_take(&l->online, events, count);
    return !l->why;
}

static void cut(void *to, uint32_t variable, uint32_t part) {
    live *l = to;
    hd_predicate_online_split(l->online.detector, variable, part);
}

/* What of plain accesses the predicate asks about: where a thread is counts them all. */
static enum hd_recording_wanted wanted(const hd_predicate *predicate) {
    if (hd_predicate_uses(predicate, HD_PREDICATE_RACE) ||
        hd_predicate_uses(predicate, HD_PREDICATE_POSITION))
        return HD_RECORDING_ALL;
    return hd_predicate_uses(predicate, HD_PREDICATE_VALUE) ? HD_RECORDING_WRITES
                                                            : HD_RECORDING_NO_PLAIN;
}

/* ---- The program ---- */

/* Ends it: at first it is left the signal that Ctrl-C sent to both; then it is asked to end, and
 * at last made to.  What it still does is looked at, as far as that goes on for a moment only. */
static void end(live *l, bool by_terminal) {
    static const int signals[] = {SIGINT, SIGTERM, SIGKILL};
    double due = hd_progress_clock() + (by_terminal ? moment : 0);
    size_t next = 0;
    while (hd_recording_live_runs(l->native)) {
        if (next < sizeof signals / sizeof *signals && hd_progress_clock() >= due) {
            hd_recording_live_signal(l->native, signals[next++]);
            due = hd_progress_clock() + patience;
        }
        if (!hd_recording_live_take(l->native))
            nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
    }
}

/* True if it was stopped from outside. */
static bool watch(live *l) {
    const volatile int *stop = hd_cli_stop();
    double until = l->online.d->seconds > 0 ? hd_progress_clock() + l->online.d->seconds : 0;
    hd_progress progress;
    bool late = false;
    hd_progress_start(&progress, "watching", "events", 0);
    while (!*stop && !late && hd_recording_live_take(l->native)) {
        late = until > 0 && hd_progress_clock() > until;
        hd_progress_step(&progress, hd_predicate_online_effort_of(l->online.detector).events);
    }
    bool stopped = *stop || late;
    end(l, *stop);
    until = hd_progress_clock() + patience;
    while (!l->why && !l->behind && hd_recording_live_take(l->native))
        l->behind = stopped && hd_progress_clock() > until;
    hd_progress_end(&progress);
    return stopped;
}

/* ---- The end ---- */

static void write_ending(void *context, hd_json *json) {
    const live *l = context;
    const hd_launch_run *run = hd_recording_live_run(l->native);
    hd_vec_char text = {0};
    hd_launch_run_describe(run, &text);
    hd_json_text(json, "ending", text.data);
    if (WIFEXITED(run->status))
        hd_json_uint(json, "exit_status", (uint64_t)WEXITSTATUS(run->status));
    else
        hd_json_uint(json, "signal", (uint64_t)WTERMSIG(run->status));
    hd_json_uint(json, "lost", hd_recording_live_lost(l->native));
    hd_json_bool(json, "behind", l->behind);
    hd_vec_release(&text);
}

/* One run, as far as it was seen. */
static void begin_verdict(live *l) {
    hd_cli_detect *d = l->online.d;
    uint64_t lost = hd_recording_live_lost(l->native);
    size_t words = 0;
    while (d->argv[words + 1])
        words++;
    hd_verdict_init(&d->verdict, "states of one run where it is true");
    if (lost)
        hd_verdict_not(&d->verdict, "damaged", "%s lost",
                       hd_text_count((size_t)lost, "event was", "events were"));
    hd_verdict_rests(&d->verdict, "recording", NULL, HD_VERDICT_FIRM,
                     "the events of one run, reordered; other branches are not asked");
    if (d->free_running && wanted(&d->predicate) != HD_RECORDING_NO_PLAIN)
        hd_verdict_rests(&d->verdict, "guessed-order", NULL, HD_VERDICT_SHAKY,
                         "threads ran freely: the order of accesses that race was guessed");
    hd_engine_verdict_inputs(&d->verdict, (hd_engine_words){d->argv + 1, words}, true);
}

static void print_ending(live *l) {
    hd_vec_char text = {0};
    hd_launch_run_describe(hd_recording_live_run(l->native), &text);
    printf(
        "  program    %s, %s looked at\n", text.data,
        hd_text_count(hd_predicate_online_effort_of(l->online.detector).events, "event", "events"));
    hd_vec_release(&text);
}

int hd_cli_detect_live(hd_cli_detect *d) {
    live l = {0};
    hd_error error = {""};
    char *made = NULL;
    bool whole = d->request.class == HD_CUT_STRONGLY_FEASIBLE;
    uint64_t window = d->window || whole ? d->window : WINDOW;
    hd_trace_tables_init(&l.tables);
    hd_launch_options options = {.argv = d->argv,
                                 .seed = d->seed,
                                 .free_running = d->free_running,
                                 .every_access = d->every_access,
                                 .aside = hd_cli_given(d->arguments, HD_CLI_JSON)};
    hd_recording_live_sinks sinks = {take, cut, &l};
    /* Locks and marks of a free run are in the order that they had. */
    if (d->free_running && wanted(&d->predicate) != HD_RECORDING_NO_PLAIN)
        hd_cli_note_free(d->path);
    if (hd_launch_is_source(d->path)) {
        made = d->argv[0] = hd_launch_make(d->path, false, &error);
        if (!made)
            return hd_cli_fail("%s", error.text);
    }
    int status = HD_CLI_BAD;
    if (!hd_cli_online_begin(&l.online, d, &l.tables, window)) {
        /* said */
    } else if (!(l.native = hd_recording_live_start(&options, wanted(&d->predicate), &l.tables,
                                                    &sinks, &error)))
        hd_cli_fail("%s", error.text);
    else {
        bool stopped = watch(&l);
        begin_verdict(&l);
        status = hd_cli_online_judge(&l.online, l.why, stopped);
        if (status != HD_CLI_BAD && l.online.json)
            status = hd_cli_online_write(&l.online, status, write_ending, &l);
        else if (status != HD_CLI_BAD) {
            hd_cli_online_print_end(&l.online);
            print_ending(&l);
        }
    }
    hd_cli_online_end(&l.online);
    hd_recording_live_free(l.native);
    hd_trace_tables_release(&l.tables);
    free(made);
    return status;
}
