/*
 * Copying and comparing bytes, for the runtime itself: the C library's names are interposed, and
 * what the runtime does is not the program's doing.  And what the functions that replace those of
 * the C library share: what they read and write is the program's doing.
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

/* Is the character in the list?  NUL never is. */
static inline bool hd_rt_one_of(char character, const char *list) {
    while (*list && *list != character)
        list++;
    return *list != '\0';
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
void hd_rt_text_init(void);

/* --- what the program reads and writes by calls ---------------------------------------------- */

/* Bytes that are copied at once where another thread may come between the read and the write: a
 * longer copy is one of pieces. */
enum { HD_RT_PIECE = 4096 };

/* Is it seen at all?  Is every access a point, though not explored? */
bool hd_rt_string_on(void);
bool hd_rt_string_steps(void);

/* A range that is read, at a step of its own if others write there; and one that is to be written,
 * with its record after it. */
void hd_rt_string_reads(const void *address, size_t size, uintptr_t code);
void hd_rt_string_will_write(void *address, size_t size, uintptr_t code);
void hd_rt_string_wrote(void *address, size_t size, uintptr_t code);

/* As memcpy, memmove and memset by the program. */
void *hd_rt_string_copy(void *to, const void *from, size_t size, uintptr_t code);
void *hd_rt_string_set(void *to, int byte, size_t size, uintptr_t code);

/*
 * Reading a text of unknown length.  Explored, each character that others write is a step: where
 * the text ends is known only when it was read, and an operation must not depend on what others
 * wrote but by its steps.  The record has ranges, as long as no other thread came between.
 */
typedef struct hd_rt_scan {
    const unsigned char *at;
    size_t seen, told; /* bytes */
    unsigned unit;     /* bytes of a character: 1, 4 */
    uintptr_t code;
    bool on, explored, shared;
    struct hd_rt_scan *other; /* that is read by turns with this one; else NULL */
} hd_rt_scan;

void hd_rt_scan_begin(hd_rt_scan *scan, const void *text, unsigned unit, uintptr_t code);
void hd_rt_scan_step(hd_rt_scan *scan, const unsigned char *at);
void hd_rt_scan_end(hd_rt_scan *scan);

static inline uint32_t hd_rt_scan_next(hd_rt_scan *scan) {
    const unsigned char *at = scan->at + scan->seen;
    if (scan->explored)
        hd_rt_scan_step(scan, at);
    scan->seen += scan->unit;
    return scan->unit == 1 ? *(const volatile unsigned char *)at : *(const volatile uint32_t *)at;
}

/*
 * Texts that a call of the C library reads after its steps, as they were at these: kept, and put
 * into memory for the time of the call.  Explored programs only; in others such a
 * text is recorded, unless it is a constant of the program, and it is checked that it lies in its
 * block.
 */
enum { HD_RT_TEXTS = 8 };
typedef struct hd_rt_texts {
    struct {
        char *at;
        size_t size, place;
    } text[HD_RT_TEXTS];
    unsigned count;
    size_t used;
    char bytes[HD_RT_PIECE];
} hd_rt_texts;

void hd_rt_texts_init(hd_rt_texts *texts);
/* At most so many characters of `unit` bytes. */
void hd_rt_texts_string(hd_rt_texts *texts, const void *text, size_t most, unsigned unit,
                        uintptr_t code);
void hd_rt_texts_record(const void *text, size_t most, unsigned unit, uintptr_t code);
void hd_rt_texts_range(hd_rt_texts *texts, const void *at, size_t size, uintptr_t code);
void hd_rt_texts_check(const void *text, size_t most, uintptr_t code);
void hd_rt_texts_swap(hd_rt_texts *texts); /* in, and out again */

#endif
