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

void hd_symbols_functions_add_all(hd_symbols_functions *functions, Dwarf_Die *unit, uint64_t bias) {
    adding a = {functions, bias};
    dwarf_getfuncs(unit, add_function, &a, 0);
}

static void add_outer(adding *a, Dwarf_Die *parent, int depth) {
    enum { DEEPEST = 40 };
    Dwarf_Die die;
    if (depth > DEEPEST || dwarf_child(parent, &die) != 0)
        return;
    do
        switch (dwarf_tag(&die)) {
        case DW_TAG_subprogram:
            add_function(&die, a);
            break;
        case DW_TAG_namespace:
            add_outer(a, &die, depth + 1);
            break;
        default:
            break;
        }
    while (dwarf_siblingof(&die, &die) == 0);
}

void hd_symbols_functions_add(hd_symbols_functions *functions, Dwarf_Die *unit, uint64_t bias) {
    adding a = {functions, bias};
    add_outer(&a, unit, 0);
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
    size_t low;
    hd_vec_upper(low, functions, start, code);
    hd_symbols_code *it = low ? &functions->data[low - 1] : NULL;
    return it && code < it->end ? it : NULL;
}
