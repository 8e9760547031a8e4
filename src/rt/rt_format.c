/*
 * What the C library reads when it prints: texts that are arguments of a format.  That is no
 * access of the program's code, so nobody else tells of it.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "rt_explore.h"

/* One conversion. */
typedef struct conversion {
    bool precise; /* a precision is given, */
    int precision;
    unsigned longs; /* l or z or the like, each; a long double is one, too */
    bool wide;      /* of a floating-point number: a long double */
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
        it.wide |= **format == 'L';
    }
    return it;
}

static void look_at_text(const char *text, const conversion *it, uintptr_t code) {
    size_t length = 0, most = it->precise && it->precision >= 0 ? (size_t)it->precision : SIZE_MAX;
    if (!text)
        return;
    while (length < most && text[length])
        length++;
    hd_rt_explore_access(HEDDLE_READ + 1, text, length < most ? length + 1 : length, code);
}

/* False if it is one that is not known, or takes its argument from another place. */
static bool take_argument(char letter, const conversion *it, va_list *rest, uintptr_t code) {
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
        look_at_text(va_arg(*rest, const char *), it, code);
    else if (letter == 'p')
        (void)va_arg(*rest, void *);
    else
        return letter == '%' || letter == 'm';
    return true;
}

void hd_rt_output_looks(const char *format, va_list arguments, uintptr_t code) {
    va_list rest;
    if (!hd_rt.exploring || hd_rt.ended || !hd_rt_explored.births || !hd_rt_controlled())
        return;
    hd_rt_explore_look(format, 1);
    va_copy(rest, arguments);
    while (*format) {
        if (*format++ != '%')
            continue;
        conversion it = read_conversion(&format, &rest);
        if (!take_argument(*format, &it, &rest, code)) {
            hd_rt_explore_unseen();
            break;
        }
        format++;
    }
    va_end(rest);
}
