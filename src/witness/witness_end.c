#include "witness_end.h"

#include <stdlib.h>
#include <string.h>

/* "T1|acq(m)|a.c:7, WHAT"; false. */
static bool blame_next(const hd_trace_next *next, const char *what, hd_error *error) {
    hd_vec_char text = {0};
    if (error) {
        hd_trace_end_print_next(next, &text);
        hd_error_set(error, "%s, %s", hd_text_name(text.data), what);
    }
    hd_vec_release(&text);
    return false;
}

static const hd_trace_next *next_of(const hd_trace_end *end, const char *thread) {
    for (size_t i = 0; i < end->next.length; i++)
        if (strcmp(end->next.data[i].thread, thread) == 0)
            return &end->next.data[i];
    return NULL;
}

bool hd_witness_end_fits(const hd_trace *trace, hd_error *error) {
    const hd_trace_end *end = &trace->end;
    if (end->how != HD_TRACE_END_DEADLOCK)
        return hd_error_set(error, "the trace does not say that its run ended in a deadlock");
    if (!end->next.length)
        return hd_error_set(error, "the trace does not say which threads wait");
    /* By the map of names, as there may be many threads; those without events are in none. */
    const hd_names *threads = &trace->tables.names[HEDDLE_CLASS_THREAD];
    bool *named = HD_NEW_ARRAY(bool, threads->length + 1);
    const hd_trace_next *twice = NULL;
    for (size_t i = 0; i < end->next.length && !twice; i++) {
        const hd_trace_next *next = &end->next.data[i];
        uint32_t id = hd_names_find(threads, next->thread, strlen(next->thread));
        bool again = id == HD_NAMES_NONE ? next_of(end, next->thread) != next : named[id];
        if (id != HD_NAMES_NONE)
            named[id] = true;
        twice = again ? next : NULL;
    }
    free(named);
    return !twice || blame_next(twice, "is of a thread that is named twice", error);
}

/* ---- Waiting ---- */

/* The last event of each thread. */
static uint32_t *last_events(const hd_trace *trace) {
    uint32_t *last = HD_NEW_ARRAY(uint32_t, trace->tables.names[HEDDLE_CLASS_THREAD].length + 1);
    for (uint32_t i = 1; i <= hd_trace_length(trace); i++)
        last[hd_trace_event(trace, i)->thread] = i;
    return last;
}

static uint32_t find_name(const hd_trace *trace, enum heddle_class class, const char *text) {
    return hd_names_find(&trace->tables.names[class], text, strlen(text));
}

/* Is the thread's last event of this kind, about the same object? */
static bool came_from(const hd_trace *trace, const hd_trace_next *next, const uint32_t *last,
                      unsigned kind) {
    uint32_t thread = find_name(trace, HEDDLE_CLASS_THREAD, next->thread);
    if (thread == HD_NAMES_NONE || !last[thread])
        return false;
    const heddle_event *event = hd_trace_event(trace, last[thread]);
    return event->kind == kind &&
           strcmp(hd_trace_object_name(&trace->tables, event), next->object) == 0;
}

/* A reader can also wait for a writer that waits. */
static bool lock_is_taken(const hd_witness_checker *checker, const hd_trace_next *next) {
    const hd_trace *trace = checker->pairs.trace;
    uint32_t id = find_name(trace, HEDDLE_CLASS_LOCK, next->object);
    if (id == HD_NAMES_NONE)
        return false;
    const hd_witness_lock *lock = &checker->locks[id];
    if (lock->writer || (lock->readers && next->kind == HEDDLE_ACQUIRE))
        return true;
    for (size_t i = 0; lock->readers && i < trace->end.next.length; i++) {
        const hd_trace_next *other = &trace->end.next.data[i];
        if (other->kind == HEDDLE_ACQUIRE && strcmp(other->object, next->object) == 0)
            return true;
    }
    return false;
}

/* No message is left: all that were sent were received. */
static bool channel_is_empty(const hd_trace *trace, const char *channel) {
    uint32_t id = find_name(trace, HEDDLE_CLASS_CHANNEL, channel);
    int64_t left = 0;
    for (uint32_t i = 1; i <= hd_trace_length(trace); i++) {
        const heddle_event *event = hd_trace_event(trace, i);
        if (event->object == id)
            left += (event->kind == HEDDLE_SEND) - (event->kind == HEDDLE_RECV);
    }
    return left <= 0;
}

static bool no_unit(const hd_witness_checker *checker, const char *semaphore) {
    uint32_t id = find_name(checker->pairs.trace, HEDDLE_CLASS_SEMAPHORE, semaphore);
    return id == HD_NAMES_NONE || checker->posted[id] <= 0;
}

static bool waits(const hd_witness_checker *checker, const hd_trace_next *next,
                  const uint32_t *last, hd_error *error) {
    const hd_trace *trace = checker->pairs.trace;
    switch (next->kind) {
    case HEDDLE_ACQUIRE:
    case HEDDLE_READ_ACQUIRE:
        return lock_is_taken(checker, next) ||
               blame_next(next, "does not wait for a lock that is held", error);
    case HEDDLE_JOIN:
        return next_of(&trace->end, next->object) ||
               blame_next(next, "awaits a thread that does not wait itself", error);
    case HEDDLE_WAKE:
        return came_from(trace, next, last, HEDDLE_WAIT) ||
               blame_next(next, "is not the end of its thread's last event", error);
    case HEDDLE_BARRIER_OUT:
        return came_from(trace, next, last, HEDDLE_BARRIER_IN) ||
               blame_next(next, "is not the end of its thread's last event", error);
    case HEDDLE_TAKE:
        return no_unit(checker, next->object) || blame_next(next, "finds a unit to take", error);
    case HEDDLE_RECV:
        return channel_is_empty(trace, next->object) ||
               blame_next(next, "finds a message to receive", error);
    case HD_TRACE_END_OTHER: /* nothing in the trace says more */
        return true;
    default:
        return blame_next(next, "never waits", error);
    }
}

bool hd_witness_end_holds(const hd_witness_checker *checker, const hd_vec_u32 *schedule,
                          hd_error *error) {
    const hd_trace *trace = checker->pairs.trace;
    if (schedule->length < hd_trace_length(trace))
        return hd_error_set(error, "the schedule has %zu events, not all %u of the trace",
                            schedule->length, hd_trace_length(trace));
    uint32_t *last = last_events(trace);
    bool all = true;
    for (size_t i = 0; all && i < trace->end.next.length; i++)
        all = waits(checker, &trace->end.next.data[i], last, error);
    free(last);
    return all;
}
