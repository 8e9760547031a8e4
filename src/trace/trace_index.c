#include "trace_index.h"

#include <stdlib.h>
#include <string.h>

/* ---- Lists: a counting sort of the event numbers by object. ---- */

static void lists_start(hd_trace_lists *lists, uint32_t count) {
    lists->count = count;
    lists->start = HD_NEW_ARRAY(uint32_t, (size_t)count + 2);
}

/* start[i + 1] holds the length of list i; make it the place where list i begins,
 * so that filling the lists moves it to where list i + 1 begins. */
static void lists_allocate(hd_trace_lists *lists) {
    uint32_t sum = 0;
    for (uint32_t i = 1; i <= lists->count; i++) {
        uint32_t length = lists->start[i];
        lists->start[i] = sum;
        sum += length;
    }
    lists->items = hd_mem_alloc((size_t)sum * sizeof *lists->items);
}

static void lists_count(hd_trace_lists *lists, uint32_t i) {
    lists->start[i + 1]++;
}

static void lists_add(hd_trace_lists *lists, uint32_t i, uint32_t number) {
    lists->items[lists->start[i + 1]++] = number;
}

static void lists_release(hd_trace_lists *lists) {
    free(lists->start);
    free(lists->items);
    *lists = (hd_trace_lists){0};
}

static hd_trace_lists *lists_of(hd_trace_index *index, const heddle_event *event) {
    switch (hd_trace_kinds[event->kind].class) {
    case HEDDLE_CLASS_VARIABLE:
        return &index->variables;
    case HEDDLE_CLASS_LOCK:
        return &index->locks;
    default:
        return NULL;
    }
}

/* Of a pass that keeps to the time: is it up? */
static bool is_late(bool timed, uint32_t step) {
    return timed && hd_clock_over_at(step);
}

static bool build_lists(hd_trace_index *index, bool timed) {
    const hd_trace *trace = index->trace;
    uint32_t length = hd_trace_length(trace);
    lists_start(&index->threads, trace->tables.names[HEDDLE_CLASS_THREAD].length);
    lists_start(&index->locks, trace->tables.names[HEDDLE_CLASS_LOCK].length);
    lists_start(&index->variables, trace->tables.names[HEDDLE_CLASS_VARIABLE].length);
    for (uint32_t n = 1; n <= length; n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        hd_trace_lists *lists = lists_of(index, event);
        lists_count(&index->threads, event->thread);
        if (lists)
            lists_count(lists, event->object);
        if (is_late(timed, n))
            return false;
    }
    lists_allocate(&index->threads);
    lists_allocate(&index->locks);
    lists_allocate(&index->variables);
    for (uint32_t n = 1; n <= length; n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        hd_trace_lists *lists = lists_of(index, event);
        lists_add(&index->threads, event->thread, n);
        if (lists)
            lists_add(lists, event->object, n);
        if (is_late(timed, n))
            return false;
    }
    return true;
}

static bool build_positions(hd_trace_index *index, bool timed) {
    const hd_trace_lists *threads = &index->threads;
    index->position = HD_NEW_ARRAY(uint32_t, (size_t)hd_trace_length(index->trace) + 1);
    for (uint32_t thread = 0; thread < threads->count; thread++)
        for (uint32_t i = threads->start[thread]; i < threads->start[thread + 1]; i++) {
            index->position[threads->items[i]] = i - threads->start[thread] + 1;
            if (is_late(timed, i + 1))
                return false;
        }
    return true;
}

/* ---- Pairs: one pass over the trace, a little state per object. ---- */

typedef HD_VEC(uint32_t) numbers;

/* The notifications of one condition variable while threads wait on it. */
struct condition {
    numbers notifications; /* event numbers */
    numbers next;          /* [i]: i, or a later one to look at because i was taken */
    uint32_t waiters;
};

struct channel {
    numbers sends;
    size_t taken;
};

