/*
 * Decoding a block of events.  The hot loop is in decode_chunk: one operation byte, two or three
 * numbers and a 24-byte store per event, straight to the event's place in the block.
 */
#include "trace_binary_block.h"

#include <endian.h>
#include <string.h>

enum {
    EVENT_FLAGS = HEDDLE_HAS_VALUE | HEDDLE_REENTRANT | HEDDLE_GUESSED | HEDDLE_UNEXPLAINED |
                  HEDDLE_CONTINUED | HEDDLE_ORDER
};

static bool is_order(uint32_t flags, const hd_trace_kind *about) {
    if ((flags & HEDDLE_ORDER) == HEDDLE_EXEMPT)
        return about->traits & HEDDLE_T_ACCESS &&
               (!(about->traits & HEDDLE_T_ORDERED) ||
                about == &hd_trace_kinds[HEDDLE_ATOMIC_READ]); /* HEDDLE_KEPT */
    if ((flags & HEDDLE_ORDER) == HEDDLE_CERTAIN)
        return hd_trace_may_be_certain((enum heddle_kind)(about - hd_trace_kinds));
    return flags < HEDDLE_ORDER_COUNT << HEDDLE_ORDER_SHIFT &&
           (about->traits & HEDDLE_T_ORDERED || !(flags & HEDDLE_ORDER));
}

static bool take_ops(hd_trace_block *block) {
    if (!hd_trace_take_u32(&block->left, HD_TRACE_BLOCK_OPS, &block->op_count))
        return false;
    for (uint32_t i = 0; i < block->op_count; i++) {
        uint32_t kind, flags, size;
        if (!hd_trace_take_u32(&block->left, HEDDLE_KIND_COUNT - 1, &kind) ||
            !hd_trace_take_u32(&block->left, EVENT_FLAGS, &flags) ||
            !hd_trace_take_u32(&block->left, UINT16_MAX, &size))
            return false;
        const hd_trace_kind *about = &hd_trace_kinds[kind];
        bool guessed = (flags & HEDDLE_GUESSED) != 0,
             unexplained = (flags & HEDDLE_UNEXPLAINED) != 0;
        if ((flags & HEDDLE_HAS_VALUE && !(about->traits & HEDDLE_T_VALUE)) ||
            flags & HEDDLE_REENTRANT || !is_order(flags, about) || (unexplained && !guessed) ||
            ((size || guessed || flags & HEDDLE_CONTINUED) && !(about->traits & HEDDLE_T_ACCESS)))
            return false;
        block->guesses |= guessed;
        block->ops[i] =
            (struct hd_trace_op){(uint16_t)size, (uint8_t)kind, (uint8_t)flags, about->class};
    }
    return true;
}

/* A column's width, and the column itself, which is skipped. */
static bool take_column(hd_trace_block *block, uint32_t count, unsigned widest,
                        const unsigned char **column, unsigned *width) {
    if (!hd_trace_take_u32(&block->left, widest, width) || (*width & (*width - 1)) != 0 ||
        *width == 0)
        return false;
    size_t size = (size_t)count * *width;
    if (size > (size_t)(block->left.end - block->left.at))
        return false;
    *column = block->left.at;
    block->left.at += size;
    return true;
}

/* Are all operations known, and how many of them carry a value? */
static bool count_values(const hd_trace_block *block, const struct hd_trace_chunk *chunk,
                         uint32_t *valued) {
    unsigned char largest = 0;
    *valued = 0;
    for (uint32_t i = 0; i < chunk->count; i++) {
        largest = chunk->ops[i] > largest ? chunk->ops[i] : largest;
        *valued += block->ops[chunk->ops[i]].flags & HEDDLE_HAS_VALUE;
    }
    return largest < block->op_count;
}

/* Threads and lengths of the chunks. */
static bool take_chunks(hd_trace_block *block, uint32_t events) {
    uint32_t chunks, sum = 0;
    if (!hd_trace_take_u32(&block->left, events, &chunks))
        return false;
    hd_vec_reserve(&block->chunks, chunks);
    block->chunks.length = chunks;
    for (uint32_t i = 0; i < chunks; i++) {
        struct hd_trace_chunk *chunk = &block->chunks.data[i];
        if (!hd_trace_take_u32(&block->left, UINT32_MAX, &chunk->thread) ||
            chunk->thread >= block->limits[HEDDLE_CLASS_THREAD] ||
            !hd_trace_take_u32(&block->left, events - sum, &chunk->count))
            return false;
        chunk->place = block->places.data + sum;
        sum += chunk->count;
    }
    return sum == events;
}

