/*
 * What the runtime inside a program and the tool outside share: one file that
 * both have mapped.  What the runtime has written is there whatever becomes of
 * the program, so a crash or a kill loses nothing.
 *
 *   offset 0                  struct heddle_wire: what the tool asks for, how the run goes
 *   HEDDLE_WIRE_BORDERS       which bytes of memory were accessed together
 *   HEDDLE_WIRE_OBJECTS       locks and other objects, for their names
 *   HEDDLE_WIRE_BLOCK_LIST    blocks of the heap, likewise
 *   HEDDLE_WIRE_DATA          chunks of HEDDLE_WIRE_CHUNK bytes
 *
 * A chunk begins with a heddle_wire_chunk that says which lane it is of and where it ends;
 * what follows is packed (pack.h).  The record of a controlled run is lane 0, totally
 * ordered.  Of a free run each thread has a lane of its own, which another takes over when
 * it has ended; what synchronises is there behind a record HEDDLE_WIRE_ORDER, whose word is
 * its place among all of that sort, and that of what lies between it and the next one.
 */
#ifndef HEDDLE_WIRE_H
#define HEDDLE_WIRE_H

#include <stdint.h>

#include "event.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_WIRE_MAGIC UINT64_C(0x3565726977656468) /* "hdewire5" */
#define HEDDLE_WIRE_MARK "heddle runtime hdewire5"     /* in the library, for the tool to find */
#define HEDDLE_WIRE_MAGIC_VERSION 56                   /* the bits above count versions */
#define HEDDLE_WIRE_BORDERS ((uint64_t)32 << 20)
#define HEDDLE_WIRE_OBJECTS ((uint64_t)176 << 20)
#define HEDDLE_WIRE_BLOCK_LIST ((uint64_t)184 << 20)
#define HEDDLE_WIRE_DATA ((uint64_t)256 << 20)
#define HEDDLE_WIRE_CHUNK ((uint64_t)1 << 20)
#define HEDDLE_WIRE_ENV "HEDDLE_WIRE" /* the number of the inherited file */

enum {
    HEDDLE_WIRE_THREADS = 32768,
    HEDDLE_WIRE_MODULES = 512,
    HEDDLE_WIRE_PATH = 496,
    HEDDLE_WIRE_FILES = 1024,
    HEDDLE_WIRE_RANGE = 64,  /* ranges up to this many bytes carry them */
    HEDDLE_WIRE_LABEL = 255, /* bytes of a label of a mark */
    HEDDLE_WIRE_LABELS = 1024,
    HEDDLE_WIRE_EMPTIED = 64,
    HEDDLE_WIRE_PAGE = 4096,
    HEDDLE_WIRE_PAGES = 1 << 17, /* of memory whose borders are kept; a power of two */
    HEDDLE_WIRE_CODES = 1 << 17,
    HEDDLE_WIRE_OBJECT_COUNT = 1 << 20,
    HEDDLE_WIRE_BLOCKS = 1 << 20,
    HEDDLE_WIRE_INPUTS = 1024,
    HEDDLE_WIRE_CALLS = 1 << 22, /* of all threads that have begun and not ended */
    HEDDLE_WIRE_ATOMICS = 256,
    HEDDLE_WIRE_CALLEES = 8192,     /* functions without instrumentation */
    HEDDLE_WIRE_CALLEE = 104,       /* bytes of the name of one */
    HEDDLE_WIRE_FUNCTIONS = 1 << 15 /* frames that are kept for the names of what is in them */
};

enum heddle_wire_op {
    HEDDLE_WIRE_SWITCH = 64, /* one word: records of thread (low 24 bits) follow; the 32 bits
                                above: steps of the thread before, but plain accesses and marks */
    HEDDLE_WIRE_ALLOCATE,    /* a block; the word more is its size */
    HEDDLE_WIRE_FREE,
    HEDDLE_WIRE_READ_RANGE,  /* the word more is the length, then the bytes if VALUE */
    HEDDLE_WIRE_WRITE_RANGE, /* likewise */
    HEDDLE_WIRE_NAME,        /* text of the label with number `address`; value: its length */
    HEDDLE_WIRE_ORDER,       /* free-running: the word more is the place of what follows, of which
                                `address` records are exactly there */
    HEDDLE_WIRE_ENTER,       /* a function begins that was called before `code` */
    HEDDLE_WIRE_LEAVE        /* the innermost function of the thread ends */
};

