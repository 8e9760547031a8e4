/*
 * The memory of the program that a function without instrumentation reads and writes, as the lines
 * of rt_foreign.def describe it.  Each place is an access of the caller's, at a step of its own
 * where others look, before the step on the function's state: what the function does follows the
 * last of these steps at once.
 *
 * Where a line says that memory is not described, or where a description does not tell how much it
 * is, the function is noted, and the answer does not rest on it firmly.
 */
#include <fcntl.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <wchar.h>

#include "rt_arch.h"
#include "rt_aside.h"
#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_foreign_cxx.h"
#include "rt_foreign_steps.h"
#include "rt_handle.h"
#include "rt_string.h"

/* More is not looked at, and said so. */
static const size_t most = (size_t)1 << 26;

typedef struct call {
    const uintptr_t *arguments;
    uint32_t number;
    uintptr_t code;
    bool stateful;
    uintptr_t from;  /* where the current place begins */
    unsigned shared; /* accesses that were steps */
} call;

static bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

static size_t number_at(const char **text) {
    size_t number = 0;
    for (; is_digit(**text); ++*text)
        number = 10 * number + (size_t)(**text - '0');
    return number;
}

/* A number, or the name of a type. */
static size_t constant_at(const char **text) {
    if (is_digit(**text))
        return number_at(text);
    const char *name = *text;
    while (**text && **text != ' ')
        ++*text;
    return hd_rt_foreign_size(name, (size_t)(*text - name));
}

/* --- arguments ------------------------------------------------------------------------------ */

static uintptr_t argument(const call *it, size_t which) {
    return which <= HD_RT_ARCH_REGISTERS
               ? it->arguments[which - 1]
               : it->arguments[HD_RT_ARCH_STACKED + which - 1 - HD_RT_ARCH_REGISTERS];
}

/* Bytes of a character in UTF-8. */
static size_t length_of(uint32_t character) {
    return character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
}

static uintptr_t operand_at(const call *it, const char **text) {
    char how = is_digit(**text) ? '\0' : *(*text)++;
    uintptr_t value = argument(it, number_at(text));
    switch (how) {
    case '*':
        return value ? *(const uintptr_t *)value : 0;
    case 'L':
        return value ? *(const uint32_t *)value : 0;
    case 'A':
        return value == AF_INET ? 4 : value == AF_INET6 ? 16 : 0;
    case 'U':
        return length_of((uint32_t)value);
    default:
        return value;
    }
}

/* --- what is not known ---------------------------------------------------------------------- */

static void lose(const call *it) {
    if (hd_rt.exploring)
        hd_rt.wire->callee[it->number].lost = 1;
    else
        hd_rt_foreign_unknown(it->number);
}

static bool is_own_stack(uintptr_t at) {
    const hd_rt_thread *self = hd_rt.current;
    return at >= self->wire->stack && at < self->stack_top && !hd_rt_explore_shares((void *)at, 8);
}

/* Memory that no other thread looks at need not be described; and it may be a number. */
static void unknown(const call *it, uintptr_t at) {
    enum { LOWEST = 1 << 16 };
    if (at >= LOWEST && at < UINTPTR_MAX / 2 && !(hd_rt.exploring && is_own_stack(at)) &&
        !hd_rt_got_constant(at))
        lose(it);
}

/* --- accesses ------------------------------------------------------------------------------- */

/* Where there are several steps the values that are logged with them need not be those that the
 * function finds and leaves, so no run is computed from this one. */
static void access_memory(call *it, bool write, uintptr_t at, size_t size) {
    if (!at || !size)
        return;
    if (size > most) {
        lose(it);
        size = 1;
    }
    if (!hd_rt.exploring) {
        (write ? hd_rt_to_come : hd_rt_string_reads)((const void *)at, size, it->code);
        return;
    }
    if (hd_rt_explore_shares((const void *)at, size) && (it->shared++ || it->stateful))
        hd_rt_explore_unseen();
    hd_rt_explore_access(write ? HEDDLE_OP_WRITE : HEDDLE_OP_READ, (const void *)at, size,
                         it->code);
    hd_rt_foreign_cover(at, size);
}

