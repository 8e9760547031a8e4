/*
 * Units of debugging information by the code that they describe.  A unit's lines and functions are
 * read when an address in it is asked for: most units of a large program never are.
 */
#ifndef HD_SYMBOLS_UNITS_H
#define HD_SYMBOLS_UNITS_H

#include <elfutils/libdw.h>

#include "base/base.h"
#include "symbols_functions.h"
#include "symbols_lines.h"

typedef struct hd_symbols_unit {
    Dwarf_Die die;
    uint64_t bias;
    hd_symbols_lines lines;
    hd_symbols_functions functions;
    bool placed;   /* it says where its code is */
    bool read;     /* its lines, and the functions that are not inside something */
    bool read_all; /* the others, too */
} hd_symbols_unit;

typedef struct hd_symbols_units {
    HD_VEC(hd_symbols_unit) units;
    HD_VEC(struct hd_symbols_unit_code) codes; /* of all placed units, by address */
    HD_VEC(struct hd_symbols_unit_code) files; /* with all they have in memory */
    hd_symbols_unit rest;                      /* what the units have that are not placed */
} hd_symbols_units;

/* A file whose units follow. */
void hd_symbols_units_add_file(hd_symbols_units *units, uint64_t start, uint64_t end);
void hd_symbols_units_add(hd_symbols_units *units, const Dwarf_Die *unit, uint64_t bias);
void hd_symbols_units_sort(hd_symbols_units *units); /* when all are there */

/* Is the address, of code or data, in a file that has units? */
bool hd_symbols_units_covers(const hd_symbols_units *units, uint64_t address);

const hd_symbols_code_line *hd_symbols_units_find(hd_symbols_units *units, uint64_t code);
bool hd_symbols_units_line(hd_symbols_units *units, uint64_t code, hd_vec_char *to);
Dwarf_Die *hd_symbols_units_function(hd_symbols_units *units, uint64_t code); /* or NULL */

void hd_symbols_units_release(hd_symbols_units *units);

#endif