/* The byte below the op: the size of an access as a power of two, and flags. */
enum {
    HEDDLE_WIRE_SIZE = 7,
    HEDDLE_WIRE_VALUE = 0x40,  /* the value is known */
    HEDDLE_WIRE_SILENT = 0x10, /* a range that is part of a step: what a call stores */
    HEDDLE_WIRE_WORD = 0x20    /* the word more is there whatever the size (a mark with a value) */
};

/* Where blocks of the heap are, of a program under control. */
#define HEDDLE_WIRE_HEAP UINT64_C(0x100000000000)
#define HEDDLE_WIRE_HEAP_END (HEDDLE_WIRE_HEAP + ((uint64_t)2048 << 34))

#define HEDDLE_WIRE_ADDRESS (((uint64_t)1 << 48) - 1)

/* Modes, and what decides who runs. */
enum { HEDDLE_WIRE_CONTROLLED, HEDDLE_WIRE_FREE_RUNNING };
enum {
    HEDDLE_WIRE_BY_SEED,     /* random, from the seed; seed 0: a thread runs until it blocks */
    HEDDLE_WIRE_BY_SCHEDULE, /* the runs of the schedule, then by seed */
    HEDDLE_WIRE_BY_EVENTS,   /* the same, but steps are those that are events */
    HEDDLE_WIRE_BY_DECISIONS /* again and again from main on, as struct heddle_wire_explore says */
};

/* Which points may switch threads besides operations on synchronisation objects. */
enum {
    HEDDLE_WIRE_AT_SYNC,    /* atomics, and plain accesses now and then */
    HEDDLE_WIRE_AT_ACCESSES /* every plain access too */
};

/* What a thread is about to do.  Kinds are those of event.def plus 1, and: */
enum heddle_wire_pending {
    HEDDLE_WIRE_NOTHING = 0,
    HEDDLE_WIRE_START = 128, /* run its first instruction */
    HEDDLE_WIRE_SLEEP,
    HEDDLE_WIRE_YIELD,
    HEDDLE_WIRE_ONCE,  /* wait for an initialisation that another thread runs */
    HEDDLE_WIRE_FUTEX, /* wait in a futex system call */
    HEDDLE_WIRE_FENCE,
    HEDDLE_WIRE_EXTERNAL, /* wait for something outside the program: a file, a signal */
    HEDDLE_WIRE_FINISH,   /* end the thread; explored programs only, and what follows too */
    HEDDLE_WIRE_EXIT,     /* end the process */
    HEDDLE_WIRE_CANCEL,   /* cancel a thread */
    HEDDLE_WIRE_ATOMIC,   /* an atomic section, whole */
    HEDDLE_WIRE_ASSUME,   /* an assumption does not hold: never */
    HEDDLE_WIRE_OUTPUT,   /* write to standard output */
    HEDDLE_WIRE_CALL      /* call a function without instrumentation; the object is its state */
};

typedef struct heddle_wire_operation {
    uint16_t kind;
    uint16_t flags;   /* HEDDLE_WIRE_TIMED, HEDDLE_WIRE_TRY */
    uint32_t size;    /* bytes of an access */
    uint64_t address; /* of the object; of a join the thread */
    uint64_t code;    /* the address behind the call */
    int64_t deadline; /* nanoseconds of virtual time, if HEDDLE_WIRE_TIMED */
} heddle_wire_operation;

enum {
    HEDDLE_WIRE_TIMED = 1,
    HEDDLE_WIRE_TRY = 2,
    HEDDLE_WIRE_NESTED = 4,  /* of a mutex that the thread has and keeps; explored programs only */
    HEDDLE_WIRE_LOOKS = 8,   /* takes nothing, only looks at the object; likewise */
    HEDDLE_WIRE_SPINS = 16,  /* a read that waits for another value, or a try that waits until it
                                succeeds; likewise */
    HEDDLE_WIRE_WAKES = 32,  /* a timed wait that may also end by itself; likewise */
    HEDDLE_WIRE_INSIDE = 64, /* done by code without instrumentation that has state: what comes
                                after it may change that state; likewise */
    HEDDLE_WIRE_FREES = 128, /* a write: the block is freed; likewise */
    HEDDLE_WIRE_RUNS_ON = 256, /* a yield of a thread that made very many accesses without any other
                                 point; likewise */
    HEDDLE_WIRE_STORES = 512   /* a call: it may change data of its module that others access */
};

