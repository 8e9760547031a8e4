#include "trace_memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "trace_cursor.h"
#include "trace_loset.h"

void hd_trace_init(hd_trace *trace) {
    *trace = (hd_trace){0};
    hd_trace_tables_init(&trace->tables);
}

bool hd_trace_sparse(hd_trace *trace, uint32_t length) {
    assert(!trace->events.data && length);
    size_t bytes = (size_t)length * sizeof *trace->events.data;
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return false;
    madvise(room, bytes, MADV_NOHUGEPAGE); /* else an event may take two megabytes */
    trace->events.data = room;
    trace->events.length = trace->events.capacity = length;
    trace->sparse = true;
    return true;
}

void hd_trace_release(hd_trace *trace) {
    if (trace->sparse)
        munmap(trace->events.data, trace->events.capacity * sizeof *trace->events.data);
    else
        hd_vec_release(&trace->events);
    hd_vec_release(&trace->kept);
    hd_trace_tables_release(&trace->tables);
    hd_trace_stacks_free(trace->stacks);
    hd_trace_end_release(&trace->end);
    hd_trace_loset_free(trace->loset);
    *trace = (hd_trace){0};
}

/* Reserves room for the events, estimated from the bytes read and left, so that the vector need not
 * be copied many times for a large file. */
static void reserve_by_share(hd_trace *trace, const hd_trace_cursor *cursor) {
    uint64_t size = hd_trace_cursor_size(cursor), done = hd_trace_cursor_done(cursor);
    if (done == 0 || size <= done)
        return;
    double share = (double)trace->events.length / (double)done;
    size_t expected = (size_t)(share * (double)size * 1.02) + 1024;
    if (expected > trace->events.capacity && expected <= HD_TRACE_MAX_EVENTS &&
        hd_mem_budget_allows(expected * sizeof *trace->events.data))
        hd_vec_reserve(&trace->events, expected);
}

static bool load(hd_trace *trace, hd_trace_cursor *cursor, hd_error *error) {
    hd_progress progress;
    hd_progress_start(&progress, "reading", "bytes", hd_trace_cursor_size(cursor));
    hd_trace_batch batch;
    int more;
    while ((more = hd_trace_cursor_next(cursor, &batch, error)) > 0) {
        if (trace->events.length + batch.count > trace->events.capacity)
            reserve_by_share(trace, cursor);
        hd_vec_reserve(&trace->events, trace->events.length + batch.count);
        memcpy(trace->events.data + trace->events.length, batch.events,
               batch.count * sizeof *batch.events);
        trace->events.length += batch.count;
        hd_progress_step(&progress, hd_trace_cursor_done(cursor));
    }
    hd_progress_end(&progress);
    trace->lost = hd_trace_cursor_lost(cursor);
    trace->incomplete = hd_trace_cursor_incomplete(cursor);
    trace->late = hd_trace_cursor_late(cursor);
    trace->guessed = hd_trace_cursor_guessed(cursor);
    trace->unexplained = hd_trace_cursor_unexplained(cursor);
    hd_trace_end_copy(&trace->end, hd_trace_cursor_end(cursor));
    return more == 0;
}

bool hd_trace_load(hd_trace *trace, const char *path, unsigned flags, hd_error *error) {
    if (flags & HD_TRACE_LOSETS && hd_trace_is_loset(path))
        return hd_trace_loset_load(trace, path, error);
    hd_trace_cursor *cursor = hd_trace_cursor_open(path, flags | HD_TRACE_STACKS, error);
    if (!cursor)
        return false;
    hd_trace_init(trace);
    hd_trace_cursor_save_time(cursor);
    bool good = load(trace, cursor, error);
    hd_trace_tables_release(&trace->tables);
    hd_trace_cursor_take_tables(cursor, &trace->tables);
    trace->stacks = hd_trace_cursor_take_stacks(cursor);
    hd_trace_cursor_close(cursor);
    if (!good)
        hd_trace_release(trace);
    return good;
}

void hd_trace_stack(const hd_trace *trace, uint32_t number, hd_trace_stack_calls *to) {
    hd_vec_clear(to);
    if (!trace->stacks)
        return;
    hd_vec_u32 frames = {0};
    uint32_t function;
    const heddle_event *event = hd_trace_event(trace, number);
    const hd_names *locations = &trace->tables.names[HEDDLE_CLASS_LOCATION];
    hd_trace_stacks_find(trace->stacks, event->thread, number, &frames, &function);
    hd_vec_push(to, (hd_trace_call){hd_trace_stacks_name(trace->stacks, function),
                                    hd_names_text(locations, event->location)});
    for (size_t i = frames.length; i-- > 0;) {
        hd_trace_frame frame = hd_trace_stacks_at(trace->stacks, frames.data[i]);
        hd_vec_push(to, (hd_trace_call){hd_trace_stacks_name(trace->stacks, frame.function),
                                        hd_names_text(locations, frame.location)});
    }
    while (to->length && !*hd_vec_last(to)->location)
        to->length--;
    hd_vec_release(&frames);
}

uint32_t hd_trace_name(hd_trace *trace, enum heddle_class class, const char *format, ...) {
    va_list arguments;
    size_t length;
    va_start(arguments, format);
    char *text = hd_text_formatted(&length, format, arguments);
    va_end(arguments);
    assert(hd_trace_legal_name(class, text, length));
    uint32_t id = hd_names_add(&trace->tables.names[class], text, length);
    free(text);
    return id;
}

void hd_trace_append(hd_trace *trace, heddle_event event) {
    assert(event.kind < HEDDLE_KIND_COUNT);
    assert(trace->events.length < HD_TRACE_MAX_EVENTS);
    hd_vec_push(&trace->events, event);
}
