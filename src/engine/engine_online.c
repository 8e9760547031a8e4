/*
 * The question detect while the trace grows: what a file and a program have in common, and files.
 */
#include "engine_online.h"

#include <stdlib.h>
#include <string.h>

#include "engine_verdict.h"

/* ---- A state ---- */

/* The state as counts of the trace that is kept, by place. */
static void find_state(const hd_engine_online *o, const hd_predicate_instance *scene,
                       const hd_predicate_sight *sight, uint32_t *state) {
    const hd_predicate_window *kept = &o->kept;
    for (uint32_t n = 1; n <= kept->open; n++)
        state[scene->place_of[hd_trace_event(&kept->trace, n)->thread]]++;
    for (uint32_t p = 0; p < sight->places; p++) {
        uint32_t thread = sight->threads[p];
        uint32_t gone = thread < kept->gone.length ? kept->gone.data[thread] : 0;
        assert(sight->state[p] >= gone);
        if (sight->state[p] > gone)
            state[scene->place_of[thread]] += sight->state[p] - gone;
    }
}

/* Of a loset: a schedule through feasible states, if there is one; checked.  False is a mistake. */
static bool prove(hd_engine_online *o, const hd_predicate_sight *sight, hd_error *error) {
    hd_engine_detection *d = o->d;
    hd_order order;
    hd_predicate_instance scene;
    hd_predicate any; /* what the predicate names may not all have come */
    hd_predicate_error wrong = {0};
    hd_trace_loset before = {0}; /* what was forgotten comes first */
    d->proved = false;
    hd_predicate_window_before(&o->kept, &before);
    if (before.edges.length)
        o->kept.trace.loset = &before;
    hd_order_init(&order, &o->kept.trace);
    bool good =
        hd_predicate_init(&any, "true", &wrong) &&
        hd_predicate_instance_init(&scene, &order, &any, HD_ORDER_LOSET, d->request.memory, &wrong);
    if (good) {
        hd_predicate_prover *prover =
            hd_predicate_prover_create(&scene, false, d->request.memory, error);
        uint32_t *state = HD_NEW_ARRAY(uint32_t, scene.space.stride + 1);
        find_state(o, &scene, sight, state);
        d->proved = prover && hd_predicate_prove(prover, state, &o->schedule) == HD_ORDER_FEASIBLE;
        good = prover && (!d->proved ||
                          hd_predicate_witness(prover, state, &o->schedule, &d->witness, error));
        free(state);
        hd_predicate_prover_free(prover);
        hd_predicate_instance_release(&scene);
    }
    hd_predicate_release(&any);
    hd_order_release(&order);
    o->kept.trace.loset = NULL;
    hd_vec_release(&before.edges);
    return good;
}

/* The schedule to the state, checked. */
static bool check(hd_engine_online *o, const hd_predicate_sight *sight, hd_error *error) {
    hd_witness *witness = &o->d->witness;
    if (o->d->model == HD_ORDER_LOSET)
        return prove(o, sight, error);
    o->d->proved = true;
    hd_witness_clear(witness);
    witness->claim.kind = HD_WITNESS_STATE;
    witness->claim.let_go = true;
    hd_predicate_window_schedule(&o->kept, sight, &o->schedule, &witness->claim.counts);
    for (size_t i = 0; i < o->schedule.length; i++)
        hd_vec_push(&witness->schedule, o->schedule.data[i]);
    return hd_witness_check(witness, &o->kept.trace, error);
}

static void tell(hd_engine_online *o, const hd_predicate_sight *sight) {
    hd_engine_detection *d = o->d;
    d->answer.found = true;
    d->told++;
    hd_progress_hide();
    o->enough = (o->each && o->each(o->context, o, sight) != 0) || !o->all ||
                (d->most && d->told == d->most);
}

static int report(void *context, const hd_predicate_sight *sight) {
    hd_engine_online *o = context;
    hd_error error = {""};
    o->kept.trace.tables = *o->tables; /* lent */
    if (check(o, sight, &error)) {
        o->failed = !hd_engine_detect_save(o->d, &o->kept.trace, NULL, o->error);
        if (!o->failed)
            tell(o, sight);
    } else {
        o->failed = true;
        hd_error_set(o->error, "an error in heddle, please report it: %s", error.text);
    }
    o->kept.trace.tables = (hd_trace_tables){0};
    return o->failed || o->enough;
}

/* ---- Events ---- */

static bool is_late(hd_engine_online *o) {
    if (!o->late && hd_clock_over())
        o->late = hd_progress_clock() >= o->grace;
    return o->late;
}

static int take_some(hd_engine_online *o, const heddle_event *events, size_t count) {
    uint32_t number = (uint32_t)hd_predicate_online_effort_of(o->detector).events;
    for (size_t i = 0; i < count && !is_late(o); i++) {
        hd_predicate_window_take(&o->kept, ++number, &events[i]);
        if (!hd_predicate_online_take(o->detector, &events[i], &o->d->wrong)) {
            hd_error_set(o->error, "%s", o->d->wrong.error.text);
            o->failed = true;
            return -1;
        }
    }
    if (o->late)
        return 1;
    int why = hd_predicate_online_look(o->detector, report, o);
    if (!o->d->output) /* a witness is of the whole trace */
        hd_predicate_window_forget(&o->kept, o->detector);
    return o->failed ? -1 : why != 0;
}

