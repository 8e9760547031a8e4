/*
 * race: can two accesses collide, can threads wait for each other for ever?
 *
 * Two accesses of one variable by different threads *conflict* if one of them
 * writes and one of them is plain.  They *race* if there is a reordering
 * (doc/witness.md), all of whose reads see what they saw, after which both are
 * next.  Five ways to look for them:
 *
 *   predictive      exactly: what weak filters leave is put to the reordering
 *                   solver, and what it shows comes with a schedule (race_predict.c)
 *   hb              conflicting accesses that this run's order of locks and atomics
 *                   leaves unordered (race_happens.c)
 *   shb             the same, also ordered by what each read saw, so that not only
 *                   the first report is sound
 *   lockset         variables that no lock protects always, after Eraser (race_lockset.c)
 *   lockset-plain   the same without Eraser's states
 *
 * The last four take events one by one, keep no trace and prove nothing: they
 * report.  Only predictive findings have a witness.
 *
 * Guarantees, which the tests cite:
 *   R1  predictive: the pairs found are those that race, but for what is unproved.
 *   R2  a finding's witness passes the independent checker.
 *   R3  shb: every pair reported races, if no try for a lock failed in the trace.
 *   R4  hb: an access that races with an earlier one by this order is reported.
 *   R5  lockset: a variable is reported with the access that leaves it no candidate.
 *
 * In a trace that says which events are certain, predictive also looks for reorderings that keep
 * decisions, not all reads (race_certain.h).  What it finds there is proved; R1 is about the
 * others.
 */
#ifndef HD_RACE_H
#define HD_RACE_H

#include "finding/finding.h"
#include "order/order.h"

enum hd_race_method {
    HD_RACE_PREDICTIVE,
    HD_RACE_HB,
    HD_RACE_SHB,
    HD_RACE_LOCKSET,
    HD_RACE_LOCKSET_PLAIN,
    HD_RACE_METHODS
};

/* Pairs that were reported before (hd_race_stream). */
typedef struct hd_race_pair_of_events {
    uint32_t first, second;
} hd_race_pair_of_events;

typedef struct hd_race_known {
    HD_VEC(hd_race_pair_of_events) pairs; /* to be released */
} hd_race_known;

typedef struct hd_race_options {
    enum hd_race_method method;
    const hd_race_known *known; /* what the method reports, found before; NULL: it is to be found */
    bool blocks;                /* not races, but blocks that are not serializable */
    bool all;                   /* every pair of events, not one for each pair of places */
    bool count_only;            /* what is proved or reported is counted, not pushed */
    bool untimed;               /* of deadlocks: cycles are counted that no reordering of this trace
                                   has; of a program there may be another run */
    uint64_t limit;             /* work of the solver for one pair of places, with all for one pair
                                   of events; 0: none */
    size_t max_bytes;           /* of clocks */
    unsigned workers;           /* that predict; 0: one.  The answer is the same */
} hd_race_options;

void hd_race_options_init(hd_race_options *options);

typedef struct hd_race_result {
    uint64_t races;        /* findings: pairs of places, or of events with all */
    uint64_t unproved;     /* the same, of those not decided within the limit */
    uint64_t candidates;   /* pairs of events that were put to the solver */
    uint64_t certain;      /* of the races, those that only keep decisions (race_certain.h) */
    uint64_t certain_open; /* places for which these were not all looked for, at a limit */
    uint64_t blocks;       /* of the trace, if these were asked about */
    hd_order_effort effort;
    bool stopped; /* the sink said so */
} hd_race_result;

/* Do the two conflict? */
static inline bool hd_race_conflict(const heddle_event *a, const heddle_event *b) {
    return a->thread != b->thread && a->object == b->object && hd_trace_may_race(a, b);
}

/* Looks for races and pushes findings into the sink (NULL: none): events are the
 * two accesses, ascending (the first is 0 where a lockset warning has none); rule
 * "race" with a witness, or "race-report" without one by the methods that prove
 * nothing; at the end "race-unproved" for what was not decided.  False, with an
 * error, if the trace is too large for the limits or a schedule failed its check. */
bool hd_race_run(const hd_trace *trace, const hd_race_options *options, hd_race_result *result,
                 hd_finding_sink *sink, void *context, hd_error *error);

