#include "base_vec.h"

#include "base_mem.h"

void *hd_vec_grow(void *data, size_t *capacity, size_t wanted, size_t size) {
    size_t grown = *capacity + *capacity / 2;
    if (grown < wanted)
        grown = wanted;
    if (grown < 8)
        grown = 8;
    void *moved = hd_mem_resize(data, grown, size); /* if that is fatal nothing has changed */
    *capacity = grown;
    return moved;
}
