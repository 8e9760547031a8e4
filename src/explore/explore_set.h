/*
 * Sets of threads.  This room is built three times: with sets of one word, for machines of up to 64
 * threads, and with sets of HD_EXPLORE_WORDS words, some and many (explore_wide.h).  The operators
 * & | ~ work on all kinds; everything else is done by the functions here.
 *
 * A build for tests may have less than 64 threads a word, so that few threads need many words.
 */
#ifndef HD_EXPLORE_SET_H
#define HD_EXPLORE_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"

#ifndef HD_EXPLORE_WORDS
#define HD_EXPLORE_WORDS 1
#endif
#ifndef HD_EXPLORE_WORD_BITS
#define HD_EXPLORE_WORD_BITS 64
#endif

enum {
    HD_EXPLORE_SET_BITS = HD_EXPLORE_WORDS * HD_EXPLORE_WORD_BITS,
    HD_EXPLORE_SET_THREADS =
        HD_EXPLORE_SET_BITS < HD_MACHINE_THREADS ? HD_EXPLORE_SET_BITS : HD_MACHINE_THREADS
};

#if HD_EXPLORE_WORDS == 1

typedef uint64_t hd_explore_set;

static inline hd_explore_set hd_explore_set_of(uint32_t thread) {
    return UINT64_C(1) << thread;
}

static inline bool hd_explore_set_any(hd_explore_set set) {
    return set != 0;
}

static inline bool hd_explore_set_has(hd_explore_set set, uint32_t thread) {
    return set >> thread & 1;
}

/* The lowest thread, the highest, of a set that has some. */
static inline uint32_t hd_explore_set_first(hd_explore_set set) {
    return (uint32_t)__builtin_ctzll(set);
}

static inline uint32_t hd_explore_set_last(hd_explore_set set) {
    return 63 - (uint32_t)__builtin_clzll(set);
}

/* The set without its lowest thread; the set of its lowest thread. */
static inline hd_explore_set hd_explore_set_rest(hd_explore_set set) {
    return set & (set - 1);
}

static inline hd_explore_set hd_explore_set_lowest(hd_explore_set set) {
    return set & (0 - set);
}

static inline uint32_t hd_explore_set_count(hd_explore_set set) {
    return (uint32_t)__builtin_popcountll(set);
}

/* From a machine's sets: the first word, and the others, NULL if they are empty; and its first
 * word. */
static inline hd_explore_set hd_explore_set_from(uint64_t first, const uint64_t *more) {
    (void)more;
    return first;
}

static inline uint64_t hd_explore_set_word(hd_explore_set set) {
    return set;
}

#else

/* Aligned like its words: it is a part of structures that malloc makes. */
typedef uint64_t hd_explore_set __attribute__((vector_size(8 * HD_EXPLORE_WORDS), aligned(8)));

static inline hd_explore_set hd_explore_set_of(uint32_t thread) {
    hd_explore_set set = {0};
    set[thread / HD_EXPLORE_WORD_BITS] = UINT64_C(1) << thread % HD_EXPLORE_WORD_BITS;
    return set;
}

static inline bool hd_explore_set_any(hd_explore_set set) {
    uint64_t some = 0;
    for (int i = 0; i < HD_EXPLORE_WORDS; i++)
        some |= set[i];
    return some != 0;
}

static inline bool hd_explore_set_has(hd_explore_set set, uint32_t thread) {
    return set[thread / HD_EXPLORE_WORD_BITS] >> thread % HD_EXPLORE_WORD_BITS & 1;
}

static inline uint32_t hd_explore_set_first(hd_explore_set set) {
    uint32_t i = 0;
    while (!set[i])
        i++;
    return i * HD_EXPLORE_WORD_BITS + (uint32_t)__builtin_ctzll(set[i]);
}

static inline uint32_t hd_explore_set_last(hd_explore_set set) {
    uint32_t i = HD_EXPLORE_WORDS - 1;
    while (!set[i])
        i--;
    return i * HD_EXPLORE_WORD_BITS + 63 - (uint32_t)__builtin_clzll(set[i]);
}

static inline hd_explore_set hd_explore_set_rest(hd_explore_set set) {
    uint32_t i = 0;
    while (i < HD_EXPLORE_WORDS - 1 && !set[i])
        i++;
    set[i] &= set[i] - 1;
    return set;
}

static inline hd_explore_set hd_explore_set_lowest(hd_explore_set set) {
    hd_explore_set none = {0};
    return hd_explore_set_any(set) ? hd_explore_set_of(hd_explore_set_first(set)) : none;
}

static inline uint32_t hd_explore_set_count(hd_explore_set set) {
    uint32_t count = 0;
    for (int i = 0; i < HD_EXPLORE_WORDS; i++)
        count += (uint32_t)__builtin_popcountll(set[i]);
    return count;
}

/* A machine has 64 threads a word. */
static inline hd_explore_set hd_explore_set_from(uint64_t first, const uint64_t *more) {
    hd_explore_set set = {0};
#if HD_EXPLORE_WORD_BITS == 64
    set[0] = first;
    for (int i = 1; more && i < HD_EXPLORE_WORDS && i <= HD_MACHINE_MORE; i++)
        set[i] = more[i - 1];
#else
    (void)more;
    for (uint64_t rest = first; rest; rest &= rest - 1)
        set |= hd_explore_set_of((uint32_t)__builtin_ctzll(rest));
#endif
    return set;
}

static inline uint64_t hd_explore_set_word(hd_explore_set set) {
#if HD_EXPLORE_WORD_BITS == 64
    return set[0];
#else
    uint64_t word = 0;
    for (uint32_t i = 0; i < HD_EXPLORE_WORDS && i * HD_EXPLORE_WORD_BITS < 64; i++)
        word |= set[i] << i * HD_EXPLORE_WORD_BITS;
    return word;
#endif
}

#endif

#define HD_EXPLORE_NO_THREADS ((hd_explore_set){0})
#define HD_EXPLORE_ALL_THREADS (~HD_EXPLORE_NO_THREADS)

/* For each thread of a set, hd_explore_set_first(rest) being the one. */
#define HD_EXPLORE_EACH(rest, set)                                                                 \
    /* NOLINTNEXTLINE(bugprone-macro-parentheses): it is a name */                                 \
    for (hd_explore_set rest = (set); hd_explore_set_any(rest); rest = hd_explore_set_rest(rest))

#endif
