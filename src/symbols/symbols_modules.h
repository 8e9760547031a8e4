/*
 * Names from debugging information: the source line of a code address, and the global variable at a
 * data address, down to the element or member.  Uses elfutils' libdw; without debugging information
 * there are only the names of the symbol table, if any.
 */
#ifndef HD_SYMBOLS_MODULES_H
#define HD_SYMBOLS_MODULES_H

#include <elfutils/libdwfl.h>

#include "base/base.h"
#include "launch/launch.h"

typedef struct hd_symbols hd_symbols;

hd_symbols *hd_symbols_create(const hd_launch_run *run);
void hd_symbols_free(hd_symbols *symbols);

/* Is this the path of a library of the system, or of the runtime? */
bool hd_symbols_is_of_system(const char *path);

/* "file.c:12" for the call whose return address this is; false if not known. */
bool hd_symbols_line(hd_symbols *symbols, uint64_t code, hd_vec_char *to);

/* The same place in the parts that the debugging information has. */
typedef struct hd_symbols_place {
    const char *file, *folder; /* a relative name is one in the folder, which may be NULL */
    int line, column;          /* column 0: not known */
} hd_symbols_place;

bool hd_symbols_find_place(hd_symbols *symbols, uint64_t code, hd_symbols_place *to);

/* What is not announced in the modules of the run that the symbols are of (symbols_hidden.h). */
const hd_names *hd_symbols_hides(hd_symbols *symbols, const hd_launch_run *run);

/* What symbols_allocations.h keeps with them. */
struct hd_symbols_allocations **hd_symbols_allocations_of(hd_symbols *symbols);

/* What symbols_certain.h keeps with them. */
struct hd_symbols_certain **hd_symbols_certain_of(hd_symbols *symbols);

/* What symbols_types.h keeps with them. */
struct hd_symbols_parts *hd_symbols_parts_of(hd_symbols *symbols);

/* The function that contains the call: its name, and its entry in the debugging information; NULL
 * if none exists. */
Dwarf_Die *hd_symbols_entry(hd_symbols *symbols, uint64_t code);
bool hd_symbols_function(hd_symbols *symbols, uint64_t code, hd_vec_char *to);

/* Is there a function that hd_symbols_function calls so, outside of the libraries of the system? */
bool hd_symbols_has_function(hd_symbols *symbols, const char *name, size_t length);

/* The name of an entry with its classes and namespaces, NULL if it has none; the symbols keep it.
 */
const char *hd_symbols_qualified(hd_symbols *symbols, const Dwarf_Die *die);

/* The file that has the code; NULL if it is not known. */
Dwfl_Module *hd_symbols_module(hd_symbols *symbols, uint64_t code);

/* "counter", "account[3].balance", "table+0x18"; with `whole` an object of the thread
 * library is not taken apart.  False if no variable is there. */
bool hd_symbols_variable(hd_symbols *symbols, uint64_t address, bool whole, hd_vec_char *to);

/* Is the address in an array of numbers or pointers?  Then the array, and its name. */
bool hd_symbols_array(hd_symbols *symbols, uint64_t address, hd_trace_array *array,
                      hd_vec_char *to);

/* The same for a thread-local variable, by its offset in the program's thread-local block. */
bool hd_symbols_local(hd_symbols *symbols, uint64_t offset, hd_vec_char *to);

#endif
