/*
 * Which thread has used a granule, for frees: to free a block is a write to all of it, and there is
 * an event for each of its granules that another thread has used before; if there is none, for the
 * first one, unless it is a stack.  What the thread that frees has used alone cannot meet another
 * thread's access.
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

/* Is it a free of what no other thread has used?  Then only its first granule has an event. */
static inline bool hd_packed_users_alone(uint32_t *users, size_t count,
                                         hd_packed_granules *granules,
                                         const hd_packed_record *record) {
    if (record->op != HEDDLE_WIRE_FREE)
        return false;
    uint32_t granule = hd_packed_granule(granules, record->address);
    uint32_t end = hd_packed_granules_before(granules, record->address + record->size);
    if (end > count || granule >= end) /* damaged */
        return false;
    while (granule < end && !hd_packed_users_note(&users[granule], record))
        granule++;
    return granule >= end;
}

/*
 * The stacks of threads that have ended and were not joined.  Another thread may use such a stack
 * later: then the event of its end comes just before that use, as no other event of the ended
 * thread follows.
 */
typedef struct hd_packed_gone {
    hd_vec_u64 codes; /* by thread: where it ended; 0: it did not, or was joined */
    bool any;
} hd_packed_gone;

/* The thread was joined: what is there then is another's. */
void hd_packed_gone_join(hd_packed_gone *gone, uint64_t thread);

/* Such an end.  The granules that no other thread has used are marked in `users`. */
void hd_packed_gone_add(hd_packed_gone *gone, hd_vec_u32 *users, hd_packed_granules *granules,
                        const hd_packed_record *record);

/* An access: the record of an end that must come before it, as long as there is one. */
bool hd_packed_gone_take(hd_packed_gone *gone, hd_vec_u32 *users, hd_packed_granules *granules,
                         const hd_packed_record *record, hd_packed_record *end);

#endif
