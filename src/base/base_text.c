#include "base_text.h"

#include <stdio.h>
#include <string.h>

size_t hd_text_utf8(const char *text, size_t length) {
    const unsigned char *s = (const unsigned char *)text;
    if (length == 0)
        return 0;
    if (s[0] < 0x80)
        return 1;
    size_t size = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || length < size)
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    /* Overlong forms, surrogates, and what lies past U+10FFFF. */
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return size;
}

size_t hd_text_printable(char *to, size_t size, const char *from, size_t length) {
    size_t used = 0;
    size_t mark = 0; /* where "..." still fits */
    for (size_t i = 0; i < length;) {
        char piece[8];
        size_t taken = hd_text_utf8(from + i, length - i);
        unsigned char byte = (unsigned char)from[i];
        /* C1 controls are two bytes of UTF-8: U+0080 to U+009F. */
        bool control = byte < 0x20 || byte == 0x7f ||
                       (taken == 2 && byte == 0xc2 && (unsigned char)from[i + 1] < 0xa0);
        size_t piece_length;
        if (taken == 0 || control) {
            piece_length = (size_t)snprintf(piece, sizeof piece, "\\x%02x", byte);
            taken = 1;
        } else {
            memcpy(piece, from + i, taken);
            piece_length = taken;
        }
        if (used + piece_length + 1 > size) {
            if (size >= 4) {
                memcpy(to + mark, "...", 4);
                used = mark + 3;
            }
            break;
        }
        memcpy(to + used, piece, piece_length);
        used += piece_length;
        if (used + 4 <= size)
            mark = used;
        i += taken;
    }
    if (size)
        to[used] = '\0';
    return used;
}

bool hd_text_u64(const char *text, size_t length, uint64_t *value) {
    uint64_t sum = 0;
    if (length == 0)
        return false;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned)(unsigned char)text[i] - '0';
        if (digit > 9 || __builtin_mul_overflow(sum, 10, &sum) ||
            __builtin_add_overflow(sum, digit, &sum))
            return false;
    }
    *value = sum;
    return true;
}

bool hd_text_i64(const char *text, size_t length, int64_t *value) {
    bool negative = length > 0 && text[0] == '-';
    uint64_t magnitude;
    if (!hd_text_u64(text + negative, length - negative, &magnitude))
        return false;
    if (magnitude > (uint64_t)INT64_MAX + negative)
        return false;
    *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return true;
}

const char *hd_text_grouped(char buffer[32], uint64_t value) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    size_t used = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            buffer[used++] = ',';
        buffer[used++] = digits[i];
    }
    buffer[used] = '\0';
    return buffer;
}
