/*
 * What heddle race asked of a trace and found, between the engine and the printing of it.
 */
#ifndef HD_CLI_RACE_H
#define HD_CLI_RACE_H

#include "cli_race_common.h"

typedef struct hd_cli_race_answer {
    const hd_cli_arguments *arguments;
    const char *path;
    hd_trace trace;
    hd_race_known known;    /* if it was not loaded as a whole */
    hd_engine_prediction p; /* of the trace */
    const char *output;     /* -o; NULL if not given */
    hd_order_holds *holds;  /* of the trace */
    size_t shown;           /* findings printed so far */
    hd_cli_page page;
} hd_cli_race_answer;

/* The answer as text and as JSON: what it sums up to, and one finding of it. */
void hd_cli_race_print(const hd_cli_race_answer *answer);
void hd_cli_race_print_finding(const hd_cli_race_answer *answer, const hd_finding *finding);
void hd_cli_race_print_unproved(const hd_cli_race_answer *answer);
void hd_cli_race_write_result(const hd_cli_race_answer *answer, hd_json *json);
void hd_cli_race_write_finding(hd_cli_race_answer *answer, const hd_finding *finding,
                               hd_json *json);

#endif
