/*
 * Which events of a run are certain, by the code of the program.
 */
#ifndef HD_RECORDING_CERTAIN_H
#define HD_RECORDING_CERTAIN_H

#include "launch/launch.h"
#include "packed/packed.h"
#include "symbols/symbols.h"

/* *to is empty.  Nothing is certain if it was not recorded where functions begin and end, or if
 * events were lost: one of them may have come between two that look as if one followed the other.
 */
void hd_recording_certain(const hd_launch_run *run, hd_symbols *symbols, hd_packed_certain *to);

/* A sorted copy without duplicates. */
hd_vec_u64 hd_recording_sorted(const uint64_t *words, uint64_t count);

#endif
