/*
 * Well-formedness: can this sequence of events be a run?  The check takes events one at a time, in
 * constant time each, and says what is wrong with the first one that is impossible.  It also sets
 * HEDDLE_REENTRANT.
 *
 * The rules (doc/format.md has them for users):
 *  - a lock is held by one writer or by readers, only its holder gives it
 *    back, in the mode it was taken; a second acquire of a holder is
 *    re-entrant; reading under one's own writing hold, or the reverse, is not
 *    allowed;
 *  - a thread is forked at most once, before its first event, not by itself,
 *    and does nothing once joined;
 *  - a thread that waits does nothing before its wake, and one that arrived at
 *    a barrier nothing before it departs; there is no wake without a wait, no
 *    departure without an arrival;
 *  - the release of a condition wait, directly before the wait in its thread,
 *    is directly before it in the trace: the two are one step;
 *  - an `end` has its `begin`.
 */
#ifndef HD_TRACE_CHECK_H
#define HD_TRACE_CHECK_H

#include "trace_memory.h"

typedef struct hd_trace_check hd_trace_check;

hd_trace_check *hd_trace_check_create(void);
void hd_trace_check_free(hd_trace_check *check);

/* The next event.  The error names threads and objects, but not the place: the
 * caller knows whether that is a line, an offset or a number. */
bool hd_trace_check_event(hd_trace_check *check, const hd_trace_tables *tables, heddle_event *event,
                          hd_error *error);

/* The next `count` events; on failure *wrong is the index of the bad one. */
bool hd_trace_check_batch(hd_trace_check *check, const hd_trace_tables *tables,
                          heddle_event *events, size_t count, size_t *wrong, hd_error *error);

/* Forgets the thread and the object of an event.  After this for every event that it was given, the
 * check is as new. */
void hd_trace_check_forget(hd_trace_check *check, const heddle_event *event);

/* A whole trace; the error begins with "event N: ". */
bool hd_trace_check_all(hd_trace *trace, hd_error *error);

#endif
