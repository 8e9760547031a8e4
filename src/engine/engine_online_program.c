/*
 * The question detect beside a program, for as long as it runs.
 */
#include <signal.h>
#include <time.h>

#include "engine_online.h"
#include "engine_verdict.h"

enum { NAP = 1000 * 1000 };
static const double moment = 0.2;

/* Seconds between one way of ending the program and the next, more forceful one; less if the time
 * of the command is up, so that it is not much exceeded. */
static double patience(void) {
    return hd_clock_look() == HD_CLOCK_LATE ? 0.25 : 2.0;
}

/* ---- Events ---- */

static bool take(void *to, const hd_trace_tables *tables, const heddle_event *events,
                 size_t count) {
    hd_engine_online *o = to;
    (void)tables;
    o->why = hd_engine_online_take(o, events, count);
    return !o->why;
}

static void cut(void *to, uint32_t variable, uint32_t part) {
    const hd_engine_online *o = to;
    hd_predicate_online_split(o->detector, variable, part);
}

static void retire(void *to, enum heddle_class class, uint32_t number) {
    const hd_engine_online *o = to;
    hd_predicate_online_retire(o->detector, class, number);
}

static bool reuse(void *to, enum heddle_class class, uint32_t *number) {
    const hd_engine_online *o = to;
    return hd_predicate_online_reuse(o->detector, class, number);
}

/* Can numbers of variables and locks be given out again?  A predicate may name one, and a witness
 * that is saved is of the whole run. */
static bool reuses(const hd_engine_online *o) {
    return o->d->model == HD_ORDER_POSET && !o->d->output &&
           !hd_predicate_uses(&o->d->predicate, HD_PREDICATE_VALUE) &&
           !hd_predicate_uses(&o->d->predicate, HD_PREDICATE_HELD);
}

/* What of plain accesses the predicate asks about: where a thread is counts them all. */
static enum hd_recording_wanted wanted(const hd_predicate *predicate) {
    if (hd_predicate_uses(predicate, HD_PREDICATE_RACE) ||
        hd_predicate_uses(predicate, HD_PREDICATE_POSITION))
        return HD_RECORDING_ALL;
    return hd_predicate_uses(predicate, HD_PREDICATE_VALUE) ? HD_RECORDING_WRITES
                                                            : HD_RECORDING_NO_PLAIN;
}

/* Locks and marks of a free run are in the order that they had. */
bool hd_engine_online_guesses(const hd_engine_online *o) {
    return o->free_running && wanted(&o->d->predicate) != HD_RECORDING_NO_PLAIN;
}

/* ---- The program ---- */

bool hd_engine_online_start(hd_engine_online *o, hd_error *error) {
    hd_launch_options options = {.argv = o->argv,
                                 .seed = o->seed,
                                 .free_running = o->free_running,
                                 .every_access = o->every_access,
                                 .aside = o->aside};
    hd_recording_sinks sinks = {.events = take,
                                .cut = cut,
                                .retire = reuses(o) ? retire : NULL,
                                .reuse = reuses(o) ? reuse : NULL,
                                .to = o};
    char *given = o->argv[0];
    if (o->made)
        o->argv[0] = o->made;
    o->program =
        hd_recording_live_start(&options, wanted(&o->d->predicate), &o->own, &sinks, error);
    o->argv[0] = given;
    return o->program != NULL;
}

/* Ends it: at first it is left the signal that Ctrl-C sent to both; then it is asked to end, and
 * at last made to.  What it still does is looked at, as far as that goes on for a moment only. */
static void end(hd_engine_online *o, bool by_terminal) {
    static const int signals[] = {SIGINT, SIGTERM, SIGKILL};
    double due = hd_progress_clock() + (by_terminal ? moment : 0);
    size_t next = 0;
    while (hd_recording_live_runs(o->program)) {
        if (next < sizeof signals / sizeof *signals && hd_progress_clock() >= due) {
            hd_recording_live_signal(o->program, signals[next++]);
            due = hd_progress_clock() + patience();
        }
        if (!hd_recording_live_take(o->program))
            nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
    }
}

/* What would have come later is in no state that was looked at.  `by_us`: it was ended because no
 * more was wanted, or by a limit that has a reason of its own. */
static void ended_early(hd_verdict *verdict, const hd_launch_run *run, bool by_us) {
    hd_trace_end end = {0};
    hd_recording_how(run, &end);
    if (run->wire->ending == HEDDLE_WIRE_DEADLOCK)
        hd_verdict_not(verdict, "cut", "the run ended in a deadlock");
    else if (run->wire->ending == HEDDLE_WIRE_EXEC)
        hd_verdict_not(verdict, "cut", "another program took the place of the one that ran");
    else if (!by_us && hd_trace_end_early(&end)) {
        hd_vec_char text = {0};
        hd_launch_run_describe(run, &text);
        hd_verdict_not(verdict, "cut", "the run did not come to its end: %s", text.data);
        hd_vec_release(&text);
    }
}

/* One run, as far as it was seen. */
static void begin_verdict(hd_engine_online *o, bool by_us) {
    hd_verdict *verdict = &o->d->verdict;
    uint64_t lost = hd_recording_live_lost(o->program);
    size_t words = 0;
    while (o->argv[words + 1])
        words++;
    hd_verdict_init(verdict, "states of one run where it is true");
    if (lost)
        hd_verdict_not(verdict, "damaged", "%s lost",
                       hd_text_count((size_t)lost, "event was", "events were"));
    ended_early(verdict, hd_recording_live_run(o->program), by_us);
    hd_verdict_rests(verdict, "recording", NULL, HD_VERDICT_FIRM,
                     "the events of one run, reordered; other branches are not asked");
    if (hd_engine_online_guesses(o))
        hd_verdict_rests(verdict, "guessed-order", NULL, HD_VERDICT_SHAKY,
                         "threads ran freely: the order of accesses that race was guessed");
    hd_trace_end doubts = {0};
    hd_recording_doubts(hd_recording_live_run(o->program), &doubts);
    hd_engine_verdict_doubts(verdict, &doubts, HD_VERDICT_SHAKY);
    hd_trace_end_release(&doubts);
    hd_engine_verdict_inputs(verdict, (hd_engine_words){o->argv + 1, words}, true);
}

bool hd_engine_online_watch(hd_engine_online *o) {
    double until = o->seconds > 0 ? hd_progress_clock() + o->seconds : 0;
    hd_progress progress;
    bool stopped = false;
    hd_progress_start(&progress, "watching", "events", 0);
    while (!(stopped = (hd_clock_look() != HD_CLOCK_GOES)) && hd_recording_live_take(o->program)) {
        hd_progress_step(&progress, hd_predicate_online_effort_of(o->detector).events);
        if (until > 0 && hd_progress_clock() > until) {
            stopped = true;
            break;
        }
    }
    stopped |= o->late || hd_stop_asked() != 0;
    bool by_us = stopped || o->why;
    until = hd_progress_clock() + patience();
    o->grace = stopped ? until : 0;
    end(o, hd_stop_asked() != 0);
    while (!o->why && !o->tail_skipped && hd_recording_live_take(o->program))
        o->tail_skipped = stopped && hd_progress_clock() > until;
    stopped |= o->late;
    o->tail_skipped |= o->late;
    hd_progress_end(&progress);
    begin_verdict(o, by_us);
    return stopped;
}
