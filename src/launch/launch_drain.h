/*
 * Takes the whole chunks of a run away as they come, by a thread of the tool's, and gives their
 * places back to the program.  Memory that two processes share comes page by page, and that takes
 * longer than what a program writes there; so a long record is better kept in the tool's own.
 * If the thread is late, the program takes new places: it never waits.
 */
#ifndef HD_LAUNCH_DRAIN_H
#define HD_LAUNCH_DRAIN_H

#include "launch_wire.h"

/* The program has started.  If there can be no thread, all stays where it is. */
void hd_launch_drain_start(hd_launch_run *run);

/* The program has ended. */
void hd_launch_drain_stop(hd_launch_run *run);

void hd_launch_drain_release(hd_launch_run *run);

/* Of a run that has a drain, which was stopped: a chunk, whether it was taken or is still in the
 * file; false if there are not so many. */
bool hd_launch_drained(const hd_launch_run *run, uint64_t number, hd_launch_piece *piece);

#endif
