/*
 * Which threads an operation of a program is ordered with.
 */
#include "native_program.h"

/* For programs with up to 64 threads, which most are, the functions are made for one word. */
#define ALWAYS __attribute__((always_inline))

/* Sets of threads; only the words that the machine has threads for are used. */
typedef struct threads {
    uint64_t word[HD_MACHINE_MORE + 1];
} threads;

/* Those that a thread has joined since its last step; `about` is its entry of the log. */
static inline ALWAYS void add_joined(const hd_native_program *m, uint32_t thread,
                                     const heddle_wire_next *about, threads *to, uint32_t words) {
    size_t number = m->next[thread];
    to->word[0] |= about->joined;
    if (words == 1 || !number || number > m->log->more_joined.length)
        return;
    for (uint32_t i = 1; i < words; i++)
        to->word[i] |= m->log->more_joined.data[number - 1].word[i - 1];
}

/* A waiting join becomes another operation as soon as the thread that it waits for has ended, or
 * one that that thread waits for.  A thread that has ended saw the end of others without a step of
 * its own: their last steps come before the join too. */
static inline ALWAYS void waited_for(const hd_native_program *m, const heddle_wire_next *about,
                                     threads *to, uint32_t words) {
    while (about && !about->ended && about->operation.kind == HEDDLE_JOIN + 1 &&
           !(about->operation.flags & ~HEDDLE_WIRE_INSIDE)) {
        uint32_t other = (uint32_t)about->operation.address;
        if (other >= m->base.threads || other >= 64 * words ||
            to->word[other / 64] >> other % 64 & 1)
            break;
        to->word[other / 64] |= UINT64_C(1) << other % 64;
        about = hd_native_program_logged(m, other);
        if (about)
            add_joined(m, other, about, to, words);
    }
}

/* The threads that it is ordered with: its own, as it may end after this operation, and those that
 * it was created by or has joined; a join that would be cancelled joins none.  Says which have
 * ended before it is taken. */
static inline ALWAYS void add_threads(hd_native_program *m, uint32_t thread,
                                      const heddle_wire_next *about, bool succeeds,
                                      hd_machine_operation *operation, uint32_t words) {
    hd_native_accesses *accesses = &m->accesses[thread];
    unsigned kind = about->operation.kind;
    threads after;
    after.word[0] = 0;
    if (words > 1)
        memset(&after, 0, sizeof after);
    if (!operation->enabled || succeeds)
        waited_for(m, about, &after, words);
    uint64_t waited = 0;
    for (uint32_t i = 0; i < words; i++)
        waited |= after.word[i];
    bool soon = waited && !operation->enabled; /* it will be another operation before it is taken */
    threads ordered;
    if (soon)
        ordered = after;
    add_joined(m, thread, about, &after, words);
    if (about->first || !kind || kind == HEDDLE_WIRE_FINISH)
        hd_native_locations_thread(&m->locations, thread, HD_MACHINE_RELEASE, accesses);
    else if (!m->ends && !soon)
        hd_native_locations_thread(&m->locations, thread, HD_MACHINE_ORDER, accesses);
    for (uint32_t i = 0; i < words; i++)
        for (uint64_t rest = soon ? ordered.word[i] : after.word[i]; rest; rest &= rest - 1)
            hd_native_locations_thread(&m->locations, 64 * i + (uint32_t)__builtin_ctzll(rest),
                                       HD_MACHINE_ORDER, accesses);
    operation->ended_before = after.word[0];
    operation->ended_more = words > 1 ? m->ended_more : NULL;
    if (words > 1)
        memcpy(m->ended_more, after.word + 1, sizeof m->ended_more);
}

void hd_native_program_threads(hd_native_program *m, uint32_t thread, const heddle_wire_next *about,
                               bool succeeds, hd_machine_operation *operation) {
    if (m->base.threads <= 64)
        add_threads(m, thread, about, succeeds, operation, 1);
    else
        add_threads(m, thread, about, succeeds, operation, (m->base.threads + 63) / 64);
}
