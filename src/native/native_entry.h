/*
 * The operation whose accesses are being noted (native_locations.h), for the files that know the
 * kinds of operations.
 */
#ifndef HD_NATIVE_ENTRY_H
#define HD_NATIVE_ENTRY_H

#include "native_locations.h"

enum { HD_NATIVE_WORD = 8 };

typedef struct hd_native_entry {
    hd_native_locations *locations;
    hd_native_accesses *accesses;
    hd_machine_operation *operation;
    const heddle_wire_operation *about;
    uint32_t thread;
    bool succeeds;
    bool missing; /* a cut is missing, or an assumption was wrong */
} hd_native_entry;

/* An access to what is not memory; to bytes `low` to `high` of a word; and to the memory of the
 * operation.  Only the shared words of a plain access count: the others belong to one thread. */
void hd_native_entry_access(const hd_native_entry *e, enum hd_native_sort sort, uint64_t address,
                            unsigned mode);
void hd_native_entry_part(hd_native_entry *e, uint64_t word, unsigned low, unsigned high,
                          unsigned mode);
void hd_native_entry_memory(hd_native_entry *e, bool plain, unsigned mode);

/* ---- Locks and other objects: native_locations_objects.c ---- */

/* An operation that does not wait, or not for ever: what it does depends on what it finds.  A try
 * in a loop that repeats until it succeeds counts as a wait. */
bool hd_native_entry_tries(const hd_native_entry *e);

/* Read-write locks and semaphores: an operation that excludes others, or sees how many there are,
 * writes; a reader or a post only reads, so that two of these are independent.  An operation that
 * fails to exclude others, or only looks, depends on readers and posts, so it writes too. */
void hd_native_entry_await(hd_native_entry *e, bool excludes);

/* An object in memory that another thread frees: freeing is a write to its first word, which is
 * then shared. */
void hd_native_entry_place(hd_native_entry *e, uint64_t address);

void hd_native_entry_join(hd_native_entry *e);
void hd_native_entry_once(hd_native_entry *e);

/* The other operations on objects; a wait for a condition is one on the mutex `with`, too. */
void hd_native_entry_synchronise(hd_native_entry *e, uint64_t with);

/* ---- Code without instrumentation: native_locations_foreign.c ---- */

/* The address of a state of state.def. */
uint64_t hd_native_entry_state(enum heddle_wire_kept which);

/* The state of the called function, and the memory that belongs to it. */
void hd_native_entry_call(hd_native_entry *e);

/* An operation that uninstrumented code does itself: what follows may change the state of that
 * code. */
void hd_native_entry_inside(hd_native_entry *e);

/* Freed blocks: a request changes what there is only if there is a block for it. */
void hd_native_entry_reuse(hd_native_entry *e);

#endif
