/*
 * Standard output.  In which order threads write to it is part of how a program ends; an explorer
 * that compares these ways (heddle_wire.prints) has each call that writes as a step, and any two
 * of them as dependent (rt_foreign_steps.c).  A thread that is alone takes none.
 *
 * write and writev are in rt_file.c.  What writes by a macro or an inline function of the C library
 * (putc_unlocked and its kin) is not seen here.
 */
#ifndef __NO_INLINE__
#define __NO_INLINE__ /* or the C library's headers define some of these too */
#endif
#include <stdarg.h>
#include <stdio.h>

#include "rt_cancel.h"
#include "rt_explore.h"
#include "rt_file.h"
#include "rt_foreign.h"
#include "rt_freed.h"
#include "rt_real.h"
#include "rt_string.h"
#include "rt_sync.h"

void hd_rt_output(int file) {
    if (hd_rt.exploring && hd_rt_controlled())
        hd_rt_spin_forget(hd_rt.current);
    if (!hd_rt.exploring || hd_rt.ended || !hd_rt_controlled() ||
        hd_rt_explored.births == hd_rt_explored.joins)
        return;
    bool asked = hd_rt.wire->prints || file != STDOUT_FILENO; /* which takes a system call */
    if (!asked || hd_rt_given_is_output(file))
        hd_rt_explore->unseen = 1;
}

/* The calls that name no stream read the variable that has it. */
static FILE *standard_output(uintptr_t code) {
    if (hd_rt.exploring && hd_rt_controlled() && !hd_rt.ended)
        hd_rt_explore_access(HEDDLE_READ + 1, &stdout, sizeof stdout, code);
    return stdout;
}

/* A step on the stream, and if that is standard output one of the program.  True if the stream must
 * be left after the call. */
static bool to_stream(const char *name, FILE *stream, uintptr_t code) {
    hd_rt_cancel_point(name, code);
    bool entered = hd_rt_stream_enter(stream, code);
    hd_rt_output(stream == stdout ? STDOUT_FILENO : stream->_fileno);
    if (!hd_rt_foreign_printed(stream->_fileno, code))
        hd_rt_foreign_print(name, stream, code);
    if (!entered)
        hd_rt_stream_await(stream, code);
    if (stream == stdout)
        hd_rt_say_output(code);
    return entered;
}

static void to_file(const char *name, int file, uintptr_t code) {
    hd_rt_cancel_point(name, code);
    hd_rt_output(file);
    bool given;
    do {
        given = hd_rt_given(file);
        hd_rt_file_asked(file, code);
        if (!hd_rt_foreign_printed(file, code))
            hd_rt_foreign_file(name, file, code);
    } while (given && !hd_rt_given(file));
    if (file == STDOUT_FILENO)
        hd_rt_say_output(code);
}

static void leave(bool entered, FILE *stream, uintptr_t code) {
    if (entered)
        hd_rt_stream_leave(stream, code);
}

/* What is printed is read first, then comes the step that prints. */
static __attribute__((noinline)) int print(const char *name, FILE *stream, int file, int flag,
                                           const char *format, va_list rest, uintptr_t code) {
    hd_rt_texts texts;
    hd_rt_format_reads(name, &texts, format, rest, code);
    bool entered = stream && to_stream(name, stream, code);
    if (!stream)
        to_file(name, file, code);
    hd_rt_settle();
    hd_rt_texts_swap(&texts);
    int done = !stream     ? hd_rt_real.vdprintf(file, format, rest)
               : flag >= 0 ? hd_rt_real.__vfprintf_chk(stream, flag, format, rest)
                           : hd_rt_real.vfprintf(stream, format, rest);
    hd_rt_texts_swap(&texts);
    leave(entered, stream, code);
    return done;
}

/* A function with an argument list that is passed on to the one that takes it as a va_list. */
#define PASS_ON(stream, file, flag)                                                                \
    va_list rest;                                                                                  \
    va_start(rest, format);                                                                        \
    int done = print(__func__, stream, file, flag, format, rest, HD_RT_CODE());                    \
    va_end(rest);                                                                                  \
    return done

HD_RT_EXPORT int printf(const char *format, ...) {
    PASS_ON(standard_output(HD_RT_CODE()), -1, -1);
}

HD_RT_EXPORT int fprintf(FILE *stream, const char *format, ...) {
    PASS_ON(stream, -1, -1);
}

HD_RT_EXPORT int dprintf(int file, const char *format, ...) {
    PASS_ON(NULL, file, -1);
}

HD_RT_EXPORT int __printf_chk(int flag, const char *format, ...) {
    PASS_ON(standard_output(HD_RT_CODE()), -1, flag);
}

