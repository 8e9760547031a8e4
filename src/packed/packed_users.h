/*
 * Which thread has used a granule, for frees: to free a block is a write to all of it, and there is
 * an event for each of its granules that another thread has used before; if there is none, for the
 * first one.  What the thread that frees has used alone cannot meet another thread's access.
 */
#ifndef HD_PACKED_USERS_H
#define HD_PACKED_USERS_H

#include "heddle/wire.h"
#include "packed_granules.h"
#include "packed_unpack.h"

/* Notes the record's use of a granule.  False: it is a free that is of no interest there. */
static inline bool hd_packed_users_note(uint32_t *user, const hd_packed_record *record) {
    uint32_t self = record->thread + 1;
    if (record->op == HEDDLE_WIRE_FREE)
        return *user && *user != self;
    *user = *user && *user != self ? UINT32_MAX : self;
    return true;
}

/* Is it a free of what no other thread has used? */
static inline bool hd_packed_users_alone(uint32_t *users, size_t count,
                                         hd_packed_granules *granules,
                                         const hd_packed_record *record) {
    uint64_t from = record->address, end = from + record->size;
    if (record->op != HEDDLE_WIRE_FREE)
        return false;
    for (; from < end; from = hd_packed_granule_next(granules, from)) {
        uint32_t granule = hd_packed_granule(granules, from);
        if (granule >= count || hd_packed_users_note(&users[granule], record))
            return false;
    }
    return true;
}

#endif
