/*
 * machine: anything that runs one step at a time under a schedule given from outside.  A model
 * (room model) is one, a real program under our runtime is another; the explorer sees neither, only
 * this.
 *
 * A machine has threads, numbered from 0 in an order that means the same in
 * every run.  The next operation of a thread can be looked at without taking
 * it: what it accesses, whether it is enabled, in how many ways it can go.  One
 * step takes it.  Steps can be undone, last first, or the machine restarted.
 *
 * Locations are numbered from 0: memory cells, locks, whatever operations can conflict on.  Two
 * operations of different threads are dependent if they access a common location and not both only
 * read it; those of one thread always are. Operations whose accesses depend on the state (x[y], a
 * short-circuit condition, a compare-and-swap, an atomic block) are asked for them anew in each
 * state.
 */
#ifndef HD_MACHINE_H
#define HD_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "trace/trace.h"

/* The most threads of a machine that is explored.  Sets of threads are words of 64: the first one
 * of each, and as `more` the others, of which most machines need none. */
enum { HD_MACHINE_THREADS = 6144, HD_MACHINE_MORE = HD_MACHINE_THREADS / 64 - 1 };

/* What an operation does with a location. */
enum {
    HD_MACHINE_READ = 1,
    HD_MACHINE_WRITE = 2,
    /* The two below are writes too, of a lock or of something that is handed over like a lock.
     * Alone, they race only as an acquire with the release before it.  A try reads the lock if it
     * fails, else it writes and acquires it. */
    HD_MACHINE_ACQUIRE = 4,
    HD_MACHINE_RELEASE = 8,
    HD_MACHINE_ORDER = 16, /* a write to something that only orders; its two halves never race */
    HD_MACHINE_LOOK = 32,  /* it decides whether the operation waits, which does not read it: it
                              depends on writes, and orders nothing */
    HD_MACHINE_WRITES =
        HD_MACHINE_WRITE | HD_MACHINE_ACQUIRE | HD_MACHINE_RELEASE | HD_MACHINE_ORDER
};

/* Is an operation a memory access, and of which kind?  An exempt one is plain, but by the program's
 * own word no race with it counts. */
enum { HD_MACHINE_NO_MEMORY, HD_MACHINE_ATOMIC, HD_MACHINE_PLAIN, HD_MACHINE_EXEMPT };

typedef struct hd_machine_access {
    uint32_t location;
    uint8_t mode; /* HD_MACHINE_... of all accesses of the operation to it together */
} hd_machine_access;

/* An operation of a thread, as it would be if taken in the current state.  The accesses are
 * distinct locations in ascending order, and belong to the machine: they stay the same until the
 * machine steps, undoes or restarts. */
typedef struct hd_machine_operation {
    const hd_machine_access *accesses;
    uint32_t count;
    uint32_t choices; /* ways it can go, at least 1 */
    bool enabled;     /* if not, taking it is not allowed */
    bool awaits;      /* enabledness depends on the values it reads (an await);
                         an acquire waits for its lock and says so by its mode */
    bool varies;      /* in another state it may access other locations */
    bool ends;        /* after it no thread goes on, whatever it would have done next */
    bool yields; /* it changes nothing and lets others go first, as a thread that waits in a loop */
    bool retries; /* not enabled, as it would close a round of a loop that was begun for nothing: a
                     run that ends so tells nothing that one without the round does not */
    bool idle;    /* not enabled, and not a deadlock: the thread has not been created yet, or the
                     program has ended */
    uint64_t ended_before; /* threads that all ended before it in every run, so that it has no race
                        with them */
    const uint64_t *ended_more; /* HD_MACHINE_MORE words, until the next call of `next`; NULL: none
                                   of these threads */
    uint8_t memory; /* HD_MACHINE_PLAIN, ..., of a real program; of a model, whose statements are
                       all atomic, HD_MACHINE_NO_MEMORY */
    uint8_t order;  /* enum heddle_order, of an atomic access or a fence */
    bool updates;   /* an atomic access that reads and writes */
    bool fence;
    bool joins;        /* it only waits for the end of another thread */
    bool outside;      /* it uses what is no part of `state`, such as a file */
    bool fails;        /* an attempt to take a lock that another has: it orders nothing */
    uint32_t position; /* in the program's text or code: the same for the same statement */
} hd_machine_operation;

/* One operation of a section (see hd_machine_type.ahead). */
typedef struct hd_machine_ahead {
    hd_machine_operation
        operation; /* enabled and accesses as they would be if no other thread took a step */
    const uint32_t
        *addresses; /* locations whose values decide what it accesses or whether it is enabled: if
                       another thread writes one of them, the operation may change */
    uint32_t address_count;
    bool branching; /* what the thread does next depends on the values it reads */
    bool may_fail;  /* taking it may fail */
    bool last;      /* the thread certainly ends after it */
} hd_machine_ahead;

/* What a step did. */
enum hd_machine_result {
    HD_MACHINE_WENT_ON,
    HD_MACHINE_FAILED, /* an assertion: the execution ends here */
    HD_MACHINE_HUNG    /* it never ends; what comes after it is not known */
};

