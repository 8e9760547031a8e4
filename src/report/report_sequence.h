/*
 * A violation witness in the format 2.0 of the competition (SV-COMP): one entry of the type
 * violation_sequence, in YAML.  Its waypoints are passed one after the other on the way to the
 * violation: values that functions return, and the target at the end.  It has no threads and so
 * no schedule; heddle's own witness has.
 */
#ifndef HD_REPORT_SEQUENCE_H
#define HD_REPORT_SEQUENCE_H

#include "base/base.h"

typedef struct hd_report_waypoint {
    bool target;           /* else a function returns */
    const char *result;    /* this value, as C writes it; of a target NULL */
    const char *function;  /* that it is in; NULL: not known */
    uint32_t line, column; /* column 0: the first one that fits */
} hd_report_waypoint;

typedef struct hd_report_sequence {
    const char *source;        /* the only input file, in which all waypoints are */
    const char *specification; /* "CHECK( init(main()), LTL(G ! call(reach_error())) )" */
    bool narrow;               /* its data model is ILP32 */
    HD_VEC(hd_report_waypoint) waypoints; /* the last one is the target */
} hd_report_sequence;

/* Writes it to a file; false, with an error, if that or the source cannot be read or written. */
bool hd_report_sequence_write(const hd_report_sequence *sequence, const char *path,
                              hd_error *error);

/* The SHA-256 of some bytes, as 64 digits and a 0. */
enum { HD_REPORT_DIGEST = 65 };
void hd_report_digest(const void *bytes, size_t length, char *digits);

#endif
