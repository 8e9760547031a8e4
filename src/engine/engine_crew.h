/*
 * A team of processes (room team) as the crew of a question (base_turns.h): one leads, hands out
 * pieces and enters what comes back, the others do pieces.  Every process is asked the same
 * question of the same input, so that all come to the same turns.
 *
 *     hd_engine_crew_begin();          nothing, if this process is alone
 *     ... the question, as if it were alone
 *     hd_engine_crew_good(&error)      could all do their part?
 *     hd_engine_crew_end(true);        a member that did its part waits until all is over
 *
 * A member learns nothing from the question; what it answers itself is to be thrown away.
 */
#ifndef HD_ENGINE_CREW_H
#define HD_ENGINE_CREW_H

#include "engine_team.h"

void hd_engine_crew_begin(void);
bool hd_engine_crew_good(hd_error *error);
void hd_engine_crew_end(bool done);

#endif
