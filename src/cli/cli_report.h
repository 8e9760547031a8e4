/*
 * What heddle check and heddle report share: the options for the forms of a report and
 * for a baseline, and what is done about them.
 */
#ifndef HD_CLI_REPORT_H
#define HD_CLI_REPORT_H

#include "cli.h"
#include "cli_verdict.h"
#include "report/report.h"

/* Rows of a table of options; they are found by their names. */
#define HD_CLI_REPORT_OPTIONS                                                                      \
    {"notes", 0, NULL, "also list the notes: reads that can see another write"},                   \
        {"ci", 0, NULL, "print findings that are not in the baseline; only these set the status"}, \
        {"baseline", 0, "FILE", "file of known findings"},                                         \
        {"update-baseline", 0, NULL, "write the findings to the baseline"},                        \
        {"sarif", 0, "FILE", "write the findings as SARIF 2.1.0, for code scanning"},              \
        {"junit", 0, "FILE", "write the findings as JUnit XML"},                                   \
        {"html", 0, "FILE", "also write the answer as an HTML page (doc/report.md)"},              \
        {"dot", 0, "FILE", "draw the schedules of the findings, for Graphviz"},                    \
        {"color", 0, "WHEN", "always, never, or auto: on a terminal (default)"}, HD_CLI_ACCEPT

/* Before anything is asked: false after saying what is wrong with the options, or with
 * the baseline. */
bool hd_cli_report_read(const hd_cli_arguments *arguments, hd_report_look *look);

/* A merged report: compares it with the baseline, and writes the files that were asked
 * for; false after saying what is wrong. */
bool hd_cli_report_write(const hd_cli_arguments *arguments, hd_report *report);

/* The report as a page, at the path; false after saying what is wrong. */
bool hd_cli_report_page(const hd_cli_arguments *arguments, const char *path,
                        const hd_report *report);

/* On standard output, as text or JSON; the exit status. */
int hd_cli_report_print(const hd_cli_arguments *arguments, const hd_report *report,
                        const hd_report_look *look);

#endif
