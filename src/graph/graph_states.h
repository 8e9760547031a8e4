/*
 * All states of a machine that tells what state it is in and can go back there (a model), each
 * once, breadth first: a search that ends where threads go on for ever, if there are not too many
 * states.  What it finds has a shortest schedule.
 */
#ifndef HD_GRAPH_STATES_H
#define HD_GRAPH_STATES_H

#include "base/base.h"
#include "machine/machine.h"
#include "trace/trace.h"

enum hd_graph_end {
    HD_GRAPH_FAILURE,
    HD_GRAPH_DEADLOCK,
    HD_GRAPH_LIVELOCK /* a fair cycle in which threads go on in vain (graph_fair.h) */
};

typedef struct hd_graph_seen {
    enum hd_graph_end end;
    const hd_steps *schedule;
    size_t before; /* of a livelock: its steps before the cycle, which are all others */
    bool writes;   /* and whether one of these writes; else the threads only wait */
} hd_graph_seen;

/* Other than 0 stops. */
typedef int hd_graph_visit(void *context, hd_machine *machine, const hd_graph_seen *seen);

typedef struct hd_graph_states_options {
    uint32_t most_states;
    size_t most_bytes;
    hd_graph_visit *visit;
    void *context;
} hd_graph_states_options;

typedef struct hd_graph_states_result {
    uint32_t states;
    uint64_t steps;
    bool all;      /* these are all, */
    bool complete; /* and all cycles were looked for */
    bool stopped;  /* by the visitor */
} hd_graph_states_result;

/* Can it?  Then every round of its loops is a step, while it does. */
bool hd_graph_states_can(const hd_machine *machine);
void hd_graph_states(hd_machine *machine, const hd_graph_states_options *options,
                     hd_graph_states_result *result);

#endif
