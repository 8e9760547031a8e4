/*
 * The state of an optimal search (explore_optimal.c), for the two halves of its
 * algorithm: exploring, and what the races of an execution leave to be explored
 * (explore_optimal_races.c).
 */
#ifndef HD_EXPLORE_OPTIMAL_H
#define HD_EXPLORE_OPTIMAL_H

#include "explore_search.h"
#include "explore_tree.h"

/* The state before event i of the path, for node i. */
typedef struct hd_explore_optimal_node {
    struct hd_explore_optimal_shared *shared; /* then what sleeps, and the tree, are there */
    hd_explore_set asleep;                    /* threads of which every choice sleeps */
    hd_explore_set unguided;   /* of these, the ones that no wakeup tree led here to wake up */
    uint32_t first_partial;    /* in optimal.partial, up to those of the next node */
    uint32_t tree;             /* first branch */
    uint32_t choices;          /* of the operation being explored */
    uint32_t spread;           /* the last thread, plus 1, of whose ways all were added */
    hd_explore_tree_step step; /* being explored */
    uint32_t section;          /* in optimal.sections, HD_EXPLORE_NONE: not in one */
    uint32_t taken; /* operation of the section being explored, HD_EXPLORE_NONE: a branch is */
    bool failed;    /* the step being explored failed */
    bool all;       /* all that can go on is explored from it, whatever is in its tree */
    uint64_t since; /* executions when it was opened */
    hd_explore_walk_state walk, after;
} hd_explore_optimal_node;

typedef struct hd_explore_optimal_search {
    hd_explore_search *search;
    HD_VEC(hd_explore_optimal_node) nodes;
    uint32_t shared; /* so many of them, from the first on */
    HD_VEC(hd_explore_tree_step)
    partial; /* explored ways of operations that have more;
                failed steps */
    hd_explore_tree tree;
    hd_explore_reverser reverser;
    uint32_t fresh; /* events of the path from here on are new since its last end */

    bool eager, briefly;
    HD_VEC(hd_explore_section) sections;
    uint32_t section_number;
} hd_explore_optimal_search;

/* The next step of a thread, in its first way. */
static inline hd_explore_tree_step hd_explore_optimal_next(hd_explore_optimal_search *optimal,
                                                           uint32_t thread) {
    uint32_t operation = optimal->search->path.next[thread];
    return (hd_explore_tree_step){thread, 0, hd_explore_tree_intern_at(&optimal->tree, operation)};
}

/* Where the node's own in optimal.partial end. */
static inline uint32_t hd_explore_optimal_partial_end(const hd_explore_optimal_search *optimal,
                                                      uint32_t depth) {
    return depth + 1 < optimal->nodes.length ? optimal->nodes.data[depth + 1].first_partial
                                             : (uint32_t)optimal->partial.length;
}

/* Sets the reverser up. */
void hd_explore_optimal_races_init(hd_explore_optimal_search *optimal);

/* All races of the execution, which has come to an end, and of the operations that
 * some threads did not come to. */
void hd_explore_optimal_races(hd_explore_optimal_search *optimal, hd_explore_set pending);

/* The step of the node on top has failed, and is the last event of the path. */
void hd_explore_optimal_failed(hd_explore_optimal_search *optimal);

#endif
