/*
 * A report as one HTML page that needs nothing else: the viewer (web/), and in it
 * the trace, the findings with their schedules, and the sources that they name, as
 * one JSON object (doc/report.md has its keys).
 *
 *     hd_report_page page;
 *     if (!hd_report_page_open(&page, path, &error)) ...
 *     hd_report_page_trace(&page, "trace", &trace);
 *     hd_report_page_findings(&page);
 *     hd_report_page_finding(&page, &trace, &finding); ...
 *     hd_report_page_end_findings(&page);
 *     ... hd_json_...(&page.json, ...) for whatever the command has to add
 *     if (!hd_report_page_close(&page, folder, &error)) ...       or _abandon
 *
 * The page is written as it is said, so it costs no memory, and appears whole or
 * not at all.  A browser takes only so much: findings that come when the page is
 * large already are counted and left out, and both the page and the caller say so.
 */
#ifndef HD_REPORT_PAGE_H
#define HD_REPORT_PAGE_H

#include "finding/finding.h"
#include "report_sources.h"

/* What a browser can still open. */
enum { HD_REPORT_MOST_EVENTS = 1000000, HD_REPORT_MOST_BYTES = 64 << 20 };

typedef struct hd_report_page {
    hd_file *file;
    hd_json json;      /* open for more keys, but between findings and end_findings */
    hd_names files;    /* that locations name */
    uint64_t findings; /* in the page */
    uint64_t left_out; /* not in it: there was no room */
} hd_report_page;

/* Is the viewer in this program?  Else the error says how to get it there. */
bool hd_report_page_there(hd_error *error);

bool hd_report_page_open(hd_report_page *page, const char *path, hd_error *error);

/* Can it be shown at all? */
bool hd_report_page_fits(const hd_trace *trace, hd_error *error);

/* A trace under a key, NULL inside an array.  It must be checked. */
void hd_report_page_trace(hd_report_page *page, const char *key, const hd_trace *trace);

/* A file to look for beside those that the traces name; may be NULL. */
void hd_report_page_source(hd_report_page *page, const char *file);

void hd_report_page_findings(hd_report_page *page);
/* The finding's witness, if it has one, must be checked. */
void hd_report_page_finding(hd_report_page *page, const hd_trace *trace, const hd_finding *finding);
/* Its beginning only, for a command with more to say, which then closes the object.
 * False: there is no room for it, and nothing was written. */
bool hd_report_page_finding_begin(hd_report_page *page, const hd_finding *finding);
/* In a finding that was begun: the claim and the schedule of a checked witness. */
void hd_report_page_schedule(hd_report_page *page, const hd_trace *trace,
                             const hd_witness *witness);
void hd_report_page_end_findings(hd_report_page *page);

/* Puts the sources in and writes the rest.  They are looked for here and in `folder`. */
bool hd_report_page_close(hd_report_page *page, const char *folder, hd_error *error);
void hd_report_page_abandon(hd_report_page *page);

#endif
