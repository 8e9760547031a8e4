/*
 * A temporal predicate by going through all states that can be reached: private to
 * predicate_temporal_check.c.
 */
#ifndef HD_PREDICATE_TEMPORAL_GRAPH_H
#define HD_PREDICATE_TEMPORAL_GRAPH_H

#include "predicate_temporal.h"

/* `instances`: one for each atom.  `node` is the part that is asked.  The answer goes into the
 * check: the truth at the start, a path if the node is an operator, the states if all are asked. */
void hd_predicate_temporal_graph(const hd_predicate_temporal *formula,
                                 const hd_predicate_instance *instances, uint32_t node,
                                 hd_predicate_temporal_check *check);

#endif