/* In tables of words: not the word, but the state that functions without instrumentation keep for
 * what is there.  State that has no place of its own has an address from HEDDLE_WIRE_STATES on:
 * first that of state.def, 16 bytes each, then that of modules, by number. */
#define HEDDLE_WIRE_STATE ((uint64_t)1 << 60)
#define HEDDLE_WIRE_STATES UINT64_C(0x0e0000000000)
#define HEDDLE_WIRE_MODULE_STATES (HEDDLE_WIRE_STATES + 4096)
#define HEDDLE_WIRE_STATES_END (HEDDLE_WIRE_MODULE_STATES + UINT64_C(16) * HEDDLE_WIRE_MODULES)
#define HEDDLE_WIRE_FILE_STATES (HEDDLE_WIRE_STATES_END + 16) /* of ordinary files */
#define HEDDLE_WIRE_FILE_STATES_END (HEDDLE_WIRE_FILE_STATES + ((uint64_t)16 << 20))

enum heddle_wire_state {
    HEDDLE_WIRE_UNBORN,
    HEDDLE_WIRE_LIVE,
    HEDDLE_WIRE_ENDED /* its start function is left and its destructors have run */
};

/* A thread, as both see it.  Its name is its creator's and its number among the
 * threads of that: the same in every schedule. */
typedef struct heddle_wire_thread {
    uint32_t state;
    uint32_t creator; /* of thread 0: 0 */
    uint32_t birth;   /* 1 for the creator's first */
    uint32_t holder;  /* who has the mutex it waits for, + 1; set when nobody can go on */
    uint64_t stack, stack_size;
    uint64_t tls;  /* the thread pointer */
    uint64_t heap; /* first address of its part of the heap */
    heddle_wire_operation pending;
    char name[16]; /* given by the program; for people */
} heddle_wire_thread;

/* A function that had begun, and not ended, when its thread reached a point, so that others could
 * see what is on its stack.  Stack pointer and frame pointer are those it had when it said that
 * it began, which was before `code`. */
typedef struct heddle_wire_function {
    uint64_t stack, frame;
    uint64_t code; /* 0: not written yet */
    uint32_t thread;
} heddle_wire_function;

/* What is known of a function without instrumentation that instrumented code calls. */
enum heddle_wire_known {
    HEDDLE_WIRE_STATELESS, /* by the table: it keeps nothing that others see */
    HEDDLE_WIRE_STATEFUL,  /* by the table: what its state is */
    HEDDLE_WIRE_UNKNOWN,   /* its state is that of its module */
    HEDDLE_WIRE_CAUGHT     /* it was thought to keep nothing, but was seen to write */
};

typedef struct heddle_wire_callee {
    uint64_t address;
    uint64_t calls;  /* while there were threads */
    uint32_t module; /* number */
    uint32_t known;  /* enum heddle_wire_known */
    uint32_t lost;   /* 1: it was given memory, and what it does there is not known */
    char name[HEDDLE_WIRE_CALLEE];
} heddle_wire_callee;

typedef struct heddle_wire_module {
    uint64_t base; /* what was added to the file's addresses */
    uint64_t low, high;
    char path[HEDDLE_WIRE_PATH];
} heddle_wire_module;

/* How the run stands, as far as the runtime knows. */
enum heddle_wire_ending {
    HEDDLE_WIRE_RUNNING,  /* or killed: the process's status says more */
    HEDDLE_WIRE_EXITED,   /* by exit, _exit or the return from main */
    HEDDLE_WIRE_ABORTED,  /* by abort or a failed assertion */
    HEDDLE_WIRE_DEADLOCK, /* every thread waits; the runtime ended the process */
    HEDDLE_WIRE_DIVERGED, /* the program did not follow the schedule */
    HEDDLE_WIRE_STOPPED   /* at the end of the events that it was to follow, as asked for */
};

/* Memory was used that was freed, or freed twice: where; and where, and by whom, it was freed. Code
 * addresses, 0: not known. */
typedef struct heddle_wire_fault {
    uint64_t code, freed;
    uint32_t freed_by;
} heddle_wire_fault;

/* A stretch of a schedule: so many steps of a thread.  A step is a plain access, a range, a
 * mark, or the passing of another point; some leave no event (a yield), some several. */
typedef struct heddle_wire_run {
    uint32_t thread;
    uint32_t steps;
} heddle_wire_run;

