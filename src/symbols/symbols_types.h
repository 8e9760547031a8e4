/*
 * The structure of a variable, from the debugging information: from an offset to the member or
 * element there.
 */
#ifndef HD_SYMBOLS_TYPES_H
#define HD_SYMBOLS_TYPES_H

#include <elfutils/libdw.h>

#include "trace/trace.h"

typedef struct hd_symbols_typed {
    Dwarf_Die type;
    uint64_t size;
    int8_t looked;        /* 1: `array` says what it is; -1: it is something else */
    hd_trace_array array; /* its start is not known here */
} hd_symbols_typed;

/* The type and size of a variable; false if they are not known. */
bool hd_symbols_typed_init(hd_symbols_typed *it, Dwarf_Die *variable);

/* An array of numbers or pointers, else NULL. */
const hd_trace_array *hd_symbols_typed_array(hd_symbols_typed *it);

/* Parts of types that were named: many variables have the same type, and libdw takes microseconds
 * for each part. */
typedef struct hd_symbols_parts {
    hd_map types; /* by their entries: numbers */
    hd_map known; /* by number, offset and `whole`: place in `texts` */
    HD_VEC(hd_vec_char) texts;
} hd_symbols_parts;

void hd_symbols_parts_release(hd_symbols_parts *parts);

/* "[3].balance", "+2", or nothing; with `whole` an object of the thread library is not taken
 * apart. */
void hd_symbols_print_part(hd_symbols_parts *parts, hd_symbols_typed *it, uint64_t offset,
                           bool whole, hd_vec_char *to);

bool hd_symbols_type_of(Dwarf_Die *die, Dwarf_Die *type);

#endif
