/*
 * report: what was found, for people and for other programs.  A report meets the
 * analyses only in `finding`: it takes findings and the trace that they are of,
 * and knows none of the questions.
 *
 * report_page.h      one HTML page with everything in it, to look at
 * report_perfetto.h  a trace for the trace viewers that people have
 */
#ifndef HD_REPORT_H
#define HD_REPORT_H

#include "report_page.h"
#include "report_perfetto.h"

#endif
