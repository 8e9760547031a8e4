/*
 * Phases of a search that one worker leads: in a phase others do what it does, and it waits until
 * all have done with it.  Between two of them, it alone changes what they share.
 */
#ifndef HD_EXPLORE_PHASE_H
#define HD_EXPLORE_PHASE_H

#include "explore_crew.h"

typedef struct hd_explore_phase {
    pthread_mutex_t lock; /* of what follows, and of what workers leave for who leads */
    pthread_cond_t idle;
    bool open;        /* there is a phase */
    uint32_t helping; /* workers in it, who leads aside */
    uint32_t calls;   /* items that call for help and were not taken yet */
    uint32_t gifts;   /* what workers have given to others, and none has taken yet */
} hd_explore_phase;

void hd_explore_phase_init(hd_explore_phase *phase);
void hd_explore_phase_release(hd_explore_phase *phase);

/* By who leads: begins one, in which so many others are of use.  They get items, each made by
 * `call`.  And ends it, when those that came have left; false: it goes on, for there is a gift. */
void hd_explore_phase_open(hd_explore_phase *phase, const hd_explore_search *search,
                           uint32_t wanted, void *(*call)(void));
bool hd_explore_phase_close(hd_explore_phase *phase, const hd_explore_search *search);

/* With the lock: there is a gift, for which another worker is called, or who leads if it waits.
 * And one was taken. */
void hd_explore_phase_give(hd_explore_phase *phase, const hd_explore_search *search,
                           void *(*call)(void));
static inline void hd_explore_phase_take(hd_explore_phase *phase) {
    assert(phase->gifts);
    phase->gifts--;
}

/* By another worker, with each such item; false: the phase is over, and there is nothing to leave.
 * It leaves with the lock, and gives it back. */
bool hd_explore_phase_enter(hd_explore_phase *phase);
void hd_explore_phase_leave(hd_explore_phase *phase);

/* Is the search over, by whatever worker? */
bool hd_explore_phase_stops(hd_explore_search *search);

#endif
