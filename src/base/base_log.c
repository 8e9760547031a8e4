#include "base_log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base_progress.h"

static _Thread_local hd_log_sink *sink;
static _Thread_local void *sink_context;
static _Atomic int current_level = HD_LOG_WARNING;

void hd_log_set_level(enum hd_log_level level) {
    atomic_store(&current_level, (int)level);
}

enum hd_log_level hd_log_get_level(void) {
    return (enum hd_log_level)atomic_load(&current_level);
}

void hd_log_divert(hd_log_sink *to, void *context) {
    sink = to;
    sink_context = context;
}

void *hd_log_diverted(hd_log_sink **to) {
    *to = sink;
    return sink_context;
}

static void divert(enum hd_log_level level, const char *format, va_list arguments) {
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    sink(sink_context, level, text);
}

void hd_log_write(enum hd_log_level level, const char *format, ...) {
    va_list arguments;
    if (sink) {
        va_start(arguments, format);
        divert(level, format, arguments);
        va_end(arguments);
        return;
    }
    if ((int)level > atomic_load(&current_level))
        return;
    hd_progress_hide();
    static const char *const words[] = {"", "warning: ", "", "debug: "};
    flockfile(stderr);
    fprintf(stderr, "heddle: %s", words[level]);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    funlockfile(stderr);
}
