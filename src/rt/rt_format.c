/*
 * What the C library reads when it prints: texts that are arguments of a format, which are read at
 * steps before the call, and put into memory as they were there for the time of it; in a recording,
 * they are read before the call.  And printing into memory: these texts are read, then the whole is
 * written.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_freed.h"
#include "rt_real.h"
#include "rt_string.h"

/* --- what a format asks for ------------------------------------------------------------------ */

enum { MOST = 64 }; /* arguments of a call, and conversions that have to do with memory */

/* As it is passed. */
enum kind { NOT_KNOWN, INT, LONG, DOUBLE, LONG_DOUBLE, POINTER };

/* A text that is read, or with n a count that is stored. */
typedef struct use {
    char letter;
    bool wide;          /* a text of wchar_t */
    unsigned char size; /* of a count */
    int argument;       /* which one */
    bool precise;       /* a precision is given, */
    int precision;      /* this, */
    int precision_in;   /* or the argument that has it, or -1 */
} use;

typedef struct wanted {
    unsigned char kind[MOST]; /* enum kind */
    uint64_t value[MOST];     /* of those that are no floating-point numbers */
    use uses[MOST];
    int arguments, next, used;
    bool unknown; /* something that is not known: what comes after it is not looked at */
} wanted;

static int number(const char **text) {
    int value = 0;
    for (; **text >= '0' && **text <= '9'; ++*text)
        value = value < 1 << 20 ? value * 10 + **text - '0' : value;
    return value;
}

/* The number of an argument in `%2$s` or `*2$`; 0: the next one is meant. */
static int position(const char **text) {
    const char *at = *text;
    int value = number(&at);
    if (!value || *at != '$')
        return 0;
    *text = at + 1;
    return value;
}

/* The argument at the position, or the next one, is of this kind; which it is. */
static int argument(wanted *it, int at, enum kind kind) {
    int which = at ? at - 1 : it->next++;
    if (which >= MOST || (it->kind[which] && it->kind[which] != kind)) {
        it->unknown = true;
        return 0;
    }
    it->kind[which] = (unsigned char)kind;
    if (which >= it->arguments)
        it->arguments = which + 1;
    return which;
}

/* A width or a precision; the argument that has it, or -1. */
static int amount(wanted *it, const char **text, int *value) {
    if (**text == '*') {
        ++*text;
        return argument(it, position(text), INT);
    }
    *value = number(text);
    return -1;
}

static void add_use(wanted *it, int at, use one) {
    one.argument = argument(it, at, POINTER);
    it->unknown |= it->used == MOST;
    if (!it->unknown)
        it->uses[it->used++] = one;
}

/* The argument of a conversion. */
static void take_conversion(wanted *it, char letter, int at, unsigned longs, unsigned halves,
                            bool wide, use one) {
    one.letter = letter == 'S' ? 's' : letter;
    one.wide = letter == 'S' || (letter == 's' && longs);
    one.size = longs ? 8 : halves == 2 ? 1 : halves ? 2 : 4;
    if (hd_rt_one_of(letter, "diouxXcCbB"))
        argument(it, at, longs && letter != 'c' ? LONG : INT);
    else if (hd_rt_one_of(letter, "aAeEfFgG"))
        argument(it, at, wide ? LONG_DOUBLE : DOUBLE);
    else if (hd_rt_one_of(letter, "sSn"))
        add_use(it, at, one);
    else if (letter == 'p')
        argument(it, at, POINTER);
    else if (letter != '%' && letter != 'm')
        it->unknown = true;
}

static void read_conversion(wanted *it, const char **text) {
    use one = {.precision_in = -1};
    unsigned longs = 0, halves = 0;
    bool wide = false;
    int at = position(text), width;
    while (hd_rt_one_of(**text, "-+ #0'I"))
        ++*text;
    amount(it, text, &width);
    if (**text == '.') {
        ++*text;
        one.precise = true;
        one.precision_in = amount(it, text, &one.precision);
    }
    for (; hd_rt_one_of(**text, "hljztqLZ"); ++*text) {
        longs += **text != 'h';
        halves += **text == 'h';
        wide |= **text == 'L';
    }
    take_conversion(it, **text, at, longs, halves, wide, one);
    *text += **text != '\0';
}

static void fetch(wanted *it, va_list arguments) {
    va_list rest;
    va_copy(rest, arguments);
    for (int i = 0; i < it->arguments; i++)
        switch ((enum kind)it->kind[i]) {
        case LONG:
            it->value[i] = va_arg(rest, unsigned long);
            break;
        case DOUBLE:
            (void)va_arg(rest, double);
            break;
        case LONG_DOUBLE:
            (void)va_arg(rest, long double);
            break;
        case POINTER:
            it->value[i] = (uintptr_t)va_arg(rest, void *);
            break;
        case INT:
        case NOT_KNOWN: /* left out of a format with positions: an int, as the C library has it */
            it->value[i] = (uint64_t)va_arg(rest, int);
            break;
        }
    va_end(rest);
}

/* --- reading and storing --------------------------------------------------------------------- */

/* At steps?  Else it is only recorded and checked. */
static bool is_read(void) {
    return hd_rt.exploring && hd_rt_explored.births;
}

