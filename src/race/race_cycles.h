/*
 * Cycles of the lock order, from some of their nodes on.  Private to race; what it is about is in
 * race_cycles.c.
 */
#ifndef HD_RACE_CYCLES_H
#define HD_RACE_CYCLES_H

#include "race_deadlock_nodes.h"
#include "race_finding.h"
#include "race_foresee.h"
#include "race_holders.h"
#include "race_predict.h"

/* Who waits for whom; it stays as it is while cycles are looked for. */
typedef struct hd_race_cycles_graph {
    hd_race_nodes nodes;
    hd_vec_u32 events;
    hd_race_holders holders;
} hd_race_cycles_graph;

void hd_race_cycles_graph_init(hd_race_cycles_graph *graph, const hd_order_space *space);
void hd_race_cycles_graph_release(hd_race_cycles_graph *graph);

typedef struct hd_race_cycles {
    const hd_order_space *space;
    const hd_race_options *options;
    hd_race_deadlock_result *result;
    hd_race_push *push;
    hd_race_asker asker;
    const hd_race_cycles_graph *graph;
    hd_vec_u32 path; /* of nodes */
    hd_vec_u32 next; /* nodes that may come next, of all lengths of the path */
    uint32_t *stamp; /* [node]: when it was last entered there */
    uint32_t stamps;
    hd_vec_u32 chosen; /* an acquire of each node of the path */
    hd_vec_u32 schedule;
    hd_map proved;         /* fingerprints of places */
    hd_map passed;         /* of places, locks and callers: suppressed, so others still count */
    uint64_t total, spent; /* work: on all, on the cycle at hand */
    uint64_t bare;         /* spent on cycles without places, where every set is a finding */
    uint32_t length;       /* of the cycles that are looked for at present */
    bool longer;           /* there are paths that go on */
    bool enough;           /* one finding is enough for the cycle at hand */
    bool found;
    bool ended;       /* no more steps */
    uint64_t piece;   /* of one that looks ahead: which, + 1, */
    uint64_t hurried; /* and which is waited for; atomic */
} hd_race_cycles;

void hd_race_cycles_init(hd_race_cycles *s, const hd_order_space *space,
                         const hd_race_cycles_graph *graph, const hd_race_options *options,
                         hd_race_deadlock_result *result, hd_race_push *push);
void hd_race_cycles_release(hd_race_cycles *s);

/* Those of the length at hand whose lowest nodes are `from` to `end - 1`. */
void hd_race_cycles_from(hd_race_cycles *s, uint32_t from, uint32_t end);

#endif
