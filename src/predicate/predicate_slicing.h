/*
 * The slice of a trace for a predicate (Garg and Mittal, "On Slicing a Distributed Computation",
 * 2001; Chang, 8.1): the smallest sublattice of the consistent states of the poset that has all
 * states in which the predicate is true.
 *
 *     J(e)   the intersection of all solutions that contain event e
 *
 * generates it: its states are the unions of such sets with the intersection of all solutions.
 * Events with the same J are one step of the slice.
 *
 *   conjunctive, linear terms   J(e) is the least solution of the term with e: polynomial
 *   a disjunction of terms      the intersection of what its terms give
 *   anything else               all solutions are gone through
 *
 * The states of the slice are exactly the solutions iff the predicate is regular: with two
 * solutions their union and intersection are solutions.  A conjunction of conditions on single
 * threads is.
 *
 * The result is a loset that is no run (trace_loset.h), whose consistent states are those of the
 * slice: all its states contain the intersection of the solutions (`always`), events of a step come
 * together, and edges order steps.  Events that are in no solution are left out.  An operation that
 * orders threads in a trace is there as the beginning of a block of its name: the edges say its
 * order.  The events of a step, and those that are always there, are put in the order of the trace,
 * so that little lies between the states.
 */
#ifndef HD_PREDICATE_SLICING_H
#define HD_PREDICATE_SLICING_H

#include "predicate_detect.h"

typedef struct hd_predicate_slicing {
    /* The question. */
    size_t memory;
    hd_predicate_control control;

    /* The answer. */
    bool empty;      /* no solution */
    bool complete;   /* false: stopped, and nothing is there */
    bool regular;    /* known to be: the states are exactly the solutions */
    bool enumerated; /* all solutions were gone through */
    uint64_t steps;  /* of the slice */
    char class[64];  /* of the predicate */
    hd_trace trace;  /* the loset, if it is neither empty nor incomplete; to be written only */
    uint32_t *least, *most; /* by place */
} hd_predicate_slicing;

/* Of an instance over the poset.  False, with an error, if memory does not suffice. */
bool hd_predicate_slicing_run(hd_predicate_slicing *slicing, hd_predicate_instance *instance,
                              hd_error *error);
void hd_predicate_slicing_release(hd_predicate_slicing *slicing);

#endif
