/*
 * Operations of threads and the objects that they are on, as the runtime, the explorer, the
 * prediction of runs and the texts for people all see them.
 */
#ifndef HEDDLE_WIRE_OBJECTS_H
#define HEDDLE_WIRE_OBJECTS_H

#include <stdint.h>

#include "event.h"

/* Kinds of locks, in heddle_wire_operation.size of an operation that takes or releases one. */
enum heddle_wire_lock {
    HEDDLE_WIRE_MUTEX,
    HEDDLE_WIRE_RWLOCK,
    HEDDLE_WIRE_SPIN,
    HEDDLE_WIRE_STREAM,   /* the lock of a FILE */
    HEDDLE_WIRE_ANNOTATED /* the program's own, known by its annotations (rt_annotate.c) */
};

/* Kinds of initialisation, in heddle_wire_operation.size of HEDDLE_WIRE_ONCE, and the values that
 * the runtime stores in the object. */
enum heddle_wire_initialiser {
    HEDDLE_WIRE_BY_ONCE, /* pthread_once; 4 bytes */
    HEDDLE_WIRE_BY_GUARD /* the guard of a static object of C++; 2 bytes */
};
enum {
    HEDDLE_WIRE_ONCE_RUNS = 1,
    HEDDLE_WIRE_ONCE_DONE = 2,
    HEDDLE_WIRE_GUARD_DONE = 1,    /* the first byte */
    HEDDLE_WIRE_GUARD_RUNS = 0x100 /* the second */
};

/* Kinds of event.def in operations and records, where 0 means no kind. */
enum heddle_op {
    HEDDLE_OP_NONE,
#define HEDDLE_KIND(ID, op, CLASS, traits, text) HEDDLE_OP_##ID,
#include "event.def"
};

/* What a thread is about to do: a kind above, or */
enum heddle_wire_pending {
    HEDDLE_WIRE_NOTHING = 0,
    HEDDLE_WIRE_START = 128, /* run its first instruction */
    HEDDLE_WIRE_SLEEP,       /* the size is 1 if the deadline is how long, from its step on */
    HEDDLE_WIRE_YIELD,
    HEDDLE_WIRE_ONCE,  /* wait for an initialisation by another thread */
    HEDDLE_WIRE_FUTEX, /* wait in a futex system call */
    HEDDLE_WIRE_FENCE, /* of a size HEDDLE_WIRE_A_CLOCK: look at the clock; of HEDDLE_WIRE_A_FAULT:
                          fail at an instruction, or in a call */
    HEDDLE_WIRE_EXTERNAL, /* wait for something outside the program: a file, a signal */
    HEDDLE_WIRE_FINISH,   /* end the thread; this and the following only in explored programs */
    HEDDLE_WIRE_EXIT,     /* end the process */
    HEDDLE_WIRE_CANCEL,   /* cancel a thread */
    HEDDLE_WIRE_ATOMIC,   /* a whole atomic section */
    HEDDLE_WIRE_ASSUME,   /* an assumption does not hold: never */
    HEDDLE_WIRE_OUTPUT,   /* take the lock of a stream, use it, and give the lock back; the size
                             says whether what is in its buffer goes to an output that is compared */
    HEDDLE_WIRE_CALL,     /* call an uninstrumented function; the object is its state */
    HEDDLE_WIRE_TESTS,    /* be at a cancellation point that need not wait */
    HEDDLE_WIRE_REUSE,    /* HEDDLE_WIRE_EITHER: ask for a freed block; HEDDLE_WIRE_FREES: get one;
                             with HEDDLE_WIRE_ALSO: free one, that others may get */
    HEDDLE_WIRE_CHOICE,   /* ask for an input; the size says how many values it may have */
    HEDDLE_WIRE_ROUND     /* it came round a loop for nothing: never, in this run */
};

typedef struct heddle_wire_operation {
    uint8_t kind;
    uint8_t orders;   /* of an atomic access or a fence: enum heddle_order; above it, from bit 4 on,
                         that of a compare-and-swap that fails; of a plain access:
                         HEDDLE_WIRE_EXEMPT, or 0; of a choice: 1 if it is for the atomic section
                         that comes next; of a section: 1 if it is the program's own, whose accesses
                         are told */
    uint16_t flags;   /* HEDDLE_WIRE_TIMED, HEDDLE_WIRE_TRY */
    uint32_t size;    /* bytes of an access */
    uint64_t address; /* of the object; of a join, the thread */
    uint64_t code;    /* the address after the call */
    int64_t deadline; /* nanoseconds of virtual time, if HEDDLE_WIRE_TIMED; HEDDLE_WIRE_ALSO */
} heddle_wire_operation;

enum { HEDDLE_WIRE_EXEMPT = 0x80 }; /* by an annotation, no race with it counts */

