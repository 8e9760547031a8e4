/*
 * The file that the runtime inside a program and the tool outside share; both have it mapped.  What
 * the runtime has written stays there whatever happens to the program, so a crash or a kill loses
 * nothing.
 *
 *   offset 0                  struct heddle_wire: what the tool asks for, how the run goes
 *   HEDDLE_WIRE_BORDERS       which bytes of memory were accessed together
 *   HEDDLE_WIRE_OBJECTS       locks and other objects, for their names
 *   HEDDLE_WIRE_BLOCK_LIST    blocks of the heap, likewise
 *   HEDDLE_WIRE_DATA          chunks of HEDDLE_WIRE_CHUNK bytes
 *
 * Who writes what is in two headers: wire_asks.h has the types of what the tool asks for,
 * wire_tells.h those of what the runtime tells.  wire_limits.h has the layout and wire_objects.h
 * the operations and objects, which both sides only agree on.
 *
 * A chunk begins with a heddle_wire_chunk that says which *lane* it belongs to and where it ends;
 * what follows is packed (pack.h).  The record of a controlled run is lane 0, totally ordered.  In
 * a free run each thread has a lane of its own, which another thread takes over when it has ended.
 * There, synchronisation comes after a record HEDDLE_WIRE_ORDER, whose word is its *place* in the
 * order of all synchronisation; it holds also for what lies between it and the next one.
 */
#ifndef HEDDLE_WIRE_H
#define HEDDLE_WIRE_H

#include "wire_asks.h"
#include "wire_limits.h"
#include "wire_objects.h"
#include "wire_tells.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How threads are drawn by a seed. */
enum heddle_wire_drawing {
    HEDDLE_WIRE_DRAWS_RUNS,       /* each goes on for some steps */
    HEDDLE_WIRE_DRAWS_UNIFORMLY,  /* at each step */
    HEDDLE_WIRE_DRAWS_PRIORITIES, /* of threads, which change at some steps */
    HEDDLE_WIRE_DRAWS_ORDERS      /* priorities of operations */
};

/* What tells threads of one creator apart. */
enum heddle_wire_alike {
    HEDDLE_WIRE_ALIKE_BUT_ARGUMENT,
    HEDDLE_WIRE_ALIKE_WHOLLY,
    HEDDLE_WIRE_ALIKE /* how many */
};

/* A thread in all runs. */
typedef struct heddle_wire_name {
    uint32_t creator, birth;
    uint32_t monitor; /* it only looks whether an invariant holds */
    /* Births, of the same creator: the first one with the same function that inherits the
     * same; and of those with the same argument.  0: it was never created. */
    uint32_t like[HEDDLE_WIRE_ALIKE];
    uint32_t varies; /* in which of these two it was not the same in all runs, as bits */
    uint32_t shows;  /* a step had a value that is an address in its stack or its part of the heap,
                        or of something thread-local */
    uint64_t start;  /* that it was last created with */
} heddle_wire_name;

