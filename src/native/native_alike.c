/*
 * Threads that may be interchangeable: those that one thread creates with the same function and the
 * same argument, or with any arguments if the user says so, and that inherit the same
 * (rt_attributes.h).  If that is so in some runs and not in others, they are not.
 */
#include <stdlib.h>
#include <string.h>

#include "native_program.h"

static bool is_declared(hd_native_program *m, uint64_t start) {
    hd_vec_char name = {0};
    bool declared = false;
    if (!m->base.declared || !*m->base.declared)
        return false;
    hd_native_program_need_symbols(m);
    if (hd_symbols_function(m->symbols, start + 1, &name)) {
        char *text = hd_mem_string(name.data, name.length);
        declared = hd_machine_declared(&m->base, text);
        free(text);
    }
    hd_vec_release(&name);
    return declared;
}

uint32_t hd_native_program_alike(hd_machine *machine, uint32_t thread, uint32_t *creator) {
    hd_native_program *m = hd_native_program_of(machine);
    const heddle_wire_explore *explore = m->server.explore;
    const heddle_wire_name *name = &explore->name[thread];
    if (!thread || thread >= explore->threads || !name->start || name->monitor)
        return thread;
    unsigned how =
        is_declared(m, name->start) ? HEDDLE_WIRE_ALIKE_BUT_ARGUMENT : HEDDLE_WIRE_ALIKE_WHOLLY;
    *creator = name->creator;
    if (name->varies >> how & 1)
        return thread;
    for (uint32_t first = 1; first < thread; first++)
        if (explore->name[first].creator == *creator &&
            explore->name[first].birth == name->like[how] && !explore->name[first].monitor)
            return first;
    return thread;
}

bool hd_native_machine_has_function(hd_machine *machine, const char *name, size_t length) {
    hd_native_program *m = hd_native_program_of(machine);
    hd_native_program_need_symbols(m);
    return hd_symbols_has_function(m->symbols, name, length);
}

bool hd_native_machine_shows_alike(hd_machine *machine) {
    const heddle_wire_explore *explore = hd_native_program_of(machine)->server.explore;
    for (uint32_t thread = 1; thread < explore->threads; thread++) {
        uint32_t creator, first = hd_native_program_alike(machine, thread, &creator);
        if (first != thread && (explore->name[thread].shows || explore->name[first].shows))
            return true;
    }
    return false;
}
