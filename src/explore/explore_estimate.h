/*
 * About how many executions a search has, from random samples of its tree, taken by a thread beside
 * the search.
 *
 *   P. C. Chen: Heuristic sampling: a method for predicting the performance of tree searching
 *   programs, SIAM Journal on Computing 21(2), 1992
 *
 *   paper                  here
 *   tree                   that of sleep sets: each Mazurkiewicz trace is one leaf that is not
 *                          blocked, so what is counted does not depend on how a search goes
 *                          through its own tree, nor on how many workers do
 *   stratum                nodes of one depth with the same sleep set and as many steps of each
 *                          thread, by a hash, so that there are at most `strata` of a depth
 *   representative,        sample.step .., weight: how many nodes of the stratum there are, by
 *   weight                 estimate
 *
 * A sample goes through the depths.  Each node that stands for a stratum has all its children
 * looked at; of the children that fall into one stratum, one stands for all, drawn by weight.  The
 * sum of the weights at the leaves has the number of leaves as its mean, whatever the strata.  The
 * more alike the nodes of a stratum are, the less it varies; if all are, it is exact.
 *
 * At a node only the threads of a persistent set need children (Godefroid): a set such that what
 * other threads may do later does not depend on its next operations.  What a thread may do is
 * learnt from all steps that were seen, by how many the thread had taken; so early samples may be
 * too small.  And a node is left out if a thread sleeps there that no other can wake any more.
 */
#ifndef HD_EXPLORE_ESTIMATE_H
#define HD_EXPLORE_ESTIMATE_H

#include "explore_search.h"

typedef struct hd_explore_estimate hd_explore_estimate;

/* Can it be made of this machine?  A copy that finds out more about the program than the search
 * knows takes no more samples: they would be of another tree. */
static inline bool hd_explore_estimate_can(const hd_machine *machine) {
    return machine->type->copy != NULL;
}

/* Starts the thread, which works for a small part of the time; NULL if no thread can be started, or
 * no copy of the machine be made. */
hd_explore_estimate *hd_explore_estimate_start(const hd_machine *machine, uint64_t most_steps);

/* The executions, and the standard error of that as a part of it; 0: not known. */
double hd_explore_estimate_get(hd_explore_estimate *estimate, double *error);

/* The search goes on; if it does not say so for a minute, the thread ends by itself. */
void hd_explore_estimate_alive(hd_explore_estimate *estimate);

/* Ends the thread. */
void hd_explore_estimate_free(hd_explore_estimate *estimate);

/* ---- One sample, for tests ---- */

/* Of so many strata, with random numbers from a seed; of a machine in its first state, which it is
 * in again. */
double hd_explore_estimate_sample(hd_machine *machine, uint32_t strata, uint64_t seed,
                                  uint32_t warming);

#endif
