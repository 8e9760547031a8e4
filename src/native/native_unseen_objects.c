/*
 * Uninstrumented objects in instrumented modules, found by what is in their files.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <string.h>

#include "launch/launch.h"
#include "native_unseen.h"
#include "symbols/symbols.h"

static void add_function(hd_native_blind *blind, const char *name) {
    hd_vec_push(&blind->functions, hd_mem_string(name, strlen(name)));
}

static hd_native_blind *add_blind(hd_native_unseen *unseen, const char *name) {
    const char *slash = strrchr(name, '/');
    name = slash ? slash + 1 : name;
    hd_vec_push(&unseen->blind, (hd_native_blind){.name = hd_mem_string(name, strlen(name))});
    return hd_vec_last(&unseen->blind);
}

typedef struct scan {
    hd_native_unseen *unseen;
    size_t loose; /* the entry for functions of no unit, plus 1 */
} scan;

static int add_subprogram(Dwarf_Die *die, void *blind) {
    Dwarf_Addr low;
    const char *name = dwarf_diename(die);
    if (name && dwarf_lowpc(die, &low) == 0)
        add_function(blind, name);
    return DWARF_CB_OK;
}

static void see_unit(void *context, Dwarf_Die *unit, const char *made, bool instrumented,
                     bool x86) {
    hd_native_unseen *unseen = ((scan *)context)->unseen;
    const char *name = dwarf_diename(unit);
    unseen->by_clang |= made && strstr(made, "clang");
    if (instrumented) {
        hd_native_unseen_values(unseen, unit, made, x86);
        return;
    }
    hd_native_blind *blind = add_blind(unseen, name ? name : "?");
    dwarf_getfuncs(unit, add_subprogram, blind, 0);
    if (!blind->functions.length)
        add_function(blind, "(assembly)");
}

static void see_mute(void *context, const char *module, bool instrumented) {
    (void)instrumented; /* of another nothing is asked */
    add_blind(((scan *)context)->unseen, module);
}

static void see_loose(void *context, const char *module, const char *function) {
    scan *it = context;
    if (!it->loose) {
        add_blind(it->unseen, module);
        it->loose = it->unseen->blind.length;
    }
    add_function(&it->unseen->blind.data[it->loose - 1], function);
}

static void see_listed(void *context, const char *text, size_t length) {
    hd_native_names *names = &((scan *)context)->unseen->functions;
    for (size_t i = 0; i < names->length; i++)
        if (strlen(names->data[i]) == length && memcmp(names->data[i], text, length) == 0)
            return; /* another module has it */
    hd_vec_push(names, hd_mem_string(text, length));
}

void hd_native_unseen_scan(hd_native_unseen *unseen, const heddle_wire *wire) {
    uint32_t count = wire->modules < HEDDLE_WIRE_MODULES ? wire->modules : HEDDLE_WIRE_MODULES;
    for (; unseen->modules < count; unseen->modules++) {
        char path[HEDDLE_WIRE_PATH];
        memcpy(path, wire->module[unseen->modules].path, sizeof path);
        path[sizeof path - 1] = '\0';
        scan it = {.unseen = unseen};
        hd_symbols_hidden_find(path, &(hd_symbols_hidden){.context = &it,
                                                          .unit = see_unit,
                                                          .mute = see_mute,
                                                          .loose = see_loose,
                                                          .function = see_listed});
    }
}
