/*
 * The places of a finding of a model or program: the accesses of a race, the threads of a
 * deadlock, the statement that failed.  They come from the machine, in the state that a
 * schedule leads to.
 */
#ifndef HD_CLI_PLACES_H
#define HD_CLI_PLACES_H

#include "cli_model.h"
#include "report/report.h"

/* What a finding of a machine is about: the schedule shows the claim on it. */
typedef struct hd_cli_shown {
    hd_machine *machine;
    const char *path; /* of the model */
    enum hd_replay_claim claim;
    const hd_witness_steps *schedule;
    const char *rule, *variable, *message; /* as in hd_report_defect */
    const char *location;                  /* of a failure */
} hd_cli_shown;

/* As "fingerprint" and "places" in JSON; or the fingerprint alone. */
void hd_cli_shown_write(const hd_cli_shown *shown, hd_json *json);
uint64_t hd_cli_shown_identity(const hd_cli_shown *shown);

/* The "places" alone. */
void hd_cli_shown_places(const hd_cli_shown *shown, hd_json *json);

#endif