typedef struct heddle_wire_explore {
    /* From the tool. */
    uint32_t request; /* number of the run that is wanted; a futex */
    uint32_t what;    /* HEDDLE_WIRE_RUN, HEDDLE_WIRE_QUIT, HEDDLE_WIRE_ALONE */
    uint32_t decisions;
    uint32_t most_steps; /* of the run, */
    uint32_t
        most_own; /* and of a thread: one that has taken so many is not taken after the decisions */
    uint32_t captured;  /* standard output is a file that the tool reads */
    uint32_t stacks;    /* wanted: keep the stacks of threads that wait, or of the one that fails */
    uint32_t functions; /* wanted: of the run that is asked for, in a process of its own */
    uint32_t audited;   /* wanted: check functions against the table (rt_audit.c) */

    /* Of a run alone. */
    uint32_t recorded; /* every event is recorded, as in a run by seed */
    uint32_t stop_at;  /* after this step heddle_rt_stopped is called; 0: never */
    uint32_t placed;   /* loops and copies, given as offsets from the start of the code, have their
                          places */
    uint32_t nears;    /* shared words of the stack of main: bytes below its top */
    uint64_t near[HEDDLE_WIRE_FRESH];
    uint32_t reset;   /* HEDDLE_WIRE_BY_FORK, HEDDLE_WIRE_BY_MEMORY */
    uint32_t renewed; /* how often the table of shared words was changed */
    uint64_t asleep;  /* of the first 64 threads those that need not be taken after the decisions,
                         until a step conflicts with their next operation; a hint */
    uint32_t first;   /* the thread that is preferred after the decisions, + 1; 0: none is;
                         UINT32_MAX - thread: all but that one are */
    uint32_t parked;  /* the thread that is not taken then, + 1; UINT32_MAX: none is taken */
    uint64_t seed;    /* if not 0, threads are then drawn at random instead of taking the lowest */
    uint32_t drawing; /* how: enum heddle_wire_drawing */
    uint32_t depth;   /* by priorities: one more than there are change points, */
    uint64_t length;  /* which are among so many steps */
    uint32_t polls;   /* a loop that waits takes locks: HEDDLE_WIRE_POLLED */
    uint32_t backs;   /* tries of rounds that back off wait instead: HEDDLE_WIRE_LOOP_BACKS */
    uint32_t wishes;  /* runs to execute after the requested one, if that is HEDDLE_WIRE_BY_MEMORY
                         and ends with status 0 */
    heddle_wire_wish wish[HEDDLE_WIRE_WISHES];

    /* From the runtime. */
    uint32_t done;   /* runs whose logs are in the parcels, all without output; 0: the requested run
                        is in `step` and `next` */
    uint32_t answer; /* number of the run that was executed; a futex */
    uint32_t begun;  /* number of the run that is being executed */
    int32_t child;
    int32_t status; /* of the child, as from waitpid */
    uint32_t steps;
    uint32_t progress;   /* steps of all runs, except HEDDLE_WIRE_RUNS_ON */
    uint32_t stopped;    /* HEDDLE_WIRE_AT_END, ... */
    uint32_t kept;       /* steps shared with the previous run, which were not taken again */
    uint32_t fresh;      /* words found to be shared */
    uint16_t rounds[64]; /* where no thread can go on: how many steps a thread took since it began
                            the round of a loop that it would go again; 0: none is known */
    uint32_t threads;    /* names */
    uint32_t more_words; /* in `more` and `more_joined`, for each set */
    uint32_t loops;      /* in `loop` */
    uint32_t loop_news;  /* how often the table was changed */
    uint32_t unseen; /* a thread changed what others look at, or wrote to standard output, without a
                        step */
    uint32_t caught; /* functions that were found to have state, so far */
    uint32_t statics; /* 1: data of a known library is accessed; 2: threads share results of it */
    uint32_t
        unattributed; /* state of a library changed although none of its functions was called */
    heddle_wire_looks looks; /* of the current run */
    heddle_wire_loop loop[HEDDLE_WIRE_LOOPS];
    uint32_t stays;        /* in `stay` */
    uint32_t stays_wanted; /* enum heddle_wire_stays; written by the tool */
    uint32_t stays_used;   /* the first of them, in the current search; written by the tool */
    heddle_wire_stay stay[HEDDLE_WIRE_STAYS];
    heddle_wire_reaches reaches;
    heddle_wire_awaits awaits;
    uint32_t sections;     /* in `section` */
    uint32_t section_news; /* how often the table was changed */
    heddle_wire_section section[HEDDLE_WIRE_SECTIONS];
    uint32_t states_wanted; /* in `state`; written by the tool */
    uint32_t locals_wanted; /* in `local`, and no read waits; written by the tool */
    uint32_t places;        /* in `place` */
    uint32_t places_looked; /* of these, by the tool: then it is known what is dead there */
    heddle_wire_place place[HEDDLE_WIRE_PLACES]; /* by hash, then the next free one */
    uint32_t lent;                               /* in `lent_word` */
    uint32_t lent_looked;                 /* of these, by the tool: then HEDDLE_WIRE_LEFT_OUT */
    uint64_t lent_word[HEDDLE_WIRE_LENT]; /* word + 1; by hash, then the next free place */
    uint32_t mapped;                      /* the program maps memory, which is no part of a state */
    uint32_t constants;      /* in `constant`: what the program compares its inputs with */
    uint32_t constants_used; /* the first of them are values of inputs; written by the tool */
    uint32_t constants_lost; /* there are more */
    int64_t constant[HEDDLE_WIRE_CONSTANTS];
    uint32_t copies; /* in `copy` */
    uint64_t copy[HEDDLE_WIRE_COPIES];
    uint64_t targets; /* threads to which signals with handlers are sent (heddle_wire_target) */
    uint32_t hidden;  /* what was seen that may hide accesses: HEDDLE_WIRE_HIDES_... */
    uint32_t relies;  /* on what platforms do not promise: HEDDLE_WIRE_RELIES_... */
    uint32_t call;    /* of HEDDLE_WIRE_HIDES_SYSCALLS, the number of one */
    uint32_t weaker;  /* places with atomic operations weaker than sequential consistency */
    uint64_t weaker_code[HEDDLE_WIRE_WEAKER]; /* by hash, then the next free place */
    uint64_t wrote;                           /* bytes to standard output, if it is captured */
    uint64_t said;                            /* bytes in `saying`, of the current run */
    uint32_t said_lost;                       /* a run had more */
    uint32_t put_back;  /* descriptors and shared mappings that are restored before each run */
    uint32_t undone;    /* calls whose changes of files are undone after the run */
    uint32_t unwatched; /* such calls cannot be seen here */
    uint32_t counters;  /* code of the program reads a counter of the processor (rt_counter.c) */
    char left[128];     /* what a run leaves to the next one, as text; "": nothing known */
    char locking[64];   /* a function of a known library that took a lock inside; "": none did */
    char input[64];     /* what it reads that is not the same twice; "": nothing known */
    uint32_t orphans;   /* a thread ended with a robust mutex */
    uint32_t stacked;   /* stacks that were kept */
    heddle_wire_stack stack[HEDDLE_WIRE_EXPLORED];
    uint32_t exits;                   /* what may happen while others run: HEDDLE_WIRE_EXITS, ... */
    uint8_t body[HEDDLE_WIRE_BODIES]; /* bytes of each */
    uint32_t ends;                    /* why the end of a thread is a step: HEDDLE_WIRE_ENDS_... */
    heddle_wire_name name[HEDDLE_WIRE_EXPLORED];
    uint8_t shared_part[HEDDLE_WIRE_SHARED / HEDDLE_WIRE_PART]; /* does it have any? */
    uint64_t shared[HEDDLE_WIRE_SHARED]; /* word + 1; by hash, then the next free place */
    uint64_t fresh_word[HEDDLE_WIRE_FRESH];
    heddle_wire_decision decision[HEDDLE_WIRE_STEPS];
    heddle_wire_step step[HEDDLE_WIRE_STEPS];
    heddle_wire_next next[HEDDLE_WIRE_NEXTS];
    heddle_wire_parcel parcel[HEDDLE_WIRE_WISHES + 1];
    heddle_wire_step parcel_step[HEDDLE_WIRE_PARCEL];
    heddle_wire_next parcel_next[HEDDLE_WIRE_PARCEL];
    /* The other words of the sets of each step, not of parcels: first those that can go on, then
     * those that succeed; and of each next operation, of threads that were joined. */
    uint64_t more[2 * HEDDLE_WIRE_STEPS * HEDDLE_WIRE_MORE];
    uint64_t more_joined[HEDDLE_WIRE_NEXTS * HEDDLE_WIRE_MORE];
    uint64_t state[HEDDLE_WIRE_STEPS]; /* after each step: a hash of it; 0: it is not known */
    uint64_t local[HEDDLE_WIRE_NEXTS]; /* state of the thread there; 0: it is not known */
    unsigned char
        saying[HEDDLE_WIRE_SAYINGS]; /* heddle_wire_saying, each with its label after it */
} heddle_wire_explore;

