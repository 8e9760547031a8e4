/*
 * Turning races round.  A reversal takes some events out of the execution, with
 * all that depends on them, and has a thread's operation come instead: from the
 * place of the first event taken out, the sequence v = notdep(removed, E).p.
 *
 * For most operations the removed events are one event that the operation races
 * with.  Two kinds need more care: an operation whose accesses vary is evaluated
 * again in the state it would be taken in; and an await races with every
 * antichain of writes whose removal leaves it true: writes to what it reads now,
 * and to what it turns out to read without some of them.
 */
#ifndef HD_EXPLORE_REVERSE_H
#define HD_EXPLORE_REVERSE_H

#include "explore_path.h"

typedef struct hd_explore_reversal {
    uint32_t at;                    /* the execution is left before this event */
    uint64_t initials;              /* threads that v can begin with */
    uint32_t thread;                /* p */
    hd_vec_u32 kept;                /* events of notdep(removed, E), in order */
    hd_machine_operation operation; /* of p behind them; its accesses are in `accesses` */
    HD_VEC(hd_machine_access) accesses;
    bool first_varies; /* p's first operation in v may access other locations elsewhere */
} hd_explore_reversal;

typedef void hd_explore_reverse(void *context, const hd_explore_reversal *reversal);

/* Calls `reverse` for every reversal that an event of the path gives rise to (its
 * thread's operation comes earlier).  What stays are events of the whole path,
 * those behind the event too. */
void hd_explore_reversals(hd_explore_path *path, uint32_t number, hd_explore_reverse *reverse,
                          void *context);

/* The same for the next operation of a thread that cannot take it: the path is
 * at an end of a run, and the thread is blocked. */
void hd_explore_pending_reversals(hd_explore_path *path, uint32_t thread,
                                  hd_explore_reverse *reverse, void *context);

#endif
