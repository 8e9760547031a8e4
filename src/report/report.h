/*
 * report: what was found, for people and for other programs.  A report meets the
 * analyses only in `finding`, or in the answers that they print: it knows none of
 * the questions.
 *
 * report_advice.h    what a schedule that ends badly looks like, and what helps
 * report_answer.h    what every --json answer is made of
 * report_identity.h  by what a finding is known again
 * report_page.h      one HTML page with everything in it, to look at
 * report_perfetto.h  a trace for the trace viewers that people have
 * report_place.h     what findings speak of: places in the program, with stack and locks
 * report_scene.h     events of a trace as such places
 * report_sequence.h  a violation witness of SV-COMP
 * report_result.h    what came of a command, as text, JSON, SARIF, JUnit, DOT
 */
#ifndef HD_REPORT_H
#define HD_REPORT_H

#include "report_advice.h"
#include "report_answer.h"
#include "report_page.h"
#include "report_perfetto.h"
#include "report_place.h"
#include "report_result.h"
#include "report_scene.h"
#include "report_sequence.h"

#endif