/* Each character of a text of wchar_t is at least a byte of what is printed. */
static void read_text(hd_rt_texts *texts, const wanted *it, const use *one, uintptr_t code) {
    const void *text = (const void *)(uintptr_t)it->value[one->argument];
    int precision = one->precision_in < 0 ? one->precision : (int)it->value[one->precision_in];
    size_t most = one->precise && precision >= 0 ? (size_t)precision : SIZE_MAX;
    if (!text || !most)
        return;
    unsigned unit = one->wide ? sizeof(wchar_t) : 1;
    if (texts)
        hd_rt_texts_string(texts, text, most, unit, code);
    else if (!hd_rt.exploring)
        hd_rt_texts_record(text, most, unit, code);
    else if (!one->wide)
        hd_rt_texts_check(text, most, code);
}

/* %n, though after other steps. */
static void store_count(void *to, size_t size, uintptr_t code) {
    if (!is_read()) {
        if (to)
            hd_rt_freed_check(HEDDLE_OP_WRITE, to, size, code);
        return;
    }
    hd_rt_explore_unseen();
    if (to)
        hd_rt_explore_access(HEDDLE_WRITE + 1, to, size, code);
}

/* Without steps `texts` is NULL. */
static void take_arguments(const char *name, hd_rt_texts *texts, const char *text,
                           va_list arguments, uintptr_t code) {
    wanted it;
    it.arguments = it.next = it.used = 0;
    it.unknown = false;
    hd_rt_zero(it.kind, sizeof it.kind);
    while (*text && !it.unknown)
        if (*text++ == '%')
            read_conversion(&it, &text);
    fetch(&it, arguments);
    for (int i = 0; i < it.used; i++)
        if (it.uses[i].letter == 's')
            read_text(texts, &it, &it.uses[i], code);
        else
            store_count((void *)(uintptr_t)it.value[it.uses[i].argument], it.uses[i].size, code);
    if (it.unknown) {
        hd_rt_foreign_lost(name);
        if (is_read())
            hd_rt_explore_unseen();
    }
}

/* The C library reads them in a moment: they are recorded, and lie in their blocks. */
static void record_texts(const char *name, const char *format, va_list arguments, uintptr_t code) {
    if (!format || !hd_rt_string_on())
        return;
    hd_rt_texts_check(format, SIZE_MAX, code);
    take_arguments(name, NULL, format, arguments, code);
}

void hd_rt_format_reads(const char *name, hd_rt_texts *texts, const char *format, va_list arguments,
                        uintptr_t code) {
    hd_rt_texts_init(texts);
    if (!is_read()) {
        record_texts(name, format, arguments, code);
        return;
    }
    if (!hd_rt_controlled() || !format) /* which the call refuses */
        return;
    hd_rt_texts_string(texts, format, SIZE_MAX, 1, code);
    take_arguments(name, texts, format, arguments, code);
}

/* --- into memory ----------------------------------------------------------------------------- */

/* The arguments are read, then the text is written: its length is known by then. */
static int print_explored(const char *name, char *to, size_t size, const char *format,
                          va_list arguments, uintptr_t code) {
    hd_rt_texts texts;
    va_list again;
    hd_rt_format_reads(name, &texts, format, arguments, code);
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

static int print_to(const char *name, char *to, size_t size, const char *format, va_list rest,
                    uintptr_t code) {
    if (hd_rt.exploring && hd_rt_controlled() && !hd_rt.ended)
        return print_explored(name, to, size, format, rest, code);
    bool on = hd_rt_string_on();
    if (on) {
        hd_rt_settle();
        record_texts(name, format, rest, code);
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
    return print_to(__func__, to, size, format, rest, HD_RT_CODE());
}

HD_RT_EXPORT int snprintf(char *restrict to, size_t size, const char *restrict format,
                          ...){LIST(print_to(__func__, to, size, format, rest, HD_RT_CODE()))}

HD_RT_EXPORT int vsprintf(char *restrict to, const char *restrict format, va_list rest) {
    return print_to(__func__, to, all_room(to), format, rest, HD_RT_CODE());
}

HD_RT_EXPORT int sprintf(char *restrict to, const char *restrict format, ...){
    LIST(print_to(__func__, to, all_room(to), format, rest, HD_RT_CODE()))}

/* What the fortified headers call. */
HD_RT_EXPORT int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format,
                                 va_list rest) {
    (void)flag;
    if (size > room)
        __builtin_trap();
    return print_to(__func__, to, size, format, rest, HD_RT_CODE());
}

HD_RT_EXPORT int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format,
                                ...) {
    (void)flag;
    if (size > room)
        __builtin_trap();
    LIST(print_to(__func__, to, size, format, rest, HD_RT_CODE()))
}

HD_RT_EXPORT int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list rest) {
    (void)flag;
    return print_to(__func__, to, room < all_room(to) ? room : all_room(to), format, rest,
                    HD_RT_CODE());
}

HD_RT_EXPORT int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...) {
    (void)flag;
    LIST(print_to(__func__, to, room < all_room(to) ? room : all_room(to), format, rest,
                  HD_RT_CODE()))
}
