/*
 * The accesses of calls of code without instrumentation, by the state that they are known to have.
 */
#include "native_entry.h"

static bool is_library(const heddle_wire *wire, uint64_t address) {
    for (uint32_t i = 1; i < wire->modules && i < HEDDLE_WIRE_MODULES; i++)
        if (address >= wire->module[i].low && address < wire->module[i].high)
            return true;
    return false;
}

/* Shared words in libraries, for example what a function returned a pointer to. */
static void find_statics(hd_native_locations *locations) {
    const heddle_wire_explore *explore = locations->server->explore;
    hd_vec_clear(&locations->statics);
    for (uint32_t i = 0; i < HEDDLE_WIRE_SHARED; i++)
        if (explore->shared[i] &&
            is_library(locations->server->run.wire, (explore->shared[i] - 1) * HD_NATIVE_WORD))
            hd_vec_push(&locations->statics, explore->shared[i] - 1);
    locations->statics_of = explore->renewed + 1;
}

static void add_statics(hd_native_entry *e) {
    hd_native_locations *locations = e->locations;
    if (locations->statics_of != locations->server->explore->renewed + 1)
        find_statics(locations);
    for (size_t i = 0; i < locations->statics.length; i++)
        hd_native_entry_part(e, locations->statics.data[i], 0, HD_NATIVE_WORD, HD_MACHINE_WRITE);
}

uint64_t hd_native_entry_state(enum heddle_wire_kept which) {
    return HEDDLE_WIRE_STATES + UINT64_C(16) * which;
}

void hd_native_entry_call(hd_native_entry *e) {
    unsigned mode = e->about->flags & HEDDLE_WIRE_LOOKS ? HD_MACHINE_READ : HD_MACHINE_WRITE;
    uint64_t also = (uint64_t)e->about->deadline;
    uint64_t printed = hd_native_entry_state(HEDDLE_WIRE_KEPT_printed);
    hd_native_entry_place(e, e->about->address);
    hd_native_entry_access(e, HD_NATIVE_STATE, e->about->address, mode);
    if (e->about->flags & HEDDLE_WIRE_PRINTS && e->about->address != printed)
        hd_native_entry_access(e, HD_NATIVE_STATE, printed, HD_MACHINE_WRITE);
    if (e->about->flags & HEDDLE_WIRE_ALSO)
        hd_native_entry_access(e, HD_NATIVE_STATE, also & ~UINT64_C(1),
                               also & 1 ? HD_MACHINE_READ : HD_MACHINE_WRITE);
    if (e->about->flags & HEDDLE_WIRE_FILED)
        hd_native_entry_access(e, HD_NATIVE_STATE, hd_native_entry_state(HEDDLE_WIRE_KEPT_files),
                               HD_MACHINE_READ);
    if (e->about->flags & HEDDLE_WIRE_INSIDE && e->about->size)
        hd_native_entry_memory(e, true, mode);
    if (e->about->flags & HEDDLE_WIRE_STORES)
        add_statics(e);
}

void hd_native_entry_inside(hd_native_entry *e) {
    const heddle_wire *wire = e->locations->server->run.wire;
    uint32_t module = 0;
    while (
        module < wire->modules && module < HEDDLE_WIRE_MODULES &&
        (e->about->code < wire->module[module].low || e->about->code >= wire->module[module].high))
        module++;
    hd_native_entry_access(e, HD_NATIVE_STATE, HEDDLE_WIRE_MODULE_STATES + 16 * (uint64_t)module,
                           HD_MACHINE_WRITE);
}

void hd_native_entry_reuse(hd_native_entry *e) {
    if (e->about->flags & HEDDLE_WIRE_FREES)
        hd_native_entry_memory(e, true,
                               HD_MACHINE_WRITE); /* its words can be used now, or no longer */
    if (e->about->flags & HEDDLE_WIRE_ALSO)
        hd_native_entry_access(e, HD_NATIVE_STATE, (uint64_t)e->about->deadline, HD_MACHINE_WRITE);
    e->operation->varies = e->about->flags & HEDDLE_WIRE_EITHER;
    if (e->operation->varies)
        hd_native_entry_access(e, HD_NATIVE_STATE, e->about->address,
                               e->succeeds ? HD_MACHINE_WRITE : HD_MACHINE_READ);
}
