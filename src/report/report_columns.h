/*
 * A trace as JSON for the viewer: the names of each class, and the events as
 * columns, compact and fast to write and to parse:
 *
 *   thread kind object location   numbers, [event - 1]
 *   pair                          as in the index of a trace (trace_index.h)
 *   size                          bytes of an access; left out if none is known
 *   value                         null: not known; a string if a JavaScript number
 *                                 cannot hold it; left out if none is known
 *   reentrant                     event numbers
 *
 * and how the run ended, if that is known.
 */
#ifndef HD_REPORT_COLUMNS_H
#define HD_REPORT_COLUMNS_H

#include "base/base.h"
#include "trace/trace.h"

void hd_report_columns_write(const hd_trace *trace, const char *key, hd_json *json);

/* Numbers with commas between, without brackets. */
void hd_report_numbers_write(const uint32_t *numbers, size_t count, hd_file *file);

#endif
