#include "predicate_window.h"

#include <string.h>

void hd_predicate_window_release(hd_predicate_window *window) {
    window->trace.tables = (hd_trace_tables){0};
    hd_trace_release(&window->trace);
    hd_vec_release(&window->numbers);
    hd_vec_release(&window->gone);
    *window = (hd_predicate_window){0};
}

void hd_predicate_window_take(hd_predicate_window *window, uint32_t number,
                              const heddle_event *event) {
    assert(window->numbers.length <= window->open || *hd_vec_last(&window->numbers) < number);
    hd_trace_append(&window->trace, *event);
    hd_vec_push(&window->numbers, number);
}

/* ---- What is open ---- */

/* Events in front, as they are put together anew. */
struct front {
    HD_VEC(heddle_event) events;
    hd_vec_u32 numbers;
};

static void put_open(struct front *front, const heddle_event *event, uint32_t number) {
    hd_vec_push(&front->events, *event);
    hd_vec_push(&front->numbers, number);
}

static void take_out(struct front *front, size_t at) {
    assert(at < front->events.length && front->events.length == front->numbers.length);
    front->events.length--;
    front->numbers.length--;
    size_t after = front->events.length - at;
    memmove(front->events.data + at, front->events.data + at + 1,
            after * sizeof *front->events.data);
    memmove(front->numbers.data + at, front->numbers.data + at + 1,
            after * sizeof *front->numbers.data);
}

/* Takes out the acquire, of whatever kind, that the release gives back. */
static void close_hold(struct front *front, const heddle_event *release) {
    for (size_t i = front->events.length; i-- > 0;) {
        const heddle_event *it = &front->events.data[i];
        if (hd_trace_acquires(it) && hd_trace_is_shared(it) == hd_trace_is_shared(release) &&
            it->thread == release->thread && it->object == release->object) {
            take_out(front, i);
            return;
        }
    }
}

/* Takes out the last event of such a kind and object, of this thread. */
static void close_last(struct front *front, unsigned kind, const heddle_event *event) {
    for (size_t i = front->events.length; i-- > 0;) {
        const heddle_event *it = &front->events.data[i];
        if (it->kind == kind && it->thread == event->thread && it->object == event->object) {
            take_out(front, i);
            return;
        }
    }
}

static size_t count_open(const struct front *front, unsigned kind, uint32_t object) {
    size_t count = 0;
    for (size_t i = 0; i < front->events.length; i++)
        count += front->events.data[i].kind == kind && front->events.data[i].object == object;
    return count;
}

static void close_all(struct front *front, unsigned kind, unsigned other, uint32_t object) {
    for (size_t i = front->events.length; i-- > 0;) {
        const heddle_event *it = &front->events.data[i];
        if ((it->kind == kind || it->kind == other) && it->object == object)
            take_out(front, i);
    }
}

static void close_first(struct front *front, unsigned kind, uint32_t object) {
    for (size_t i = 0; i < front->events.length; i++)
        if (front->events.data[i].kind == kind && front->events.data[i].object == object) {
            take_out(front, i);
            return;
        }
}

/* An event that is forgotten. */
static void pass_event(struct front *front, const heddle_event *event, uint32_t number) {
    uint32_t object = event->object;
    switch ((enum heddle_kind)event->kind) {
    case HEDDLE_ACQUIRE:
    case HEDDLE_READ_ACQUIRE:
    case HEDDLE_TRY_ACQUIRE:
    case HEDDLE_TRY_READ_ACQUIRE:
    case HEDDLE_BEGIN:
    case HEDDLE_WAIT:
    case HEDDLE_BARRIER_IN:
    case HEDDLE_SEND:
    case HEDDLE_POST:
        put_open(front, event, number);
        break;
    case HEDDLE_RELEASE:
    case HEDDLE_READ_RELEASE:
        close_hold(front, event);
        break;
    case HEDDLE_END:
        close_last(front, HEDDLE_BEGIN, event);
        break;
    case HEDDLE_NOTIFY:
    case HEDDLE_NOTIFYALL: /* for a thread that still waits */
        if (count_open(front, HEDDLE_WAIT, object))
            put_open(front, event, number);
        break;
    case HEDDLE_WAKE:
        close_last(front, HEDDLE_WAIT, event);
        if (!count_open(front, HEDDLE_WAIT, object))
            close_all(front, HEDDLE_NOTIFY, HEDDLE_NOTIFYALL, object);
        break;
    case HEDDLE_BARRIER_OUT: /* a round is left when all have left it */
        put_open(front, event, number);
        if (count_open(front, HEDDLE_BARRIER_IN, object) ==
            count_open(front, HEDDLE_BARRIER_OUT, object))
            close_all(front, HEDDLE_BARRIER_IN, HEDDLE_BARRIER_OUT, object);
        break;
    case HEDDLE_RECV:
        close_first(front, HEDDLE_SEND, object);
        break;
    case HEDDLE_TAKE:
        close_first(front, HEDDLE_POST, object);
        break;
    default:
        break; /* leaves nothing open */
    }
}

/* ---- Forgetting ---- */

static uint32_t *gone_of(hd_predicate_window *window, uint32_t thread) {
    if (window->gone.length <= thread)
        hd_vec_resize(&window->gone, thread + 1);
    return &window->gone.data[thread];
}

void hd_predicate_window_forget(hd_predicate_window *window, const hd_predicate_online *online) {
    hd_predicate_window_forget_but(window, online, hd_predicate_online_effort_of(online).kept);
}

