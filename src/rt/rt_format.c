/*
 * What the C library reads when it prints: texts that are arguments of a format, which are read at
 * steps before the call, and put into memory as they were there for the time of it.  And printing
 * into memory: these texts are read, then the whole is written.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "rt_explore.h"
#include "rt_freed.h"
#include "rt_real.h"
#include "rt_string.h"

/* One conversion. */
typedef struct conversion {
    bool precise; /* a precision is given, */
    int precision;
    unsigned longs; /* l or z or the like, each; a long double is one, too */
    unsigned halves;
    bool wide; /* of a floating-point number: a long double */
} conversion;

static int number(const char **format, va_list *rest) {
    int value = 0;
    if (**format == '*') {
        ++*format;
        return va_arg(*rest, int);
    }
    for (; **format >= '0' && **format <= '9'; ++*format)
        value = value < 1 << 20 ? value * 10 + **format - '0' : value;
    return value;
}

static bool is_one_of(char character, const char *list) {
    while (*list && *list != character)
        list++;
    return *list && character;
}

static conversion read_conversion(const char **format, va_list *rest) {
    conversion it = {0};
    while (is_one_of(**format, "-+ #0'I"))
        ++*format;
    number(format, rest);
    if (**format == '.') {
        ++*format;
        it.precise = true;
        it.precision = number(format, rest);
    }
    for (; is_one_of(**format, "hljztqL"); ++*format) {
        it.longs += **format != 'h';
        it.halves += **format == 'h';
        it.wide |= **format == 'L';
    }
    return it;
}

/* At steps?  Else it is only checked. */
static bool is_read(void) {
    return hd_rt.exploring && hd_rt_explored.births;
}

static void read_text(hd_rt_texts *texts, const char *text, const conversion *it, uintptr_t code) {
    size_t most = it->precise && it->precision >= 0 ? (size_t)it->precision : SIZE_MAX;
    if (!is_read())
        hd_rt_texts_check(text, most, code);
    else if (text)
        hd_rt_texts_string(texts, text, most, code);
}

/* %n, though after other steps. */
static void store_count(void *to, const conversion *it, uintptr_t code) {
    size_t size = it->longs ? 8 : it->halves == 2 ? 1 : it->halves ? 2 : 4;
    if (!is_read()) {
        if (to)
            hd_rt_freed_check(HEDDLE_OP_WRITE, to, size, code);
        return;
    }
    hd_rt_explore_unseen();
    if (to)
        hd_rt_explore_access(HEDDLE_WRITE + 1, to, size, code);
}

/* False if it is one that is not known, or takes its argument from another place. */
static bool take_argument(hd_rt_texts *texts, char letter, const conversion *it, va_list *rest,
                          uintptr_t code) {
    if (is_one_of(letter, "diouxXc")) {
        if (it->longs)
            (void)va_arg(*rest, long);
        else
            (void)va_arg(*rest, int);
    } else if (is_one_of(letter, "aAeEfFgG")) {
        if (it->wide)
            (void)va_arg(*rest, long double);
        else
            (void)va_arg(*rest, double);
    } else if (letter == 's' && !it->longs)
        read_text(texts, va_arg(*rest, const char *), it, code);
    else if (letter == 'p')
        (void)va_arg(*rest, void *);
    else if (letter == 'n')
        store_count(va_arg(*rest, void *), it, code);
    else
        return letter == '%' || letter == 'm';
    return true;
}

/* Without steps `texts` is not used. */
static void take_arguments(hd_rt_texts *texts, const char *format, va_list arguments,
                           uintptr_t code) {
    va_list rest;
    va_copy(rest, arguments);
    while (*format) {
        if (*format++ != '%')
            continue;
        conversion it = read_conversion(&format, &rest);
        if (!take_argument(texts, *format, &it, &rest, code)) {
            if (is_read())
                hd_rt_explore_unseen();
            break;
        }
        format++;
    }
    va_end(rest);
}

/* The C library reads them in a moment: do they lie in their blocks? */
static void check_texts(const char *format, va_list arguments, uintptr_t code) {
    if (!format || !hd_rt_freed_shades || !hd_rt_controlled() || hd_rt.ended)
        return;
    hd_rt_texts_check(format, SIZE_MAX, code);
    take_arguments(NULL, format, arguments, code);
}

