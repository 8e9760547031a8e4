#include "base_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is cut, in bytes: words longer than the first are shown up to the second; texts; and what is
 * around a place that is marked. */
enum { LONG_WORD = 512, SHOWN_OF_WORD = 128, LONG_TEXT = 1 << 16, AROUND = 60 };

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

uint32_t hd_text_hidden(const char *text, size_t size) {
    static const struct {
        uint32_t first, last;
    } hidden[] = {{0x80, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},   {0x200b, 0x200f},
                  {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xffff}};
    const unsigned char *s = (const unsigned char *)text;
    uint32_t code = s[0];
    if (size == 1)
        return code < 0x20 || code == 0x7f ? code + 1 : 0;
    if (size == 2)
        code = (s[0] & 0x1fU) << 6 | (s[1] & 0x3fU);
    else if (size == 3)
        code = (s[0] & 0xfU) << 12 | (s[1] & 0x3fU) << 6 | (s[2] & 0x3fU);
    for (size_t i = 0; size < 4 && i < sizeof hidden / sizeof *hidden; i++)
        if (code >= hidden[i].first && code <= hidden[i].last)
            return code + 1;
    return 0;
}

size_t hd_text_printable(char *to, size_t size, const char *from, size_t length) {
    size_t used = 0;
    size_t mark = 0; /* where "..." still fits */
    for (size_t i = 0; i < length;) {
        char piece[8];
        size_t taken = hd_text_utf8(from + i, length - i);
        unsigned char byte = (unsigned char)from[i];
        size_t piece_length;
        /* The following bytes of a longer character are not characters of their own. */
        if (taken == 0 || hd_text_hidden(from + i, taken)) {
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

/* A number as people write one: digits, perhaps a point and more digits. */
static const char *plain_number(const char *text, double *value) {
    static const char digits[] = "0123456789";
    size_t whole = strspn(text, digits), length = whole;
    if (text[length] == '.')
        length += 1 + strspn(text + length + 1, digits);
    if (whole == 0 || text[length - 1] == '.' || length > 40)
        return NULL;
    *value = strtod(text, NULL);
    return text + length;
}

bool hd_text_seconds(const char *text, double *seconds) {
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 0.001}, {"m", 60}, {"h", 3600}};
    double value = 0;
    const char *unit = plain_number(text, &value);
    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0 && value > 0 && value <= 1e9) {
            *seconds = value * units[i].seconds;
            return true;
        }
    return false;
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

static void add_bytes(hd_vec_char *to, const char *text, size_t length) {
    hd_vec_reserve(to, to->length + length + 1);
    memcpy(to->data + to->length, text, length);
    to->length += length;
    to->data[to->length] = '\0';
}

static void add_printable(hd_vec_char *to, const char *text, size_t length) {
    hd_vec_reserve(to, to->length + 4 * length + 1);
    to->length += hd_text_printable(to->data + to->length, 4 * length + 1, text, length);
}

/* The largest length up to `most` that does not end within a character. */
static size_t whole_characters(const char *text, size_t length, size_t most) {
    if (length <= most)
        return length;
    size_t end = most;
    while (end > most - 3 && ((unsigned char)text[end] & 0xc0) == 0x80)
        end--;
    return end;
}

static void add_cut(hd_vec_char *to, const char *text, size_t length, size_t most, size_t all) {
    char number[32], size[64];
    add_printable(to, text, whole_characters(text, length, most));
    snprintf(size, sizeof size, "... (%s bytes)", hd_text_grouped(number, all));
    add_bytes(to, size, strlen(size));
}

void hd_text_shorten(hd_vec_char *to, const char *text, size_t length) {
    size_t first = to->length;
    add_bytes(to, "", 0);
    for (size_t at = 0, end; at < length; at = end) {
        const char *space = memchr(text + at, ' ', length - at);
        end = space ? (size_t)(space - text) + 1 : length;
        size_t word = end - at - (space != NULL);
        if (to->length - first > LONG_TEXT) {
            add_cut(to, text + at, 0, SHOWN_OF_WORD, length);
            return;
        }
        if (word <= LONG_WORD)
            add_printable(to, text + at, word);
        else
            add_cut(to, text + at, word, SHOWN_OF_WORD, word);
        if (space)
            add_bytes(to, " ", 1);
    }
}

/* A character each. */
static size_t columns(const char *text, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

static void add_copies(hd_vec_char *to, char byte, size_t count) {
    for (size_t i = 0; i < count; i++)
        add_bytes(to, &byte, 1);
}

void hd_text_mark(hd_vec_char *to, const char *text, size_t at, size_t end) {
    size_t length = strlen(text), from = at > AROUND ? at - AROUND : 0;
    while (from && from < at && ((unsigned char)text[from] & 0xc0) == 0x80)
        from++;
    size_t marked = whole_characters(text + at, end - at, AROUND);
    size_t rest = whole_characters(text + at + marked, length - at - marked, AROUND);
    add_bytes(to, from ? "  ..." : "  ", from ? 5 : 2);
    size_t before = to->length;
    add_printable(to, text + from, at - from);
    size_t indent = (from ? 5 : 2) + columns(to->data + before, to->length - before);
    before = to->length;
    add_printable(to, text + at, marked);
    size_t width = columns(to->data + before, to->length - before);
    add_printable(to, text + at + marked, rest);
    if (at + marked + rest < length)
        add_bytes(to, "...", 3);
    add_bytes(to, "\n", 1);
    add_copies(to, ' ', indent);
    add_copies(to, '^', width ? width : 1);
    add_bytes(to, "\n", 1);
}

const char *hd_text_name(const char *text) {
    enum { BUFFERS = 8, SIZE = 96 };
    static _Thread_local char buffers[BUFFERS][SIZE];
    static _Thread_local unsigned next;
    char *buffer = buffers[next++ % BUFFERS];
    hd_text_printable(buffer, SIZE, text, strlen(text));
    return buffer;
}

const char *hd_text_count(size_t count, const char *one, const char *many) {
    enum { BUFFERS = 8, SIZE = 96 };
    static _Thread_local char buffers[BUFFERS][SIZE];
    static _Thread_local unsigned next;
    char *buffer = buffers[next++ % BUFFERS];
    char number[32];
    snprintf(buffer, SIZE, "%s %s", hd_text_grouped(number, count), count == 1 ? one : many);
    return buffer;
}

static bool same_lines(const char *const *a, const char *const *b, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(a[i], b[i]) != 0)
            return false;
    return true;
}

size_t hd_text_rounds(const char *const *lines, size_t count, size_t from, size_t *period) {
    enum { LONGEST = 8, LEAST = 2 };
    for (size_t length = 1; length <= LONGEST && from + 3 * length <= count; length++) {
        size_t next = from + length;
        while (next + length <= count && same_lines(lines + from, lines + next, length))
            next += length;
        size_t again = (next - from) / length - 1;
        *period = length;
        if (again >= LEAST)
            return again;
    }
    return 0;
}

const char *hd_text_value(int64_t value) {
    enum { BUFFERS = 4, SIZE = 24 };
    static _Thread_local char buffers[BUFFERS][SIZE];
    static _Thread_local unsigned next;
    char *buffer = buffers[next++ % BUFFERS];
    bool address = value >= INT64_C(1) << 40 && value < INT64_C(1) << 48;
    snprintf(buffer, SIZE, address ? "0x%" PRIx64 : "%" PRId64, (uint64_t)value);
    return buffer;
}
