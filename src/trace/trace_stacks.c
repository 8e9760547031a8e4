#include "trace_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "trace_binary.h"

/* Bytes of changes before the whole stack is kept again, and more for a deep one, so that
 * the stacks kept never take more than the changes. */
enum { BETWEEN = 4096, BETWEEN_CALL = 8 };

typedef HD_VEC(unsigned char) bytes;

/* The whole stack before the change at `place`. */
typedef struct mark {
    uint32_t event; /* of the change before */
    uint32_t function;
    size_t place;
    size_t first; /* of its calls in `marked` */
    uint32_t depth;
} mark;

/* A thread: its changes so far, and what they lead to. */
typedef struct thread_stacks {
    bytes changes;
    HD_VEC(mark) marks;
    hd_vec_u32 marked;
    hd_vec_u32 stack; /* after the last change */
    uint32_t function, event;
} thread_stacks;

/* A thread that is being recorded. */
typedef struct runner_calls {
    hd_vec_u32 calls, told; /* now, and at the last event */
    size_t kept;            /* how many outermost calls of both are the same */
    uint32_t function;      /* of the last event */
} runner_calls;

/* A change whose event may still get another number. */
typedef struct pending {
    hd_trace_change change;
    size_t first; /* of its frames */
} pending;

struct hd_trace_stacks {
    hd_names functions; /* number 0 is "" */
    HD_VEC(hd_trace_frame) frames;
    hd_map frame_numbers;
    HD_VEC(thread_stacks) threads;
    HD_VEC(runner_calls) runners;
    HD_VEC(pending) pending;
    hd_vec_u32 pending_frames;
    hd_vec_u32 dropped; /* events that the numbers of the pending ones still count, in order */
};

hd_trace_stacks *hd_trace_stacks_create(void) {
    hd_trace_stacks *stacks = HD_NEW(hd_trace_stacks);
    hd_names_add(&stacks->functions, "", 0);
    hd_vec_push(&stacks->frames, (hd_trace_frame){0});
    return stacks;
}

void hd_trace_stacks_free(hd_trace_stacks *stacks) {
    if (!stacks)
        return;
    for (size_t i = 0; i < stacks->threads.length; i++) {
        thread_stacks *it = &stacks->threads.data[i];
        hd_vec_release(&it->changes);
        hd_vec_release(&it->marks);
        hd_vec_release(&it->marked);
        hd_vec_release(&it->stack);
    }
    for (size_t i = 0; i < stacks->runners.length; i++) {
        hd_vec_release(&stacks->runners.data[i].calls);
        hd_vec_release(&stacks->runners.data[i].told);
    }
    hd_vec_release(&stacks->threads);
    hd_vec_release(&stacks->runners);
    hd_vec_release(&stacks->frames);
    hd_vec_release(&stacks->pending);
    hd_vec_release(&stacks->pending_frames);
    hd_vec_release(&stacks->dropped);
    hd_map_release(&stacks->frame_numbers);
    hd_names_release(&stacks->functions);
    free(stacks);
}

/* --- functions and frames ------------------------------------------------------------------- */

uint32_t hd_trace_stacks_function(hd_trace_stacks *stacks, const char *name, size_t length) {
    uint32_t number = hd_names_add(&stacks->functions, name, length);
    return number == HD_NAMES_NONE ? 0 : number;
}

uint32_t hd_trace_stacks_frame(hd_trace_stacks *stacks, hd_trace_frame frame) {
    bool added;
    uint64_t key = (uint64_t)frame.function << 32 | frame.location;
    uint32_t *number = hd_map_at(&stacks->frame_numbers, key, &added);
    if (added) {
        *number = (uint32_t)stacks->frames.length;
        hd_vec_push(&stacks->frames, frame);
    }
    return *number;
}

uint32_t hd_trace_stacks_functions(const hd_trace_stacks *stacks) {
    return stacks->functions.length - 1;
}

uint32_t hd_trace_stacks_frames(const hd_trace_stacks *stacks) {
    return (uint32_t)stacks->frames.length - 1;
}

const char *hd_trace_stacks_name(const hd_trace_stacks *stacks, uint32_t function) {
    return hd_names_text(&stacks->functions, function);
}

hd_trace_frame hd_trace_stacks_at(const hd_trace_stacks *stacks, uint32_t frame) {
    assert(frame < stacks->frames.length);
    return stacks->frames.data[frame];
}

uint32_t hd_trace_stacks_threads(const hd_trace_stacks *stacks) {
    return (uint32_t)stacks->threads.length;
}

static thread_stacks *thread_of(hd_trace_stacks *stacks, uint32_t thread) {
    if (stacks->threads.length <= thread)
        hd_vec_resize(&stacks->threads, (size_t)thread + 1);
    return &stacks->threads.data[thread];
}

/* --- changes -------------------------------------------------------------------------------- */

