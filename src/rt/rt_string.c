/*
 * The C library's functions on bytes and strings.  Compilers call them for code of
 * the program's, so what they read and write is the program's doing: a range each.
 * What is read is recorded before, what is written after the call, so that the bytes
 * are known.
 */
#include "rt_string.h"

#include "rt.h"
#include "rt_real.h"

enum { READ = HEDDLE_READ + 1, WRITE = HEDDLE_WRITE + 1 };

/* Found once; before that, and in the loader, bytes are copied by hand. */
static struct {
    void *(*copy)(void *, const void *, size_t);
    void *(*move)(void *, const void *, size_t);
    void *(*set)(void *, int, size_t);
    int (*compare)(const void *, const void *, size_t);
    void *(*find)(const void *, int, size_t);
    size_t (*length)(const char *);
} real;

void hd_rt_string_init(void) {
    *(void **)&real.move = hd_rt_real_symbol("memmove");
    *(void **)&real.set = hd_rt_real_symbol("memset");
    *(void **)&real.compare = hd_rt_real_symbol("memcmp");
    *(void **)&real.find = hd_rt_real_symbol("memchr");
    *(void **)&real.length = hd_rt_real_symbol("strlen");
    *(void **)&real.copy = hd_rt_real_symbol("memcpy");
}

static bool on(void) {
    if (hd_rt.exploring && hd_rt.ended)
        hd_rt_explore_unseen(); /* what it reads on the way out is not looked at */
    return hd_rt.mode == HD_RT_FREE || (hd_rt_controlled() && !hd_rt.ended);
}

static void reads(const void *address, size_t size, uintptr_t code) {
    if (!size)
        return;
    if (hd_rt.mode == HD_RT_CONTROLLED && (hd_rt.every_access || hd_rt.following))
        hd_rt_point(READ, address, (uint32_t)size, code);
    else if (hd_rt.exploring)
        hd_rt_explore_access(READ, address, size, code);
    hd_rt_record_range(false, address, size, code);
}

/* The point is before the write, the record behind it. */
static void will_write(void *address, size_t size, uintptr_t code) {
    if (hd_rt.mode == HD_RT_CONTROLLED && size && (hd_rt.every_access || hd_rt.following))
        hd_rt_point(WRITE, address, (uint32_t)size, code);
    else if (hd_rt.exploring)
        hd_rt_explore_access(WRITE, address, size, code);
    else
        hd_rt_settle();
}

static void wrote(void *address, size_t size, uintptr_t code) {
    if (size)
        hd_rt_record_range(true, address, size, code);
}

void *hd_rt_string_move(void *to, const void *from, size_t size) {
    if (real.move)
        return real.move(to, from, size);
    char *target = to;
    const char *source = from;
    if (target <= source)
        for (size_t i = 0; i < size; i++)
            ((volatile char *)target)[i] = source[i];
    else
        for (size_t i = size; i-- > 0;)
            ((volatile char *)target)[i] = source[i];
    return to;
}

static void *copy_bytes(void *to, const void *from, size_t size, uintptr_t code) {
    if (!on())
        return hd_rt_string_move(to, from, size);
    reads(from, size, code);
    will_write(to, size, code);
    hd_rt_string_move(to, from, size);
    wrote(to, size, code);
    return to;
}

static void *set_bytes(void *to, int byte, size_t size, uintptr_t code) {
    bool recorded = on();
    if (recorded)
        will_write(to, size, code);
    if (real.set)
        real.set(to, byte, size);
    else
        for (size_t i = 0; i < size; i++)
            ((volatile char *)to)[i] = (char)byte;
    if (recorded)
        wrote(to, size, code);
    return to;
}

HD_RT_EXPORT void *memcpy(void *restrict to, const void *restrict from, size_t size) {
    return copy_bytes(to, from, size, HD_RT_CODE());
}

HD_RT_EXPORT void *memmove(void *to, const void *from, size_t size) {
    return copy_bytes(to, from, size, HD_RT_CODE());
}

HD_RT_EXPORT void *memset(void *to, int byte, size_t size) {
    return set_bytes(to, byte, size, HD_RT_CODE());
}

HD_RT_EXPORT void *__tsan_memcpy(void *to, const void *from, size_t size) {
    return copy_bytes(to, from, size, HD_RT_CODE());
}

HD_RT_EXPORT void *__tsan_memmove(void *to, const void *from, size_t size) {
    return copy_bytes(to, from, size, HD_RT_CODE());
}

HD_RT_EXPORT void *__tsan_memset(void *to, int byte, size_t size) {
    return set_bytes(to, byte, size, HD_RT_CODE());
}

