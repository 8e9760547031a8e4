/*
 * Schedules as text: the events around each switch of threads, two threads in a column
 * each.  What all commands that show a reordering or a run print in the same way.
 */
#ifndef HD_CLI_SCHEDULE_H
#define HD_CLI_SCHEDULE_H

#include "cli.h"

/* An event as a line of the trace; printable, one of a few static buffers. */
const char *hd_cli_event_text(const hd_trace *trace, uint32_t event);

typedef struct hd_cli_schedule {
    const hd_trace *trace;
    const uint32_t *events;
    size_t length;
    const uint32_t *next; /* events that are next after it; two: a column for each thread */
    size_t next_count;
    bool run; /* the trace is a run of a program that ends with them, and was replayed */
    const uint32_t *numbers; /* [event - 1]: what it is called; NULL: as it is */
} hd_cli_schedule;

void hd_cli_schedule_print(const hd_cli_schedule *view);

#endif