/* With the option `blocks` the question is whether the blocks of the trace (begin, end) are
 * serializable (race_blocks.h has the definition).  `method` says nothing then.  Events of a
 * finding are the first access of the block, the one of another thread, and the second of the
 * block; of two variables also a later access of the other thread.  Of findings without `all` there
 * is one for three places, or four.  The rules are this one, with a
 * witness, and "atomicity-unproved".
 *
 *   A1  the triples found violate atomicity; but for what is unproved, there is one for every
 *       violation: with the same second access and the same or an earlier first one, if another
 *       thread's write comes between; with the same first and the same or an earlier second, if a
 *       read does.
 *       Of two variables: with the same second access, the same or an earlier first one, and
 *       nothing that the other thread's two accesses of the violation do not have between them;
 *       unless a finding of one variable has the first access and the one between of such a four,
 *       or the later one and the second.
 *   A2  a finding's witness passes the independent checker. */
#define HD_RACE_ATOMICITY "atomicity"

/* ---- Deadlocks ---- */

/* A deadlock is a set of acquires of different threads, all next after a reordering,
 * each of a lock that another of these threads holds, and none without the others:
 * threads that only wait for a deadlock are not in it.  Of the options `method` says
 * nothing here, and without `all` there is one finding for acquires at the same
 * places; an acquire whose location is not known is a place of its own, as long as the
 * limit lasts, which all cycles with such acquires share; from then on there is one
 * finding for each of them, and the result says that it was cut.
 *
 *   D1  the sets found are those that are deadlocks, but for what is unproved.
 *   D2  a finding's witness passes the independent checker. */
typedef struct hd_race_deadlock_result {
    uint64_t deadlocks;  /* findings */
    uint64_t unproved;   /* not decided within the limit */
    uint64_t cycles;     /* of the lock order, by thread, place and locks held, of acquires that
                            two by two can be next together, unless untimed */
    uint64_t candidates; /* sets of acquires that were put to the solver */
    hd_order_effort effort;
    bool cut; /* the limit ended the search for cycles, or among the acquires of one */
    bool stopped;
} hd_race_deadlock_result;

/* Pushes findings as hd_race_run does: rule "deadlock", events the acquires,
 * ascending, and "deadlock-unproved". */
bool hd_race_deadlocks(const hd_trace *trace, const hd_race_options *options,
                       hd_race_deadlock_result *result, hd_finding_sink *sink, void *context,
                       hd_error *error);

/* hb, or shb if all reads are after what they saw, of a file that can be read twice, with one pair
 * for each pair of places.  Then the trace has only the events of these pairs, and the acquires of
 * the locks held there; the others are empty.  False if it cannot be done so: the trace is to be
 * loaded then, which says why if it cannot be. */
bool hd_race_stream(const char *path, bool all_reads, hd_trace *trace, hd_race_known *known);

/* ---- One event at a time ---- */

/* What a method that proves nothing says: the second event, just taken, and an
 * earlier one. */
typedef void hd_race_report(void *context, uint32_t first, uint32_t second);

typedef struct hd_race_happens hd_race_happens;

/* Which reads are also after the write that they saw, once they were compared with what came
 * before: hb, shb, or only those that are not atomic. */
enum hd_race_sees { HD_RACE_SEES_NONE, HD_RACE_SEES_ALL, HD_RACE_SEES_PLAIN };

/* `must` may be NULL; with the must-edges of the trace nothing is guessed (order_machine.h). */
hd_race_happens *hd_race_happens_create(enum hd_race_sees sees, const hd_order_must *must,
                                        hd_race_report *report, void *context);
void hd_race_happens_free(hd_race_happens *happens);
void hd_race_happens_step(hd_race_happens *happens, uint32_t number, const heddle_event *event);
uint32_t hd_race_happens_wrong(const hd_race_happens *happens);

/* For events that are not in memory: the pair with its events, instead of the report. */
typedef void hd_race_tell(void *context, uint32_t first, const heddle_event *one, uint32_t second,
                          const heddle_event *other);
void hd_race_happens_tell(hd_race_happens *happens, hd_race_tell *tell);

typedef struct hd_race_lockset hd_race_lockset;

/* With `states`, Eraser's; a variable is reported once. */
hd_race_lockset *hd_race_lockset_create(bool states, hd_race_report *report, void *context);
void hd_race_lockset_free(hd_race_lockset *lockset);
void hd_race_lockset_step(hd_race_lockset *lockset, uint32_t number, const heddle_event *event);

/* The deadlock that the run itself ended in, if the trace says so (hd_trace.end): its rule is
 * HD_RACE_RECORDED, its witness the whole trace.  Event i is the one that explains why the i-th of
 * trace->end.next waits: the acquire of the lock's holder, or the last event of its own thread; 0
 * if none exists.  False with the checker's words if the events do not show it. */
#define HD_RACE_RECORDED "deadlock-recorded"
bool hd_race_recorded(const hd_trace *trace, hd_finding *finding, hd_error *error);

#endif
