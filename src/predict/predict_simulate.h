/*
 * The steps of an explored program, reckoned: what each finds, what it changes, where its thread
 * comes to then (predict_learnt.h), and who can go on.  A step that was done by the program can be
 * taken along its log: then what is new is learnt, and what is not must be as it was.
 */
#ifndef HD_PREDICT_SIMULATE_H
#define HD_PREDICT_SIMULATE_H

#include "launch/launch.h"
#include "predict_learnt.h"
#include "predict_memory.h"

/* What the thread that is left alone looks at before its next point. */
typedef struct hd_predict_looked {
    uint32_t count;
    uint32_t cell[HEDDLE_WIRE_LOOKS_KEPT];
    uint64_t threads; /* what these did */
} hd_predict_looked;

/* What a run wrote to standard output, as in its log. */
typedef struct hd_predict_output {
    hd_vec_char first;
    uint64_t wrote, sum;
} hd_predict_output;

/* How a run stands, as far as it is small.  Threads are bits. */
typedef struct hd_predict_moment {
    uint64_t live, bound, opaque; /* at a point; that may have to wait; that cannot be reckoned */
    uint64_t ended, counted, stepped, signalled;
    uint32_t births, joins; /* counted are those that were joined */
    uint32_t old, nexts;    /* how many there are */
} hd_predict_moment;

/* What a step changed otherwise. */
typedef struct hd_predict_old {
    enum { HD_PREDICT_OLD_POINT, HD_PREDICT_OLD_JOINED, HD_PREDICT_OLD_CELL } what;
    uint32_t number;
    uint64_t word;
    hd_predict_content content;
} hd_predict_old;

typedef struct hd_predict_simulator {
    hd_predict_learnt learnt;
    hd_predict_cells cells;
    HD_VEC(hd_predict_looked) looked;
    HD_VEC(hd_predict_output) outputs;

    HD_VEC(heddle_wire_step) steps; /* of the present run */
    HD_VEC(heddle_wire_next) nexts;
    HD_VEC(hd_predict_moment) moments; /* before each step */
    HD_VEC(hd_predict_old) old;
    hd_predict_moment now;
    uint32_t output;                       /* that it ended with, from 1 on; 0: none */
    uint32_t at[HEDDLE_WIRE_EXPLORED];     /* points; 0: not born */
    uint64_t joined[HEDDLE_WIRE_EXPLORED]; /* as heddle_wire_next.joined */
    uint32_t holds[HEDDLE_WIRE_EXPLORED];  /* mutexes and spin locks */

    bool lasts;        /* a run ended as its last thread did: it matters which that is */
    const char *wrong; /* something was not as it was before; NULL: nothing was */
} hd_predict_simulator;

/* A step of a run that was done. */
typedef struct hd_predict_sight {
    const hd_launch_log *log;
    const heddle_wire_looks *looks;
    const heddle_wire_step *step;
    uint32_t next, end; /* operations behind the step that were not met yet */
} hd_predict_sight;

void hd_predict_simulate_clear(hd_predict_simulator *r);
void hd_predict_simulate_release(hd_predict_simulator *r);

/* Takes a step of the thread; false, and nothing is changed, if it is not known what it does.
 * With a sight it is learnt. */
bool hd_predict_simulate_step(hd_predict_simulator *r, heddle_wire_decision decision,
                              hd_predict_sight *seen);

/* Back to where only so many steps were taken. */
void hd_predict_simulate_back(hd_predict_simulator *r, size_t steps);

static inline const hd_predict_point *hd_predict_simulate_point(const hd_predict_simulator *r,
                                                                uint32_t thread) {
    return &r->learnt.points.data[r->at[thread]];
}

/* predict_simulate_state.c: changes that are put back with the step.  A cell, which is about to be
 * changed; the threads that a thread has joined since its last step; the point it is at. */
hd_predict_cell *hd_predict_simulate_change(hd_predict_simulator *r, uint32_t number);
void hd_predict_simulate_joined(hd_predict_simulator *r, uint32_t thread, uint64_t threads);
void hd_predict_simulate_arrive(hd_predict_simulator *r, uint32_t thread, uint32_t number);

/* Likewise: the number of what the run wrote; false if there are too many to be kept. */
bool hd_predict_simulate_output(hd_predict_simulator *r, const hd_launch_log *log,
                                uint32_t *number);

/* predict_simulate_objects.c: what the operation of a point finds at an object, and what it changes
 * there; false if that cannot be reckoned.  And whether it
 * would succeed; false if that is not known. */
bool hd_predict_simulate_object(hd_predict_simulator *r, uint32_t thread,
                                const hd_predict_point *point, uint32_t choice,
                                const heddle_wire_step *seen, uint64_t *found);
bool hd_predict_simulate_would(const hd_predict_simulator *r, uint32_t thread,
                               const hd_predict_point *point, bool *available);

#endif
