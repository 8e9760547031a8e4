/*
 * Names out of debugging information: source lines of code addresses, and of a
 * data address the global variable, down to the element or member that it is.
 * Uses elfutils' libdw; without debugging information there are the names of the
 * symbol table, or none.
 */
#ifndef HD_SYMBOLS_MODULES_H
#define HD_SYMBOLS_MODULES_H

#include <elfutils/libdwfl.h>

#include "base/base.h"
#include "launch/launch.h"

typedef struct hd_symbols hd_symbols;

hd_symbols *hd_symbols_create(const hd_launch_run *run);
void hd_symbols_free(hd_symbols *symbols);

/* "file.c:12" for the call whose return address this is; false if not known. */
bool hd_symbols_line(hd_symbols *symbols, uint64_t code, hd_vec_char *to);

/* The function that the call is in, and as an entry of the debugging information; NULL if there
 * is none. */
Dwarf_Die *hd_symbols_entry(hd_symbols *symbols, uint64_t code);
bool hd_symbols_function(hd_symbols *symbols, uint64_t code, hd_vec_char *to);

/* The file that has the code; NULL if it is not known. */
Dwfl_Module *hd_symbols_module(hd_symbols *symbols, uint64_t code);

/* "counter", "account[3].balance", "table+0x18"; with `whole` an object of the thread
 * library is not taken apart.  False if no variable is there. */
bool hd_symbols_variable(hd_symbols *symbols, uint64_t address, bool whole, hd_vec_char *to);

/* Is it in an array of numbers or pointers?  Then which, and its name. */
bool hd_symbols_array(hd_symbols *symbols, uint64_t address, hd_trace_array *array,
                      hd_vec_char *to);

/* The same for a thread-local variable, by its offset in the program's thread-local block. */
bool hd_symbols_local(hd_symbols *symbols, uint64_t offset, hd_vec_char *to);

#endif
