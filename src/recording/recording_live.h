/*
 * Reads a run while the program is still running.
 *
 *     hd_recording_live *live = hd_recording_live_start(&options, wanted, &tables, &sinks,
 *                                                &error);
 *     while (hd_recording_live_take(live))
 *         ...                                    events go to the sinks
 *     hd_recording_live_run(live)                   how it ended
 *     hd_recording_live_free(live);
 *
 * The runtime writes into the shared file as in a recorded run; what was read is freed chunk by
 * chunk, and the program, if it is too far ahead, waits for the reader (rt_live.c).  So both need
 * only a few MiB, however long the run is.
 */
#ifndef HD_RECORDING_LIVE_H
#define HD_RECORDING_LIVE_H

#include "recording_events.h"

typedef struct hd_recording_live hd_recording_live;

/* Names go to *tables, which is empty at first and must stay valid. */
hd_recording_live *hd_recording_live_start(const hd_launch_options *options,
                                           enum hd_recording_wanted wanted, hd_trace_tables *tables,
                                           const hd_recording_sinks *sinks, hd_error *error);

/* Passes some of what has come to the sinks, or waits a moment if nothing has.  False when the
 * program has ended and everything was passed on, or a sink has stopped. */
bool hd_recording_live_take(hd_recording_live *live);

/* Sends the program a signal, if it still runs. */
void hd_recording_live_signal(hd_recording_live *live, int number);
bool hd_recording_live_runs(hd_recording_live *live);

uint64_t hd_recording_live_lost(const hd_recording_live *live); /* events that were not passed on */
const hd_launch_run *hd_recording_live_run(const hd_recording_live *live);

/* Kills the program if it still runs.  Of one that was made to end, the processes that it started
 * are killed too. */
void hd_recording_live_free(hd_recording_live *live);

#endif
