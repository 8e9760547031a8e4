/*
 * Properties of kinds of events and classes of objects, from event.def, and the tables of names
 * that events point into.
 */
#ifndef HD_TRACE_EVENT_H
#define HD_TRACE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "heddle/event.h"

_Static_assert(sizeof(heddle_event) == 24, "an event is 24 bytes");

/* Events are numbered by 32 bits. */
#define HD_TRACE_MAX_EVENTS (UINT32_MAX - 1)

/* The longest line of a text file, and the longest name: three of them fit. */
#define HD_TRACE_MAX_LINE ((size_t)16 << 20)
#define HD_TRACE_MAX_NAME ((size_t)4 << 20)

typedef struct hd_trace_kind {
    const char *op;   /* the word in the text format */
    const char *text; /* one line for people */
    uint8_t class;    /* of the object */
    uint16_t traits;  /* HEDDLE_T_... */
} hd_trace_kind;

typedef struct hd_trace_class {
    const char *name, *plural;
} hd_trace_class;

extern const hd_trace_kind hd_trace_kinds[HEDDLE_KIND_COUNT];
extern const hd_trace_class hd_trace_classes[HEDDLE_CLASS_COUNT];
/* Words of memory orders, and "exempt" and "certain", which take their place in other events. */
extern const char *const hd_trace_orders[HEDDLE_ORDER_CERTAIN + 1];

static inline unsigned hd_trace_traits(const heddle_event *event) {
    return hd_trace_kinds[event->kind].traits;
}

static inline bool hd_trace_is_access(const heddle_event *event) {
    return (hd_trace_traits(event) & HEDDLE_T_ACCESS) != 0;
}

static inline bool hd_trace_reads(const heddle_event *event) {
    return (hd_trace_traits(event) & HEDDLE_T_READS) != 0;
}

static inline bool hd_trace_writes(const heddle_event *event) {
    return (hd_trace_traits(event) & HEDDLE_T_WRITES) != 0;
}

/* Does it take a lock, in either mode, by whatever call? */
static inline bool hd_trace_acquires(const heddle_event *event) {
    return (hd_trace_traits(event) & HEDDLE_T_ACQUIRES) != 0;
}

static inline bool hd_trace_releases(const heddle_event *event) {
    return (hd_trace_traits(event) & (HEDDLE_T_LOCK | HEDDLE_T_ACQUIRES)) == HEDDLE_T_LOCK;
}

/* Is it an acquire or a release for reading? */
static inline bool hd_trace_is_shared(const heddle_event *event) {
    return (hd_trace_traits(event) & HEDDLE_T_SHARED) != 0;
}

/* Does it have a memory order? */
static inline bool hd_trace_is_ordered(const heddle_event *event) {
    return (hd_trace_traits(event) & HEDDLE_T_ORDERED) != 0;
}

/* Does the program say that no race with it counts? */
static inline bool hd_trace_is_exempt(const heddle_event *event) {
    return (event->flags & HEDDLE_ORDER) == HEDDLE_EXEMPT && !hd_trace_is_ordered(event);
}

/* An atomic read that waited for what it saw: it cannot see another write. */
static inline bool hd_trace_is_kept(const heddle_event *event) {
    return (event->flags & HEDDLE_ORDER) == HEDDLE_KEPT && hd_trace_is_ordered(event);
}

/* Can an event of this kind be certain?  One that reads its variable atomically cannot: whether a
 * compare-exchange writes depends on what it reads.  Nor can one that starts or awaits another
 * thread, or that may not have waited: more than what the events show passes between threads. */
static inline bool hd_trace_may_be_certain(enum heddle_kind kind) {
    return kind == HEDDLE_READ || kind == HEDDLE_WRITE || kind == HEDDLE_RMW ||
           kind == HEDDLE_ACQUIRE || kind == HEDDLE_RELEASE || kind == HEDDLE_READ_ACQUIRE ||
           kind == HEDDLE_READ_RELEASE;
}