/*
 * Exploring.  The first process stays what it was when main was about to run.  For every run
 * that is asked for it forks a child (HEDDLE_WIRE_BY_FORK); or it forks one child that does run
 * after run and puts its memory back in between (HEDDLE_WIRE_BY_MEMORY), until that one dies.
 * A run follows the decisions, then takes the lowest thread that can go on and is not asleep,
 * until there is none, or as `first`, `parked` and `seed` say; each step is logged.
 *
 * A step begins when a thread passes its point and ends at its next one.  What can only
 * happen in one way goes with the step that made it possible: the first instructions of a
 * thread that was created, the end of a thread unless the program tries to join some, the
 * return from a join, but for the one after which a thread is alone, and unless threads are
 * cancelled.  So behind a step the next
 * operations of several threads may be new.  Plain accesses are points only if they touch a word (8
 * bytes) of the table `shared`. Words that turn out to be shared and are not in it are reported.
 * Threads are numbered by the table of names, which grows: a number means the same in every run.
 *
 * To ask for a run costs as much as to do some of its steps.  So others that will be wanted can be
 * asked for with it; the runtime does them one after the other until one is not as usual, which
 * is then forgotten: it will be asked for again, alone.
 */
enum {
    HEDDLE_WIRE_EXPLORED = 64,   /* threads */
    HEDDLE_WIRE_STEPS = 1 << 20, /* of a run */
    HEDDLE_WIRE_NEXTS = HEDDLE_WIRE_STEPS + 4 * HEDDLE_WIRE_EXPLORED,
    HEDDLE_WIRE_SHARED = 1 << 17, /* places of the table, a power of two; at most half are used */
    HEDDLE_WIRE_PART = 512,       /* places of a part of it: a page */
    HEDDLE_WIRE_FRESH = 4096,     /* words reported by one run */
    HEDDLE_WIRE_LOOPS = 64,       /* reads that come again */
    HEDDLE_WIRE_COPIES = 256,     /* writes that are announced before the read of the same copy */
    HEDDLE_WIRE_WEAKER = 4096, /* places of atomic operations that ask for less; at most so many */
    HEDDLE_WIRE_FRAMES = 32,   /* of a stack */
    HEDDLE_WIRE_WISHES = 15,   /* more runs that are asked for together with one */
    HEDDLE_WIRE_WISHED = 8,    /* decisions that only one of them has */
    HEDDLE_WIRE_LOOKS_KEPT = 16, /* of a run */
    HEDDLE_WIRE_PARCEL = 1 << 12 /* steps, and next operations, of all of them together */
};

typedef struct heddle_wire_decision {
    uint8_t thread, choice;
} heddle_wire_decision;

typedef struct heddle_wire_step {
    uint8_t thread, choice;
    uint8_t over;      /* the process is on its way out: no thread has a next operation; 2: as
                          the last thread ended, and none had joined all others */
    uint32_t nexts;    /* where the next operations that are new behind it end in `next` */
    uint64_t enabled;  /* threads that can go on behind it */
    uint64_t succeeds; /* threads whose next operation would not fail or time out */
    uint64_t value;    /* that it read or wrote, if it is an access of at most 8 bytes */
    uint64_t before;   /* what an update found there */
} heddle_wire_step;

/* Plain reads of a thread that is alone are no steps.  So what it does then may depend on what
 * others wrote, though it took no step to learn it: these words are listed. */
typedef struct heddle_wire_look {
    uint64_t word;
    uint32_t step;   /* during it, the first is 1 */
    uint32_t thread; /* whose word it is; HEDDLE_WIRE_EXPLORED: it is shared */
} heddle_wire_look;

typedef struct heddle_wire_looks {
    uint32_t count;
    uint32_t more; /* during this step there were others that found no place; 0: none */
    heddle_wire_look look[HEDDLE_WIRE_LOOKS_KEPT];
} heddle_wire_looks;

/* A run that will be wanted too: the first decisions of the one that is asked for, then others. */
typedef struct heddle_wire_wish {
    uint32_t depth, decisions;
    heddle_wire_decision decision[HEDDLE_WIRE_WISHED];
    uint64_t asleep;
} heddle_wire_wish;

/* One of several runs that were done for one request.  What its log has from step `from` on is
 * in parcel_step and parcel_next, behind that of the runs before it; what is before that step is
 * as in the run before it. */
typedef struct heddle_wire_parcel {
    uint32_t from, steps;      /* steps that are not there, steps in all */
    uint32_t next_from, nexts; /* the same of next operations */
    uint32_t stopped;          /* HEDDLE_WIRE_AT_END, with status 0; HEDDLE_WIRE_ASLEEP */
    heddle_wire_looks looks;
} heddle_wire_parcel;

