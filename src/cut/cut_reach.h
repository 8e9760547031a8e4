/*
 * Reachable and strongly feasible states of a loset.
 *
 *   hd_cut_sweep      all of them, exactly, with one bit a vector of counts
 *   hd_cut_sweep_list the same in lexical order
 *   hd_cut_lex_loset  lexical, state by state (Lex1 and Lex2), of any class
 *   hd_cut_simulate   reachable ones by running the events, bfs or dfs
 *   hd_cut_reachable  one state: the decision flow of Chang's Figure 6.12
 */
#ifndef HD_CUT_REACH_H
#define HD_CUT_REACH_H

#include "cut_pairs.h"

/* One state at a time; room for many calls. */
typedef struct hd_cut_reach hd_cut_reach;

hd_cut_reach *hd_cut_reach_create(const hd_cut_loset *loset);
void hd_cut_reach_free(hd_cut_reach *reach);

/* Of a vector of counts, no longer than the threads: is it in the class?  Only
 * `reachable` can need a search, between the greatest lock-free state below and
 * the state. */
bool hd_cut_in_class(hd_cut_reach *reach, enum hd_cut_class class, const uint32_t *state);

/* The same of a state that is known to be feasible. */
bool hd_cut_feasible_in_class(hd_cut_reach *reach, enum hd_cut_class class, const uint32_t *state);
bool hd_cut_viable(hd_cut_reach *reach, const uint32_t *state);
bool hd_cut_reachable(hd_cut_reach *reach, const uint32_t *state);

/* A search ends with the command's clock, and at this moment, if not 0; then the answer is false,
 * and it was left open. */
void hd_cut_reach_until(hd_cut_reach *reach, double moment);
bool hd_cut_reach_left_open(const hd_cut_reach *reach); /* the last one */

/* Bytes that the slabs of a sweep in lexical order take if every vector is reachable. */
double hd_cut_sweep_bytes(const hd_cut_space *space, unsigned workers);

/* All reachable, or strongly feasible, states, in no order; `pairs` are those of the feasible
 * class. `cell_places` as in cut_sweep.h. */
int hd_cut_sweep(const hd_cut_pairs *pairs, enum hd_cut_class class, uint32_t cell_places,
                 size_t memory, unsigned workers, hd_cut_visitor *visitors, double *seconds);

/* The same in lexical order, in runs: each count of the first thread is a job (cut_share.h). */
int hd_cut_sweep_list(const hd_cut_pairs *pairs, enum hd_cut_class class, size_t memory,
                      unsigned workers, hd_cut_visitor *visitors, double *seconds);

/* All states of a class, lexically.  `careful` is Lex1: every feasible state is
 * looked into; without it, Lex2: not one that follows from the last. */
int hd_cut_lex_loset(const hd_cut_loset *loset, enum hd_cut_class class, bool careful,
                     hd_cut_visitor *visitor);

/* Reachable states by running events, by levels or depth first. */
int hd_cut_simulate(const hd_cut_loset *loset, bool depth_first, size_t memory,
                    hd_cut_visitor *visitor);

#endif
