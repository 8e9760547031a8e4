/*
 * Which threads hold a lock, and when: of each lock and thread, the acquires at which the thread
 * holds it, ascending, so that those beside an event are found by bisection.  Private to
 * race.
 */
#ifndef HD_RACE_HOLDERS_H
#define HD_RACE_HOLDERS_H

#include "base/base.h"

/* Acquires of one thread: `count` of the lists below, from `start` on. */
typedef struct hd_race_holders_run {
    uint32_t thread, start, count;
} hd_race_holders_run;

struct hd_race_holder {
    uint32_t lock, thread, event, node;
};

typedef struct hd_race_holders {
    HD_VEC(struct hd_race_holder) all;
    hd_vec_u32 events, nodes; /* when they are sorted */
    HD_VEC(hd_race_holders_run) runs;
    uint32_t *first; /* [lock]: its runs are first[lock] .. first[lock + 1] - 1 */
} hd_race_holders;

/* At this acquire, which is of that node of the caller's, the thread holds the lock. */
void hd_race_holders_add(hd_race_holders *holders, uint32_t lock, uint32_t thread, uint32_t event,
                         uint32_t node);

/* When all are there, of locks 0 .. locks - 1. */
void hd_race_holders_sort(hd_race_holders *holders, uint32_t locks);

void hd_race_holders_release(hd_race_holders *holders);

#endif
