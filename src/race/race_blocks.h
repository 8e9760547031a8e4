/*
 * Blocks that are not serializable, by prediction: candidates, each decided by the reordering
 * solver.  Private to race.
 *
 * a1 before a2 are accesses of a variable in one block, c is an access of it by another thread.
 * They are a violation (doc/witness.md) if there is a reordering in which
 *
 *   c writes    c comes after a1 and is the last write of the variable, a2 is next; and a2 reads,
 *               or a1 reads a value from before the block
 *   c reads     a1 and a2 write, a1 is the last write of the variable, and c is next
 *
 * These are the four cases of Lu, Tucek, Qin and Zhou, "AVIO", ASPLOS 2006, without those in which
 * nothing that is read or left differs from a serial run of the block.
 *
 * Of the first, only the first access of the variable in the block need be a1: what comes after a
 * later access comes after that one, and if a later one reads a value from before the block, so
 * does the first.  Of nested blocks it is the outermost one for the same reason; if a2 only writes,
 * the outermost one whose first access reads.  Of the second, a2 need only be the next write after
 * a1.  So the candidates are few: an access is the second of two spans at most.
 *
 * Of two variables, d is a later access of c's thread, and a2 is of d's variable.  They are a
 * violation if a1 and c conflict, d and a2 do, and in a reordering c comes after a1, d is in it,
 * and a2 is next: a cycle of conflicts from the block to c, by program order to d, and back, as in
 * Bernstein, Hadzilacos and Goodman, "Concurrency Control and Recovery in Database Systems", ch. 2.
 * If a violation has another c or d within, that is one, too, so c and d are neighbours among the
 * accesses that conflict; a1 is the first access of its variable in the block, or the first write.
 * Of these candidates there are as many for a1 and a2 as the block has variables times accesses,
 * and for c and d as the other thread has of the less accessed variable.  What a finding of one
 * variable has half of is not asked about (race.h, A1).
 *
 * A candidate is dropped if, by what stays the same in all reorderings,
 *
 *   B1  c is in every reordering with a1, or c or d needs a2;
 *   B2  one hold of a lock covers a1 to a2, and c or d holds that lock against it.
 *
 * Neither drops a violation.  B1 leaves a run of each thread's events, found by bisection; B2 is
 * looked at once for all candidates of the same threads, places and locks.
 */
#ifndef HD_RACE_BLOCKS_H
#define HD_RACE_BLOCKS_H

#include "race_finding.h"

void hd_race_blocks(const hd_order_space *space, const hd_race_options *options,
                    hd_race_result *result, hd_race_push *push);

#endif
