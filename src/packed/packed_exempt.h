/*
 * Which plain accesses of a record are exempt: the program said by annotations that no race with
 * them counts.  It says so of memory, until that is freed or it takes it back, and of its
 * threads, for a while.
 */
#ifndef HD_PACKED_EXEMPT_H
#define HD_PACKED_EXEMPT_H

#include "packed_unpack.h"

struct hd_packed_benign {
    uint64_t address, size;
};

typedef struct hd_packed_exempt {
    HD_VEC(struct hd_packed_benign) ranges;
    hd_vec_char threads; /* what is ignored, as in HEDDLE_WIRE_IGNORE */
} hd_packed_exempt;

void hd_packed_exempt_release(hd_packed_exempt *exempt);

/* Takes every record, in order. */
void hd_packed_exempt_take(hd_packed_exempt *exempt, const hd_packed_record *record);

/* Is the record an exempt access? */
bool hd_packed_exempt_has(const hd_packed_exempt *exempt, const hd_packed_record *record);

#endif
