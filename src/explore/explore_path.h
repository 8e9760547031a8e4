/*
 * The execution being explored: its events with their vector clocks and races,
 * and the next operation of every thread after it, all kept in step with the
 * machine and taken back with it.
 *
 * Nothing is found by scanning.  The direct predecessors of an event are among
 * the last accesses of its locations; the races are those of them that no later
 * one is after.  The next operations that a step meets are looked up by
 * location too; only these can change by it, so only these are asked for again.
 *
 *   paper (Abdulla et al.)   here
 *   E                        path->events[0 .. length)
 *   e ->_E e'                hd_explore_before
 *   e <~_E e'                races of e' (hd_explore_race)
 *   I_[E'](notdep(e, E))     hd_explore_initials: an event can begin v, the rest
 *                            without e, if no event from e on is before it; so one
 *                            number an event, `latest_before`, decides it
 *
 * A step that fails ends the execution, so it depends on everything before it.
 *
 * Locks: an acquire is ordered after the last release of its lock, but races
 * with the last acquire; a release is never the second half of a race, but with a
 * try that found the lock taken.
 */
#ifndef HD_EXPLORE_PATH_H
#define HD_EXPLORE_PATH_H

#include "explore.h"
#include "explore_set.h"

#define HD_EXPLORE_BIT(thread) hd_explore_set_of(thread)

/* No such number, where numbers start from 0. */
#define HD_EXPLORE_NONE UINT32_MAX

/* What a thread would do next, from some length of the path on. */
typedef struct hd_explore_operation {
    uint64_t reads, writes;      /* signatures of its locations: bit (location % 64) */
    hd_explore_set ended_before; /* threads that are in no race with it */
    uint32_t accesses;           /* start in path->accesses */
    uint32_t count;
    uint32_t choices;
    uint32_t before;   /* the thread's operation until then */
    uint32_t interned; /* number that a search gave it, 0: none yet */
    uint32_t thread;
    bool runs, enabled;
    bool awaits, varies, joins;
    bool acquires;
    bool ends, idle, yields;
    bool held; /* it could be taken, but waits for another thread's milestone */
    bool cut;  /* it could be taken, but the thread has taken as many as it may */
    uint8_t memory, order;
    bool updates, fence, fails;
    uint32_t position;
} hd_explore_operation;

/* An earlier event that one is in a reversible race with. */
typedef struct hd_explore_race {
    uint32_t event;
    uint32_t others; /* number (from 1) of the latest event that is directly before the
                        second half of the race, and not after the first */
    bool of_failure; /* only because the second half fails */
    bool fixed;      /* the second half had to wait for the first: it cannot be reversed */
} hd_explore_race;

/* Numbers of events are from 1 on here, 0: none. */
typedef struct hd_explore_event {
    uint32_t thread;
    uint32_t choice;
    uint32_t sequence;               /* in its thread, from 1 on */
    uint32_t previous;               /* number of its thread's event before it */
    uint32_t operation;              /* in path->operations */
    uint32_t operations;             /* how many there were before it was taken */
    uint32_t accesses;               /* the same of path->accesses, */
    uint32_t undo;                   /* of path->undo, */
    uint32_t races, race_count;      /* and of path->races */
    uint32_t section;                /* that it belongs to, 0: none */
    uint32_t learnt;                 /* what the thread has done after it (explore_learnt.h) */
    hd_explore_set enabled, running; /* threads, before it */
    hd_explore_set cut;              /* likewise */
} hd_explore_event;

/* What an event overwrote at a location. */
typedef struct hd_explore_undo {
    uint32_t location;
    uint8_t mode; /* what was done there; ACQUIRE: last_acquire was overwritten */
    uint32_t old;
    hd_explore_set readers;
} hd_explore_undo;

/* The accesses of a location so far and to come.  Events by number. */
typedef struct hd_explore_place {
    uint32_t last_write;        /* of a lock: its last acquire or release */
    uint32_t last_acquire;      /* of a lock */
    hd_explore_set readers;     /* threads that read since the last write */
    hd_explore_set next_reads;  /* threads whose next operation reads it, */
    hd_explore_set next_writes; /* or writes it */
} hd_explore_place;

/* Of a section that is being made (explore_section.c): which of its operations only read a
 * location, and which write it. */
typedef struct hd_explore_meeting {
    uint64_t reads, writes;
} hd_explore_meeting;

