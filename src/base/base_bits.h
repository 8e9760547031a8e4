/*
 * Bitsets of a fixed length.  Operations on two sets require equal lengths.
 */
#ifndef HD_BASE_BITS_H
#define HD_BASE_BITS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hd_bits {
    uint64_t *words;
    size_t length; /* in bits */
} hd_bits;

void hd_bits_init(hd_bits *bits, size_t length); /* all clear */
void hd_bits_release(hd_bits *bits);
void hd_bits_clear(hd_bits *bits);
void hd_bits_fill(hd_bits *bits);
void hd_bits_or(hd_bits *bits, const hd_bits *other);
void hd_bits_and(hd_bits *bits, const hd_bits *other);
bool hd_bits_any(const hd_bits *bits);
bool hd_bits_meet(const hd_bits *a, const hd_bits *b); /* have an element in common */
size_t hd_bits_count(const hd_bits *bits);
size_t hd_bits_next(const hd_bits *bits, size_t from); /* first set bit >= from, or length */

static inline bool hd_bits_has(const hd_bits *bits, size_t i) {
    assert(i < bits->length);
    return bits->words[i >> 6] >> (i & 63) & 1;
}

static inline void hd_bits_set(hd_bits *bits, size_t i) {
    assert(i < bits->length);
    bits->words[i >> 6] |= UINT64_C(1) << (i & 63);
}

static inline void hd_bits_unset(hd_bits *bits, size_t i) {
    assert(i < bits->length);
    bits->words[i >> 6] &= ~(UINT64_C(1) << (i & 63));
}

#endif
