/*
 * ranks: the processes of a team are the ranks of an MPI job.  The only room that knows MPI; it is
 * a shared object of its own, heddle-mpi.so, which room team loads.
 */
#ifndef HD_RANKS_H
#define HD_RANKS_H

#include "team/team.h"

__attribute__((visibility("default"))) hd_team_begin hd_ranks_begin;

#endif
