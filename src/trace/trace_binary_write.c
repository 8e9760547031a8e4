/*
 * Writing the binary format: events are gathered into blocks, sorted into
 * chunks by thread, and written as columns (doc/format.md).
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "trace_binary.h"
#include "trace_binary_stacks.h"
#include "trace_program.h"
#include "trace_writer_format.h"

enum { COMPRESSION_LEVEL = 1, VARINT = 10 };

typedef hd_trace_bytes bytes;

/* The numbers of a column, and all their bits combined. */
struct column {
    hd_vec_u64 numbers;
    uint64_t bits;
};

/* One thread's part of the block. */
struct chunk {
    uint32_t thread;
    bytes ops;
    struct column objects, locations, values;
    uint32_t object[HEDDLE_CLASS_COUNT]; /* the last one of each class */
    uint32_t location;
    int64_t value;
};

struct binary {
    bool begun;                  /* the header is written */
    uint64_t written;            /* events in blocks before this one */
    uint32_t count;              /* events of this block */
    struct column schedule;      /* the chunk of each event */
    HD_VEC(struct chunk) chunks; /* the first `active` are in use */
    uint32_t active;
    HD_VEC(uint32_t) chunk_of; /* by thread: chunk + 1, 0 if none */
    hd_map ops;                /* kind, flags, size -> op */
    HD_VEC(uint32_t) op_list;
    HD_VEC(uint32_t) name_state; /* names of each class already in the file */
    uint32_t renamed;            /* names->renamed when the threads' names were written */
    hd_trace_stacks_writer stacks;
    bytes raw, stored;
    ZSTD_CCtx *zstd;
};

static void put_varint(bytes *to, uint64_t value) {
    hd_vec_reserve(to, to->length + VARINT);
    unsigned char *end = hd_trace_put_varint(to->data + to->length, value);
    to->length = (size_t)(end - to->data);
}

static void put_bytes(bytes *to, const void *from, size_t size) {
    hd_vec_reserve(to, to->length + size);
    if (size)
        memcpy(to->data + to->length, from, size);
    to->length += size;
}

/* Written only when it is known whether there are stacks. */
static void put_header(hd_trace_writer *writer) {
    unsigned char header[HD_TRACE_HEADER_SIZE] = {0};
    memcpy(header, hd_trace_magic, HD_TRACE_MAGIC_SIZE);
    header[HD_TRACE_MAGIC_SIZE] =
        writer->stacks ? HD_TRACE_STACKS_VERSION : HD_TRACE_BINARY_VERSION;
    hd_file_write(writer->file, header, sizeof header);
}

/* Writes `raw` as a section and empties it. */
static void put_section(hd_trace_writer *writer, enum hd_trace_section_type type) {
    struct binary *binary = writer->state;
    if (!binary->begun)
        put_header(writer);
    binary->begun = true;
    bytes *raw = &binary->raw, *stored = &binary->stored;
    size_t bound = ZSTD_compressBound(raw->length);
    hd_vec_reserve(stored, bound);
    size_t size =
        ZSTD_compress2(binary->zstd, stored->data, stored->capacity, raw->data, raw->length);
    bool plain = ZSTD_isError(size) || size >= raw->length;
    const unsigned char *payload = plain ? raw->data : stored->data;
    hd_trace_section section = {.type = (uint8_t)type,
                                .compression = !plain,
                                .stored = (uint32_t)(plain ? raw->length : size),
                                .raw = (uint32_t)raw->length};
    unsigned char head[HD_TRACE_SECTION_SIZE];
    hd_trace_section_pack(head, &section);
    section.checksum = hd_trace_section_checksum(head, payload, section.stored);
    hd_trace_section_pack(head, &section);
    hd_file_write(writer->file, head, sizeof head);
    hd_file_write(writer->file, payload, section.stored);
    hd_vec_clear(raw);
}

/* ---- Names ---- */

static void put_name(bytes *raw, const hd_names *names, uint32_t id) {
    put_varint(raw, hd_names_size(names, id));
    put_bytes(raw, hd_names_text(names, id), hd_names_size(names, id));
}

static void put_names(hd_trace_writer *writer, unsigned class, const hd_names *names,
                      uint32_t first, uint32_t count) {
    bytes *raw = &((struct binary *)writer->state)->raw;
    put_varint(raw, class);
    put_varint(raw, first);
    put_varint(raw, count);
    for (uint32_t id = first; id < first + count; id++)
        put_name(raw, names, id);
}

/* How many names from `first` on go into a quarter of a section, at least one. */
static uint32_t names_that_fit(const hd_names *names, uint32_t first) {
    size_t size = 0;
    uint32_t id = first;
    do
        size += hd_names_size(names, id++) + VARINT;
    while (id < names->length && size + hd_names_size(names, id) < HD_TRACE_MAX_SECTION / 4);
    return id - first;
}

