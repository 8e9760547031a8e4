/*
 * Errors with text.  A function that can fail takes an hd_error, returns false (or NULL, or -1)
 * when it does, and leaves the error untouched on success. The text is one line without a full
 * stop; whoever prints it adds the program's name.  Bytes that are not printable come out escaped,
 * and names too long to read are shortened, so a hostile file cannot spoil the terminal.
 */
#ifndef HD_BASE_ERROR_H
#define HD_BASE_ERROR_H

#include <stdbool.h>

#include "base_mem.h"

enum { HD_ERROR_SIZE = 1024 };

typedef struct hd_error {
    char text[HD_ERROR_SIZE]; /* empty: no error */
} hd_error;

/* Both are false, so that a caller can `return hd_error_set(...)`; macros, so
 * that compilers and checkers see it. */
#define hd_error_set(error, ...) (hd_error_write(error, __VA_ARGS__), hd_error_false())
#define hd_error_prefix(error, ...) (hd_error_lead(error, __VA_ARGS__), hd_error_false())

static inline bool hd_error_false(void) {
    return false;
}

void hd_error_write(hd_error *error, const char *format, ...) HD_PRINTF(2, 3);
void hd_error_lead(hd_error *error, const char *format, ...) HD_PRINTF(2, 3);

#endif
