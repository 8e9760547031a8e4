/*
 * Copying and comparing bytes, for the runtime itself: the C library's names are
 * interposed, and what the runtime does is not the program's doing.
 */
#ifndef HD_RT_STRING_H
#define HD_RT_STRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline void hd_rt_copy(void *to, const void *from, size_t size) {
    char *target = to;
    const char *source = from;
    while (size >= 8) {
        __builtin_memcpy(target, source, 8);
        target += 8;
        source += 8;
        size -= 8;
        __asm__ volatile("" ::: "memory"); /* or the compiler makes it a call of memcpy */
    }
    while (size-- > 0) {
        *target++ = *source++;
        __asm__ volatile("" ::: "memory");
    }
}

static inline void hd_rt_zero(void *to, size_t size) {
    volatile char *target = to;
    while (size-- > 0)
        *target++ = 0;
}

static inline size_t hd_rt_length(const char *text, size_t most) {
    size_t length = 0;
    while (length < most && text[length])
        length++;
    return length;
}

/* Are the first `length` bytes the same? */
static inline bool hd_rt_starts(const char *text, const char *with, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (text[i] != with[i])
            return false;
    return true;
}

/* A copy that ends in a NUL, cut if it does not fit. */
static inline void hd_rt_text(char *to, size_t size, const char *from) {
    size_t length = hd_rt_length(from, size - 1);
    hd_rt_copy(to, from, length);
    to[length] = '\0';
}

/* As memmove and memcpy, unseen. */
void *hd_rt_string_move(void *to, const void *from, size_t size);

void hd_rt_string_init(void);

#endif
