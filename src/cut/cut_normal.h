/*
 * The order that locks force: normalization of a loset, and strong feasibility
 * of a state.
 */
#ifndef HD_CUT_NORMAL_H
#define HD_CUT_NORMAL_H

#include "cut_loset.h"

typedef struct hd_cut_normal hd_cut_normal;

/* Room to work in, for many calls. */
hd_cut_normal *hd_cut_normal_create(const hd_cut_loset *loset);
void hd_cut_normal_free(hd_cut_normal *normal);

/* Normalizes the whole loset, with nothing held.  False if that makes a cycle.
 * Then hd_cut_normal_at(e, q) is how many events of q are before e or e itself. */
bool hd_cut_normal_whole(hd_cut_normal *normal);
uint32_t hd_cut_normal_at(const hd_cut_normal *normal, uint32_t place, uint32_t count,
                          uint32_t other);

/* Is a feasible state strongly feasible? */
bool hd_cut_strongly_feasible(hd_cut_normal *normal, const uint32_t *state);

#endif
