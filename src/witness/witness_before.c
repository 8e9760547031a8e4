/*
 * The past of an event, found by one walk back through the schedule.
 *
 * With an event, all earlier ones of its thread are in the past.  What else is depends on what the
 * event synchronises with: that is *wanted*, by event, lock, semaphore or group (witness_pairs.h),
 * and in the past when the walk comes to it.
 *
 * A read that observes wants what it saw to be *published*.  A write publishes its own past if its
 * memory order says so, else that of the last fence before it whose order does; and an update goes
 * on with the release sequence that it read from, so that is to be published too.  A fence that
 * observes does the same for every earlier read of its thread.
 *
 * It shares nothing with the clocks of the room order, which find the same from front to back.
 */
#include "witness_before.h"

#include <stdlib.h>

/* What can be wanted. */
enum wanted { EVENT, LOCK, SEMAPHORE, GROUP };

/* In which way. */
enum {
    WHOLE = 1,    /* it is in the past; of a lock: what gave it back after writing */
    READERS = 2,  /* of a lock: what gave it back after reading, too */
    PUBLISHED = 4 /* of a write: what it publishes */
};

/* What is known of a thread, from here back. */
enum {
    PAST = 1,  /* its events are in the past */
    FENCE = 2, /* its fences that publish are */
    READS = 4  /* what its reads found was observed */
};

typedef struct walk {
    const hd_witness_pairs *pairs;
    uint8_t *threads;
    hd_map wanted;
} walk;

static uint64_t key_of(enum wanted what, uint32_t id) {
    return (uint64_t)what << 32 | id;
}

static void want(walk *w, enum wanted what, uint32_t id, uint32_t how) {
    if (what == EVENT && !id)
        return; /* the initial value, or a pair that there is not */
    *hd_map_at(&w->wanted, key_of(what, id), NULL) |= how;
}

static uint32_t wants(const walk *w, enum wanted what, uint32_t id) {
    const uint32_t *how = hd_map_find(&w->wanted, key_of(what, id));
    return how ? *how : 0;
}

static const heddle_event *event_at(const walk *w, uint32_t number) {
    return hd_trace_event(w->pairs->trace, number);
}

/* ---- From an event to what it synchronises with ---- */

static void want_what_is_seen(walk *w, const heddle_event *event, uint32_t seen) {
    bool observes = hd_trace_is_ordered(event) && hd_trace_observes(heddle_event_order(event));
    if (hd_trace_reads(event) && hd_trace_is_ordered(event) &&
        (observes || w->threads[event->thread] & READS))
        want(w, EVENT, seen, PUBLISHED);
}

static void want_start(walk *w, uint32_t number, uint32_t thread) {
    if (w->pairs->first[thread] == number)
        want(w, EVENT, w->pairs->fork[thread], WHOLE);
}

static void enter_past(walk *w, uint32_t number, uint32_t seen) {
    const heddle_event *event = event_at(w, number);
    uint32_t pair = w->pairs->pair[number];
    w->threads[event->thread] |= PAST;
    want_start(w, number, event->thread);
    switch ((enum heddle_kind)event->kind) {
    case HEDDLE_ACQUIRE:
    case HEDDLE_TRY_ACQUIRE:
        want(w, LOCK, event->object, WHOLE | READERS);
        break;
    case HEDDLE_READ_ACQUIRE:
    case HEDDLE_TRY_READ_ACQUIRE:
        want(w, LOCK, event->object, WHOLE);
        break;
    case HEDDLE_JOIN:
    case HEDDLE_WAKE:
    case HEDDLE_RECV:
        want(w, EVENT, pair, WHOLE);
        break;
    case HEDDLE_NOTIFY:
    case HEDDLE_NOTIFYALL:
    case HEDDLE_BARRIER_OUT:
        want(w, GROUP, pair, WHOLE);
        break;
    case HEDDLE_TAKE:
        want(w, SEMAPHORE, event->object, WHOLE);
        break;
    case HEDDLE_FENCE:
        if (hd_trace_observes(heddle_event_order(event)))
            w->threads[event->thread] |= READS;
        break;
    default:
        want_what_is_seen(w, event, seen);
        break;
    }
}

/* ---- Is an event wanted? ---- */

/* The write is to be published: is its own past, by its memory order? */
static bool is_published(walk *w, uint32_t number) {
    const heddle_event *event = event_at(w, number);
    if (!hd_trace_is_ordered(event))
        return false; /* a plain write publishes nothing */
    if (hd_trace_reads(event))
        want(w, EVENT, w->pairs->pair[number], PUBLISHED);
    if (hd_trace_publishes(heddle_event_order(event)))
        return true;
    w->threads[event->thread] |= FENCE;
    return false;
}

static bool is_wanted(const walk *w, uint32_t number) {
    const heddle_event *event = event_at(w, number);
    switch ((enum heddle_kind)event->kind) {
    case HEDDLE_RELEASE:
        return wants(w, LOCK, event->object) != 0;
    case HEDDLE_READ_RELEASE:
        return (wants(w, LOCK, event->object) & READERS) != 0;
    case HEDDLE_WAIT:
    case HEDDLE_BARRIER_IN:
        return w->pairs->pair[number] && wants(w, GROUP, w->pairs->pair[number]);
    case HEDDLE_POST:
        return wants(w, SEMAPHORE, event->object) != 0;
    case HEDDLE_FENCE:
        return w->threads[event->thread] & FENCE && hd_trace_publishes(heddle_event_order(event));
    default:
        return false;
    }
}

/* Takes one more event of the walk; is it in the past? */
static bool go_back_to(walk *w, uint32_t number) {
    uint32_t how = wants(w, EVENT, number);
    bool past = is_wanted(w, number) || how & WHOLE;
    if (how & PUBLISHED)
        past |= is_published(w, number);
    past |= (w->threads[event_at(w, number)->thread] & PAST) != 0;
    if (past)
        enter_past(w, number, w->pairs->pair[number]);
    return past;
}

bool hd_witness_before(const hd_witness_checker *checker, const hd_vec_u32 *schedule,
                       uint32_t first, uint32_t second) {
    const hd_trace *trace = checker->pairs.trace;
    walk w = {.pairs = &checker->pairs};
    w.threads = HD_NEW_ARRAY(uint8_t, trace->tables.names[HEDDLE_CLASS_THREAD].length);
    const heddle_event *last = hd_trace_event(trace, second);
    enter_past(&w, second, hd_trace_is_access(last) ? checker->written[last->object] : 0);
    bool before = false;
    for (size_t i = schedule->length; i > 0; i--) {
        before = go_back_to(&w, schedule->data[i - 1]);
        if (schedule->data[i - 1] == first)
            break;
        assert(i > 1); /* the claim fits: `first` is in the schedule */
    }
    hd_map_release(&w.wanted);
    free(w.threads);
    return before;
}
