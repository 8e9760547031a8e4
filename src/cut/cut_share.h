/*
 * Work shared out among threads: jobs that are taken in order, and of states of an
 * interval smaller intervals that have no state in common.
 *
 *   hd_cut_share       any jobs
 *   hd_cut_paramount   an interval an event, as published: the states whose last
 *                      event, in the order of the trace, is this one
 *   hd_cut_prefixes    an interval a prefix, in lexical order: the counts of the first
 *                      few threads fixed, the others between their bounds
 *   hd_cut_parts       an interval a range of counts of the first thread, in lexical
 *                      order
 *
 * Every worker has a visitor of its own.  When one stops, the others stop at the
 * end of their interval.  Returns what the first to stop returned.
 */
#ifndef HD_CUT_SHARE_H
#define HD_CUT_SHARE_H

#include "cut_covers.h"

enum hd_cut_algorithm {
    HD_CUT_AUTO,
    HD_CUT_BFS,
    HD_CUT_DFS,
    HD_CUT_TREE,
    HD_CUT_LEX,
    HD_CUT_QUICKLEX,
    HD_CUT_BOUNDS,
    HD_CUT_DIAGRAM,
    HD_CUT_LEX1,
    HD_CUT_LEX2,
    HD_CUT_SWEEP,
    HD_CUT_ALGORITHMS
};

/* The subroutine: any of bfs, dfs, tree, lex, quicklex, bounds. */
typedef struct hd_cut_subroutine {
    enum hd_cut_algorithm algorithm;
    const hd_cut_space *space;
    const hd_cut_covers *covers; /* tree and quicklex need it */
    size_t memory;               /* bfs and dfs: bytes for each interval */
} hd_cut_subroutine;

/* A job by a worker; other than 0 stops all. */
typedef int hd_cut_job(void *context, unsigned worker, size_t job);

/* Jobs 0..jobs-1 are begun in this order.  seconds[i] is the CPU time of worker i;
 * may be NULL. */
int hd_cut_share(unsigned workers, size_t jobs, hd_cut_job *job, void *context, double *seconds);

/* An interval as a job. */
typedef int hd_cut_take_interval(void *context, unsigned worker, const uint32_t *least,
                                 const uint32_t *most);

int hd_cut_enumerate(const hd_cut_subroutine *subroutine, const uint32_t *least,
                     const uint32_t *most, hd_cut_visitor *visitor);

/* visitors[i] and seconds[i] are worker i's; seconds, the CPU time of each, may be
 * NULL. */
int hd_cut_paramount(const hd_cut_subroutine *subroutine, unsigned workers,
                     hd_cut_visitor *visitors, double *seconds);
int hd_cut_prefixes(const hd_cut_subroutine *subroutine, unsigned workers, hd_cut_visitor *visitors,
                    double *seconds);

/* Intervals in which the counts of the first threads are fixed, `least` and then `most` of each, at
 * least so many if that is possible; of the last `whole` threads no count is. */
void hd_cut_intervals(const hd_cut_space *space, size_t wanted, uint32_t whole,
                      hd_vec_u32 *intervals);

/* All states in about so many intervals. */
int hd_cut_parts(const hd_cut_space *space, unsigned workers, size_t parts,
                 hd_cut_take_interval *take, void *context, double *seconds);

/* One of these intervals: part of parts, no more of them than the first thread has counts. */
int hd_cut_one_part(const hd_cut_space *space, size_t parts, size_t part,
                    hd_cut_take_interval *take, void *context);

/* The counts of the first thread that a part of so many has; no more parts than counts. */
void hd_cut_part(const hd_cut_space *space, size_t parts, size_t part, uint32_t *from,
                 uint32_t *to);

/* Interval I(e) of the event with this number; the first one has the empty state
 * too.  Vectors of the space's stride.  For callers that take events one at a time. */
void hd_cut_event_interval(const hd_cut_space *space, uint32_t event, uint32_t *least,
                           uint32_t *most);

#endif
