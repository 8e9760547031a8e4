/*
 * Whole numbers of any size, for counts of states: 2^200 is no surprise.  Only
 * what counting needs: adding, adding products, comparing, printing.
 */
#ifndef HD_CUT_COUNT_H
#define HD_CUT_COUNT_H

#include "base/base.h"

typedef struct hd_cut_count {
    hd_vec_u64 limbs; /* least first; leading zeros are allowed */
} hd_cut_count;

/* A zeroed one is 0. */
void hd_cut_count_release(hd_cut_count *count);
void hd_cut_count_clear(hd_cut_count *count);
void hd_cut_count_add(hd_cut_count *count, uint64_t value);

/* count += limbs * factor, the limbs as many as `length`. */
void hd_cut_count_add_product(hd_cut_count *count, const uint64_t *limbs, size_t length,
                              uint64_t factor);

/* The decimal digits, to be freed. */
char *hd_cut_count_text(const hd_cut_count *count);

/* Does it fit, and then as what? */
bool hd_cut_count_fits(const hd_cut_count *count, uint64_t *value);

/* to += from * factor on limbs of one length, into which the result must fit. */
static inline void hd_cut_limbs_add_product(uint64_t *to, const uint64_t *from, size_t length,
                                            uint64_t factor) {
    __extension__ typedef unsigned __int128 wide;
    wide carry = 0;
    for (size_t i = 0; i < length; i++) {
        carry += (wide)from[i] * factor + to[i];
        to[i] = (uint64_t)carry;
        carry >>= 64;
    }
    assert(carry == 0);
}

/* As bytes, and back: added. */
void hd_cut_count_put(const hd_cut_count *count, hd_vec_char *to);
void hd_cut_count_get(hd_cut_count *count, hd_bytes *from);

#endif
