/*
 * Answers as parts of a report: what heddle check puts together.
 */
#ifndef HD_ENGINE_REPORT_H
#define HD_ENGINE_REPORT_H

#include "engine_detect.h"
#include "engine_drive.h"
#include "engine_explore.h"
#include "engine_predict.h"
#include "engine_record.h"
#include "report/report.h"

/* Each adds an answer that took so long.  Witnesses were saved to the answer's output; `validate`,
 * if set, is the trace that they are of. */
void hd_engine_report_prediction(hd_report *report, hd_engine_prediction *p, const char *output,
                                 const char *trace, double seconds);
bool hd_engine_report_drive(hd_report *report, const hd_engine_drive *drive, double seconds,
                            hd_error *error);
void hd_engine_report_exploration(hd_report *report, const hd_engine_exploration *e,
                                  double seconds);

/* One finding of nondet, as it comes, and when all have come the answer. */
void hd_engine_report_read(hd_report *report, hd_report_scene *scene, const hd_finding *from);
void hd_engine_report_reads(hd_report *report, const hd_engine_reads *r, uint64_t found,
                            double seconds);

/* The state that was found; the finding, until the next one is made. */
hd_report_finding *hd_engine_report_state(hd_report *report, hd_report_scene *scene,
                                          const hd_engine_detection *d, const char *predicate);

/* A finding whose places are there: what the answer itself would call it (hd_report_finding.said).
 */
void hd_engine_report_identify(hd_report_finding *finding, const hd_report_defect *defect,
                               hd_report_lines *lines);

#endif
