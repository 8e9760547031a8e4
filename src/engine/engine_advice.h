/*
 * What the schedule of a finding of `explore` looks like (report_advice.h).
 */
#ifndef HD_ENGINE_ADVICE_H
#define HD_ENGINE_ADVICE_H

#include "engine_explore.h"

/* The text, and the steps of the schedule (from 1 on) that it speaks of; empty if no known pattern
 * fits. */
void hd_engine_explore_advise(const hd_engine_exploration *e, const hd_finding *finding,
                              const hd_replay_shrunk *shrunk, hd_vec_char *text, hd_vec_u32 *steps);

#endif
