/*
 * nondet: can a read see another write?
 *
 * Sinha, Malik and Gupta, "Efficient Predictive Analysis for Detecting
 * Nondeterminism in Multi-Threaded Programs".  For every read r with its writer w
 * and every other write c of the variable, c not r, three witnesses are asked
 * for; w and c may be 0, the initial value, which is before everything:
 *
 *   wcr   w before c before r
 *   cr    c before r, and w nowhere
 *   crw   c before r, and w next as r is
 *
 * Every written variable is also read at the end, implicitly: there only wcr can
 * be, in a reordering of the whole trace.
 *
 * Two answers:
 *
 *   exact   a witness is feasible iff there is a reordering (doc/witness.md), all
 *           of whose reads see what they saw, after which r is next, with c and w
 *           as it says.  Decided by the reordering solver; what was not decided
 *           within its limit is counted as unknown.
 *   paper   the two phases as published: the witness order graph, then choice
 *           graphs (nondet_paper.h).  Neither answer contains the other.
 *
 * Guarantees, which the tests cite:
 *   N1  exact: feasible and infeasible are as by definition.
 *   N2  a finding's witness passes the independent checker.
 *   N3  paper: all columns are those of the published graphs.
 */
#ifndef HD_NONDET_H
#define HD_NONDET_H

#include "finding/finding.h"
#include "order/order.h"

/* Any of something: of a filter. */
#define HD_NONDET_ANY UINT32_MAX

typedef struct hd_nondet_options {
    bool paper;      /* as published, instead of exact */
    bool all;        /* a finding for every feasible witness, not for every read */
    bool values;     /* only reads that would see another value count, and are found */
    bool count_only; /* no findings */
    bool reads;      /* exact only: decide reads, not all of their witnesses */
    bool grouped;    /* a schedule only for the first finding of a place and variable; the
                        others have no witness, and the same fingerprint */
    /* Only reads of this variable, by this thread, at this location.  Final reads
     * have no thread and no location. */
    uint32_t variable, thread, location;
    /* Is a read (0: the final one) of the variable not to be asked about?  NULL: all are.  Called
     * once for each read that is wanted. */
    bool (*leaves_out)(void *context, uint32_t read, uint32_t variable);
    void *leaves_out_context;
    uint64_t limit;   /* work of the solver for one question; 0: none */
    size_t max_bytes; /* of clocks */
    double deadline;  /* by hd_progress_clock: no read is begun after it; 0: none */
    uint64_t most;    /* reads, final ones too; 0: all */
    unsigned workers; /* that decide reads, exactly; 0: one.  The answer is the same */
    /* Told how many reads of how many are decided, often; NULL: not told. */
    void (*progress)(void *context, uint64_t reads, uint64_t total);
    void *progress_context;
} hd_nondet_options;

void hd_nondet_options_init(hd_nondet_options *options);

/* Sums over witnesses.  possible = cyclic + no_choice + with_choice + unknown + unasked =
 * feasible + infeasible + unknown + unasked; unasked, with `reads`, are those of reads that
 * another one showed.  In the paper's answer cyclic, no_choice and
 * with_choice are its columns; in the exact one they are refuted without search,
 * shown without search, and decided by a search that branched. */
typedef struct hd_nondet_counts {
    uint64_t possible, cyclic, no_choice, with_choice, feasible, infeasible, unknown, unasked;
} hd_nondet_counts;

typedef struct hd_nondet_variable {
    uint64_t reads, nondeterministic, unknown; /* the final read not counted */
    bool final;                                /* the final read is nondeterministic */
    uint64_t triplets, feasible;
} hd_nondet_variable;

typedef struct hd_nondet_result {
    uint64_t reads; /* all, final ones not counted */
    uint64_t final_reads;
    uint64_t nondeterministic_reads;       /* final ones not counted */
    uint64_t nondeterministic_final_reads; /* variables */
    uint64_t unknown_reads; /* nothing found, but something not decided; final ones too */
    uint64_t unasked_reads; /* beyond a limit; final ones too */
    uint64_t left_out_reads;
    uint64_t triplets;
    hd_nondet_counts witnesses;
    hd_vec_u64 choices; /* [d]: witnesses with d choices, so with 2^d choice graphs; d > 0 */
    uint64_t explored_graphs;
    hd_order_effort effort;
    hd_nondet_variable *variables; /* [variable] */
    uint32_t variable_count;
    bool stopped; /* the sink said so */
} hd_nondet_result;

void hd_nondet_result_release(hd_nondet_result *result);

/* Asks the questions and pushes findings, each with a witness that was checked,
 * into the sink (NULL: none).  A finding's events are read (0 for a final one),
 * writer, challenger and seen write; its count is 1.  False, with an error, if
 * the trace is too large for the limits, or a schedule failed its check. */
bool hd_nondet_run(const hd_trace *trace, const hd_nondet_options *options,
                   hd_nondet_result *result, hd_finding_sink *sink, void *context, hd_error *error);

/* Choice graphs that there are, over all witnesses with choice: in decimal digits, to be
 * freed, and as a number, infinite if it is too large for one. */
char *hd_nondet_possible_graphs(const hd_nondet_result *result);
double hd_nondet_possible_graphs_about(const hd_nondet_result *result);

/* A lock that two events of different threads are both under, not both for reading,
 * HD_NONDET_ANY if none exists: what keeps them apart but does not order them. */
uint32_t hd_nondet_common_lock(const hd_trace *trace, uint32_t a, uint32_t b);

#endif
