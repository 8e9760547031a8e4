/*
 * Audits: does a run from restored state do what it does in a fresh process?  Now and then a run
 * that succeeded is repeated by a freshly started program and compared: steps, values and bytes of
 * output.
 *
 * Restoring is to blame for a difference only if fresh processes agree with each other: then memory
 * is no longer restored, and the search starts over with a process for each run.  If that was
 * already so, the verdict says that runs depend on what others leave.
 */
#ifndef HD_NATIVE_AUDIT_H
#define HD_NATIVE_AUDIT_H

#include "native_server.h"

typedef struct hd_native_program hd_native_program;

typedef struct hd_native_audit {
    hd_native_server *fresh; /* the program that is started for audits; NULL: not yet */
    pid_t starter;           /* the thread that has started it: it ends with that one */
    uint64_t next;           /* the number of runs at which the next audit is due */
    uint64_t audited;        /* runs that were compared */
    uint64_t varied;         /* of these: fresh processes did not agree with each other */
    char wrong[200];  /* a difference to a run in a forked process, as text; "": none was found */
    char cannot[128]; /* why there are no audits; "": there are */
} hd_native_audit;

/* To be called after a run, whose log is the machine's.  Audits it if one is due.  False: memory
 * was restored, and the run is not what a fresh process does; the search must start over. */
bool hd_native_audit_run(hd_native_program *m);

void hd_native_audit_release(hd_native_audit *audit);

/* Takes over what a copy of the machine found out. */
void hd_native_audit_learn(hd_native_audit *audit, const hd_native_audit *other);

/* The first difference between two logs, as text; false if they are the same. */
bool hd_native_audit_differ(const hd_launch_log *a, const hd_launch_log *b, hd_vec_char *to);

#endif
