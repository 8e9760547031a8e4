/*
 * One search by several processes.  One *leads*: it has the part of the search tree that they
 * share, and what was counted.  The others are *members*: each explores a *unit*, a way in the tree
 * from some node on (explore_frontier.h), and tells the lead about it.
 *
 * A node belongs to one process at a time.  Nodes on the way to a unit are the lead's; what the
 * races of the member's executions add to them is told with the next report.  The nodes of the unit
 * are the member's own.  If others have nothing to do, it gives nodes back to the lead, from the
 * first of its own down to the shallowest one from which there is something left to explore; the
 * lead lends that node to another.  A node that is lent comes back when it is done with: what was
 * added to it meanwhile is explored then.
 *
 * Every report says all at once: what was counted and found since the last one, what is added to
 * nodes of the lead, which nodes are given back, and where in its unit the member is now.  (A
 * member that took one of several ways of an operation takes the others too, from a node that may
 * be the lead's by then; so it can come back to nodes above those that it gave.)  So what the lead
 * knows is the state of a search that could have been left there, and a member that dies has done
 * nothing since its last report.  The lead keeps this state in checkpoints, in the same form as a
 * process that searches alone.
 *
 * That each trace is completed once does not depend on who explores what: a thread that was taken
 * from a node sleeps for those that are taken later, and additions come before the node is closed,
 * as it is closed only when all units below it are done.
 */
#ifndef HD_EXPLORE_TEAM_H
#define HD_EXPLORE_TEAM_H

#include "explore_frontier.h"

/* What a race adds to a node of the lead. */
typedef struct hd_explore_told {
    uint32_t depth;
    bool gone; /* the member has left that node: another may be as deep */
    bool all;  /* every thread */
    hd_explore_source_addition addition;
} hd_explore_told;

/* A member's own part, inside hd_explore_member. */
typedef struct hd_explore_membership {
    bool lent;                         /* the first node of its own was lent to it */
    HD_VEC(hd_explore_told) told;      /* to the lead, or to be */
    size_t sent;                       /* of these */
    HD_VEC(hd_explore_crossing) given; /* nodes that it gives back with the next report */
    double reported;
} hd_explore_membership;

/* Something is added to a node of the lead. */
void hd_explore_member_add(hd_explore_search *search, uint32_t depth, bool all,
                           const hd_explore_source_addition *addition);

/* A node of the lead is left: nothing is added to it any more. */
void hd_explore_member_left(hd_explore_search *search, uint32_t depth);

/* The node that was lent is done with. */
void hd_explore_member_close(hd_explore_source_search *source, const hd_explore_source_node *node);

/* A last report, if the unit is done. */
void hd_explore_member_end(hd_explore_search *search);

/* Reports, and gives nodes back if they are wanted. */
void hd_explore_member_tell(hd_explore_source_search *source);

/* A node of ours as one of the tree: the thread that is being explored from it is explored. */
hd_explore_crossing hd_explore_crossing_of(const hd_explore_place_on_way *place,
                                           hd_explore_set enabled);

void hd_explore_set_put(hd_vec_char *to, hd_explore_set set);
hd_explore_set hd_explore_set_get(hd_bytes *from, uint32_t threads);
void hd_explore_crossing_put(hd_vec_char *to, const hd_explore_crossing *crossing);
void hd_explore_crossing_get(hd_explore_crossing *crossing, uint32_t threads, hd_bytes *from);

#endif