static void put_new_names(hd_trace_writer *writer, const hd_trace_tables *tables) {
    struct binary *binary = writer->state;
    for (unsigned which = 0; which < HEDDLE_CLASS_COUNT; which++) {
        const hd_names *names = &tables->names[which];
        uint32_t *known = &binary->name_state.data[which];
        while (*known < names->length) {
            uint32_t count = names_that_fit(names, *known);
            put_names(writer, which, names, *known, count);
            *known += count;
            if (binary->raw.length > HD_TRACE_MAX_SECTION / 4)
                put_section(writer, HD_TRACE_SECTION_NAMES);
        }
    }
    if (binary->raw.length)
        put_section(writer, HD_TRACE_SECTION_NAMES);
}

/* A thread can get its proper name late (see the text reader); then all names are written again. */
static void put_renamed_threads(hd_trace_writer *writer, const hd_trace_tables *tables) {
    struct binary *binary = writer->state;
    const hd_names *names = &tables->names[HEDDLE_CLASS_THREAD];
    if (binary->renamed == names->renamed)
        return;
    binary->renamed = names->renamed;
    for (uint32_t id = 0, count; id < names->length; id += count) {
        count = names_that_fit(names, id);
        put_names(writer, HEDDLE_CLASS_THREAD, names, id, count);
        put_section(writer, HD_TRACE_SECTION_NAMES);
    }
}

/* ---- Blocks ---- */

static void column_clear(struct column *column) {
    hd_vec_clear(&column->numbers);
    column->bits = 0;
}

/* The difference to the number before, with its sign in the lowest bit. */
static void column_add(struct column *column, uint64_t difference) {
    uint64_t number = hd_trace_zigzag((int64_t)difference);
    hd_vec_push(&column->numbers, number);
    column->bits |= number;
}

static void chunk_start(struct chunk *chunk, uint32_t thread) {
    chunk->thread = thread;
    hd_vec_clear(&chunk->ops);
    column_clear(&chunk->objects);
    column_clear(&chunk->locations);
    column_clear(&chunk->values);
    memset(chunk->object, 0, sizeof chunk->object);
    chunk->location = 0;
    chunk->value = 0;
}

static uint32_t chunk_for(struct binary *binary, uint32_t thread) {
    if (thread >= binary->chunk_of.length)
        hd_vec_resize(&binary->chunk_of, (size_t)thread + 1);
    uint32_t *entry = &binary->chunk_of.data[thread];
    if (!*entry) {
        if (binary->active == binary->chunks.length)
            hd_vec_push(&binary->chunks, (struct chunk){0});
        chunk_start(&binary->chunks.data[binary->active], thread);
        *entry = ++binary->active;
    }
    return *entry - 1;
}

static uint32_t op_key(const heddle_event *event) {
    uint8_t flags = event->flags & (uint8_t)~HEDDLE_REENTRANT; /* which the reader computes */
    return (uint32_t)event->kind << 24 | (uint32_t)flags << 16 | event->size;
}

/* The event's op in this block, or -1 if the block has no room for another. */
static int op_for(struct binary *binary, const heddle_event *event) {
    bool added;
    uint32_t key = op_key(event);
    uint32_t *op = hd_map_at(&binary->ops, key, &added);
    if (added) {
        *op = (uint32_t)binary->op_list.length;
        hd_vec_push(&binary->op_list, key);
    }
    return *op < HD_TRACE_BLOCK_OPS ? (int)*op : -1;
}

static void put_event(struct binary *binary, const heddle_event *event, int op) {
    uint32_t number = chunk_for(binary, event->thread);
    struct chunk *chunk = &binary->chunks.data[number];
    hd_vec_push(&binary->schedule.numbers, number);
    binary->schedule.bits |= number;
    binary->count++;
    uint32_t *object = &chunk->object[hd_trace_kinds[event->kind].class];
    hd_vec_push(&chunk->ops, (unsigned char)op);
    /* 32-bit differences wrap, so that none needs more than 32 bits. */
    column_add(&chunk->objects, (uint64_t)(int64_t)(int32_t)(event->object - *object));
    column_add(&chunk->locations, (uint64_t)(int64_t)(int32_t)(event->location - chunk->location));
    *object = event->object;
    chunk->location = event->location;
    if (event->flags & HEDDLE_HAS_VALUE) {
        column_add(&chunk->values, (uint64_t)event->value - (uint64_t)chunk->value);
        chunk->value = event->value;
    }
}

static void put_ops(struct binary *binary) {
    size_t count = binary->op_list.length;
    if (count > HD_TRACE_BLOCK_OPS)
        count = HD_TRACE_BLOCK_OPS;
    put_varint(&binary->raw, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t key = binary->op_list.data[i];
        put_varint(&binary->raw, key >> 24);
        put_varint(&binary->raw, key >> 16 & 0xff);
        put_varint(&binary->raw, key & 0xffff);
    }
}

static unsigned column_width(const struct column *column) {
    unsigned width = 1;
    while (width < 8 && column->bits >> 8 * width)
        width *= 2;
    return width;
}

