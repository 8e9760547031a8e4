/*
 * A set of vectors of one width, numbered from 0 in the order in which they came,
 * in one array without gaps: what searches remember, and the nodes of a level
 * of a diagram.  Open addressing; a slot has 32 bits of the hash, so that a
 * vector is compared only if it is very likely the one.
 */
#ifndef HD_CUT_TABLE_H
#define HD_CUT_TABLE_H

#include <string.h>

#include "base/base.h"

typedef struct hd_cut_table {
    uint64_t *keys; /* key i is keys[i * width] .. */
    size_t width;   /* in words of 64 bits */
    size_t count, room;
    uint64_t *slots; /* hash << 32 | number + 1; 0: free */
    size_t mask;     /* slots - 1 */
} hd_cut_table;

/* Words for so many counts of 32 bits. */
static inline size_t hd_cut_table_words(size_t counts) {
    return (counts + 1) / 2;
}

void hd_cut_table_init(hd_cut_table *table, size_t width);
void hd_cut_table_release(hd_cut_table *table);
void hd_cut_table_clear(hd_cut_table *table, size_t width); /* another width, if wanted */
size_t hd_cut_table_bytes(const hd_cut_table *table);

/* Makes room for one more key; others may have moved. */
void hd_cut_table_grow(hd_cut_table *table);

static inline uint64_t hd_cut_table_hash(const uint64_t *key, size_t width) {
    uint64_t a = UINT64_C(0x9e3779b97f4a7c15), b = UINT64_C(0xc2b2ae3d27d4eb4f);
    for (size_t i = 0; i + 1 < width; i += 2) { /* two chains, so that multiplications overlap */
        a = (a ^ key[i]) * UINT64_C(0xff51afd7ed558ccd);
        b = (b ^ key[i + 1]) * UINT64_C(0x87c37b91114253d5);
        a ^= a >> 32;
        b ^= b >> 32;
    }
    if (width & 1)
        a = (a ^ key[width - 1]) * UINT64_C(0xff51afd7ed558ccd);
    a = (a ^ (a >> 29) ^ b) * UINT64_C(0xc4ceb9fe1a85ec53);
    return a ^ (a >> 32);
}

/* The number of a key, which is put in if it is new; then *added is true. */
static inline size_t hd_cut_table_add(hd_cut_table *table, const uint64_t *key, bool *added) {
    if (table->count == table->room)
        hd_cut_table_grow(table);
    uint64_t hash = hd_cut_table_hash(key, table->width);
    for (size_t i = hash & table->mask;; i = (i + 1) & table->mask) {
        uint64_t slot = table->slots[i];
        if (!slot) {
            memcpy(table->keys + table->count * table->width, key, table->width * sizeof *key);
            table->slots[i] = (hash & ~(uint64_t)UINT32_MAX) | (table->count + 1);
            *added = true;
            return table->count++;
        }
        size_t number = (uint32_t)slot - 1;
        if (slot >> 32 == hash >> 32 &&
            memcmp(table->keys + number * table->width, key, table->width * sizeof *key) == 0) {
            *added = false;
            return number;
        }
    }
}

static inline const uint64_t *hd_cut_table_key(const hd_cut_table *table, size_t number) {
    return table->keys + number * table->width;
}

#endif
