/*
 * Exploring by reads-from: the events of all executions of a program, its *unfolding*, and what
 * can be done with them.
 *
 * An event is an operation of a thread with its past: the event before it in its thread, and for
 * each location that it reads the write that it reads from.  Two executions have the same event if
 * the thread has done the same before, and has read the same writes, which themselves are the same
 * events.  So the number of an event tells all of its causal past, and executions with the same
 * events are one *class*: in which order a lock was taken, or two writes that are not read came,
 * makes no difference.
 *
 *   (thread, parent, sources)   an event; `parent` is the event before it, or the thread's root
 *   [e]                         hd_unfold_past: of each thread the last event in e's causal past
 *   configuration X             one event of each thread, closed under parents and sources
 *   merge                       the smallest configuration that has two others; none if they
 *                               conflict: have different events of a thread after the same one
 *   OC(X)                       an order of X in which a lock that is held at the end of X counts
 *                               as released after its thread's last event (explore_unfold_order.c)
 *   R(X)                        the same with locks as they are: a real schedule
 *
 * Locations that are not memory (condition variables, flags) are treated as memory that is read and
 * written.  Locks are locks: no event knows in what order they were taken.
 */
#ifndef HD_EXPLORE_UNFOLD_H
#define HD_EXPLORE_UNFOLD_H

#include "explore_search.h"

/* An access of an event.  Writes are named by the number of their access, from 1 on; 0 is the
 * initial value. */
typedef struct hd_unfold_access {
    uint32_t location;
    uint32_t source; /* of a read: the write that it reads from */
    uint32_t number; /* of a known write: its place in the location's `writes`, from 1 on */
    uint32_t event;
    uint8_t mode;
} hd_unfold_access;

/* Numbers of events are from 1 on, 0: none.  The first ones are the roots of the threads. */
typedef struct hd_unfold_event {
    uint32_t thread, parent, depth;
    uint32_t jump; /* an earlier event of the thread, far enough to find any in few jumps */
    uint32_t choice, choices;
    uint32_t accesses, count; /* in unfold->accesses */
    uint64_t wrote;           /* up to here in its thread: bit (location % 64) */
    uint32_t child, sibling;  /* events after it in its thread; the next one after its parent */
    uint32_t blocked;         /* of the operation after it: the first entry of unfold->blocked */
    uint32_t holds, held;     /* locks after it, in unfold->holds, and how many */
    uint64_t print;           /* hd_machine_type.print; 0: none */
    uint32_t position;        /* of the operation, */
    uint8_t memory;           /* and what it is: as in hd_machine_operation */
    bool fails;               /* the execution ends with it, whatever others would do */

    /* The operation after it, once an execution came there. */
    bool described;
    bool over, cut; /* there is none; the thread has taken all the steps that it may */
    bool varies;
    bool may_end;         /* it may end the execution (`fails`) */
    bool dirty;           /* there may be more sources for what it reads */
    uint32_t lock;        /* that it takes; HD_EXPLORE_NONE: none */
    uint32_t reads;       /* locations: the first entry of unfold->reads; NONE: none */
    uint32_t known_reads; /* how many */
} hd_unfold_event;

/* A location that the operation after an event reads with some sources. */
typedef struct hd_unfold_read {
    uint32_t event, location;
    uint32_t tried; /* sources that were combined with the others: the initial value and the first
                       writes */
    uint32_t next;
    bool listed; /* in the location's `readers` */
} hd_unfold_read;

/* Sources with which the operation after an event waits. */
typedef struct hd_unfold_blocked {
    uint32_t accesses, count;
    uint32_t next;
} hd_unfold_blocked;

typedef struct hd_unfold_place {
    bool read;          /* of a lock: its order matters, as others read it */
    hd_vec_u32 writes;  /* known ones: numbers of accesses */
    uint64_t writers;   /* their threads: bit (thread % 64) */
    hd_vec_u32 readers; /* reads of it, in unfold->reads, that have been combined with all writes */
} hd_unfold_place;

typedef struct hd_unfold_want {
    uint32_t location, source;
} hd_unfold_want;

/* Something to be tried: that the operation after an event reads these writes. */
typedef struct hd_unfold_candidate {
    uint32_t event, choice;
    uint32_t wants, count; /* in unfold->wants */
    uint32_t tried;        /* events that were known when it was last searched for */
} hd_unfold_candidate;

