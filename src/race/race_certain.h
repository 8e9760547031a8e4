/*
 * Races in reorderings that keep decisions, not all reads.  Private to race.
 *
 * Huang, Meredith and Rosu, "Maximal Sound Predictive Race Detection with Control Flow
 * Abstraction" (PLDI 2014): a read need see what it saw only if a branch of its thread follows it
 * before the two accesses.  In a trace, an event that is not certain has a decision before it
 * (doc/format.md), so the reads of a thread after the last such event at or before its access do
 * not matter to it (doc/witness.md, "Reads that matter").
 *
 *   of the paper                 here
 *   branch event                 the step to an event that is not certain
 *   concretely feasible read     a read that matters
 *   race formula                 the reordering solver, with these reads let go
 *
 * Departures.  Reads that are let go are those of the two threads of a pair; a third thread keeps
 * all of its reads.  A read that matters sees the write that it saw, not any with the same value.
 * If a read that matters sees a write after reads that were let go, these are kept after all and
 * the pair is asked about again.  So what is found is proved, but not all is found.
 *
 * A pair is asked about if no reordering that keeps all reads shows its places.  It is put to a
 * space in which every read with a certain event after it is let go, which refutes most, and
 * then to one of its own, which takes time and memory in proportion to the trace.
 *
 *   R6  a pair found here has a witness with the claim `race A B, decisions kept`, which passes the
 *       independent checker.
 */
#ifndef HD_RACE_CERTAIN_H
#define HD_RACE_CERTAIN_H

#include "race_finding.h"

/* Nothing to do in a trace without certain events. */
void hd_race_certain(const hd_order_space *space, const hd_race_options *options,
                     hd_race_result *result, hd_race_push *push);

#endif
