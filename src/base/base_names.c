#include "base_names.h"

#include <stdlib.h>
#include <string.h>

#include "base_mem.h"
#include "base_text.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* There are at least twice as many slots, a power of two, counted in 32 bits. */
enum { MOST_NAMES = 1 << 30 };

static uint64_t slot_of(uint32_t hash, uint32_t id) {
    return (uint64_t)hash << 32 | (id + 1);
}

static void enter_slot(uint64_t *slots, uint32_t slot_count, uint32_t hash, uint32_t id) {
    uint32_t mask = slot_count - 1;
    uint32_t i = hash & mask;
    while (slots[i])
        i = (i + 1) & mask;
    slots[i] = slot_of(hash, id);
}

static void rebuild(hd_names *names, uint32_t slot_count) {
    free(names->slots);
    names->slots = HD_NEW_ARRAY(uint64_t, slot_count);
    names->slot_count = slot_count;
    for (uint32_t id = 0; id < names->length; id++)
        enter_slot(names->slots, slot_count, names->entries[id].hash, id);
}

static uint32_t lookup(const hd_names *names, const char *text, size_t length, uint32_t hash) {
    if (!names->slot_count)
        return HD_NAMES_NONE;
    uint32_t mask = names->slot_count - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        uint64_t slot = names->slots[i];
        if (!slot)
            return HD_NAMES_NONE;
        if (slot >> 32 != hash)
            continue;
        uint32_t id = (uint32_t)slot - 1;
        const struct hd_names_entry *entry = &names->entries[id];
        if (entry->length == length && hd_text_same(entry->text, text, length))
            return id;
    }
}

static uint32_t hash_of(const char *text, size_t length) {
    return (uint32_t)XXH3_64bits(text, length);
}

uint32_t hd_names_find(const hd_names *names, const char *text, size_t length) {
    return lookup(names, text, length, hash_of(text, length));
}

uint32_t hd_names_add(hd_names *names, const char *text, size_t length) {
    uint32_t hash = hash_of(text, length);
    uint32_t id = lookup(names, text, length, hash);
    if (id != HD_NAMES_NONE)
        return id;
    if (names->length >= MOST_NAMES || length > UINT32_MAX)
        return HD_NAMES_NONE;
    if (names->length == names->capacity) {
        uint32_t capacity = names->capacity ? 2 * names->capacity : 16;
        names->entries = hd_mem_resize(names->entries, capacity, sizeof *names->entries);
        names->capacity = capacity;
    }
    id = names->length++;
    names->entries[id] =
        (struct hd_names_entry){.text = hd_arena_string(&names->arena, text, length),
                                .length = (uint32_t)length,
                                .hash = hash};
    if (names->length > names->slot_count / 2)
        rebuild(names, names->slot_count ? 2 * names->slot_count : 32);
    else
        enter_slot(names->slots, names->slot_count, hash, id);
    return id;
}

bool hd_names_rename(hd_names *names, uint32_t id, const char *text, size_t length) {
    assert(id < names->length);
    uint32_t holder = hd_names_find(names, text, length);
    if (holder != HD_NAMES_NONE)
        return holder == id;
    names->entries[id] =
        (struct hd_names_entry){.text = hd_arena_string(&names->arena, text, length),
                                .length = (uint32_t)length,
                                .hash = hash_of(text, length)};
    names->renamed++;
    rebuild(names, names->slot_count); /* rare: the old text leaves a hole in a probe chain */
    return true;
}

/* Takes a number out of the slots; those after it move up, as far as they may. */
static void leave_slot(hd_names *names, uint32_t id) {
    uint32_t mask = names->slot_count - 1, hole = names->entries[id].hash & mask;
    uint64_t own = slot_of(names->entries[id].hash, id);
    while (names->slots[hole] != own)
        hole = (hole + 1) & mask;
    for (uint32_t i = (hole + 1) & mask; names->slots[i]; i = (i + 1) & mask) {
        uint32_t home = (uint32_t)(names->slots[i] >> 32) & mask;
        if (((i - home) & mask) < ((i - hole) & mask)) /* it would come before its home */
            continue;
        names->slots[hole] = names->slots[i];
        hole = i;
    }
    names->slots[hole] = 0;
}

bool hd_names_reuse(hd_names *names, uint32_t id, const char *text, size_t length) {
    enum { STEP = 32 };
    assert(id < names->length);
    struct hd_names_entry *entry = &names->entries[id];
    uint32_t holder = hd_names_find(names, text, length);
    if (holder != HD_NAMES_NONE || length > UINT32_MAX - STEP)
        return holder == id;
    leave_slot(names, id);
    size_t room = entry->room ? entry->room : entry->length;
    if (length > room) {
        room = (length + STEP) / STEP * STEP;
        entry->text = hd_arena_alloc(&names->arena, room + 1);
    }
    char *to = (char *)(uintptr_t)entry->text;
    memcpy(to, text, length);
    to[length] = '\0';
    *entry = (struct hd_names_entry){.text = to,
                                     .length = (uint32_t)length,
                                     .hash = hash_of(text, length),
                                     .room = (uint32_t)room};
    enter_slot(names->slots, names->slot_count, entry->hash, id);
    return true;
}

void hd_names_release(hd_names *names) {
    free(names->entries);
    free(names->slots);
    hd_arena_release(&names->arena);
    *names = (hd_names){0};
}
