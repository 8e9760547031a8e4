/*
 * A whole trace in memory: 24 bytes per event, and the tables of names.
 */
#ifndef HD_TRACE_MEMORY_H
#define HD_TRACE_MEMORY_H

#include "trace_end.h"
#include "trace_stacks.h"

typedef struct hd_trace_loset hd_trace_loset;

typedef struct hd_trace {
    HD_VEC(heddle_event) events; /* events.data[n - 1] is event number n */
    hd_trace_tables tables;
    hd_trace_stacks *stacks; /* NULL: it has none */
    uint64_t lost;           /* events that the recorder could not keep */
    bool sparse;             /* hd_trace_sparse */
    hd_vec_u32 kept;         /* if it is sparse: the events that are there, ascending */
    uint64_t exempt;         /* and how many exempt accesses there are beside them */
    bool late;               /* the clock ended the reading of it: HD_TRACE_TIMED */
    bool incomplete;         /* some were lost, or the file was cut off and recovered */
    uint64_t guessed,
        unexplained;  /* accesses whose order was guessed; how many of these no order explains */
    hd_trace_end end; /* how the run ended */
    hd_trace_loset *loset; /* not NULL: it is no run (trace_loset.h) */
} hd_trace;

void hd_trace_init(hd_trace *trace);
void hd_trace_release(hd_trace *trace);

/* The whole file (text or binary, "-" for standard input), checked.  With HD_TRACE_LOSETS, a file
 * whose name ends in .loset is read as one (trace_loset.h). */
bool hd_trace_load(hd_trace *trace, const char *path, unsigned flags, hd_error *error);

static inline uint32_t hd_trace_length(const hd_trace *trace) {
    return (uint32_t)trace->events.length;
}

static inline const heddle_event *hd_trace_event(const hd_trace *trace, uint32_t number) {
    assert(number >= 1 && number <= trace->events.length);
    return &trace->events.data[number - 1];
}

/* Room for so many events, which are empty, and take memory only where they are written to; those
 * are to be listed in `kept`.  False if the system does not give that.  Only what says that it
 * takes a sparse trace does. */
bool hd_trace_sparse(hd_trace *trace, uint32_t length);

/* A call on the way to an event; "" is not known. */
typedef struct hd_trace_call {
    const char *function;
    const char *location; /* "file:line" in it: of the event, then of the calls */
} hd_trace_call;

typedef HD_VEC(hd_trace_call) hd_trace_stack_calls;

/* The stack of an event, the innermost call first, into *to.  Callers of main, or of the first
 * function of a thread, are left out.  Empty if the trace has no stacks. */
void hd_trace_stack(const hd_trace *trace, uint32_t number, hd_trace_stack_calls *to);

/* Building a trace by hand: names and events.  hd_trace_append takes the event
 * as it is; hd_trace_check_all (trace_check.h) says whether the result is a
 * run and sets the flags that depend on what came before. */
uint32_t hd_trace_name(hd_trace *trace, enum heddle_class class, const char *format, ...)
    HD_PRINTF(3, 4);
void hd_trace_append(hd_trace *trace, heddle_event event);

#endif
