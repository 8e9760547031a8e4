/*
 * A recording as a schedule: the program runs once more along the events of a trace that
 * `heddle record` wrote, and does the same again, or it is said at which event it does not.
 *
 * How many events each thread makes before another one does is all that the program is told
 * (rt_follow.c).  So a free run can be followed, too; where the order of its accesses was guessed,
 * it may have been another.  What the program then did is compared thread by thread, since what
 * is one step may lie apart in a recording.
 */
#ifndef HD_NATIVE_FOLLOW_H
#define HD_NATIVE_FOLLOW_H

#include "launch/launch.h"
#include "recording/recording.h"

typedef struct hd_native_followed {
    const char *path;
    uint64_t to;                 /* events that are followed; the rest is as if it were not there */
    hd_launch_schedule schedule; /* its steps are accesses and other events, whole */
    uint64_t events, switches;   /* of these events */
    uint64_t guessed;            /* of the whole recording, likewise what follows */
    uint64_t all;
    bool incomplete;
    char build[72]; /* "": not known */
} hd_native_followed;

/* `to`: 0 is all.  False if the file is not what was recorded of a program. */
bool hd_native_follow_load(hd_native_followed *followed, const char *path, uint64_t to,
                           hd_error *error);
void hd_native_followed_release(hd_native_followed *followed);

/* Runs the program; `aside`: its output goes to standard error.  If not all of the recording is
 * followed the program is stopped there. */
bool hd_native_follow_run(const hd_native_followed *followed, char **argv, bool aside,
                          hd_launch_run *run, hd_error *error);

hd_launch_options hd_native_follow_options(const hd_native_followed *followed, char **argv);

/* What the program did, or would have had to do, that is not the same. */
typedef struct hd_native_difference {
    uint64_t event;               /* of the recording; 0: none */
    bool guessed;                 /* the order of that one was */
    char recorded[256], now[256]; /* "": the run was over */
} hd_native_difference;

/* Gives the run's events to the sink, if it is not NULL, those that are followed and, of a whole
 * recording, those behind it; and finds the first event of the recording that is another. */
bool hd_native_follow_compare(const hd_native_followed *followed, const hd_launch_run *run,
                              hd_recording_sink *sink, void *to, hd_native_difference *difference,
                              hd_error *error);

#endif
