/*
 * Vector clocks that grow: as long as the highest thread in them, 0 beyond.
 * Private to the clock machine.
 */
#ifndef HD_ORDER_VECTOR_H
#define HD_ORDER_VECTOR_H

#include <string.h>

#include "base/base.h"

/* Each component becomes the greater of the two. */
static inline void hd_order_vector_join(hd_vec_u32 *to, const hd_vec_u32 *from) {
    if (to->length < from->length)
        hd_vec_resize(to, from->length);
    uint32_t *restrict ours = to->data;
    const uint32_t *restrict theirs = from->data;
    for (size_t i = 0; i < from->length; i++)
        ours[i] = ours[i] < theirs[i] ? theirs[i] : ours[i];
}

static inline void hd_order_vector_copy(hd_vec_u32 *to, const hd_vec_u32 *from) {
    to->length = 0;
    if (!from->length)
        return;
    hd_vec_reserve(to, from->length);
    assert(to->data && from->data);
    memcpy(to->data, from->data, from->length * sizeof *to->data);
    to->length = from->length;
}

#endif