/* What a step did, as far as its operation does not say it. */
typedef struct hd_unfold_seen {
    enum hd_machine_result result;
    uint64_t print; /* hd_machine_type.print */
    bool ends;      /* its operation said before that it ends all threads; */
    bool over;      /* it did */

    uint32_t event; /* of a blind run: known then, and it did the same again; 0: none */
} hd_unfold_seen;

/* What a blind run shows that was not known: a step, or what a thread came to do.  Numbers of
 * events and of accesses with the bit HD_UNFOLD_NEW are those of new ones: number of the step in
 * the run, number in `written`. */
typedef struct hd_unfold_entry {
    uint32_t step; /* it is, or that led there */
    uint32_t at;   /* the last event of its thread before the operation */
    uint32_t operation;
    uint32_t sources; /* the first of them: the last writes of what it accesses, one an access */
    bool taken;       /* it is a step */
} hd_unfold_entry;

#define HD_UNFOLD_NEW (UINT32_C(1) << 31)

/* A write of a step that was not known. */
typedef struct hd_unfold_written {
    uint32_t step, number; /* of its accesses */
} hd_unfold_written;

typedef HD_VEC(hd_unfold_entry) hd_unfold_entries;
typedef HD_VEC(hd_unfold_written) hd_unfold_writes;

/* What is to be entered of a blind run. */
typedef struct hd_unfold_record {
    hd_unfold_entries entries;
    HD_VEC(hd_explore_operation) operations; /* one an entry, */
    HD_VEC(hd_unfold_seen) seen;             /* and what it did if it is a step, */
    hd_vec_u32 choices;                      /* in which way */
    HD_VEC(hd_machine_access) accesses;
    hd_vec_u32 sources;
    hd_unfold_writes written;
    hd_vec_u32 events;  /* of all steps; 0: not known */
    hd_vec_u32 at;      /* at the end, of each thread its last event; of classes none */
    hd_step last;       /* step */
    uint32_t locations; /* of the machine */
    bool ended;         /* it was not cut off */
    bool retries;       /* hd_machine_retries at its end */
} hd_unfold_record;

/* ---- Orders of a configuration (explore_unfold_order.c) ---- */

typedef struct hd_unfold_goal {
    const uint32_t *targets;     /* of each thread the last event that must be in; a FROZEN thread
                                    never goes on, and keeps its locks */
    const hd_unfold_want *wants; /* last writes at the end */
    uint32_t want_count;
    uint32_t lock;       /* that is free at the end; HD_EXPLORE_NONE: none */
    uint32_t parked;     /* thread that takes no more steps than it must, and keeps its locks;
                            HD_EXPLORE_NONE: none */
    uint32_t parked_too; /* another one, + 1; 0: none */
    bool optimistic;     /* locks count as released after the last event of a thread, if it does not
                            keep them */
    bool beyond;         /* threads may go on by any known event */
    bool stuck;          /* at the end every frozen thread waits, */
    bool parks;          /* or is before an operation that may end the execution */
} hd_unfold_goal;

#define HD_UNFOLD_FROZEN (UINT32_C(1) << 31)

typedef struct hd_unfold_frame {
    uint32_t moves, next; /* in order->moves */
    uint32_t undo;        /* in order->undo, before the event that led here */
} hd_unfold_frame;

typedef struct hd_unfold_undo {
    uint32_t *cell;
    uint32_t old;
} hd_unfold_undo;

/* An access of an event that must be in. */
typedef struct hd_unfold_use {
    uint32_t place; /* of the event, in order->paths */
    uint32_t access;
    uint32_t next; /* of the location, from 1 on; 0: none */
} hd_unfold_use;

typedef struct hd_unfold_order {
    hd_unfold_goal goal;
    hd_vec_u32 paths;  /* the events that must be in, thread by thread */
    hd_vec_u32 begins; /* of each thread, in `paths`, */
    hd_vec_u32 wanted; /* and how many */
    hd_vec_u32 before; /* of each of them, how many of each thread must come before it */
    hd_vec_u32 first_use;
    HD_VEC(hd_unfold_use) uses;
    uint32_t left;            /* of them */
    hd_vec_u32 at;            /* of each thread the last event that was taken, */
    hd_vec_u32 depth;         /* and how many were */
    hd_vec_u32 last;          /* of each location the last write */
    hd_vec_u32 owner;         /* of each lock its holder + 1 */
    hd_vec_u32 pending;       /* of each write, the events of `paths` that still have to read it */
    hd_vec_u32 pending_first; /* of each location, those that have to read its initial value */
    hd_vec_u32 taken;         /* events, in order */
    hd_vec_u32 moves;
    HD_VEC(hd_unfold_frame) frames;
    HD_VEC(hd_unfold_undo) undo;
    bool locks; /* some event of `paths` takes one */
    bool begun;
    bool forced; /* `before` is known */

    /* States from which the goal is not reached. */
    hd_vec_u32 failed; /* their keys, one after the other */
    hd_vec_u32 slots;  /* number of a key + 1; a power of two of them */
    uint32_t failures, key;
    hd_vec_u32 scratch;
} hd_unfold_order;

