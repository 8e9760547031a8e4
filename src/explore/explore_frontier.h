/*
 * The open part of a search with source or persistent sets as data: what a checkpoint has, and what
 * goes from one process to another.
 *
 * The search tree has been explored up to its *frontier*: a set of *ways*, each the nodes from the
 * root to where a worker is.  Nodes that several ways go through are *shared*; they are listed
 * once, parents first.  The other nodes of a way are its own.  With the counts of what was explored
 * that is all of the search: what a machine does along a way is executed again.
 *
 * The bytes are never trusted.  What they say of the machine (which threads are enabled, in how
 * many ways a step can go) is compared with the machine when a way is taken (explore_keep.c).
 */
#ifndef HD_EXPLORE_FRONTIER_H
#define HD_EXPLORE_FRONTIER_H

#include "explore_source.h"

/* A node that several ways go through. */
typedef struct hd_explore_crossing {
    uint32_t parent; /* HD_EXPLORE_NONE: it is the root */
    uint32_t depth;
    hd_step step; /* from the parent */
    hd_explore_set enabled, inherited, sleep, explored, backtrack;
} hd_explore_crossing;

/* What a way knows of one of its nodes.  Of a shared one: the thread that it took there, whose
 * other choices it takes too, and what slept then.  Of its own: everything. */
typedef struct hd_explore_place_on_way {
    hd_step step; /* to the next node; the last one has none */
    uint32_t thread, choice, choices;
    bool failed;
    hd_explore_set sleep, inherited, explored, backtrack;
} hd_explore_place_on_way;

typedef struct hd_explore_way {
    uint32_t shared; /* so many of its nodes, from the first on */
    uint32_t last;   /* the last of these, among the crossings */
    HD_VEC(hd_explore_place_on_way) places;
} hd_explore_way;

typedef struct hd_explore_frontier {
    enum hd_explore_algorithm algorithm;
    uint32_t threads; /* of the machine */
    hd_explore_result counts;
    HD_VEC(hd_explore_crossing) crossings;
    HD_VEC(hd_explore_way) ways;
} hd_explore_frontier;

void hd_explore_frontier_release(hd_explore_frontier *frontier);
void hd_explore_way_release(hd_explore_way *way);

void hd_explore_frontier_put(const hd_explore_frontier *frontier, hd_vec_char *to);

/* False if it is not one. */
bool hd_explore_frontier_get(hd_explore_frontier *frontier, hd_bytes *from);

/* All counts of `part` are added. */
void hd_explore_counts_add(hd_explore_result *sum, const hd_explore_result *part);

#endif