static bool take_columns(hd_trace_block *block, struct hd_trace_chunk *chunk) {
    uint32_t valued;
    if (chunk->count > (size_t)(block->left.end - block->left.at))
        return false;
    chunk->ops = block->left.at;
    block->left.at += chunk->count;
    return take_column(block, chunk->count, 4, &chunk->objects, &chunk->object_width) &&
           take_column(block, chunk->count, 4, &chunk->locations, &chunk->location_width) &&
           count_values(block, chunk, &valued) &&
           take_column(block, valued, 8, &chunk->values, &chunk->value_width);
}

/* A number of a column; may look at up to 8 bytes. */
static inline uint64_t column_next(const unsigned char **at, unsigned width, uint64_t mask) {
    uint64_t word;
    memcpy(&word, *at, sizeof word);
    *at += width;
    return le64toh(word) & mask;
}

static uint64_t column_mask(unsigned width) {
    return UINT64_MAX >> (64 - 8 * width);
}

/* The schedule says which chunk each event of the block is in: from it, the place of each chunk's
 * events.  A schedule that gives a chunk more events than it has runs into the room of the next,
 * which is detected at the end. */
static bool take_schedule(hd_trace_block *block, uint32_t events) {
    const unsigned char *schedule;
    unsigned width;
    if (!take_column(block, events, 4, &schedule, &width))
        return false;
    uint64_t mask = column_mask(width);
    for (uint32_t i = 0; i < events; i++) {
        uint64_t number = column_next(&schedule, width, mask);
        if (number >= block->chunks.length)
            return false;
        *block->chunks.data[number].place++ = i;
    }
    for (size_t i = 0; i < block->chunks.length; i++) {
        struct hd_trace_chunk *chunk = &block->chunks.data[i];
        uint32_t *start = i ? chunk[-1].place + chunk[-1].count : block->places.data;
        if (chunk->place != start + chunk->count)
            return false;
        chunk->place = start;
    }
    return true;
}

/* Puts the events of a chunk in their places; false on a number out of range.
 * All that the loop needs is in locals: a store to an event could be to anything
 * as far as the compiler knows, and it would load the rest again. */
__attribute__((noinline)) static bool decode_chunk(const hd_trace_block *block,
                                                   const struct hd_trace_chunk *chunk) {
    const struct hd_trace_op *const table = block->ops;
    heddle_event *const events = block->events.data;
    const unsigned char *ops = chunk->ops, *objects = chunk->objects;
    const unsigned char *locations = chunk->locations, *values = chunk->values;
    const uint32_t *place = chunk->place, *const end = place + chunk->count;
    const unsigned object_width = chunk->object_width, location_width = chunk->location_width;
    const unsigned value_width = chunk->value_width;
    const uint64_t object_mask = column_mask(object_width);
    const uint64_t location_mask = column_mask(location_width);
    const uint64_t value_mask = column_mask(value_width);
    const uint32_t thread = chunk->thread;
    const uint32_t location_limit = block->limits[HEDDLE_CLASS_LOCATION];
    uint32_t object[HEDDLE_CLASS_COUNT] = {0}, limits[HEDDLE_CLASS_COUNT];
    memcpy(limits, block->limits, sizeof limits);
    uint32_t location = 0;
    uint64_t value = 0;
    for (; place < end; place++) {
        const struct hd_trace_op *op = &table[*ops++];
        heddle_event *to = &events[*place];
        uint32_t current =
            object[op->class] +
            (uint32_t)hd_trace_unzigzag(column_next(&objects, object_width, object_mask));
        location +=
            (uint32_t)hd_trace_unzigzag(column_next(&locations, location_width, location_mask));
        if (current >= limits[op->class] || location >= location_limit)
            return false;
        object[op->class] = current;
        *to = (heddle_event){.thread = thread,
                             .object = current,
                             .location = location,
                             .size = op->size,
                             .kind = op->kind,
                             .flags = op->flags};
        if (op->flags & HEDDLE_HAS_VALUE) {
            value += (uint64_t)hd_trace_unzigzag(column_next(&values, value_width, value_mask));
            to->value = (int64_t)value;
        }
    }
    return true;
}

bool hd_trace_block_decode(hd_trace_block *block, const hd_trace_tables *tables,
                           hd_trace_reading left, uint32_t count) {
    block->left = left;
    hd_vec_reserve(&block->events, count);
    hd_vec_reserve(&block->places, 2 * (size_t)count);
    for (unsigned which = 0; which < HEDDLE_CLASS_COUNT; which++)
        block->limits[which] = tables->names[which].length;
    if (!take_ops(block) || !take_chunks(block, count) || !take_schedule(block, count))
        return false;
    for (size_t i = 0; i < block->chunks.length; i++)
        if (!take_columns(block, &block->chunks.data[i]) ||
            !decode_chunk(block, &block->chunks.data[i]))
            return false;
    return block->left.at == block->left.end;
}

void hd_trace_block_release(hd_trace_block *block) {
    hd_vec_release(&block->events);
    hd_vec_release(&block->places);
    hd_vec_release(&block->chunks);
}
