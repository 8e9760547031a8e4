#include "engine_filter.h"

#include <stdlib.h>
#include <string.h>

#include "engine_machine.h"

void hd_engine_parts_release(hd_engine_parts *parts) {
    for (size_t i = 0; i < parts->length; i++) {
        free((char *)(uintptr_t)parts->data[i].variable);
        free((char *)(uintptr_t)parts->data[i].place);
        free((char *)(uintptr_t)parts->data[i].function);
    }
    hd_vec_release(parts);
}

void hd_engine_parts_add(hd_engine_parts *parts, hd_machine *machine, const char *path,
                         uint32_t position, const char *variable) {
    hd_vec_char function = {0};
    hd_native_function(machine, position, &function);
    const char *name = variable ? variable : "";
    hd_vec_push(parts,
                (hd_finding_part){.variable = hd_mem_string(name, strlen(name)),
                                  .place = hd_engine_place(machine, path, position),
                                  .function = hd_mem_string(function.length ? function.data : "",
                                                            function.length)});
    hd_vec_release(&function);
}

void hd_engine_parts_of_waits(hd_engine_parts *parts, hd_machine *machine, const char *path,
                              const hd_steps *schedule, bool locks) {
    hd_replay_waits waits = {0};
    hd_error error = {""};
    hd_replay_find_waits(machine, schedule, &waits, &error);
    for (size_t i = 0; i < waits.length; i++) {
        const hd_replay_wait *wait = &waits.data[i];
        bool lock = wait->kind == HD_REPLAY_WAITS_LOCK;
        hd_machine_operation operation;
        if ((locks && !lock) || !machine->type->next(machine, wait->thread, &operation))
            continue;
        hd_engine_parts_add(parts, machine, path, operation.position,
                            lock ? machine->type->location_name(machine, wait->location) : NULL);
    }
    hd_vec_release(&waits);
}
