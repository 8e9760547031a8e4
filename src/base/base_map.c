#include "base_map.h"

#include <stdlib.h>
#include <string.h>

#include "base_mem.h"

struct hd_map_slot {
    uint64_t key;
    uint32_t value;
    uint32_t used;
};

static uint64_t mix(uint64_t key) {
    key ^= key >> 32;
    key *= UINT64_C(0xd6e8feb86659fd93);
    key ^= key >> 32;
    return key;
}

/* The slot of the key, or the free one where it would go. */
static struct hd_map_slot *probe(const hd_map *map, uint64_t key) {
    size_t mask = map->capacity - 1;
    size_t i = mix(key) & mask;
    while (map->slots[i].used && map->slots[i].key != key)
        i = (i + 1) & mask;
    return &map->slots[i];
}

static void grow_map(hd_map *map) {
    hd_map larger = {.length = map->length, .capacity = map->capacity ? 2 * map->capacity : 16};
    larger.slots = HD_NEW_ARRAY(struct hd_map_slot, larger.capacity);
    for (size_t i = 0; i < map->capacity; i++)
        if (map->slots[i].used)
            *probe(&larger, map->slots[i].key) = map->slots[i];
    free(map->slots);
    *map = larger;
}

uint32_t *hd_map_find(const hd_map *map, uint64_t key) {
    if (!map->capacity)
        return NULL;
    struct hd_map_slot *slot = probe(map, key);
    return slot->used ? &slot->value : NULL;
}

uint32_t *hd_map_at(hd_map *map, uint64_t key, bool *added) {
    if (map->length >= map->capacity / 4 * 3)
        grow_map(map);
    struct hd_map_slot *slot = probe(map, key);
    if (added)
        *added = !slot->used;
    if (!slot->used) {
        *slot = (struct hd_map_slot){.key = key, .used = 1};
        map->length++;
    }
    return &slot->value;
}

bool hd_map_each(const hd_map *map, size_t *at, uint64_t *key, uint32_t *value) {
    while (*at < map->capacity && !map->slots[*at].used)
        ++*at;
    if (*at == map->capacity)
        return false;
    *key = map->slots[*at].key;
    *value = map->slots[(*at)++].value;
    return true;
}

void hd_map_sweep(hd_map *map, size_t *dead) {
    enum { FEW = 64 };
    hd_map kept = {0};
    uint64_t key;
    uint32_t value;
    if (*dead < FEW || *dead < map->length / 2)
        return;
    for (size_t at = 0; hd_map_each(map, &at, &key, &value);)
        if (value)
            *hd_map_at(&kept, key, NULL) = value;
    hd_map_release(map);
    *map = kept;
    *dead = 0;
}

void hd_map_clear(hd_map *map) {
    if (map->length)
        memset(map->slots, 0, map->capacity * sizeof *map->slots);
    map->length = 0;
}

void hd_map_release(hd_map *map) {
    free(map->slots);
    *map = (hd_map){0};
}
