/*
 * Sections of machines that know nothing ahead, as real programs: what threads did in earlier
 * executions of the search is assumed to be what they do again, and execution says whether it is.
 *
 * Every thread has a tree of histories: a node is an operation after others of the same thread.
 * After a history that went on in one way whenever it was met, the thread is assumed to go on so
 * whatever the values are that it reads.  That gives the list of operations that a section is made
 * of (hd_machine_type.ahead, explore_section.h).
 *
 * Nothing rests on an assumption.  Every order of a section is executed, and an operation is taken
 * as one of the section only after it was compared with the list: the same place in the program,
 * the same accesses, enabled, not failing.  If all are, then the section has what sections must
 * have, for this argument.  Let w be an order of some of its operations, with the first ones of
 * each thread, of which all but the last, e, are known to be possible and as listed.  The walk
 * takes some order v of a trace that begins with w, so it compared e there.  The operations before
 * e in happens-before are the same in v and w, with the same accesses, in the same order where they
 * depend on each other; so the thread has read the same, and e accesses the same values; so it is
 * the same operation after w.
 *
 * If one is not as listed, the section is *taken back*: from every node of the path that is in it
 * all enabled threads are explored that do not sleep.  What sleeps there was explored to the end,
 * with a part of the section that has passed: the same argument is one for each node that is
 * done with, as what sleeps at it was done with before.  The place in the program where it
 * differed is marked, so that later sections end there; and so is a place after whose operation a
 * history went on in two ways.
 *
 * Threads that are created in a section are in it, and what comes after a join is in it if the
 * threads that it joins end there (hd_explore_section.needs).
 *
 * Not in lists: operations that go in several ways, end the program while others run, fail, wait
 * for values, or yield; what comes after a history that was seen to wait for something that is
 * neither a lock nor the end of threads; and the taking of a lock that another thread has.
 */
#ifndef HD_EXPLORE_LEARNT_H
#define HD_EXPLORE_LEARNT_H

#include "explore_path.h"

struct hd_explore_search;

/* How an operation was not as listed. */
enum hd_explore_deviation {
    HD_EXPLORE_AS_LISTED,
    HD_EXPLORE_OTHER,   /* another operation, or none */
    HD_EXPLORE_WAITS,   /* it is not enabled */
    HD_EXPLORE_UNWANTED /* it failed, hung, ended the program, or goes in several ways */
};

struct hd_explore_learnt *hd_explore_learnt_new(uint32_t threads);
void hd_explore_learnt_free(struct hd_explore_learnt *learnt);

/* The last event of the path was taken. */
void hd_explore_learn_event(hd_explore_path *path, enum hd_machine_result result);

/* Has the thread ended, or the whole program with it? */
bool hd_explore_learnt_ended(const hd_explore_path *path, uint32_t thread);

/* The thread's next operation is not enabled. */
void hd_explore_learn_wait(const hd_explore_path *path, uint32_t thread);

/* The thread is there from the last event on; and after which node it was there before, or
 * HD_EXPLORE_NONE. */
void hd_explore_learn_birth(const hd_explore_path *path, uint32_t thread);
uint32_t hd_explore_learnt_birth(const hd_explore_path *path, uint32_t thread);

/* What a thread is assumed to do next, as hd_machine_type.ahead; until it is asked for again. */
typedef struct hd_explore_list {
    const hd_machine_ahead *entries; /* the last is `last` if the thread ended after it */
    const uint32_t *nodes;
    const hd_explore_set *joins; /* threads that have to end before an entry */
    uint32_t count;
} hd_explore_list;

hd_explore_list hd_explore_learnt_ahead(hd_explore_path *path, uint32_t thread);

/* Is the thread's next operation that of a node, and can it be taken?  If not, that is marked. */
bool hd_explore_learnt_holds(const hd_explore_path *path, uint32_t thread, uint32_t node);

/* The same of a machine that is walked without the path, and without marking anything, so that
 * several workers may ask at a time. */
enum hd_explore_deviation hd_explore_learnt_compare_now(const hd_explore_path *path,
                                                        uint32_t thread, uint32_t node);

/* The node's operation was not as listed. */
void hd_explore_learnt_mark(const hd_explore_path *path, uint32_t node,
                            enum hd_explore_deviation how);

/* Some executions, of which nothing is counted but the steps and checks. */
void hd_explore_learn(struct hd_explore_search *search);

#endif
