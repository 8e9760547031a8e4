/*
 * Saves a controlled run without looking at each of its events: the packed record as the runtime
 * wrote it, and tables of names for what the runtime says was used (doc/format.md).
 */
#ifndef HD_RECORDING_SAVE_H
#define HD_RECORDING_SAVE_H

#include "recording_events.h"

/* Can the run be saved this way?  Not if the tables overflowed or were written over by the program,
 * if it has labels, or if it was killed. */
bool hd_recording_packed(const hd_launch_run *run);

bool hd_recording_save_packed(const hd_launch_run *run, const char *path,
                              hd_recording_summary *summary, hd_error *error);

/* The error of a run without events; false. */
bool hd_recording_nothing(const hd_launch_run *run, hd_recording_summary *summary, hd_error *error);

#endif
