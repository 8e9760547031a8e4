/*
 * In how many consistent states is there a race?  Two accesses race whatever the other
 * threads do: so the pairs are found first, and all states are looked at in blocks
 * (cut_clash.h).
 */
#ifndef HD_PREDICATE_RACES_H
#define HD_PREDICATE_RACES_H

#include "predicate_detect.h"

/* `initialisation`: with accesses that initialise a variable.  False if it cannot be done
 * in this way: states do not fit into 16 bytes, a step is two events, or there are too
 * many pairs for the memory. */
bool hd_predicate_count_races(const hd_predicate_instance *instance, bool initialisation,
                              hd_predicate_request *request, hd_predicate_answer *answer);

#endif
