/*
 * Names with their namespaces and classes: Bank::deposit.
 *
 * Debugging information is a tree whose entries do not know their parents, and libdw finds one by
 * a walk over the whole unit, which for C++ has tens of thousands of entries.  Here a level of the
 * tree is listed when something on it is asked for, once, and only that level: the entries below
 * another one lie between it and its next sibling.
 */
#ifndef HD_SYMBOLS_SCOPES_H
#define HD_SYMBOLS_SCOPES_H

#include <elfutils/libdw.h>

#include "base/base.h"

typedef struct hd_symbols_scopes {
    HD_VEC(struct hd_symbols_scope) scopes;
    hd_map units;  /* where a unit starts -> its scope */
    hd_map places; /* where an entry starts -> its name, as an index in `names` */
    HD_VEC(const char *) names;
    hd_arena texts;
} hd_symbols_scopes;

/* The qualified name of what is declared or defined there, NULL if it has none; it is kept as long
 * as the scopes. */
const char *hd_symbols_scopes_name(hd_symbols_scopes *scopes, const Dwarf_Die *die);

void hd_symbols_scopes_release(hd_symbols_scopes *scopes);

#endif
