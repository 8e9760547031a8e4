/*
 * graph: the states of a small machine and the steps between them, as a graph for Graphviz.  Every
 * interleaving is followed, breadth first, so that a graph that is cut off shows what is near the
 * start.  States with the same hash are considered the same.
 */
#ifndef HD_GRAPH_H
#define HD_GRAPH_H

#include "base/base.h"
#include "graph_fair.h"
#include "graph_states.h"
#include "machine/machine.h"
#include "trace/trace.h"

typedef struct hd_graph_options {
    uint32_t most_states;
    const char *title;
    uint64_t (*hash)(const hd_machine *machine);
    void (*label)(hd_machine *machine, hd_vec_char *to); /* a state in words, lines
                                                            parted by \n; may be NULL */
} hd_graph_options;

typedef struct hd_graph_result {
    uint32_t states; /* drawn; failed ones not counted */
    uint32_t edges;  /* drawn, including those that lead past the limit */
    uint32_t ends;   /* states where every thread has ended */
    uint32_t deadlocks, failures;
    uint32_t cut; /* edges to states that are not drawn: the limit was reached */
    bool late;    /* the clock was over before all of them were */
} hd_graph_result;

/* `path` may be "-".  The machine is left in its first state. */
bool hd_graph_write(hd_machine *machine, const hd_graph_options *options, const char *path,
                    hd_graph_result *result, hd_error *error);

#endif
