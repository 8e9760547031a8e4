/*
 * The locks that a thread holds, as numbers.  Equal sets, modes included, have
 * equal numbers; set 0 is the empty one.  There are few sets in a trace however
 * many events, so analyses can remember what they found out about a pair.
 *
 * A set is *effective after* an event: after an acquire its lock is in it, after
 * a release no more.  What is effective before an event is what was effective
 * after the one before it in its thread: before a release its lock is still
 * held.  For anything but acquires and releases that are not re-entrant the two
 * are the same, and are the locks held *at* the event.
 *
 * Event by event (online), a thread's set is carried along by
 * hd_order_sets_step.  For a trace in memory, hd_order_held has all of them:
 * building is linear in the events; a lookup bisects the changes of one thread,
 * a cursor that only goes forward takes constant time.  Memory: 8 bytes a
 * change.
 */
#ifndef HD_ORDER_HELD_H
#define HD_ORDER_HELD_H

#include "order_lists.h"

/* A lock and how it is held, in one number. */
typedef uint32_t hd_order_lock;

static inline hd_order_lock hd_order_lock_of(uint32_t lock, bool reading) {
    assert(lock <= UINT32_MAX >> 1);
    return lock << 1 | reading;
}

static inline uint32_t hd_order_lock_number(hd_order_lock lock) {
    return lock >> 1;
}

static inline bool hd_order_lock_reading(hd_order_lock lock) {
    return lock & 1;
}

/* Interned sets.  A zeroed one is not ready: set 0 is entered by init. */
typedef struct hd_order_sets {
    hd_vec_u32 locks; /* of all sets, each ascending */
    hd_vec_u32 start; /* set i is locks[start[i]] .. locks[start[i + 1] - 1] */
    hd_map by_hash;   /* hash of a set -> the newest such set + 1 */
    hd_vec_u32 older; /* [set]: another one of its hash + 1, 0 if none */
    hd_map steps;     /* (set, lock) -> the set with the lock put in, or taken out, + 1 */
} hd_order_sets;

typedef struct hd_order_set {
    const hd_order_lock *locks; /* ascending; valid until the next new set */
    uint32_t count;
} hd_order_set;

void hd_order_sets_init(hd_order_sets *sets);
void hd_order_sets_release(hd_order_sets *sets);

static inline uint32_t hd_order_sets_count(const hd_order_sets *sets) {
    return (uint32_t)sets->start.length - 1;
}

static inline hd_order_set hd_order_sets_at(const hd_order_sets *sets, uint32_t set) {
    assert(set < hd_order_sets_count(sets));
    uint32_t start = sets->start.data[set], count = sets->start.data[set + 1] - start;
    return (hd_order_set){count ? sets->locks.data + start : NULL, count};
}

/* The set after this event of a thread that held `set` before it.  Constant time
 * but for the first such step from this set. */
uint32_t hd_order_sets_step(hd_order_sets *sets, uint32_t set, const heddle_event *event);

/* Is the lock in the set, and how?  HD_ORDER_NONE if not, else as it is held. */
hd_order_lock hd_order_sets_find(const hd_order_sets *sets, uint32_t set, uint32_t lock);

/* Have they a lock in common, held in any way? */
bool hd_order_sets_meet(const hd_order_sets *sets, uint32_t a, uint32_t b);

/* Have they a lock in common that not both hold for reading?  Two threads with
 * such sets cannot be in one feasible state. */
bool hd_order_sets_conflict(const hd_order_sets *sets, uint32_t a, uint32_t b);

/* Adds the numbers of the locks in common to `to`; only those that conflict, if
 * asked. */
void hd_order_sets_common(const hd_order_sets *sets, uint32_t a, uint32_t b, bool conflicts_only,
                          hd_vec_u32 *to);

/* The sets of all events of a trace. */
typedef struct hd_order_held {
    const hd_trace *trace;
    hd_order_sets sets;
    hd_trace_lists changes; /* of each thread: the events after which its set is another */
    uint32_t *after;        /* [i]: the set after changes.items[i] */
} hd_order_held;

/* The second is false, with nothing to release, if the time is up before that: the sets of a thread
 * that nests n locks have n^2 locks together. */
void hd_order_held_build(hd_order_held *held, const hd_trace_index *index);
bool hd_order_held_build_in_time(hd_order_held *held, const hd_trace_index *index);
void hd_order_held_release(hd_order_held *held);

uint32_t hd_order_held_after(const hd_order_held *held, uint32_t event);
uint32_t hd_order_held_before(const hd_order_held *held, uint32_t event);

/* Along one thread: events of it, ascending, in steps of any size. */
typedef struct hd_order_held_cursor {
    const hd_order_held *held;
    uint32_t next, end; /* changes not yet passed */
    uint32_t set;
} hd_order_held_cursor;

void hd_order_held_start(hd_order_held_cursor *cursor, const hd_order_held *held, uint32_t thread);
uint32_t hd_order_held_walk(hd_order_held_cursor *cursor, uint32_t event); /* the set after it */

#endif
