/*
 * Detection while the trace grows: Chang, Algorithms 4 to 6, of the poset or the loset.
 *
 *     hd_predicate_online *online = hd_predicate_online_create(&predicate, tables, &options);
 *     hd_predicate_online_take(online, event) for each event of a batch, in order
 *     hd_predicate_online_look(online, report, context);       then what is new is looked at
 *     hd_predicate_online_end(online, &error), and hd_predicate_online_finish
 *     hd_predicate_online_free(online);
 *
 * Each event has the interval of states in which it is the last in the order of the
 * trace: from its clock to all that has come so far.  So every state is looked at
 * once.  The intervals of a batch are shared out among threads.
 *
 * Not every interval and not every state in it need be looked at.  Counts of a thread
 * that follow each other and between which no column of the predicate changes are one
 * *collection* (3.5.4): only the first that is possible is taken of each.  An event
 * that changes no column has nothing new in its interval.  For `race` a collection has
 * the first write and the first read of a variable since the thread last heard of
 * another one.  Of a poset, before means happens-before of C11 then: an atomic write orders a
 * read only as far as memory orders say.
 *
 * Of the loset a state must be of a class, too.  Whether it is feasible, or lock-free, the
 * locks that its threads hold say; then a collection ends where these change.  Whether it is
 * strongly feasible, the events in it say: fewer events with the same holds force less, so the
 * least state of each choice of collections is asked.  Which states are viable or reachable is
 * not known online.
 *
 * A notification is after the waits that it ends, and which these are is known when they have
 * ended.  Until then it is held back, with all that came after it: at most as many events as the
 * window has, else a million; then it is let on, after every wait that it may end.
 *
 * Memory: what every thread has heard of is in every new state and is forgotten.  Where
 * that is too little, a window says how many events may be kept; the oldest that are forgotten
 * for it are counted, as states without them are no longer seen.  For strongly feasible states
 * what is forgotten must be known to all events that are kept, too.
 */
#ifndef HD_PREDICATE_ONLINE_H
#define HD_PREDICATE_ONLINE_H

#include "cut/cut.h"
#include "order/order.h"
#include "predicate_facts.h"

typedef struct hd_predicate_online hd_predicate_online;

typedef struct hd_predicate_online_options {
    unsigned workers; /* at least 1 */
    uint64_t window;  /* events kept at most; 0: no limit */
    bool singly;      /* every event and every count by itself, not in collections */
    bool loset;
    enum hd_cut_class class; /* of a loset: consistent, feasible, lock-free, strongly feasible */
} hd_predicate_online_options;

/* A state, by place; `threads[p]` is the thread of place p, `events[p]` its last event, 0 if
 * it has none yet, or it was forgotten. */
typedef struct hd_predicate_sight {
    uint32_t event; /* with which it became possible */
    uint32_t places;
    const uint32_t *state, *threads, *events;
} hd_predicate_sight;

/* Other than 0 stops. */
typedef int hd_predicate_report(void *context, const hd_predicate_sight *sight);

/* Is the class of states of a loset known while it grows? */
bool hd_predicate_online_knows(enum hd_cut_class class);

/* NULL with an error if the predicate needs a whole trace.  The predicate and the tables
 * must stay. */
hd_predicate_online *hd_predicate_online_create(const hd_predicate *predicate,
                                                const hd_trace_tables *tables,
                                                const hd_predicate_online_options *options,
                                                hd_predicate_error *error);
void hd_predicate_online_free(hd_predicate_online *online);

/* False, with an error, if the event makes the predicate unclear. */
bool hd_predicate_online_take(hd_predicate_online *online, const heddle_event *event,
                              hd_predicate_error *error);

/* From the next event on a part of a variable is one of its own (a program's memory, whose
 * accesses overlap): what was done to the whole so far was done to the part too. */
void hd_predicate_online_split(hd_predicate_online *online, uint32_t whole, uint32_t part);

/* Memory that is used no more, and again for something else: a variable or a lock to which no event
 * comes any more, unless its number is given out.  That is done once no state that is still to be
 * looked at can have an event on it as the last one of a thread: then the number stands for
 * something that was not used yet.  False: none can be given out.  Of posets, and of predicates
 * that name neither. */
void hd_predicate_online_retire(hd_predicate_online *online, enum heddle_class class,
                                uint32_t number);
bool hd_predicate_online_reuse(hd_predicate_online *online, enum heddle_class class,
                               uint32_t *number);

/* There are no more events: what was held back is taken.  False, with an error, as above. */
bool hd_predicate_online_end(hd_predicate_online *online, hd_predicate_error *error);

/* Reports, for each event since the last time whose interval has a solution, one.  What
 * a report returned, 0 at the end. */
int hd_predicate_online_look(hd_predicate_online *online, hd_predicate_report *report,
                             void *context);

/* The same after the end.  Until then a release that is the last event waits for what
 * comes next: with a wait it is one step. */
int hd_predicate_online_finish(hd_predicate_online *online, hd_predicate_report *report,
                               void *context);

/* How many events of a thread are forgotten: its first ones, in every state from now on. */
uint32_t hd_predicate_online_gone(const hd_predicate_online *online, uint32_t thread);

typedef struct hd_predicate_online_effort {
    uint64_t events, intervals, states;
    uint64_t stopped;   /* intervals that were not looked at whole, as the time was up */
    uint64_t kept;      /* events in memory, those that are held back among them */
    uint64_t forgotten; /* that were in no new state any more */
    uint64_t unseen;    /* forgotten for the window: states without them were not looked at */
    uint64_t reused[2]; /* numbers of variables, of locks, that were given out again */
    uint32_t guessed;   /* notifications that were let on before all their wakes had come: they
                           are after every wait that they may end, so that states are missed */
} hd_predicate_online_effort;

hd_predicate_online_effort hd_predicate_online_effort_of(const hd_predicate_online *online);

#endif
