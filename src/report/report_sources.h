/*
 * Sources of the program that a trace is of, as far as its locations name them
 * ("file:line", "file:line:column") and they can be read.
 *
 * A trace may come from anybody and name any file, and a report is handed on: only
 * a regular file whose name ends as sources' do, and which is text, is taken.
 */
#ifndef HD_REPORT_SOURCES_H
#define HD_REPORT_SOURCES_H

#include "base/base.h"
#include "trace/trace.h"

/* Adds the files that the locations of a trace name. */
void hd_report_sources_collect(const hd_trace_tables *tables, hd_names *files);

/* An array under "sources": for each file its name as in the locations, and its text
 * or the reason why it is missing. */
void hd_report_sources_write(const hd_names *files, const char *folder, hd_json *json);

#endif
