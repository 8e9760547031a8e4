/*
 * What heddle nondet found, between the analysis and the printing of it.
 */
#ifndef HD_CLI_NONDET_H
#define HD_CLI_NONDET_H

#include "cli_page.h"
#include "cli_verdict.h"

typedef struct hd_cli_nondet_answer {
    const hd_cli_arguments *arguments;
    const char *path;
    hd_trace trace;
    hd_engine_reads r;        /* of the trace */
    hd_finding_list findings; /* of the text form: one for each place and variable */
    const char *output;       /* -o; NULL if not given */
    hd_cli_page page;
    hd_report_scene scene; /* of the trace */
} hd_cli_nondet_answer;

/* The answer as text: what it sums up to, and the i-th finding of it. */
void hd_cli_nondet_print(const hd_cli_nondet_answer *answer);
void hd_cli_nondet_print_finding(const hd_cli_nondet_answer *answer, const hd_finding *finding,
                                 size_t i);

/* The "result" of the JSON form, and one finding of it. */
void hd_cli_nondet_write_result(const hd_cli_nondet_answer *answer, hd_json *json);
void hd_cli_nondet_write_finding(hd_cli_nondet_answer *answer, const hd_finding *finding, size_t i,
                                 hd_json *json);

/* The rules of --suppressions. */
bool hd_cli_nondet_suppressions(const hd_cli_arguments *arguments, int row,
                                hd_finding_filter *filter);

/* cli_nondet_program.c: of a program, do all schedules end in the same way?  Given the rows of its
 * options. */
typedef struct hd_cli_nondet_rows {
    int all, output, html, executions, depth, threads, inputs, suppressions, checkpoint;
} hd_cli_nondet_rows;

int hd_cli_nondet_program(const hd_cli_arguments *arguments, const hd_cli_nondet_rows *rows);

#endif
