/*
 * Shared nodes of an optimal search: several workers on one search with wakeup trees.
 *
 * A worker that gives work away makes the nodes from the root to the shallowest one
 * with something left to explore *shared*.  From a shared node every worker below it may take the
 * first branch, with the tree below that; its step sleeps for who takes one later.  What races add
 * there is inserted by the worker that finds them; it comes by later, on its way up, and takes what
 * no other took.
 *
 * None is explored twice, for that is what sleep sets see to, and no trace is lost.  Alone, a
 * worker need not insert a sequence v at a node if a thread that sleeps there is independent of all
 * of v (a weak initial that is not in v): what that thread's step led to has been explored, and
 * where one of its races comes to v at last, that was inserted further up, and so is in the trees
 * of all nodes since.  Where others are still below a shared node, such a sequence may be found
 * only after the branch that it would follow was taken.  So who takes a branch then finds by itself
 * what comes of it: its sleepers are *unguided* (explore_optimal.h), and only a thread that begins
 * v speaks against v.  Then some runs may end where all threads sleep, which one worker never sees.
 * At the shared node itself all that was taken counts as if it had been explored.
 */
#ifndef HD_EXPLORE_OPTIMAL_SHARE_H
#define HD_EXPLORE_OPTIMAL_SHARE_H

#include "explore_crew.h"
#include "explore_optimal.h"

/* A node that more than one worker may explore from, and the way to it. */
typedef struct hd_explore_optimal_shared {
    struct hd_explore_optimal_shared *parent;
    atomic_uint users; /* workers that have it on their way, children, the queue */
    uint32_t depth;
    hd_step step; /* from the parent */
    hd_explore_set enabled;
    hd_explore_set unguided; /* as that of the node */
#if HD_EXPLORE_WORDS == 1
    _Atomic /* so that it can be read without the lock */
#endif
        hd_explore_set asleep; /* threads of which every choice sleeps; it only grows */
    pthread_mutex_t lock;      /* of what follows, and of writing to it */
    HD_VEC(hd_explore_tree_step)
    partial;              /* as those of the search; an operation is EVERYTHING, or that which
                             the thread has at the node: 0 */
    hd_explore_tree tree; /* a pool of its own */
    uint32_t first;       /* branch, of those that no worker has taken */
    uint32_t spread;      /* as that of the node */
} hd_explore_optimal_shared;

/* A worker is hungry: the shallowest node of ours with something left is for all. */
void hd_explore_optimal_share_give(hd_explore_optimal_search *optimal);

/* Goes to a shared node, as if the worker had come there by itself.  If the machine does not follow
 * it is in its first state, and the search stops. */
void hd_explore_optimal_share_go_to(hd_explore_optimal_search *optimal,
                                    hd_explore_optimal_shared *shared);

/* What comes of the first branch of a shared node. */
typedef struct hd_explore_optimal_taken {
    uint32_t tree;          /* below the branch, in the pool of the search */
    hd_explore_set asleep;  /* after the step, */
    uint32_t first_partial; /* and in optimal.partial */
    enum hd_machine_result result;
} hd_explore_optimal_taken;

/* From the node on top, which is shared: takes the step of its first branch.  False if none is
 * left. */
bool hd_explore_optimal_share_take(hd_explore_optimal_search *optimal,
                                   hd_explore_optimal_taken *taken);

/* The sequence, at a shared node of the path, unless it was explored from there. */
void hd_explore_optimal_share_insert(hd_explore_optimal_search *optimal, uint32_t depth);

/* A user less: it was on a worker's way, or in the queue. */
void hd_explore_optimal_share_leave(hd_explore_optimal_shared *shared);

static inline hd_explore_set hd_explore_optimal_share_asleep(hd_explore_optimal_shared *shared) {
#if HD_EXPLORE_WORDS == 1
    return shared->asleep;
#else
    hd_mem_lock(&shared->lock);
    hd_explore_set asleep = shared->asleep;
    hd_mem_unlock(&shared->lock);
    return asleep;
#endif
}

#endif
