/*
 * The question detect while the trace grows: of a file or a pipe, or of a program beside which it
 * runs.
 *
 *     hd_engine_online o;
 *     hd_engine_online_init(&o, &d);                   the detection has the question
 *     o.each = ...; o.window = ...; o.argv = ...       of a program
 *     good = hd_engine_online_run(&o, &error);
 *     ... o.effort, d.answer.found, d.verdict
 *     hd_engine_online_release(&o);
 */
#ifndef HD_ENGINE_ONLINE_H
#define HD_ENGINE_ONLINE_H

#include "engine_detect.h"
#include "native/native.h"

typedef struct hd_engine_online {
    /* The question: predicate, model, class of states, limits and output are the detection's, and
     * so are the verdict and whether one was found. */
    hd_engine_detection *d;
    bool all;        /* do not stop at the first */
    uint64_t window; /* events that are kept; 0: as usual, which of a trace is all */
    char **argv;     /* the program and its arguments, to a NULL; NULL: the trace d->path */
    uint64_t seed;   /* of its schedule */
    bool free_running, every_access;
    bool aside;     /* what it prints goes to standard error */
    double seconds; /* after which it is ended; 0: never */
    /* Each state that became possible, when it was checked: d->proved and d->witness are of it.
     * Other than 0: no more are wanted. */
    int (*each)(void *context, const struct hd_engine_online *o, const hd_predicate_sight *sight);
    void *context;

    /* What is known when a state is told. */
    const hd_trace_tables *tables;
    hd_predicate_window kept; /* the events that it still knows */
    hd_vec_u32 schedule;      /* to the state, in these */

    /* The answer beside that of the detection. */
    hd_predicate_online_effort effort;
    hd_recording_live *program; /* how it ended */
    bool tail_skipped; /* the program was stopped, and not all that it had done was looked at */

    /* Inside. */
    hd_predicate_online *detector;
    hd_trace_tables own; /* of a program */
    char *made;          /* the program, if it was a source */
    uint64_t part;       /* events are taken so many at a time; 0: as they come */
    bool full;           /* there were more events than have numbers */
    double grace;        /* what comes until then is looked at although the clock is over; or 0 */
    bool late;           /* the clock was over, and what came after was not looked at */
    bool failed, enough;
    int why;
    hd_error *error;
} hd_engine_online;

void hd_engine_online_init(hd_engine_online *o, hd_engine_detection *d);
bool hd_engine_online_run(hd_engine_online *o, hd_error *error);
void hd_engine_online_release(hd_engine_online *o);

/* Does what is asked depend on the order of plain accesses, which of a free run is guessed? */
bool hd_engine_online_guesses(const hd_engine_online *o);

/* ---- Inside ---- */

/* Takes events, and looks at what is new; 1: enough was found, or it is late, 0: go on, -1: wrong.
 */
int hd_engine_online_take(hd_engine_online *o, const heddle_event *events, size_t count);

/* engine_online_program.c: starts the program, and looks until it ends; true if it was stopped
 * from outside.  The verdict is begun. */
bool hd_engine_online_start(hd_engine_online *o, hd_error *error);
bool hd_engine_online_watch(hd_engine_online *o);

#endif