typedef struct hd_unfold {
    /* What is known.  Workers share it: only one changes it, while the others do not look. */
    uint32_t threads, locations;
    bool classes;   /* each class once */
    bool saturated; /* all events are known */
    HD_VEC(hd_unfold_event) events;
    HD_VEC(hd_unfold_access) accesses;
    HD_VEC(hd_unfold_read) reads;
    HD_VEC(hd_unfold_blocked) blocked;
    hd_vec_u32 pasts; /* of each event, one number a thread */
    hd_vec_u32 holds;
    hd_vec_u32 written; /* locations that known events write */
    hd_unfold_place *places;
    hd_map interned; /* events by hash */
    hd_map stuck;    /* configurations in which runs ended with threads that wait, by hash */

    /* A worker's own, from here on. */
    hd_explore_search *search;
    struct hd_unfold_crew *crew; /* of which it is a worker; NULL: it works alone */
    double overdue;              /* since when its slice has been over; 0: it is not */
    bool blind; /* what its runs show is not entered, but by who leads the workers */

    /* The current run. */
    hd_vec_u32 run;  /* events */
    hd_vec_u32 at;   /* of each thread its last event */
    hd_vec_u32 last; /* of each location the last write */
    HD_VEC(hd_unfold_want) overwritten;
    hd_vec_u32 marks;            /* of each event of the run: length of `overwritten` before it */
    HD_VEC(hd_unfold_seen) seen; /* of each step, of a blind run; */
    hd_unfold_entries entries;   /* what it shows; */
    hd_vec_u32 shown;            /* their sources; */
    hd_unfold_writes fresh;      /* writes of events that are not known */

    hd_vec_u32 dirty; /* events whose sources must be combined again */
    HD_VEC(hd_unfold_want) wants;
    HD_VEC(hd_unfold_candidate) agenda, postponed;
    size_t done; /* of the agenda */
    hd_unfold_order order;
    hd_vec_u32 plan;    /* scratch: a schedule that was found, as events */
    hd_vec_u32 targets; /* scratch: a configuration */
    hd_vec_u32 sources; /* scratch */
    hd_vec_u32 next;    /* scratch: events of a record, or of threads */
    uint32_t asked;     /* how often a short loop was, which reads the time once in a while */
} hd_unfold;

/* The slice is over since a while: if it cannot pause for long, the search ends. */
void hd_explore_unfold_overdue(hd_unfold *u);

static inline hd_unfold_event *hd_unfold_at(const hd_unfold *u, uint32_t event) {
    assert(event > 0 && event < u->events.length);
    return &u->events.data[event];
}

static inline uint32_t *hd_unfold_past(const hd_unfold *u, uint32_t event) {
    return u->pasts.data + (size_t)event * u->threads;
}

/* Is there no time left?  With many events a step of any search takes long, and the time is read at
 * every eighth.  A search by slices that cannot pause where it is ends if its slice is long over.
 */
static inline bool hd_unfold_is_over(hd_unfold *u) {
    enum { MANY = 1 << 12, OFTEN = 8 };
    if (u->events.length > MANY && u->search->until_clock > OFTEN)
        u->search->until_clock = OFTEN;
    u->search->effort++;
    hd_explore_look_at_clock(u->search);
    if (u->search->pause_at == 1)
        hd_explore_unfold_overdue(u);
    return u->search->stop;
}

/* The same, for a loop whose rounds are short. */
static inline bool hd_unfold_is_over_soon(hd_unfold *u) {
    enum { OFTEN = 1 << 8, OF_EFFORT = 16 };
    if (++u->asked % OFTEN)
        return u->search->stop;
    u->search->effort += OFTEN / OF_EFFORT;
    return hd_unfold_is_over(u);
}

/* What an access is to this search: a lock that others read is memory. */
static inline uint8_t hd_unfold_mode(const hd_unfold *u, const hd_machine_access *access) {
    uint8_t mode = access->mode;
    if (u->places[access->location].read && mode & (HD_MACHINE_ACQUIRE | HD_MACHINE_RELEASE))
        return HD_MACHINE_READ | HD_MACHINE_WRITE;
    return mode;
}

