/*
 * --html: the answer of a command as a page, beside what it prints.
 *
 *     hd_cli_page page;
 *     if (!hd_cli_page_begin(&page, arguments, HTML, path, &trace)) return HD_CLI_BAD;
 *     hd_cli_page_finding(&page, &finding); ...           those that are printed
 *     hd_json *json = hd_cli_page_result(&page, complete);
 *     if (json) ... the "result" as --json has it
 *     status = hd_cli_page_end(&page, status);
 *
 * Without --html all of it does nothing, so a command needs no conditions.
 */
#ifndef HD_CLI_PAGE_H
#define HD_CLI_PAGE_H

#include "cli.h"
#include "cut/cut.h"
#include "report/report.h"

#define HD_CLI_HTML                                                                                \
    { "html", 0, "FILE", "write a page too, to look at in a browser (doc/report.md)" }

typedef struct hd_cli_page {
    const hd_cli_arguments *arguments;
    const char *path; /* NULL: no page is wanted */
    const char *input;
    const hd_trace *trace; /* NULL: findings bring their own */
    hd_report_page page;
    bool closing; /* the result is written */
} hd_cli_page;

/* False after saying what is wrong: no viewer, no place to write to, a trace too long
 * to look at.  So before the work, which may be long. */
bool hd_cli_page_begin(hd_cli_page *page, const hd_cli_arguments *arguments, int row,
                       const char *input, const hd_trace *trace);

/* The same with the page's name given. */
bool hd_cli_page_start(hd_cli_page *page, const hd_cli_arguments *arguments, const char *path,
                       const char *input, const hd_trace *trace);

void hd_cli_page_finding(hd_cli_page *page, const hd_finding *finding);

/* Ends the findings and opens the result; NULL if there is no page. */
hd_json *hd_cli_page_result(hd_cli_page *page, bool complete);

/* The states of a small trace, to be drawn; instead of those that any reordering can
 * reach, which are drawn if nothing is said.  Behind the result. */
void hd_cli_page_states(hd_cli_page *page, hd_order *order, const hd_cut_request *request);

/* Writes the page, or with HD_CLI_BAD none; gives the status to go on with. */
int hd_cli_page_end(hd_cli_page *page, int status);

#endif
