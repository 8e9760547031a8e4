/*
 * What the threads of a program were seen to do.  What a thread does next depends only on what its
 * steps so far have found (the value that a read returned, for example), for between two steps it
 * interacts with no other thread.  So the points that threads reach are kept as trees.  A *point*
 * is the next operation of a thread together with everything that led there.  A *way* leads from a
 * point, by what its operation found, to the thread's next point.
 */
#ifndef HD_PREDICT_LEARNT_H
#define HD_PREDICT_LEARNT_H

#include <stdbool.h>

#include "base/base.h"
#include "heddle/wire.h"

/* A *deed*: what kind of operation it is to the simulator, which computes what it finds and what it
 * changes. */
enum hd_predict_deed {
    HD_PREDICT_DEED_OPAQUE,  /* it cannot be simulated */
    HD_PREDICT_DEED_GOES,    /* it finds nothing and changes nothing */
    HD_PREDICT_DEED_CHOOSES, /* an input: it finds what is chosen */
    HD_PREDICT_DEED_READS,
    HD_PREDICT_DEED_WRITES,
    HD_PREDICT_DEED_UPDATES,
    HD_PREDICT_DEED_COMPARES, /* updates if it finds what it expects */
    HD_PREDICT_DEED_ONCE,     /* initialises unless that was done: by pthread_once, */
    HD_PREDICT_DEED_GUARD,    /* or for a static object of C++ */
    HD_PREDICT_DEED_FORKS,
    HD_PREDICT_DEED_JOINS,
    HD_PREDICT_DEED_LOCKS, /* a mutex or a spin lock, as are the next three */
    HD_PREDICT_DEED_UNLOCKS,
    HD_PREDICT_DEED_NESTS, /* the thread already holds the mutex, or keeps it */
    HD_PREDICT_DEED_UNNESTS,
    HD_PREDICT_DEED_LOCKS_TO_READ, /* a read-write lock */
    HD_PREDICT_DEED_UNLOCKS_TO_READ,
    HD_PREDICT_DEED_LOCKS_TO_WRITE,
    HD_PREDICT_DEED_UNLOCKS_TO_WRITE,
    HD_PREDICT_DEED_POSTS, /* a semaphore */
    HD_PREDICT_DEED_TAKES,
    HD_PREDICT_DEED_WAITS, /* on a condition variable, until it wakes */
    HD_PREDICT_DEED_WAKES,
    HD_PREDICT_DEED_NOTIFIES,
    HD_PREDICT_DEED_NOTIFIES_ALL,
    HD_PREDICT_DEED_COMES, /* arrives at a barrier */
    HD_PREDICT_DEED_LEAVES,
    HD_PREDICT_DEED_CALLS,   /* an uninstrumented function that changes its state; */
    HD_PREDICT_DEED_ASKS,    /* one that only reads it */
    HD_PREDICT_DEED_SECTION, /* an atomic one: points that are `inner` come next */
    HD_PREDICT_DEED_NEVER,   /* an assumption that does not hold, a round for nothing */
    HD_PREDICT_DEED_ENDS     /* the thread has ended */
};

typedef struct hd_predict_point {
    heddle_wire_next next; /* except `joined` and `first`, which belong to the run */
    enum hd_predict_deed deed;
    bool tries;     /* it does not wait, or not for ever: whether it fails is something it finds */
    bool awaits;    /* in a loop: whether it waits depends on the value of its word */
    uint32_t bytes; /* of memory that it accesses */
    uint32_t cell;  /* that it accesses, */
    uint32_t with;  /* and the mutex of a wait (predict_memory.h) */
    uint32_t newborn; /* first point of the thread that it creates; 0: not known */
    uint32_t looks;   /* number of a list of words, from 1 on (predict_simulate.h) */
    uint64_t key;     /* of the thread's state; 0: it is not known */
} hd_predict_point;

/* The result of a compare-and-exchange. */
enum { HD_PREDICT_UNKNOWN, HD_PREDICT_SUCCEEDS, HD_PREDICT_FAILS };

#define HD_PREDICT_OVER UINT32_MAX
#define HD_PREDICT_PRUNED (UINT32_MAX - 1)

typedef struct hd_predict_way {
    uint64_t found;
    uint64_t value; /* that it wrote */
    uint32_t from;
    uint32_t to;     /* 0: not known; HD_PREDICT_OVER: the process ended, with status 0;
                        HD_PREDICT_PRUNED: an assumption did not hold in an atomic section */
    uint8_t result;  /* HD_PREDICT_UNKNOWN, ... */
    uint8_t able;    /* the same, of a read that may wait: it need not */
    uint16_t round;  /* where no thread can go on: 1 + heddle_wire_explore.rounds; 0: not known */
    uint32_t output; /* number of the output with which it ended, from 1; 0: none */
} hd_predict_way;

typedef struct hd_predict_learnt {
    HD_VEC(hd_predict_point) points; /* number 0 is not used */
    hd_predict_way *ways;            /* open addressing, linear probing */
    uint32_t count, room;            /* of ways; a power of two */
    hd_map by_key;                   /* number of the point */
} hd_predict_learnt;

void hd_predict_learnt_clear(hd_predict_learnt *learnt);
void hd_predict_learnt_release(hd_predict_learnt *learnt);

/* Adds a point; returns its number. */
uint32_t hd_predict_learnt_point(hd_predict_learnt *learnt, const heddle_wire_next *next);

/* A key for the operation of a thread in this state.  And the point that has the key, 0: none; one
 * that is new gets it. */
uint64_t hd_predict_learnt_key(const heddle_wire_next *next, uint64_t state);
uint32_t hd_predict_learnt_with(const hd_predict_learnt *learnt, uint64_t key);
void hd_predict_learnt_name(hd_predict_learnt *learnt, uint32_t number, uint64_t key);

/* Is `next` the operation of this point? */
bool hd_predict_learnt_is(const hd_predict_point *point, const heddle_wire_next *next);

/* The way from a point by what was found: `find` returns NULL if it was never taken, `way` adds it
 * then.  The pointer is valid until another way is added. */
hd_predict_way *hd_predict_learnt_find(const hd_predict_learnt *learnt, uint32_t from,
                                       uint64_t found);
hd_predict_way *hd_predict_learnt_way(hd_predict_learnt *learnt, uint32_t from, uint64_t found);

#endif
