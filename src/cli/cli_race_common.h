/*
 * What heddle race and heddle deadlock share, of traces and of programs: options and parts that
 * are printed alike.
 */
#ifndef HD_CLI_RACE_COMMON_H
#define HD_CLI_RACE_COMMON_H

#include "cli_page.h"
#include "cli_verdict.h"

/* The options that both commands have, first and in this order. */
enum {
    HD_CLI_RACE_ALL = HD_CLI_OWN,
    HD_CLI_RACE_SUMMARY,
    HD_CLI_RACE_OUTPUT,
    HD_CLI_RACE_HTML,
    HD_CLI_RACE_EFFORT,
    HD_CLI_RACE_SUPPRESSIONS,
    HD_CLI_RACE_BASELINE,
    HD_CLI_RACE_SEEDS, /* from here on of programs */
    HD_CLI_RACE_EXECUTIONS,
    HD_CLI_RACE_MISUSE,
    HD_CLI_RACE_VOLATILE,
    HD_CLI_RACE_INPUTS,
    HD_CLI_RACE_MORE /* the first of a command's own */
};

#define HD_CLI_RACE_OPTIONS(all)                                                                   \
    {"all", 0, NULL, all}, {"summary", 0, NULL, "print only counts, no findings"},                 \
        {"witness", 'o', "FILE", "save the printed schedules, in FILE, FILE.2, ..."}, HD_CLI_HTML, \
        {"effort", 0, "N", "work for one question, in millions of steps; 0: no limit"},            \
        HD_CLI_SUPPRESSIONS,                                                                       \
        {"baseline", 0, "FILE",                                                                    \
         "print only findings that are not in FILE, an earlier --json answer"},                    \
        {"seeds", 0, "N", "programs: start from N runs (until they show nothing new)"},            \
        {"executions", 0, "N", "programs: limit of one search (1000); 0: no limit"},               \
        HD_CLI_MISUSE, HD_CLI_VOLATILE, HD_CLI_INPUTS
#define HD_CLI_RACE_COMMON                                                                         \
    HD_CLI_COMMON_LIMITS(0, "stop after a time: 60, 0.5, 60s, 2m, 1h (programs: 60s)",             \
                         "limit of the whole command")

/* Whether all is for this kind of input: of the options those before `after` from
 * HD_CLI_RACE_SEEDS on are for programs, --all and those from there on for traces. */
bool hd_cli_race_check_input(const hd_cli_arguments *arguments, bool program, int after);

/* --witness and --effort; false after saying what is wrong. */
bool hd_cli_race_read(const hd_cli_arguments *arguments, const char **output, uint64_t *limit);

/* --suppressions and --baseline. */
bool hd_cli_race_read_filter(const hd_cli_arguments *arguments, hd_finding_filter *filter);

/* Of a finding about events: its "fingerprint" and its "places". */
void hd_cli_race_write_places(hd_report_scene *scene, const hd_finding *finding, hd_json *json);

/* Parts that both commands print. */

/* "  first      event 2, a|w(x)|a.c:3, holding l" */
void hd_cli_race_print_event(hd_order_holds *holds, const char *what, uint32_t event);

/* What was passed over, if anything. */
void hd_cli_race_print_filter(const hd_finding_filter *filter);

/* What would keep threads from waiting in a ring. */
void hd_cli_race_print_order_fix(void);

/* What would keep the two accesses apart. */
void hd_cli_race_print_fix(const hd_trace *trace, uint32_t first, uint32_t second);

#endif
