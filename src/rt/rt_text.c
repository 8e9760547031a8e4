/*
 * The C library's functions on strings.  They read character by character, and know how far only
 * then (rt_string.h); what they write is a range.  What they return is made of what they read at
 * their steps.
 */
#include <ctype.h>
#include <stdlib.h>

#include "rt.h"
#include "rt_real.h"
#include "rt_string.h"

/* --- how long, and where --------------------------------------------------------------------- */

/* Found once. */
static size_t (*real_strlen)(const char *);

void hd_rt_text_init(void) {
    *(void **)&real_strlen = hd_rt_real_symbol("strlen");
}

/* Where others may come between, or it is not known yet, characters are read one by one. */
static size_t length_of(const void *text, unsigned unit, size_t most, uintptr_t code) {
    hd_rt_scan scan;
    size_t length = 0;
    hd_rt_scan_begin(&scan, text, unit, code);
    if (!scan.explored && unit == 1 && most == SIZE_MAX && real_strlen) {
        length = real_strlen(text);
        scan.seen = length + 1;
        hd_rt_scan_end(&scan);
        return length;
    }
    while (length < most && hd_rt_scan_next(&scan))
        length++;
    hd_rt_scan_end(&scan);
    return length;
}

HD_RT_EXPORT size_t strlen(const char *text) {
    return length_of(text, 1, SIZE_MAX, HD_RT_CODE());
}

HD_RT_EXPORT size_t strnlen(const char *text, size_t most) {
    return length_of(text, 1, most, HD_RT_CODE());
}

HD_RT_EXPORT size_t wcslen(const wchar_t *text) {
    return length_of(text, sizeof *text, SIZE_MAX, HD_RT_CODE());
}

HD_RT_EXPORT size_t wcsnlen(const wchar_t *text, size_t most) {
    return length_of(text, sizeof *text, most, HD_RT_CODE());
}

static void *find_byte(const void *bytes, int byte, size_t size, uintptr_t code) {
    hd_rt_scan scan;
    bool found = false;
    hd_rt_scan_begin(&scan, bytes, 1, code);
    while (!found && scan.seen < size)
        found = hd_rt_scan_next(&scan) == (unsigned char)byte;
    hd_rt_scan_end(&scan);
    return found ? (void *)(uintptr_t)(scan.at + scan.seen - 1) : NULL;
}

HD_RT_EXPORT void *memchr(const void *bytes, int byte, size_t size) {
    return find_byte(bytes, byte, size, HD_RT_CODE());
}

HD_RT_EXPORT void *rawmemchr(const void *bytes, int byte) {
    return find_byte(bytes, byte, SIZE_MAX, HD_RT_CODE());
}

/* From the end. */
HD_RT_EXPORT void *memrchr(const void *bytes, int byte, size_t size) {
    const unsigned char *at = bytes;
    if (hd_rt_string_on())
        hd_rt_string_reads(bytes, size, HD_RT_CODE());
    while (size-- > 0)
        if (at[size] == (unsigned char)byte)
            return (void *)(uintptr_t)(at + size);
    return NULL;
}

/* The first such character, or the last, or the end. */
static char *find_character(const char *text, int byte, bool last, bool end, uintptr_t code) {
    hd_rt_scan scan;
    unsigned char character;
    const unsigned char *found = NULL;
    hd_rt_scan_begin(&scan, text, 1, code);
    do {
        character = (unsigned char)hd_rt_scan_next(&scan);
        if (character == (unsigned char)byte)
            found = scan.at + scan.seen - 1;
    } while (character && (last || !found));
    hd_rt_scan_end(&scan);
    if (!found && end)
        found = scan.at + scan.seen - 1;
    return (char *)(uintptr_t)found;
}

HD_RT_EXPORT char *strchr(const char *text, int byte) {
    return find_character(text, byte, false, false, HD_RT_CODE());
}

HD_RT_EXPORT char *strrchr(const char *text, int byte) {
    return find_character(text, byte, true, false, HD_RT_CODE());
}

HD_RT_EXPORT char *strchrnul(const char *text, int byte) {
    return find_character(text, byte, false, true, HD_RT_CODE());
}

HD_RT_EXPORT char *index(const char *text, int byte) {
    return find_character(text, byte, false, false, HD_RT_CODE());
}

HD_RT_EXPORT char *rindex(const char *text, int byte) {
    return find_character(text, byte, true, false, HD_RT_CODE());
}

HD_RT_EXPORT wchar_t *wcschr(const wchar_t *text, wchar_t wanted) {
    hd_rt_scan scan;
    uint32_t character;
    hd_rt_scan_begin(&scan, text, sizeof *text, HD_RT_CODE());
    do
        character = hd_rt_scan_next(&scan);
    while (character && character != (uint32_t)wanted);
    hd_rt_scan_end(&scan);
    return character == (uint32_t)wanted
               ? (wchar_t *)(uintptr_t)(scan.at + scan.seen - sizeof *text)
               : NULL;
}

/* --- sets of characters ---------------------------------------------------------------------- */

