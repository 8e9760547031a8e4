/*
 * The state of a search with source sets or persistent sets (explore_source.c), for
 * the parts of its algorithm: exploring, what races leave to be explored
 * (explore_source_races.c), and nodes that several workers share (explore_share.h).
 */
#ifndef HD_EXPLORE_SOURCE_H
#define HD_EXPLORE_SOURCE_H

#include "explore_search.h"
#include "explore_section.h"

/* The state before event i of the path, for node i. */
typedef struct hd_explore_source_node {
    struct hd_explore_shared *shared; /* then inherited, explored and backtrack are there */
    hd_explore_set inherited;         /* threads that slept when the node was opened */
    hd_explore_set sleep; /* initially, and the threads explored from here, but for those that
                       failed: a failing step depends on every other.  Of a shared node:
                       what slept when the thread being explored was taken */
    hd_explore_set explored;
    hd_explore_set backtrack; /* threads to be explored from here */
    hd_explore_set scheduled; /* of these, the ones that the walk through a section takes */
    hd_explore_set announced; /* of these, the ones that the machine was told of */
    uint32_t thread;          /* being explored */
    uint32_t choice, choices; /* none yet: 0, 0 */
    bool failed;
    uint64_t since;   /* executions when it was opened */
    uint32_t section; /* in source.sections; HD_EXPLORE_NONE: not in one */
    hd_explore_walk_state walk, after;
} hd_explore_source_node;

/* One worker's part of the search. */
typedef struct hd_explore_source_search {
    hd_explore_search *search;
    HD_VEC(hd_explore_source_node) nodes;
    uint32_t shared; /* so many of them, from the first on */
    hd_vec_u32 late; /* events whose races are looked at only at the end of a run */
    hd_explore_reverser awaits;
    bool persistent; /* dpor instead of sdpor */

    bool eager, briefly;
    HD_VEC(hd_explore_section) sections;
    uint32_t section_number;
} hd_explore_source_search;

/* Threads that are still to be explored from the node. */
static inline hd_explore_set hd_explore_source_left(const hd_explore_source_node *node,
                                                    hd_explore_set enabled) {
    return node->backtrack & ~node->sleep & ~node->explored & enabled;
}

/* The thread's step, with `sleep` where it is taken, and then after it.  If what it
 * races with is to be looked at only at the end, it is noted in source->late. */
enum hd_machine_result hd_explore_source_take(hd_explore_source_search *source, uint32_t thread,
                                              uint32_t choice, hd_explore_set *sleep);

/* Takes the last event back. */
void hd_explore_source_step_back(hd_explore_source_search *source);

/* What the search will ask for, beside the step that is being taken (explore_source_upcoming.c); as
 * hd_machine.wishes. */
uint32_t hd_explore_source_upcoming(void *searcher, bool guesses, hd_machine_wish *list,
                                    uint32_t most);

/* ---- Races (explore_source_races.c) ---- */

/* What a race adds to the threads to be explored from a node; `initials` are asked for
 * only where they count. */
typedef struct hd_explore_source_addition {
    uint32_t thread;
    bool first_varies;
    hd_explore_set initials;
} hd_explore_source_addition;

/* Adds it at a node that is not shared. */
void hd_explore_source_add(const hd_explore_source_search *source, hd_explore_source_node *node,
                           hd_explore_set enabled, const hd_explore_source_addition *addition);

/* Sets the reverser of awaits up. */
void hd_explore_source_races_init(hd_explore_source_search *source);

/* The races of an event of the path, from 0 on. */
void hd_explore_source_races(hd_explore_source_search *source, uint32_t number);

/* At any end of a run: races of the operations that some threads did not come to, and of
 * those whose accesses depend on the state.  What such an operation does elsewhere may
 * depend on events that came only later in this run, so the whole run is used. */
void hd_explore_source_races_at_end(hd_explore_source_search *source, hd_explore_set pending);

#endif
