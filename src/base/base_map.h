/*
 * A map from 64-bit keys to 32-bit values: open addressing, linear probing, no
 * removal of single keys.  A zeroed map is empty.
 */
#ifndef HD_BASE_MAP_H
#define HD_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hd_map {
    struct hd_map_slot *slots;
    size_t length;   /* keys in it */
    size_t capacity; /* a power of two, or 0 */
} hd_map;

/* The value of a key, NULL if it is not there; valid until the next insertion. */
uint32_t *hd_map_find(const hd_map *map, uint64_t key);

/* One key of a pair of places and something else, such as a variable. */
static inline uint64_t hd_map_key_with(uint64_t pair, uint64_t other) {
    return (pair ^ pair >> 29) * UINT64_C(0x9e3779b97f4a7c15) +
           (other + 1) * UINT64_C(0xbf58476d1ce4e5b9);
}

/* The value of a key, inserted as 0 if it was not there (then *added is true). */
uint32_t *hd_map_at(hd_map *map, uint64_t key, bool *added);

/* Each key once, in no order, from *at = 0 on; false when there are no more. */
bool hd_map_each(const hd_map *map, size_t *at, uint64_t *key, uint32_t *value);

/* For maps whose keys go out of use by getting the value 0: takes these out once they are most of
 * all keys.  *dead, how many there are, is kept by the caller, and is 0 then. */
void hd_map_sweep(hd_map *map, size_t *dead);

void hd_map_clear(hd_map *map);
void hd_map_release(hd_map *map);

#endif