/* How many characters there are, from the first on, that are in the set, or that are not. */
static size_t span(const char *text, const char *set, bool wanted, bool *end, uintptr_t code) {
    bool in[256];
    hd_rt_scan scan;
    unsigned char character;
    hd_rt_zero(in, sizeof in);
    hd_rt_scan_begin(&scan, set, 1, code);
    while ((character = (unsigned char)hd_rt_scan_next(&scan)))
        in[character] = true;
    hd_rt_scan_end(&scan);
    hd_rt_scan_begin(&scan, text, 1, code);
    do
        character = (unsigned char)hd_rt_scan_next(&scan);
    while (character && in[character] == wanted);
    hd_rt_scan_end(&scan);
    *end = !character;
    return scan.seen - 1;
}

HD_RT_EXPORT size_t strspn(const char *text, const char *set) {
    bool end;
    return span(text, set, true, &end, HD_RT_CODE());
}

HD_RT_EXPORT size_t strcspn(const char *text, const char *set) {
    bool end;
    return span(text, set, false, &end, HD_RT_CODE());
}

HD_RT_EXPORT char *strpbrk(const char *text, const char *set) {
    bool end;
    size_t at = span(text, set, false, &end, HD_RT_CODE());
    return end ? NULL : (char *)(uintptr_t)(text + at);
}

/* --- comparing ------------------------------------------------------------------------------- */

static uint32_t same_case(uint32_t character) {
    return (uint32_t)tolower((int)character);
}

static uint32_t as_it_is(uint32_t character) {
    return character;
}

typedef uint32_t fold(uint32_t character);

static int64_t compare(const void *a, const void *b, unsigned unit, size_t most, fold *folded,
                       uintptr_t code) {
    hd_rt_scan first, second;
    int64_t difference = 0;
    uint32_t character = 1;
    hd_rt_scan_begin(&first, a, unit, code);
    hd_rt_scan_begin(&second, b, unit, code);
    first.other = &second;
    second.other = &first;
    while (first.seen / unit < most && character && !difference) {
        character = folded(hd_rt_scan_next(&first));
        uint32_t other = folded(hd_rt_scan_next(&second));
        difference =
            unit == 1 ? (int64_t)character - other : (int64_t)(int32_t)character - (int32_t)other;
    }
    hd_rt_scan_end(&first);
    hd_rt_scan_end(&second);
    return difference;
}

static int sign(int64_t difference) {
    return (difference > 0) - (difference < 0);
}

HD_RT_EXPORT int strcmp(const char *a, const char *b) {
    return (int)compare(a, b, 1, SIZE_MAX, as_it_is, HD_RT_CODE());
}

HD_RT_EXPORT int strncmp(const char *a, const char *b, size_t most) {
    return (int)compare(a, b, 1, most, as_it_is, HD_RT_CODE());
}

HD_RT_EXPORT int strcasecmp(const char *a, const char *b) {
    return (int)compare(a, b, 1, SIZE_MAX, same_case, HD_RT_CODE());
}

HD_RT_EXPORT int strncasecmp(const char *a, const char *b, size_t most) {
    return (int)compare(a, b, 1, most, same_case, HD_RT_CODE());
}

HD_RT_EXPORT int wcscmp(const wchar_t *a, const wchar_t *b) {
    return sign(compare(a, b, sizeof *a, SIZE_MAX, as_it_is, HD_RT_CODE()));
}

HD_RT_EXPORT int wcsncmp(const wchar_t *a, const wchar_t *b, size_t most) {
    return sign(compare(a, b, sizeof *a, most, as_it_is, HD_RT_CODE()));
}

/* --- copying --------------------------------------------------------------------------------- */

/* A piece of a text, up to `most` bytes: how many there are.  The last character is in *character.
 */
static size_t take_piece(hd_rt_scan *scan, char *to, size_t most, uint32_t *character) {
    size_t count = 0;
    while (count < most && *character) {
        *character = hd_rt_scan_next(scan);
        hd_rt_copy(to + count, character, scan->unit);
        count += scan->unit;
    }
    hd_rt_scan_end(scan);
    return count;
}

static __attribute__((noinline)) size_t copy_pieces(char *to, const void *from, unsigned unit,
                                                    size_t most, uintptr_t code) {
    char kept[HD_RT_PIECE];
    hd_rt_scan scan;
    uint32_t character = 1;
    size_t done = 0;
    hd_rt_scan_begin(&scan, from, unit, code);
    while (done < most && character) {
        size_t left = most - done;
        size_t piece = take_piece(&scan, kept, left < HD_RT_PIECE ? left : HD_RT_PIECE, &character);
        hd_rt_string_will_write(to + done, piece, code);
        hd_rt_string_move(to + done, kept, piece);
        hd_rt_string_wrote(to + done, piece, code);
        done += piece;
    }
    return done;
}

