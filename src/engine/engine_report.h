/*
 * What was found, as findings of a report.
 */
#ifndef HD_ENGINE_REPORT_H
#define HD_ENGINE_REPORT_H

#include "engine_detect.h"
#include "engine_drive.h"
#include "engine_explore.h"
#include "engine_follow.h"
#include "engine_predict.h"
#include "engine_record.h"
#include "report/report.h"

/* Each adds a finding at the end of the report's.  Of a trace, a witness was saved as the number-th
 * of `output`, if that is not NULL, and `trace` is the name of what it is of. */
void hd_engine_report_predicted(hd_report *report, hd_report_scene *scene, const hd_finding *from,
                                bool deadlock, const char *output, const char *trace,
                                size_t number);
void hd_engine_report_read(hd_report *report, hd_report_scene *scene, const hd_finding *from,
                           const char *output, const char *trace, size_t number);
void hd_engine_report_state(hd_report *report, hd_report_scene *scene,
                            const hd_engine_detection *d); /* that was told last */

/* Of a program or model; its witness is told when its number is known. */
void hd_engine_report_driven(hd_report *report, const hd_engine_drive *drive,
                             const hd_engine_driven *driven, hd_report_lines *lines);
void hd_engine_report_explored(hd_report *report, const hd_engine_exploration *e,
                               const hd_finding *from, const hd_replay_shrunk *shrunk,
                               hd_report_lines *lines);
void hd_engine_report_witness(hd_report *report, hd_report_finding *finding, const char *output,
                              size_t number);

/* A run that failed; what was shown again. */
void hd_engine_report_run(hd_report *report, const hd_engine_run *run);
void hd_engine_report_followed(hd_report *report, const hd_engine_follow *f);
void hd_engine_report_replayed(hd_report *report, hd_engine_replay *r);

/* A finding whose places are there: what the answer itself would call it (hd_report_finding.said).
 */
void hd_engine_report_identify(hd_report_finding *finding, const hd_report_defect *defect,
                               hd_report_lines *lines);

#endif
