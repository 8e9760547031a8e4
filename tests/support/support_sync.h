/*
 * Races that other predictions find, for tests: their published definitions, written with
 * loops over the whole trace.
 *
 *   sync-preserving   Mathur, Pavlogiannis and Viswanathan, "Optimal Prediction of
 *                     Synchronization-Preserving Races" (POPL 2021): a reordering that
 *                     takes each lock in the order of the trace
 *   optimistic        Shi, Mathur and Pavlogiannis, "Optimistic Prediction of
 *                     Synchronization-Reversal Data Races" (ICSE 2024): every hold is
 *                     closed but those whose release needs one of the two accesses,
 *                     which come last of their locks; all else, conflicting accesses
 *                     too, is as in the trace
 *
 * Read-write locks, re-entrant locks and must-edges are added as they would expect.  Not
 * for traces with condition waits; nor, for the optimistic ones, with failed tries.
 */
#ifndef SUPPORT_SYNC_H
#define SUPPORT_SYNC_H

#include "support_brute.h"

/* Pairs first << 32 | second, ascending, each once.  By the closures of the papers. */
void support_sync_preserving(const hd_trace *trace, hd_vec_u64 *pairs);
void support_optimistic(const hd_trace *trace, hd_vec_u64 *pairs);

/* Sync-preserving ones by all reorderings; false: there are too many. */
bool support_sync_preserving_brute(const hd_trace *trace, size_t most, hd_vec_u64 *pairs);

#endif
