/*
 * What a variable is made of, by the debugging information: from an offset in it to the member
 * or element that is there.
 */
#ifndef HD_NATIVE_TYPES_H
#define HD_NATIVE_TYPES_H

#include <elfutils/libdw.h>

#include "trace/trace.h"

typedef struct hd_native_typed {
    Dwarf_Die type;
    uint64_t size;
    int8_t looked;        /* 1: `array` says what it is; -1: it is something else */
    hd_trace_array array; /* its start is not known here */
} hd_native_typed;

/* The type and size of a variable; false if they are not known. */
bool hd_native_typed_init(hd_native_typed *it, Dwarf_Die *variable);

/* An array of numbers or pointers, else NULL. */
const hd_trace_array *hd_native_typed_array(hd_native_typed *it);

/* "[3].balance", "+2", or nothing; with `whole` an object of the thread library is not taken
 * apart. */
void hd_native_print_part(hd_native_typed *it, uint64_t offset, bool whole, hd_vec_char *to);

bool hd_native_type_of(Dwarf_Die *die, Dwarf_Die *type);

#endif
