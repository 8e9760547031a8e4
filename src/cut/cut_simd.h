/*
 * The one place where it matters which instructions there are.  Vectors are those
 * of gcc and clang, which give SSE2 on x86_64, where the comparison must be
 * signed, NEON on aarch64, and scalar code elsewhere.  A function that is
 * HD_CUT_WIDEST goes through long arrays: of such there is one for AVX2 and one for
 * AVX-512 too, and the processor at hand says which is called.
 */
#ifndef HD_CUT_SIMD_H
#define HD_CUT_SIMD_H

#include "cut_space.h"

/* Sanitizers run before what would choose at run time is ready. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HD_CUT_WIDEST                                                                              \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), noinline))
#else
#define HD_CUT_WIDEST __attribute__((noinline))
#endif

/* In memory, at any word; and as a value, which gcc 14 on aarch64 can pass only if it is aligned.
 */
typedef int32_t hd_cut_lanes __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t hd_cut_value __attribute__((vector_size(16)));

enum { HD_CUT_VECTOR = 4 };

static inline hd_cut_value hd_cut_max(hd_cut_value a, hd_cut_value b) {
    hd_cut_value greater = a > b;
    return (a & greater) | (b & ~greater);
}

static inline hd_cut_value hd_cut_min(hd_cut_value a, hd_cut_value b) {
    hd_cut_value greater = a > b;
    return (b & greater) | (a & ~greater);
}

/* Bounds narrowed by a row: to_low = max(low, low_row), to_high = min(high, high_row),
 * from component `from` (or a little before it) up to the stride. */
static inline void hd_cut_narrow(uint32_t *to_low, uint32_t *to_high, const uint32_t *low,
                                 const uint32_t *high, const uint32_t *low_row,
                                 const uint32_t *high_row, uint32_t from, uint32_t stride) {
    for (uint32_t i = from & ~(uint32_t)(HD_CUT_VECTOR - 1); i < stride; i += HD_CUT_VECTOR) {
        *(hd_cut_lanes *)(to_low + i) =
            hd_cut_max(*(const hd_cut_lanes *)(low + i), *(const hd_cut_lanes *)(low_row + i));
        *(hd_cut_lanes *)(to_high + i) =
            hd_cut_min(*(const hd_cut_lanes *)(high + i), *(const hd_cut_lanes *)(high_row + i));
    }
}

#endif
