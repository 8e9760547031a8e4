/*
 * The pairs of events of a trace, as the checker derives them: four bytes per event for the next
 * event of its thread, four for what its kind is paired with.
 *
 *   a read or rmw      the write it saw, 0 for the initial value
 *   tryfail            the event that last changed the lock, 0 if none did
 *   join               the last event of the child, 0 if it has none
 *   wake               the notify that it took, 0 if it timed out
 *   recv               the send that it took, 0 for an initial unit
 *   bin, bout          the group of their round
 *   wait               the group of those that its notify woke, 0 if none did
 *   notify, notifyall  the group of those that it woke, 0 if none
 *   anything else      0
 *
 * A group is a set of events that must all come before another: the arrivals
 * of a barrier's round before each departure, the waits before the notify that
 * ends them.  Counting its members is enough to know that all are there.
 */
#ifndef HD_WITNESS_PAIRS_H
#define HD_WITNESS_PAIRS_H

#include "trace/trace.h"

typedef struct hd_witness_pairs {
    const hd_trace *trace;
    uint32_t end;       /* the trace's length + 1: "no event" where events are compared */
    uint32_t *next;     /* [number]: the next event of its thread, or end */
    uint32_t *pair;     /* [number]: see above */
    uint32_t *first;    /* [thread]: its first event, or end */
    uint32_t *fork;     /* [thread]: the event that started it, 0 if none did */
    uint32_t *final;    /* [variable]: its last write, 0 if it has none */
    hd_vec_u32 members; /* [group]: how many it has; group 0 is not used */
    int64_t *initial; /* [semaphore]: units that were there at first: the most by which the takes of
                         the trace run ahead of its posts */
} hd_witness_pairs;

void hd_witness_pairs_build(hd_witness_pairs *pairs, const hd_trace *trace);
void hd_witness_pairs_release(hd_witness_pairs *pairs);

/* Only `first` and `next`, for callers that follow threads. */
void hd_witness_pairs_threads(hd_witness_pairs *pairs, const hd_trace *trace);

#endif
