/*
 * cut: the global states of a trace.
 *
 * A global state is how far each thread has come.  In the poset model it is
 * consistent if every event in it has all in it that happened before; in the
 * loset model, where the order of locks is open, there are classes of states
 * (cut_loset.h).  Enumerators visit every state of an interval, or count them.
 *
 * cut_states.h     one question for all of it; start there
 * cut_space.h      the threads in lexical order, and what bounds what
 * cut_visit.h      visitors, and the enumerators of consistent states
 * cut_packed.h     states in 16 bytes, for predicates that are calls
 * cut_tails.h      every state looked at, over stored completions
 * cut_sums.h       sums of weights that way
 * cut_clash.h      pairs of events that clash, that way
 * cut_share.h      the states shared out among threads; ParaMount
 * cut_slices.h     counting in parts, which can be left in between
 * cut_stages.h     the same where each part follows from the one before
 * cut_diagram.h    counting without visiting
 * cut_estimate.h   about how many, with bounds of the error
 * cut_loset.h      locks: classes of states
 * cut_normal.h     the order that locks force; strong feasibility
 * cut_together.h   steps of a loset that is no run
 * cut_places.h     the order of threads that makes it quickest
 * cut_pairs.h      classes that are conditions on pairs of threads
 * cut_reach.h      reachable states, and one state at a time
 * cut_table.h      sets of vectors, for searches
 * cut_posets.h     the valid posets of a loset
 * cut_count.h      numbers of any size
 *
 * Chang, "Predicate Detection for Parallel Computations" (dissertation), is "Chang" everywhere in
 * this room.
 */
#ifndef HD_CUT_H
#define HD_CUT_H

#include "cut_clash.h"
#include "cut_count.h"
#include "cut_covers.h"
#include "cut_diagram.h"
#include "cut_estimate.h"
#include "cut_loset.h"
#include "cut_normal.h"
#include "cut_packed.h"
#include "cut_pairs.h"
#include "cut_places.h"
#include "cut_posets.h"
#include "cut_reach.h"
#include "cut_share.h"
#include "cut_slices.h"
#include "cut_space.h"
#include "cut_stages.h"
#include "cut_states.h"
#include "cut_sums.h"
#include "cut_table.h"
#include "cut_tails.h"
#include "cut_together.h"
#include "cut_visit.h"

#endif
