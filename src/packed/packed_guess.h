/*
 * An order of accesses that explains the values which they read, for accesses of which only
 * this is known: the order in each lane, and for each a time before which and a time behind
 * which it did not happen.
 *
 * To find such an order is NP-hard (Gibbons and Korach, Testing shared memories, SIAM J.
 * Comput. 1997), and mostly easy: a read that finds its value, and a write that nobody else
 * can want to be before, are taken at once; among other writes those first for whose value
 * somebody waits.  Where nobody can go on the search goes back to its last choice, for a
 * limited number of steps; then it lets a read pass that no order explained.
 *
 * Guarantees: (1) the order keeps lanes and times; (2) a read that is not marked sees its
 * value, written before it in the order, or nothing was known of the variable then; (3) where
 * the limit is not reached, a read is marked only if no order explains all.
 */
#ifndef HD_PACKED_GUESS_H
#define HD_PACKED_GUESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

/* What a step does to one variable. */
typedef struct hd_packed_guess_part {
    uint32_t variable;
    bool write;
    bool known; /* the value; what is not known fits everything */
    int64_t value;
} hd_packed_guess_part;

/* It happened behind `start` and before `end`; at `start` if both are equal. */
typedef struct hd_packed_guess_step {
    uint64_t start, end;
    uint64_t index; /* the caller's */
    uint32_t lane;
    uint32_t parts, part; /* how many, and the first, in the list of all */
    bool guessed;         /* answered: its order with another one is not known; */
    bool unexplained;     /* it read what nobody had written */
} hd_packed_guess_step;

typedef struct hd_packed_guess {
    uint32_t lanes, variables;
    HD_VEC(hd_packed_guess_step) steps;
    HD_VEC(hd_packed_guess_part) parts;
} hd_packed_guess;

/* Steps by their starts, those of a lane in its order, and their parts likewise: marks those that
 * are guessed, which are steps of two lanes that neither has behind it, that touch the same
 * variable, one of them writing; but not those that have their time.  Variables that none of them
 * touches are dropped, with what is done to them; *kept has a bit for each that stays, and they
 * have new numbers, in order.  The steps that are left come lane by lane. */
void hd_packed_guess_mark(hd_packed_guess *guess, hd_bits *kept);

/* Steps lane by lane, each in its order: fills order[steps.length] with their numbers.  Steps that
 * a search may take in all to explain a read for which the first try found no place: `limit`. */
void hd_packed_guess_order(hd_packed_guess *guess, uint64_t limit, uint32_t *order);

#endif
