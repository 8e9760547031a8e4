#include "machine.h"

#include <string.h>

bool hd_machine_meet(const hd_machine_access *a, uint32_t a_count, const hd_machine_access *b,
                     uint32_t b_count, uint32_t *location) {
    enum { MEMORY = HD_MACHINE_READ | HD_MACHINE_WRITE };
    for (uint32_t i = 0, j = 0; i < a_count && j < b_count;) {
        const hd_machine_access *one = &a[i], *other = &b[j];
        *location = one->location;
        if (one->location == other->location && one->mode & MEMORY && other->mode & MEMORY &&
            (one->mode | other->mode) & HD_MACHINE_WRITE)
            return true;
        i += one->location <= other->location;
        j += other->location <= one->location;
    }
    return false;
}

bool hd_machine_collide(const hd_machine_operation *a, const hd_machine_operation *b) {
    uint32_t location;
    return a->enabled && b->enabled && hd_machine_race(a->memory, b->memory) &&
           hd_machine_meet(a->accesses, a->count, b->accesses, b->count, &location);
}

bool hd_machine_find_enabled(hd_machine *machine, uint32_t *thread) {
    hd_machine_operation operation;
    for (*thread = 0; *thread < machine->threads; ++*thread)
        if (machine->type->next(machine, *thread, &operation) && operation.enabled)
            return true;
    return false;
}

bool hd_machine_dependent(const hd_machine_access *a, uint32_t a_count, const hd_machine_access *b,
                          uint32_t b_count) {
    uint32_t i = 0, j = 0;
    while (i < a_count && j < b_count) {
        if (a[i].location < b[j].location)
            i++;
        else if (a[i].location > b[j].location)
            j++;
        else if ((a[i++].mode | b[j++].mode) & HD_MACHINE_WRITES)
            return true;
    }
    return false;
}

bool hd_machine_retries(hd_machine *machine) {
    hd_machine_operation operation;
    for (uint32_t thread = 0; thread < machine->threads; thread++)
        if (machine->type->next(machine, thread, &operation) && operation.retries)
            return true;
    return false;
}

bool hd_machine_declared(const hd_machine *machine, const char *name) {
    size_t length = strlen(name);
    for (const char *at = machine->declared; at && *at;) {
        const char *end = strchrnul(at, ',');
        if ((size_t)(end - at) == length && memcmp(at, name, length) == 0)
            return true;
        at = *end ? end + 1 : end;
    }
    return false;
}
