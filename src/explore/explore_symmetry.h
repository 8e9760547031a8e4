/*
 * Threads that are interchangeable are explored up to permutation.
 *
 * Threads of a *class* do the same: if they exchange their names in an execution, that is an
 * execution too, and it fails if the first one does.  So it is enough to explore, of all executions
 * that differ only in such names, one.  The first step of a thread at one of some places of its
 * text (below) is its *milestone*; explored are the executions in which milestones of a class come
 * in the order of the threads' numbers.  Every other one is one of these with other names.
 *
 *   program P              threads as they are
 *   program P'             the same; but a milestone waits for that of the thread before it in its
 *                          class, and is ordered after it
 *
 * P' is a program like others, and source sets and persistent sets explore all of its traces.  Two
 * milestones of a class that follow each other are in no race that could be reversed; if their
 * accesses are a data race, they still are one.  A run that ends while a milestone waits is no
 * execution of P, and counts as blocked.
 *
 * Which places count is the same for all threads of a class, so any will do; it is best if they
 * meet there.  Those count at which, in one execution before the search, a thread wrote to a
 * location, or took a lock, that others of its class use too, whatever a thread does there this
 * time; if there are none, all places count.
 *
 * A class has a *token*, a location that only milestones access.  Tokens have the first numbers:
 * those of the machine's locations come after them (path->tokens).
 *
 * Of real programs the machine knows which threads run the same function and inherit the same.
 * What else would tell them apart is checked at each step: between the steps that create them their
 * creator must do nothing else, they must be created as they were in other executions, and a step
 * that comes after joins of some of them must come after joins of all.  Otherwise the search ends,
 * and the result says why (`differs`).
 */
#ifndef HD_EXPLORE_SYMMETRY_H
#define HD_EXPLORE_SYMMETRY_H

#include "explore_path.h"

typedef struct hd_explore_symmetry {
    uint32_t *class_of;  /* of a thread; HD_EXPLORE_NONE: it is in none */
    uint32_t *before;    /* the thread before it in its class; HD_EXPLORE_NONE: it is the first */
    uint32_t *milestone; /* number of its event, 0: none yet */
    uint32_t *creator;   /* of a class; HD_EXPLORE_NONE: its threads are there from the start */
    hd_explore_set *members; /* of a class */
    hd_explore_set *joined;  /* by a thread, or by those that it joined: threads that have ended */
    HD_VEC(hd_explore_set) joined_before; /* of the thread of each event, before it */
    uint32_t partial;     /* before the last step: a class of which its creator had created some, */
    hd_explore_set there; /* namely these; HD_EXPLORE_NONE: there was none */
    hd_map own_places;    /* positions that count, */
    const hd_map *places; /* or those of the first worker; if there are none, all count */
    const char *broken;   /* they turned out not to be interchangeable; NULL: they are */
} hd_explore_symmetry;

/* The path, which has no events, is one of P' from now on, if there are such threads.  For another
 * worker: with the places of the first one. */
void hd_explore_symmetry_begin(hd_explore_path *path, const hd_explore_symmetry *first);
void hd_explore_symmetry_release(hd_explore_path *path);

/* Is the operation, which the machine would take next, its thread's milestone? */
bool hd_explore_symmetry_marks(const hd_explore_path *path, uint32_t thread,
                               const hd_machine_operation *operation);

/* Must this milestone wait? */
bool hd_explore_symmetry_holds(const hd_explore_path *path, uint32_t thread);

/* Number of the event that a milestone waited for; 0: the operation is no milestone,
 * or the first one. */
uint32_t hd_explore_symmetry_before(const hd_explore_path *path,
                                    const hd_explore_operation *operation);

/* Before a step; after it, and when the next operations are known; and before it is taken back. */
void hd_explore_symmetry_check(hd_explore_path *path, const hd_explore_operation *operation);
void hd_explore_symmetry_passed(hd_explore_path *path, uint32_t event);
void hd_explore_symmetry_created(hd_explore_path *path);
void hd_explore_symmetry_forget(hd_explore_path *path, uint32_t event);

/* After the search: how threads turned out not to be interchangeable in runs that the path does not
 * show, those of other workers; NULL: they are. */
const char *hd_explore_symmetry_end(const hd_explore_path *path);

/* Does a thread of the path wait for another's milestone? */
bool hd_explore_symmetry_waits(const hd_explore_path *path);

#endif
