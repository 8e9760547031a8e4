/*
 * Values that make a thread stay in a loop.  Where a thread went round a loop that only waits, and
 * read one word that others can change, once, it is known what this value does there: it leads
 * back to the same read.  Where it read several, the last of them is known to lead back to where
 * the round began (rt_rounds.c).  So from the next search on a thread that comes there does not
 * read such a value at all: the read waits until the word has another one.  The rounds that fail
 * are no part of the executions then.
 *
 * Why nothing is lost: a round that leaves everything as it was can be taken out of an execution
 * (rt_spin.c), the first one too.
 *
 * Where a thread is, is told by its history: what it did and what it found, without such rounds.
 * The same history leads to the same state, in every run and in every process.
 *
 * A run in which no thread can go on is executed once more without this knowledge, with the rounds,
 * before it is reported.
 */
#include "rt_explore.h"
#include "rt_spin.h"

static const heddle_wire_stay *find_stay(uint64_t history, uint64_t value, uint32_t count) {
    const heddle_wire_explore *explore = hd_rt_explore;
    for (uint32_t i = 0; i < count; i++)
        if (explore->stay[i].history == history && explore->stay[i].value == value)
            return &explore->stay[i];
    return NULL;
}

void hd_rt_stay_add(uint64_t history, uint64_t value, uint64_t from) {
    heddle_wire_explore *explore = hd_rt_explore;
    if (explore->stays >= HEDDLE_WIRE_STAYS || find_stay(history, value, explore->stays))
        return;
    explore->stay[explore->stays] =
        (heddle_wire_stay){.history = history, .value = value, .from = from};
    explore->stays++;
}

bool hd_rt_stay_known(uint64_t history, bool proved) {
    for (uint32_t i = 0; i < hd_rt_explore->stays_used; i++)
        if (hd_rt_explore->stay[i].history == history && (proved || hd_rt_explore->stay[i].from))
            return true;
    return false;
}

const heddle_wire_stay *hd_rt_stay_find(uint64_t history, uint64_t value, bool proved) {
    const heddle_wire_stay *stay = find_stay(history, value, hd_rt_explore->stays_used);
    return stay && (proved || stay->from) ? stay : NULL;
}
