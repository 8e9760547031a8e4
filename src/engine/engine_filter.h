/*
 * Findings of programs against suppressions (finding_filter.h): the places that a rule can name.
 */
#ifndef HD_ENGINE_FILTER_H
#define HD_ENGINE_FILTER_H

#include "finding/finding.h"
#include "native/native.h"
#include "replay/replay.h"

/* Their texts are their own. */
typedef HD_VEC(hd_finding_part) hd_engine_parts;

void hd_engine_parts_release(hd_engine_parts *parts);

/* A place in the program, and the variable that is accessed there, or NULL. */
void hd_engine_parts_add(hd_engine_parts *parts, hd_machine *machine, const char *path,
                         uint32_t position, const char *variable);

/* Where threads wait after the schedule, and for which locks; `locks`: only those. */
void hd_engine_parts_of_waits(hd_engine_parts *parts, hd_machine *machine, const char *path,
                              const hd_steps *schedule, bool locks);

#endif
