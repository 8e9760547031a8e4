/*
 * By what a finding is known again in another run, of another build: its rule, its variable,
 * and the text of the lines that it speaks of.  So it stays the same when lines above it are
 * added, and whichever command finds it; it is another when its own lines change.  This is the
 * "fingerprint" of every answer, and what a baseline lists.
 */
#ifndef HD_REPORT_IDENTITY_H
#define HD_REPORT_IDENTITY_H

#include "report_place.h"

/* Lines of sources that were looked up; {0} knows none. */
typedef struct hd_report_lines {
    hd_names places;      /* "file:line" */
    HD_VEC(char *) names; /* [place]: what stands for it */
} hd_report_lines;

void hd_report_lines_release(hd_report_lines *lines);

/* All but the rule and the places may be NULL; the message counts if there is nothing else. */
typedef struct hd_report_defect {
    const char *rule, *variable, *message;
    const hd_report_places *places;
    bool unordered; /* of a race: only memory orders decide it; no part of its identity */
} hd_report_defect;

uint64_t hd_report_identity(const hd_report_defect *defect, hd_report_lines *lines);

/* As "fingerprint", "places", and "unordered" if it is. */
void hd_report_defect_write(const hd_report_defect *defect, hd_report_lines *lines, hd_json *json);

#endif
