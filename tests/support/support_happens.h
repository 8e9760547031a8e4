/*
 * Happens-before with memory orders, by the definition of C++20.  The relation is a matrix over the
 * events: sequenced-before and synchronises-with, closed under transitivity.  Of synchronisation:
 * threads, locks, semaphores, atomics and fences.
 */
#ifndef SUPPORT_HAPPENS_H
#define SUPPORT_HAPPENS_H

#include "trace/trace.h"

enum { SUPPORT_HAPPENS_MOST = 64 };

typedef struct support_happens {
    const hd_trace *trace;
    uint32_t length;
    bool before[SUPPORT_HAPPENS_MOST + 1][SUPPORT_HAPPENS_MOST + 1];
} support_happens;

/* Of a trace of no more events than that.  A take is after the oldest post that no take got, or
 * after all earlier posts of its semaphore. */
void support_happens_relate(support_happens *r, const hd_trace *trace);
void support_happens_relate_all_posts(support_happens *r, const hd_trace *trace);

/* The event of this number. */
const heddle_event *support_happens_at(const support_happens *r, uint32_t number);

/* The write whose value the access has: the last one before it; 0 if none exists. */
uint32_t support_happens_reads_from(const support_happens *r, uint32_t read);

bool support_happens_atomic(const heddle_event *event);

/* Do two accesses conflict? */
bool support_happens_conflict(const heddle_event *x, const heddle_event *y);

#endif
