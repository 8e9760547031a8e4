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
#include "rt_real.h"
#include "rt_sync.h"

void hd_rt_output(int file, uintptr_t code) {
    if (hd_rt.exploring && hd_rt_controlled())
        hd_rt_spin_forget(hd_rt.current);
    if (!hd_rt.exploring || file != STDOUT_FILENO || hd_rt.ended || !hd_rt_controlled() ||
        hd_rt_explored.births == hd_rt_explored.joins)
        return;
    hd_rt_explore->unseen = 1;
    if (hd_rt.wire->prints)
        hd_rt_point(HEDDLE_WIRE_OUTPUT, NULL, 0, code);
}

/* A call that writes to a stream. */
typedef struct call {
    FILE *stream;
    uintptr_t code;
    bool entered;
} call;

static call to_stream(FILE *stream, uintptr_t code) {
    bool entered = hd_rt_stream_enter(stream, code);
    hd_rt_output(stream == stdout ? STDOUT_FILENO : -1, code);
    return (call){stream, code, entered};
}

static int leave(const call *it, int result) {
    if (it->entered)
        hd_rt_stream_leave(it->stream, it->code);
    return result;
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
#define PASS_ON(real, behind)                                                                      \
    va_list rest;                                                                                  \
    va_start(rest, format);                                                                        \
    hd_rt_output_looks(format, rest);                                                              \
    int done = hd_rt_real.real;                                                                    \
    va_end(rest);                                                                                  \
    return behind;

HD_RT_EXPORT int printf(const char *format, ...) {
    call it = to_stream(stdout, HD_RT_CODE());
    PASS_ON(vfprintf(stdout, format, rest), leave(&it, done))
}

HD_RT_EXPORT int fprintf(FILE *stream, const char *format, ...) {
    call it = to_stream(stream, HD_RT_CODE());
    PASS_ON(vfprintf(stream, format, rest), leave(&it, done))
}

HD_RT_EXPORT int dprintf(int file, const char *format, ...) {
    hd_rt_output(file, HD_RT_CODE());
    PASS_ON(vdprintf(file, format, rest), done)
}

HD_RT_EXPORT int __printf_chk(int flag, const char *format, ...) {
    call it = to_stream(stdout, HD_RT_CODE());
    PASS_ON(__vfprintf_chk(stdout, flag, format, rest), leave(&it, done))
}

HD_RT_EXPORT int __fprintf_chk(FILE *stream, int flag, const char *format, ...) {
    call it = to_stream(stream, HD_RT_CODE());
    PASS_ON(__vfprintf_chk(stream, flag, format, rest), leave(&it, done))
}

HD_RT_EXPORT int vprintf(const char *format, va_list rest) {
    call it = to_stream(stdout, HD_RT_CODE());
    hd_rt_output_looks(format, rest);
    return leave(&it, hd_rt_real.vfprintf(stdout, format, rest));
}

HD_RT_EXPORT int vfprintf(FILE *stream, const char *format, va_list rest) {
    call it = to_stream(stream, HD_RT_CODE());
    hd_rt_output_looks(format, rest);
    return leave(&it, hd_rt_real.vfprintf(stream, format, rest));
}

HD_RT_EXPORT int puts(const char *text) {
    call it = to_stream(stdout, HD_RT_CODE());
    look_at(text);
    return leave(&it, hd_rt_real.puts(text));
}

HD_RT_EXPORT int fputs(const char *text, FILE *stream) {
    call it = to_stream(stream, HD_RT_CODE());
    look_at(text);
    return leave(&it, hd_rt_real.fputs(text, stream));
}

HD_RT_EXPORT int putchar(int character) {
    call it = to_stream(stdout, HD_RT_CODE());
    return leave(&it, hd_rt_real.putc(character, stdout));
}

HD_RT_EXPORT int putc(int character, FILE *stream) {
    call it = to_stream(stream, HD_RT_CODE());
    return leave(&it, hd_rt_real.putc(character, stream));
}

HD_RT_EXPORT int fputc(int character, FILE *stream) {
    call it = to_stream(stream, HD_RT_CODE());
    return leave(&it, hd_rt_real.putc(character, stream));
}

HD_RT_EXPORT size_t fwrite(const void *from, size_t size, size_t count, FILE *stream) {
    call it = to_stream(stream, HD_RT_CODE());
    if (hd_rt.exploring)
        hd_rt_explore_look(from, size * count);
    size_t done = hd_rt_real.fwrite(from, size, count, stream);
    leave(&it, 0);
    return done;
}
