/*
 * A controlled run as a file, without looking at each of its events: the packed record as
 * the runtime left it, and tables of names for what the runtime says was used
 * (doc/format.md).
 */
#ifndef HD_NATIVE_SAVE_H
#define HD_NATIVE_SAVE_H

#include "native_trace.h"

/* Can the run be saved so?  Not if the tables overflowed, if it has labels, or if it was
 * killed. */
bool hd_native_packed(const hd_native_run *run);

bool hd_native_save_packed(const hd_native_run *run, const char *path, hd_native_summary *summary,
                           hd_error *error);

/* The error of a run without events; false. */
bool hd_native_nothing(hd_error *error);

#endif
