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
    hd_explore_set initials;        /* threads that v can begin with */
    uint32_t thread;                /* p */
    hd_vec_u32 kept;                /* events of notdep(removed, E), in order */
    hd_explore_operation operation; /* of p after them */
    bool first_varies;              /* p's first operation in v may be another elsewhere */
    bool fails;                     /* p's operation does, so it depends on everything, */
    uint32_t choice;                /* taken in this way */
} hd_explore_reversal;

typedef struct hd_explore_reverser {
    hd_explore_path *path;
    /* False if a sequence that these threads can begin with is known to be explored
     * from there; then no more is found out about it.  May be NULL. */
    bool (*wanted)(void *context, uint32_t at, hd_explore_set initials);
    void (*reverse)(void *context, const hd_explore_reversal *reversal);
    bool (*leaves)(void *context); /* there is no time left; NULL: asks the clock */
    void *context;

    /* scratch */
    hd_explore_reversal reversal;
    hd_vec_u32 reads, candidates, removed;
    HD_VEC(hd_step) steps;
} hd_explore_reverser;

void hd_explore_reverser_release(hd_explore_reverser *reverser);

/* Every reversal that an event of the path gives rise to (its thread's operation
 * comes earlier).  What stays are events of the whole path, those after the event
 * too.  Races within a section are left out. */
void hd_explore_reversals(hd_explore_reverser *reverser, uint32_t event);

/* The same for the next operation of a thread that does not take it: the path is at an
 * end of a run, where the thread is blocked or was cut off. */
void hd_explore_pending_reversals(hd_explore_reverser *reverser, uint32_t thread);

#endif
