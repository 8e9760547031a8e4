/*
 * Reachability between the threads of a trace (chains) under edges that are added
 * and taken back.
 *
 * Tunç, Deshmukh, Çirisci, Enea and Pavlogiannis, "CSSTs: A Dynamic Data Structure
 * for Partial Orders in Concurrent Execution Analysis" (ASPLOS 2024), keep for
 * each ordered pair of chains the suffix minima of the edges between them,
 * closed under transitivity, in a sparse segment tree.  So do we, but
 *
 *   - what the trace itself fixes (need and free, order_space.h) stays in its
 *     vector clocks, and only paths with an added edge are kept here, which are
 *     few;
 *   - the suffix minima of a pair are a staircase, an array of steps (from, to)
 *     in which both rise: a query is one bisection, and an insertion
 *     moves a few steps.
 *
 *   paper                     here
 *   array A[t1][t2]           chains->rows[t1][t2]
 *   successor(node, t2)       hd_order_chains_after
 *   predecessor(node, t1)     hd_order_chains_before
 *   insertEdge                hd_order_chains_add
 *   deleteEdge                hd_order_chains_undo, back to a mark
 *
 * Cost: a query is logarithmic in the steps of one pair, an insertion takes that
 * for each pair of threads, and undoing as much as was done.
 */
#ifndef HD_ORDER_CHAINS_H
#define HD_ORDER_CHAINS_H

#include "order_space.h"

typedef struct hd_order_step {
    uint32_t from, to; /* positions: of the one thread, and of the other, reached from it */
} hd_order_step;

typedef HD_VEC(hd_order_step) hd_order_stairs;

struct hd_order_undo {
    uint32_t pair, at;
    uint32_t removed; /* steps that the new one replaced, on top of `old` */
};

typedef struct hd_order_chains {
    const hd_order_space *space; /* may be exchanged for another one of the same trace */
    uint32_t threads;
    hd_order_stairs **rows; /* [t1][t2]; `none` until a thread has its first step */
    hd_order_stairs *none;  /* a row without steps */
    HD_VEC(struct hd_order_undo) trail;
    hd_order_stairs old;
    uint32_t *before, *after;
    uint64_t work; /* of insertions, about a nanosecond a unit */
} hd_order_chains;

void hd_order_chains_init(hd_order_chains *chains, const hd_order_space *space);
void hd_order_chains_release(hd_order_chains *chains);

/* Takes back all edges added since the trail was this long. */
void hd_order_chains_undo(hd_order_chains *chains, size_t trail);

/* First position of the thread that the event must come before; past its length
 * if none exists.  In the event's own thread, the next one. */
uint32_t hd_order_chains_after(const hd_order_chains *chains, uint32_t event, uint32_t thread);

/* Last position of the thread that must come before the event, 0 if none. */
uint32_t hd_order_chains_before(const hd_order_chains *chains, uint32_t event, uint32_t thread);

/* An event as these see it, for one that is asked about with many threads. */
typedef struct hd_order_point {
    uint32_t thread, position;
    const uint32_t *need, *free; /* its rows */
} hd_order_point;

static inline hd_order_point hd_order_chains_point(const hd_order_chains *chains, uint32_t event) {
    const hd_order_space *of = chains->space;
    return (hd_order_point){hd_order_event(of, event)->thread, hd_order_position(of, event),
                            hd_order_clocks_row(&of->need, event),
                            hd_order_clocks_row(&of->free, event)};
}

/* Last position that the stairs lead from to `to` or before, if that is more than `least`. */
static inline uint32_t hd_order_stairs_before(const hd_order_stairs *stairs, uint32_t to,
                                              uint32_t least) {
    size_t low = 0, count = stairs->length;
    if (!count || stairs->data[0].to > to)
        return least;
    while (count > 1) { /* data[low].to <= to */
        size_t half = count / 2;
        low = stairs->data[low + half].to <= to ? low + half : low;
        count -= half;
    }
    assert(stairs->data[low].to <= to);
    assert(low + 1 == stairs->length || stairs->data[low + 1].to > to);
    return stairs->data[low].from > least ? stairs->data[low].from : least;
}

/* First position that the stairs lead to from `from` or after, if that is less than
 * `most`. */
static inline uint32_t hd_order_stairs_after(const hd_order_stairs *stairs, uint32_t from,
                                             uint32_t most) {
    size_t low = 0, count = stairs->length;
    if (!count || stairs->data[count - 1].from < from)
        return most;
    while (count > 1) { /* the first whose from is not less is within count of low */
        size_t half = count / 2;
        low = stairs->data[low + half - 1].from < from ? low + half : low;
        count -= half;
    }
    assert(stairs->data[low].from >= from);
    assert(low == 0 || stairs->data[low - 1].from < from);
    return stairs->data[low].to < most ? stairs->data[low].to : most;
}

static inline uint32_t hd_order_point_before(const hd_order_chains *chains,
                                             const hd_order_point *point, uint32_t thread) {
    if (point->thread == thread)
        return point->position - 1;
    return hd_order_stairs_before(&chains->rows[thread][point->thread], point->position,
                                  point->need[thread]);
}

static inline uint32_t hd_order_point_after(const hd_order_chains *chains,
                                            const hd_order_point *point, uint32_t thread) {
    if (point->thread == thread)
        return point->position + 1;
    return hd_order_stairs_after(&chains->rows[point->thread][thread], point->position,
                                 point->free[thread] + 1);
}

/* First position of the thread after `position` that an added edge leads to, by
 * itself or with others; UINT32_MAX if none exists. */
uint32_t hd_order_chains_next(const hd_order_chains *chains, uint32_t thread, uint32_t position);

/* Must a come before b (or are they the same)? */
static inline bool hd_order_chains_reach(const hd_order_chains *chains, uint32_t a, uint32_t b) {
    uint32_t thread = hd_order_event(chains->space, a)->thread;
    uint32_t position = hd_order_position(chains->space, a);
    hd_order_point at = hd_order_chains_point(chains, b);
    if (at.thread == thread)
        return position <= at.position;
    return at.need[thread] >= position || hd_order_point_before(chains, &at, thread) >= position;
}

/* Adds an edge that does not close a cycle: b must not reach a. */
void hd_order_chains_add(hd_order_chains *chains, uint32_t a, uint32_t b);

#endif
