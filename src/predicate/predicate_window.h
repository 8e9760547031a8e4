/*
 * What a detector that forgets (predicate_online.h) still knows, as a trace of its own, so that
 * a state can be shown and checked without the beginning of the run.
 *
 * The events that were forgotten are in every state that is still looked at, and are a global
 * state themselves.  Those of them that are still open there stay, before the others: the
 * acquire of a lock that is held, the wait of a thread that waits, a message that was not
 * taken.  A reordering of this trace, after a run to that state, is a reordering of the whole.
 */
#ifndef HD_PREDICATE_WINDOW_H
#define HD_PREDICATE_WINDOW_H

#include "predicate_online.h"

typedef struct hd_predicate_window {
    uint32_t slack;     /* events that may wait to be forgotten: what is kept is copied then */
    hd_trace trace;     /* its tables are not used: they are the caller's */
    hd_vec_u32 numbers; /* of its events in the whole trace */
    uint32_t open;      /* its first ones, that were left of what was forgotten */
    uint32_t before;    /* events of the whole trace that are not in it */
    hd_vec_u32 gone;    /* [thread]: of its events are not after the first ones */
} hd_predicate_window;

void hd_predicate_window_release(hd_predicate_window *window);

/* Each event, with its number. */
void hd_predicate_window_take(hd_predicate_window *window, uint32_t number,
                              const heddle_event *event);

/* Forgets what the detector did.  Of a window that does not have what is held back, `kept` says how
 * many events the detector keeps. */
void hd_predicate_window_forget(hd_predicate_window *window, const hd_predicate_online *online);
void hd_predicate_window_forget_but(hd_predicate_window *window, const hd_predicate_online *online,
                                    uint64_t kept);

/* What was forgotten came before all that is kept: edges from each of the first ones to the next
 * event of every other thread.  They replace those that are there. */
void hd_predicate_window_before(const hd_predicate_window *window, hd_trace_loset *to);

/* The schedule to a state of a poset: the events of the window that are in it, in the order of the
 * trace, waits right after their releases.  And the state as counts of the window's trace. */
void hd_predicate_window_schedule(const hd_predicate_window *window,
                                  const hd_predicate_sight *sight, hd_vec_u32 *schedule,
                                  hd_vec_u32 *counts);

/* The place in the window's trace of an event of the whole; 0 if it is not there. */
uint32_t hd_predicate_window_place(const hd_predicate_window *window, uint32_t number);

#endif