enum { HD_MACHINE_WISHED = 8 };

/* Of a step that is drawn: its choice is not. */
#define HD_MACHINE_ANY_CHOICE UINT32_MAX

/* A *wish*: a path that a search will ask for, namely the first `depth` steps of the current path,
 * then others. */
typedef struct hd_machine_wish {
    uint32_t depth, count;
    hd_step steps[HD_MACHINE_WISHED];
    uint64_t asleep; /* after them, as hd_machine.asleep */
    bool guessed;    /* the search may also not ask for them */
} hd_machine_wish;

/* How threads are drawn in a random run. */
enum hd_machine_draw {
    HD_MACHINE_UNIFORM,    /* each step is of one of the enabled threads, all alike */
    HD_MACHINE_PRIORITIES, /* of the one with the highest priority (PCT) */
    HD_MACHINE_ORDERS      /* each operation has a priority, drawn again when another that depends
                              on it is taken before it (partial order sampling) */
};

typedef struct hd_machine_drawing {
    enum hd_machine_draw kind;
    uint64_t seed;   /* of the run; not 0 */
    uint64_t length; /* priorities: the steps among which change points are drawn, */
    uint32_t depth;  /* one less than this */
} hd_machine_drawing;

typedef struct hd_machine hd_machine;

typedef struct hd_machine_type {
    const char *name; /* "model", "program" */

    /* False once the thread has ended. */
    bool (*next)(hd_machine *machine, uint32_t thread, hd_machine_operation *operation);

    /* Takes the next operation of an enabled thread. */
    enum hd_machine_result (*step)(hd_machine *machine, uint32_t thread, uint32_t choice);

    /* Takes back the last step; NULL: only restart. */
    void (*undo)(hd_machine *machine);
    void (*restart)(hd_machine *machine);

    /* Do the modes of its accesses tell all that operations do to each other?  That is: what a
     * thread does next, and whether that waits, depends on its own steps, on the ways chosen there,
     * and on which write it reads at each location with READ (to which a WRITE without READ is
     * blind); ACQUIRE alone waits for a lock that one thread has at a time, until that thread's
     * RELEASE; and there is nothing else, no ORDER or LOOK.  NULL: no. */
    bool (*by_reads)(const hd_machine *machine);

    /* Is the lock at that location read too, by tries?  Then, for that, ACQUIRE and RELEASE are
     * READ and WRITE.  NULL: none is. */
    bool (*lock_is_read)(const hd_machine *machine, uint32_t location);

    /* A number for what the last step did and found: if by_reads holds, it is the same in all
     * executions in which the thread has done and read the same before.  NULL: it is not checked.
     */
    uint64_t (*print)(hd_machine *machine);

    /* These steps will be asked for next, after the current path, and then those of a thread as
     * long as it goes on, unless it is UINT32_MAX; for a machine for which a run costs more than a
     * step.  NULL: it would not help. */
    void (*foresee)(hd_machine *machine, const hd_step *steps, size_t count, uint32_t first);

    /* Did the last step end the whole run although its operation did not say so (`ends`)?  NULL:
     * that never happens. */
    bool (*over)(const hd_machine *machine);

    /* Did the machine turn out to be different from what was assumed?  Then a search on it is
     * useless.  NULL: that never happens. */
    bool (*changed)(const hd_machine *machine);

    /* These steps, from the first state, will be asked for: a machine for which a run
     * costs more than a step makes one run of them.  They may turn out not to be
     * possible.  Leaves the machine in the first state; NULL: it would not help. */
    void (*expect)(hd_machine *machine, const hd_step *steps, size_t count);

    /* A random run from the first state, for a machine for which that costs less than to ask for
     * its steps one by one; NULL: it does not.  Then `drawn` is the step that it takes after the
     * current path, whose choice may be left to the caller; the run goes on at random after it.
     * False if the run has no more.  With NULL the drawing is over. */
    void (*draw)(hd_machine *machine, const hd_machine_drawing *how);
    bool (*drawn)(hd_machine *machine, hd_step *step);

    /* The operations that the thread will take next whatever the other threads do, in order, as
     * long as that is certain: the list ends after a branching one, and before one whose accesses
     * depend on a value that an earlier operation of this list reads from shared memory.  NULL:
     * nothing is known ahead. Returns how many; they belong to the machine until it steps, undoes
     * or restarts, or is asked for the same thread again. */
    uint32_t (*ahead)(hd_machine *machine, uint32_t thread, const hd_machine_ahead **list);

    /* The first thread of those that are interchangeable with it, as far as that is known, itself
     * included: they do the same, and nothing tells which of them is which.  If they are created,
     * *creator is the one that does.  NULL: it is not known. */
    uint32_t (*alike)(hd_machine *machine, uint32_t thread, uint32_t *creator);

    const char *(*thread_name)(hd_machine *machine, uint32_t thread);
    const char *(*location_name)(hd_machine *machine, uint32_t location);

    /* A number that orders locations in the same way in every run and every search, whichever of
     * them was met first.  NULL: their own numbers do. */
    uint64_t (*location_order)(const hd_machine *machine, uint32_t location);

    /* Text for people: the thread's next operation with the current values. */
    void (*describe)(hd_machine *machine, uint32_t thread, hd_vec_char *to);
    void (*failure)(hd_machine *machine, hd_vec_char *to); /* of the step that failed */

    /* The step just taken, as events of a trace (a run as a trace). */
    void (*record)(hd_machine *machine, hd_trace *trace);

    /* The bytes of memory, from `low` up to `high`, that the step just taken accessed; false: its
     * events say all.  NULL: they always do. */
    bool (*touched)(hd_machine *machine, uint64_t *low, uint64_t *high);

    /* Appends the state as bytes: in two states that have the same ones everything that can follow
     * is the same.  False: it is not known.  NULL: never. */
    bool (*state)(hd_machine *machine, hd_vec_char *to);

    /* Brings the machine into a state that it told, from which it can step and undo; restart leads
     * to the first state all the same.  NULL: it cannot. */
    void (*go_to)(hd_machine *machine, const char *state, size_t length);

    /* From now on, or no more: `state` is told, and rounds of loops that only wait are steps like
     * all others.  Restarts.  NULL: it never is. */
    void (*tell_states)(hd_machine *machine, bool tell);

    /* A machine of the same program, in the first state, for another thread. */
    hd_machine *(*copy)(const hd_machine *machine);

    /* The same, for something that can be done without: NULL if there is no memory or process for
     * one.  NULL: `copy` serves. */
    hd_machine *(*spare)(const hd_machine *machine);

    /* Takes over what a copy of the machine has found out about the program; NULL: there is nothing
     * to find out. */
    void (*learn)(hd_machine *machine, const hd_machine *copy);
    void (*free)(hd_machine *machine);
} hd_machine_type;

