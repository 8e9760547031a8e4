/*
 * Takes the whole chunks of a run away as they come, by a thread of the tool's, and gives their
 * places back to the program.  Memory that two processes share comes page by page, and that takes
 * longer than what a program writes there; so a long record is better kept in the tool's own.
 * If the thread is late, the program takes new places: it never waits.
 */
#ifndef HD_NATIVE_DRAIN_H
#define HD_NATIVE_DRAIN_H

#include "native_wire.h"

/* The program has started.  If there can be no thread, all stays where it is. */
void hd_native_drain_start(hd_native_run *run);

/* The program has ended. */
void hd_native_drain_stop(hd_native_run *run);

void hd_native_drain_release(hd_native_run *run);

/* Of a run that has a drain, which was stopped: a chunk, whether it was taken or is still in the
 * file; false if there are not so many. */
bool hd_native_drained(const hd_native_run *run, uint64_t number, hd_native_piece *piece);

#endif