HD_RT_EXPORT int __fprintf_chk(FILE *stream, int flag, const char *format, ...) {
    PASS_ON(stream, -1, flag);
}

HD_RT_EXPORT int vprintf(const char *format, va_list rest) {
    return print(__func__, standard_output(HD_RT_CODE()), -1, -1, format, rest, HD_RT_CODE());
}

HD_RT_EXPORT int vfprintf(FILE *stream, const char *format, va_list rest) {
    return print(__func__, stream, -1, -1, format, rest, HD_RT_CODE());
}

/* In a recording it is read before the call.  Explored, before there are threads, it is checked. */
static void record_text(const void *from, size_t size, uintptr_t code) {
    if (!from || !size || !hd_rt_string_on())
        return;
    if (!hd_rt.exploring && size == SIZE_MAX)
        hd_rt_texts_record(from, SIZE_MAX, 1, code);
    else if (!hd_rt.exploring && !hd_rt_got_constant((uintptr_t)from))
        hd_rt_string_reads(from, size, code);
    else if (size == SIZE_MAX)
        hd_rt_texts_check(from, SIZE_MAX, code);
    else if (hd_rt.exploring)
        hd_rt_freed_check(HEDDLE_OP_READ, from, size, code);
}

/* A text, or `size` bytes, are read, then written. */
static bool begin_text(const char *name, hd_rt_texts *texts, const void *from, size_t size,
                       FILE *stream, uintptr_t code) {
    hd_rt_texts_init(texts);
    if (hd_rt.exploring && hd_rt_controlled() && hd_rt_explored.births) {
        if (size == SIZE_MAX)
            hd_rt_texts_string(texts, from, SIZE_MAX, 1, code);
        else
            hd_rt_texts_range(texts, from, size, code);
    } else
        record_text(from, size, code);
    bool entered = to_stream(name, stream, code);
    hd_rt_settle();
    hd_rt_texts_swap(texts);
    return entered;
}

HD_RT_EXPORT int puts(const char *text) {
    hd_rt_texts texts;
    FILE *stream = standard_output(HD_RT_CODE());
    bool entered = begin_text(__func__, &texts, text, SIZE_MAX, stream, HD_RT_CODE());
    int done = hd_rt_real.puts(text);
    hd_rt_texts_swap(&texts);
    leave(entered, stream, HD_RT_CODE());
    return done;
}

HD_RT_EXPORT int fputs(const char *text, FILE *stream) {
    hd_rt_texts texts;
    bool entered = begin_text(__func__, &texts, text, SIZE_MAX, stream, HD_RT_CODE());
    int done = hd_rt_real.fputs(text, stream);
    hd_rt_texts_swap(&texts);
    leave(entered, stream, HD_RT_CODE());
    return done;
}

HD_RT_EXPORT int putchar(int character) {
    FILE *stream = standard_output(HD_RT_CODE());
    bool entered = to_stream(__func__, stream, HD_RT_CODE());
    int done = hd_rt_real.putc(character, stream);
    leave(entered, stream, HD_RT_CODE());
    return done;
}

HD_RT_EXPORT int putc(int character, FILE *stream) {
    bool entered = to_stream(__func__, stream, HD_RT_CODE());
    int done = hd_rt_real.putc(character, stream);
    leave(entered, stream, HD_RT_CODE());
    return done;
}

HD_RT_EXPORT int fputc(int character, FILE *stream) {
    bool entered = to_stream(__func__, stream, HD_RT_CODE());
    int done = hd_rt_real.putc(character, stream);
    leave(entered, stream, HD_RT_CODE());
    return done;
}

HD_RT_EXPORT size_t fwrite(const void *from, size_t size, size_t count, FILE *stream) {
    hd_rt_texts texts;
    bool entered = begin_text(__func__, &texts, from, size * count, stream, HD_RT_CODE());
    size_t done = hd_rt_real.fwrite(from, size, count, stream);
    hd_rt_texts_swap(&texts);
    leave(entered, stream, HD_RT_CODE());
    return done;
}

/* Interposed since libraries flush, too: a stream of C++ flushes the one that it is tied to. */
HD_RT_EXPORT int fflush(FILE *stream) {
    hd_rt_cancel_point(__func__, HD_RT_CODE());
    bool entered = stream && hd_rt_stream_enter(stream, HD_RT_CODE());
    hd_rt_foreign_flush(__func__, stream, HD_RT_CODE());
    if (stream && !entered)
        hd_rt_stream_await(stream, HD_RT_CODE());
    int done = hd_rt_real.fflush(stream);
    leave(entered, stream, HD_RT_CODE());
    return done;
}
