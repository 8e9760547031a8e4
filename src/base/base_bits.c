#include "base_bits.h"

#include <stdlib.h>
#include <string.h>

#include "base_mem.h"

static size_t words(const hd_bits *bits) {
    return (bits->length + 63) / 64;
}

void hd_bits_init(hd_bits *bits, size_t length) {
    bits->length = length;
    bits->words = HD_NEW_ARRAY(uint64_t, words(bits));
}

void hd_bits_release(hd_bits *bits) {
    free(bits->words);
    *bits = (hd_bits){0};
}

void hd_bits_clear(hd_bits *bits) {
    if (bits->length)
        memset(bits->words, 0, words(bits) * sizeof *bits->words);
}

void hd_bits_fill(hd_bits *bits) {
    for (size_t i = 0; i < words(bits); i++)
        bits->words[i] = UINT64_MAX;
    if (bits->length % 64) /* the spare bits of the last word stay clear */
        bits->words[words(bits) - 1] >>= 64 - bits->length % 64;
}

void hd_bits_or(hd_bits *bits, const hd_bits *other) {
    assert(bits->length == other->length);
    for (size_t i = 0; i < words(bits); i++)
        bits->words[i] |= other->words[i];
}

void hd_bits_and(hd_bits *bits, const hd_bits *other) {
    assert(bits->length == other->length);
    for (size_t i = 0; i < words(bits); i++)
        bits->words[i] &= other->words[i];
}

bool hd_bits_any(const hd_bits *bits) {
    for (size_t i = 0; i < words(bits); i++)
        if (bits->words[i])
            return true;
    return false;
}

bool hd_bits_meet(const hd_bits *a, const hd_bits *b) {
    assert(a->length == b->length);
    for (size_t i = 0; i < words(a); i++)
        if (a->words[i] & b->words[i])
            return true;
    return false;
}

size_t hd_bits_count(const hd_bits *bits) {
    size_t count = 0;
    for (size_t i = 0; i < words(bits); i++)
        count += (size_t)__builtin_popcountll(bits->words[i]);
    return count;
}

size_t hd_bits_next(const hd_bits *bits, size_t from) {
    if (from >= bits->length)
        return bits->length;
    size_t i = from >> 6;
    uint64_t word = bits->words[i] & (UINT64_MAX << (from & 63));
    while (!word) {
        if (++i == words(bits))
            return bits->length;
        word = bits->words[i];
    }
    return i * 64 + (size_t)__builtin_ctzll(word);
}
