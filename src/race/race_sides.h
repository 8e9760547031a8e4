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
} hd_race_sides;

/* The accesses that count, and their sides; false if it is one thread's, or never written. */
bool hd_race_sides_gather(hd_race_sides *s, const hd_order_space *space, hd_race_push *push,
                          uint32_t variable);

/* Their classes.  The accesses are sorted anew; where a side starts stays. */
void hd_race_sides_classes(hd_race_sides *s);

void hd_race_sides_release(hd_race_sides *s);

#endif
