/*
 * The type of what an expression of the source means at a place: "q->head" in the function there.
 */
#ifndef HD_SYMBOLS_LOOKUP_H
#define HD_SYMBOLS_LOOKUP_H

#include <elfutils/libdw.h>

#include "symbols_modules.h"
#include "symbols_source.h"

typedef struct hd_symbols_lookup {
    hd_symbols *symbols;
    Dwarf_Die function, unit; /* the innermost function, which may have been inlined */
    const char *file;         /* as the line table has it */
    int line;
    Dwarf_Die variable; /* found so far: the last one that is declared before the line */
    int declared;
    const char *where; /* the function it is in, NULL for a global one */
    bool found;
} hd_symbols_lookup;

/* Looks in the innermost function at the code, as in the file: a copy that is inlined in the
 * function of before, if there is one. */
void hd_symbols_lookup_innermost(hd_symbols_lookup *s, uint64_t code);

/* The type of what is allocated; and where the pointer is, as s->where. */
bool hd_symbols_lookup_type(hd_symbols_lookup *s, const hd_symbols_allocated *it, Dwarf_Die *type);

/* The first template argument of the class whose function it is. */
bool hd_symbols_lookup_argument(hd_symbols_lookup *s, Dwarf_Die *type);

#endif
