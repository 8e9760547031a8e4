/*
 * Threads that may be interchangeable: those that one thread creates with the same function and the
 * same argument, or with any arguments if the user says so.
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
    if (!thread || thread >= explore->threads || !explore->name[thread].start ||
        explore->name[thread].monitor)
        return thread;
    bool declared = is_declared(m, explore->name[thread].start);
    *creator = explore->name[thread].creator;
    for (uint32_t first = 1; first < thread; first++)
        if (explore->name[first].creator == *creator && !explore->name[first].monitor &&
            explore->name[first].start == explore->name[thread].start &&
            (declared || explore->name[first].argument == explore->name[thread].argument))
            return first;
    return thread;
}
