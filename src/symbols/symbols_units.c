#include "symbols_units.h"

#include <stdlib.h>

struct hd_symbols_unit_code {
    uint64_t start, end;
    uint32_t unit;
};

typedef struct hd_symbols_unit_code unit_code;

void hd_symbols_units_add_file(hd_symbols_units *units, uint64_t start, uint64_t end) {
    hd_vec_push(&units->files, ((unit_code){start, end, 0}));
}

void hd_symbols_units_add(hd_symbols_units *units, const Dwarf_Die *unit, uint64_t bias) {
    hd_symbols_unit it = {.die = *unit, .bias = bias};
    uint32_t number = (uint32_t)units->units.length;
    Dwarf_Addr base, start, end;
    for (ptrdiff_t next = 0; (next = dwarf_ranges(&it.die, next, &base, &start, &end)) > 0;)
        if (start < end) {
            hd_vec_push(&units->codes, ((unit_code){start + bias, end + bias, number}));
            it.placed = true;
        }
    hd_vec_push(&units->units, it);
}

static int compare_codes(const void *a, const void *b) {
    const unit_code *x = a, *y = b;
    if (x->start != y->start)
        return x->start > y->start ? 1 : -1;
    return (x->unit > y->unit) - (x->unit < y->unit);
}

void hd_symbols_units_sort(hd_symbols_units *units) {
    if (units->codes.length)
        qsort(units->codes.data, units->codes.length, sizeof *units->codes.data, compare_codes);
}

/* The last that starts at or before the code; NULL if the code is not in it. */
static hd_symbols_unit *find_unit(const hd_symbols_units *units, uint64_t code) {
    size_t low;
    hd_vec_upper(low, &units->codes, start, code);
    const unit_code *it = low ? &units->codes.data[low - 1] : NULL;
    return it && code < it->end ? &units->units.data[it->unit] : NULL;
}

static void read_unit(hd_symbols_unit *unit) {
    unit->read = true;
    hd_symbols_lines_add(&unit->lines, &unit->die, unit->bias);
    hd_symbols_lines_sort(&unit->lines);
    hd_symbols_functions_add(&unit->functions, &unit->die, unit->bias);
    hd_symbols_functions_sort(&unit->functions);
}

static void read_inner_functions(hd_symbols_unit *unit) {
    unit->read_all = true;
    hd_vec_clear(&unit->functions);
    hd_symbols_functions_add_all(&unit->functions, &unit->die, unit->bias);
    hd_symbols_functions_sort(&unit->functions);
}

static void read_rest(hd_symbols_units *units) {
    hd_symbols_unit *rest = &units->rest;
    rest->read = rest->read_all = true;
    for (size_t i = 0; i < units->units.length; i++) {
        hd_symbols_unit *unit = &units->units.data[i];
        if (unit->placed)
            continue;
        hd_symbols_lines_add(&rest->lines, &unit->die, unit->bias);
        hd_symbols_functions_add_all(&rest->functions, &unit->die, unit->bias);
    }
    hd_symbols_lines_sort(&rest->lines);
    hd_symbols_functions_sort(&rest->functions);
}

bool hd_symbols_units_covers(const hd_symbols_units *units, uint64_t address) {
    for (size_t i = 0; i < units->files.length; i++)
        if (address >= units->files.data[i].start && address < units->files.data[i].end)
            return true;
    return false;
}

/* The unit that has the code, read; NULL if it is not known. */
static hd_symbols_unit *unit_of(hd_symbols_units *units, uint64_t code) {
    hd_symbols_unit *unit = find_unit(units, code);
    if (unit && !unit->read)
        read_unit(unit);
    if (unit || !hd_symbols_units_covers(units, code))
        return unit;
    if (!units->rest.read)
        read_rest(units);
    return &units->rest;
}

const hd_symbols_code_line *hd_symbols_units_find(hd_symbols_units *units, uint64_t code) {
    const hd_symbols_unit *unit = unit_of(units, code - 1);
    return unit ? hd_symbols_lines_find(&unit->lines, code) : NULL;
}

bool hd_symbols_units_line(hd_symbols_units *units, uint64_t code, hd_vec_char *to) {
    const hd_symbols_unit *unit = unit_of(units, code - 1);
    return unit && hd_symbols_lines_print(&unit->lines, code, to);
}

Dwarf_Die *hd_symbols_units_function(hd_symbols_units *units, uint64_t code) {
    hd_symbols_unit *unit = unit_of(units, code - 1);
    if (!unit)
        return NULL;
    hd_symbols_code *known = hd_symbols_functions_find(&unit->functions, code - 1);
    if (!known && !unit->read_all) {
        read_inner_functions(unit);
        known = hd_symbols_functions_find(&unit->functions, code - 1);
    }
    return known ? &known->die : NULL;
}

static void release_unit(hd_symbols_unit *unit) {
    hd_vec_release(&unit->lines);
    hd_vec_release(&unit->functions);
}

void hd_symbols_units_release(hd_symbols_units *units) {
    for (size_t i = 0; i < units->units.length; i++)
        release_unit(&units->units.data[i]);
    release_unit(&units->rest);
    hd_vec_release(&units->units);
    hd_vec_release(&units->codes);
    hd_vec_release(&units->files);
}
