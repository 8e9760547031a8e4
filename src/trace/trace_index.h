/*
 * Indexes of a trace in memory, built once, four bytes per event each: the events of each thread,
 * lock and variable in trace order, the position of each event in its thread, and the pairs:
 *
 *   a read or rmw     the write it saw, 0 for the initial value
 *   tryfail           the acquire or release that last changed the lock, 0 if none
 *   an acquire        its release, 0 if never released (re-entrant ones too)
 *   a release         its acquire
 *   fork              the first event of the child, 0 if it has none
 *   join              the last event of the child, 0 if it has none
 *   wait              its wake, 0 if it never woke
 *   wake              the notify or notifyall that it took, 0 if it timed out
 *   recv              the send it took, 0 for an initial unit
 *   take              the post whose unit it gets if the oldest goes first, 0 for an initial unit;
 *                     that is how the run looked, and binds no reordering
 *   bin, bout         the round, from 1 on, of all barriers together; 0 for a bin without a bout
 *   anything else     0
 *
 * A wake takes the earliest notifyall, or notify that no earlier wake took, of
 * its object after its wait.  A recv takes the oldest send of its object not
 * yet taken.  A round of a barrier is the bins since the last round's first
 * bout.
 */
#ifndef HD_TRACE_INDEX_H
#define HD_TRACE_INDEX_H

#include "trace_memory.h"

/* Lists of event numbers: list i is items[start[i]] .. items[start[i + 1] - 1]. */
typedef struct hd_trace_lists {
    uint32_t *start;
    uint32_t *items;
    uint32_t count;
} hd_trace_lists;

typedef struct hd_trace_index {
    const hd_trace *trace;
    hd_trace_lists threads;   /* events of a thread */
    hd_trace_lists locks;     /* acquires, releases and failed tries of a lock */
    hd_trace_lists variables; /* accesses to a variable */
    hd_trace_lists rounds;    /* bins of barrier round i + 1 */
    uint32_t *position;       /* [number]: 1..n in its thread; [0] is 0 */
    uint32_t *pair;           /* [number]: see above; [0] is 0 */
} hd_trace_index;

void hd_trace_index_build(hd_trace_index *index, const hd_trace *trace);

/* The same, but false if the clock was over before; then it is as after a release. */
bool hd_trace_index_build_in_time(hd_trace_index *index, const hd_trace *trace);

void hd_trace_index_release(hd_trace_index *index);

static inline uint32_t hd_trace_list_length(const hd_trace_lists *lists, uint32_t i) {
    assert(i < lists->count);
    return lists->start[i + 1] - lists->start[i];
}

static inline const uint32_t *hd_trace_list(const hd_trace_lists *lists, uint32_t i) {
    assert(i < lists->count);
    return lists->items + lists->start[i];
}

/* Event number of a thread's event at a position from 1 on. */
static inline uint32_t hd_trace_event_at(const hd_trace_index *index, uint32_t thread,
                                         uint32_t position) {
    assert(position >= 1 && position <= hd_trace_list_length(&index->threads, thread));
    return index->threads.items[index->threads.start[thread] + position - 1];
}

#endif
