/*
 * A trace in the JSON format of Chrome's and Perfetto's trace viewers
 * (ui.perfetto.dev, chrome://tracing):
 *
 *   threads   a track each; an event is a slice of one microsecond, and event
 *             number n begins at n microseconds: time is the order of the trace
 *   locks     a track each; a hold is a slice with the thread's name, one for
 *             reading an asynchronous one, as these overlap
 *   arrows    the must-edges between threads; of a barrier round those from the
 *             last arrival
 *   counters  marks with a value
 */
#ifndef HD_REPORT_PERFETTO_H
#define HD_REPORT_PERFETTO_H

#include "trace/trace.h"

/* `name` is the title of the trace; `path` may be "-". */
bool hd_report_perfetto_write(const hd_trace *trace, const char *name, const char *path,
                              hd_error *error);

#endif
