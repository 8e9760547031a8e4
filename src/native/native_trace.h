/*
 * A run as a trace.
 */
#ifndef HD_NATIVE_TRACE_H
#define HD_NATIVE_TRACE_H

#include "native_run.h"

/* Events in order, a batch at a time, with the names so far; false stops. */
typedef bool hd_native_sink(void *to, const hd_trace_tables *tables, const heddle_event *events,
                            size_t count);

typedef struct hd_native_summary {
    bool classify;  /* asked for: */
    uint64_t class; /* equal for runs that are one Mazurkiewicz trace (native_class.h) */
    uint64_t events;
    uint64_t lost;
    bool incomplete;
    uint32_t threads;
    uint64_t wire_bytes;
} hd_native_summary;

/* The events of the run, well-formed.  The names go to *tables, and the stacks to *stacks if
 * that is not NULL; both are empty at first and must stay as long as the sink wants them.
 * *summary is zero but for what is asked for.  False with
 * an error if the record was damaged in a way that leaves no trace. */
bool hd_native_events(const hd_native_run *run, hd_trace_tables *tables, hd_trace_stacks *stacks,
                      hd_native_sink *sink, void *to, hd_native_summary *summary, hd_error *error);

/* Into a file. */
bool hd_native_save(const hd_native_run *run, const char *path, enum hd_trace_format format,
                    hd_native_summary *summary, hd_error *error);

/* Of a run that ended in a deadlock: a line for each thread that waits, what for, where,
 * and who has it. */
void hd_native_waiting(const hd_native_run *run, hd_vec_char *to);

#endif
