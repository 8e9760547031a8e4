/*
 * cut: the global states of a trace.
 *
 * A global state is how far each thread has come.  In the poset model it is
 * consistent if every event in it has all in it that happened before; in the
 * loset model, where the order of locks is open, there are classes of states
 * (cut_loset.h).  Enumerators visit every state of an interval, or count them.
 *
 * cut_space.h      the threads in lexical order, and what bounds what; start there
 * cut_visit.h      visitors, and the enumerators of consistent states
 * cut_diagram.h    counting without visiting
 * cut_count.h      numbers of any size
 *
 * Chang, "Predicate Detection for Parallel Computations with Locking
 * Constraints" (dissertation), is "Chang" everywhere in this room.
 */
#ifndef HD_CUT_H
#define HD_CUT_H

#include "cut_count.h"
#include "cut_covers.h"
#include "cut_diagram.h"
#include "cut_space.h"
#include "cut_visit.h"

#endif
