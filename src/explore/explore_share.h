/*
 * Shared nodes: several workers on one search with source or persistent sets.
 *
 * A worker that gives work away makes the nodes from the root to the shallowest one
 * with something left to explore *shared*.  From a shared node every worker below it
 * may take the next thread; those taken before sleep.  Races are entered there by
 * the worker that finds them; it comes by later, on its way up, and takes what
 * no other took.
 */
#ifndef HD_EXPLORE_SHARE_H
#define HD_EXPLORE_SHARE_H

#include "explore_crew.h"
#include "explore_frontier.h"
#include "explore_source.h"

/* A node that more than one worker may explore from, and the way to it. */
typedef struct hd_explore_shared {
    struct hd_explore_shared *parent;
    atomic_uint users; /* workers that have it on their way, children, the queue */
    uint32_t depth;
    hd_step step; /* from the parent */
    bool foreign; /* another process has it (explore_team.h): what races add is told to that */
    hd_explore_set enabled, inherited;
#if HD_EXPLORE_WORDS == 1
    _Atomic /* so that it can be read without the lock */
#endif
        hd_explore_set known; /* backtrack | sleep; it only grows */
    uint32_t number;          /* scratch, while the search is kept: of its crossing + 1 */
    pthread_mutex_t lock;     /* of what follows */
    hd_explore_set sleep, explored, backtrack;
} hd_explore_shared;

/* What its own way knows of a node; the step is for those who know the way. */
static inline hd_explore_place_on_way hd_explore_place_of(const hd_explore_source_node *node) {
    return (hd_explore_place_on_way){.thread = node->thread,
                                     .choice = node->choice,
                                     .choices = node->choices,
                                     .failed = node->failed,
                                     .sleep = node->sleep,
                                     .inherited = node->inherited,
                                     .explored = node->explored,
                                     .backtrack = node->backtrack};
}

/* What a worker takes: a shared node, or a way that was kept, which joins there; NULL: it has no
 * shared node. */
typedef struct hd_explore_source_item {
    hd_explore_shared *shared;
    hd_explore_way *way; /* NULL: only the node */
} hd_explore_source_item;

/* A worker is hungry: the shallowest node of ours with something left is for all. */
void hd_explore_share_give(hd_explore_source_search *source);

/* The shallowest node that is not shared and has something left; false: no node has. */
bool hd_explore_share_find(const hd_explore_source_search *source, uint32_t *found);

/* Goes to a shared node, as if the worker had come there by itself.  False if the machine does not
 * follow: then it is in its first state. */
bool hd_explore_share_go_to(hd_explore_source_search *source, hd_explore_shared *shared);

/* From the node on top, which is shared: takes the step of its next thread, or the next
 * choice of ours, with what sleeps after it.  False if none is left. */
bool hd_explore_share_take(hd_explore_source_search *source, hd_explore_set *sleep,
                           enum hd_machine_result *result);

/* A user less: it was on a worker's way, or in the queue. */
void hd_explore_share_leave(hd_explore_shared *shared);

/* What a race adds to the threads to be explored from there. */
void hd_explore_share_add(const hd_explore_source_search *source, hd_explore_shared *shared,
                          const hd_explore_source_addition *addition);

/* All that are enabled there are to be explored. */
void hd_explore_share_add_all(const hd_explore_source_search *source, hd_explore_shared *shared);

/* ---- Searches that are kept (explore_keep.c) ---- */

/* A shared node, below its parent, with one user. */
hd_explore_shared *hd_explore_share_make(const hd_explore_crossing *crossing,
                                         hd_explore_shared *parent);

/* Where the worker is, as the bytes of a frontier. */
void hd_explore_keep_way(const hd_explore_source_search *source, hd_vec_char *to);

/* Goes to the end of a way. */
bool hd_explore_keep_go_to(hd_explore_source_search *source, hd_explore_source_item *item);
void hd_explore_keep_go_on(hd_explore_source_search *source); /* the only one */

/* Takes a step of a way; false if the machine cannot. */
bool hd_explore_keep_follow(hd_explore_source_search *source, hd_step step);

/* Back to the first state, without nodes. */
void hd_explore_keep_leave(hd_explore_source_search *source);

/* The items that the search goes on with. */
void hd_explore_keep_items(hd_explore_search *search, hd_explore_items *items);
void hd_explore_keep_drop(void *dropped);

/* Keeps the search of one worker; of a crew, while all wait. */
void hd_explore_keep_alone(hd_explore_source_search *source);
void hd_explore_keep_crew(const hd_explore_search *search, const hd_explore_crew *crew);

static inline hd_explore_set hd_explore_share_known(hd_explore_shared *shared) {
#if HD_EXPLORE_WORDS == 1
    return shared->known;
#else
    hd_mem_lock(&shared->lock);
    hd_explore_set known = shared->known;
    hd_mem_unlock(&shared->lock);
    return known;
#endif
}

#endif