/* The first part of every machine. */
struct hd_machine {
    const hd_machine_type *type;
    uint32_t threads;
    uint32_t locations;   /* may grow as the machine runs */
    bool reads;           /* operations tell what they read (by_reads), where they do not always */
    bool late;            /* the time was up before a run came to the state that was asked for: what
                             it says of its threads now, that they have ended say, is not so */
    const char *declared; /* names of threads, "a,b", whose instances are interchangeable by the
                             user's word; NULL, "": none */
    uint64_t work;   /* what it has cost so far apart from its steps, as a number of steps; the same
                        in   every search that is the same */
    uint64_t asleep; /* of the first 64 threads those that need not be taken after the next step, as
                        far as the search knows; a hint for machines that run ahead */

    /* What else the search will ask for, at most `most` paths, in the order in which it will do so
     * if nothing new is found; with guesses, or without.  For machines that execute several runs at
     * once more cheaply; they call it while they take a step.  NULL: that is not known. */
    uint32_t (*wishes)(void *searcher, bool guesses, hd_machine_wish *list, uint32_t most);
    void *searcher;
};

/* Are they kinds of memory accesses that can race: one is plain, none is exempt? */
static inline bool hd_machine_race(uint8_t a, uint8_t b) {
    return a != HD_MACHINE_NO_MEMORY && b != HD_MACHINE_NO_MEMORY && a != HD_MACHINE_EXEMPT &&
           b != HD_MACHINE_EXEMPT && (a == HD_MACHINE_PLAIN || b == HD_MACHINE_PLAIN);
}

/* Would the next operations of two threads, both possible now, be a data race: accesses of
 * common memory, one of them a write, one of them plain? */
bool hd_machine_collide(const hd_machine_operation *a, const hd_machine_operation *b);

static inline uint64_t hd_machine_location_order(const hd_machine *machine, uint32_t location) {
    return machine->type->location_order ? machine->type->location_order(machine, location)
                                         : location;
}

static inline bool hd_machine_changed(const hd_machine *machine) {
    return machine->type->changed && machine->type->changed(machine);
}

/* Are instances of that thread interchangeable by the user's word? */
bool hd_machine_declared(const hd_machine *machine, const char *name);

static inline bool hd_machine_by_reads(const hd_machine *machine) {
    return machine->type->by_reads && machine->type->by_reads(machine);
}

/* The first thread that can go on; false: there is no such thread. */
bool hd_machine_find_enabled(hd_machine *machine, uint32_t *thread);

/* No thread can go on: does one of them only retry?  Then that is no deadlock, and no execution. */
bool hd_machine_retries(hd_machine *machine);

/* Do both access the same memory, and one of them writes?  Then *location is the first such place.
 * Accesses that only order do not count. */
bool hd_machine_meet(const hd_machine_access *a, uint32_t a_count, const hd_machine_access *b,
                     uint32_t b_count, uint32_t *location);

/* Are two operations of different threads dependent? */
bool hd_machine_dependent(const hd_machine_access *a, uint32_t a_count, const hd_machine_access *b,
                          uint32_t b_count);

#endif
