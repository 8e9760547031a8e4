/*
 * The stack of each event: which function it is in, and the calls that led there.
 *
 * The recorder passes the calls as they come, and the events between them:
 *
 *     hd_trace_stacks_enter(stacks, runner, frame);      a function begins
 *     hd_trace_stacks_leave(stacks, runner);             the innermost one ends
 *     hd_trace_stacks_event(stacks, runner, thread, number, function);
 *     hd_trace_stacks_drop(stacks, number);              it is not an event after all
 *     hd_trace_stacks_settle(stacks);                    the numbers so far are right
 *
 * A runner is a thread as the recorder numbers them: in the trace it has a number only when
 * it has had an event.
 *
 * What is kept is, for each thread, the changes from one event of it to the next: some three bytes
 * each, and nothing where an event has the stack of the one before.  Now and then the whole stack
 * is kept too, so that a stack is found without reading all changes before it.
 *
 * A frame is a call: the function that calls, and the place in it.  Frames and functions are
 * numbered from 1 on; 0 means none, or not known.
 */
#ifndef HD_TRACE_STACKS_H
#define HD_TRACE_STACKS_H

#include "trace_event.h"

typedef struct hd_trace_stacks hd_trace_stacks;

hd_trace_stacks *hd_trace_stacks_create(void);
void hd_trace_stacks_free(hd_trace_stacks *stacks);

/* --- functions and frames ------------------------------------------------------------------- */

/* A call: a function's number, and a name's of the class of locations. */
typedef struct hd_trace_frame {
    uint32_t function, location;
} hd_trace_frame;

/* The number of a function's name, which is added if it is new; 0 for "". */
uint32_t hd_trace_stacks_function(hd_trace_stacks *stacks, const char *name, size_t length);
uint32_t hd_trace_stacks_frame(hd_trace_stacks *stacks, hd_trace_frame frame);

/* How many there are, not counting 0, and each of them. */
uint32_t hd_trace_stacks_functions(const hd_trace_stacks *stacks);
uint32_t hd_trace_stacks_frames(const hd_trace_stacks *stacks);
const char *hd_trace_stacks_name(const hd_trace_stacks *stacks, uint32_t function);
hd_trace_frame hd_trace_stacks_at(const hd_trace_stacks *stacks, uint32_t frame);

/* --- recording ------------------------------------------------------------------------------ */

void hd_trace_stacks_enter(hd_trace_stacks *stacks, uint32_t runner, uint32_t frame);

/* Does nothing if no function has begun. */
void hd_trace_stacks_leave(hd_trace_stacks *stacks, uint32_t runner);

void hd_trace_stacks_event(hd_trace_stacks *stacks, uint32_t runner, uint32_t thread,
                           uint32_t number, uint32_t function);
void hd_trace_stacks_drop(hd_trace_stacks *stacks, uint32_t number);
void hd_trace_stacks_settle(hd_trace_stacks *stacks);

/* --- changes -------------------------------------------------------------------------------- */

/* From event `event` of a thread on: `pops` innermost calls less, then `pushes` more, the
 * outermost first; and the event is in `function`. */
typedef struct hd_trace_change {
    uint32_t thread;
    uint32_t event;
    uint32_t pops, pushes;
    uint32_t function;
    const uint32_t *frames; /* pushes of them */
} hd_trace_change;

/* Adds a change; those of a thread are in order.  False if it pops more calls than there are, or
 * precedes the thread's last change. */
bool hd_trace_stacks_change(hd_trace_stacks *stacks, const hd_trace_change *change);

/* Reading the changes of a thread, in order: from zero on. */
typedef struct hd_trace_changes {
    uint32_t thread;
    uint32_t event; /* of the last one */
    size_t place;
    hd_vec_u32 frames;
} hd_trace_changes;

/* False: no more. */
bool hd_trace_changes_next(hd_trace_changes *changes, const hd_trace_stacks *stacks,
                           hd_trace_change *change);

uint32_t hd_trace_stacks_threads(const hd_trace_stacks *stacks);

/* --- asking --------------------------------------------------------------------------------- */

/* The calls of a thread where it does event `number`, outermost first, into *frames, and the
 * function that the event is in. */
void hd_trace_stacks_find(const hd_trace_stacks *stacks, uint32_t thread, uint32_t number,
                          hd_vec_u32 *frames, uint32_t *function);

/* --- a few of them -------------------------------------------------------------------------- */

/* The stack of one event from others, which use the same names of locations.  Those of a thread are
 * copied in order. */
void hd_trace_stacks_copy(hd_trace_stacks *to, const hd_trace_stacks *from, uint32_t thread,
                          uint32_t number);

/* Drops the stacks of the events so far; only what comes next can then be asked for.  Nothing may
 * wait to be settled. */
void hd_trace_stacks_forget(hd_trace_stacks *stacks);

/* Drops the changes of a thread that were read so far.  Its stacks can then no longer be asked for,
 * but its changes can be read on. */
void hd_trace_stacks_discard(hd_trace_stacks *stacks, hd_trace_changes *changes);

/* Bytes in memory. */
uint64_t hd_trace_stacks_size(const hd_trace_stacks *stacks);

#endif
