/*
 * What the formats of scanf store.
 */
#include "rt_foreign_steps.h"
#include "rt_string.h"

#include <wchar.h>

typedef struct conversion {
    bool quiet, allocates; /* nothing is stored; a pointer is */
    size_t width;          /* 0: none */
    unsigned halves, longs;
    bool wide; /* L */
} conversion;

static size_t number_at(const char **text) {
    enum { LARGE = 1 << 20 };
    size_t number = 0;
    for (; **text >= '0' && **text <= '9'; ++*text)
        number = number < LARGE ? 10 * number + (size_t)(**text - '0') : number;
    return number;
}

/* `%2$d`: the 2. */
static size_t position_at(const char **format) {
    const char *at = *format;
    size_t position = number_at(&at);
    if (!position || *at != '$')
        return 0;
    *format = at + 1;
    return position;
}

static conversion read_conversion(const char **format) {
    conversion it = {0};
    while (hd_rt_one_of(**format, "*'I")) {
        it.quiet |= **format == '*';
        ++*format;
    }
    it.width = number_at(format);
    for (; hd_rt_one_of(**format, "mhljztqL"); ++*format) {
        it.allocates |= **format == 'm';
        it.halves += **format == 'h';
        it.wide |= **format == 'L';
        it.longs += **format != 'h' && **format != 'm';
    }
    return it;
}

static void skip_set(const char **format) {
    *format += **format == '^';
    *format += **format == ']';
    while (**format && **format != ']')
        ++*format;
    *format += **format == ']';
}

/* 0: it is not known. */
static size_t size_of(char letter, const conversion *it) {
    size_t unit = it->longs ? sizeof(wchar_t) : 1;
    if (it->allocates || letter == 'p')
        return sizeof(void *);
    if (hd_rt_one_of(letter, "diouxXn"))
        return it->longs ? 8 : it->halves == 2 ? 1 : it->halves ? 2 : 4;
    if (hd_rt_one_of(letter, "aAeEfFgG"))
        return it->wide ? sizeof(long double) : it->longs ? 8 : 4;
    if (letter == 'c')
        return unit * (it->width ? it->width : 1);
    if (letter == 's' || letter == '[')
        return it->width ? unit * (it->width + 1) : 0;
    return 0;
}

bool hd_rt_foreign_scanned(const char **format, hd_rt_scanned *one) {
    while (*format && **format) {
        if (*(*format)++ != '%')
            continue;
        one->position = position_at(format);
        conversion it = read_conversion(format);
        char letter = **format;
        one->strange = !letter || letter == '$';
        if (one->strange)
            return true;
        ++*format;
        if (letter == '[')
            skip_set(format);
        if (letter == '%' || it.quiet)
            continue;
        one->size = size_of(letter, &it);
        return true;
    }
    return false;
}