static void put_number(bytes *to, uint64_t value) {
    hd_vec_reserve(to, to->length + 10);
    to->length = (size_t)(hd_trace_put_varint(to->data + to->length, value) - to->data);
}

static void mark_stack(thread_stacks *it) {
    hd_vec_push(&it->marks, (mark){.event = it->event,
                                   .function = it->function,
                                   .place = it->changes.length,
                                   .first = it->marked.length,
                                   .depth = (uint32_t)it->stack.length});
    for (size_t i = 0; i < it->stack.length; i++)
        hd_vec_push(&it->marked, it->stack.data[i]);
}

static void put_mark(thread_stacks *it) {
    size_t since = it->changes.length;
    if (it->marks.length)
        since -= hd_vec_last(&it->marks)->place;
    if (since >= BETWEEN + BETWEEN_CALL * it->stack.length)
        mark_stack(it);
}

bool hd_trace_stacks_change(hd_trace_stacks *stacks, const hd_trace_change *change) {
    thread_stacks *it = thread_of(stacks, change->thread);
    if (change->pops > it->stack.length || change->event < it->event)
        return false;
    put_mark(it);
    put_number(&it->changes, change->event - it->event);
    put_number(&it->changes, change->pops);
    put_number(&it->changes, change->pushes);
    it->stack.length -= change->pops;
    for (uint32_t i = 0; i < change->pushes; i++) {
        put_number(&it->changes, change->frames[i]);
        hd_vec_push(&it->stack, change->frames[i]);
    }
    put_number(&it->changes, change->function);
    it->event = change->event;
    it->function = change->function;
    return true;
}

bool hd_trace_changes_next(hd_trace_changes *changes, const hd_trace_stacks *stacks,
                           hd_trace_change *change) {
    if (changes->thread >= stacks->threads.length)
        return false;
    const bytes *from = &stacks->threads.data[changes->thread].changes;
    if (changes->place >= from->length)
        return false;
    const unsigned char *at = from->data + changes->place;
    changes->event += (uint32_t)hd_trace_get_varint(&at);
    *change = (hd_trace_change){.thread = changes->thread, .event = changes->event};
    change->pops = (uint32_t)hd_trace_get_varint(&at);
    change->pushes = (uint32_t)hd_trace_get_varint(&at);
    hd_vec_clear(&changes->frames);
    for (uint32_t i = 0; i < change->pushes; i++)
        hd_vec_push(&changes->frames, (uint32_t)hd_trace_get_varint(&at));
    change->frames = changes->frames.data;
    change->function = (uint32_t)hd_trace_get_varint(&at);
    changes->place = (size_t)(at - from->data);
    return true;
}

/* --- recording ------------------------------------------------------------------------------ */

static runner_calls *runner_of(hd_trace_stacks *stacks, uint32_t number) {
    if (stacks->runners.length <= number)
        hd_vec_resize(&stacks->runners, (size_t)number + 1);
    return &stacks->runners.data[number];
}

void hd_trace_stacks_enter(hd_trace_stacks *stacks, uint32_t runner, uint32_t frame) {
    runner_calls *it = runner_of(stacks, runner);
    hd_vec_push(&it->calls, frame);
}

void hd_trace_stacks_leave(hd_trace_stacks *stacks, uint32_t runner) {
    runner_calls *it = runner_of(stacks, runner);
    if (!it->calls.length)
        return;
    it->calls.length--;
    if (it->kept > it->calls.length)
        it->kept = it->calls.length;
}

void hd_trace_stacks_event(hd_trace_stacks *stacks, uint32_t runner, uint32_t thread,
                           uint32_t number, uint32_t function) {
    runner_calls *it = runner_of(stacks, runner);
    hd_vec_u32 *told = &it->told, *calls = &it->calls;
    /* A function that was left and entered again from the same place is not a change. */
    while (it->kept < calls->length && it->kept < told->length &&
           calls->data[it->kept] == told->data[it->kept])
        it->kept++;
    if (it->kept == told->length && it->kept == calls->length && function == it->function)
        return;
    pending next = {.first = stacks->pending_frames.length};
    next.change = (hd_trace_change){.thread = thread,
                                    .event = number,
                                    .pops = (uint32_t)(told->length - it->kept),
                                    .pushes = (uint32_t)(calls->length - it->kept),
                                    .function = function};
    told->length = it->kept;
    for (; it->kept < calls->length; it->kept++) {
        hd_vec_push(&stacks->pending_frames, calls->data[it->kept]);
        hd_vec_push(told, calls->data[it->kept]);
    }
    it->function = function;
    hd_vec_push(&stacks->pending, next);
}

static void drop_all(hd_trace_stacks *stacks) {
    uint32_t less = 0;
    for (size_t i = 0; stacks->dropped.length && i < stacks->pending.length; i++) {
        uint32_t *event = &stacks->pending.data[i].change.event;
        while (less < stacks->dropped.length && stacks->dropped.data[less] < *event)
            less++;
        *event -= less;
    }
    hd_vec_clear(&stacks->dropped);
}

