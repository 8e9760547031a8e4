/*
 * A thread of the tool that takes complete chunks of a run out of the shared file as they come, and
 * gives their places back to the program.  Memory that two processes share is allocated page by
 * page, which takes longer than writing to it; so a long record is better kept in the tool's own
 * memory. If the thread is late, the program takes new places: it never waits.
 */
#ifndef HD_LAUNCH_DRAIN_H
#define HD_LAUNCH_DRAIN_H

#include "launch_wire.h"

/* To be called when the program has started.  If no thread can be created, everything stays in the
 * file. */
void hd_launch_drain_start(hd_launch_run *run);

/* To be called when the program has ended. */
void hd_launch_drain_stop(hd_launch_run *run);

void hd_launch_drain_release(hd_launch_run *run);

/* Ends the threads that work for this asker, and forgets what they took: of runs that were given up
 * (hd_launch_launched_kill), whose files are still mapped. */
void hd_launch_drain_abandon(void);

/* A chunk of a run whose drain was stopped, whether it was taken out or is still in the file; false
 * if there are fewer chunks. */
bool hd_launch_drained(const hd_launch_run *run, uint64_t number, hd_launch_piece *piece);

#endif
