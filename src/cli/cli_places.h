/*
 * The places of a finding of a model or program: the accesses of a race, the threads of a
 * deadlock, the statement that failed.  They come from the machine, in the state that a
 * schedule leads to.
 */
#ifndef HD_CLI_PLACES_H
#define HD_CLI_PLACES_H

#include "cli_model.h"
#include "finding/finding.h"
#include "report/report.h"

/* What a finding speaks of, as "places" in JSON.  The schedule shows it on the machine; the
 * path is that of a model. */
void hd_cli_places_write(hd_machine *machine, const char *path, const hd_finding *finding,
                         enum hd_replay_claim claim, const hd_witness_steps *schedule,
                         hd_json *json);

#endif
