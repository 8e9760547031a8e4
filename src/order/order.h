/*
 * order: which event had to come before which.  The must-edges of a trace (what
 * no other schedule of the same events can turn round), the two models that
 * Chang's dissertation builds on them, vector clocks and reverse clocks for both, the
 * holds of locks, and the locks held at every event.
 *
 *   model   Chang       order between threads
 *   loset   ch. 5-6     must-edges only; holds say which states are feasible
 *   poset   ch. 2       must-edges, and the order in which each lock was held and
 *                       atomic reads saw atomic writes in this run
 *
 * order_view.h   one object with all of it, for analyses to share; start there
 * order_must.h   must-edges          order_observed.h  what the poset adds
 * order_clock.h  clocks, stored      order_machine.h   clocks, one event at a time
 * order_scope.h  holds               order_held.h      held locks, as interned sets
 * order_lists.h  the sparse lists of edges
 * order_space.h  what all reorderings of a trace have in common
 * order_chains.h reachability under edges that come and go
 * order_park.h   what runs when threads stop at given places
 * order_solve.h  the reordering solver
 * order_units.h  units of semaphores, which are counted
 * order_takers.h which waits a notification ends, known when they have ended
 */
#ifndef HD_ORDER_H
#define HD_ORDER_H

#include "order_chains.h"
#include "order_clock.h"
#include "order_held.h"
#include "order_holds.h"
#include "order_lists.h"
#include "order_machine.h"
#include "order_must.h"
#include "order_observed.h"
#include "order_park.h"
#include "order_scope.h"
#include "order_solve.h"
#include "order_space.h"
#include "order_takers.h"
#include "order_units.h"
#include "order_view.h"

#endif
