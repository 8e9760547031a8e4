/*
 * Statistics of a trace, counted in one pass over a cursor: events by kind and by thread, and for
 * each lock and variable how it is used and shared.
 */
#ifndef HD_TRACE_STATISTICS_H
#define HD_TRACE_STATISTICS_H

#include "trace_cursor.h"

typedef struct hd_trace_object_use {
    uint64_t uses;      /* accesses; for a lock, holds (re-entrant ones not counted) */
    uint64_t reads;     /* for a lock, holds for reading */
    uint64_t writes;    /* for a lock, holds for writing */
    uint64_t handovers; /* uses by another thread than the one before */
    uint64_t failed;    /* failed tries of a lock */
    uint32_t threads;   /* different ones */
    uint32_t last;      /* thread of the last use, + 1 */
    uint64_t mask;      /* threads 0..63 that used it */
} hd_trace_object_use;

typedef struct hd_trace_statistics {
    uint64_t events;
    uint64_t kinds[HEDDLE_KIND_COUNT];
    uint64_t with_value, with_location, reentrant;
    HD_VEC(uint64_t) threads; /* events of each thread */
    HD_VEC(hd_trace_object_use) locks, variables;
    hd_map far_threads; /* (class, object, thread >= 64) seen */
} hd_trace_statistics;

void hd_trace_statistics_init(hd_trace_statistics *statistics);
void hd_trace_statistics_add(hd_trace_statistics *statistics, const hd_trace_batch *batch);
void hd_trace_statistics_release(hd_trace_statistics *statistics);

uint64_t hd_trace_statistics_accesses(const hd_trace_statistics *statistics);
uint64_t hd_trace_statistics_lock_events(const hd_trace_statistics *statistics);

/* Objects that at least two threads use. */
uint32_t hd_trace_statistics_shared(const hd_trace_object_use *uses, size_t count);

/* Numbers of the objects with most uses (for locks: most hand-overs, then
 * uses), most first, at most `most`; returns how many. */
size_t hd_trace_statistics_hottest(const hd_trace_object_use *uses, size_t count, bool by_handover,
                                   uint32_t *numbers, size_t most);

#endif
