/*
 * replay_waits.c: who holds which lock, from the steps of a run.  Private to replay.
 */
#ifndef HD_REPLAY_WAITS_H
#define HD_REPLAY_WAITS_H

#include "replay.h"

/* The operation is about to be done; `holders`: by location, the thread that holds it + 1. */
void hd_replay_follow_locks(hd_map *holders, uint32_t thread,
                            const hd_machine_operation *operation);

/* In the machine's state: do threads wait in a ring, each for a lock that the next one holds? */
bool hd_replay_in_ring(hd_machine *machine, const hd_map *holders);

#endif
