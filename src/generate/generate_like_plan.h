/*
 * Private to the `like` family: the plan of a trace, a row of slots with what is done in each
 * (generate_like_plan.c makes it, generate_like.c writes it).
 */
#ifndef HD_GENERATE_LIKE_PLAN_H
#define HD_GENERATE_LIKE_PLAN_H

#include "generate_like.h"

#define HD_GENERATE_LIKE_NONE UINT32_MAX /* instead of a lock or slot */

/* One run of a thread. */
typedef struct hd_generate_like_slot {
    uint32_t thread;
    uint32_t next;         /* slot of the same thread, none if it is the last */
    uint32_t outer, inner; /* locks, or none */
    bool locked, nested;
    bool pinned;       /* its lock is that of a wait */
    bool waits, wakes; /* at its end; at its start */
    uint32_t notified; /* thread that it notifies + 1, 0 if none */
    uint32_t strays;   /* notifications without a waiter */
} hd_generate_like_slot;

/* One access or mark. */
typedef struct hd_generate_like_item {
    uint32_t slot;
    uint32_t object;
    uint64_t place; /* drawn; orders the items of a slot */
    uint8_t kind;
} hd_generate_like_item;

typedef struct hd_generate_like_plan {
    const hd_generate_like_shape *shape;
    hd_random random;
    hd_generate_like_slot *slots;
    uint32_t slot_count;
    uint32_t quiet; /* the first slot after those with waits */
    uint32_t scopes;
    hd_generate_like_item *items; /* accesses, then marks */
    uint32_t item_count;
    hd_generate_like_size *sizes;
    uint32_t hot;
    uint32_t *by_thread; /* slots after the quiet one, thread by thread */
    uint32_t *start;     /* of each thread in by_thread */
} hd_generate_like_plan;

/* Makes the plan; the random generator goes on from there. */
void hd_generate_like_plan_init(hd_generate_like_plan *plan, const hd_generate_like_shape *shape,
                                uint64_t seed);
void hd_generate_like_plan_release(hd_generate_like_plan *plan);

/* Are there forks and joins?  Else the threads exist from the beginning. */
bool hd_generate_like_has_forks(const hd_generate_like_shape *shape);

/* How many of the items from `from` on are in the slot. */
uint32_t hd_generate_like_items_in(const hd_generate_like_plan *plan, uint32_t slot, uint32_t from);

#endif
