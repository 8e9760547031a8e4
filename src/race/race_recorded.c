/*
 * The deadlock that a run ended in, as its trace says.  The schedule that shows it is the trace.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "race_finding.h"

typedef struct holders {
    uint32_t *acquire; /* [lock]: the last acquire of it that is not released; 0: none */
    uint32_t *last;    /* [thread]: its last event */
} holders;

/* In one pass.  Of several readers the last one counts: any of them holds it. */
static void find_holders(const hd_trace *trace, holders *h) {
    h->acquire = HD_NEW_ARRAY(uint32_t, trace->tables.names[HEDDLE_CLASS_LOCK].length + 1);
    h->last = HD_NEW_ARRAY(uint32_t, trace->tables.names[HEDDLE_CLASS_THREAD].length + 1);
    for (uint32_t i = 1; i <= hd_trace_length(trace); i++) {
        const heddle_event *event = hd_trace_event(trace, i);
        h->last[event->thread] = i;
        if (event->flags & HEDDLE_REENTRANT)
            continue;
        if (hd_trace_acquires(event))
            h->acquire[event->object] = i;
        else if (hd_trace_releases(event) && h->acquire[event->object] &&
                 hd_trace_event(trace, h->acquire[event->object])->thread == event->thread)
            h->acquire[event->object] = 0;
    }
}

static void free_holders(holders *h) {
    free(h->acquire);
    free(h->last);
}

/* The event that tells most about why it waits: the acquire of the lock's holder, or what its own
 * thread did last; 0 if none exists. */
static uint32_t event_of(const hd_trace *trace, const holders *h, const hd_trace_next *next) {
    const hd_names *threads = &trace->tables.names[HEDDLE_CLASS_THREAD];
    const hd_names *locks = &trace->tables.names[HEDDLE_CLASS_LOCK];
    if (next->kind == HEDDLE_ACQUIRE || next->kind == HEDDLE_READ_ACQUIRE) {
        uint32_t lock = hd_names_find(locks, next->object, strlen(next->object));
        return lock == HD_NAMES_NONE ? 0 : h->acquire[lock];
    }
    uint32_t thread = hd_names_find(threads, next->thread, strlen(next->thread));
    return thread == HD_NAMES_NONE ? 0 : h->last[thread];
}

static char *message_of(const hd_trace_end *end) {
    enum { SHOWN = 4 };
    hd_vec_char text = {0};
    hd_text_append(&text, "the run ended in a deadlock: ");
    for (size_t i = 0; i < end->next.length && i < SHOWN; i++)
        hd_text_append(&text, "%s%.200s waits for %.200s", i ? ", " : "", end->next.data[i].thread,
                       end->next.data[i].object);
    if (end->next.length > SHOWN)
        hd_text_append(&text, ", and %zu more wait", end->next.length - SHOWN);
    return text.data;
}

/* The same as that of a deadlock which is predicted at these places. */
static uint64_t fingerprint_of(const hd_trace_end *end) {
    char **places = HD_NEW_ARRAY(char *, end->next.length + 1);
    for (size_t i = 0; i < end->next.length; i++) {
        const hd_trace_next *next = &end->next.data[i];
        size_t size = strlen(next->thread) + strlen(next->object) + 2;
        places[i] = *next->location ? hd_mem_string(next->location, strlen(next->location))
                                    : hd_mem_zero(size, 1);
        if (!*next->location)
            snprintf(places[i], size, "%s %s", next->thread, next->object);
    }
    uint64_t print =
        hd_finding_fingerprint("deadlock", (const char *const *)places, end->next.length);
    for (size_t i = 0; i < end->next.length; i++)
        free(places[i]);
    free(places);
    return print;
}

static void attach_trace(const hd_trace *trace, hd_finding *finding) {
    hd_vec_u32 schedule = {0};
    hd_vec_resize(&schedule, hd_trace_length(trace));
    for (uint32_t i = 0; i < hd_trace_length(trace); i++)
        schedule.data[i] = i + 1;
    hd_race_attach(finding, "deadlock", (hd_witness_claim){.kind = HD_WITNESS_END}, &schedule);
}

bool hd_race_recorded(const hd_trace *trace, hd_finding *finding, hd_error *error) {
    holders h;
    hd_finding_init(finding, HD_FINDING_DEADLOCK, HD_RACE_RECORDED);
    attach_trace(trace, finding);
    if (!hd_witness_check(finding->witness, trace, error)) {
        hd_finding_release(finding);
        return false;
    }
    assert(trace->end.next.length); /* the checker saw threads that wait */
    find_holders(trace, &h);
    for (size_t i = 0; i < trace->end.next.length; i++)
        hd_vec_push(&finding->events, event_of(trace, &h, &trace->end.next.data[i]));
    free_holders(&h);
    finding->message = message_of(&trace->end);
    finding->location =
        hd_mem_string(trace->end.next.data[0].location, strlen(trace->end.next.data[0].location));
    finding->fingerprint = fingerprint_of(&trace->end);
    return true;
}
