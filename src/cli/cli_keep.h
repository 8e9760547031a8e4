/*
 * The options of searches that are kept in a file (engine_keep.h).
 */
#ifndef HD_CLI_KEEP_H
#define HD_CLI_KEEP_H

#include "cli.h"
#include "engine/engine.h"

/* Four rows of a command. */
#define HD_CLI_MPI                                                                                 \
    { "mpi", 0, NULL, "share the search with the other processes of mpirun" }
#define HD_CLI_KEEP                                                                                \
    {"checkpoint", 0, "FILE", "keep the search in FILE, every minute and at signals"},             \
        {"resume", 0, "FILE", "go on with the search in FILE, and keep it there"},                 \
        {"checkpoint-every", 0, "TIME", "keep it that often (1m)"}, HD_CLI_MPI

/* --mpi, the fourth: joins the team.  False after saying what is wrong.  And does this process only
 * explore for another one?  Then it says nothing from now on. */
bool hd_cli_mpi(const hd_cli_arguments *arguments, int row, bool *team);
bool hd_cli_serves(void);

/* --mpi of a question about a trace, whose pieces the processes do (engine_crew.h).  What was begun
 * is over with hd_cli_team_over. */
bool hd_cli_crew(const hd_cli_arguments *arguments, int row);

/* Explores for the lead, and the status of that; and the end of all: a process of a team does not
 * leave before the others. */
int hd_cli_explore_serve(hd_engine_exploration *e);
void hd_cli_explore_release(hd_engine_exploration *e, int status);
void hd_cli_team_over(int status, bool done, const hd_error *error);

/* What they say, from the row of --checkpoint on; false after saying what is wrong. */
bool hd_cli_keep(const hd_cli_arguments *arguments, int row, hd_engine_keep *keep);

#endif
