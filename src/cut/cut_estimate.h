/*
 * How many states there are, where an exact count is out of reach: an interval that holds the
 * number with a probability that is asked for.
 *
 * The bounds that a prefix leaves (cut_space.h) are put in levels as in a diagram (cut_diagram.h).
 * Where a level would have too many nodes, nodes are joined: the least of their lower bounds, the
 * greatest of their upper ones.  So every state is a path, but not every path is a state (a relaxed
 * decision diagram: Andersen, Hadzic, Hooker, Tiedemann, CP 2007).  The paths are counted exactly.
 * Then paths are drawn, each with the same probability, and looked at: the share of states among
 * them is that of a coin, whose interval is exact (Clopper, Pearson).  Nothing is assumed about the
 * poset, and the interval is right with the stated probability whatever its shape; a bad shape only
 * makes it wide.
 *
 * Where hardly a path is a state, that bounds the number from above only.  Then states are drawn
 * by their own bounds, with known probabilities: one over the probability is the number of states
 * on average (Knuth, Mathematics of Computation 1975), and of 16 such means the least bounds it
 * from below (Markov's inequality), again without any assumption.
 *
 * Drawing ends when the interval is narrow enough, or after the time: the probability of error is
 * shared out among the moments at which it may end, so that ending early does not make the interval
 * wrong.
 *
 * Guarantees: (1) no state is left out of the paths; (2) a path is drawn with probability 1 /
 * paths, up to rounding; (3) the number is in [least, most] with probability `confidence`.
 */
#ifndef HD_CUT_ESTIMATE_H
#define HD_CUT_ESTIMATE_H

#include "cut_states.h"

typedef struct hd_cut_estimate {
    /* The question. */
    double confidence; /* such as 0.95 */
    double precision;  /* it ends when half the interval is this share of its middle, or less */
    double seconds;    /* or after these, */
    uint64_t draws;    /* or after so many paths; 0: as many as come */
    uint64_t seed;
    uint32_t nodes; /* of a level at most; 0: as many as are cheap */

    /* The answer. */
    double least, most;
    double middle; /* the likely value, if the interval is narrow */
    double paths;  /* infinite if a double cannot hold it */
    uint64_t drawn, hits;
    bool exact; /* every path is a state: there are `paths` states */
} hd_cut_estimate;

/* Of the request's model and class; algorithm, visitors and workers do not matter.  False, with an
 * error, if clocks do not fit into the memory. */
bool hd_cut_estimate_states(hd_order *order, const hd_cut_request *request,
                            hd_cut_estimate *estimate, hd_error *error);

/* The interval of Clopper and Pearson for the probability of a coin that fell `hits` times in
 * `drawn`: it is outside with at most the probability `error`. */
void hd_cut_coin_interval(uint64_t hits, uint64_t drawn, double error, double *least, double *most);

#endif
