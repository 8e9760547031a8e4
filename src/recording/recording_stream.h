/*
 * Reading the records of a run that still goes on, lane by lane (heddle/wire.h), as one stream.
 *
 * A controlled run has one lane, in order.  Of a free run each thread has its own; what
 * synchronises has a number there, and the numbers are without gaps, so the next one is taken
 * when it has come, whoever waits; a thread's plain accesses come as they do, behind its last
 * number and before its next.
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

/* The next record but HEDDLE_WIRE_SWITCH and HEDDLE_WIRE_ORDER; false if none has come. */
bool hd_recording_stream_next(hd_recording_stream *flow, hd_packed_record *record);

/* The run is over: what is there is all, even where numbers are missing. */
void hd_recording_stream_end(hd_recording_stream *flow);

/* The bytes made no sense from some place on; nothing comes any more. */
bool hd_recording_stream_damaged(const hd_recording_stream *flow);

/* Lanes that there are: each has a chunk that is not read to its end. */
uint32_t hd_recording_stream_lanes(const hd_recording_stream *flow);

#endif
