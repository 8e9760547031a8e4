#include "symbols_scopes.h"

#include "symbols_shorten.h"

#include <dwarf.h>

/* An entry that may have others below it.  Those of one level are adjacent, in order. */
struct hd_symbols_scope {
    Dwarf_Die die;
    const void *end;       /* where its next sibling starts; NULL: it is the last */
    uint32_t first, count; /* the scopes directly below it, once listed */
    bool listed;
};

enum { DEEPEST = 64 };

/* Can something with a qualified name be below it? */
static bool has_scopes(Dwarf_Die *die) {
    switch (dwarf_tag(die)) {
    case DW_TAG_namespace:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_module:
        return dwarf_haschildren(die) == 1;
    default:
        return false;
    }
}

/* Does it give its name to what is below it? */
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

/* The next sibling is found here alone: without DW_AT_sibling, which clang does not write, that is
 * a walk over all that is below. */
static void list_below(hd_symbols_scopes *scopes, uint32_t scope) {
    Dwarf_Die die;
    scopes->scopes.data[scope].listed = true;
    scopes->scopes.data[scope].first = (uint32_t)scopes->scopes.length;
    bool more = dwarf_child(&scopes->scopes.data[scope].die, &die) == 0;
    while (more) {
        bool added = has_scopes(&die);
        if (added)
            hd_vec_push(&scopes->scopes, ((struct hd_symbols_scope){.die = die}));
        more = dwarf_siblingof(&die, &die) == 0;
        if (added && more)
            hd_vec_last(&scopes->scopes)->end = die.addr;
    }
    scopes->scopes.data[scope].count =
        (uint32_t)scopes->scopes.length - scopes->scopes.data[scope].first;
}

/* The last scope directly below that starts before the entry; false if none does. */
static bool step_down(hd_symbols_scopes *scopes, uint32_t *scope, const void *entry) {
    if (!scopes->scopes.data[*scope].listed)
        list_below(scopes, *scope);
    const struct hd_symbols_scope *it = &scopes->scopes.data[*scope];
    uint32_t low = it->first, high = it->first + it->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((uintptr_t)scopes->scopes.data[middle].die.addr < (uintptr_t)entry)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == it->first)
        return false;
    *scope = low - 1;
    return true;
}

/* An entry that comes after a scope need not be in it. */
static bool is_inside(const struct hd_symbols_scope *scope, const void *entry) {
    return !scope->end || (uintptr_t)entry < (uintptr_t)scope->end;
}

static bool find_unit(hd_symbols_scopes *scopes, const Dwarf_Die *die, uint32_t *scope) {
    Dwarf_Die unit, entry = *die;
    bool added;
    if (!dwarf_diecu(&entry, &unit, NULL, NULL))
        return false;
    uint32_t *place = hd_map_at(&scopes->units, (uintptr_t)unit.addr, &added);
    if (added) {
        *place = (uint32_t)scopes->scopes.length;
        hd_vec_push(&scopes->scopes, ((struct hd_symbols_scope){.die = unit}));
    }
    *scope = *place;
    return true;
}

static const char *print_name(hd_symbols_scopes *scopes, Dwarf_Die *die) {
    const char *name = dwarf_diename(die);
    uint32_t scope;
    if (!name)
        return NULL;
    hd_vec_char text = {0};
    if (find_unit(scopes, die, &scope))
        for (int depth = 0; depth < DEEPEST && step_down(scopes, &scope, die->addr) &&
                            is_inside(&scopes->scopes.data[scope], die->addr);
             depth++)
            if (is_scope(&scopes->scopes.data[scope].die)) {
                hd_text_append_text(&text, dwarf_diename(&scopes->scopes.data[scope].die));
                hd_text_append_text(&text, "::");
            }
    hd_text_append_text(&text, name);
    hd_symbols_shorten(&text, 0);
    name = hd_arena_string(&scopes->texts, text.data, text.length);
    hd_vec_release(&text);
    return name;
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

const char *hd_symbols_scopes_name(hd_symbols_scopes *scopes, const Dwarf_Die *die) {
    Dwarf_Die it = *die;
    bool added;
    find_declaration(&it);
    uint32_t *place = hd_map_at(&scopes->places, (uintptr_t)it.addr, &added);
    if (added) {
        *place = (uint32_t)scopes->names.length;
        hd_vec_push(&scopes->names, print_name(scopes, &it));
    }
    return scopes->names.data[*place];
}

void hd_symbols_scopes_release(hd_symbols_scopes *scopes) {
    hd_vec_release(&scopes->scopes);
    hd_map_release(&scopes->units);
    hd_map_release(&scopes->places);
    hd_vec_release(&scopes->names);
    hd_arena_release(&scopes->texts);
}
