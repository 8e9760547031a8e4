/*
 * Which events of a recording are certain (doc/format.md), by the code of the functions that they
 * are in.
 *
 * The answer is an automaton that a thread walks through as its events come.  A state belongs to a
 * call that records an event, by its return address, and says what may depend on what the thread
 * has read since its last event that is not certain.  From a state the next event is certain if it
 * is that of a state which follows it.  At any other event the thread comes to the first state of
 * that event's call, or to none.  So it does where a function begins or ends.
 */
#ifndef HD_SYMBOLS_CERTAIN_H
#define HD_SYMBOLS_CERTAIN_H

#include "symbols_modules.h"

typedef struct hd_symbols_certain_state {
    uint64_t code;
    uint32_t first, count; /* in `next` */
} hd_symbols_certain_state;

typedef struct hd_symbols_certain {
    HD_VEC(hd_symbols_certain_state) states;
    HD_VEC(uint32_t) next; /* states that follow, of different calls */
    hd_vec_u64 codes;      /* what it was asked for */
} hd_symbols_certain;

/* For calls by their return addresses, in ascending order.  The symbols keep it until they are
 * asked for others.  Ends early if a signal came: then fewer are certain. */
const hd_symbols_certain *hd_symbols_certain_find(hd_symbols *symbols, const hd_vec_u64 *codes);

/* The same for a file, which may be of another architecture. */
void hd_symbols_certain_find_in(Dwfl_Module *module, const uint64_t *codes, size_t count,
                                hd_symbols_certain *to);
void hd_symbols_certain_release(hd_symbols_certain *certain);
void hd_symbols_certain_free(hd_symbols_certain *certain);

#endif
