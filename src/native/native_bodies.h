/*
 * What atomic sections access.  A section is one step, and what it will access is not known before
 * it is taken.  So all that a thread ever accessed in the sections at a place in the code counts as
 * the *body* of its next one there: that depends on the steps that access something of it, and not
 * on others.  A section that does
 * something outside its body makes the body larger, and the search starts over.
 */
#ifndef HD_NATIVE_BODIES_H
#define HD_NATIVE_BODIES_H

#include <stdbool.h>

#include "base/base.h"
#include "heddle/wire.h"

typedef struct hd_native_range {
    uint64_t address;
    uint32_t size;
    bool write;
} hd_native_range;

typedef struct hd_native_body {
    uint64_t key;
    HD_VEC(hd_native_range) ranges;
    bool all; /* it depends on all steps: it ended the run, waited, or used more than memory */
    /* As the current search has it. */
    bool known, all_now;
    size_t now; /* ranges */
} hd_native_body;

typedef struct hd_native_bodies {
    HD_VEC(hd_native_body) list;
} hd_native_bodies;

/* A thread's sections at a place. */
static inline uint64_t hd_native_bodies_key(uint32_t thread, uint64_t code) {
    return code ^ (uint64_t)thread << 56;
}

/* What a section did: its inner operations; and whether the run ended with it.  True if that is
 * new. */
bool hd_native_bodies_note(hd_native_bodies *bodies, uint64_t key, const heddle_wire_next *inner,
                           size_t count, bool over);

/* From now on what was noted counts. */
void hd_native_bodies_use(hd_native_bodies *bodies);

/* NULL: it depends on all steps; and whether that is known, because of what it did. */
const hd_native_body *hd_native_bodies_find(const hd_native_bodies *bodies, uint64_t key);
bool hd_native_bodies_is_all(const hd_native_bodies *bodies, uint64_t key);

/* Takes over what another has, and, `used`, as that uses it.  True if something is new. */
bool hd_native_bodies_join(hd_native_bodies *to, const hd_native_bodies *from, bool used);
void hd_native_bodies_release(hd_native_bodies *bodies);

#endif