struct barrier {
    numbers arrived; /* bins since the last round's first bout */
};

struct pairing {
    hd_trace_index *index;
    uint32_t *last_write;  /* of a variable */
    uint32_t *last_change; /* of a lock: the acquire or release that changed it */
    uint32_t *waits;       /* of a thread: its wait or bin */
    HD_VEC(struct condition) conditions;
    HD_VEC(struct channel) channels, semaphores;
    HD_VEC(struct barrier) barriers;
    hd_map holds; /* (lock, thread) -> innermost acquire that is not released */
    numbers round_start, round_bins;
};

static uint32_t *hold_at(struct pairing *p, const heddle_event *event) {
    return hd_map_at(&p->holds, (uint64_t)event->object << 32 | event->thread, NULL);
}

/* Re-entrant holds form a stack: while an acquire is open, its pair entry holds
 * the acquire around it. */
static void pair_acquire(struct pairing *p, uint32_t number, const heddle_event *event) {
    uint32_t *open = hold_at(p, event);
    p->index->pair[number] = *open;
    *open = number;
    if (!(event->flags & HEDDLE_REENTRANT))
        p->last_change[event->object] = number;
}

static void pair_release(struct pairing *p, uint32_t number, const heddle_event *event) {
    uint32_t *open = hold_at(p, event);
    uint32_t acquire = *open;
    assert(acquire);
    *open = p->index->pair[acquire];
    p->index->pair[acquire] = number;
    p->index->pair[number] = acquire;
    if (!(event->flags & HEDDLE_REENTRANT))
        p->last_change[event->object] = number;
}

/* Acquires that were never released still hold their link to the one around them. */
static void close_open_holds(struct pairing *p) {
    const hd_trace *trace = p->index->trace;
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        if (hd_trace_acquires(event) && p->index->pair[n] < n)
            p->index->pair[n] = 0;
    }
}

static struct condition *condition_at(struct pairing *p, uint32_t id) {
    if (id >= p->conditions.length)
        hd_vec_resize(&p->conditions, (size_t)id + 1);
    return &p->conditions.data[id];
}

static void pair_notification(struct pairing *p, uint32_t number, const heddle_event *event) {
    struct condition *condition = condition_at(p, event->object);
    if (!condition->waiters)
        return; /* no wait precedes it, so no wake can take it */
    hd_vec_push(&condition->next, (uint32_t)condition->notifications.length);
    hd_vec_push(&condition->notifications, number);
}

static void pair_wait(struct pairing *p, uint32_t number, const heddle_event *event) {
    struct condition *condition = condition_at(p, event->object);
    if (condition->waiters++ == 0) {
        hd_vec_clear(&condition->notifications);
        hd_vec_clear(&condition->next);
    }
    p->waits[event->thread] = number;
}

