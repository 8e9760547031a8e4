/*
 * Which locks are in a cycle at all: the strongly connected components of the lock order
 * (Tarjan, 1972).  What is not in one of them with a lock that is held needs no search for
 * cycles, however many paths there are.  Private to race.
 */
#ifndef HD_RACE_RINGS_H
#define HD_RACE_RINGS_H

#include "base/base.h"

/* An edge: the second is wanted by a holder of the first. */
typedef struct hd_race_edge {
    uint32_t held, wanted;
} hd_race_edge;

typedef HD_VEC(hd_race_edge) hd_race_edges;

/* component[lock] of locks 0 .. count - 1, equal for locks on a common cycle.  Sorts the
 * edges.  Linear but for that; no recursion. */
void hd_race_rings(hd_race_edges *edges, uint32_t count, uint32_t *component);

#endif
