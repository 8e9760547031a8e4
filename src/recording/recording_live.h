/*
 * A run that is read while it goes on, for as long as the program runs.
 *
 *     hd_recording_live *live = hd_recording_live_start(&options, wanted, &tables, &sinks,
 *                                                &error);
 *     while (hd_recording_live_take(live))
 *         ...                                    what came went to the sinks
 *     hd_recording_live_run(live)                   how it ended
 *     hd_recording_live_free(live);
 *
 * The runtime writes into the shared file as in a run that is recorded; what was read is given
 * back to the system chunk by chunk, and the program, if it is too far ahead, waits for the
 * reader (rt_live.c).  So both need a few MiB, however long it takes.
 */
#ifndef HD_RECORDING_LIVE_H
#define HD_RECORDING_LIVE_H

#include "recording_events.h"

typedef struct hd_recording_live hd_recording_live;

typedef struct hd_recording_live_sinks {
    hd_recording_sink *events;
    hd_recording_cut_sink *cut;
    void *to;
} hd_recording_live_sinks;

/* Names go to *tables, which is empty at first and must stay. */
hd_recording_live *hd_recording_live_start(const hd_launch_options *options,
                                           enum hd_recording_wanted wanted, hd_trace_tables *tables,
                                           const hd_recording_live_sinks *sinks, hd_error *error);

/* Gives some of what has come to the sinks, or waits a moment if nothing has.  False when the
 * program has ended and all of it was given, or a sink has stopped. */
bool hd_recording_live_take(hd_recording_live *live);

/* Sends the program a signal, if it still runs. */
void hd_recording_live_signal(hd_recording_live *live, int number);
bool hd_recording_live_runs(hd_recording_live *live);

uint64_t hd_recording_live_lost(const hd_recording_live *live); /* events that were not given */
const hd_launch_run *hd_recording_live_run(const hd_recording_live *live);

/* Ends the program, if it still runs, by force. */
void hd_recording_live_free(hd_recording_live *live);

#endif
