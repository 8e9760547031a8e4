/*
 * Simulates the steps of an explored program: what each step finds, what it changes, which point
 * its thread reaches (predict_learnt.h), and which threads can go on.  A step that the program
 * executed can be simulated along its log: then what is new is learnt, and what is known must be
 * the same.
 */
#ifndef HD_PREDICT_SIMULATE_H
#define HD_PREDICT_SIMULATE_H

#include "launch/launch.h"
#include "predict_learnt.h"
#include "predict_memory.h"

/* *Looks*: words that a thread reads without a step once it is the only one left
 * (heddle_wire_look), before its next point. */
typedef struct hd_predict_looked {
    uint32_t count;
    uint32_t cell[HEDDLE_WIRE_LOOKS_KEPT];
    uint64_t threads; /* the threads that wrote them */
} hd_predict_looked;

/* What a run wrote to standard output, as in its log. */
typedef struct hd_predict_output {
    hd_vec_char first;
    uint64_t wrote, sum;
} hd_predict_output;

/* The state of a run, except cells and points.  Threads are bits. */
typedef struct hd_predict_moment {
    uint64_t live, bound, opaque; /* threads at a point; those that may have to wait; those that
                                     cannot be simulated */
    uint64_t ended, counted, stepped, signalled;
    uint32_t births, joins; /* `counted`: the threads that were joined */
    uint32_t old, nexts;    /* lengths of the vectors */
} hd_predict_moment;

/* The old value of something else that a step changed. */
typedef struct hd_predict_old {
    enum { HD_PREDICT_OLD_POINT, HD_PREDICT_OLD_JOINED, HD_PREDICT_OLD_CELL } what;
    uint32_t number;
    uint64_t word;
    hd_predict_content content;
} hd_predict_old;

/* A log that the run was written to, and how many of its steps are still the same. */
typedef struct hd_predict_written {
    uint64_t number; /* hd_launch_log.predicted; 0: there is no such log */
    size_t steps;
} hd_predict_written;

/* Programs with more threads are not predicted: sets of threads are one word here. */
enum { HD_PREDICT_THREADS = 64 };

enum { HD_PREDICT_WRITTEN = 4 };

/* What is found in an idle cell, for the way that leads on from there. */
#define HD_PREDICT_IDLE UINT64_C(0x1d1e9e3779b97f4a)

typedef struct hd_predict_simulator {
    hd_predict_learnt learnt;
    hd_predict_cells cells;
    HD_VEC(hd_predict_looked) looked;
    HD_VEC(hd_predict_output) outputs;

    HD_VEC(heddle_wire_step) steps; /* of the current run */
    HD_VEC(heddle_wire_next) nexts;
    HD_VEC(hd_predict_moment) moments; /* before each step */
    HD_VEC(hd_predict_old) old;
    hd_predict_moment now;
    hd_predict_written written[HD_PREDICT_WRITTEN]; /* the last ones */
    uint64_t predictions;                           /* how many logs were written */
    uint32_t output;                                /* that it ended with, from 1; 0: none */
    uint32_t at[HD_PREDICT_THREADS];                /* points; 0: not created yet */
    bool apart;         /* the start and the end of a thread, and every join, are steps of their own
                           (HEDDLE_WIRE_ENDS_APART) */
    bool merges;        /* points of a thread with the same state are one */
    bool stale;         /* some were that are not: they must be learnt again */
    bool lasts;         /* a run ended as its last thread did: it matters which that is */
    uint64_t looked_at; /* threads whose own memory the one that is left looks at: those that ended
                           in different states are not one */
    uint64_t joined[HD_PREDICT_THREADS]; /* as heddle_wire_next.joined */
    uint32_t holds[HD_PREDICT_THREADS];  /* mutexes and spin locks */

    const char *wrong; /* what contradicts earlier runs; NULL: nothing */
} hd_predict_simulator;

/* A step of a run that was executed. */
typedef struct hd_predict_sight {
    const hd_launch_log *log;
    const heddle_wire_looks *looks;
    const heddle_wire_step *step;
    uint32_t next, end; /* operations after the step that were not reached yet */
} hd_predict_sight;

void hd_predict_simulate_clear(hd_predict_simulator *r);
void hd_predict_simulate_release(hd_predict_simulator *r);

/* Takes a step of the thread.  Returns false, and changes nothing, if it is not known what the step
 * does.  With `seen`, that is learnt. */
bool hd_predict_simulate_step(hd_predict_simulator *r, heddle_wire_decision decision,
                              hd_predict_sight *seen);

/* Goes back to the state after that many steps. */
void hd_predict_simulate_back(hd_predict_simulator *r, size_t steps);

static inline const hd_predict_point *hd_predict_simulate_point(const hd_predict_simulator *r,
                                                                uint32_t thread) {
    return &r->learnt.points.data[r->at[thread]];
}

/* predict_simulate_state.c: changes that are undone with the step: of a cell, of the threads that a
 * thread has joined since its last step, and of the point it is at. */
hd_predict_cell *hd_predict_simulate_change(hd_predict_simulator *r, uint32_t number);
void hd_predict_simulate_joined(hd_predict_simulator *r, uint32_t thread, uint64_t threads);
void hd_predict_simulate_arrive(hd_predict_simulator *r, uint32_t thread, uint32_t number);

/* Likewise: the number of what the run wrote; false if there are too many to be kept. */
bool hd_predict_simulate_output(hd_predict_simulator *r, const hd_launch_log *log,
                                uint32_t *number);

/* predict_simulate_objects.c: what the operation of a point finds at an object, and what it changes
 * there; false if that cannot be simulated.  And whether it would succeed; false if that is not
 * known. */
bool hd_predict_simulate_object(hd_predict_simulator *r, uint32_t thread,
                                const hd_predict_point *point, uint32_t choice,
                                const heddle_wire_step *seen, uint64_t *found);
bool hd_predict_simulate_would(const hd_predict_simulator *r, uint32_t thread,
                               const hd_predict_point *point, bool *available);

/* Likewise: the threads that a notification at this point may wake. */
uint64_t hd_predict_simulate_waiters(const hd_predict_simulator *r, const hd_predict_point *point);

/* predict_simulate_vain.c: where no thread can go on, does one of them wait in vain
 * (HEDDLE_WIRE_IN_VAIN), as far as is known?  And what a run shows that ended there. */
bool hd_predict_simulate_vain(hd_predict_simulator *r);
void hd_predict_simulate_rounds(hd_predict_simulator *r, const hd_launch_log *log);

/* --- a thread that is alone (predict_simulate_alone.c) --------------------------------------- */

/* Notes of which threads memory is looked at in a run. */
void hd_predict_simulate_note(hd_predict_simulator *r, const heddle_wire_looks *looks);

/* Enters what the thread looked at during the last step so far; false: there is too much. */
bool hd_predict_simulate_looks(hd_predict_simulator *r, uint32_t thread,
                               const heddle_wire_looks *looks);

/* What it finds, including what it looks at. */
uint64_t hd_predict_simulate_alone(const hd_predict_simulator *r, uint32_t thread, uint64_t found);

/* What it finds where the process ends with its last thread: who else is there, if none of them
 * surely is afterwards, as all wait to join. */
uint64_t hd_predict_simulate_last(const hd_predict_simulator *r, uint32_t thread, uint64_t found);

#endif
