/*
 * Sets of threads of an explored program.  Few have more than 64, so only the words that may have
 * some are looked at.
 */
#ifndef HD_RT_SET_H
#define HD_RT_SET_H

#include "rt.h"

typedef struct hd_rt_set {
    uint64_t word[HEDDLE_WIRE_MORE + 1];
} hd_rt_set;

extern uint32_t hd_rt_set_words; /* the first so many */

#define HD_RT_EACH_WORD(i) for (uint32_t i = 0; i < hd_rt_set_words; i++)

static inline bool hd_rt_set_has(const hd_rt_set *set, uint64_t thread) {
    return set->word[thread / 64] >> thread % 64 & 1;
}

static inline void hd_rt_set_put(hd_rt_set *set, uint32_t thread, bool in) {
    uint64_t bit = (uint64_t)1 << thread % 64;
    set->word[thread / 64] = in ? set->word[thread / 64] | bit : set->word[thread / 64] & ~bit;
}

static inline void hd_rt_set_clear(hd_rt_set *set) {
    HD_RT_EACH_WORD(i) {
        set->word[i] = 0;
        HD_RT_BARRIER();
    }
}

/* The lowest thread that is not below `from`; HEDDLE_WIRE_EXPLORED: none is. */
static inline uint32_t hd_rt_set_next(const hd_rt_set *set, uint32_t from) {
    for (uint32_t i = from / 64; i < hd_rt_set_words; i++) {
        uint64_t rest = i == from / 64 ? set->word[i] & ~(uint64_t)0 << from % 64 : set->word[i];
        if (rest)
            return 64 * i + (uint32_t)__builtin_ctzll(rest);
    }
    return HEDDLE_WIRE_EXPLORED;
}

static inline bool hd_rt_set_any(const hd_rt_set *set) {
    uint64_t some = 0;
    HD_RT_EACH_WORD(i)
    some |= set->word[i];
    return some != 0;
}

#define HD_RT_EACH(thread, set)                                                                    \
    for (uint32_t thread = hd_rt_set_next(set, 0); thread < HEDDLE_WIRE_EXPLORED;                  \
         thread = hd_rt_set_next(set, thread + 1))

#endif
