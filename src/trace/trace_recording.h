/*
 * Writing a file with a packed record: sections as they are given (trace_recorded.h describes their
 * contents), then the end.
 */
#ifndef HD_TRACE_RECORDING_H
#define HD_TRACE_RECORDING_H

#include <stddef.h>

#include "base/base.h"
#include "trace_end.h"
#include "trace_recorded.h"

typedef struct hd_trace_recording hd_trace_recording;

/* `stacks`: the record has calls, and the table of codes has functions.  For a free run the table
 * has functions too, and the chunks belong to lanes. */
hd_trace_recording *hd_trace_recording_open(const char *path, bool stacks, bool free_running,
                                            hd_error *error);

/* Names and borders of granules: compressed, and emptied. */
void hd_trace_recording_tables(hd_trace_recording *recording, hd_trace_bytes *payload);
void hd_trace_recording_granules(hd_trace_recording *recording, hd_trace_bytes *payload);

/* Pairs of section P, likewise. */
void hd_trace_recording_pairs(hd_trace_recording *recording, hd_trace_bytes *payload);

/* A chunk, and how many expected records follow it.  It is already dense and is written as it
 * is. */
void hd_trace_recording_chunk(hd_trace_recording *recording, const void *bytes, size_t size,
                              uint64_t run);

/* The same for a lane of a free run. */
void hd_trace_recording_lane(hd_trace_recording *recording, uint32_t lane, const void *bytes,
                             size_t size, uint64_t run);

/* The build of the program, as for hd_trace_writer_build, "" if it is not known; and how the run
 * ended. */
void hd_trace_recording_program(hd_trace_recording *recording, const char *build,
                                const hd_trace_end *end);

bool hd_trace_recording_close(hd_trace_recording *recording, uint64_t lost, bool incomplete,
                              hd_error *error);

void hd_trace_recording_abandon(hd_trace_recording *recording);

#endif