void hd_rt_format_reads(hd_rt_texts *texts, const char *format, va_list arguments, uintptr_t code) {
    hd_rt_texts_init(texts);
    if (!is_read()) {
        check_texts(format, arguments, code);
        return;
    }
    if (!hd_rt_controlled())
        return;
    hd_rt_texts_string(texts, format, SIZE_MAX, code);
    take_arguments(texts, format, arguments, code);
}

/* --- into memory ----------------------------------------------------------------------------- */

/* The arguments are read, then the text is written: its length is known by then. */
static int print_explored(char *to, size_t size, const char *format, va_list arguments,
                          uintptr_t code) {
    hd_rt_texts texts;
    va_list again;
    hd_rt_format_reads(&texts, format, arguments, code);
    hd_rt_texts_swap(&texts);
    va_copy(again, arguments);
    int length = hd_rt_real.vsnprintf(NULL, 0, format, again);
    va_end(again);
    hd_rt_texts_swap(&texts);
    size_t whole = length < 0 ? 0 : (size_t)length + 1, part = whole < size ? whole : size;
    hd_rt_string_will_write(to, part, code);
    hd_rt_texts_swap(&texts);
    hd_rt_real.vsnprintf(to, size, format, arguments);
    hd_rt_texts_swap(&texts);
    hd_rt_string_wrote(to, part, code);
    return length;
}

static int print_to(char *to, size_t size, const char *format, va_list rest, uintptr_t code) {
    if (hd_rt.exploring && hd_rt_controlled() && !hd_rt.ended)
        return print_explored(to, size, format, rest, code);
    bool on = hd_rt_string_on();
    if (on) {
        hd_rt_settle();
        check_texts(format, rest, code);
    }
    int length = hd_rt_real.vsnprintf(to, size, format, rest);
    size_t whole = length < 0 ? 0 : (size_t)length + 1, part = whole < size ? whole : size;
    if (on && part)
        hd_rt_freed_check(HEDDLE_OP_WRITE, to, part, code);
    if (on)
        hd_rt_string_wrote(to, part, code);
    return length;
}

#define LIST(call)                                                                                 \
    va_list rest;                                                                                  \
    va_start(rest, format);                                                                        \
    int done = call;                                                                               \
    va_end(rest);                                                                                  \
    return done;

/* As much as the address space has, for the C library adds it to the address. */
static size_t all_room(const char *to) {
    return (size_t)(INT32_MAX < UINTPTR_MAX - (uintptr_t)to ? INT32_MAX
                                                            : UINTPTR_MAX - (uintptr_t)to);
}

HD_RT_EXPORT int vsnprintf(char *restrict to, size_t size, const char *restrict format,
                           va_list rest) {
    return print_to(to, size, format, rest, HD_RT_CODE());
}

HD_RT_EXPORT int snprintf(char *restrict to, size_t size, const char *restrict format,
                          ...){LIST(print_to(to, size, format, rest, HD_RT_CODE()))}

HD_RT_EXPORT int vsprintf(char *restrict to, const char *restrict format, va_list rest) {
    return print_to(to, all_room(to), format, rest, HD_RT_CODE());
}

HD_RT_EXPORT int sprintf(char *restrict to, const char *restrict format,
                         ...){LIST(print_to(to, all_room(to), format, rest, HD_RT_CODE()))}

/* What the fortified headers call. */
HD_RT_EXPORT int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format,
                                 va_list rest) {
    (void)flag;
    if (size > room)
        __builtin_trap();
    return print_to(to, size, format, rest, HD_RT_CODE());
}

HD_RT_EXPORT int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format,
                                ...) {
    (void)flag;
    if (size > room)
        __builtin_trap();
    LIST(print_to(to, size, format, rest, HD_RT_CODE()))
}

HD_RT_EXPORT int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list rest) {
    (void)flag;
    return print_to(to, room < all_room(to) ? room : all_room(to), format, rest, HD_RT_CODE());
}

HD_RT_EXPORT int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...) {
    (void)flag;
    LIST(print_to(to, room < all_room(to) ? room : all_room(to), format, rest, HD_RT_CODE()))
}
