/*
 * Which events of a record are certain (doc/format.md): an automaton over the calls that made the
 * records, which the recorder found in the program's code (symbols_certain.h) and which is kept
 * with the record.
 */
#ifndef HD_PACKED_CERTAIN_H
#define HD_PACKED_CERTAIN_H

#include "packed_unpack.h"

struct hd_packed_state {
    uint64_t code;
    uint32_t first, count; /* in `next` */
};

/* Zeroed: nothing is certain. */
typedef struct hd_packed_certain {
    HD_VEC(struct hd_packed_state) states;
    hd_vec_u32 next;
    hd_map first;       /* code -> its first state + 1 */
    hd_vec_u32 threads; /* thread -> the state where it is, + 1; 0: none */
} hd_packed_certain;

void hd_packed_certain_release(hd_packed_certain *certain);

/* The next state, and then the states that follow it, by their numbers from 0 on.  All of these
 * must be there before a record comes. */
void hd_packed_certain_add(hd_packed_certain *certain, uint64_t code);
void hd_packed_certain_follow(hd_packed_certain *certain, uint32_t number);

/* From now on nothing is certain. */
void hd_packed_certain_stop(hd_packed_certain *certain);

/* Takes every record, in order.  Is its event certain?  `may_be`: an event of its kind can be. */
bool hd_packed_certain_take(hd_packed_certain *certain, const hd_packed_record *record,
                            bool may_be);

#endif
