/*
 * Small random programs with threads, and an interpreter that knows all that they can do.
 *
 * A program is drawn from a seed (drawn_generate.c), written as C (drawn_emit.c), and run under all
 * interleavings at sequential consistency by an interpreter of its own (drawn_interpret.c).  None
 * of this uses code or headers of heddle: it follows C, POSIX, and what doc/native-steps.md
 * promises about the size of a step.  So what both get wrong in the same way is at least not the same code.
 *
 * A statement is a line of the C program, so a race is a pair of lines.  Statements form a tree;
 * emitting writes the tree as text and as flat code, in the same order.
 *
 * Steps.  An access of at most 8 bytes is one step, aligned or not.  `x += 1`, a write to a
 * bit-field and a copy are two: they read, then they write.  A call of string.h reads each of its
 * ranges in one step and then writes in one step.  To use or free the shared block is to read the
 * pointer, and then a step on the block; to free it is a write of all of it.  A step on a block
 * that was freed ends the program, and whether such a step also races is open.  Where two threads
 * race in an access that is a range, the C program may be cut finer than this; such a program is
 * marked as `coarse`.
 */
#ifndef DRAWN_H
#define DRAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    DRAWN_THREADS = 5, /* main is 0 */
    DRAWN_REGISTERS = 3,
    DRAWN_STATEMENTS = 160,
    DRAWN_CODE = 200,
    DRAWN_MUTEXES = 2,
    DRAWN_CONDITIONS = 2,
    DRAWN_SEMAPHORES = 2,
    DRAWN_HANDLERS = 2,
    /* functions: bodies of threads, then the once functions, handlers and the static local's */
    DRAWN_ONCE = DRAWN_THREADS,
    DRAWN_HANDLER = DRAWN_ONCE + 2,
    DRAWN_COUNTED = DRAWN_HANDLER + DRAWN_HANDLERS,
    DRAWN_FUNCTIONS = DRAWN_COUNTED + 1,
};

/* What a program can have; `--without`, `--only` and `--with` take these names. */
/* clang-format off */
#define DRAWN_FEATURES(X) \
    X(nested) \
    X(elsewhere) \
    X(detached) \
    X(unjoined) \
    X(mutex) \
    X(recursive) \
    X(errorcheck) \
    X(try) \
    X(timed) \
    X(rwlock) \
    X(condition) \
    X(semaphore) \
    X(barrier) \
    X(once) \
    X(atomic) \
    X(orders) \
    X(overlap) \
    X(unaligned) \
    X(bitfield) \
    X(structs) \
    X(copies) \
    X(strings) \
    X(format) \
    X(stdio) \
    X(print) \
    X(library) \
    X(tls) \
    X(statics) \
    X(heap) \
    X(frees) \
    X(reuse) \
    X(results) \
    X(handlers) \
    X(exit) \
    X(mainends) \
    X(assertion) \
    X(branch) \
    X(choose) \
    X(section)
/* clang-format on */

typedef enum {
#define X(name) FEATURE_##name,
    DRAWN_FEATURES(X)
#undef X
        FEATURES
} feature;

typedef enum {
    PLACE_SCALAR,
    PLACE_UNION,
    PLACE_PACKED,
    PLACE_FIELD,
    PLACE_HEAP,
    PLACE_STRING,
    PLACE_STRUCT,
    PLACE_SLOT,
    PLACE_STATIC,
    PLACE_POINTER, /* to the block that threads share */
    PLACE_BLOCK,   /* in that block, where it is while the program runs */
} place_kind;

/* A place in memory as the program writes it, and where the interpreter has it. */
typedef struct {
    const char *text;
    int at, size;
    place_kind kind;
    int shift, bits; /* of a bit-field */
} place;

extern const place drawn_places[];
extern const int drawn_place_count;
enum {
    DRAWN_MEMORY = 256,
    DRAWN_SLOTS = 128,
    DRAWN_STATIC = 120,
    DRAWN_POINTER = 112,
    DRAWN_BLOCKS = 192, /* block n, from 1 on, is at DRAWN_BLOCKS + (n - 1) * DRAWN_BLOCK */
    DRAWN_BLOCK = 8,
    DRAWN_MOST_BLOCKS = (DRAWN_MEMORY - DRAWN_BLOCKS) / DRAWN_BLOCK
};
place drawn_place(int number);     /* a slot, too */
int drawn_find(const char *text);  /* the number of a place */
int drawn_slot(int thread, int r); /* the number of a thread's slot for a register */

