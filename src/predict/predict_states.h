/*
 * Goes through the states of a program, not its schedules, without executing it.  Points of a
 * thread with the same state are one (hd_predict_simulator.merges), so what the runs have shown is
 * an automaton for each thread: from a point, by what its operation finds, to the next one.  A
 * state is the point of every thread, with the cells and who was notified.  The search goes depth
 * first, and into each state once.  Where it is not known what a step does, the caller executes a
 * run that takes it, and the search goes on with what that showed.
 *
 * Only a hash of 64 bits of each state is kept.  What a thread depends on besides its stack, its
 * registers and its history of stores is not in its state.  So this finds failures, each to be
 * executed; it proves nothing.
 *
 * *Idle* cells: what the threads find there makes no difference to them, as far as is known; a
 * counter that nobody looks at is one.  Their contents are no part of a state, and a step there is
 * taken at once, before those of other threads.
 */
#ifndef HD_PREDICT_STATES_H
#define HD_PREDICT_STATES_H

#include "predict_simulate.h"

/* A state on the way to the current one, and what is left to do there. */
typedef struct hd_predict_visit {
    uint64_t hash;
    uint64_t left;            /* threads whose step was not taken yet */
    uint32_t choice, choices; /* of the current one */
    uint32_t thread;
} hd_predict_visit;

typedef struct hd_predict_states {
    hd_predict_simulator *simulator;
    uint64_t *known;          /* hashes of states; open addressing, linear probing */
    size_t count, room, most; /* most: of states that are kept */
    HD_VEC(hd_predict_visit) visits;
    heddle_wire_decision wanted; /* the step that is not known */
    uint64_t seed;               /* of the order in which threads are taken */
    size_t depth;                /* steps of a path, at most */
    bool idles;                  /* cells may be idle */
    bool cut, drops;             /* a path was longer; a step stays unknown */
    hd_map bad;                  /* steps that fail, by hash */
} hd_predict_states;

enum hd_predict_states_end {
    HD_PREDICT_STATES_ALL,     /* all were visited, up to the depth */
    HD_PREDICT_STATES_FULL,    /* there is no room for more */
    HD_PREDICT_STATES_PAUSED,  /* the work is done */
    HD_PREDICT_STATES_UNKNOWN, /* a step: the run of the simulator, and then `wanted` */
    HD_PREDICT_STATES_STUCK    /* no thread can go on after the run of the simulator */
};

/* Begins at the first state, with the limits, the seed and `idles` as they are set. */
void hd_predict_states_begin(hd_predict_states *s);
void hd_predict_states_release(hd_predict_states *s);

/* Takes at most that many steps; `work` is what is left of them. */
enum hd_predict_states_end hd_predict_states_go_on(hd_predict_states *s, uint64_t *work);

/* A run was made, and learnt from: the simulator comes back to where the search is.  If it `failed`
 * in the wanted step, that is not asked for again where it would be the same. */
enum hd_predict_states_back {
    HD_PREDICT_STATES_LOST,  /* the simulator cannot come back: the search has to begin again */
    HD_PREDICT_STATES_KNOWS, /* what the step does, or how it fails */
    HD_PREDICT_STATES_DROPS  /* it is not known even now, and left out */
};
enum hd_predict_states_back hd_predict_states_return(hd_predict_states *s, bool wanted,
                                                     bool failed);

/* What is known of steps that fail is forgotten. */
void hd_predict_states_forget(hd_predict_states *s);

/* predict_states_idle.c: finds the idle cells, or says that there are none. */
void hd_predict_states_judge(hd_predict_simulator *simulator, bool idles);

/* predict_states_rounds.c: leaves out steps of a run that starts at the first state: rounds after
 * which a thread is where it was and that changed nothing. */
typedef HD_VEC(heddle_wire_decision) hd_predict_path;
void hd_predict_states_shorten(hd_predict_simulator *simulator, hd_predict_path *path);

#endif
