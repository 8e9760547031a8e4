/*
 * What heddle detect found, between the detection and the printing of it.
 */
#ifndef HD_CLI_DETECT_H
#define HD_CLI_DETECT_H

#include "cli_page.h"
#include "cli_verdict.h"

typedef struct hd_cli_detect {
    const hd_cli_arguments *arguments;
    bool explain, definitely, all, count, online;
    hd_trace trace;
    hd_engine_detection e;
    hd_engine_online o; /* of --online */
    hd_json *json;      /* NULL: text */
    bool counting;      /* states are looked for, and told later */
    hd_cli_page page;
} hd_cli_detect;

/* The first lines of the answer, one state of it, and the same as JSON. */
void hd_cli_detect_print(const hd_cli_detect *d);
void hd_cli_detect_print_state(const hd_cli_detect *d, const uint32_t *state);
void hd_cli_detect_print_avoiding(const hd_cli_detect *d);
void hd_cli_detect_write_result(const hd_cli_detect *d);
void hd_cli_detect_write_state(const hd_cli_detect *d, const uint32_t *state);

/* "T1=3 T2=0", for a line of its own. */
void hd_cli_detect_print_counts(const hd_cli_detect *d, const uint32_t *state);

/* --online: of a trace as it comes, or of a program. */
int hd_cli_detect_online(hd_cli_detect *d);

/* With operators about runs (predicate_temporal.h). */
bool hd_cli_detect_is_temporal(const hd_cli_detect *d);
int hd_cli_detect_temporal(hd_cli_detect *d);

/* What is wrong with a predicate: a line, and below it the place in the text. */
int hd_cli_detect_fail(const char *text, const hd_predicate_error *error);

#endif
