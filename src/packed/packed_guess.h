/*
 * Finds an order of accesses that explains the values they read.  Known are only the order in each
 * lane, and for each access an interval of time in which it happened.
 *
 * To find such an order is NP-hard (Gibbons and Korach, Testing shared memories, SIAM J. Comput.
 * 1997), but usually easy: a read that finds its value, and a write that no other access needs to
 * precede, are taken at once; among other writes, those whose value a read waits for come first.
 * Where no lane can go on, the search backtracks to its last choice, for a limited number of steps;
 * then it lets a read pass that no order explained.
 *
 * Guarantees: (1) the order keeps lanes and times; (2) a read that is not marked sees its value,
 * written before it in the order, or the variable's value was not known then; (3) unless the limit
 * is reached, a read is marked only if no order explains all reads.
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
    bool known; /* the value; an unknown value matches every other */
    int64_t value;
} hd_packed_guess_part;

/* It happened after `start` and before `end`; at `start` if both are equal. */
typedef struct hd_packed_guess_step {
    uint64_t start, end;
    uint64_t index; /* the caller's */
    uint32_t lane;
    uint32_t parts, part; /* how many, and the first, in the list of all */
    bool guessed;         /* result: its order relative to another one is not known */
    bool unexplained;     /* result: it read a value that had not been written */
} hd_packed_guess_step;

typedef struct hd_packed_guess {
    uint32_t lanes, variables;
    HD_VEC(hd_packed_guess_step) steps;
    HD_VEC(hd_packed_guess_part) parts;
} hd_packed_guess;

/* Marks the steps whose order is guessed: steps of two lanes that may overlap in time and touch the
 * same variable, one of them writing, except those with an exact time.  Steps and parts are given
 * sorted by start, those of a lane in its order.  Variables that no guessed step touches are
 * dropped, with the parts on them; *kept has a bit for each variable that stays, and these get new
 * numbers, in order.  The remaining steps are sorted by lane. */
void hd_packed_guess_mark(hd_packed_guess *guess, hd_bits *kept);

/* Fills order[steps.length] with the numbers of the steps, which are given lane by lane, each in
 * its order.  `limit` is how many steps the searches may take in total to explain reads that the
 * first attempt could not place.  False if `over`, which may be NULL, said that there is no time
 * left: then there is no order. */
bool hd_packed_guess_order(hd_packed_guess *guess, uint64_t limit, bool (*over)(void),
                           uint32_t *order);

#endif
