/*
 * Text behind text: each keeps what is in `to` NUL-terminated.
 */
#ifndef HD_NATIVE_PRINT_H
#define HD_NATIVE_PRINT_H

#include "base/base.h"

void hd_native_print(hd_vec_char *to, const char *format, ...) HD_PRINTF(2, 3);

/* The same for what is printed a million times. */
void hd_native_print_text(hd_vec_char *to, const char *text);
void hd_native_print_number(hd_vec_char *to, uint64_t number);

#endif
