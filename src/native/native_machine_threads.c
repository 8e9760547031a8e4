/*
 * Which threads an operation of a program is ordered with.
 */
#include "native_program.h"

/* Sets of threads are `words` words.  For programs with up to 64 threads, which most are, the
 * functions are made for one word, which then is a variable and not an array. */
#define ALWAYS __attribute__((always_inline))

static inline ALWAYS uint64_t *word_of(uint64_t *set, uint32_t thread, uint32_t words) {
    return words == 1 ? set : &set[thread / 64];
}

/* Those that a thread has joined since its last step; `about` is its entry of the log. */
static inline ALWAYS void add_joined(const hd_native_program *m, uint32_t thread,
                                     const heddle_wire_next *about, uint64_t *to, uint32_t words) {
    to[0] |= about->joined;
    size_t number = words == 1 ? 0 : m->next[thread], more = number ? m->log->more_words : 0;
    if (!more || number * more > m->log->more_joined.length)
        return;
    for (uint32_t i = 1; i < words && i <= more; i++)
        to[i] |= m->log->more_joined.data[(number - 1) * more + i - 1];
}

/* A waiting join becomes another operation as soon as the thread that it waits for has ended, or
 * one that that thread waits for.  A thread that has ended saw the end of others without a step of
 * its own: their last steps come before the join too. */
static inline ALWAYS void waited_for(const hd_native_program *m, const heddle_wire_next *about,
                                     uint64_t *to, uint32_t words) {
    while (about && !about->ended && about->operation.kind == HEDDLE_JOIN + 1 &&
           !(about->operation.flags & ~HEDDLE_WIRE_INSIDE)) {
        uint32_t other = (uint32_t)about->operation.address;
        if (other >= m->base.threads || *word_of(to, other, words) >> other % 64 & 1)
            break;
        *word_of(to, other, words) |= UINT64_C(1) << other % 64;
        about = hd_native_program_logged(m, other);
        if (about)
            add_joined(m, other, about, to, words);
    }
}

/* The threads that it is ordered with: its own, as it may end after this operation, and those that
 * it was created by or has joined; a join that would be cancelled joins none.  In `after`, which is
 * empty, those that have ended before it is taken; `waited` is room for as many. */
static inline ALWAYS void add_threads(hd_native_program *m, uint32_t thread,
                                      const heddle_wire_next *about, bool succeeds,
                                      const hd_machine_operation *operation, uint64_t *after,
                                      uint64_t *waited, uint32_t words) {
    hd_native_accesses *accesses = &m->accesses[thread];
    unsigned kind = about->operation.kind;
    uint64_t some = 0;
    if (!operation->enabled || succeeds)
        waited_for(m, about, after, words);
    for (uint32_t i = 0; i < words; i++)
        some |= waited[i] = after[i];
    bool soon = some && !operation->enabled; /* it will be another operation before it is taken */
    add_joined(m, thread, about, after, words);
    if (about->first || !kind || kind == HEDDLE_WIRE_FINISH)
        hd_native_locations_thread(&m->locations, thread, HD_MACHINE_RELEASE, accesses);
    else if (!m->ends && !soon)
        hd_native_locations_thread(&m->locations, thread, HD_MACHINE_ORDER, accesses);
    for (uint32_t i = 0; i < words; i++)
        for (uint64_t rest = soon ? waited[i] : after[i]; rest; rest &= rest - 1)
            hd_native_locations_thread(&m->locations, 64 * i + (uint32_t)__builtin_ctzll(rest),
                                       HD_MACHINE_ORDER, accesses);
}

static void add_many_threads(hd_native_program *m, uint32_t thread, const heddle_wire_next *about,
                             bool succeeds, hd_machine_operation *operation) {
    uint64_t after[HD_MACHINE_MORE + 1] = {0}, waited[HD_MACHINE_MORE + 1];
    uint32_t words = (m->base.threads + 63) / 64;
    add_threads(m, thread, about, succeeds, operation, after, waited, words);
    operation->ended_before = after[0];
    memcpy(m->ended_more, after + 1, sizeof m->ended_more);
    operation->ended_more = m->ended_more;
}

void hd_native_program_threads(hd_native_program *m, uint32_t thread, const heddle_wire_next *about,
                               bool succeeds, hd_machine_operation *operation) {
    uint64_t after = 0, waited;
    if (m->base.threads > 64) {
        add_many_threads(m, thread, about, succeeds, operation);
        return;
    }
    add_threads(m, thread, about, succeeds, operation, &after, &waited, 1);
    operation->ended_before = after;
}
