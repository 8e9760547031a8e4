/*
 * Names out of debugging information: source lines of code addresses, and of a
 * data address the global variable, down to the element or member that it is.
 * Uses elfutils' libdw; without debugging information there are the names of the
 * symbol table, or none.
 */
#ifndef HD_NATIVE_SYMBOLS_H
#define HD_NATIVE_SYMBOLS_H

#include "native_run.h"

typedef struct hd_native_symbols hd_native_symbols;

hd_native_symbols *hd_native_symbols_create(const hd_native_run *run);
void hd_native_symbols_free(hd_native_symbols *symbols);

/* "file.c:12" for the call whose return address this is; false if not known. */
bool hd_native_symbols_line(hd_native_symbols *symbols, uint64_t code, hd_vec_char *to);

/* The function that the call is in. */
bool hd_native_symbols_function(hd_native_symbols *symbols, uint64_t code, hd_vec_char *to);

/* "counter", "account[3].balance", "table+0x18"; with `whole` an object of the thread
 * library is not taken apart.  False if no variable is there. */
bool hd_native_symbols_variable(hd_native_symbols *symbols, uint64_t address, bool whole,
                                hd_vec_char *to);

/* Is it in an array of numbers or pointers?  Then which, and its name. */
bool hd_native_symbols_array(hd_native_symbols *symbols, uint64_t address, hd_trace_array *array,
                             hd_vec_char *to);

/* The same for a thread-local variable, by its offset in the program's thread-local block. */
bool hd_native_symbols_local(hd_native_symbols *symbols, uint64_t offset, hd_vec_char *to);

/* printf behind what is in `to`; keeps it NUL-terminated. */
void hd_native_print(hd_vec_char *to, const char *format, ...) HD_PRINTF(2, 3);

/* The same for what is printed a million times. */
void hd_native_print_text(hd_vec_char *to, const char *text);
void hd_native_print_number(hd_vec_char *to, uint64_t number);

#endif
