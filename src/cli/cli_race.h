/*
 * What heddle race and heddle deadlock found, between the analysis and the
 * printing of it.
 */
#ifndef HD_CLI_RACE_H
#define HD_CLI_RACE_H

#include "cli_page.h"
#include "race/race.h"

typedef HD_VEC(hd_finding) hd_cli_race_findings;

typedef struct hd_cli_race_answer {
    const hd_cli_arguments *arguments;
    const char *path;
    hd_trace trace;
    hd_race_options options;
    hd_race_result result;
    hd_cli_race_findings found, unproved;
    hd_finding_filter filter;
    const char *output; /* -o; NULL if not given */
    size_t shown;       /* findings printed so far */
    uint64_t dropped;   /* by the filter */
    hd_cli_page page;
} hd_cli_race_answer;

extern const char *const hd_cli_race_methods[HD_RACE_METHODS];

/* The file of the i-th finding's witness: FILE, FILE.2, ...; to be freed. */
char *hd_cli_race_file(const char *output, size_t i);

/* The answer as text and as JSON: what it sums up to, and one finding of it. */
void hd_cli_race_print(const hd_cli_race_answer *answer);
void hd_cli_race_print_finding(const hd_cli_race_answer *answer, const hd_finding *finding);
void hd_cli_race_print_unproved(const hd_cli_race_answer *answer);
void hd_cli_race_write_result(const hd_cli_race_answer *answer, hd_json *json);
void hd_cli_race_write_finding(const hd_cli_race_answer *answer, const hd_finding *finding,
                               hd_json *json);

/* Parts that both commands print. */

/* "  first      event 2, a|w(x)|a.c:3, holding l" */
void hd_cli_race_print_event(const hd_trace *trace, const char *what, uint32_t event);

/* What was passed over, if anything. */
void hd_cli_race_print_filter(const hd_finding_filter *filter);

/* What would keep the two accesses apart. */
void hd_cli_race_print_fix(const hd_trace *trace, uint32_t first, uint32_t second);

void hd_cli_race_write_numbers(hd_json *json, const char *key, const hd_vec_u32 *numbers);

/* Saves the finding's witness as the i-th. */
bool hd_cli_race_save(const char *output, const char *path, const hd_trace *trace,
                      hd_finding *finding, size_t i, hd_error *error);

#endif