/* Sent to a run that takes no step any more: it keeps the stack of the present thread and ends.  A
 * real-time signal that programs hardly use. */
enum { HEDDLE_WIRE_HANG_SIGNAL = 62 };

/* ALONE: no server and no child, the process itself is the one run; for people who look at
 * it with a debugger, or want its full record. */
enum { HEDDLE_WIRE_RUN, HEDDLE_WIRE_QUIT, HEDDLE_WIRE_ALONE };

/* Code addresses of a thread's calls, innermost first, without the runtime's own. */
typedef struct heddle_wire_stack {
    uint32_t thread;
    uint32_t frames;
    uint64_t code[HEDDLE_WIRE_FRAMES];
} heddle_wire_stack;
/* What a thread would do next. */
typedef struct heddle_wire_next {
    heddle_wire_operation operation;
    uint64_t with; /* of a wait on a condition: the mutex; of an update: not 0 if it compares; of a
                      call: the number of its callee + 1;
                      of a read that spins: another word that it waits for, and its size << 56;
                      of a join: not 0 if it wants the thread's result; of an end: that result */
    uint64_t joined; /* threads whose end it saw since its last step */
    uint8_t thread;
    uint8_t ended; /* nothing */
    uint8_t first; /* the thread has taken no step yet */
} heddle_wire_next;

/* A read, or a try, that a thread did twice with nothing in between.  What the runtime finds out
 * about it holds from the next search on: within one search a read must be the same everywhere. */
typedef struct heddle_wire_loop {
    uint64_t code;
    uint32_t now;   /* HEDDLE_WIRE_LOOP_..., as the search that is on has it; from the tool */
    uint32_t found; /* from the runtime */
} heddle_wire_loop;

enum {
    HEDDLE_WIRE_LOOP_SEEN = 1,
    HEDDLE_WIRE_LOOP_PROVED = 2,  /* a thread went round while nobody else took a step, and memory
                                     was the same then */
    HEDDLE_WIRE_LOOP_RESTLESS = 4 /* memory was another: it is no loop that waits */
};

/* There are operations that meet all others; waits may end by cancellation. */
enum { HEDDLE_WIRE_EXITS = 1, HEDDLE_WIRE_CANCELS = 2, HEDDLE_WIRE_LOCKS_STREAMS = 4 };

/* Accesses that are not all seen (heddle_wire_explore.hidden). */
enum {
    HEDDLE_WIRE_HIDES_COPIES = 1,  /* more copies of structures than can be told */
    HEDDLE_WIRE_HIDES_STACKS = 2,  /* a thread touched another one's stack */
    HEDDLE_WIRE_HIDES_SIGNALS = 4, /* a signal was sent to the process: any thread may handle it */
    HEDDLE_WIRE_HIDES_MAPPED = 8,  /* files were used while some were mapped as shared memory */
    HEDDLE_WIRE_HIDES_UNMAPPED = 16, /* more memory was mapped or protected than is looked at */
    HEDDLE_WIRE_HIDES_LOCALE = 32,   /* the locale was changed while threads ran */
    HEDDLE_WIRE_HIDES_CANCELS = 64,  /* a thread may be cancelled anywhere, not only at its steps */
    HEDDLE_WIRE_HIDES_WRITERS = 128  /* a read-write lock prefers writers that wait */
};

/* How memory is put back, and how a run stopped that did not end. */
enum { HEDDLE_WIRE_BY_FORK, HEDDLE_WIRE_BY_MEMORY };
enum {
    HEDDLE_WIRE_AT_END,
    HEDDLE_WIRE_CUT,    /* at most_steps, or everybody who could go on has taken most_own */
    HEDDLE_WIRE_ASLEEP, /* everybody who could go on is asleep */
    HEDDLE_WIRE_AGAIN,  /* it needs a new process: a thread was not known */
    HEDDLE_WIRE_UNSAFE  /* its memory cannot be put back; the message says why */
};

