/*
 * The accesses of one variable: by thread and place, and of these what the filters of
 * race_predict.h need not tell apart.  Private to race.
 */
#ifndef HD_RACE_SIDES_H
#define HD_RACE_SIDES_H

#include "order/order.h"
#include "race_finding.h"

/* Accesses by a thread at a place, in the order of the trace. */
struct hd_race_side {
    uint32_t thread, place;
    uint32_t start, count;             /* in the list of accesses */
    uint32_t first_class, class_count; /* among the classes, when these are made */
    uint32_t first_guard, guard_count; /* among the guards */
};

/* Of those, what the filters need not tell apart. */
struct hd_race_alike {
    uint32_t held, traits;
    uint32_t start, count; /* in the list of events */
};

struct hd_race_access {
    uint32_t thread, place, held, traits, event;
};

typedef struct hd_race_sides {
    HD_VEC(struct hd_race_access) accesses; /* by thread, place, event */
    HD_VEC(struct hd_race_side) sides;
    hd_vec_u32 events; /* of the accesses, by class */
    HD_VEC(struct hd_race_alike) classes;
    /* By side, ascending: the locks that all its accesses hold, those that write not for reading.
     */
    hd_vec_u32 guards;
    hd_vec_u32 held; /* while they are found */
} hd_race_sides;

/* The accesses that count, and their sides; false if it is one thread's, never written, or if one
 * lock is held for all (Eraser's rule: no two of them can race). */
bool hd_race_sides_gather(hd_race_sides *s, const hd_order_space *space, hd_race_push *push,
                          uint32_t variable);

/* Their classes.  The accesses are sorted anew; where a side starts stays. */
void hd_race_sides_classes(hd_race_sides *s);

/* Does a lock guard both sides?  Then no access of one is next together with one of the other, of
 * which one writes. */
bool hd_race_sides_guarded(const hd_race_sides *s, const struct hd_race_side *a,
                           const struct hd_race_side *b);

void hd_race_sides_release(hd_race_sides *s);

#endif
