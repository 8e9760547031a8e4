/*
 * The parts of the search by several strategies (engine_explore_portfolio.c): what is left of the
 * limits, the strategies, and the search through all schedules in slices.
 */
#ifndef HD_ENGINE_EXPLORE_PORTFOLIO_H
#define HD_ENGINE_EXPLORE_PORTFOLIO_H

#include "engine_explore.h"

enum {
    HD_ENGINE_USUAL_DEPTH = 1 << 11
}; /* steps of a thread, before it counts as one that does not end */

/* Is there something left of the limits?  Of executions, `most` is what is. */
bool hd_engine_portfolio_has_left(hd_engine_exploration *e, double *seconds, uint64_t *most);

/* Before the first of the seeds of random runs, of which each slice has one of its own. */
uint64_t hd_engine_portfolio_seed(const hd_engine_exploration *e);

/* What ended the search when it was not its turn. */
enum hd_explore_limit hd_engine_portfolio_limit(const hd_engine_exploration *e);

/* ---- engine_explore_strategies.c ---- */

bool hd_engine_portfolio_begin(hd_engine_exploration *e, hd_error *error);

/* A slice of each; false if there is no other to come. */
bool hd_engine_portfolio_slices(hd_engine_exploration *e);

/* What they found out is for the search too. */
void hd_engine_portfolio_end(hd_engine_exploration *e);

/* ---- engine_explore_unfold.c ---- */

void hd_engine_portfolio_begin_unfold(hd_engine_exploration *e);

/* False if it has the answer, or there is no time. */
bool hd_engine_portfolio_unfold(hd_engine_exploration *e);
void hd_engine_portfolio_drop_unfold(hd_engine_exploration *e);

/* ---- engine_explore_graph.c ---- */

void hd_engine_portfolio_begin_graph(hd_engine_exploration *e);

/* A slice of it; false if what it found is enough, or there is no time. */
bool hd_engine_portfolio_graph(hd_engine_exploration *e);
void hd_engine_portfolio_drop_graph(hd_engine_exploration *e);

/* ---- engine_explore_slices.c ---- */

bool hd_engine_portfolio_begin_search(hd_engine_exploration *e, hd_error *error);

/* The search from its beginning, in another way. */
bool hd_engine_portfolio_begin_again(hd_engine_exploration *e, hd_error *error);

/* A slice of it; false if it is over. */
bool hd_engine_portfolio_search(hd_engine_exploration *e, uint64_t slice);

/* Some runs of a model are very long: then its states are looked at first.  True if all is known
 * by then. */
bool hd_engine_portfolio_states_first(hd_engine_exploration *e);

#endif
