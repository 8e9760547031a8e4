/*
 * Bounds narrowed by a row, HD_CUT_LANES components at a time: the one place
 * where it matters which instructions there are.  Written with the vector types
 * of gcc and clang, which give SSE2 on x86_64, where the comparison must be
 * signed, NEON on aarch64, and scalar code elsewhere.
 */
#ifndef HD_CUT_SIMD_H
#define HD_CUT_SIMD_H

#include "cut_space.h"

typedef int32_t hd_cut_lanes __attribute__((vector_size(16), aligned(4), may_alias));

enum { HD_CUT_VECTOR = 4 };

static inline hd_cut_lanes hd_cut_max(hd_cut_lanes a, hd_cut_lanes b) {
    hd_cut_lanes greater = a > b;
    return (a & greater) | (b & ~greater);
}

static inline hd_cut_lanes hd_cut_min(hd_cut_lanes a, hd_cut_lanes b) {
    hd_cut_lanes greater = a > b;
    return (b & greater) | (a & ~greater);
}

/* to_low = max(low, low_row), to_high = min(high, high_row), from component
 * `from` (or a little before it) up to the stride. */
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