/* With its end, but at most so many bytes; how many there were. */
static size_t copy_text(void *to, const void *from, unsigned unit, size_t most, uintptr_t code) {
    bool on = hd_rt_string_on();
    if (on && (hd_rt.exploring || hd_rt_string_steps()))
        return copy_pieces(to, from, unit, most, code);
    size_t size = length_of(from, unit, most / unit, code) * unit;
    size += size < most ? unit : 0;
    if (on)
        hd_rt_string_will_write(to, size, code);
    hd_rt_string_move(to, from, size);
    if (on)
        hd_rt_string_wrote(to, size, code);
    return size;
}

/* The end of a text of which so many bytes were copied, at most so many. */
static bool has_end(const char *to, size_t done) {
    return done && !to[done - 1];
}

HD_RT_EXPORT char *strcpy(char *restrict to, const char *restrict from) {
    copy_text(to, from, 1, SIZE_MAX, HD_RT_CODE());
    return to;
}

HD_RT_EXPORT char *stpcpy(char *restrict to, const char *restrict from) {
    return to + copy_text(to, from, 1, SIZE_MAX, HD_RT_CODE()) - 1;
}

static size_t copy_padded(char *to, const char *from, size_t size, uintptr_t code) {
    size_t done = copy_text(to, from, 1, size, code);
    if (done < size)
        hd_rt_string_set(to + done, 0, size - done, code);
    return has_end(to, done) ? done - 1 : done;
}

HD_RT_EXPORT char *strncpy(char *restrict to, const char *restrict from, size_t size) {
    copy_padded(to, from, size, HD_RT_CODE());
    return to;
}

HD_RT_EXPORT char *stpncpy(char *restrict to, const char *restrict from, size_t size) {
    return to + copy_padded(to, from, size, HD_RT_CODE());
}

HD_RT_EXPORT char *strcat(char *restrict to, const char *restrict from) {
    size_t length = length_of(to, 1, SIZE_MAX, HD_RT_CODE());
    copy_text(to + length, from, 1, SIZE_MAX, HD_RT_CODE());
    return to;
}

HD_RT_EXPORT char *strncat(char *restrict to, const char *restrict from, size_t size) {
    size_t length = length_of(to, 1, SIZE_MAX, HD_RT_CODE());
    size_t count = copy_text(to + length, from, 1, size, HD_RT_CODE());
    if (!has_end(to + length, count))
        hd_rt_string_set(to + length + count, 0, 1, HD_RT_CODE());
    return to;
}

/* What the fortified headers call: there is room for so many bytes. */
static size_t copy_within(char *to, const char *from, size_t room, uintptr_t code) {
    size_t done = copy_text(to, from, 1, room, code);
    if (!has_end(to, done))
        __builtin_trap();
    return done - 1;
}

HD_RT_EXPORT char *__strcpy_chk(char *to, const char *from, size_t room) {
    copy_within(to, from, room, HD_RT_CODE());
    return to;
}

HD_RT_EXPORT char *__stpcpy_chk(char *to, const char *from, size_t room) {
    return to + copy_within(to, from, room, HD_RT_CODE());
}

HD_RT_EXPORT char *__strncpy_chk(char *to, const char *from, size_t size, size_t room) {
    if (size > room)
        __builtin_trap();
    copy_padded(to, from, size, HD_RT_CODE());
    return to;
}

HD_RT_EXPORT char *__stpncpy_chk(char *to, const char *from, size_t size, size_t room) {
    if (size > room)
        __builtin_trap();
    return to + copy_padded(to, from, size, HD_RT_CODE());
}

HD_RT_EXPORT char *__strcat_chk(char *to, const char *from, size_t room) {
    size_t length = length_of(to, 1, room, HD_RT_CODE());
    copy_within(to + length, from, room - length, HD_RT_CODE());
    return to;
}

HD_RT_EXPORT char *__strncat_chk(char *to, const char *from, size_t size, size_t room) {
    size_t length = length_of(to, 1, room, HD_RT_CODE()), left = room - length;
    size_t count = copy_text(to + length, from, 1, size < left ? size : left, HD_RT_CODE());
    if (has_end(to + length, count))
        return to;
    if (count == left)
        __builtin_trap();
    hd_rt_string_set(to + length + count, 0, 1, HD_RT_CODE());
    return to;
}

HD_RT_EXPORT wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from) {
    copy_text(to, from, sizeof *to, SIZE_MAX, HD_RT_CODE());
    return to;
}

HD_RT_EXPORT wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from) {
    size_t length = length_of(to, sizeof *to, SIZE_MAX, HD_RT_CODE());
    copy_text(to + length, from, sizeof *to, SIZE_MAX, HD_RT_CODE());
    return to;
}

static char *duplicate(const char *text, size_t length, uintptr_t code) {
    char *to = malloc(length + 1);
    if (!to)
        return NULL;
    hd_rt_string_copy(to, text, length, code);
    hd_rt_string_set(to + length, 0, 1, code);
    return to;
}

HD_RT_EXPORT char *strdup(const char *text) {
    return duplicate(text, length_of(text, 1, SIZE_MAX, HD_RT_CODE()), HD_RT_CODE());
}

HD_RT_EXPORT char *strndup(const char *text, size_t most) {
    return duplicate(text, length_of(text, 1, most, HD_RT_CODE()), HD_RT_CODE());
}