void hd_predicate_window_forget_but(hd_predicate_window *window, const hd_predicate_online *online,
                                    uint64_t kept) {
    uint32_t length = hd_trace_length(&window->trace);
    if (length - window->open <= kept + (window->slack ? kept / 2 + window->slack : 0))
        return;
    struct front front = {0};
    hd_predicate_window rest = {
        .slack = window->slack, .gone = window->gone, .before = window->before};
    for (uint32_t i = 0; i < length; i++) {
        const heddle_event *event = &window->trace.events.data[i];
        uint32_t number = window->numbers.data[i];
        if (i < window->open) {
            put_open(&front, event, number);
            continue;
        }
        uint32_t *gone = gone_of(&rest, event->thread);
        assert(*gone <= hd_predicate_online_gone(online, event->thread));
        if (*gone < hd_predicate_online_gone(online, event->thread)) {
            ++*gone;
            pass_event(&front, event, number);
        } else {
            hd_predicate_window_take(&rest, number, event);
        }
    }
    /* The front goes before the rest. */
    size_t open = front.events.length, kept_here = rest.trace.events.length;
    hd_vec_resize(&rest.trace.events, open + kept_here);
    hd_vec_resize(&rest.numbers, open + kept_here);
    for (size_t i = kept_here; i-- > 0;) {
        rest.trace.events.data[open + i] = rest.trace.events.data[i];
        rest.numbers.data[open + i] = rest.numbers.data[i];
    }
    for (size_t i = 0; i < open; i++) {
        rest.trace.events.data[i] = front.events.data[i];
        rest.numbers.data[i] = front.numbers.data[i];
    }
    assert(open + kept_here <= length);
    assert(kept_here == kept); /* as many as the detector has not forgotten */
    rest.open = (uint32_t)open;
    rest.before += (uint32_t)(length - window->open - kept_here);
    hd_vec_release(&front.events);
    hd_vec_release(&front.numbers);
    window->gone = (hd_vec_u32){0};
    hd_predicate_window_release(window);
    *window = rest;
}

void hd_predicate_window_before(const hd_predicate_window *window, hd_trace_loset *to) {
    const hd_trace *trace = &window->trace;
    hd_vec_u32 begun = {0}; /* [thread]: an event after the first ones was met */
    hd_vec_clear(&to->edges);
    to->run = true;
    for (uint32_t n = window->open + 1; window->open && n <= hd_trace_length(trace); n++) {
        uint32_t thread = hd_trace_event(trace, n)->thread;
        if (begun.length <= thread)
            hd_vec_resize(&begun, thread + 1);
        for (uint32_t first = 1; !begun.data[thread] && first <= window->open; first++)
            if (hd_trace_event(trace, first)->thread != thread)
                hd_vec_push(&to->edges, (hd_trace_edge){first, n});
        begun.data[thread] = 1;
    }
    hd_vec_release(&begun);
}

/* ---- States ---- */

/* The event of its thread after this one, 0 if it has not come. */
static uint32_t next_of_thread(const hd_trace *trace, uint32_t event) {
    uint32_t thread = hd_trace_event(trace, event)->thread;
    for (uint32_t n = event + 1; n <= hd_trace_length(trace); n++)
        if (hd_trace_event(trace, n)->thread == thread)
            return n;
    return 0;
}

/* How many events of each thread after the first ones are in the state. */
static void count_left(const hd_predicate_window *window, const hd_predicate_sight *sight,
                       hd_vec_u32 *left) {
    hd_vec_clear(left);
    for (uint32_t p = 0; p < sight->places; p++) {
        uint32_t thread = sight->threads[p];
        if (left->length <= thread)
            hd_vec_resize(left, thread + 1);
        uint32_t gone = thread < window->gone.length ? window->gone.data[thread] : 0;
        assert(sight->state[p] >= gone);
        left->data[thread] = sight->state[p] - gone;
    }
}

void hd_predicate_window_schedule(const hd_predicate_window *window,
                                  const hd_predicate_sight *sight, hd_vec_u32 *schedule,
                                  hd_vec_u32 *counts) {
    const hd_trace *trace = &window->trace;
    hd_vec_u32 left = {0};
    count_left(window, sight, &left);
    bool *early = HD_NEW_ARRAY(bool, left.length); /* its wait stands in the schedule already */
    hd_vec_clear(schedule);
    hd_vec_clear(counts);
    hd_vec_resize(counts, left.length);
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        uint32_t thread = event->thread;
        if (thread >= left.length || (n > window->open && !left.data[thread]))
            continue;
        left.data[thread] -= n > window->open;
        counts->data[thread]++;
        if (!early[thread])
            hd_vec_push(schedule, n);
        early[thread] = false;
        uint32_t next =
            event->kind == HEDDLE_RELEASE && left.data[thread] ? next_of_thread(trace, n) : 0;
        if (next && hd_trace_event(trace, next)->kind == HEDDLE_WAIT) {
            hd_vec_push(schedule, next);
            early[thread] = true;
        }
    }
    for (size_t t = 0; t < left.length; t++)
        assert(!left.data[t]); /* the window has every event of the state that was not forgotten */
    for (size_t t = 0; t < left.length; t++)
        assert(!early[t]); /* nor is a wait there without its turn */
    free(early);
    hd_vec_release(&left);
}

uint32_t hd_predicate_window_place(const hd_predicate_window *window, uint32_t number) {
    size_t low = window->open, high = window->numbers.length;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (window->numbers.data[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    assert(low == window->open || window->numbers.data[low - 1] < number);
    bool there = low < window->numbers.length && window->numbers.data[low] == number;
    return number && there ? (uint32_t)low + 1 : 0;
}
