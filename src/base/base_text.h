/*
 * Text for people and parsers: printable copies of any bytes, strict parsing of numbers, numbers
 * with thousands separators.
 */
#ifndef HD_BASE_TEXT_H
#define HD_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base_vec.h"

/* Copies bytes as printable text: control bytes, characters that hide or reverse the text around
 * them, and bytes that are not valid UTF-8, become \xNN; what does not fit in `size` ends in "...".
 * Returns the length of the result. */
size_t hd_text_printable(char *to, size_t size, const char *from, size_t length);

/* Is this character of `size` valid bytes one that is not visible itself, but controls a terminal,
 * hides text or reverses it (control, bidirectional, zero-width characters)?  Returns its number +
 * 1 then, else 0. */
uint32_t hd_text_hidden(const char *text, size_t size);

/* Length in bytes of the valid UTF-8 sequence at `text`, 0 if it is not valid. */
size_t hd_text_utf8(const char *text, size_t length);

/* Are these bytes the same?  For short ones, where a call would cost more. */
static inline bool hd_text_same(const char *a, const char *b, size_t length) {
    if (length > 16)
        return memcmp(a, b, length) == 0;
    uint64_t x[2], y[2];
    if (length >= 8) {
        memcpy(&x[0], a, 8);
        memcpy(&y[0], b, 8);
        memcpy(&x[1], a + length - 8, 8);
        memcpy(&y[1], b + length - 8, 8);
        return ((x[0] ^ y[0]) | (x[1] ^ y[1])) == 0;
    }
    for (size_t i = 0; i < length; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* Whole decimal numbers: the entire string, no spaces, no sign but '-' for the
 * signed one, in range; else false. */
bool hd_text_u64(const char *text, size_t length, uint64_t *value);
bool hd_text_i64(const char *text, size_t length, int64_t *value);

/* A span of time, greater than 0: 60, 60s, 2m, 1h, 0.5, 250ms. */
bool hd_text_seconds(const char *text, double *seconds);

/* Two lines that show a place in a line of any text: the text around it, printable, and under it a
 * ^ for each column of [at, end).  NUL-terminated. */
void hd_text_mark(hd_vec_char *to, const char *text, size_t at, size_t end);

/* Adds text of any length, printable.  A word of more than a few hundred bytes is cut, and says how
 * long it is: "nnnn... (1,048,576 bytes)"; so is a text of too many words.  NUL-terminated. */
void hd_text_shorten(hd_vec_char *to, const char *text, size_t length);

/* A printable form of any name, cut to a readable length; one of a few buffers of this
 * thread, so that several can go into one call. */
const char *hd_text_name(const char *text);

/* "1 step", "2 steps"; one of a few buffers of this thread, too. */
const char *hd_text_count(size_t count, const char *one, const char *many);

/* Of lines, how often the `*period` ones from `from` on come again right after: at least twice, or
 * 0. */
size_t hd_text_rounds(const char *const *lines, size_t count, size_t from, size_t *period);

/* A value of a variable: addresses, as far as they look like one, in hexadecimal.  One of a few
 * buffers of this thread. */
const char *hd_text_value(int64_t value);

/* "12,345,678", in a buffer of at least 27 bytes. */
const char *hd_text_grouped(char buffer[32], uint64_t value);

#endif
