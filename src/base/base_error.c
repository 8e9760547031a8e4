#include "base_error.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base_text.h"

/* Formats into the error before `tail`, escaped and shortened. */
static void compose(hd_error *error, const char *tail, const char *format, va_list arguments) {
    char raw[4 * HD_ERROR_SIZE];
    if (vsnprintf(raw, sizeof raw, format, arguments) < 0)
        raw[0] = '\0';
    /* What vsnprintf cut is too long for the error as well, and so ends in dots. */
    size_t tail_size = strlen(tail) + 1;
    assert(tail_size <= sizeof error->text);
    size_t used =
        hd_text_printable(error->text, sizeof error->text - tail_size + 1, raw, strlen(raw));
    memcpy(error->text + used, tail, tail_size);
}

void hd_error_write(hd_error *error, const char *format, ...) {
    if (!error)
        return;
    va_list arguments;
    va_start(arguments, format);
    compose(error, "", format, arguments);
    va_end(arguments);
}

void hd_error_lead(hd_error *error, const char *format, ...) {
    if (!error)
        return;
    /* What is wrong matters more than where: the old text keeps its room. */
    char old[HD_ERROR_SIZE - 64];
    hd_text_printable(old, sizeof old, error->text, strlen(error->text));
    va_list arguments;
    va_start(arguments, format);
    compose(error, old, format, arguments);
    va_end(arguments);
}
