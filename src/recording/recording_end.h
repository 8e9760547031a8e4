/*
 * How a run ended, as a trace says it.
 */
#ifndef HD_RECORDING_END_H
#define HD_RECORDING_END_H

#include "recording_memory.h"

/* How it ended, in words, with where and whose memory it was if the runtime found something wrong.
 */
void hd_recording_describe(const hd_launch_run *run, hd_vec_char *to);

/* The length of "FILE:LINE" at the start of a message, as failed assertions have it; 0: it does not
 * start so. */
size_t hd_recording_place_length(const char *message);

/* "FILE:LINE" of what failed; nothing if it is not known. */
void hd_recording_failed_place(const hd_launch_run *run, hd_vec_char *to);

/* What questions about the run must not rely on, added to *end: the sentence about OpenMP is that
 * of questions about programs, too. */
#define HD_RECORDING_OPENMP                                                                        \
    "OpenMP's threads cannot be followed: every parallel region ran with one"
#define HD_RECORDING_UNENDED "unended" /* threads that the exit cut off */
void hd_recording_doubts(const hd_launch_run *run, hd_trace_end *end);

/* How it ended, and nothing else: `how` and `number`. */
void hd_recording_how(const hd_launch_run *run, hd_trace_end *end);

/* The name that an object has in the events; NULL if it is in none. */
typedef const char *hd_recording_name(void *context, enum heddle_class class, uint64_t address);

/* Fills *end, which is empty, with the notes and doubts, too.  Without `name` the events are
 * packed: an object whose name others have too is then called with its address, as the reader does
 * for all but the first of them. */
void hd_recording_end(const hd_launch_run *run, hd_symbols *symbols, hd_recording_memory *memory,
                      hd_recording_name *name, void *context, hd_trace_end *end);

#endif