int hd_engine_online_take(hd_engine_online *o, const heddle_event *events, size_t count) {
    size_t part = o->part && o->part < count ? (size_t)o->part : count;
    int why = 0;
    o->full |= hd_predicate_online_effort_of(o->detector).events + count > HD_TRACE_MAX_EVENTS;
    for (size_t from = 0; from < count && !why && !o->full; from += part) {
        size_t left = count - from;
        why = take_some(o, events + from, left < part ? left : part);
    }
    return o->full ? 1 : why;
}

/* ---- The verdict ---- */

/* What the detector forgot, what came after it was full, and that somebody or a limit ended it. */
static bool judge(hd_engine_online *o, bool stopped) {
    hd_verdict *verdict = &o->d->verdict;
    if (!o->why && !stopped && !o->full) {
        o->failed = !hd_predicate_online_end(o->detector, &o->d->wrong);
        if (o->failed)
            return hd_error_set(o->error, "%s", o->d->wrong.error.text);
        o->why = hd_predicate_online_finish(o->detector, report, o);
    }
    if (o->failed)
        return false;
    hd_predicate_online_effort effort = hd_predicate_online_effort_of(o->detector);
    stopped &= !o->enough;
    if (stopped && hd_clock_look() == HD_CLOCK_STOPPED)
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
        hd_verdict_not(verdict, "undecided",
                       "%s before it was known which waits it ended, as --window is too small",
                       hd_text_count(effort.guessed, "notification was looked at",
                                     "notifications were looked at"));
    verdict->found = o->d->answer.found;
    o->effort = effort;
    return true;
}

/* ---- A file or a pipe ---- */

static bool watch(hd_engine_online *o, hd_trace_cursor *cursor, hd_error *error) {
    hd_trace_batch batch;
    hd_progress progress;
    int more = 0;
    bool stopped = false;
    hd_progress_start(&progress, "watching", "events", 0);
    while (!o->why && !(stopped = (hd_clock_look() != HD_CLOCK_GOES)) &&
           (more = hd_trace_cursor_next(cursor, &batch, error)) > 0) {
        o->why = hd_engine_online_take(o, batch.events, batch.count);
        hd_progress_step(&progress, hd_predicate_online_effort_of(o->detector).events);
    }
    hd_progress_end(&progress);
    stopped |= o->late || hd_stop_asked() != 0 || hd_trace_cursor_late(cursor);
    if (more < 0 && !stopped)
        return false;
    hd_verdict_init(&o->d->verdict, "states where it is true");
    hd_engine_verdict_cursor(&o->d->verdict, cursor);
    return judge(o, stopped);
}

/* ---- The question ---- */

void hd_engine_online_init(hd_engine_online *o, hd_engine_detection *d) {
    *o = (hd_engine_online){.d = d, .seed = 1};
    hd_trace_tables_init(&o->own);
}

static bool create(hd_engine_online *o, const hd_trace_tables *tables, hd_error *error) {
    enum { PART = 8, SLACK = 256 };
    hd_engine_detection *d = o->d;
    hd_predicate_online_options options = {.workers = d->request.workers,
                                           .window = o->window,
                                           .loset = d->model == HD_ORDER_LOSET,
                                           .class = d->request.class};
    o->tables = tables;
    o->kept.slack = SLACK;
    o->part = o->window ? o->window / PART + 1 : 0; /* small beside the window */
    o->detector = hd_predicate_online_create(&d->predicate, tables, &options, &d->wrong);
    return o->detector || hd_error_set(error, "%s", d->wrong.error.text);
}

static bool run_trace(hd_engine_online *o, hd_error *error) {
    hd_trace_cursor *cursor = hd_trace_cursor_open(o->d->path, HD_TRACE_TIMED, error);
    bool good =
        cursor && create(o, hd_trace_cursor_tables(cursor), error) && watch(o, cursor, error);
    hd_trace_cursor_close(cursor);
    o->tables = NULL;
    return good;
}

static bool run_program(hd_engine_online *o, hd_error *error) {
    enum { WINDOW = 1 << 16 }; /* events that are kept if the user does not say how many */
    o->window = o->window ? o->window : WINDOW;
    if (hd_launch_is_source(o->argv[0])) {
        o->made = hd_launch_make(o->argv[0], 0, error);
        if (!o->made)
            return false;
    }
    return create(o, &o->own, error) && hd_engine_online_start(o, error) &&
           judge(o, hd_engine_online_watch(o));
}

bool hd_engine_online_run(hd_engine_online *o, hd_error *error) {
    if (!hd_engine_detect_read(o->d, error))
        return false;
    hd_stop_listen();
    o->error = error; // cppcheck-suppress autoVariables ; taken back below
    bool good = o->argv ? run_program(o, error) : run_trace(o, error);
    o->error = NULL;
    return good;
}

void hd_engine_online_release(hd_engine_online *o) {
    hd_vec_release(&o->schedule);
    hd_predicate_window_release(&o->kept);
    hd_predicate_online_free(o->detector);
    hd_recording_live_free(o->program);
    hd_trace_tables_release(&o->own);
    free(o->made);
}
