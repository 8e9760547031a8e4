/*
 * A predicate over the states of a trace in memory: its facts, the space of the
 * states, and the judge of races and deadlocks.
 *
 *   race      the last events of two threads are accesses of one variable, one of
 *             them writes, not both are atomic, and neither is before the other
 *             (Chang, Algorithm 7).  An access by the first thread to come to a
 *             variable, which wrote it first, is its initialisation if in the run
 *             it came before all accesses of other threads; such a one races with
 *             none (3.6.2), unless that is asked for: race(all).  A predicate that
 *             uses it is asked in a poset whose order is happens-before of C11:
 *             an atomic write orders a read only as far as memory orders say.
 *   deadlock  every thread that has started and not ended has next an acquire of a
 *             lock that another holds, a recv without a unit, a join of a thread
 *             that has not ended, a wake without a notify since its wait, or a
 *             bout of a round that is not complete; and there is such a thread.
 *
 * The release and the wait of a condition wait are one step: what lies between
 * them is no state (hd_predicate_whole).
 */
#ifndef HD_PREDICATE_INSTANCE_H
#define HD_PREDICATE_INSTANCE_H

#include "cut/cut.h"
#include "predicate_facts.h"

typedef struct hd_predicate_instance {
    hd_order *order;
    enum hd_order_model model;
    hd_cut_space space;
    hd_predicate_facts facts;
    hd_bits between;           /* [start[p] + c]: between the two halves of a step */
    uint32_t cut_steps;        /* how many such there are */
    hd_cut_together together;  /* steps of a loset that is no run */
    uint32_t *access;          /* [start[p] + c]: the event, if it is an access; NULL: not asked */
    hd_bits initialising;      /* [event] */
    uint32_t *place_of;        /* [thread of the trace] */
    uint32_t *event_place;     /* deadlock: [event]: its place; NULL: not asked */
    hd_trace_lists units;      /* deadlock: [channel]: its sends and recvs */
    uint32_t *spare;           /* [channel]: recvs that took an initial unit */
    hd_order_units semaphores; /* deadlock: their posts and takes */
    hd_trace_lists signals;    /* deadlock: [condition]: its notifies */
    uint32_t *taker;           /* [event]: of a notify, the wake that took it */
    uint32_t *none;            /* the empty state */
    uint32_t *counts;          /* of a projection (predicate_project.h): the count of each mark */
} hd_predicate_instance;

/* False with an error if the predicate does not fit the trace, or clocks do not fit
 * into the memory.  The order and the predicate must stay. */
bool hd_predicate_instance_init(hd_predicate_instance *instance, hd_order *order,
                                const hd_predicate *predicate, enum hd_order_model model,
                                size_t memory, hd_predicate_error *error);
void hd_predicate_instance_release(hd_predicate_instance *instance);

/* Is no step cut in two there? */
static inline bool hd_predicate_whole(const hd_predicate_instance *instance,
                                      const uint32_t *state) {
    if (instance->together.rows &&
        !hd_cut_together_whole(&instance->together, &instance->space, state))
        return false;
    if (!instance->cut_steps)
        return true;
    for (uint32_t p = 0; p < instance->space.threads; p++)
        if (hd_bits_has(&instance->between, instance->space.start[p] + state[p]))
            return false;
    return true;
}

/* Do two accesses collide, if they are concurrent? */
bool hd_predicate_collide(const hd_predicate_instance *instance, uint32_t a, uint32_t b,
                          bool initialisation);

/* Is it true there, of a consistent state? */
static inline bool hd_predicate_true(const hd_predicate_instance *instance, const uint32_t *state) {
    return hd_predicate_whole(instance, state) && hd_predicate_holds(&instance->facts, state);
}

#endif