/* What the C library keeps for a handle: the first word of it stands for all.  A handle that is not
 * in the heap is never freed, or no pointer. */
static void access_handle(call *it, bool changes, uintptr_t handle) {
    if (handle >= HEDDLE_WIRE_HEAP && handle < HEDDLE_WIRE_HEAP_END)
        access_memory(it, changes, handle, sizeof(uintptr_t));
}

/* A variable of the library.  Its functions do not race with each other there, or would if they
 * kept no lock; the program that accesses it does. */
static void access_variable(call *it, bool write, uintptr_t at, size_t size) {
    if (!at || !size || !hd_rt.exploring || !hd_rt_explore_touch(write, (const void *)at, size))
        return;
    it->shared++;
    hd_rt_explore_unseen();
    hd_rt_point(write ? HEDDLE_OP_ATOMIC_WRITE : HEDDLE_OP_ATOMIC_READ, (const void *)at,
                (uint32_t)size, it->code);
}

static void use_variable(call *it, bool write, const char **text) {
    const char *name = *text;
    size_t size;
    while (**text && **text != ' ')
        ++*text;
    uintptr_t at = hd_rt_global(name, (size_t)(*text - name), &size);
    access_variable(it, write, at, size);
}

/* The list that environ points to. */
static void change_environment(call *it) {
    size_t size, count = 0;
    char *const *const *environment = (char *const *const *)hd_rt_global("environ", 7, &size);
    char *const *list = environment ? *environment : NULL;
    while (list && list[count])
        count++;
    access_variable(it, true, (uintptr_t)list, (count + 1) * sizeof *list);
}

/* A text is read character by character: where it ends is known only then. */
static void end_text(call *it, hd_rt_scan *scan) {
    hd_rt_scan_end(scan);
    if (hd_rt.exploring)
        hd_rt_foreign_cover((uintptr_t)scan->at, scan->seen);
    if (hd_rt.exploring && hd_rt_explore_shares(scan->at, scan->seen)) {
        it->shared++;
        hd_rt_explore_unseen();
    }
}

static void read_text(call *it, const void *text, unsigned unit, size_t longest) {
    hd_rt_scan scan;
    if (!text)
        return;
    hd_rt_scan_begin(&scan, text, unit, it->code);
    while (scan.seen / unit < longest && hd_rt_scan_next(&scan))
        ;
    end_text(it, &scan);
}

/* strtok and strsep: the next token, and the delimiter after it, which becomes a NUL. */
static void take_token(call *it, const char *text, const char *delimiters, bool skips) {
    hd_rt_scan scan;
    char last;
    if (!text || !delimiters)
        return;
    hd_rt_scan_begin(&scan, text, 1, it->code);
    do {
        last = (char)hd_rt_scan_next(&scan);
        skips &= hd_rt_one_of(last, delimiters);
    } while (last && (skips || !hd_rt_one_of(last, delimiters)));
    end_text(it, &scan);
    if (last)
        access_memory(it, true, (uintptr_t)text + scan.seen - 1, 1);
}

static void use_parts(call *it, const struct iovec *parts, size_t count, bool write) {
    access_memory(it, false, (uintptr_t)parts, count * sizeof *parts);
    for (size_t i = 0; parts && i < count && count <= 1024; i++)
        access_memory(it, write, (uintptr_t)parts[i].iov_base, parts[i].iov_len);
}

/* --- formats -------------------------------------------------------------------------------- */

/* Where the outputs of scanf are: arguments from the one on, or a list. */
typedef struct outputs {
    const call *of;
    size_t next;
    va_list list;
} outputs;

static uintptr_t next_output(outputs *from) {
    return from->next ? argument(from->of, from->next++) : (uintptr_t)va_arg(from->list, void *);
}

/* The one with this number, from 1. */
static uintptr_t output_at(const outputs *from, size_t number) {
    if (from->next)
        return argument(from->of, from->next + number - 1);
    va_list list;
    va_copy(list, *(va_list *)(uintptr_t)&from->list);
    while (--number)
        (void)va_arg(list, void *);
    uintptr_t to = (uintptr_t)va_arg(list, void *);
    va_end(list);
    return to;
}

