/*
 * Standard output.  In which order threads write to it is part of how a program ends; an explorer
 * that compares these ways (heddle_wire.prints) has each call that writes as a step, and any two
 * of them as dependent.  A thread that is alone takes none.
 *
 * write and writev are in rt_file.c.  What writes by a macro or an inline function of the C library
 * (putc_unlocked and its kin) is not seen here.
 */
#ifndef __NO_INLINE__
#define __NO_INLINE__ /* or the C library's headers define some of these too */
#endif
#include <stdarg.h>
#include <stdio.h>

#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_real.h"

void hd_rt_output(int file, uintptr_t code) {
    if (!hd_rt.exploring || file != STDOUT_FILENO || hd_rt.ended || !hd_rt_controlled() ||
        hd_rt_explored.births == hd_rt_explored.joins)
        return;
    hd_rt_explore->unseen = 1;
    if (hd_rt.wire->prints)
        hd_rt_point(HEDDLE_WIRE_OUTPUT, NULL, 0, code);
}

/* A step on the stream, and if that is standard output one of the program. */
static void to_stream(const char *name, const FILE *stream, uintptr_t code) {
    hd_rt_output(stream == stdout ? STDOUT_FILENO : -1, code);
    hd_rt_foreign_print(name, stream, code);
}

static void look_at(const char *text) {
    size_t length = 1;
    if (!hd_rt.exploring)
        return;
    while (text[length - 1])
        length++;
    hd_rt_explore_look(text, length);
}

/* A function with an argument list that is passed on to the one that takes it as a va_list. */
#define PASS_ON(call)                                                                              \
    va_list rest;                                                                                  \
    va_start(rest, format);                                                                        \
    hd_rt_output_looks(format, rest, HD_RT_CODE());                                                              \
    int done = hd_rt_real.call;                                                                    \
    va_end(rest);                                                                                  \
    return done;

HD_RT_EXPORT int printf(const char *format, ...) {
    to_stream(__func__, stdout, HD_RT_CODE());
    PASS_ON(vfprintf(stdout, format, rest))
}

HD_RT_EXPORT int fprintf(FILE *stream, const char *format, ...) {
    to_stream(__func__, stream, HD_RT_CODE());
    PASS_ON(vfprintf(stream, format, rest))
}

HD_RT_EXPORT int dprintf(int file, const char *format, ...) {
    hd_rt_output(file, HD_RT_CODE());
    PASS_ON(vdprintf(file, format, rest))
}

HD_RT_EXPORT int __printf_chk(int flag, const char *format, ...) {
    to_stream(__func__, stdout, HD_RT_CODE());
    PASS_ON(__vfprintf_chk(stdout, flag, format, rest))
}

HD_RT_EXPORT int __fprintf_chk(FILE *stream, int flag, const char *format, ...) {
    to_stream(__func__, stream, HD_RT_CODE());
    PASS_ON(__vfprintf_chk(stream, flag, format, rest))
}

HD_RT_EXPORT int vprintf(const char *format, va_list rest) {
    to_stream(__func__, stdout, HD_RT_CODE());
    hd_rt_output_looks(format, rest, HD_RT_CODE());
    return hd_rt_real.vfprintf(stdout, format, rest);
}

HD_RT_EXPORT int vfprintf(FILE *stream, const char *format, va_list rest) {
    to_stream(__func__, stream, HD_RT_CODE());
    hd_rt_output_looks(format, rest, HD_RT_CODE());
    return hd_rt_real.vfprintf(stream, format, rest);
}

HD_RT_EXPORT int puts(const char *text) {
    to_stream(__func__, stdout, HD_RT_CODE());
    look_at(text);
    return hd_rt_real.puts(text);
}

HD_RT_EXPORT int fputs(const char *text, FILE *stream) {
    to_stream(__func__, stream, HD_RT_CODE());
    look_at(text);
    return hd_rt_real.fputs(text, stream);
}

HD_RT_EXPORT int putchar(int character) {
    to_stream(__func__, stdout, HD_RT_CODE());
    return hd_rt_real.putc(character, stdout);
}

HD_RT_EXPORT int putc(int character, FILE *stream) {
    to_stream(__func__, stream, HD_RT_CODE());
    return hd_rt_real.putc(character, stream);
}

HD_RT_EXPORT int fputc(int character, FILE *stream) {
    to_stream(__func__, stream, HD_RT_CODE());
    return hd_rt_real.putc(character, stream);
}

HD_RT_EXPORT size_t fwrite(const void *from, size_t size, size_t count, FILE *stream) {
    to_stream(__func__, stream, HD_RT_CODE());
    if (hd_rt.exploring)
        hd_rt_explore_look(from, size * count);
    return hd_rt_real.fwrite(from, size, count, stream);
}
