/*
 * An event of a trace, as the tool, the library and the runtime share it.
 *
 * Everything about the kinds of events comes from event.def.  An event names its thread, object and
 * location by number; the names are in the tables of the trace, one table per class.
 */
#ifndef HEDDLE_EVENT_H
#define HEDDLE_EVENT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum heddle_kind {
#define HEDDLE_KIND(ID, op, CLASS, traits, text) HEDDLE_##ID,
#include "event.def"
    HEDDLE_KIND_COUNT
};

enum heddle_class {
#define HEDDLE_CLASS(ID, name, plural) HEDDLE_CLASS_##ID,
#include "event.def"
    HEDDLE_CLASS_COUNT
};

/* Traits of a kind. */
enum {
    HEDDLE_T_READS = 1,     /* memory is read */
    HEDDLE_T_WRITES = 2,    /* memory is written */
    HEDDLE_T_ATOMIC = 4,    /* the access is atomic */
    HEDDLE_T_LOCK = 8,      /* a lock is taken or released */
    HEDDLE_T_VALUE = 16,    /* may carry a value */
    HEDDLE_T_ACQUIRES = 32, /* a lock is taken */
    HEDDLE_T_SHARED = 64,   /* the lock is taken or released for reading */
    HEDDLE_T_TRIES = 128,   /* an acquire that does not wait */
    HEDDLE_T_ORDERED = 256, /* has a memory order */
    HEDDLE_T_ACCESS = HEDDLE_T_READS | HEDDLE_T_WRITES
};

/* Flags of one event. */
enum {
    HEDDLE_HAS_VALUE = 1, /* .value is known */
    HEDDLE_REENTRANT = 2, /* an acquire or release inside a hold of the same
                             thread: stays an event, changes no lock */
    HEDDLE_GUESSED = 4,   /* an access of a free run whose order relative to another thread's access
                             to the same variable was guessed */
    HEDDLE_UNEXPLAINED = 8, /* of those: no order was found in which it reads its value */
    HEDDLE_CONTINUED =
        16, /* not a step of its own: more of the access before, or what a call stored */
    HEDDLE_ORDER = 0xe0,  /* the memory order of an atomic access or a fence: enum heddle_order */
    HEDDLE_EXEMPT = 0xa0, /* in its place, of a plain access: the program says that no race with it
                             counts (a benign race, accesses that are ignored) */
    HEDDLE_KEPT = 0xa0,   /* in its place, of an atomic read, whose order is the strongest then: the
                             thread waited until it could see this write (pthread_once) */
    HEDDLE_CERTAIN = 0xc0 /* in its place, of a plain access, or of an acquire or release of a lock:
                             it follows the event before it in its thread, whatever the reads of
                             the thread since its last event that is not certain have seen */
};

/* Memory orders as in C11; consume counts as acquire.  A trace that says nothing means the
 * strongest one. */
enum heddle_order {
#define HEDDLE_MEMORY_ORDER(ID, word) HEDDLE_ORDER_##ID,
#include "event.def"
    HEDDLE_ORDER_COUNT,
    HEDDLE_ORDER_EXEMPT = HEDDLE_ORDER_COUNT, /* no order: HEDDLE_EXEMPT, HEDDLE_KEPT */
    HEDDLE_ORDER_CERTAIN,                     /* no order: HEDDLE_CERTAIN */
    HEDDLE_ORDER_SHIFT = 5
};

typedef struct heddle_event {
    uint32_t thread;
    uint32_t object;   /* in the class of the kind */
    uint32_t location; /* 0: not known */
    uint16_t size;     /* bytes of an access; 0: not known */
    uint8_t kind;      /* enum heddle_kind */
    uint8_t flags;
    int64_t value; /* read, written (the new value of a rmw) or noted */
} heddle_event;

static inline enum heddle_order heddle_event_order(const heddle_event *event) {
    unsigned number = event->flags >> HEDDLE_ORDER_SHIFT;
    return number < HEDDLE_ORDER_COUNT ? (enum heddle_order)number : HEDDLE_ORDER_SEQ_CST;
}

#ifdef __cplusplus
}
#endif
#endif