/* Does the operation wait for a lock? */
static inline bool hd_unfold_locks(const hd_unfold *u, const hd_explore_operation *operation,
                                   const hd_machine_access *accesses) {
    for (uint32_t i = 0; i < operation->count; i++)
        if (hd_unfold_mode(u, &accesses[i]) & HD_MACHINE_ACQUIRE)
            return true;
    return false;
}

/* ---- Events (explore_unfold_events.c) ---- */

void hd_explore_unfold_init(hd_unfold *u, hd_explore_search *search);
void hd_explore_unfold_release(hd_unfold *u);

/* Makes room for so many locations. */
void hd_explore_unfold_grow(hd_unfold *u, uint32_t to);

/* The event of a thread that is at `parent` and takes an operation, whose reads have the last
 * writes of the current run as sources; *added if it was not known.  Its writes are not known
 * before it is entered. */
uint32_t hd_explore_unfold_intern(hd_unfold *u, uint32_t parent,
                                  const hd_explore_operation *operation,
                                  const hd_machine_access *accesses, uint32_t choice, bool *added);
void hd_explore_unfold_enter(hd_unfold *u, uint32_t event);

/* The same event if it is known, and changes nothing; 0: it is not.  Sources that are HD_UNFOLD_NEW
 * are none that are known. */
uint32_t hd_explore_unfold_known(hd_unfold *u, uint32_t parent,
                                 const hd_explore_operation *operation,
                                 const hd_machine_access *accesses, uint32_t choice);

/* The operation after an event, as it is in the present state of the run. */
void hd_explore_unfold_describe(hd_unfold *u, uint32_t event, const hd_explore_operation *operation,
                                const hd_machine_access *accesses);

/* It waits with the last writes as sources. */
void hd_explore_unfold_note_blocked(hd_unfold *u, uint32_t event,
                                    const hd_explore_operation *operation,
                                    const hd_machine_access *accesses);

/* Is it known what the operation after an event does with these sources?  They are those of all its
 * known reads.  With a choice other than 0: does it with that one? */
bool hd_explore_unfold_knows(const hd_unfold *u, uint32_t event, const hd_unfold_want *wants,
                             uint32_t count, uint32_t choice);

/* Does it wait with the last writes? */
bool hd_explore_unfold_waits(const hd_unfold *u, uint32_t event, const uint32_t *last);

/* Is an event before another one of its thread, or the same? */
bool hd_explore_unfold_is_before(const hd_unfold *u, uint32_t event, uint32_t other);

/* Adds the past of an event to a configuration; false if they conflict, or if the event needs
 * a frozen thread to go on. */
bool hd_explore_unfold_merge(const hd_unfold *u, uint32_t *configuration, uint32_t event);

/* A worker's own: without a run, at first; knows what is known now; and is done. */
void hd_explore_unfold_join(hd_unfold *u, const hd_unfold *of, hd_explore_search *search);
void hd_explore_unfold_see(hd_unfold *u, const hd_unfold *of);
void hd_explore_unfold_leave(hd_unfold *u);

/* ---- Orders ---- */

/* The first order that reaches the goal, in order->taken; then the next one that ends with other
 * last writes.  False: there is none, or the search was stopped. */
bool hd_explore_unfold_order_first(hd_unfold *u, const hd_unfold_goal *goal);
bool hd_explore_unfold_order_next(hd_unfold *u);

/* What must come before what, in order->before; false if there is no order
 * (explore_unfold_force.c). */
bool hd_explore_unfold_force(hd_unfold *u);

/* Only then another search may begin. */
void hd_explore_unfold_order_end(hd_unfold *u);
void hd_explore_unfold_order_release(hd_unfold_order *order);

/* ---- Runs (explore_unfold_run.c) ---- */

/* Runs the machine along events, from its first state; `first` is the thread that comes then, or
 * NONE.  False if it did not follow them. */
bool hd_explore_unfold_run_along(hd_unfold *u, const uint32_t *events, size_t count,
                                 uint32_t first);

/* Then a thread first, unless it is NONE, and the others until no thread goes on. */
void hd_explore_unfold_run_on(hd_unfold *u, uint32_t thread, uint32_t choice);
void hd_explore_unfold_run_back(hd_unfold *u, size_t length);

