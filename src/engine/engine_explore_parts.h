/*
 * Two ways in which a program ends: the first place where they part, and whether both can happen
 * with the same inputs.
 */
#ifndef HD_ENGINE_EXPLORE_PARTS_H
#define HD_ENGINE_EXPLORE_PARTS_H

#include "engine_explore.h"

/* "line 3 of the output: 'a', or 'b'": output first, then marks, then how it
 * ends.  If one of the two is killed or never ends, the end. */
void hd_engine_outcomes_part(const hd_engine_outcome *a, const hd_engine_outcome *b,
                             hd_vec_char *to);

/* Lines "THREAD VALUE", thread by thread, of two runs: of each thread the values that one got begin
 * with those of the other. */
bool hd_engine_inputs_agree(const char *a, const char *b);

#endif
