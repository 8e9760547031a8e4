#include "order_holds.h"

#include <stdlib.h>

#include "order_held.h"

/* A position is how many events are passed: of a sparse trace, of those that are there. */
struct mark {
    size_t position, start; /* in `saved`: for each thread how many locks, and these */
};

struct hd_order_holds {
    const hd_trace *trace;
    HD_VEC(hd_vec_u32) threads; /* what each holds at `position` */
    size_t position, held;      /* and how many locks these are */
    HD_VEC(struct mark) marks;  /* ascending */
    hd_vec_u32 saved;
};

hd_order_holds *hd_order_holds_create(const hd_trace *trace) {
    hd_order_holds *holds = HD_NEW(hd_order_holds);
    holds->trace = trace;
    return holds;
}

void hd_order_holds_free(hd_order_holds *holds) {
    if (!holds)
        return;
    for (size_t i = 0; i < holds->threads.length; i++)
        hd_vec_release(&holds->threads.data[i]);
    hd_vec_release(&holds->threads);
    hd_vec_release(&holds->marks);
    hd_vec_release(&holds->saved);
    free(holds);
}

const hd_trace *hd_order_holds_trace(const hd_order_holds *holds) {
    return holds->trace;
}

/* ---- Positions ---- */

/* How many events are before this one. */
static size_t position_of(const hd_trace *trace, uint32_t event) {
    size_t from = 0, to = trace->kept.length;
    if (!trace->sparse)
        return event - 1;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (trace->kept.data[middle] < event)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static const heddle_event *event_at(const hd_trace *trace, size_t position) {
    uint32_t number = trace->sparse ? trace->kept.data[position] : (uint32_t)position + 1;
    return hd_trace_event(trace, number);
}

/* ---- Forward ---- */

static hd_vec_u32 *locks_of(hd_order_holds *holds, uint32_t thread) {
    while (holds->threads.length <= thread)
        hd_vec_push(&holds->threads, (hd_vec_u32){0});
    return &holds->threads.data[thread];
}

/* An event on a lock says whether it is held from then on. */
static void pass_event(hd_order_holds *holds, const heddle_event *event) {
    if (!(hd_trace_traits(event) & HEDDLE_T_LOCK) || event->flags & HEDDLE_REENTRANT)
        return;
    hd_order_lock lock = hd_order_lock_of(event->object, hd_trace_is_shared(event));
    hd_vec_u32 *locks = locks_of(holds, event->thread);
    size_t i = locks->length; /* what was taken last is released first, mostly */
    while (i && locks->data[i - 1] != lock)
        i--;
    if (!i && hd_trace_acquires(event)) {
        hd_vec_push(locks, lock);
        holds->held++;
    } else if (i && !hd_trace_acquires(event)) {
        for (; i < locks->length; i++)
            locks->data[i - 1] = locks->data[i];
        locks->length--;
        holds->held--;
    }
}

/* Marks are as far from each other as it takes to go from one to the next, and to save one. */
static void set_mark(hd_order_holds *holds) {
    enum { APART = 4096, A_LOCK = 16 };
    size_t count = holds->marks.length;
    size_t last = count ? holds->marks.data[count - 1].position : 0;
    if (holds->position < last + APART + A_LOCK * holds->held)
        return;
    hd_vec_push(&holds->marks, (struct mark){holds->position, holds->saved.length});
    for (size_t t = 0; t < holds->threads.length; t++) {
        const hd_vec_u32 *locks = &holds->threads.data[t];
        hd_vec_push(&holds->saved, (uint32_t)locks->length);
        for (size_t i = 0; i < locks->length; i++)
            hd_vec_push(&holds->saved, locks->data[i]);
    }
}

static void go_on_to(hd_order_holds *holds, size_t position) {
    while (holds->position < position) {
        pass_event(holds, event_at(holds->trace, holds->position++));
        set_mark(holds);
    }
}

/* ---- Back ---- */

/* The last mark that is not after the position; NULL: the beginning. */
static const struct mark *mark_before(const hd_order_holds *holds, size_t position) {
    size_t from = 0, to = holds->marks.length;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (holds->marks.data[middle].position <= position)
            from = middle + 1;
        else
            to = middle;
    }
    return from ? &holds->marks.data[from - 1] : NULL;
}

/* A thread that the mark does not know held nothing there. */
static void go_back_to(hd_order_holds *holds, const struct mark *mark) {
    const uint32_t *saved = mark ? holds->saved.data + mark->start : NULL;
    const struct mark *next = mark ? mark + 1 : NULL;
    size_t end =
        next && next < holds->marks.data + holds->marks.length ? next->start : holds->saved.length;
    const uint32_t *last = mark ? holds->saved.data + end : NULL;
    holds->position = mark ? mark->position : 0;
    holds->held = 0;
    for (size_t t = 0; t < holds->threads.length; t++) {
        hd_vec_u32 *locks = &holds->threads.data[t];
        hd_vec_clear(locks);
        if (saved == last)
            continue;
        uint32_t count = *saved++;
        for (uint32_t i = 0; i < count; i++)
            hd_vec_push(locks, *saved++);
        holds->held += count;
    }
    assert(saved == last);
}

/* ---- Asking ---- */

static int compare_locks(const void *a, const void *b) {
    hd_order_lock x = *(const hd_order_lock *)a, y = *(const hd_order_lock *)b;
    return (x > y) - (x < y);
}

void hd_order_holds_at(hd_order_holds *holds, uint32_t event, hd_vec_u32 *locks) {
    size_t position = position_of(holds->trace, event);
    const struct mark *mark = mark_before(holds, position);
    if (position < holds->position || (mark && mark->position > holds->position))
        go_back_to(holds, mark);
    go_on_to(holds, position);
    const hd_vec_u32 *held = locks_of(holds, hd_trace_event(holds->trace, event)->thread);
    hd_vec_clear(locks);
    for (size_t i = 0; i < held->length; i++)
        hd_vec_push(locks, held->data[i]);
    if (locks->length)
        qsort(locks->data, locks->length, sizeof *locks->data, compare_locks);
}