/* The message of a run that ends where no thread can go on, and the program says that this is
 * right. */
#define HEDDLE_WIRE_RIGHTLY "every thread waits, rightly"

/* Does the order of the two operations matter?  Roughly as the explorer decides it; only used to
 * guess how the search will go on. */
static inline int heddle_wire_meet(const heddle_wire_operation *a, const heddle_wire_operation *b) {
    if (a->kind == HEDDLE_WIRE_EXIT || b->kind == HEDDLE_WIRE_EXIT ||
        a->kind == HEDDLE_WIRE_ATOMIC || b->kind == HEDDLE_WIRE_ATOMIC)
        return 1;
    if (a->kind == HEDDLE_WIRE_CALL && b->kind == HEDDLE_WIRE_CALL &&
        a->flags & b->flags & HEDDLE_WIRE_PRINTS)
        return 1;
    if (!a->address || !b->address || a->kind == HEDDLE_FORK + 1 || a->kind == HEDDLE_JOIN + 1 ||
        b->kind == HEDDLE_FORK + 1 || b->kind == HEDDLE_JOIN + 1)
        return 0;
    int both_read = (a->kind == HEDDLE_READ + 1 || a->kind == HEDDLE_ATOMIC_READ + 1 ||
                     (a->kind == HEDDLE_WIRE_CALL && a->flags & HEDDLE_WIRE_LOOKS)) &&
                    (b->kind == HEDDLE_READ + 1 || b->kind == HEDDLE_ATOMIC_READ + 1 ||
                     (b->kind == HEDDLE_WIRE_CALL && b->flags & HEDDLE_WIRE_LOOKS));
    uint64_t a_size = a->size ? a->size : 1, b_size = b->size ? b->size : 1;
    return !both_read && a->address < b->address + b_size && b->address < a->address + a_size;
}

