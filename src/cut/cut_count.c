#include "cut_count.h"

#include <stdio.h>

__extension__ typedef unsigned __int128 wide;

void hd_cut_count_release(hd_cut_count *count) {
    hd_vec_release(&count->limbs);
}

void hd_cut_count_clear(hd_cut_count *count) {
    hd_vec_clear(&count->limbs);
}

void hd_cut_count_add_product(hd_cut_count *count, const uint64_t *limbs, size_t length,
                              uint64_t factor) {
    wide carry = 0;
    for (size_t i = 0; i < length || carry; i++) {
        if (i == count->limbs.length)
            hd_vec_push(&count->limbs, 0);
        carry += count->limbs.data[i];
        if (i < length)
            carry += (wide)limbs[i] * factor;
        count->limbs.data[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

void hd_cut_count_add(hd_cut_count *count, uint64_t value) {
    hd_cut_count_add_product(count, &value, 1, 1);
}

bool hd_cut_count_fits(const hd_cut_count *count, uint64_t *value) {
    *value = count->limbs.length ? count->limbs.data[0] : 0;
    for (size_t i = 1; i < count->limbs.length; i++)
        if (count->limbs.data[i])
            return false;
    return true;
}

/* Divides in place; the remainder. */
static uint64_t divide(uint64_t *limbs, size_t length, uint64_t divisor) {
    wide rest = 0;
    for (size_t i = length; i-- > 0;) {
        rest = rest << 64 | limbs[i];
        limbs[i] = (uint64_t)(rest / divisor);
        rest %= divisor;
    }
    return (uint64_t)rest;
}

char *hd_cut_count_text(const hd_cut_count *count) {
    enum { CHUNK_DIGITS = 19, LIMB_DIGITS = 20 };
    const uint64_t chunk = UINT64_C(10000000000000000000);
    size_t length = count->limbs.length;
    while (length && !count->limbs.data[length - 1])
        length--;
    size_t size = (length + 1) * LIMB_DIGITS + 1, at = size - 1;
    char *text = hd_mem_zero(size, 1);
    uint64_t *left = HD_NEW_ARRAY(uint64_t, length + 1);
    for (size_t i = 0; i < length; i++)
        left[i] = count->limbs.data[i];
    do {
        uint64_t part = divide(left, length, chunk);
        while (length && !left[length - 1])
            length--;
        for (int i = 0; i < CHUNK_DIGITS && (length || part || i == 0); i++, part /= 10) {
            assert(at); /* a limb has no more digits than there is room for */
            text[--at] = (char)('0' + part % 10);
        }
    } while (length);
    assert(text[at] != '0' || at + 2 == size);
    free(left);
    memmove(text, text + at, size - at);
    return text;
}

void hd_cut_count_put(const hd_cut_count *count, hd_vec_char *to) {
    hd_bytes_put(to, count->limbs.length);
    for (size_t i = 0; i < count->limbs.length; i++)
        hd_bytes_put(to, count->limbs.data[i]);
}

void hd_cut_count_get(hd_cut_count *count, hd_bytes *from) {
    hd_vec_u64 limbs = {0};
    size_t length = hd_bytes_get_count(from, 1);
    for (size_t i = 0; i < length; i++)
        hd_vec_push(&limbs, hd_bytes_get(from, UINT64_MAX));
    if (!from->bad && length)
        hd_cut_count_add_product(count, limbs.data, length, 1);
    hd_vec_release(&limbs);
}
