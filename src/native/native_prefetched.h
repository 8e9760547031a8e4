/*
 * Logs of runs that were not asked for yet: they were executed together with another one, because
 * the search said that it would ask for them (hd_machine.wishes).  A log is found by the steps that
 * the run was to take.  The number of places is fixed, and later logs replace earlier ones.
 */
#ifndef HD_NATIVE_PREFETCHED_H
#define HD_NATIVE_PREFETCHED_H

#include "native_server.h"

enum { HD_NATIVE_PREFETCHED = 256 }; /* places, a power of two */

typedef struct hd_native_prefetched_log {
    uint64_t key; /* of the steps that it is for; 0: free */
    uint32_t count;
    bool guessed;
    hd_launch_log log;
} hd_native_prefetched_log;

typedef struct hd_native_prefetched {
    hd_native_prefetched_log *places; /* NULL: not needed so far */
    uint32_t kept;                    /* places that are not free */
    uint32_t guesses, hits; /* recently: logs that were guessed; how many of these were asked for */
    uint32_t asked;         /* how often guessing was possible */
} hd_native_prefetched;

/* The key of a sequence of steps, from the key of all but the last; that of the empty sequence is
 * 0. */
static inline uint64_t hd_native_prefetched_key(uint64_t before, heddle_wire_decision last) {
    uint64_t step = (uint64_t)last.choice << 8 | last.thread;
    uint64_t key = (before ^ (step + 1)) * UINT64_C(0x9e3779b97f4a7c15);
    return key ^ key >> 32;
}

/* The log for exactly these steps, NULL if none exists.  The caller must swap it for another log,
 * and its place is free then. */
hd_launch_log *hd_native_prefetched_find(hd_native_prefetched *prefetched,
                                         const heddle_wire_decision *steps, size_t count);

bool hd_native_prefetched_has(const hd_native_prefetched *prefetched, uint64_t key);

/* A place for the log of a sequence of `count` steps. */
hd_launch_log *hd_native_prefetched_add(hd_native_prefetched *prefetched, uint64_t key,
                                        uint32_t count, bool guessed);

/* Are guesses right often enough?  If not, they are tried again now and then. */
bool hd_native_prefetched_may_guess(hd_native_prefetched *prefetched);

void hd_native_prefetched_clear(hd_native_prefetched *prefetched);
void hd_native_prefetched_release(hd_native_prefetched *prefetched);

#endif