/* A thread's bit in heddle_wire_explore.targets; the last one is that of all others. */
static inline uint64_t heddle_wire_target(uint32_t thread) {
    return UINT64_C(1) << (thread < 63 ? thread : 63);
}

/* Where signals for a thread are sent, and where it looks for them: an address that is not
 * memory. */
static inline uint64_t heddle_wire_signals(uint32_t thread) {
    return UINT64_C(0x800) + 8 * (uint64_t)thread;
}

/* Likewise what is to be done with signals: handlers, defaults. */
#define HEDDLE_WIRE_ACTIONS UINT64_C(0x7f0)

/* Notes a value that the program compares its inputs with. */
static inline void heddle_wire_constant(heddle_wire_explore *explore, int64_t constant) {
    for (uint32_t i = 0; i < explore->constants; i++)
        if (explore->constant[i] == constant)
            return;
    if (explore->constants < HEDDLE_WIRE_CONSTANTS)
        explore->constant[explore->constants++] = constant;
    else
        explore->constants_lost = 1;
}

/* Notes that an atomic operation whose call returns to `code` is weaker than sequential
 * consistency. */
static inline void heddle_wire_weaker(heddle_wire_explore *explore, uint64_t code) {
    uint32_t place = (uint32_t)(code * UINT64_C(0x9e3779b97f4a7c15) >> 40) % HEDDLE_WIRE_WEAKER;
    for (uint32_t i = 0; i < HEDDLE_WIRE_WEAKER; i++) {
        uint64_t *at = &explore->weaker_code[(place + i) % HEDDLE_WIRE_WEAKER];
        if (*at == code)
            return;
        if (*at)
            continue;
        *at = code;
        explore->weaker++;
        return;
    }
}

/* The object of all ends of threads if it matters which is the last: an address that is not
 * memory. */