typedef struct heddle_wire_explore {
    /* From the tool. */
    uint32_t request; /* number of the run that is wanted; a futex */
    uint32_t what;    /* HEDDLE_WIRE_RUN, HEDDLE_WIRE_QUIT, HEDDLE_WIRE_ALONE */
    uint32_t decisions;
    uint32_t most_steps; /* of the run, */
    uint32_t most_own;   /* and of a thread: one that has taken so many is not taken behind the
                            decisions */
    uint32_t captured;   /* standard output is a file that is looked at */
    uint32_t stacks;     /* wanted: keep the stacks of those that wait, or of who fails */
    uint32_t functions;  /* wanted: of the run that is asked for, in a process of its own */
    uint32_t audited;    /* wanted: hold functions to what the table says of them (rt_audit.c) */

    /* Of a run alone. */
    uint32_t recorded; /* every event is recorded, as in a run by seed */
    uint32_t stop_at;  /* behind this step heddle_rt_stopped is called; 0: none */
    uint32_t placed; /* loops and copies, told from the beginning of the code, have their places */
    uint32_t nears;  /* shared words of the stack of main: bytes below its top */
    uint64_t near[HEDDLE_WIRE_FRESH];
    uint32_t reset;   /* HEDDLE_WIRE_BY_FORK, HEDDLE_WIRE_BY_MEMORY */
    uint32_t renewed; /* how often the table of shared words was changed */
    uint64_t asleep;  /* threads that need not be taken behind the decisions, until something is
                         done that meets their next operation; a hint */
    uint64_t first;   /* threads that are rather taken behind the decisions */
    uint64_t parked;  /* threads that are not taken there */
    uint64_t seed;    /* if not 0, the thread is drawn there, and not the lowest taken */
    uint32_t wishes;  /* runs to be done behind the one that is asked for, if that is done by
                         memory and ends well */
    heddle_wire_wish wish[HEDDLE_WIRE_WISHES];

    /* From the runtime. */
    uint32_t done; /* runs whose log is in the parcels, all of them without output; 0: the one that
                      was asked for is in `step` and `next` */
    uint32_t answer; /* number of the run that is done; a futex */
    uint32_t begun;  /* number of the run that is being done */
    int32_t child;
    int32_t status; /* of the child, as from waitpid */
    uint32_t steps;
    uint32_t progress;     /* steps of all runs, but yields of threads that run on and on */
    uint32_t stopped;      /* HEDDLE_WIRE_AT_END, ... */
    uint32_t kept;         /* steps that were the same as in the run before and not taken again */
    uint32_t fresh;        /* words found to be shared */
    uint32_t threads;      /* names */
    uint32_t beyond;       /* a thread found no number */
    uint32_t loops;        /* that wait by reading, perhaps */
    uint32_t loop_news;    /* how often the table was changed */
    uint32_t unseen;       /* a thread changed what others look at, or wrote to standard output, in
                              a way that is no step */
    uint32_t caught;       /* functions that were found to have state, so far */
    uint32_t statics;      /* instrumented code accesses data of a known library */
    uint32_t unattributed; /* state of others changed, and nothing was called that is known */
    heddle_wire_looks looks; /* of the present run */
    heddle_wire_loop loop[HEDDLE_WIRE_LOOPS];
    uint32_t copies; /* in `copy` */
    uint64_t copy[HEDDLE_WIRE_COPIES];
    uint64_t targets; /* threads that signals with handlers are sent to */
    uint32_t hidden;  /* what was seen that may hide something: HEDDLE_WIRE_HIDES_... */
    uint32_t weaker;  /* places with atomic operations that ask for less than they get */
    uint64_t weaker_code[HEDDLE_WIRE_WEAKER]; /* by hash, then the next free place */
    uint64_t wrote;                           /* bytes to standard output, if it is captured */
    uint32_t put_back;  /* descriptors and shared mappings that are put back before each run */
    uint32_t undone;    /* calls whose changes of files are undone after the run */
    uint32_t unwatched; /* such calls cannot be seen here */
    char left[128];     /* what a run leaves to the next one, in words; "": nothing is known of */
    char input[64];     /* what it reads that is not the same twice; "": nothing is known of */
    uint32_t stacked;   /* stacks that were kept */
    heddle_wire_stack stack[HEDDLE_WIRE_EXPLORED];
    uint32_t exits; /* what may happen while others run: HEDDLE_WIRE_EXITS, _CANCELS,
                       _LOCKS_STREAMS */
    uint32_t ends;  /* why the end of a thread is a step: HEDDLE_WIRE_ENDS_... */
    struct {
        uint32_t creator, birth;
    } name[HEDDLE_WIRE_EXPLORED];
    uint8_t shared_part[HEDDLE_WIRE_SHARED / HEDDLE_WIRE_PART]; /* does it have any? */
    uint64_t shared[HEDDLE_WIRE_SHARED]; /* word + 1; by hash, then the next free place */
    uint64_t fresh_word[HEDDLE_WIRE_FRESH];
    heddle_wire_decision decision[HEDDLE_WIRE_STEPS];
    heddle_wire_step step[HEDDLE_WIRE_STEPS];
    heddle_wire_next next[HEDDLE_WIRE_NEXTS];
    heddle_wire_parcel parcel[HEDDLE_WIRE_WISHES + 1];
    heddle_wire_step parcel_step[HEDDLE_WIRE_PARCEL];
    heddle_wire_next parcel_next[HEDDLE_WIRE_PARCEL];
} heddle_wire_explore;

