/*
 * Thread-local variables whose place the debugging information leaves out, as gcc's does on
 * aarch64: the symbol table of their module has it.
 */
#ifndef HD_SYMBOLS_TLS_H
#define HD_SYMBOLS_TLS_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

typedef struct hd_symbols_tls_symbol {
    const char *name;
    uint64_t offset; /* in the block of a thread */
} hd_symbols_tls_symbol;

typedef HD_VEC(hd_symbols_tls_symbol) hd_symbols_tls;

/* Adds those of a module. */
void hd_symbols_tls_read(hd_symbols_tls *tls, Dwfl_Module *module);

/* Where a variable is that has no place.  False if the module has none of that name, or several. */
bool hd_symbols_tls_find(const hd_symbols_tls *tls, Dwarf_Die *variable, uint64_t *offset);

#endif
