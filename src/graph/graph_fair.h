/*
 * Cycles of states that a fair schedule can go round for ever.
 *
 * A schedule without end is fair if every thread that can go on again and again takes steps again
 * and again.  So a set of states that a fair schedule comes back to, each again and again, is
 * strongly connected, and each thread that can go on in one of its states has a step within it.
 * Steps that can go several ways are left out: another way may lead out.
 */
#ifndef HD_GRAPH_FAIR_H
#define HD_GRAPH_FAIR_H

#include "base/base.h"
#include "trace/trace.h"

typedef struct hd_graph_edge {
    uint32_t to;
    uint8_t thread;
    bool only;   /* it goes this one way */
    bool writes; /* something that others may see */
} hd_graph_edge;

typedef struct hd_graph_node {
    uint64_t enabled; /* threads that can go on */
    size_t first;     /* of its edges; they reach to those of the next node */
} hd_graph_node;

/* At most 64 threads. */
typedef struct hd_graph {
    HD_VEC(hd_graph_node) nodes; /* and one more, with the end of the edges */
    HD_VEC(hd_graph_edge) edges;
    uint64_t can_end; /* threads that have ended in some state */
} hd_graph;

static inline uint32_t hd_graph_size(const hd_graph *graph) {
    return (uint32_t)graph->nodes.length - 1;
}

void hd_graph_release(hd_graph *graph);

/* A fair cycle that leads from a node back to it; `writes`: a step of its set does.  Other than 0
 * stops. */
typedef int hd_graph_round(void *context, uint32_t node, const hd_steps *cycle, bool writes);

/* A cycle of every largest such set in which something goes on in vain: no step in it writes, or a
 * thread takes steps that ends in other states.  (A thread that never ends is meant to go on.)  In
 * the order of their lowest nodes, which they begin with.  False if there was no time for all. */
bool hd_graph_fair(const hd_graph *graph, hd_graph_round *visit, void *context);

#endif