/* What the fortified headers call. */
HD_RT_EXPORT void *__memcpy_chk(void *to, const void *from, size_t size, size_t room) {
    if (size > room)
        __builtin_trap();
    return copy_bytes(to, from, size, HD_RT_CODE());
}

HD_RT_EXPORT void *__memmove_chk(void *to, const void *from, size_t size, size_t room) {
    if (size > room)
        __builtin_trap();
    return copy_bytes(to, from, size, HD_RT_CODE());
}

HD_RT_EXPORT void *__memset_chk(void *to, int byte, size_t size, size_t room) {
    if (size > room)
        __builtin_trap();
    return set_bytes(to, byte, size, HD_RT_CODE());
}

/* --- what only reads ------------------------------------------------------------------------ */

static size_t length_of(const char *text) {
    if (real.length)
        return real.length(text);
    size_t length = 0;
    while (((const volatile char *)text)[length])
        length++;
    return length;
}

HD_RT_EXPORT int memcmp(const void *a, const void *b, size_t size) {
    const unsigned char *x = a, *y = b;
    size_t same = 0;
    while (same < size && x[same] == y[same])
        same++;
    if (on()) {
        size_t seen = same < size ? same + 1 : size;
        reads(a, seen, HD_RT_CODE());
        reads(b, seen, HD_RT_CODE());
    }
    return same < size ? x[same] - y[same] : 0;
}

HD_RT_EXPORT void *memchr(const void *bytes, int byte, size_t size) {
    const unsigned char *at = bytes;
    size_t place = 0;
    while (place < size && at[place] != (unsigned char)byte)
        place++;
    if (on())
        reads(bytes, place < size ? place + 1 : size, HD_RT_CODE());
    return place < size ? (void *)(uintptr_t)(at + place) : NULL;
}

HD_RT_EXPORT size_t strlen(const char *text) {
    size_t length = length_of(text);
    if (on())
        reads(text, length + 1, HD_RT_CODE());
    return length;
}

static int compare(const char *a, const char *b, size_t most, uintptr_t code) {
    size_t same = 0;
    while (same < most && a[same] && a[same] == b[same])
        same++;
    if (on()) {
        size_t seen = same < most ? same + 1 : most;
        reads(a, seen, code);
        reads(b, seen, code);
    }
    return same < most ? (unsigned char)a[same] - (unsigned char)b[same] : 0;
}

HD_RT_EXPORT int strcmp(const char *a, const char *b) {
    return compare(a, b, SIZE_MAX, HD_RT_CODE());
}

HD_RT_EXPORT int strncmp(const char *a, const char *b, size_t most) {
    return compare(a, b, most, HD_RT_CODE());
}

HD_RT_EXPORT char *strchr(const char *text, int byte) {
    const char *at = text;
    while (*at && *at != (char)byte)
        at++;
    if (on())
        reads(text, (size_t)(at - text) + 1, HD_RT_CODE());
    return *at == (char)byte ? (char *)(uintptr_t)at : NULL;
}

HD_RT_EXPORT char *strrchr(const char *text, int byte) {
    size_t length = length_of(text) + 1;
    if (on())
        reads(text, length, HD_RT_CODE());
    while (length-- > 0)
        if (text[length] == (char)byte)
            return (char *)(uintptr_t)(text + length);
    return NULL;
}

/* --- what copies strings -------------------------------------------------------------------- */

HD_RT_EXPORT char *strcpy(char *restrict to, const char *restrict from) {
    copy_bytes(to, from, length_of(from) + 1, HD_RT_CODE());
    return to;
}

HD_RT_EXPORT char *stpcpy(char *restrict to, const char *restrict from) {
    size_t length = length_of(from);
    copy_bytes(to, from, length + 1, HD_RT_CODE());
    return to + length;
}

HD_RT_EXPORT char *strncpy(char *restrict to, const char *restrict from, size_t size) {
    size_t length = 0;
    while (length < size && from[length])
        length++;
    copy_bytes(to, from, length < size ? length + 1 : size, HD_RT_CODE());
    if (length + 1 < size)
        set_bytes(to + length + 1, 0, size - length - 1, HD_RT_CODE());
    return to;
}

HD_RT_EXPORT char *strcat(char *restrict to, const char *restrict from) {
    size_t length = length_of(to);
    if (on())
        reads(to, length + 1, HD_RT_CODE());
    copy_bytes(to + length, from, length_of(from) + 1, HD_RT_CODE());
    return to;
}

HD_RT_EXPORT char *strncat(char *restrict to, const char *restrict from, size_t size) {
    size_t length = length_of(to), count = 0;
    while (count < size && from[count])
        count++;
    if (on())
        reads(to, length + 1, HD_RT_CODE());
    copy_bytes(to + length, from, count, HD_RT_CODE());
    set_bytes(to + length + count, 0, 1, HD_RT_CODE());
    return to;
}