static inline bool hd_trace_is_certain(const heddle_event *event) {
    return (event->flags & HEDDLE_ORDER) == HEDDLE_CERTAIN;
}

/* An event before them is not in the trace. */
static inline void hd_trace_doubt_certain(heddle_event *events, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (hd_trace_is_certain(&events[i]))
            events[i].flags &= (uint8_t)~HEDDLE_ORDER;
}

/* The word after the operation, for its memory order or in its place; NULL: none. */
const char *hd_trace_order_word(const heddle_event *event);

/* Would two accesses of one variable, by different threads and ordered by nothing, be a race? */
static inline bool hd_trace_may_race(const heddle_event *a, const heddle_event *b) {
    return ((hd_trace_traits(a) | hd_trace_traits(b)) & HEDDLE_T_WRITES) &&
           !(hd_trace_traits(a) & hd_trace_traits(b) & HEDDLE_T_ATOMIC) && !hd_trace_is_exempt(a) &&
           !hd_trace_is_exempt(b);
}

/* Does what happened before a write or fence of this order become visible to others by it?  Does a
 * read or fence of this order make visible what others published? */
static inline bool hd_trace_publishes(enum heddle_order order) {
    return order != HEDDLE_ORDER_RELAXED && order != HEDDLE_ORDER_ACQUIRE;
}

static inline bool hd_trace_observes(enum heddle_order order) {
    return order != HEDDLE_ORDER_RELAXED && order != HEDDLE_ORDER_RELEASE;
}

/* An acquire that waits until the lock is free, however long that takes.  A try, or an acquire with
 * a time limit, takes a free lock and never waits for ever. */
static inline bool hd_trace_waits_for_lock(const heddle_event *event) {
    return (hd_trace_traits(event) & (HEDDLE_T_ACQUIRES | HEDDLE_T_TRIES)) == HEDDLE_T_ACQUIRES;
}

/* The names of a trace, one table per class.  Location 0 is "": not known. */
typedef struct hd_trace_tables {
    hd_names names[HEDDLE_CLASS_COUNT];
} hd_trace_tables;

void hd_trace_tables_init(hd_trace_tables *tables);
void hd_trace_tables_release(hd_trace_tables *tables);

/* The kind with this word, -1 if there is no such kind. */
int hd_trace_kind_of(const char *op, size_t length);

/* The memory order with this word, -1 if there is no such order. */
int hd_trace_order_of(const char *word, size_t length);

/* A legal name: no NUL, line feed, carriage return or '|', and no '=' but in a location.  A
 * thread's does not begin with '#' or the byte 0x89, which begin a comment and a binary file.  Only
 * blocks and locations may have an empty one. This holds for names in both formats, so that each
 * can be converted to the other. */
bool hd_trace_legal_name(enum heddle_class class, const char *text, size_t length);

/* Makes a name of an object legal in every class, and no other object's: with its address. */
void hd_trace_make_legal(hd_vec_char *text, uint64_t address);

/* Splits a location "file:line": the length of the file's name, and the line; false if it has
 * another form. */
bool hd_trace_split_location(const char *location, size_t length, size_t *file, uint32_t *line);

/* Of a stack, given by the places of its frames from the inside out (NULL: not known): how many
 * from `from` on people do not need to see, because they are calls inside of libraries.  0, or at
 * least two.  The innermost frame is always shown. */
size_t hd_trace_fold(const char *const *places, size_t count, size_t from);

/* Names of an event's parts, for messages. */
const char *hd_trace_thread_name(const hd_trace_tables *tables, uint32_t thread);
const char *hd_trace_object_name(const hd_trace_tables *tables, const heddle_event *event);
const char *hd_trace_location(const hd_trace_tables *tables, const heddle_event *event);

/* The event as one line of the text format, without line feed, for messages: cut with "..." if it
 * does not fit, and not said if it is certain. */
size_t hd_trace_print(char *to, size_t size, const hd_trace_tables *tables,
                      const heddle_event *event);

#endif
