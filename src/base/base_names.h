/*
 * Names as numbers: each distinct byte string gets the next number from 0 on and keeps it.  A
 * zeroed hd_names is empty.  Texts end in a NUL, contain no other, and stay where they are until
 * release.
 */
#ifndef HD_BASE_NAMES_H
#define HD_BASE_NAMES_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base_arena.h"

#define HD_NAMES_NONE UINT32_MAX

typedef struct hd_names {
    struct hd_names_entry *entries;
    uint64_t *slots; /* high half of the hash, and number + 1 */
    uint32_t length;
    uint32_t capacity;   /* of entries */
    uint32_t slot_count; /* a power of two, or 0 */
    uint32_t renamed;    /* how often a name was changed */
    hd_arena arena;
} hd_names;

struct hd_names_entry {
    const char *text;
    uint32_t length;
    uint32_t hash;
    uint32_t room; /* bytes of the text that are its own, for another one; 0: as many as it has */
};

/* HD_NAMES_NONE from find: not there; from add: 2^30 names are there already. */
uint32_t hd_names_find(const hd_names *names, const char *text, size_t length);
uint32_t hd_names_add(hd_names *names, const char *text, size_t length);

/* Gives number `id` another text, which no other number may have. */
bool hd_names_rename(hd_names *names, uint32_t id, const char *text, size_t length);

/* The same for a number that now stands for something else.  The text is written over the old one
 * if there is room: who kept a pointer to that must not use it any more.  Takes no more memory than
 * the longest texts of the number need, and constant time. */
bool hd_names_reuse(hd_names *names, uint32_t id, const char *text, size_t length);

void hd_names_release(hd_names *names);

static inline const char *hd_names_text(const hd_names *names, uint32_t id) {
    assert(id < names->length);
    return names->entries[id].text;
}

static inline uint32_t hd_names_size(const hd_names *names, uint32_t id) {
    assert(id < names->length);
    return names->entries[id].length;
}

#endif
