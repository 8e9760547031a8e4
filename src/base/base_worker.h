/*
 * A thread that works for another one.  It takes over the clock of that one (base_clock.h), and
 * what it starts counts as started by that one.  What is fatal in it (base_mem.h) ends its work,
 * not the process, if that one has a guard; then that one passes it on, when all have ended:
 *
 *     hd_worker_for ties = hd_worker_ties();
 *     hd_worker_failure failure = {0};
 *     ... in each thread: hd_worker_run(&ties, work, context, &failure);
 *     ... when all have ended: hd_worker_pass_on(&failure);
 */
#ifndef HD_BASE_WORKER_H
#define HD_BASE_WORKER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base_clock.h"
#include "base_mem.h"

/* Bytes: what workers write often is so far apart, so that no two share a line of their caches. */
enum { HD_WORKER_APART = 128 };

typedef struct hd_worker_for {
    const hd_clock *clock;
    const void *asker;
    bool guarded;
} hd_worker_for;

typedef struct hd_worker_failure {
    atomic_int state; /* 0: none; 1: it is being written; 2: it is there */
    char text[HD_MEM_FATAL];
} hd_worker_failure;

/* Of this thread, for those that it starts. */
hd_worker_for hd_worker_ties(void);

/* For whom this thread works, in the end; the same for all that work for one. */
const void *hd_worker_asker(void);

/* False, with the failure filled in by the first, if something fatal ended it. */
bool hd_worker_run(const hd_worker_for *ties, void (*work)(void *context), void *context,
                   hd_worker_failure *failure);

/* Has one failed? */
static inline bool hd_worker_failed(const hd_worker_failure *failure) {
    return atomic_load(&failure->state) != 0;
}

/* To the guard of this thread, if one has failed. */
void hd_worker_pass_on(hd_worker_failure *failure);

#endif
