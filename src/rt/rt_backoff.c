/*
 * Rounds that back off.  std::lock of several mutexes takes one and tries the others; if one is not
 * free it gives back what it has, and begins anew with that one (rt_cxx_mutex.in).  Two threads
 * that do so in step never end, so no search of all their rounds does.
 *
 * An explored program waits at such a try instead, with what the round has taken, until the mutex
 * is free.  Nothing is lost by that.  Take an execution, and leave out of it each round that
 * failed. It only had locks for a while, which others can see by a try or a wait with a time limit
 * alone: their tries are in such rounds too, and are left out with these if they fail.  (As soon as
 * a thread does one of its own, no try waits any more, as with other loops that take locks.)  A
 * round that succeeds in the end takes its mutexes one after the other until it has the last one;
 * all of them can as well be taken where it takes the last one, beginning with the first, because
 * until then no other thread had any of them that this one had, nor the last one at that moment.
 * What is left is an execution in which each std::lock succeeds at once, with the same steps of all
 * threads before, between and after; and there no try fails that waits.
 *
 * Where no thread can go on, threads may wait in such rounds for each other: a round that failed
 * would give back what it has.  If one of them could then take all that it wants, or a thread that
 * is in no round waits for what is given back, somebody goes on, and this is no execution
 * (HEDDLE_WIRE_IN_VAIN).  If not, each of these rounds wants something that is held for good, and
 * would end up waiting for that: a deadlock.  Each deadlock of the program is seen like that, in
 * the execution in which its rounds come last.  It is run again with every round before it is
 * shown.
 */
#include "rt_explore.h"
#include "rt_spin.h"
#include "rt_spin_kinds.h"
#include "rt_sync.h"

enum { MOST = 3 };

typedef struct backing {
    uint64_t wanted[MOST];      /* what the round is to take */
    uint64_t held[MOST];        /* and what it has taken */
    uint32_t count, held_count; /* count is 0: the thread is in no round */
    bool waits;                 /* at a try */
} backing;

static backing rounds[HEDDLE_WIRE_EXPLORED];

/* A round begins that takes so many mutexes, or ends, if there are none. */
HD_RT_EXPORT void heddle_rt_round(int count, const void *a, const void *b, const void *c);
void heddle_rt_round(int count, const void *a, const void *b, const void *c) {
    if (!hd_rt_controlled() || !hd_rt.exploring || hd_rt.current->id >= HEDDLE_WIRE_EXPLORED)
        return;
    bool whole = a && b && (c || count < MOST) && count <= MOST && !hd_rt.current->handling;
    whole &= a != b && a != c && b != c; /* with one of them twice it never ends */
    backing *of = &rounds[hd_rt.current->id];
    of->wanted[0] = (uintptr_t)a;
    of->wanted[1] = (uintptr_t)b;
    of->wanted[2] = (uintptr_t)c;
    of->count = whole && count > 0 ? (uint32_t)count : 0;
    of->held_count = 0;
}

void hd_rt_backoff_born(uint32_t thread) {
    rounds[thread].count = rounds[thread].held_count = 0;
    rounds[thread].waits = false;
}

static bool is_mutex_try(const hd_rt_thread *thread) {
    const heddle_wire_operation *pending = &thread->wire->pending;
    return pending->kind == HEDDLE_ACQUIRE + 1 && pending->size == HEDDLE_WIRE_MUTEX &&
           tries(pending->kind, pending->flags) && !thread->handling;
}

bool hd_rt_backoff_arrives(const hd_rt_thread *thread) {
    enum { KNOWN = HEDDLE_WIRE_LOOP_PROVED | HEDDLE_WIRE_LOOP_BACKS };
    backing *of = &rounds[thread->id];
    of->waits = false;
    if (!of->count || !is_mutex_try(thread) || hd_rt_explored.births == hd_rt_explored.joins)
        return false;
    const heddle_wire_loop *loop = hd_rt_spin_know(thread->wire->pending.code, KNOWN);
    of->waits = loop && hd_rt_explore->backs && (loop->now & KNOWN) == KNOWN &&
                !(loop->now & HEDDLE_WIRE_LOOP_RESTLESS);
    return of->waits;
}

/* The thread takes its step: what it is about to have, or to give back. */
void hd_rt_backoff_takes(const hd_rt_thread *thread) {
    const heddle_wire_operation *pending = &thread->wire->pending;
    backing *of = &rounds[thread->id];
    bool gives = pending->kind == HEDDLE_RELEASE + 1 || pending->kind == HEDDLE_READ_RELEASE + 1;
    uint32_t kept = 0;
    of->waits = false;
    if (!of->count || pending->flags & HEDDLE_WIRE_NESTED || !(gives || takes(pending->kind)))
        return;
    for (uint32_t i = 0; gives && i < of->held_count; i++)
        if (of->held[i] != pending->address)
            of->held[kept++] = of->held[i];
    if (gives)
        of->held_count = kept;
    else if (of->held_count < MOST && hd_rt_explore_succeeds(thread))
        of->held[of->held_count++] = pending->address;
}

/* Does it try in a round that waits, or will?  Then others see nothing by it. */
bool hd_rt_backoff_hides(const hd_rt_thread *thread) {
    const heddle_wire_loop *loop =
        rounds[thread->id].count ? hd_rt_spin_find(thread->wire->pending.code) : NULL;
    return loop && is_mutex_try(thread) && !(loop->now & HEDDLE_WIRE_LOOP_RESTLESS);
}

bool hd_rt_backoff_waits(const hd_rt_thread *thread) {
    return rounds[thread->id].waits;
}

/* Does a round have it, that would give it back? */
static bool is_given_back(uint64_t address) {
    for (uint32_t i = 0; i < hd_rt.wire->threads; i++)
        for (uint32_t k = 0; rounds[i].waits && k < rounds[i].held_count; k++)
            if (rounds[i].held[k] == address)
                return true;
    return false;
}

/* Could the thread's round take all that it wants? */
static bool could_lock(const hd_rt_thread *thread) {
    const backing *of = &rounds[thread->id];
    for (uint32_t i = 0; i < of->count; i++)
        if (!is_given_back(of->wanted[i]) &&
            !hd_rt_sync_available(HEDDLE_WIRE_MUTEX, (const void *)(uintptr_t)of->wanted[i],
                                  thread))
            return false;
    return true;
}

bool hd_rt_backoff_in_vain(void) {
    for (uint32_t i = 0; i < hd_rt.wire->threads; i++) {
        const hd_rt_thread *thread = hd_rt_thread_at(i);
        const heddle_wire_operation *pending = &thread->wire->pending;
        if (!hd_rt_set_has(&hd_rt_explored_sets.live, i))
            continue;
        if (rounds[i].count ? could_lock(thread)
                            : takes(pending->kind) && is_given_back(pending->address))
            return true;
    }
    return false;
}

char *hd_rt_backoff_transfer(char *state, bool back, uint64_t count, hd_rt_transfer *transfer) {
    for (uint64_t i = count; back && i < hd_rt.wire->threads; i++)
        hd_rt_backoff_born((uint32_t)i);
    return transfer(state, rounds, count * sizeof *rounds, back);
}