static void put_column(bytes *raw, const struct column *column) {
    unsigned width = column_width(column);
    put_varint(raw, width);
    hd_vec_reserve(raw, raw->length + column->numbers.length * width + sizeof(uint64_t));
    unsigned char *to = raw->data + raw->length;
    for (size_t i = 0; i < column->numbers.length; i++, to += width) {
        uint64_t word = htole64(column->numbers.data[i]);
        memcpy(to, &word, sizeof word); /* the bytes past the width are overwritten next */
    }
    raw->length += column->numbers.length * width;
}

static void put_columns(bytes *raw, const struct chunk *chunk) {
    put_bytes(raw, chunk->ops.data, chunk->ops.length);
    put_column(raw, &chunk->objects);
    put_column(raw, &chunk->locations);
    put_column(raw, &chunk->values);
}

static void put_block(hd_trace_writer *writer, const hd_trace_tables *tables) {
    struct binary *binary = writer->state;
    if (!binary->count)
        return;
    put_new_names(writer, tables);
    put_renamed_threads(writer, tables);
    while (writer->stacks &&
           hd_trace_stacks_writer_put(&binary->stacks, writer->stacks,
                                      (uint32_t)binary->written + 1, binary->count, &binary->raw))
        put_section(writer, HD_TRACE_SECTION_STACKS);
    put_varint(&binary->raw, binary->written + 1);
    put_varint(&binary->raw, binary->count);
    put_ops(binary);
    put_varint(&binary->raw, binary->active);
    for (uint32_t i = 0; i < binary->active; i++) {
        put_varint(&binary->raw, binary->chunks.data[i].thread);
        put_varint(&binary->raw, binary->chunks.data[i].ops.length);
    }
    put_column(&binary->raw, &binary->schedule);
    for (uint32_t i = 0; i < binary->active; i++) {
        put_columns(&binary->raw, &binary->chunks.data[i]);
        binary->chunk_of.data[binary->chunks.data[i].thread] = 0;
    }
    put_section(writer, HD_TRACE_SECTION_EVENTS);
    binary->written += binary->count;
    binary->count = binary->active = 0;
    column_clear(&binary->schedule);
    hd_vec_clear(&binary->op_list);
    hd_map_clear(&binary->ops);
}

static void binary_write(hd_trace_writer *writer, const hd_trace_tables *tables,
                         const heddle_event *events, size_t count) {
    struct binary *binary = writer->state;
    for (size_t i = 0; i < count; i++) {
        if (binary->count == HD_TRACE_BLOCK_EVENTS)
            put_block(writer, tables);
        int op = op_for(binary, &events[i]);
        if (op < 0) {
            put_block(writer, tables);
            op = op_for(binary, &events[i]);
        }
        put_event(binary, &events[i], op);
    }
    writer->tables = tables;
}

static void binary_forget(hd_trace_writer *writer, hd_trace_stacks *stacks) {
    hd_trace_stacks_writer_forget(&((struct binary *)writer->state)->stacks, stacks);
}

static void binary_finish(hd_trace_writer *writer) {
    struct binary *binary = writer->state;
    if (writer->tables)
        put_block(writer, writer->tables);
    for (size_t at = 0; hd_trace_program_put(&binary->raw, writer->build, &writer->end, &at);)
        put_section(writer, HD_TRACE_SECTION_PROGRAM);
    put_varint(&binary->raw, binary->written);
    put_varint(&binary->raw, writer->lost);
    put_varint(&binary->raw, writer->incomplete);
    put_section(writer, HD_TRACE_SECTION_END);
}

static void binary_start(hd_trace_writer *writer) {
    struct binary *binary = HD_NEW(struct binary);
    writer->state = binary;
    hd_vec_resize(&binary->name_state, HEDDLE_CLASS_COUNT);
    binary->name_state.data[HEDDLE_CLASS_LOCATION] = 1; /* location 0 is always "" */
    binary->zstd = hd_mem_made(ZSTD_createCCtx());
    ZSTD_CCtx_setParameter(binary->zstd, ZSTD_c_compressionLevel, COMPRESSION_LEVEL);
}

static void binary_release(hd_trace_writer *writer) {
    struct binary *binary = writer->state;
    for (size_t i = 0; i < binary->chunks.length; i++) {
        hd_vec_release(&binary->chunks.data[i].ops);
        hd_vec_release(&binary->chunks.data[i].objects.numbers);
        hd_vec_release(&binary->chunks.data[i].locations.numbers);
        hd_vec_release(&binary->chunks.data[i].values.numbers);
    }
    hd_vec_release(&binary->chunks);
    hd_vec_release(&binary->chunk_of);
    hd_vec_release(&binary->schedule.numbers);
    hd_vec_release(&binary->op_list);
    hd_vec_release(&binary->name_state);
    hd_vec_release(&binary->raw);
    hd_vec_release(&binary->stored);
    hd_map_release(&binary->ops);
    hd_trace_stacks_writer_release(&binary->stacks);
    ZSTD_freeCCtx(binary->zstd);
    free(binary);
}

const hd_trace_writer_format hd_trace_binary_writer = {binary_start, binary_write, binary_forget,
                                                       binary_finish, binary_release};
