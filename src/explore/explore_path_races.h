/*
 * What an operation that comes next is after, its clock, and the events that it races with:
 * for explore_path.c.
 */
#ifndef HD_EXPLORE_PATH_RACES_H
#define HD_EXPLORE_PATH_RACES_H

#include "explore_path.h"

/* The clock that an operation of the thread starts from, in the place of the next event's. */
int32_t *hd_explore_own_clock(hd_explore_path *path, uint32_t thread);
void hd_explore_clock_join(int32_t *restrict clock, const int32_t *restrict other, uint32_t stride);

/* Completes the clock of an operation that comes next, and appends its races to path->races;
 * path->direct has the events that it directly depends on. */
void hd_explore_find_races(hd_explore_path *path, const hd_explore_operation *operation,
                           int32_t *clock);

#endif
