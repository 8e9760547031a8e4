#include "symbols_functions.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "base/base.h"

typedef struct adding {
    hd_symbols_functions *to;
    uint64_t bias;
} adding;

static int add_function(Dwarf_Die *die, void *argument) {
    adding *a = argument;
    Dwarf_Addr base, start, end;
    for (ptrdiff_t next = 0; (next = dwarf_ranges(die, next, &base, &start, &end)) > 0;)
        if (start < end)
            hd_vec_push(a->to, (hd_symbols_code){start + a->bias, end + a->bias, *die});
    return DWARF_CB_OK;
}

void hd_symbols_functions_add(hd_symbols_functions *functions, Dwarf_Die *unit, uint64_t bias) {
    adding a = {functions, bias};
    dwarf_getfuncs(unit, add_function, &a, 0);
}

static int compare_functions(const void *a, const void *b) {
    const hd_symbols_code *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

void hd_symbols_functions_sort(hd_symbols_functions *functions) {
    if (functions->length)
        qsort(functions->data, functions->length, sizeof *functions->data, compare_functions);
}

hd_symbols_code *hd_symbols_functions_find(const hd_symbols_functions *functions, uint64_t code) {
    size_t low = 0, high = functions->length;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (functions->data[middle].start <= code)
            low = middle + 1;
        else
            high = middle;
    }
    hd_symbols_code *it = low ? &functions->data[low - 1] : NULL;
    return it && code < it->end ? it : NULL;
}

/* Goes from a definition to its declaration, which has the scope and the name. */
static void find_declaration(Dwarf_Die *die) {
    enum { STEPS = 8 };
    Dwarf_Attribute attribute;
    for (int i = 0; i < STEPS; i++) {
        Dwarf_Die next;
        if (!dwarf_attr(die, DW_AT_abstract_origin, &attribute) &&
            !dwarf_attr(die, DW_AT_specification, &attribute))
            return;
        if (!dwarf_formref_die(&attribute, &next))
            return;
        *die = next;
    }
}

static bool is_scope(Dwarf_Die *die) {
    switch (dwarf_tag(die)) {
    case DW_TAG_namespace:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_subprogram:
        return dwarf_diename(die) != NULL;
    default:
        return false;
    }
}

bool hd_symbols_print_qualified(const Dwarf_Die *die, hd_vec_char *to) {
    Dwarf_Die it = *die, *scopes = NULL;
    find_declaration(&it);
    const char *name = dwarf_diename(&it);
    if (!name)
        return false;
    int count = dwarf_getscopes_die(&it, &scopes);
    for (int i = count; i-- > 1;) /* the first is the thing itself */
        if (is_scope(&scopes[i])) {
            hd_text_append_text(to, dwarf_diename(&scopes[i]));
            hd_text_append_text(to, "::");
        }
    free(scopes);
    hd_text_append_text(to, name);
    return true;
}
