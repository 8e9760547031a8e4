/*
 * The locations that operations of a program access (native_machine.h has the table).
 *
 * Memory is split into granules, as in recording_memory.h, but here as accesses come: a word of 8
 * bytes that is seen for the first time is cut where the access begins and ends.  A cut that
 * becomes necessary later is made when the locations are renewed; until then the access counts as
 * one to the whole granule.
 */
#ifndef HD_NATIVE_LOCATIONS_H
#define HD_NATIVE_LOCATIONS_H

#include <pthread.h>

#include "native_bodies.h"
#include "native_server.h"

enum hd_native_sort {
    HD_NATIVE_PROCESS,
    HD_NATIVE_MEMORY,
    HD_NATIVE_OBJECT,
    HD_NATIVE_THREAD,
    HD_NATIVE_FLAG,
    HD_NATIVE_END,     /* of a thread, if the program may ask whether it has ended */
    HD_NATIVE_STATE,   /* of uninstrumented functions (rt_foreign.h) */
    HD_NATIVE_FREED,   /* whether a word was freed; this and the following only in native_reads.c */
    HD_NATIVE_ARRIVAL, /* at a barrier, of every second round: the lowest bit of its address; with
                          the thread above HD_NATIVE_THREAD_SHIFT */
    HD_NATIVE_CLOCK,   /* the time, if the program asks for it */
    HD_NATIVE_READER   /* of a read-write lock, with the thread above HD_NATIVE_THREAD_SHIFT */
};

enum { HD_NATIVE_THREAD_SHIFT = 48 };

typedef struct hd_native_location {
    enum hd_native_sort sort;
    uint64_t address; /* or the thread */
} hd_native_location;

typedef HD_VEC(hd_machine_access) hd_native_accesses;

typedef struct hd_native_cut {
    uint64_t word;
    uint32_t bytes; /* bit i: a granule begins at byte i */
} hd_native_cut;

/* The number of a location that was used recently. */
typedef struct hd_native_known {
    uint64_t address;
    enum hd_native_sort sort;
    uint32_t number;
} hd_native_known;

enum { HD_NATIVE_KNOWN = 256 };

/* The threads that came to a barrier, in any run: of the first 64. */
typedef struct hd_native_party {
    uint64_t barrier, threads;
} hd_native_party;

/* The numbers of locations: the same for a machine and its copies, so that what one of them has
 * found out can be told to another. */
typedef struct hd_native_numbers {
    pthread_mutex_t lock; /* of what follows */
    HD_VEC(hd_native_location) all;
    hd_map numbers; /* sort and address: number */
} hd_native_numbers;

typedef struct hd_native_locations {
    const hd_native_server *server; /* has the shared words */
    hd_native_numbers *of_all;
    uint32_t count; /* more than all numbers that were met here */
    hd_map numbers; /* those that were: sort and address: number */
    hd_map cuts;    /* word: its bytes */
    HD_VEC(hd_native_cut) wanted, made;
    HD_VEC(hd_native_party) parties;        /* of barriers */
    bool mixed;                             /* they do not count: see is_party */
    bool met;                               /* a copy of the machine had such parties */
    hd_native_bodies bodies;                /* of atomic sections */
    uint32_t exits;                         /* heddle_wire_explore.exits */
    uint64_t targets;                       /* threads that are sent signals */
    HD_VEC(uint64_t) statics;               /* shared words in libraries, */
    uint32_t statics_of;                    /* as of this version of the table, + 1 */
    hd_native_known known[HD_NATIVE_KNOWN]; /* a cache of the two maps */
    hd_native_cut known_cuts[HD_NATIVE_KNOWN];
} hd_native_locations;

hd_native_numbers *hd_native_numbers_new(void);
void hd_native_numbers_free(hd_native_numbers *numbers);

void hd_native_locations_init(hd_native_locations *locations, const hd_native_server *server,
                              hd_native_numbers *of_all);
void hd_native_locations_release(hd_native_locations *locations);

/* Makes the cuts that became necessary. */
void hd_native_locations_renew(hd_native_locations *locations);

hd_native_location hd_native_locations_at(const hd_native_locations *locations, uint32_t number);

/* Copies the cuts. */
void hd_native_locations_copy(hd_native_locations *to, const hd_native_locations *from);

/* Takes over which threads pass barriers together; true if that is new. */
bool hd_native_locations_join(hd_native_locations *to, const hd_native_locations *from);

/* The accesses of an operation in a state where it would succeed, or would not; and whether it
 * awaits, varies or ends the run.  True if a cut is missing, or a barrier is used in another way
 * than was assumed: the search must start over. */
bool hd_native_locations_enter(hd_native_locations *locations, uint32_t thread,
                               const heddle_wire_next *next, bool succeeds,
                               hd_machine_operation *operation, hd_native_accesses *accesses);

/* One access to what is not memory; and to memory, plain or not: then true if a cut is missing. */
void hd_native_locations_add(hd_native_locations *locations, enum hd_native_sort sort,
                             uint64_t address, unsigned mode, hd_native_accesses *accesses);
bool hd_native_locations_add_memory(hd_native_locations *locations, uint64_t address, uint32_t size,
                                    bool plain, unsigned mode, hd_native_accesses *accesses);

/* A thread arrives at a barrier; true if that changes who does.  And the threads that always pass
 * it together, so that the order in which they arrive does not matter: of the first 64; 0: it may
 * matter. */
bool hd_native_locations_arrive(hd_native_locations *locations, uint32_t thread,
                                const heddle_wire_operation *about);
uint64_t hd_native_locations_party(const hd_native_locations *locations, uint64_t barrier);

/* The flag of a waiting thread, which a notification hands over. */
void hd_native_locations_flag(hd_native_locations *locations, uint32_t thread,
                              hd_native_accesses *accesses);

/* A thread, which orders its steps, creation and join. */
void hd_native_locations_thread(hd_native_locations *locations, uint32_t thread, unsigned mode,
                                hd_native_accesses *accesses);

#endif
