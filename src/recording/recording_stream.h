/*
 * Reads the records of a run that has not ended yet, from its lanes (heddle/wire.h), as one stream.
 *
 * A controlled run has one lane, in order.  In a free run each thread has its own lane.
 * Synchronisation has a place there, and places are numbered without gaps, so the next one is taken
 * when it has come, whichever lanes wait.  A thread's plain accesses come after its last place and
 * before its next.
 *
 * A program can write anywhere, so nothing in the file is trusted.
 */
#ifndef HD_RECORDING_STREAM_H
#define HD_RECORDING_STREAM_H

#include "launch/launch.h"

typedef struct hd_recording_stream hd_recording_stream;

/* `done` is called with the number of each chunk that was read to its end. */
hd_recording_stream *hd_recording_stream_create(const hd_launch_run *run,
                                                void (*done)(void *context, uint64_t chunk),
                                                void *context);
void hd_recording_stream_free(hd_recording_stream *flow);

/* The next record other than HEDDLE_WIRE_SWITCH and HEDDLE_WIRE_ORDER; false if none has come. */
bool hd_recording_stream_next(hd_recording_stream *flow, hd_packed_record *record);

/* The run has ended: what is there is all, even where places are missing. */
void hd_recording_stream_end(hd_recording_stream *flow);

/* The bytes are damaged from some place on; no more records come. */
bool hd_recording_stream_damaged(const hd_recording_stream *flow);

/* The number of lanes; each has a chunk that is not read to its end. */
uint32_t hd_recording_stream_lanes(const hd_recording_stream *flow);

#endif