typedef struct hd_explore_path {
    hd_machine *machine;
    hd_explore_result *result;
    hd_explore_collide *collide;      /* may be NULL */
    void *context;                    /* of it */
    struct hd_explore_learnt *learnt; /* what threads did so far; NULL: that is not needed */
    struct hd_explore_symmetry
        *symmetry;            /* threads that are interchangeable; NULL: that does not matter */
    uint32_t tokens;          /* locations before the machine's (explore_symmetry.h) */
    uint32_t threads, stride; /* entries of a clock, rounded up */

    HD_VEC(hd_explore_event) events;
    hd_vec_u32 latest_before; /* of each event: number of the latest event before it in the order */
    HD_VEC(int32_t) clocks;
    HD_VEC(hd_explore_race) races;
    HD_VEC(hd_explore_undo) undo;
    HD_VEC(hd_explore_operation) operations;
    HD_VEC(hd_machine_access) accesses;
    hd_machine_operation found; /* scratch: what the machine says */
    hd_vec_u32 direct;          /* scratch: numbers of the direct predecessors, latest first */

    hd_explore_set enabled;
    hd_explore_set running; /* and those that wait */
    hd_explore_set cut;     /* threads that have taken `most` steps */
    uint64_t most;          /* 0: there is no limit */
    uint32_t weaker;  /* events that ask for less than sequential consistency, or are attempts to
                         lock that failed */
    uint32_t plain;   /* events that are plain accesses */
    uint32_t shown;   /* events that are the same as when the search last showed an execution */
    bool hangs_alone; /* a step that hangs is a step like others, and not after all of them */
    uint32_t next[HD_EXPLORE_SET_THREADS];       /* operation of each thread */
    uint32_t last_event[HD_EXPLORE_SET_THREADS]; /* number */
    uint32_t locations;                          /* that there is room for */
    hd_explore_meeting *meetings; /* of locations; all empty but while a section is made */
    hd_vec_u32 met;               /* locations whose meetings are not */
    hd_explore_place *places;
    uint32_t *last_read; /* [location * threads + thread] */
} hd_explore_path;

/* The machine must be in its first state. */
void hd_explore_path_init(hd_explore_path *path, hd_machine *machine, hd_explore_result *result);
void hd_explore_path_release(hd_explore_path *path);

/* Without events: asks for the next operation of each thread anew. */
void hd_explore_path_renew(hd_explore_path *path);

/* Which of some threads goes on first: the lowest one that does not yield, or if all do the one
 * that has waited longest. */
uint32_t hd_explore_foremost(const hd_explore_path *path, hd_explore_set threads);

/* Takes the thread's next operation, which must be enabled. */
enum hd_machine_result hd_explore_push(hd_explore_path *path, uint32_t thread, uint32_t choice);
void hd_explore_pop(hd_explore_path *path);

/* Appends to path->races those that the blocked operation of a thread would have
 * if it came next, and returns where they start. */
uint32_t hd_explore_pending_races(hd_explore_path *path, uint32_t thread);

/* Threads whose next operation depends on that of `thread`, itself aside. */
hd_explore_set hd_explore_meets(const hd_explore_path *path, uint32_t thread);

/* The operation that the thread has in the machine's present state, which need not
 * be that at the end of the path; its accesses are appended to path->accesses.
 * False if it is not enabled. */
bool hd_explore_evaluate(hd_explore_path *path, uint32_t thread, hd_explore_operation *operation);

/* The operation of a thread as it was before an event. */
uint32_t hd_explore_operation_at(const hd_explore_path *path, uint32_t thread, uint32_t event);

/* Are two operations of different threads dependent?  Not counted. */
bool hd_explore_dependent_exactly(const hd_explore_path *path, const hd_explore_operation *a,
                                  const hd_explore_operation *b);

static inline bool hd_explore_dependent(const hd_explore_path *path, const hd_explore_operation *a,
                                        const hd_explore_operation *b) {
    if (!((a->writes & (b->reads | b->writes)) | (a->reads & b->writes)))
        return false;
    return path->machine->locations + path->tokens <= 64 ||
           hd_explore_dependent_exactly(path, a, b);
}

static inline const int32_t *hd_explore_clock(const hd_explore_path *path, uint32_t event) {
    assert(event < path->events.length);
    return path->clocks.data + (size_t)event * path->stride;
}

/* Is event a before or equal to event b in the happens-before order? */
static inline bool hd_explore_before(const hd_explore_path *path, uint32_t a, uint32_t b) {
    const hd_explore_event *first = &path->events.data[a];
    bool before = hd_explore_clock(path, b)[first->thread] >= (int32_t)first->sequence;
    assert(!before || a <= b);
    return before;
}

static inline const hd_explore_operation *hd_explore_next(const hd_explore_path *path,
                                                          uint32_t thread) {
    return &path->operations.data[path->next[thread]];
}

static inline const hd_explore_operation *hd_explore_taken(const hd_explore_path *path,
                                                           uint32_t event) {
    return &path->operations.data[path->events.data[event].operation];
}

/* Threads that can begin what is left of the path from event `at` on without that
 * event and without one more, `but` (the path's length: none); not all of them if one of
 * those that are `known` is among them. */
static inline hd_explore_set hd_explore_initials(const hd_explore_path *path, uint32_t at,
                                                 uint32_t but, hd_explore_set known) {
    hd_explore_set initials = HD_EXPLORE_NO_THREADS;
    const uint32_t *latest = path->latest_before.data;
    uint32_t length = (uint32_t)path->events.length;
    for (uint32_t k = at + 1; k < length && !hd_explore_set_any(initials & known); k++)
        if (latest[k] <= at && k != but)
            initials |= HD_EXPLORE_BIT(path->events.data[k].thread);
    /* All later events of its own thread depend on the event that is left out. */
    assert(!hd_explore_set_has(initials, path->events.data[at].thread));
    return initials;
}

/* Reports the data races of the last event (explore_collision.c). */
void hd_explore_report_collisions(hd_explore_path *path);

#endif
