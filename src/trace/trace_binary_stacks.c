/*
 * Section S of the binary format (doc/format.md): changes of the stacks, before the block that has
 * their events, and the functions and frames that they use for the first time.
 */
#include "trace_binary_stacks.h"

#include "trace_binary.h"

/* --- writing -------------------------------------------------------------------------------- */

void hd_trace_stacks_writer_release(hd_trace_stacks_writer *writer) {
    for (size_t i = 0; i < writer->threads.length; i++)
        hd_vec_release(&writer->threads.data[i].at.frames);
    hd_vec_release(&writer->threads);
    hd_vec_release(&writer->changes);
}

static void put_new_functions(hd_trace_stacks_writer *writer, const hd_trace_stacks *stacks,
                              hd_trace_bytes *to) {
    uint32_t functions = hd_trace_stacks_functions(stacks), frames = hd_trace_stacks_frames(stacks);
    hd_trace_put_number(to, functions - writer->functions);
    while (writer->functions < functions) {
        const char *name = hd_trace_stacks_name(stacks, ++writer->functions);
        hd_trace_put_string(to, name, strlen(name));
    }
    hd_trace_put_number(to, frames - writer->frames);
    while (writer->frames < frames) {
        hd_trace_frame frame = hd_trace_stacks_at(stacks, ++writer->frames);
        hd_trace_put_number(to, frame.function);
        hd_trace_put_number(to, frame.location);
    }
}

static void put_change(hd_trace_bytes *to, const hd_trace_change *change, uint32_t first) {
    hd_trace_put_number(to, change->thread);
    hd_trace_put_number(to, change->event - first);
    hd_trace_put_number(to, change->pops);
    hd_trace_put_number(to, change->pushes);
    for (uint32_t i = 0; i < change->pushes; i++)
        hd_trace_put_number(to, change->frames[i]);
    hd_trace_put_number(to, change->function);
}

/* The changes of the next thread that belong to the block; false if the section is full. */
static bool put_thread(hd_trace_stacks_writer *writer, const hd_trace_stacks *stacks,
                       uint32_t first, uint32_t count) {
    hd_trace_stacks_written *it = &writer->threads.data[writer->thread];
    it->at.thread = (uint32_t)writer->thread;
    while (it->waits || hd_trace_changes_next(&it->at, stacks, &it->next)) {
        it->waits = it->next.event - first >= count;
        if (it->waits)
            break;
        put_change(&writer->changes, &it->next, first);
        if (writer->changes.length > HD_TRACE_MAX_SECTION / 4)
            return false;
    }
    writer->thread++;
    return true;
}

bool hd_trace_stacks_writer_put(hd_trace_stacks_writer *writer, const hd_trace_stacks *stacks,
                                uint32_t first, uint32_t count, hd_trace_bytes *to) {
    hd_vec_resize(&writer->threads, hd_trace_stacks_threads(stacks));
    hd_vec_clear(&writer->changes);
    while (writer->thread < writer->threads.length && put_thread(writer, stacks, first, count))
        ;
    if (!writer->changes.length) {
        writer->thread = 0; /* of the next block */
        return false;
    }
    put_new_functions(writer, stacks, to);
    hd_vec_reserve(to, to->length + writer->changes.length);
    memcpy(to->data + to->length, writer->changes.data, writer->changes.length);
    to->length += writer->changes.length;
    return true;
}

void hd_trace_stacks_writer_forget(hd_trace_stacks_writer *writer, hd_trace_stacks *stacks) {
    for (size_t i = 0; i < writer->threads.length; i++)
        hd_trace_stacks_discard(stacks, &writer->threads.data[i].at);
}

/* --- reading -------------------------------------------------------------------------------- */

typedef struct payload {
    const unsigned char *at, *end;
} payload;

/* May look at bytes past the end; the reader's buffer has them. */
static bool take_number(payload *from, uint64_t limit, uint32_t *value) {
    if (from->at >= from->end)
        return false;
    uint64_t wide = hd_trace_get_varint(&from->at);
    *value = (uint32_t)wide;
    return wide <= limit && from->at <= from->end;
}

static bool take_functions(payload *from, hd_trace_stacks *stacks) {
    uint32_t count, length;
    if (!take_number(from, UINT32_MAX, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t next = hd_trace_stacks_functions(stacks) + 1;
        if (!take_number(from, HD_TRACE_MAX_NAME, &length) ||
            length > (size_t)(from->end - from->at) || memchr(from->at, '\0', length))
            return false;
        if (hd_trace_stacks_function(stacks, (const char *)from->at, length) != next)
            return false; /* it was there before */
        from->at += length;
    }
    return true;
}

static bool take_frames(payload *from, hd_trace_stacks *stacks, uint32_t locations) {
    uint32_t count;
    if (!take_number(from, UINT32_MAX, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        hd_trace_frame frame;
        uint32_t next = hd_trace_stacks_frames(stacks) + 1;
        if (!take_number(from, hd_trace_stacks_functions(stacks), &frame.function) ||
            !take_number(from, UINT32_MAX, &frame.location) || frame.location >= locations ||
            hd_trace_stacks_frame(stacks, frame) != next)
            return false;
    }
    return true;
}

static bool take_change(payload *from, hd_trace_stacks *stacks, uint32_t threads, uint32_t first,
                        hd_vec_u32 *frames) {
    hd_trace_change change;
    uint32_t frame;
    if (!take_number(from, UINT32_MAX, &change.thread) || change.thread >= threads ||
        !take_number(from, HD_TRACE_BLOCK_EVENTS - 1, &change.event) ||
        !take_number(from, UINT32_MAX, &change.pops) ||
        !take_number(from, (uint64_t)(from->end - from->at), &change.pushes))
        return false;
    hd_vec_clear(frames);
    for (uint32_t i = 0; i < change.pushes; i++) {
        if (!take_number(from, hd_trace_stacks_frames(stacks), &frame))
            return false;
        hd_vec_push(frames, frame);
    }
    if (!take_number(from, hd_trace_stacks_functions(stacks), &change.function) ||
        change.event > UINT32_MAX - first)
        return false;
    change.event += first;
    change.frames = frames->data;
    return hd_trace_stacks_change(stacks, &change);
}

bool hd_trace_stacks_read(hd_trace_stacks *stacks, const hd_trace_tables *tables, uint32_t first,
                          const unsigned char *at, const unsigned char *end) {
    payload from = {at, end};
    hd_vec_u32 frames = {0};
    bool good = take_functions(&from, stacks) &&
                take_frames(&from, stacks, tables->names[HEDDLE_CLASS_LOCATION].length);
    while (good && from.at < from.end)
        good =
            take_change(&from, stacks, tables->names[HEDDLE_CLASS_THREAD].length, first, &frames);
    hd_vec_release(&frames);
    return good;
}