enum { HEDDLE_WIRE_A_CLOCK = 1, HEDDLE_WIRE_A_FAULT };

enum {
    HEDDLE_WIRE_TIMED = 1,
    HEDDLE_WIRE_TRY = 2,
    HEDDLE_WIRE_NESTED = 4, /* of a mutex that the thread already holds or keeps; this and the
                               following only in explored programs */
    HEDDLE_WIRE_LOOKS = 8,  /* only looks at the object */
    HEDDLE_WIRE_SPINS = 16, /* a read or an acquire in a loop that waits for another value, or a try
                               that is repeated until it succeeds */
    HEDDLE_WIRE_WAKES = 32, /* a timed wait that may also wake spuriously */
    HEDDLE_WIRE_INSIDE = 64, /* done by uninstrumented code that has state: what comes after it may
                                change that state */
    HEDDLE_WIRE_FREES = 128, /* a write: the block is freed */
    HEDDLE_WIRE_RUNS_ON = 256, /* a yield of a thread that made very many accesses without another
                                 point */
    HEDDLE_WIRE_PRINTS = 256,  /* a call: it may change what comes out of the program, where that is
                                 compared (the state "printed") */
    HEDDLE_WIRE_STORES = 512,  /* a call: it may change data of its module that others access */
    HEDDLE_WIRE_TELLS = 512,   /* a write in a loop that waits: what its thread does next depends on
                                  whether it changed something (HEDDLE_WIRE_LOOP_WRITES) */
    HEDDLE_WIRE_EITHER = 1024, /* if it would succeed it may also end in another way: a cancellation
                                  point that need not act, a wait in which a handler has run */
    HEDDLE_WIRE_WATCHED = 2048, /* on an object whose memory is accessed by other means, too: it is
                                   initialised or destroyed while threads run, */
    HEDDLE_WIRE_ODD = 4096,     /* or overwritten or looked at while it is in use */
    HEDDLE_WIRE_ALSO = 8192,    /* a call with another state, whose address is in the place of the
                                   deadline; its lowest bit: it only looks at that */
    HEDDLE_WIRE_FILED = 16384,  /* a call that looks at the files of the system, too */
    HEDDLE_WIRE_POLLED = 32768  /* on a lock, while a loop takes one in each round and waits */
};

/* Objects by what they are in memory, each of a size that depends on the architecture. */
enum heddle_wire_body {
    HEDDLE_WIRE_NO_BODY, /* it is not looked at */
    HEDDLE_WIRE_MUTEX_BODY,
    HEDDLE_WIRE_RWLOCK_BODY,
    HEDDLE_WIRE_SPIN_BODY,
    HEDDLE_WIRE_COND_BODY,
    HEDDLE_WIRE_BARRIER_BODY,
    HEDDLE_WIRE_SEMAPHORE_BODY,
    HEDDLE_WIRE_ONCE_BODY,
    HEDDLE_WIRE_BODIES
};

/* That of the object of an operation.  None where a thread only goes on that waited: the object may
 * be gone then. */
static inline enum heddle_wire_body heddle_wire_body_of(const heddle_wire_operation *operation) {
    switch (operation->kind) {
    case HEDDLE_ACQUIRE + 1:
    case HEDDLE_RELEASE + 1:
        return operation->size == HEDDLE_WIRE_MUTEX    ? HEDDLE_WIRE_MUTEX_BODY
               : operation->size == HEDDLE_WIRE_RWLOCK ? HEDDLE_WIRE_RWLOCK_BODY
               : operation->size == HEDDLE_WIRE_SPIN   ? HEDDLE_WIRE_SPIN_BODY
                                                       : HEDDLE_WIRE_NO_BODY;
    case HEDDLE_READ_ACQUIRE + 1:
    case HEDDLE_READ_RELEASE + 1:
        return operation->size == HEDDLE_WIRE_RWLOCK ? HEDDLE_WIRE_RWLOCK_BODY
                                                     : HEDDLE_WIRE_NO_BODY;
    case HEDDLE_WAIT + 1:
    case HEDDLE_NOTIFY + 1:
    case HEDDLE_NOTIFYALL + 1:
        return HEDDLE_WIRE_COND_BODY;
    case HEDDLE_BARRIER_IN + 1:
        return HEDDLE_WIRE_BARRIER_BODY;
    case HEDDLE_SEND + 1:
    case HEDDLE_RECV + 1:
        return HEDDLE_WIRE_SEMAPHORE_BODY;
    case HEDDLE_WIRE_ONCE: /* compiled code reads guards itself */
        return operation->size == HEDDLE_WIRE_BY_ONCE ? HEDDLE_WIRE_ONCE_BODY : HEDDLE_WIRE_NO_BODY;
    default:
        return HEDDLE_WIRE_NO_BODY;
    }
}

#endif
