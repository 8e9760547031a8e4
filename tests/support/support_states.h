/*
 * The global states of a small trace by brute force: every vector of counts is
 * looked at, and each class of states is as its definition says, with pairs of
 * events and nothing clever.  What is before what, and the holds of locks, come
 * from room order, which has a twin of its own.
 */
#ifndef SUPPORT_STATES_H
#define SUPPORT_STATES_H

#include "cut/cut.h"

enum { SUPPORT_STATES_THREADS = 8, SUPPORT_STATES_EVENTS = 40 };

typedef struct support_states {
    const hd_order *order;
    uint32_t threads, events;
    uint32_t thread[SUPPORT_STATES_THREADS]; /* [place] */
    uint32_t length[SUPPORT_STATES_THREADS];
    size_t weight[SUPPORT_STATES_THREADS]; /* of a count in the number of a vector */
    size_t vectors;
    hd_bits poset;                   /* by number of the vector */
    hd_bits classes[HD_CUT_CLASSES]; /* of the loset */
    hd_bits ends;                    /* reachable, and the last state is so from them */
    bool normal[SUPPORT_STATES_EVENTS + 1][SUPPORT_STATES_EVENTS + 1]; /* of the whole loset */
} support_states;

/* False if there are too many vectors, threads or events; then nothing is there.
 * Places in the order given, or NULL. */
bool support_states_init(support_states *states, const hd_order *order, const uint32_t *places,
                         size_t most_vectors);
void support_states_release(support_states *states);

/* A trace with all its orders, threads in any order, and its states. */
typedef struct support_cut {
    hd_order order;
    uint32_t places[SUPPORT_STATES_THREADS];
    support_states states;
} support_cut;

/* False if it is too large; then nothing is there. */
bool support_cut_init(support_cut *cut, const hd_trace *trace, hd_random *random,
                      size_t most_vectors);
void support_cut_release(support_cut *cut);

/* Does it lie between the release and the wait of no condition wait? */
bool support_states_whole(const support_states *states, const uint32_t *state);

size_t support_states_number(const support_states *states, const uint32_t *state);
void support_states_vector(const support_states *states, size_t number, uint32_t *state);

#endif
