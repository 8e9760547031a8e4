#include "machine.h"

bool hd_machine_collide(const hd_machine_operation *a, const hd_machine_operation *b) {
    return a->enabled && b->enabled && a->memory && b->memory &&
           (a->memory == HD_MACHINE_PLAIN || b->memory == HD_MACHINE_PLAIN) &&
           hd_machine_dependent(a->accesses, a->count, b->accesses, b->count);
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