#define HEDDLE_WIRE_LAST_END UINT64_C(0x7f8)

/* The table of shared words: where a word is, or the free place for it. */
static inline uint32_t heddle_wire_shared_place(const heddle_wire_explore *explore, uint64_t word) {
    uint32_t place =
        (uint32_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (HEDDLE_WIRE_SHARED - 1);
    if (!explore->shared_part[place / HEDDLE_WIRE_PART])
        return place; /* its page is not touched: most never are */
    while (explore->shared[place] && explore->shared[place] != word + 1)
        place = (place + 1) & (HEDDLE_WIRE_SHARED - 1);
    return place;
}

static inline int heddle_wire_shares(const heddle_wire_explore *explore, uint64_t word) {
    uint32_t place = heddle_wire_shared_place(explore, word);
    return explore->shared_part[place / HEDDLE_WIRE_PART] && explore->shared[place];
}

/* Enters the word; there has to be room. */
static inline void heddle_wire_share(heddle_wire_explore *explore, uint64_t word) {
    uint32_t place = heddle_wire_shared_place(explore, word);
    explore->shared_part[place / HEDDLE_WIRE_PART] = 1;
    explore->shared[place] = word + 1;
}

/* The table of places: where one is, or the free place for it; there has to be one. */
static inline uint32_t heddle_wire_place_of(const heddle_wire_explore *explore, uint64_t code) {
    uint32_t at = (uint32_t)(code * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (HEDDLE_WIRE_PLACES - 1);
    while (explore->place[at].code && explore->place[at].code != code)
        at = (at + 1) & (HEDDLE_WIRE_PLACES - 1);
    return at;
}

/* The table of words of a stack that threads write to which it does not belong: where one is, or
 * the free place for it; there has to be one.  The ones that have this bit are no part of the state
 * of the thread to which the stack belongs. */
#define HEDDLE_WIRE_LEFT_OUT (UINT64_C(1) << 63)

static inline uint32_t heddle_wire_lent_place(const heddle_wire_explore *explore, uint64_t word) {
    uint32_t at = (uint32_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (HEDDLE_WIRE_LENT - 1);
    while (explore->lent_word[at] && (explore->lent_word[at] & ~HEDDLE_WIRE_LEFT_OUT) != word + 1)
        at = (at + 1) & (HEDDLE_WIRE_LENT - 1);
    return at;
}

static inline uint32_t heddle_wire_page_place(uint64_t page) {
    return (uint32_t)(page * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (HEDDLE_WIRE_PAGES - 1);
}

typedef struct heddle_wire {
    uint64_t magic;
    uint64_t layout; /* HEDDLE_WIRE_LAYOUT */
    uint64_t size;   /* of the file */

    /* From the tool. */
    uint64_t seed;
    uint32_t mode;
    uint32_t decision;
    uint32_t points;
    uint32_t quiet;    /* nothing on standard error */
    uint32_t calls;    /* record where functions begin and end */
    uint64_t schedule; /* offset of struct heddle_wire_run [schedule_runs] */
    uint64_t schedule_runs;
    uint32_t stops;   /* after its last event */
    uint32_t watched; /* a debugger is there */
    uint64_t explore; /* offset of struct heddle_wire_explore */

    /* From the tool: what comes from outside is kept in a file, or played back (rt_world.h). */
    uint32_t world; /* 0, HEDDLE_WIRE_KEEPS or HEDDLE_WIRE_PLAYS */
    char world_path[HEDDLE_WIRE_PATH];

    /* From the tool, for a run that it reads while the program runs: chunks are freed once they are
     * read, and the program waits if it is too far ahead of the reader. */
    uint32_t live;    /* the program's parent, while it reads; 0: it reads at the end */
    uint32_t allowed; /* chunks that may be taken so far; a futex */

    /* From the tool, for a run whose complete chunks it takes out as they come: the place + 1 of
     * each chunk that can be used again, else 0.  So a long record needs little shared memory,
     * which is slow to allocate. */
    uint32_t drained;
    uint32_t emptied[HEDDLE_WIRE_EMPTIED];

    /* From the tool, of explored programs (launch_options.h). */
    uint32_t spurious;   /* times that a thread may wake from condition waits by itself */
    uint32_t prints;     /* writes to standard output are steps */
    uint32_t says;       /* what to note beside output: enum heddle_wire_says */
    uint32_t sv_comp;    /* the conventions of SV-COMP: HEDDLE_WIRE_SV_..., 0: they do not hold */
    uint32_t misuse;     /* of locks and threads: enum heddle_wire_misuse */
    uint32_t reuse;      /* freed blocks may be handed out again */
    uint32_t volatiles;  /* volatile accesses are atomic: acquire and release */
    uint64_t input_seed; /* of inputs that are not in the list; 0: they are 0 */
    uint32_t inputs;
    uint32_t atomics;  /* functions that run without others between */
    uint64_t error[2]; /* code addresses of the program's own reach_error and __VERIFIER_error, as
                          offsets; 0: none */
    uint32_t errors;   /* the program names reach_error or __VERIFIER_error */
    uint32_t anys;     /* in `any`; 0, and no list and no seed: as always */
    int64_t input[HEDDLE_WIRE_INPUTS];
    int64_t any[HEDDLE_WIRE_WAYS];        /* values that every input may have */
    uint64_t atomic[HEDDLE_WIRE_ATOMICS]; /* code addresses, as offsets */

    /* From the runtime. */
    uint32_t attached;   /* the runtime has found the file */
    uint32_t world_on;   /* system calls are stopped, and kept or played back; */
    uint32_t world_lost; /* 1: not all of them, there was no room */
    uint32_t asked;      /* for inputs: HEDDLE_WIRE_ASKED_... */
    uint64_t asked_most; /* of the largest range that was not tried whole: its last number less its
                            first one */
    uint32_t ending;     /* enum heddle_wire_ending */
    uint64_t code;       /* code addresses are offsets from here */
    uint64_t chunks;     /* places in use so far */
    uint64_t begun;      /* chunks that have a number */
    uint64_t ready;      /* and a lane, so that records may be in them */
    uint32_t wholes;     /* complete ones, if they are taken out; a futex */
    uint32_t scattered; /* there were accesses that cross words: one record may be several events */
    uint32_t beyond;    /* a table is full, or there are labels: the record must be read */
    uint32_t pages;     /* used places of the table of borders, in page_list */
    uint64_t objects, blocks;
    uint64_t codes;      /* code addresses of the record, in code_list */
    uint64_t listed;     /* sum of what the lists of objects and codes got, and of all marks: */
    uint64_t marked;     /* they show whether the program wrote over these tables */
    uint64_t lost;       /* events for which there was no room */
    uint32_t calls_lost; /* there was no room for calls: stacks lack their innermost frames */
    uint64_t switches;   /* from one thread to another */
    uint64_t points_passed;
    uint64_t steps;       /* of the current thread since the switch, except plain ones */
    uint64_t run;         /* of the schedule, the current one */
    uint32_t events_made; /* of a run along events: so far */
    int64_t now;          /* virtual time */
    uint32_t threads;     /* ever created */
    uint32_t current;
    uint32_t modules;
    uint32_t refused; /* calls that are refused under control, such as fork */
    int64_t tls;      /* where the program's own thread-local block begins, from the thread
                         pointer; its size */
    uint64_t tls_size;
    uint32_t functions;   /* in `function`; more than fit: some are missing */
    uint64_t files;       /* address of the variables of files, HEDDLE_WIRE_FILES of 8 bytes */
    uint32_t annotations; /* HEDDLE_WIRE_TOLD_... */
    uint32_t process; /* its number, as the program was told; 0: it did not ask.  A run that follows
                         another is told the same: then the tool has set it */
    uint32_t openmp;  /* its library is there: each of its teams has one thread */
    uint64_t order_words; /* address of the variables that stand for objects that annotations
                             release and acquire, HEDDLE_WIRE_ORDERS of 8 bytes */
    uint64_t order_object[HEDDLE_WIRE_ORDERS]; /* the objects, by hash, then the next free place */
    uint64_t descriptor_words; /* address of the variables that stand for descriptors of files: of
                                  each number one, HEDDLE_WIRE_DESCRIPTOR_TIMES times */
    uint64_t thread_words;     /* address of the variables that stand for handles of threads,
                                  HEDDLE_WIRE_THREADS of 8 bytes, and for those of buffer.def;
                                  from HEDDLE_WIRE_THREAD_STATES on, whether they are detached */
    heddle_wire_opened opened[HEDDLE_WIRE_OPENED]; /* by their number, modulo that */
    uint64_t vtable[HEDDLE_WIRE_VTABLES]; /* objects of C++ got such a pointer at these addresses;
                                             by heddle_wire_vtable_place, the last one there */
    char suppressions[HEDDLE_WIRE_SUPPRESSIONS]; /* what __tsan_default_suppressions returned */
    uint32_t unseen; /* recordings: functions some of whose accesses are missing; perhaps more than
                        fit, and some twice */
    heddle_wire_unseen unseen_call[HEDDLE_WIRE_UNSEEN];
    uint32_t kills;  /* 1: the program has sent itself SIGKILL */
    uint32_t unborn; /* 1: the system refused to make a thread */
    uint32_t unkept; /* HEDDLE_WIRE_UNKEPT_...: there was no address space for these tables */
    char message[256];
    heddle_wire_fault fault; /* what the runtime found wrong */
    uint32_t notes;
    uint32_t notes_lost; /* 1: some found no place */
    heddle_wire_note note[HEDDLE_WIRE_NOTES];
    uint32_t modules_lost; /* 1: some found no place */
    heddle_wire_module module[HEDDLE_WIRE_MODULES];
    heddle_wire_thread thread[HEDDLE_WIRE_THREADS];
    uint32_t labels; /* of marks */
    char label[HEDDLE_WIRE_LABELS][HEDDLE_WIRE_LABEL + 1];
    uint64_t code_list[HEDDLE_WIRE_CODES];
    uint32_t page_list[HEDDLE_WIRE_PAGES];
    heddle_wire_function function[HEDDLE_WIRE_FUNCTIONS];
    uint32_t callees; /* of explored programs; more than fit: some are missing */
    heddle_wire_callee callee[HEDDLE_WIRE_CALLEES];
} heddle_wire;

/* Two builds of one version may differ, too. */
#define HEDDLE_WIRE_LAYOUT ((uint64_t)sizeof(heddle_wire_explore) << 32 ^ sizeof(heddle_wire))

static inline uint32_t heddle_wire_vtable_place(uint64_t address) {
    return (uint32_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 40) % HEDDLE_WIRE_VTABLES;
}

static inline heddle_wire_chunk *heddle_wire_chunk_at(heddle_wire *wire, uint64_t number) {
    return (heddle_wire_chunk *)((char *)wire + HEDDLE_WIRE_DATA + number * HEDDLE_WIRE_CHUNK);
}

static inline heddle_wire_page *heddle_wire_pages(heddle_wire *wire) {
    return (heddle_wire_page *)((char *)wire + HEDDLE_WIRE_BORDERS);
}

/* class << 56 | address; an object may be listed several times. */
static inline uint64_t *heddle_wire_objects(heddle_wire *wire) {
    return (uint64_t *)((char *)wire + HEDDLE_WIRE_OBJECTS);
}

static inline heddle_wire_block *heddle_wire_blocks(heddle_wire *wire) {
    return (heddle_wire_block *)((char *)wire + HEDDLE_WIRE_BLOCK_LIST);
}

#ifdef __cplusplus
}
#endif
#endif
