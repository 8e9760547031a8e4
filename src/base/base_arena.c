#include "base_arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base_mem.h"

struct hd_arena_chunk {
    struct hd_arena_chunk *older;
    size_t size;
    alignas(max_align_t) char memory[];
};

enum { FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

static void add_chunk(hd_arena *arena, size_t needed) {
    size_t size = arena->chunk ? 2 * arena->chunk->size : FIRST_CHUNK;
    if (size > LARGEST_CHUNK)
        size = LARGEST_CHUNK;
    if (size < needed)
        size = needed;
    struct hd_arena_chunk *chunk = hd_mem_alloc(sizeof *chunk + size);
    chunk->older = arena->chunk;
    chunk->size = size;
    arena->chunk = chunk;
    arena->used = 0;
    arena->total += sizeof *chunk + size;
}

static char *take_aligned(hd_arena *arena, size_t size, size_t alignment) {
    size_t start = (arena->used + alignment - 1) & ~(alignment - 1);
    if (!arena->chunk || start > arena->chunk->size || arena->chunk->size - start < size) {
        add_chunk(arena, size);
        start = 0;
    }
    arena->used = start + size;
    return arena->chunk->memory + start;
}

void *hd_arena_alloc(hd_arena *arena, size_t size) {
    return take_aligned(arena, size, alignof(max_align_t));
}

char *hd_arena_string(hd_arena *arena, const char *text, size_t length) {
    char *copy = take_aligned(arena, length + 1, 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void hd_arena_release(hd_arena *arena) {
    for (struct hd_arena_chunk *chunk = arena->chunk, *older; chunk; chunk = older) {
        older = chunk->older;
        free(chunk);
    }
    *arena = (hd_arena){0};
}
