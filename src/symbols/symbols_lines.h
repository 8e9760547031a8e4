/*
 * Source lines by code addresses.
 */
#ifndef HD_SYMBOLS_LINES_H
#define HD_SYMBOLS_LINES_H

#include <elfutils/libdw.h>

#include "base/base.h"

/* Where the code of a source line begins. */
typedef struct hd_symbols_code_line {
    uint64_t start;
    const char *file, *folder;
    uint32_t order; /* if several have one address, the last counts */
    int number, column;
    bool end; /* what follows belongs to no line */
} hd_symbols_code_line;

typedef HD_VEC(hd_symbols_code_line) hd_symbols_lines;

/* All lines of a unit; sorted once all are there. */
void hd_symbols_lines_add(hd_symbols_lines *to, Dwarf_Die *unit, uint64_t bias);
void hd_symbols_lines_sort(hd_symbols_lines *lines);

/* The line of the call whose return address this is; NULL if not known. */
const hd_symbols_code_line *hd_symbols_lines_find(const hd_symbols_lines *lines, uint64_t code);

/* "file.c:12" for the call whose return address this is; false if not known. */
bool hd_symbols_lines_print(const hd_symbols_lines *lines, uint64_t code, hd_vec_char *to);

#endif
