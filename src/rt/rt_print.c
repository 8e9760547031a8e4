/*
 * Functions of the C library that print into memory.  What they write is the program's memory, and
 * how much is known only when it is done; so the text is made aside, then there is a point with
 * the bytes that will be written, then they are written.  Instrumented modules get the address of
 * these in the place of the C library's (rt_got.c); they are not interposed, as the runtime
 * itself prints too.
 */
#include <stdarg.h>
#include <stdio.h>

#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_real.h"
#include "rt_string.h"

enum { WRITE = HEDDLE_WRITE + 1, SMALL = 512 };

static void put(char *to, size_t room, const char *text, size_t length, uintptr_t code) {
    if (!room)
        return;
    size_t size = length < room ? length : room - 1;
    hd_rt_explore_access(WRITE, to, size + 1, code);
    hd_rt_copy(to, text, size);
    to[size] = '\0';
}

static int print(char *to, size_t room, const char *format, va_list rest, uintptr_t code) {
    char small[SMALL], *text = small;
    va_list again;
    if (!hd_rt.exploring || hd_rt.ended || !hd_rt_explored.births || !hd_rt_controlled())
        return hd_rt_real.vsnprintf(to, room, format, rest);
    hd_rt_output_looks(format, rest, code);
    va_copy(again, rest);
    int length = hd_rt_real.vsnprintf(small, sizeof small, format, rest);
    if (length >= SMALL) {
        text = __builtin_alloca((size_t)length + 1);
        hd_rt_real.vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    if (length >= 0)
        put(to, room, text, (size_t)length, code);
    return length;
}

#define PASS_ON(room)                                                                              \
    va_list rest;                                                                                  \
    va_start(rest, format);                                                                        \
    int done = print(to, room, format, rest, HD_RT_CODE());                                        \
    va_end(rest);                                                                                  \
    return done;

/* As large as an address allows: what is printed has an end. */
#define ENDLESS ((size_t)INT32_MAX)

static int to_size(char *to, size_t room, const char *format, ...) {
    PASS_ON(room)
}

static int to_size_checked(char *to, size_t room, int flag, size_t whole, const char *format, ...) {
    (void)flag;
    if (room > whole)
        __builtin_trap();
    PASS_ON(room)
}

static int to_end(char *to, const char *format, ...) {
    PASS_ON(ENDLESS)
}

static int to_end_checked(char *to, int flag, size_t whole, const char *format, ...) {
    (void)flag;
    PASS_ON(whole < ENDLESS ? whole : ENDLESS)
}

static int list_to_size(char *to, size_t room, const char *format, va_list rest) {
    return print(to, room, format, rest, HD_RT_CODE());
}

static int list_to_size_checked(char *to, size_t room, int flag, size_t whole, const char *format,
                                va_list rest) {
    (void)flag;
    if (room > whole)
        __builtin_trap();
    return print(to, room, format, rest, HD_RT_CODE());
}

static int list_to_end(char *to, const char *format, va_list rest) {
    return print(to, ENDLESS, format, rest, HD_RT_CODE());
}

static int list_to_end_checked(char *to, int flag, size_t whole, const char *format, va_list rest) {
    (void)flag;
    return print(to, whole < ENDLESS ? whole : ENDLESS, format, rest, HD_RT_CODE());
}

void *hd_rt_print_instead(const char *name) {
    static const struct {
        const char *name;
        void *function;
    } all[] = {
        {"snprintf", (void *)to_size},
        {"__snprintf_chk", (void *)to_size_checked},
        {"sprintf", (void *)to_end},
        {"__sprintf_chk", (void *)to_end_checked},
        {"vsnprintf", (void *)list_to_size},
        {"__vsnprintf_chk", (void *)list_to_size_checked},
        {"vsprintf", (void *)list_to_end},
        {"__vsprintf_chk", (void *)list_to_end_checked},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        size_t length = hd_rt_length(all[i].name, SIZE_MAX);
        if (hd_rt_starts(name, all[i].name, length + 1))
            return all[i].function;
    }
    return NULL;
}