typedef enum {
    /* memory */
    OP_STORE, /* place = value */
    OP_LOAD,  /* r = place */
    OP_ADD,   /* place += k */
    OP_ALOAD,
    OP_ASTORE,
    OP_AADD,
    OP_AEXCHANGE,
    OP_ACAS,
    OP_FENCE,
    OP_COPY,   /* memcpy, memmove or a struct's assignment: place, other, n bytes */
    OP_SET,    /* memset */
    OP_LENGTH, /* r = strlen */
    OP_STRCPY,
    OP_STRCAT,
    OP_STRCMP,
    OP_MEMCMP,
    OP_FORMAT, /* snprintf into a string */
    OP_FREE,   /* of the shared block, through the pointer */
    OP_MAKE,   /* pointer = calloc; with the feature `reuse` malloc, perhaps of a freed block */
    /* locks */
    OP_LOCKED, /* lock, children, unlock */
    OP_TRIED,  /* try or timed; children and unlock if it succeeded */
    OP_READ_LOCKED,
    OP_WRITE_LOCKED,
    OP_READ_TRIED,
    OP_WRITE_TRIED,
    OP_UNLOCK_ALIEN, /* unlock of a checking mutex that the thread does not have */
    OP_WAIT,
    OP_WAIT_UNTIL, /* while (place != k) wait */
    OP_WAIT_TIMED,
    OP_SIGNAL,
    OP_BROADCAST,
    OP_POST,
    OP_TAKE,
    OP_TRY_TAKE,
    OP_UNITS,
    OP_BARRIER,
    OP_ONCE,
    /* threads */
    OP_CREATE,
    OP_JOIN,
    OP_DETACH,
    /* others */
    OP_IF,
    OP_ASSERT,
    OP_PRINT,
    OP_LOG,
    OP_NEXT,  /* the library's counter */
    OP_NOTE,  /* the library's log */
    OP_LOCAL, /* a thread-local variable */
    OP_BLOCK, /* malloc, use, free */
    OP_COUNTED,
    OP_EXIT,
    OP_CHOOSE,  /* r = a number from k to k2, each of which is tried */
    OP_SECTION, /* children, with no step of another thread between */
    OP_FINAL,   /* main reads a place for the last line */
    /* only in flat code */
    OP_POINT, /* q = pointer; goes on if it is not NULL */
    OP_CLEAR, /* pointer = NULL */
    OP_UNLOCK,
    OP_RW_UNLOCK,
    OP_SECTION_END,
    OP_RETURN,
    OP_LAST_LINE, /* main prints what it read */
    OP_MAIN_ENDS, /* pthread_exit */
} operation;

typedef enum { RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST } memory_order;

typedef struct statement {
    operation op;
    int id, line;
    int place, other, n; /* places, or the number of an object; bytes */
    int r;               /* register of the result */
    int source;          /* register that a value comes from, or -1 */
    long k, k2;
    int form;        /* which of several ways to write it; memory order */
    int pointer;     /* how it gets or sets the pointer to the shared block */
    int child, next; /* statements, or -1 */
    bool dropped;
} statement;

/* How a statement gets or sets the pointer. */
enum { POINTER_PLAIN, POINTER_ATOMIC, POINTER_TAKEN /* exchanged with NULL; only to free */ };

/* The order of an atomic operation or a fence. */
memory_order drawn_order(const statement *s);

typedef struct {
    int line;
    operation op;
    const statement *s;
    int jump; /* where to go on if it does not hold */
} instruction;

typedef struct {
    int first; /* statement, or -1 */
    instruction code[DRAWN_CODE];
    int length;
    bool used;
} function;

typedef enum { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK } mutex_kind;

typedef struct {
    uint64_t seed;
    int attempt;
    statement statements[DRAWN_STATEMENTS];
    int count;
    statement extras[160]; /* those that every program has; nothing drops them */
    int extra_count;
    function functions[DRAWN_FUNCTIONS];
    int threads;
    int parent[DRAWN_THREADS];
    mutex_kind kinds[DRAWN_MUTEXES];
    int units[DRAWN_SEMAPHORES]; /* at the start */
    int party;                   /* of the barrier */
    int handlers;
    int result[DRAWN_THREADS]; /* what a thread returns: 0 nothing, 1 a value, 2 a heap block */
    bool ordered;              /* memory orders count */
    bool main_ends;            /* by pthread_exit */
    bool library_shared;       /* a .so, else an object file */
    bool has[FEATURES];        /* used, as emitted */
    bool place_used[64];
    int initial[3]; /* small values of some scalars */
    bool made;      /* main makes a block before all else */
    bool reuse;     /* freed blocks are handed out again while there are other threads */
} program;

/* Draws a program.  `allowed` says which features it may have, `wanted` which it has. */
void drawn_generate(program *p, uint64_t seed, int attempt, const bool allowed[FEATURES],
                    const bool wanted[FEATURES]);
/* Takes a statement out, with its children or (`keep`) without them; false if the program would
   then do something undefined. */
bool drawn_drop(program *p, int id, bool keep);
/* Writes it as C, and fills the flat code and `has`.  `file` may be NULL. */
void drawn_emit(program *p, FILE *file);

typedef struct {
    int first, second; /* lines, first <= second */
} line_pair;

/* An access, in some interleaving, and all earlier ones that happens-before of C11 does not order
   with it: numbers of pairs.  One of them is to be reported. */
enum { DRAWN_UNORDERED = 64 };
typedef struct {
    uint64_t pairs;
    bool hidden;
} unordered_access;

typedef struct {
    bool signal;
    int status;
    char output[200];
    bool hidden; /* only after a failing assertion was reached and before it ended the program */
} ending;

typedef struct {
    bool deadlock, deadlock_hidden;
    ending *endings;
    size_t ending_count;
    line_pair *races;
    bool *race_hidden;
    size_t race_count;
    int *failing_lines;
    bool *failing_hidden;
    size_t failing_count;
    bool coarse;
    line_pair unordered[DRAWN_UNORDERED]; /* only of a program with the feature `orders` */
    int unordered_count;
    unordered_access *accesses;
    size_t access_count;
    uint64_t states;
    double paths;
    bool too_big;
} truth;

/* All that the program can do, or too_big. */
void drawn_interpret(const program *p, truth *t, uint64_t most_states);
/* Adds the pairs that memory orders leave unordered: drawn_orders.c. */
void drawn_interpret_orders(const program *p, truth *t, uint64_t most_states);
void drawn_truth_release(truth *t);

#endif