static void scan_format(call *it, const char *format, outputs *from) {
    hd_rt_scanned one;
    while (hd_rt_foreign_scanned(&format, &one)) {
        if (one.strange) {
            lose(it);
            return;
        }
        uintptr_t to = one.position ? output_at(from, one.position) : next_output(from);
        if (!one.size)
            unknown(it, to);
        access_memory(it, true, to, one.size ? one.size : 1);
    }
}

/* Texts that are printed, or counts that are stored, are not looked at. */
static void print_format(call *it, const char *format) {
    for (; format && *format; format++) {
        if (*format != '%')
            continue;
        for (format++; *format && hd_rt_one_of(*format, "-+ #0'I*.123456789hljztqL"); format++)
            ;
        if (*format && hd_rt_one_of(*format, "sSn$"))
            lose(it);
        if (!*format)
            return;
    }
}

static void print_wide(call *it, const wchar_t *format) {
    char narrow[256];
    size_t length = 0;
    for (; format && format[length] && length < sizeof narrow - 1; length++)
        narrow[length] = format[length] < 128 ? (char)format[length] : 'x';
    narrow[length] = '\0';
    print_format(it, narrow);
    if (format && format[length])
        lose(it);
}

/* --- single functions ----------------------------------------------------------------------- */

static void make_name(call *it, const char *text) {
    size_t length = text ? hd_rt_length(text, SIZE_MAX) : 0;
    read_text(it, text, 1, SIZE_MAX);
    if (length >= 6)
        access_memory(it, true, (uintptr_t)text + length - 6, 6);
}

/* std::string: where its characters are, how many, and then how many more fit or the characters
 * themselves. */
static void use_string(call *it, bool write, uintptr_t at) {
    enum { SIZE = 32, INSIDE = 16 };
    if (!at)
        return;
    access_memory(it, write, at, SIZE);
    const uintptr_t *string = (const uintptr_t *)at;
    if (string[0] != at + INSIDE)
        access_memory(it, write, string[0], (write ? string[2] : string[1]) + 1);
}

static void control_file(call *it, uintptr_t at) {
    switch ((int)argument(it, 2)) {
    case F_GETLK:
    case F_OFD_GETLK:
        access_memory(it, true, at, sizeof(struct flock));
        break;
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
        access_memory(it, false, at, sizeof(struct flock));
        break;
    case F_GETOWN_EX:
    case F_SETOWN_EX:
    case F_GET_RW_HINT:
    case F_SET_RW_HINT:
    case F_GET_FILE_RW_HINT:
    case F_SET_FILE_RW_HINT:
        access_memory(it, argument(it, 2) != F_SETOWN_EX, at, 8);
        break;
    default: /* others have numbers, or nothing */
        break;
    }
}

/* --- one place ------------------------------------------------------------------------------ */

static size_t size_at(call *it, const char **text) {
    if (**text == '=' && ++*text)
        return constant_at(text);
    if (**text == '-' && ++*text) {
        uintptr_t end = operand_at(it, text);
        return it->from && end > it->from ? end - it->from : 0;
    }
    if (**text != ',')
        return 0;
    ++*text;
    size_t size = operand_at(it, text), factor = 1;
    if (**text == '*' && ++*text)
        factor = operand_at(it, text);
    else if (**text == '#' && ++*text)
        factor = number_at(text);
    else if (**text == '/' && ++*text) {
        size_t part = number_at(text);
        size = size / part + (size % part != 0);
    }
    return factor && size > SIZE_MAX / factor ? SIZE_MAX : size * factor;
}

static void scan(call *it, const char *format, const char **text, bool listed) {
    outputs from = {.of = it};
    ++*text;
    size_t first = number_at(text);
    if (!listed) {
        from.next = first;
        scan_format(it, format, &from);
        return;
    }
    va_copy(from.list, *(va_list *)argument(it, first));
    scan_format(it, format, &from);
    va_end(from.list);
}

