/*
 * The execution being explored: its events with their accesses and vector
 * clocks, kept in step with the machine, and for each event the earlier ones
 * that it is in a reversible race with.
 *
 * Races are found through the last accesses of each location, never by scanning
 * the execution: an event's immediate predecessors are among them.
 *
 *   paper (Abdulla et al.)   here
 *   E                        path->events[0 .. length)
 *   e ->_E e'                hd_explore_before
 *   e <~_E e'                races of e' (hd_explore_races_of)
 *   notdep(e, E).p           hd_explore_reversal
 *
 * Locks: an acquire is ordered behind the last release of its lock, but races
 * with the last acquire; a release is never the second half of a race.
 */
#ifndef HD_EXPLORE_PATH_H
#define HD_EXPLORE_PATH_H

#include "explore.h"

typedef struct hd_explore_event {
    uint32_t thread;
    uint32_t choice, choices;
    uint32_t sequence; /* in its thread, from 1 on */
    uint32_t accesses; /* start in path->accesses */
    uint32_t access_count;
    uint32_t undo;  /* start in path->undo */
    uint32_t races; /* start in path->races */
    uint32_t race_count;
    bool awaits, varies;
} hd_explore_event;

/* The tables of last accesses, and an entry that an event overwrote. */
enum { HD_EXPLORE_WRITES, HD_EXPLORE_ACQUIRES, HD_EXPLORE_READS, HD_EXPLORE_EVENTS };

typedef struct hd_explore_undo {
    uint32_t table;
    uint32_t value;
    size_t index;
} hd_explore_undo;

typedef struct hd_explore_path {
    hd_machine *machine;
    hd_explore_result *result;
    uint32_t threads;

    HD_VEC(hd_explore_event) events;
    HD_VEC(hd_machine_access) accesses;
    hd_vec_u32 races;        /* event indices */
    hd_vec_u32 direct;       /* of the operation in hand: what it directly depends on, */
    hd_vec_u32 rivals;       /* and what of that can be a race */
    HD_VEC(uint32_t) clocks; /* threads entries an event: events of each thread before it */
    HD_VEC(hd_explore_undo) undo;

    /* Tables: event index + 1, 0 if none. */
    uint32_t locations;     /* that the tables have room for */
    uint32_t *last_write;   /* [location]; of a lock: its last acquire or release */
    uint32_t *last_acquire; /* [location] */
    uint32_t *last_read;    /* [location * threads + thread] */
    uint32_t last_event[HD_EXPLORE_MAX_THREADS]; /* [thread] */
} hd_explore_path;

void hd_explore_path_init(hd_explore_path *path, hd_machine *machine, hd_explore_result *result);
void hd_explore_path_release(hd_explore_path *path);

/* Takes the thread's next operation, which must be enabled. */
enum hd_machine_result hd_explore_push(hd_explore_path *path, uint32_t thread, uint32_t choice);
void hd_explore_pop(hd_explore_path *path);

/* The events that a pending operation of the thread races with if it cannot be
 * taken (blocked threads at the end of a run); appended to `races`. */
void hd_explore_pending_races(hd_explore_path *path, uint32_t thread,
                              const hd_machine_operation *operation, hd_vec_u32 *races);

static inline const uint32_t *hd_explore_clock(const hd_explore_path *path, uint32_t event) {
    return path->clocks.data + (size_t)event * path->threads;
}

/* Is event a before or equal to event b in the happens-before order? */
static inline bool hd_explore_before(const hd_explore_path *path, uint32_t a, uint32_t b) {
    const hd_explore_event *first = &path->events.data[a];
    return hd_explore_clock(path, b)[first->thread] >= first->sequence;
}

#endif
