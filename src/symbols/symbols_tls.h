/*
 * Thread-local variables whose location is missing from the debugging information, as gcc's is on
 * aarch64: it is taken from the symbol table of their module.
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

/* The offset of a variable without a location.  False if the module has no variable of that name,
 * or several. */
bool hd_symbols_tls_find(const hd_symbols_tls *tls, Dwarf_Die *variable, uint64_t *offset);

#endif
