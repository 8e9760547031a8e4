/*
 * Logs of runs that nobody has asked for yet: they were done with another one, because a search
 * said that it would ask for them (hd_machine.wishes).  A log is found by the steps that the run
 * was to take.  There are so many places, and what is in one gives way to what comes later.
 */
#ifndef HD_NATIVE_FETCHED_H
#define HD_NATIVE_FETCHED_H

#include "native_server.h"

enum { HD_NATIVE_FETCHED = 256 }; /* places, a power of two */

typedef struct hd_native_fetched_log {
    uint64_t key; /* of the steps that it is for; 0: there is none */
    uint32_t count;
    bool guessed;
    hd_launch_log log;
} hd_native_fetched_log;

typedef struct hd_native_fetched {
    hd_native_fetched_log *places; /* NULL: none was ever needed */
    uint32_t guesses, hits;        /* lately: logs that may not be asked for; that were */
    uint32_t asked;                /* how often there was a choice */
} hd_native_fetched;

/* The key of some steps, from that of those before the last one; of none it is 0. */
static inline uint64_t hd_native_fetched_key(uint64_t before, heddle_wire_decision last) {
    uint64_t step = (uint64_t)last.choice << 8 | last.thread;
    uint64_t key = (before ^ (step + 1)) * UINT64_C(0x9e3779b97f4a7c15);
    return key ^ key >> 32;
}

/* The log for exactly these steps, NULL if there is none.  It is to be taken out: whoever has it
 * swaps it for another, and its place is free. */
hd_launch_log *hd_native_fetched_find(hd_native_fetched *fetched, const heddle_wire_decision *steps,
                                      size_t count);

bool hd_native_fetched_has(const hd_native_fetched *fetched, uint64_t key);

/* A place for the log of so many steps. */
hd_launch_log *hd_native_fetched_add(hd_native_fetched *fetched, uint64_t key, uint32_t count,
                                     bool guessed);

/* Are guesses right often enough?  Now and then it is tried again. */
bool hd_native_fetched_may_guess(hd_native_fetched *fetched);

void hd_native_fetched_clear(hd_native_fetched *fetched);
void hd_native_fetched_release(hd_native_fetched *fetched);

#endif
