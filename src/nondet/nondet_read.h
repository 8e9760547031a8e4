/*
 * The exact answer about one read.  Private to nondet.
 *
 * Which challengers of one thread are feasible is a prefix of its writes for `cr`
 * and `crw` (a schedule with a write has the earlier ones of its thread), so each
 * is a threshold between what the closure forbids and what some schedule shows.
 * Only what lies between the two is put to the solver, by bisection.  `wcr` is in nondet_after.c;
 * every schedule shows all challengers that are after the writer in it.  Schedules that show many
 * at once come from parking (nondet_park.h).
 */
#ifndef HD_NONDET_READ_H
#define HD_NONDET_READ_H

#include "nondet.h"
#include "nondet_park.h"
#include "witness/witness.h"

enum { HD_NONDET_ORDERS = 3 }; /* enum hd_witness_order */

/* The writes of one thread, by what is known of them as challengers.  In an order of
 * thresholds the first `low` are shown, then up to `open` is undecided, and the rest
 * refuted. */
typedef struct hd_nondet_group {
    uint32_t thread;
    const uint32_t *writes;
    uint32_t count;
    uint32_t low[HD_NONDET_ORDERS], open[HD_NONDET_ORDERS];
    uint32_t high[HD_NONDET_ORDERS];     /* at most so many can be, by the closure */
    uint32_t searched[HD_NONDET_ORDERS]; /* of the shown, by a search that branched */
    uint32_t rejected[HD_NONDET_ORDERS]; /* of the refuted, likewise */
    uint32_t from, end;                  /* wcr after a write: only these can be, by the closure */
    size_t place;                        /* of the verdict of the one at `from` */
} hd_nondet_group;

/* Of one challenger in one order. */
enum hd_nondet_verdict {
    HD_NONDET_OPEN,
    HD_NONDET_REFUTED,
    HD_NONDET_SHOWN,
    HD_NONDET_REFUTED_BY_SEARCH,
    HD_NONDET_SHOWN_BY_SEARCH,
    HD_NONDET_UNDECIDED
};

typedef struct hd_nondet_reader {
    const hd_order_space *space;
    hd_order_solver *solver;
    hd_nondet_park park;
    hd_order_query query;
    uint64_t limit;

    uint32_t read, thread, variable, writer; /* the read at hand; read is 0 for a final one */
    HD_VEC(hd_nondet_group) groups;          /* threads that write the variable */
    HD_VEC(unsigned char) after_writer;      /* wcr: enum hd_nondet_verdict, by place */
    unsigned char initial[HD_NONDET_ORDERS]; /* of challenger 0 */
    uint32_t *before;                        /* [thread]: its events before the writer there */

    /* As published instead: all verdicts by hd_nondet_reader_mark, and their counts. */
    bool marked;
    HD_VEC(unsigned char) marks[HD_NONDET_ORDERS];
    hd_nondet_counts counts;
} hd_nondet_reader;

void hd_nondet_reader_init(hd_nondet_reader *reader, const hd_order_space *space,
                           hd_order_solver *solver, uint64_t limit);
void hd_nondet_reader_release(hd_nondet_reader *reader);

/* Decides all witnesses of a read, or of the final read of a variable. */
void hd_nondet_reader_decide(hd_nondet_reader *reader, uint32_t read);

/* Decides whether a read has any: where one is shown, others may be that are counted as
 * refuted or undecided. */
void hd_nondet_reader_decide_one(hd_nondet_reader *reader, uint32_t read);
void hd_nondet_reader_decide_final(hd_nondet_reader *reader, uint32_t variable);

/* The same step by step, for the published answer: sets the read, with all refuted,
 * and enters a verdict. */
void hd_nondet_reader_start(hd_nondet_reader *reader, uint32_t read, uint32_t variable);
void hd_nondet_reader_mark(hd_nondet_reader *reader, enum hd_witness_order order,
                           uint32_t challenger, unsigned char verdict);

/* Is the order one of thresholds? */
static inline bool hd_nondet_has_threshold(const hd_nondet_reader *reader,
                                           enum hd_witness_order order) {
    return !reader->marked && (order != HD_WITNESS_WCR || !reader->writer);
}

/* The verdict of wcr of the i-th write, which is between `from` and `end`. */
static inline unsigned char hd_nondet_after(const hd_nondet_reader *reader,
                                            const hd_nondet_group *group, uint32_t i) {
    assert(i >= group->from && i < group->end);
    return reader->after_writer.data[group->place + i - group->from];
}

/* The verdict of the i-th write of a group. */
unsigned char hd_nondet_verdict(const hd_nondet_reader *reader, const hd_nondet_group *group,
                                enum hd_witness_order order, uint32_t i);

/* All of them, summed up. */
hd_nondet_counts hd_nondet_reader_count(const hd_nondet_reader *reader);

static inline bool hd_nondet_is_shown(unsigned char verdict) {
    return verdict == HD_NONDET_SHOWN || verdict == HD_NONDET_SHOWN_BY_SEARCH;
}

/* The question about the read at hand, as a query. */
void hd_nondet_reader_ask(hd_nondet_reader *reader, enum hd_witness_order order,
                          uint32_t challenger);

/* --- for its parts -------------------------------------------------------------------------- */

static inline uint32_t hd_nondet_reader_position(const hd_nondet_reader *reader, uint32_t event) {
    return hd_order_position(reader->space, event);
}

static inline uint32_t hd_nondet_reader_thread(const hd_nondet_reader *reader, uint32_t event) {
    return hd_order_event(reader->space, event)->thread;
}

/* How many writes of the group are at or before this position of its thread. */
static inline uint32_t hd_nondet_reader_writes(const hd_nondet_reader *reader,
                                               const hd_nondet_group *group, uint32_t most) {
    return hd_order_below(group->writes, group->count,
                          hd_order_limit_of(reader->space, group->thread, most));
}

/* Does a schedule with this set show what the order claims: the read is next, and the writer was
 * run, was not, or is next, too? */
HD_ASSERT_ONLY static inline bool hd_nondet_reader_shows(const hd_nondet_reader *reader,
                                                         enum hd_witness_order order,
                                                         const uint32_t *set) {
    uint32_t writer = reader->writer;
    if (reader->read && set[reader->thread] + 1 != hd_nondet_reader_position(reader, reader->read))
        return false;
    if (!writer)
        return order == HD_WITNESS_WCR;
    uint32_t run = set[hd_nondet_reader_thread(reader, writer)],
             own = hd_nondet_reader_position(reader, writer);
    return order == HD_WITNESS_WCR  ? run >= own
           : order == HD_WITNESS_CR ? run < own
                                    : run + 1 == own;
}

/* Asks for one witness: enum hd_nondet_verdict. */
unsigned char hd_nondet_reader_solve(hd_nondet_reader *reader, enum hd_witness_order order,
                                     uint32_t challenger);

/* wcr of the read at hand, whose writer is an event; with `one` until something is shown.  And of a
 * final read. */
void hd_nondet_reader_decide_after(hd_nondet_reader *reader, bool one);
void hd_nondet_reader_decide_whole(hd_nondet_reader *reader);

#endif
