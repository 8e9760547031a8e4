/*
 * The state that a schedule reaches, as the checker keeps it, and the rules for one more event.  It
 * consists of flat arrays that are in their initial state between two checks.  Five lists hold what
 * a check touched, so that resetting costs no more than the check.
 */
#ifndef HD_WITNESS_STATE_H
#define HD_WITNESS_STATE_H

#include "witness.h"
#include "witness_pairs.h"

/* Why an event cannot come next. */
enum hd_witness_wrong {
    HD_WITNESS_FINE,
    HD_WITNESS_NO_EVENT,    /* no such number in the trace */
    HD_WITNESS_OUT_OF_TURN, /* already in the schedule, or its thread does another first */
    HD_WITNESS_NOT_STARTED, /* before the fork of its thread */
    HD_WITNESS_TOO_EARLY,   /* join, wake, recv: before what it is paired with */
    HD_WITNESS_INCOMPLETE,  /* bout, notify: before a member of its group */
    HD_WITNESS_LOCKED,      /* its lock is held */
    HD_WITNESS_NO_UNIT,     /* take: the semaphore has none left */
    HD_WITNESS_OTHER_WRITE, /* it would read from another write than in the trace */
    HD_WITNESS_OTHER_LOCK,  /* tryfail: it would see another change of the lock */
    HD_WITNESS_SPLIT /* it separates a release from its wait, or the schedule ends before the wait
                      */
};

typedef struct hd_witness_lock {
    uint32_t changed; /* the last event that changed it, 0 if none did */
    uint32_t writer;  /* the acquire of the thread that holds it for writing, 0 if none */
    uint32_t readers; /* threads that hold it for reading */
    uint32_t blocked; /* of these, the ones in the deadlock that is being checked */
} hd_witness_lock;

struct hd_witness_checker {
    hd_witness_pairs pairs;
    uint32_t *expected;     /* [thread]: its next event, pairs.end if none exists */
    uint32_t *written;      /* [variable]: its last write, 0 if none */
    hd_witness_lock *locks; /* [lock] */
    uint32_t *arrived;      /* [group]: its members in the schedule */
    int64_t *posted;        /* [semaphore]: posts less takes */
    uint32_t *counts;       /* [thread]: for one claim's own use; 0 between checks */
    uint32_t *matters;      /* [thread]: its reads up to this event matter; NULL unless asked for */
    uint32_t wait;          /* the wait that must be next; 0: none */
    struct {
        hd_vec_u32 threads, variables, locks, groups, semaphores;
    } touched;
};

/* Events of a thread have ascending numbers and come as a prefix. */
static inline bool hd_witness_has(const hd_witness_checker *checker, uint32_t number) {
    const heddle_event *event = hd_trace_event(checker->pairs.trace, number);
    return number < checker->expected[event->thread];
}

/* Which reads see what they saw. */
enum hd_witness_keep {
    HD_WITNESS_KEEP_ALL,
    HD_WITNESS_KEEP_MATTERING, /* those that matter (witness_matter.h) */
    HD_WITNESS_KEEP_NONE
};

/* The next event of the schedule, if it may come next. */
enum hd_witness_wrong hd_witness_state_step(hd_witness_checker *checker, uint32_t number,
                                            enum hd_witness_keep keep);

/* The whole schedule from the start: HD_WITNESS_FINE, or why it is not a reordering; then *at is
 * the index of the event that is wrong (it may be a release at the end without its wait). */
enum hd_witness_wrong hd_witness_state_run(hd_witness_checker *checker, const hd_vec_u32 *schedule,
                                           enum hd_witness_keep keep, size_t *at);

/* Back to the start. */
void hd_witness_state_reset(hd_witness_checker *checker);

#endif