/* Mostly they are dropped in order, then that takes one pass for all. */
void hd_trace_stacks_drop(hd_trace_stacks *stacks, uint32_t number) {
    if (stacks->dropped.length && number + stacks->dropped.length <= *hd_vec_last(&stacks->dropped))
        drop_all(stacks);
    hd_vec_push(&stacks->dropped, number + (uint32_t)stacks->dropped.length);
}

void hd_trace_stacks_settle(hd_trace_stacks *stacks) {
    drop_all(stacks);
    for (size_t i = 0; i < stacks->pending.length; i++) {
        pending *next = &stacks->pending.data[i];
        if (stacks->pending_frames.length)
            next->change.frames = stacks->pending_frames.data + next->first;
        bool good = hd_trace_stacks_change(stacks, &next->change);
        assert(good);
        (void)good;
    }
    hd_vec_clear(&stacks->pending);
    hd_vec_clear(&stacks->pending_frames);
}

/* --- asking --------------------------------------------------------------------------------- */

/* The last mark before the event. */
static const mark *find_mark(const thread_stacks *it, uint32_t number) {
    size_t low;
    hd_vec_upper(low, &it->marks, event, number);
    return low ? &it->marks.data[low - 1] : NULL;
}

void hd_trace_stacks_find(const hd_trace_stacks *stacks, uint32_t thread, uint32_t number,
                          hd_vec_u32 *frames, uint32_t *function) {
    hd_vec_clear(frames);
    *function = 0;
    if (thread >= stacks->threads.length)
        return;
    const thread_stacks *it = &stacks->threads.data[thread];
    const mark *from = find_mark(it, number);
    hd_trace_changes changes = {.thread = thread};
    hd_trace_change change;
    if (from) {
        changes.place = from->place;
        changes.event = from->event;
        *function = from->function;
        for (uint32_t i = 0; i < from->depth; i++)
            hd_vec_push(frames, it->marked.data[from->first + i]);
    }
    while (hd_trace_changes_next(&changes, stacks, &change) && change.event <= number) {
        frames->length -= change.pops;
        for (uint32_t i = 0; i < change.pushes; i++)
            hd_vec_push(frames, change.frames[i]);
        *function = change.function;
    }
    hd_vec_release(&changes.frames);
}

/* --- a few of them -------------------------------------------------------------------------- */

static uint32_t copy_function(hd_trace_stacks *to, const hd_trace_stacks *from, uint32_t function) {
    const char *name = hd_trace_stacks_name(from, function);
    return hd_trace_stacks_function(to, name, strlen(name));
}

void hd_trace_stacks_copy(hd_trace_stacks *to, const hd_trace_stacks *from, uint32_t thread,
                          uint32_t number) {
    hd_vec_u32 frames = {0};
    uint32_t function;
    hd_trace_stacks_find(from, thread, number, &frames, &function);
    for (size_t i = 0; i < frames.length; i++) {
        hd_trace_frame frame = hd_trace_stacks_at(from, frames.data[i]);
        frame.function = copy_function(to, from, frame.function);
        frames.data[i] = hd_trace_stacks_frame(to, frame);
    }
    hd_trace_change change = {.thread = thread,
                              .event = number,
                              .pops = (uint32_t)thread_of(to, thread)->stack.length,
                              .pushes = (uint32_t)frames.length,
                              .function = copy_function(to, from, function),
                              .frames = frames.data};
    bool good = hd_trace_stacks_change(to, &change);
    assert(good);
    (void)good;
    hd_vec_release(&frames);
}

void hd_trace_stacks_forget(hd_trace_stacks *stacks) {
    assert(!stacks->pending.length);
    for (size_t i = 0; i < stacks->threads.length; i++) {
        thread_stacks *it = &stacks->threads.data[i];
        if (!it->changes.length)
            continue;
        hd_vec_clear(&it->changes);
        hd_vec_clear(&it->marks);
        hd_vec_clear(&it->marked);
        mark_stack(it);
    }
}

void hd_trace_stacks_discard(hd_trace_stacks *stacks, hd_trace_changes *changes) {
    thread_stacks *it = thread_of(stacks, changes->thread);
    assert(changes->place <= it->changes.length);
    hd_vec_clear(&it->marks);
    hd_vec_clear(&it->marked);
    it->changes.length -= changes->place;
    if (it->changes.length)
        memmove(it->changes.data, it->changes.data + changes->place, it->changes.length);
    changes->place = 0;
}

uint64_t hd_trace_stacks_size(const hd_trace_stacks *stacks) {
    uint64_t size = stacks->frames.capacity * sizeof *stacks->frames.data;
    for (size_t i = 0; i < stacks->threads.length; i++) {
        const thread_stacks *it = &stacks->threads.data[i];
        size += it->changes.capacity + it->marks.capacity * sizeof *it->marks.data +
                it->marked.capacity * sizeof *it->marked.data;
    }
    return size;
}
