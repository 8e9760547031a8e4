/*
 * heddle detect --online: what a trace that comes from a file or a pipe and one that comes from
 * a running program have in common.
 */
#ifndef HD_CLI_DETECT_ONLINE_H
#define HD_CLI_DETECT_ONLINE_H

#include "cli_detect.h"

/* A state that was found, for JSON, whose answer says first whether it is complete. */
struct hd_cli_sight {
    uint32_t event, before;
    bool proved;
    hd_vec_u32 threads, state, events, schedule;
};

typedef struct hd_cli_online {
    hd_cli_detect *d;
    const hd_trace_tables *tables;
    hd_predicate_online *detector;
    hd_predicate_window window; /* what it still knows */
    uint64_t part;              /* events are taken so many at a time; 0: as they come */
    hd_vec_u32 schedule;
    HD_VEC(struct hd_cli_sight) kept;
    bool json, failed;
    bool full; /* there were more events than have numbers */
} hd_cli_online;

/* False, after saying what is wrong, if the predicate needs a whole trace. */
bool hd_cli_online_begin(hd_cli_online *o, hd_cli_detect *d, const hd_trace_tables *tables,
                         uint64_t window);
void hd_cli_online_end(hd_cli_online *o);

/* Takes events, and looks at what is new; 1: enough was found, 0: go on, -1: wrong. */
int hd_cli_online_take(hd_cli_online *o, const heddle_event *events, size_t count);

/* What is wrong with the verdict that was begun in d->verdict: what the detector forgot, what came
 * after it was full, and, if `stopped`, that somebody or a limit ended it.  Then the verdict is
 * whole.  The status of the command; `why` is what the last hd_cli_online_take said. */
int hd_cli_online_judge(hd_cli_online *o, int why, bool stopped);

/* What is said at the end, as text, and as fields of the result in JSON with the findings;
 * `more` adds to the result, and may be NULL. */
void hd_cli_online_print_end(const hd_cli_online *o);
int hd_cli_online_write(const hd_cli_online *o, int status, void (*more)(void *context, hd_json *),
                        void *context);

#endif
