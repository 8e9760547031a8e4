/*
 * Races that only memory orders decide: two accesses of an execution that conflict, with atomic
 * operations between them that say less than what happened.  Private to explore.
 */
#ifndef HD_EXPLORE_ORDERS_H
#define HD_EXPLORE_ORDERS_H

#include "explore_path.h"

/* Reports those of the whole path to path->collide, which must be there. */
void hd_explore_report_unordered(hd_explore_path *path);

/* hd_machine_meet, of two operations of the path. */
bool hd_explore_meet(const hd_explore_path *path, const hd_explore_operation *a,
                     const hd_explore_operation *b, uint32_t *location);

#endif
