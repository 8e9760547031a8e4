/*
 * --html: the answer of a command as a page, beside what it prints.
 *
 *     hd_cli_page page;
 *     if (!hd_cli_page_begin(&page, arguments, HTML, path, &trace)) return HD_CLI_BAD;
 *     hd_cli_page_finding(&page, &finding); ...           those that are printed
 *     hd_json *json = hd_cli_page_result(&page, &verdict);
 *     if (json) ... the "result" as --json has it
 *     status = hd_cli_page_end(&page, status);
 *
 * Without --html all of it does nothing, so a command needs no conditions.
 */
#ifndef HD_CLI_PAGE_H
#define HD_CLI_PAGE_H

#include "cli.h"
#include "cut/cut.h"
#include "replay/replay.h"
#include "report/report.h"

#define HD_CLI_HTML                                                                                \
    { "html", 0, "FILE", "also write the answer as an HTML page (doc/report.md)" }

/* A trace that a witness named. */
typedef struct hd_cli_page_trace {
    char *path;
    hd_trace trace;
} hd_cli_page_trace;

typedef struct hd_cli_page {
    const hd_cli_arguments *arguments;
    const char *path; /* NULL: no page is wanted */
    const char *input;
    const hd_trace *trace; /* NULL: findings bring their own */
    hd_report_page page;
    bool closing; /* the result is written */
    HD_VEC(hd_cli_page_trace *) traces;
} hd_cli_page;

/* False after saying what is wrong: no viewer, no place to write to, a trace too long
 * to look at.  So before the work, which may be long. */
bool hd_cli_page_begin(hd_cli_page *page, const hd_cli_arguments *arguments, int row,
                       const char *input, const hd_trace *trace);

/* The same with the page's name given. */
bool hd_cli_page_start(hd_cli_page *page, const hd_cli_arguments *arguments, const char *path,
                       const char *input, const hd_trace *trace);

void hd_cli_page_finding(hd_cli_page *page, const hd_finding *finding);

/* What a file is that may be looked at. */
enum hd_cli_page_what {
    HD_CLI_PAGE_TRACE,
    HD_CLI_PAGE_WITNESS, /* a schedule of a trace; `trace` names that, if the file does */
    HD_CLI_PAGE_RUN,     /* a run of a model or program */
    HD_CLI_PAGE_PAGE,
    HD_CLI_PAGE_ANSWER /* what a command printed with --json */
};

typedef struct hd_cli_page_look {
    enum hd_cli_page_what what;
    char *trace; /* where it is; to be freed */
} hd_cli_page_look;

/* By the beginning of the file; what cannot be read is left to who reads all of it. */
hd_cli_page_look hd_cli_page_look_at(const char *path);

/* A finding of a model or program, with the run that the schedule makes, its steps, and of
 * one that is stuck who waits for whom. */
void hd_cli_page_schedule(hd_cli_page *page, hd_machine *machine, const hd_finding *finding,
                          enum hd_replay_claim claim, const hd_steps *schedule);

/* In a finding that was begun: the run of a model or program. */
void hd_cli_page_run(hd_cli_page *page, const hd_replay_witness *witness);

/* In a finding that was begun: the schedule that a file holds, of a trace, which then
 * is in the page once, or of a run.  What cannot be shown is said in the finding. */
void hd_cli_page_witness(hd_cli_page *page, const char *path);

/* Writes and releases the traces that witnesses named. */
void hd_cli_page_end_traces(hd_cli_page *page);

/* Ends the findings and opens the result; NULL if there is no page. */
hd_json *hd_cli_page_result(hd_cli_page *page, const hd_verdict *verdict);

/* The states of a small trace, to be drawn; instead of those that any reordering can
 * reach, which are drawn if nothing is said.  After the result. */
void hd_cli_page_states(hd_cli_page *page, hd_order *order, const hd_cut_request *request);

/* Writes the page, or with HD_CLI_BAD none; gives the status to go on with. */
int hd_cli_page_end(hd_cli_page *page, int status);

#endif