/* The hash of a configuration. */
uint64_t hd_explore_unfold_hash(const hd_unfold *u, const uint32_t *configuration);

/* If it is due.  How much is left is not known. */
void hd_explore_unfold_report(hd_unfold *u);

/* One more step of the run; false if the execution ended with it, or the machine did not follow. */
bool hd_explore_unfold_run_step(hd_unfold *u, uint32_t thread);

/* The same two together, along u->plan, of a worker who does not lead: into the record goes what
 * will be known.  False if the search is over.  And enters it, by who leads. */
bool hd_explore_unfold_run_blindly(hd_unfold *u, uint32_t thread, uint32_t choice,
                                   hd_unfold_record *record);
void hd_explore_unfold_enter_record(hd_unfold *u, const hd_unfold_record *record);
void hd_explore_unfold_record_release(hd_unfold_record *record);

/* ---- Data races: all pairs of known accesses that can be next at the same time
 * (explore_unfold_races.c) ---- */

void hd_explore_unfold_races(hd_unfold *u);

/* Two accesses that can be next after a plan. */
typedef struct hd_unfold_meeting {
    uint32_t row, column; /* of the table of pairs */
    hd_vec_u32 plan;
} hd_unfold_meeting;

typedef HD_VEC(hd_unfold_meeting) hd_unfold_meetings;
typedef struct hd_unfold_races hd_unfold_races;

/* Looks through a row of the table: one pair of accesses for each pair of places of which none was
 * found before. */
void hd_explore_unfold_races_row(hd_unfold *u, const hd_unfold_races *races, uint32_t row,
                                 hd_unfold_meetings *to);

/* A schedule that leads to a goal, in unfold->plan: with what is needed, or with any known events;
 * and what can be said if there is none (explore_unfold.c). */
enum hd_unfold_found { HD_UNFOLD_FOUND, HD_UNFOLD_NOT_YET, HD_UNFOLD_NEVER };
enum hd_unfold_found hd_explore_unfold_find(hd_unfold *u, hd_unfold_goal goal);

/* The same for a candidate; NEVER, too, if it is known. */
enum hd_unfold_found hd_explore_unfold_try(hd_unfold *u, const hd_unfold_candidate *candidate,
                                           const hd_unfold_want *wants);

/* For qsort, of numbers of events or writes. */
static inline int hd_unfold_by_number(const void *a, const void *b) {
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

/* Puts on the agenda all that the operation after an event could read and that was not tried; and
 * then notes that. */
void hd_explore_unfold_combine(hd_unfold *u, uint32_t event);
void hd_explore_unfold_combined(hd_unfold *u, uint32_t event);

/* ---- Classes, and states in which no thread goes on (explore_unfold_tree.c) ---- */

void hd_explore_unfold_tree(hd_unfold *u);

/* Of each lock, or event. */
typedef struct hd_unfold_waits {
    uint8_t *may_wait; /* some thread may have the lock for ever */
    uint8_t *freezes;  /* the thread may be frozen after the event, */
    uint8_t *leads;    /* or later */
} hd_unfold_waits;

/* What is left of a node: the next event of a thread, and whether it freezes. */
typedef struct hd_unfold_part {
    uint32_t thread, child;
    bool freezes;
    uint32_t configuration[];
} hd_unfold_part;

void hd_explore_unfold_tree_part(hd_unfold *u, const hd_unfold_waits *waits,
                                 const hd_unfold_part *part);
void hd_explore_unfold_waits_release(hd_unfold_waits *waits);

/* ---- Several workers (explore_unfold_crew.c) ---- */

/* All of the search; one of the workers leads. */
void hd_explore_unfold_crew(hd_explore_search *search, hd_unfold *u);
void hd_explore_unfold_lead(hd_unfold *u);

/* By who leads, with the help of the others: candidates of the agenda; events that are dirty. */
void hd_explore_unfold_crew_try(hd_unfold *u);
void hd_explore_unfold_crew_combine(hd_unfold *u);

/* The same for rows of the table of races from one on, until some race is found: returns the first
 * row that is left. */
uint32_t hd_explore_unfold_crew_races(hd_unfold *u, const hd_unfold_races *races, uint32_t from,
                                      uint32_t rows, hd_unfold_meetings *to);

/* Before the tree; and a part of it for others, to be freed by them. */
hd_unfold_waits *hd_explore_unfold_crew_waits(hd_unfold *u);
void hd_explore_unfold_crew_give(hd_unfold *u, hd_unfold_part *part);

#endif
