/*
 * Sets of threads of an explored program.  Few have more than 64, so only the words that may have
 * some are looked at, and what is done for the first one is no loop.  How many these are changes
 * only where a thread is created; clang's analyzer, which takes any call to change it, sees words
 * that were never set.
 */
#ifndef HD_RT_SET_H
#define HD_RT_SET_H

#include "rt.h"

typedef struct hd_rt_set {
    uint64_t word[HEDDLE_WIRE_MORE + 1];
} hd_rt_set;

extern uint32_t hd_rt_set_words; /* the first so many */

/* For each word but the first. */
#define HD_RT_MORE_WORDS(i)                                                                        \
    for (uint32_t i = 1; HD_RT_UNLIKELY(hd_rt_set_words > 1) && i < hd_rt_set_words; i++)

static inline bool hd_rt_set_has(const hd_rt_set *set, uint64_t thread) {
    return set->word[thread / 64] >> thread % 64 & 1;
}

static inline void hd_rt_set_put(hd_rt_set *set, uint32_t thread, bool in) {
    uint64_t *word = &set->word[thread / 64];
    *word = (*word & ~((uint64_t)1 << thread % 64)) | (uint64_t)in << thread % 64;
}

static inline void hd_rt_set_clear(hd_rt_set *set) {
    set->word[0] = 0;
    HD_RT_MORE_WORDS(i) {
        set->word[i] = 0;
        HD_RT_BARRIER();
    }
}

/* The lowest thread that is not below `from`; HEDDLE_WIRE_EXPLORED: none is. */
static inline uint32_t hd_rt_set_next(const hd_rt_set *set, uint32_t from) {
    uint64_t first = from < 64 ? set->word[0] & ~(uint64_t)0 << from : 0;
    if (first)
        return (uint32_t)__builtin_ctzll(first);
    HD_RT_MORE_WORDS(i) {
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): see above
        uint64_t rest = i > from / 64 ? set->word[i] : 0;
        if (i == from / 64)
            // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): see above
            rest = set->word[i] & ~(uint64_t)0 << from % 64;
        if (rest)
            return 64 * i + (uint32_t)__builtin_ctzll(rest);
    }
    return HEDDLE_WIRE_EXPLORED;
}

static inline bool hd_rt_set_any(const hd_rt_set *set) {
    uint64_t some = set->word[0];
    HD_RT_MORE_WORDS(i)
    some |= set->word[i];
    return some != 0;
}

/* For each thread, hd_rt_set_thread(i, rest) being the one: two loops, so that a break does not
 * leave them. */
#define HD_RT_EACH(i, rest, set)                                                                   \
    for (uint32_t i = 0; i < hd_rt_set_words; i++)                                                 \
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): see above */                  \
        for (uint64_t rest = (set)->word[i]; rest; rest &= rest - 1)

static inline uint32_t hd_rt_set_thread(uint32_t i, uint64_t rest) {
    return 64 * i + (uint32_t)__builtin_ctzll(rest);
}

#endif
