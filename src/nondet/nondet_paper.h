/*
 * The answer as published: Sinha, Malik and Gupta, "Efficient Predictive Analysis
 * for Detecting Nondeterminism in Multi-Threaded Programs".  Private to nondet.
 *
 *   paper                          here
 *   G, partial order graph         must-edges (order_must.h) and program order
 *   read-couple (a, b)             reads-from; of a failed try, the last change of its lock
 *   locked scope [u ... v]_l       hold, from its acquire to its release or, where that is
 *                                  missing, to the last event of its thread
 *   G'(w), witness order graph     paper->now: the space's clocks and the edges added
 *   witness order edge             order_pair: the events themselves, and v before x
 *                                  for scopes of one lock
 *   induced edge                   induce
 *   G''_a, lock abstraction graph  not built: first and last reachable places of each
 *                                  thread, with scopes as one place (nondet_choice.c)
 *   S_choice                       paper->choices
 *   G'', choice graph              explore (nondet_choice.c)
 *
 * The couples and what they induce are added once for all witnesses wcr, which
 * have an edge from w to r anyway; for the other two, which lack it, once for
 * each read (the paper's optimization).
 *
 * Where the paper leaves it open:
 *   - cr drops w and what program order, sync edges and read-couples but (w, r)
 *     reach from it; if that is r or c, the witness counts as cyclic;
 *   - crw and cr of the initial value as w, wcr of it as c, and all but wcr of a
 *     final read count as cyclic;
 *   - scopes of one thread that overlap are one meta-vertex, and "paths" for
 *     S_choice are walks;
 *   - scopes for reading do not exclude each other.
 * A witness that these graphs call feasible need not be: a read-couple (a, b) does not
 * keep a third write out from between a and b.  So a finding is pushed only with a schedule
 * of the exact answer.
 *
 * Choice graphs are not listed one by one: pairs are turned one after the other,
 * as in the trace first, and a cycle ends that branch.  Each end is one graph explored.
 */
#ifndef HD_NONDET_PAPER_H
#define HD_NONDET_PAPER_H

#include "nondet_finding.h"

struct hd_nondet_choice {
    uint32_t first, second; /* holds, as in the trace */
};

/* A pair of a choice graph that is being made. */
struct hd_nondet_turn {
    size_t trail; /* of the graph before it */
    bool as_in_trace;
};

typedef struct hd_nondet_paper {
    const hd_order_space *space;
    hd_order_chains couples; /* all couples and what they induce */
    hd_order_chains without; /* the same without that of the read at hand */
    hd_order_space free;     /* the space in which that read is let go */
    hd_bits let_go;
    uint32_t open_read; /* that read; 0: none */

    hd_order_chains *now;                    /* the graph of the witness at hand */
    uint32_t *keep;                          /* [thread]: events in it */
    hd_vec_u64 edges;                        /* its witness order edges, before << 32 | after */
    HD_VEC(struct hd_nondet_choice) pairs;   /* unordered scopes */
    HD_VEC(struct hd_nondet_choice) choices; /* those in S_choice */
    HD_VEC(struct hd_nondet_turn) turned;
    hd_bits chosen;         /* [pair] */
    uint32_t *start, *end;  /* [hold]: places of its meta-vertex */
    uint32_t *first, *last; /* [thread]: of walks from x, and to y */
    uint64_t limit;         /* graphs explored for one witness */
    bool late;              /* the clock was over: what it says of the read at hand is void */
} hd_nondet_paper;

hd_nondet_paper *hd_nondet_paper_create(const hd_order_space *space);
void hd_nondet_paper_free(hd_nondet_paper *paper);

static inline bool hd_nondet_paper_late(hd_nondet_paper *paper) {
    return paper->late = paper->late || hd_clock_over();
}

/* All witnesses of a read, or of the final read of a variable (read 0).  Counts
 * and pushes what is found; whether it is nondeterministic.  Once it is late, that is not known. */
bool hd_nondet_paper_decide(hd_nondet_paper *paper, hd_nondet_reader *reader, uint32_t read,
                            uint32_t variable, hd_nondet_result *result);

/* ---- nondet_choice.c ---- */

/* The last event of a hold in the graph. */
uint32_t hd_nondet_paper_end(const hd_nondet_paper *paper, const hd_order_scope *hold);

/* An edge of the graph at hand; false if it closes a cycle. */
bool hd_nondet_paper_edge(hd_nondet_paper *paper, uint32_t before, uint32_t after);

/* Finds meta-vertices for the events kept. */
void hd_nondet_paper_meta(hd_nondet_paper *paper);

/* Fills paper->choices for the graph at hand, which is closed under induced edges. */
void hd_nondet_paper_choose(hd_nondet_paper *paper);

/* Is there a choice graph without a cycle?  HD_ORDER_UNKNOWN past the limit. */
enum hd_order_answer hd_nondet_paper_explore(hd_nondet_paper *paper, uint64_t *explored);

#endif
