/*
 * Functions by their code addresses.
 */
#ifndef HD_SYMBOLS_FUNCTIONS_H
#define HD_SYMBOLS_FUNCTIONS_H

#include <elfutils/libdwfl.h>

#include "base/base.h"

/* A function's code, which may lie in several places. */
typedef struct hd_symbols_code {
    uint64_t start, end;
    Dwarf_Die die;
} hd_symbols_code;

typedef HD_VEC(hd_symbols_code) hd_symbols_functions;

/* The functions of a unit that are not inside a class or another function, which most are not;
 * and all, which takes a walk over the whole unit.  They are sorted once they are there. */
void hd_symbols_functions_add(hd_symbols_functions *functions, Dwarf_Die *unit, uint64_t bias);
void hd_symbols_functions_add_all(hd_symbols_functions *functions, Dwarf_Die *unit, uint64_t bias);
void hd_symbols_functions_sort(hd_symbols_functions *functions);

/* NULL if no function is known there. */
hd_symbols_code *hd_symbols_functions_find(const hd_symbols_functions *functions, uint64_t code);

#endif
