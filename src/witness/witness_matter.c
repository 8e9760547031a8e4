/*
 * By the definition, until nothing changes: events that are not certain make the reads before them
 * matter, a join those of the thread that it awaits, and a read that matters those before the write
 * that it saw.
 */
#include "witness_matter.h"

static bool raise(hd_witness_checker *checker, uint32_t thread, uint32_t number) {
    if (checker->matters[thread] >= number)
        return false;
    checker->matters[thread] = number;
    return true;
}

/* The event happens only if the reads before it see what they saw, unless it is certain. */
static void decide(hd_witness_checker *checker, uint32_t number) {
    const heddle_event *event = hd_trace_event(checker->pairs.trace, number);
    bool certain =
        hd_trace_is_certain(event) && hd_trace_may_be_certain((enum heddle_kind)event->kind);
    if (!certain)
        raise(checker, event->thread, number - 1);
    if (event->kind == HEDDLE_JOIN)
        raise(checker, event->object, UINT32_MAX);
}

/* A write that is read where it matters writes what it wrote. */
static bool trace_back(hd_witness_checker *checker, uint32_t number) {
    const heddle_event *event = hd_trace_event(checker->pairs.trace, number);
    uint32_t write = checker->pairs.pair[number];
    bool plain = event->kind == HEDDLE_READ || event->kind == HEDDLE_RMW;
    bool atomic = event->kind == HEDDLE_ATOMIC_READ || event->kind == HEDDLE_ATOMIC_RMW;
    bool matters = atomic || (plain && number <= checker->matters[event->thread]);
    return matters && write &&
           raise(checker, hd_trace_event(checker->pairs.trace, write)->thread, write);
}

static bool exists(const hd_witness_checker *checker, uint32_t number) {
    return number && number < checker->pairs.end;
}

void hd_witness_matter(hd_witness_checker *checker, const hd_witness *witness) {
    const hd_witness_claim *claim = &witness->claim;
    const hd_vec_u32 *schedule = &witness->schedule;
    const uint32_t next[] = {claim->first, claim->second};
    uint32_t threads = checker->pairs.trace->tables.names[HEDDLE_CLASS_THREAD].length;
    if (!checker->matters)
        checker->matters = HD_NEW_ARRAY(uint32_t, threads);
    for (uint32_t thread = 0; thread < threads; thread++)
        checker->matters[thread] = 0;
    for (size_t i = 0; i < schedule->length; i++)
        if (exists(checker, schedule->data[i]))
            decide(checker, schedule->data[i]);
    for (size_t i = 0; i < sizeof next / sizeof *next; i++)
        if (exists(checker, next[i]))
            decide(checker, next[i]);
    for (size_t i = 0; i < claim->acquires.length; i++)
        decide(checker, claim->acquires.data[i]);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = schedule->length; i-- > 0;)
            more |= exists(checker, schedule->data[i]) && trace_back(checker, schedule->data[i]);
    }
}