/* Does it matter in which order two threads do that?  As the explorer sees it, but roughly: it
 * is only to guess how it will go on. */
static inline int heddle_wire_meet(const heddle_wire_operation *a, const heddle_wire_operation *b) {
    if (a->kind == HEDDLE_WIRE_EXIT || b->kind == HEDDLE_WIRE_EXIT ||
        a->kind == HEDDLE_WIRE_ATOMIC || b->kind == HEDDLE_WIRE_ATOMIC)
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

/* Where signals for a thread are sent, and where it looks for them: a place that is no memory. */
static inline uint64_t heddle_wire_signals(uint32_t thread) {
    return UINT64_C(0x800) + 8 * (uint64_t)thread;
}

/* An atomic operation behind `code` asks for less than sequential consistency. */
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

/* Why the end of a thread is a step (heddle_wire_explore.ends). */
enum {
    HEDDLE_WIRE_ENDS_ASKED = 1, /* the program may ask whether a thread has ended */
    HEDDLE_WIRE_ENDS_LAST = 2   /* main left by pthread_exit: who ends last runs exit's handlers */
};

/* Where all ends meet if it matters which is the last: a place that is no memory. */
#define HEDDLE_WIRE_LAST_END UINT64_C(0x7f8)

/* The table of shared words: where a word is, or the free place for it. */
static inline uint32_t heddle_wire_shared_place(const heddle_wire_explore *explore, uint64_t word) {
    uint32_t place =
        (uint32_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (HEDDLE_WIRE_SHARED - 1);
    if (!explore->shared_part[place / HEDDLE_WIRE_PART])
        return place; /* and its page is not touched: most never are */
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

/*
 * Accesses to a page of memory, 16 bits for each word of 8 bytes: bit i: an access begins
 * or ends before byte i; bit 8: one ends with the word; bit 8 + i: one goes over the border
 * before byte i.  Of what does not lie in one word only the ends are noted.
 */
typedef struct heddle_wire_page {
    uint64_t number; /* address / HEDDLE_WIRE_PAGE + 1; by hash, then the next free place */
    uint16_t marks[HEDDLE_WIRE_PAGE / 8];
} heddle_wire_page;

static inline uint32_t heddle_wire_page_place(uint64_t page) {
    return (uint32_t)(page * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (HEDDLE_WIRE_PAGES - 1);
}

/* A block of the heap: when, where and by whom it was allocated. */
typedef struct heddle_wire_block {
    uint64_t address, size, code;
    uint32_t thread;
} heddle_wire_block;

/* Where a chunk ends: the bytes in it, and events that came as expected behind them.  One
 * word, so that whoever looks after the process was killed sees whole records only. */
static inline uint64_t heddle_wire_tail(uint64_t bytes, uint64_t run) {
    return bytes << 19 | run;
}
#define HEDDLE_WIRE_TAIL_BYTES(tail) ((tail) >> 19 & 0x1fffff)
#define HEDDLE_WIRE_TAIL_RUN(tail) ((tail)&0x7ffff)

typedef struct heddle_wire_chunk {
    uint64_t lane; /* + 1; 0: nothing was written yet, or it was taken away */
    uint64_t tail;
    uint64_t items;  /* records before the tail's run; an access is one */
    uint64_t silent; /* of these and of the run: allocations, calls and others that are no events */
    uint64_t number; /* among all that were ever begun */
    uint64_t whole;  /* its lane has begun another */
    unsigned char bytes[];
} heddle_wire_chunk;

typedef struct heddle_wire {
    uint64_t magic;
    uint64_t size; /* of the file */

    /* From the tool. */
    uint64_t seed;
    uint32_t mode;
    uint32_t decision;
    uint32_t points;
    uint32_t quiet;    /* nothing on standard error */
    uint32_t calls;    /* record where functions begin and end */
    uint64_t schedule; /* offset of struct heddle_wire_run [schedule_runs] */
    uint64_t schedule_runs;
    uint32_t stops;   /* behind the last event of it */
    uint32_t watched; /* a debugger is there */
    uint64_t explore; /* offset of struct heddle_wire_explore */

    /* From the tool, of a run that it reads as it goes on: chunks are given back behind the
     * reader, and the program waits where it is too far ahead of it. */
    uint32_t live;    /* the tool's process; 0: it reads at the end */
    uint32_t allowed; /* chunks that may be taken so far; a futex */

    /* From the tool, of a run whose whole chunks it takes away as they come: where a chunk can
     * be begun again, its place + 1, else 0.  So a long record needs little memory that both
     * have, which is slow to get. */
    uint32_t drained;
    uint32_t emptied[HEDDLE_WIRE_EMPTIED];

    /* From the tool, of explored programs (launch_options.h). */
    uint32_t spurious;   /* times that a thread may wake from condition waits by itself */
    uint32_t prints;     /* writes to standard output are steps */
    uint32_t sv_comp;    /* the conventions of SV-COMP: main waits for the threads */
    uint64_t input_seed; /* of inputs that are not in the list; 0: they are 0 */
    uint32_t inputs;
    uint32_t atomics; /* functions that run without others between */
    uint64_t error;   /* code address of the program's own reach_error, as an offset; 0: none */
    int64_t input[HEDDLE_WIRE_INPUTS];
    uint64_t atomic[HEDDLE_WIRE_ATOMICS]; /* code addresses, as offsets */

    /* From the runtime. */
    uint32_t attached;  /* the runtime has found the file */
    uint32_t ending;    /* enum heddle_wire_ending */
    uint64_t code;      /* code addresses are offsets from here */
    uint64_t chunks;    /* places that are taken so far */
    uint64_t begun;     /* chunks */
    uint32_t wholes;    /* of these, if they are taken away; a futex */
    uint32_t scattered; /* accesses that do not lie in one word were seen: an event may be
                           several */
    uint32_t beyond;    /* a table had no place, or there are labels: the record must be read */
    uint32_t pages;     /* places of the table of borders that are taken, in page_list */
    uint64_t objects, blocks;
    uint64_t codes;      /* code addresses of the record, in code_list */
    uint64_t lost;       /* events that found no place */
    uint32_t calls_lost; /* calls found no place: stacks lack their innermost frames */
    uint64_t switches;   /* from one thread to another */
    uint64_t points_passed;
    uint64_t steps;       /* of the present thread since the switch, but plain ones */
    uint64_t run;         /* of the schedule, where it stands */
    uint32_t events_made; /* of a run along events: so far */
    int64_t now;          /* virtual time */
    uint32_t threads;     /* ever born */
    uint32_t current;
    uint32_t modules;
    uint32_t refused; /* calls that cannot be done under control, such as fork */
    int64_t tls;      /* where the program's own thread-local block begins, from the thread
                         pointer; its size */
    uint64_t tls_size;
    uint32_t functions; /* in `function`; more than it has: some found no place */
    uint64_t files;     /* address of the variables of files, HEDDLE_WIRE_FILES of 8 bytes */
    char message[256];
    heddle_wire_fault fault; /* if the message says so */
    uint32_t modules_lost;   /* 1: some found no place */
    heddle_wire_module module[HEDDLE_WIRE_MODULES];
    heddle_wire_thread thread[HEDDLE_WIRE_THREADS];
    uint32_t labels; /* of marks */
    char label[HEDDLE_WIRE_LABELS][HEDDLE_WIRE_LABEL + 1];
    uint64_t code_list[HEDDLE_WIRE_CODES];
    uint32_t page_list[HEDDLE_WIRE_PAGES];
    heddle_wire_function function[HEDDLE_WIRE_FUNCTIONS];
    uint32_t callees; /* of explored programs; more than there are places: some found none */
    heddle_wire_callee callee[HEDDLE_WIRE_CALLEES];
} heddle_wire;

static inline heddle_wire_chunk *heddle_wire_chunk_at(heddle_wire *wire, uint64_t number) {
    return (heddle_wire_chunk *)((char *)wire + HEDDLE_WIRE_DATA + number * HEDDLE_WIRE_CHUNK);
}

static inline heddle_wire_page *heddle_wire_pages(heddle_wire *wire) {
    return (heddle_wire_page *)((char *)wire + HEDDLE_WIRE_BORDERS);
}

/* class << 56 | address; an object may be there several times. */
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
