/*
 * A recording as a schedule: the program runs once more along the events of a trace that `heddle
 * record` wrote, and does the same again, or the first event at which it differs is reported.
 *
 * The runtime is only told how many events each thread makes before the next thread's turn
 * (rt_follow.c).  So a free run can be followed too; where the order of its accesses was guessed,
 * the real one may have been different.  What the program then did is compared thread by thread,
 * since the events of one step may be apart in a recording.
 */
#ifndef HD_NATIVE_FOLLOW_H
#define HD_NATIVE_FOLLOW_H

#include "launch/launch.h"
#include "recording/recording.h"

/* Events in another order than they were recorded in: those of a witness. */
typedef struct hd_native_reordered {
    HD_VEC(heddle_event) events; /* as they are to come again */
    hd_vec_u32 numbers;          /* in the recording */
    const hd_trace_tables *tables;
    const hd_trace_end *end;
} hd_native_reordered;

typedef struct hd_native_followed {
    const char *path;
    const hd_native_reordered *reordered; /* NULL: the events as they were recorded */
    uint64_t to;                          /* events that are followed; the rest is ignored */
    hd_launch_schedule schedule;          /* its steps are accesses and other events, whole */
    uint64_t events, switches;            /* of these events */
    uint64_t guessed;                     /* of the whole recording, as is what follows */
    uint64_t all;
    bool incomplete;
    char build[72];        /* "": not known */
    hd_launch_words words; /* where its inputs come from (launch_options.h) */
} hd_native_followed;

/* `to`: 0 means all.  False if the file is not the recording of a program. */
bool hd_native_follow_load(hd_native_followed *followed, const char *path, uint64_t to,
                           hd_error *error);

/* The same of a reordering, which must stay; `stops`: the program is stopped after its last event.
 */
bool hd_native_follow_reordered(hd_native_followed *followed, const char *path,
                                const hd_native_reordered *reordered, bool stops, uint64_t to,
                                hd_error *error);
void hd_native_followed_release(hd_native_followed *followed);

/* Runs the program; `aside`: its output goes to standard error.  If not all of the recording is
 * followed the program is stopped there. */
bool hd_native_follow_run(const hd_native_followed *followed, char **argv, bool aside,
                          hd_launch_run *run, hd_error *error);

hd_launch_options hd_native_follow_options(const hd_native_followed *followed, char **argv);

/* The first difference between the recording and what the program did. */
typedef struct hd_native_difference {
    uint64_t event;               /* of the recording; 0: no difference */
    bool guessed;                 /* the order of that event was guessed */
    char recorded[256], now[256]; /* "": the run had ended */
} hd_native_difference;

/* Passes the run's events to the sink, if it is not NULL: those that are followed and, if the whole
 * recording is followed, those after it.  Finds the first event that differs from the recording. */
bool hd_native_follow_compare(const hd_native_followed *followed, const hd_launch_run *run,
                              hd_recording_sink *sink, void *to, hd_native_difference *difference,
                              hd_error *error);

#endif
