/*
 * Appends text to text; `to` stays NUL-terminated.
 */
#ifndef HD_BASE_PRINT_H
#define HD_BASE_PRINT_H

#include <stdarg.h>

#include "base_error.h"
#include "base_vec.h"

void hd_text_append(hd_vec_char *to, const char *format, ...) HD_PRINTF(2, 3);

/* The same, faster, for what is printed a million times. */
void hd_text_append_text(hd_vec_char *to, const char *text);
void hd_text_append_number(hd_vec_char *to, uint64_t number);

/* A text of its own, to be freed. */
char *hd_text_formatted(size_t *length, const char *format, va_list arguments);

#endif
