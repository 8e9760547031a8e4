/*
 * Audits: is what a run does after state was restored what it does in a fresh process?  Now and
 * then a run that ended well is done once more by a program that is started anew, and compared
 * step for step, value for value and byte of output for byte.
 *
 * A difference is the restoring's fault only if fresh processes agree with each other: then
 * memory is restored no more, and the search starts over with a process for each run.  Where that
 * was so already, it is said that runs depend on what others leave.
 */
#ifndef HD_NATIVE_AUDIT_H
#define HD_NATIVE_AUDIT_H

#include "native_server.h"

typedef struct hd_native_program hd_native_program;

typedef struct hd_native_audit {
    hd_native_server *fresh; /* a program that was started for this; NULL: none yet */
    uint64_t next;           /* how many runs are to be done before the next one */
    uint64_t audited;        /* runs that were compared */
    uint64_t varied;         /* of these: fresh processes did not agree with each other there */
    char wrong[200];  /* a difference to a run in a forked process, in words; "": none was found */
    char cannot[128]; /* why there are none; "": there are */
} hd_native_audit;

/* A run was done, and its log is the machine's.  Compares it if one is due; false: memory was
 * restored, and it is not what a fresh process does; the search is to start over. */
bool hd_native_audit_run(hd_native_program *m);

void hd_native_audit_release(hd_native_audit *audit);

/* What a copy of the machine found out. */
void hd_native_audit_learn(hd_native_audit *audit, const hd_native_audit *other);

/* The first difference between two logs, in words; false if there is none. */
bool hd_native_audit_differ(const hd_launch_log *a, const hd_launch_log *b, hd_vec_char *to);

#endif
