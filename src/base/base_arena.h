/*
 * An arena: many small allocations that live and die together.  Memory comes
 * from chunks that never move; hd_arena_release gives everything back.
 */
#ifndef HD_BASE_ARENA_H
#define HD_BASE_ARENA_H

#include <stddef.h>

typedef struct hd_arena {
    struct hd_arena_chunk *chunk; /* the newest; it links to the older ones */
    size_t used;                  /* bytes used in it */
    size_t total;                 /* bytes allocated from the system */
} hd_arena;

void *hd_arena_alloc(hd_arena *arena, size_t size); /* aligned for every type */
char *hd_arena_string(hd_arena *arena, const char *text, size_t length);
void hd_arena_release(hd_arena *arena);

#endif
