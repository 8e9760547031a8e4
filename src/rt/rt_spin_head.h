/*
 * Where a round of a loop that may only wait begins, and what it has read since (rt_spin.c).
 */
#ifndef HD_RT_SPIN_HEAD_H
#define HD_RT_SPIN_HEAD_H

#include "rt_spin_kinds.h"

enum { A_TRY = 0, WORDS = 4, HELD = 4, UNTOLD = 4 };

/* Where a round begins, and what it has read so far. */
typedef struct head {
    uint64_t code, address; /* of the read; code 0: no round has begun */
    uint64_t hash;          /* of the registers and the stack there */
    uint64_t memory;        /* sum of the pages then */
    struct {
        uint64_t address, value;
        uint64_t size; /* A_TRY: a lock, and the value is whether it could be had */
    } word[WORDS];
    uint64_t held[HELD];     /* locks that the round has taken and not given back */
    uint64_t untold[UNTOLD]; /* code of its writes that left all as it was, and do not tell that */
    uint32_t steps, own;     /* of the run then; of the thread since */
    uint32_t turn;           /* then */
    uint32_t count;          /* words, */
    uint32_t points;         /* and how often they were read or tried */
    uint32_t missed;         /* times since that the thread was not where it had been */
    uint32_t held_count, untold_count;
    uint64_t history; /* of the thread then */
    bool locks;       /* the round took some */
    bool stores;      /* it stored to memory that is not shared, and left it as it was */
    bool stale;       /* others have taken steps since `memory` */
    bool cancelled;   /* the thread was, then */
} head;

/* A word that the round has read.  One that it read twice, with two values, is not what the
 * next round would read. */
static inline void add_word(head *it, uint64_t address, uint32_t size, uint64_t value) {
    if (!it->code)
        return;
    it->points++;
    for (uint32_t i = 0; i < it->count; i++)
        if (it->word[i].address == address) {
            if (it->word[i].value != value || it->word[i].size != size)
                it->code = 0;
            return;
        }
    if (it->count == WORDS) {
        it->code = 0;
        return;
    }
    it->word[it->count].address = address;
    it->word[it->count].size = size;
    it->word[it->count++].value = value;
}

/* A write that left all as it was, and may change something in another run. */
static inline void add_untold(head *it, uint64_t code) {
    if (!it->code)
        return;
    for (uint32_t i = 0; i < it->untold_count; i++)
        if (it->untold[i] == code)
            return;
    if (it->untold_count == UNTOLD)
        it->code = 0;
    else
        it->untold[it->untold_count++] = code;
}

/* The lock is taken, or given back. */
static inline void pass_lock(head *it, unsigned kind, uint64_t address) {
    if (!it->code)
        return;
    if (takes(kind)) {
        it->locks = true;
        if (it->held_count == HELD)
            it->code = 0;
        else
            it->held[it->held_count++] = address;
        return;
    }
    for (uint32_t i = 0; i < it->held_count; i++)
        if (it->held[i] == address) {
            it->held[i] = it->held[--it->held_count];
            return;
        }
    it->code = 0; /* it had it before */
}

/* Does what the round read let its first operation wait for it? */
static inline bool is_simple(const head *it, const heddle_wire_operation *pending) {
    uint32_t tried = 0;
    for (uint32_t i = 0; i < it->count; i++)
        tried += it->word[i].size == A_TRY;
    if (it->held_count || !it->count || (tried && it->locks))
        return false;
    if (pending->kind == HEDDLE_ACQUIRE + 1 && locks(pending))
        return it->count < WORDS; /* its own place is not one of them */
    return it->count == 1 || (!tried && (pending->kind == HEDDLE_READ + 1 ||
                                         pending->kind == HEDDLE_ATOMIC_READ + 1));
}

static inline bool is_here(const head *it, const heddle_wire_operation *pending) {
    return it->code == pending->code && it->address == pending->address;
}

#endif
