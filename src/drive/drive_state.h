/*
 * What the stages share.  Private to drive.
 */
#ifndef HD_DRIVE_STATE_H
#define HD_DRIVE_STATE_H

#include "drive.h"
#include "native/native.h"
#include "race/race.h"

/* One run, and its trace. */
typedef struct hd_drive_run {
    uint64_t seed;
    hd_steps steps;
    hd_trace trace;
    bool indexed; /* the two below are of the trace */
    hd_trace_index index;
    hd_order_must must;
    hd_vec_u32 step_of;                   /* [event - 1]: its step, from 0 on */
    hd_vec_u32 thread_of;                 /* [thread of the trace]: of the machine */
    hd_vec_u32 own[HEDDLE_WIRE_EXPLORED]; /* steps of each thread */
} hd_drive_run;

enum hd_drive_verdict {
    HD_DRIVE_PROVED = 1,
    HD_DRIVE_REFUTED,  /* the search ended */
    HD_DRIVE_UNDECIDED /* a limit was there first */
};

/* A pair of places that was searched. */
typedef struct hd_drive_state {
    uint64_t pair;
    char *variable;
    enum hd_drive_verdict verdict;
    uint32_t asked;     /* runs in which it was searched */
    uint32_t undecided; /* those in which a limit ended that */
} hd_drive_state;

typedef struct hd_driver {
    hd_machine *machine;
    const hd_drive_options *options;
    hd_drive_result *result;
    uint32_t round; /* how often all was begun again */
    bool enough;    /* who is told of findings wants no more */
    hd_drive_run run;
    hd_names places;
    hd_map position_places; /* position in the code -> place */
    hd_map proved;          /* pairs of places, or fingerprints of deadlocks */
    hd_map passed; /* pairs of places of races that are suppressed, and with the variable */
    bool dropped;  /* the race that was tried last is one */
    HD_VEC(hd_drive_state) warnings;
    hd_map asked; /* pair of places -> one of these */
    hd_map met;   /* places that followed each other at a variable */
    size_t found_before;
    uint32_t quiet; /* runs since one showed something new */
    double started;
    bool first_look;    /* the first runs are looked at, and nothing is searched yet */
    uint64_t looked_at; /* runs of which that was done */
    bool open;          /* for deadlocks: there are cycles that the solver does not show */
    bool all_seen;      /* the search of all schedules came to its end */
    bool rest_searched; /* it was made with its own limits */
    hd_error *error;
} hd_driver;

/* Of a pair of places. */
static inline uint64_t hd_drive_pair(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

uint32_t hd_drive_place(hd_driver *driver, const char *text);
uint32_t hd_drive_place_of(hd_driver *driver, uint32_t position); /* in the code */

/* Is the machine no longer what it was?  Then all is begun again.  Or is there no time left? */
static inline bool hd_drive_over(const hd_driver *driver) {
    return hd_native_machine_changed(driver->machine) ||
           hd_native_machine_broken(driver->machine) != NULL || driver->enough ||
           hd_clock_look() != HD_CLOCK_GOES;
}

/* Tells the last one that was found, if the program is still what was searched. */
void hd_drive_tell(hd_driver *driver);

/* Adds the time since *since to a stage, and sets it to now. */
void hd_drive_spent(hd_driver *driver, enum hd_drive_stage stage, double *since);

/* What a search may take now, 0 if that is not limited; false if no time is left for one. */
bool hd_drive_seconds(hd_driver *driver, double *seconds);

/* Runs `body` for each seed, from a run of that seed, again from the first one when the
 * machine turns out to be another; then hd_drive_whole.  P1 and P3: what was found is run again, in
 * processes that had no part in finding it. */
bool hd_drive_seeds(hd_driver *driver, void (*body)(hd_driver *driver), bool deadlocks);

/* Leaves the machine in its first state. */
void hd_drive_release(hd_driver *driver);

/* ---- Runs ---- */

bool hd_drive_run_make(hd_driver *driver, uint64_t seed);

/* Keeps what the last run was stopped for, if it was. */
void hd_drive_note_fault(hd_driver *driver);
void hd_drive_run_index(hd_drive_run *run); /* once the trace is what it is to be */
void hd_drive_run_release(hd_drive_run *run);

/* Events of the run's trace, in another order, as steps: each with the steps of its thread
 * that leave no event before it, and a join with the end of the thread joined. */
typedef struct hd_drive_way_there {
    const hd_drive_run *run;
    uint32_t taken[HEDDLE_WIRE_EXPLORED];
    hd_steps *steps;
} hd_drive_way_there;

void hd_drive_go(hd_drive_way_there *way, uint32_t event);
/* Up to the event, which is next then. */
void hd_drive_go_before(hd_drive_way_there *way, uint32_t event);

static inline uint32_t hd_drive_thread(const hd_drive_run *run, uint32_t event) {
    return run->thread_of.data[hd_trace_event(&run->trace, event)->thread];
}

/* ---- Witnesses ---- */

/* Tries a schedule on the program, and keeps it, made short, if it shows a race of places
 * that none is known of.  What it showed is in *shown, a pair of places; false if nothing. */
bool hd_drive_try_race(hd_driver *driver, const hd_steps *steps, enum hd_replay_claim claim,
                       enum hd_drive_way way, uint64_t *shown);

/* The same with a schedule that may hang, in drive_deadlock.c; false if it does not. */
bool hd_drive_try_hang(hd_driver *driver, const hd_steps *steps);

/* ---- The last stage ---- */

/* All schedules; the result says whether all were seen.  With the limits of one search only if
 * something was found, or `briefly`. */
void hd_drive_whole(hd_driver *driver, bool deadlocks, bool briefly);

/* ---- Stage II ---- */

typedef struct hd_drive_instance {
    uint32_t first, second; /* a1, a2 */
} hd_drive_instance;

enum { HD_DRIVE_INSTANCES = 16 };

typedef struct hd_drive_suspect {
    uint64_t pair; /* of places */
    hd_drive_instance instances[HD_DRIVE_INSTANCES];
    uint32_t count;
} hd_drive_suspect;

typedef HD_VEC(hd_drive_suspect) hd_drive_suspects;

/* Pairs of places of the run whose accesses meet the five conditions and are not ordered by
 * forks, joins and barriers; in the order of their first a2. */
void hd_drive_find_warnings(hd_driver *driver, hd_drive_suspects *suspects);

/* ---- Stage III ---- */

/* The events of the prefix, extended up to `second`; if Fig. 5 meets an access that races with a1
 * its number, else 0. */
uint32_t hd_drive_extend(const hd_drive_run *run, uint32_t first, uint32_t second,
                         hd_vec_u32 *events);

/* ---- Stages IV and V ---- */

/* From the state after the events: can the pair of places race there?  0 seconds: no limit. */
enum hd_drive_verdict hd_drive_search(hd_driver *driver, const hd_vec_u32 *prefix, uint32_t first,
                                      uint32_t second, uint64_t pair, double seconds);

#endif