/* First notification after event `wait`, by bisection. */
static size_t first_after(const struct condition *condition, uint32_t wait) {
    size_t low = 0, high = condition->notifications.length;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (condition->notifications.data[middle] > wait)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The first notification from i on that no wake took; the path there is compressed, so that many
 * wakes cost little more than one step each. */
static size_t first_free(struct condition *condition, size_t i) {
    size_t end = i;
    while (end < condition->next.length && condition->next.data[end] != end)
        end = condition->next.data[end];
    while (i < end && condition->next.data[i] != end) {
        size_t following = condition->next.data[i];
        condition->next.data[i] = (uint32_t)end;
        i = following;
    }
    return end;
}

static void pair_wake(struct pairing *p, uint32_t number, const heddle_event *event) {
    struct condition *condition = condition_at(p, event->object);
    uint32_t wait = p->waits[event->thread];
    assert(wait && condition->waiters);
    p->index->pair[wait] = number;
    condition->waiters--;
    size_t i = first_free(condition, first_after(condition, wait));
    if (i == condition->notifications.length)
        return;
    uint32_t notification = condition->notifications.data[i];
    p->index->pair[number] = notification;
    if (hd_trace_event(p->index->trace, notification)->kind == HEDDLE_NOTIFY)
        condition->next.data[i] = (uint32_t)i + 1;
}

static struct channel *channel_at(struct pairing *p, uint32_t id) {
    if (id >= p->channels.length)
        hd_vec_resize(&p->channels, (size_t)id + 1);
    return &p->channels.data[id];
}

static struct channel *semaphore_at(struct pairing *p, uint32_t id) {
    if (id >= p->semaphores.length)
        hd_vec_resize(&p->semaphores, (size_t)id + 1);
    return &p->semaphores.data[id];
}

static void pair_receive(struct pairing *p, uint32_t number, struct channel *channel) {
    if (channel->taken < channel->sends.length)
        p->index->pair[number] = channel->sends.data[channel->taken++];
}

static struct barrier *barrier_at(struct pairing *p, uint32_t id) {
    if (id >= p->barriers.length)
        hd_vec_resize(&p->barriers, (size_t)id + 1);
    return &p->barriers.data[id];
}

/* The first to leave closes the round: it is all that arrived since the last
 * round was closed. */
static void pair_departure(struct pairing *p, uint32_t number, const heddle_event *event) {
    struct barrier *barrier = barrier_at(p, event->object);
    uint32_t arrival = p->waits[event->thread];
    if (!p->index->pair[arrival]) {
        uint32_t round = (uint32_t)p->round_start.length + 1;
        hd_vec_push(&p->round_start, (uint32_t)p->round_bins.length);
        for (size_t i = 0; i < barrier->arrived.length; i++) {
            p->index->pair[barrier->arrived.data[i]] = round;
            hd_vec_push(&p->round_bins, barrier->arrived.data[i]);
        }
        hd_vec_clear(&barrier->arrived);
    }
    p->index->pair[number] = p->index->pair[arrival];
}

static void pair_access(struct pairing *p, uint32_t number, const heddle_event *event) {
    if (hd_trace_reads(event))
        p->index->pair[number] = p->last_write[event->object];
    if (hd_trace_writes(event))
        p->last_write[event->object] = number;
}

static void pair_event(struct pairing *p, uint32_t number, const heddle_event *event) {
    switch ((enum heddle_kind)event->kind) {
    case HEDDLE_ACQUIRE:
    case HEDDLE_READ_ACQUIRE:
    case HEDDLE_TRY_ACQUIRE:
    case HEDDLE_TRY_READ_ACQUIRE:
        pair_acquire(p, number, event);
        break;
    case HEDDLE_RELEASE:
    case HEDDLE_READ_RELEASE:
        pair_release(p, number, event);
        break;
    case HEDDLE_TRYFAIL:
        p->index->pair[number] = p->last_change[event->object];
        break;
    case HEDDLE_WAIT:
        pair_wait(p, number, event);
        break;
    case HEDDLE_WAKE:
        pair_wake(p, number, event);
        break;
    case HEDDLE_NOTIFY:
    case HEDDLE_NOTIFYALL:
        pair_notification(p, number, event);
        break;
    case HEDDLE_BARRIER_IN:
        hd_vec_push(&barrier_at(p, event->object)->arrived, number);
        p->waits[event->thread] = number;
        break;
    case HEDDLE_BARRIER_OUT:
        pair_departure(p, number, event);
        break;
    case HEDDLE_SEND:
        hd_vec_push(&channel_at(p, event->object)->sends, number);
        break;
    case HEDDLE_RECV:
        pair_receive(p, number, channel_at(p, event->object));
        break;
    case HEDDLE_POST:
        hd_vec_push(&semaphore_at(p, event->object)->sends, number);
        break;
    case HEDDLE_TAKE:
        pair_receive(p, number, semaphore_at(p, event->object));
        break;
    default:
        break;
    }
}

/* Fork and join are paired by the lists of the threads' events. */
static void pair_threads(hd_trace_index *index, uint32_t number, const heddle_event *event) {
    uint32_t length = hd_trace_list_length(&index->threads, event->object);
    if (length == 0)
        return;
    const uint32_t *events = hd_trace_list(&index->threads, event->object);
    index->pair[number] = event->kind == HEDDLE_FORK ? events[0] : events[length - 1];
}

static void pairing_init(struct pairing *p, hd_trace_index *index) {
    const hd_names *names = index->trace->tables.names;
    *p = (struct pairing){.index = index};
    p->last_write = HD_NEW_ARRAY(uint32_t, names[HEDDLE_CLASS_VARIABLE].length);
    p->last_change = HD_NEW_ARRAY(uint32_t, names[HEDDLE_CLASS_LOCK].length);
    p->waits = HD_NEW_ARRAY(uint32_t, names[HEDDLE_CLASS_THREAD].length);
}

static void pairing_release(struct pairing *p) {
    free(p->last_write);
    free(p->last_change);
    free(p->waits);
    for (size_t i = 0; i < p->conditions.length; i++) {
        hd_vec_release(&p->conditions.data[i].notifications);
        hd_vec_release(&p->conditions.data[i].next);
    }
    for (size_t i = 0; i < p->channels.length; i++)
        hd_vec_release(&p->channels.data[i].sends);
    for (size_t i = 0; i < p->semaphores.length; i++)
        hd_vec_release(&p->semaphores.data[i].sends);
    for (size_t i = 0; i < p->barriers.length; i++)
        hd_vec_release(&p->barriers.data[i].arrived);
    hd_vec_release(&p->conditions);
    hd_vec_release(&p->channels);
    hd_vec_release(&p->semaphores);
    hd_vec_release(&p->barriers);
    hd_map_release(&p->holds);
    hd_vec_release(&p->round_start);
    hd_vec_release(&p->round_bins);
}

static void take_rounds(struct pairing *p) {
    hd_trace_lists *rounds = &p->index->rounds;
    rounds->count = (uint32_t)p->round_start.length;
    hd_vec_push(&p->round_start, (uint32_t)p->round_bins.length);
    rounds->start = p->round_start.data;
    rounds->items = p->round_bins.data;
    p->round_start.data = NULL;
    p->round_bins.data = NULL;
}

static bool build_pairs(hd_trace_index *index, bool timed) {
    const hd_trace *trace = index->trace;
    struct pairing p;
    bool late = false;
    pairing_init(&p, index);
    index->pair = HD_NEW_ARRAY(uint32_t, (size_t)hd_trace_length(trace) + 1);
    for (uint32_t n = 1; n <= hd_trace_length(trace) && !late; n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        if (hd_trace_is_access(event))
            pair_access(&p, n, event);
        else if (event->kind == HEDDLE_FORK || event->kind == HEDDLE_JOIN)
            pair_threads(index, n, event);
        else
            pair_event(&p, n, event);
        late = is_late(timed, n);
    }
    if (!late)
        close_open_holds(&p);
    take_rounds(&p);
    pairing_release(&p);
    return !late;
}

static bool build(hd_trace_index *index, const hd_trace *trace, bool timed) {
    *index = (hd_trace_index){.trace = trace};
    return build_lists(index, timed) && build_positions(index, timed) && build_pairs(index, timed);
}

void hd_trace_index_build(hd_trace_index *index, const hd_trace *trace) {
    build(index, trace, false);
}

bool hd_trace_index_build_in_time(hd_trace_index *index, const hd_trace *trace) {
    if (build(index, trace, true))
        return true;
    hd_trace_index_release(index);
    return false;
}

void hd_trace_index_release(hd_trace_index *index) {
    lists_release(&index->threads);
    lists_release(&index->locks);
    lists_release(&index->variables);
    lists_release(&index->rounds);
    free(index->position);
    free(index->pair);
    *index = (hd_trace_index){0};
}
