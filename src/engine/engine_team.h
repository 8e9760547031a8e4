/*
 * The question explore, asked of a team of processes (room team): one leads the search
 * (explore_team.h) and gives the answer, the others explore for it.
 *
 * Every process has read the same input with the same options.  Of a program they must also know
 * the same: the lead says what it has learnt, and a member that learns more says so; then all begin
 * anew, as a search that goes on alone does.
 */
#ifndef HD_ENGINE_TEAM_H
#define HD_ENGINE_TEAM_H

#include "engine_explore.h"
#include "team/team.h"

/* Messages.  To members: begin, with a number of the beginning and what is known of the program; a
 * unit; give nodes; report and stop; it is over.  To the lead: nothing to do; a report; enough was
 * found; the program is another; it stopped; it cannot go on, and why; it does no more pieces; the
 * last word. */
enum hd_engine_word {
    HD_ENGINE_BEGIN = 1,
    HD_ENGINE_UNIT,
    HD_ENGINE_GIVE,
    HD_ENGINE_HALT,
    HD_ENGINE_OVER,
    HD_ENGINE_READY,
    HD_ENGINE_REPORT,
    HD_ENGINE_FOUND,
    HD_ENGINE_NEWS,
    HD_ENGINE_LEFT,
    HD_ENGINE_BROKEN,
    HD_ENGINE_IDLE,
    HD_ENGINE_BYE
};

/* Can this question be asked of a team? */
bool hd_engine_team_can(const hd_engine_exploration *e, hd_error *error);

/* The lead's search, for hd_engine_explore_search. */
bool hd_engine_team_lead(hd_engine_exploration *e, hd_error *error);

/* A member's work, until the lead says that it is over. */
bool hd_engine_team_serve(hd_engine_exploration *e, hd_error *error);

/* The lead was told that a member has died: a warning. */
void hd_engine_team_lost(int member);

/* All go home, which each process must call.  A member that did not serve to the end tells the lead
 * what was wrong. */
void hd_engine_team_over(bool served, const hd_error *error);

#endif