static void take_place(call *it, char letter, const char **text) {
    uintptr_t at = operand_at(it, text);
    it->from = at;
    switch (letter) {
    case 'z':
    case 'Z': {
        size_t longest = **text == ',' ? size_at(it, text) : SIZE_MAX;
        read_text(it, (const void *)at, letter == 'z' ? 1 : sizeof(wchar_t), longest);
        break;
    }
    case 'k':
    case 'K':
        ++*text;
        take_token(it, (const char *)at, (const char *)operand_at(it, text), letter == 'k');
        break;
    case 'i':
    case 'o':
        ++*text;
        use_parts(it, (const struct iovec *)at, operand_at(it, text), letter == 'i');
        break;
    case 's':
    case 'S':
        scan(it, (const char *)at, text, letter == 'S');
        break;
    case 'x':
        print_format(it, (const char *)at);
        break;
    case 'X':
        print_wide(it, (const wchar_t *)at);
        break;
    case 'T':
        make_name(it, (const char *)at);
        break;
    case 'c':
        control_file(it, at);
        break;
    case 'b':
    case 'B':
        use_string(it, letter == 'B', at);
        break;
    case 'e': {
        size_t size = size_at(it, text);
        access_memory(it, false, (intptr_t)at < 0 && (intptr_t)at > -16 ? 0 : at, size);
        break;
    }
    case 'g': /* the operation is the first member; 0 is to encode */
        access_memory(it, argument(it, 1) && *(const int *)argument(it, 1), at, size_at(it, text));
        break;
    case 'j':
        it->shared += hd_rt.exploring && hd_rt_foreign_redirects(it->number, (int)at, it->code);
        break;
    case 'R':
        ++*text;
        it->shared += operand_at(it, text) && hd_rt.exploring &&
                      hd_rt_foreign_limits(it->number, (int)at, it->code);
        break;
    case 'h':
    case 'H':
        access_handle(it, letter == 'H', at);
        break;
    case 'y':
        if (!hd_rt_controlled())
            hd_rt_handle_look((pthread_t)at, it->code);
        else
            hd_rt_handle_use((pthread_t)at, hd_rt.wire->callee[it->number].name, it->code);
        break;
    case '?':
        unknown(it, at);
        break;
    case '!':
        if (!at)
            lose(it);
        break;
    case '.':
    case '$':
    case '&':
        break;
    default:
        access_memory(it, letter == 'w', at, size_at(it, text));
        break;
    }
}

/* --- the C++ library -------------------------------------------------------------------------- */

static void visit(void *of, bool write, uintptr_t at, size_t size) {
    access_memory(of, write, at, size);
}

/* Who gives an exception back last destroys it. */
static void leave_handler(call *it) {
    hd_rt_used exception = {.object = hd_rt.exploring ? hd_rt_cxx_caught() : 0,
                            .number = it->number};
    if (exception.object && !hd_rt.ended)
        it->shared += hd_rt_foreign_steps(&exception, 1, it->code);
}

static void use_by_name(call *it, const char **text) {
    if (hd_rt_starts(*text, "caught", 6))
        leave_handler(it);
    else
        hd_rt_cxx_places(*text, it->arguments, visit, it);
    while (**text && **text != ' ')
        ++*text;
}

unsigned hd_rt_foreign_memory(const char *text, const uintptr_t *arguments, uint32_t number,
                              bool stateful, uintptr_t code) {
    call it = {.arguments = arguments, .number = number, .code = code, .stateful = stateful};
    while (*text) {
        char letter = *text++;
        if (letter == '<' || letter == '>')
            use_variable(&it, letter == '>', &text);
        else if (letter == '{')
            use_by_name(&it, &text);
        else if (letter == 'E')
            change_environment(&it);
        else if (letter == '@')
            it.shared += hd_rt.exploring && hd_rt_foreign_space(number, code);
        else if (letter == '*') /* looked at before */
            while (*text && *text != ' ')
                text++;
        else if (letter == '^' || letter == 'O' || letter == 'u' || letter == 'C')
            number_at(&text);
        else if (letter != ' ' && letter != '%')
            take_place(&it, letter, &text);
    }
    return it.shared;
}
