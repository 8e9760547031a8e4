/*
 * A set of vectors of one width, numbered from 0 in the order in which they came,
 * in one array without gaps: what searches remember, and the nodes of a level
 * of a diagram.  After each there is room for some words of its user's, zero at
 * first.  Open addressing; a slot has 32 bits of the hash, so that a vector is
 * compared only if it is very likely the one.
 */
#ifndef HD_CUT_TABLE_H
#define HD_CUT_TABLE_H

#include <string.h>

#include "base/base.h"

typedef struct hd_cut_table {
    uint64_t *records;  /* record i is records[i * size] .. */
    size_t width, size; /* of a key, of a record, in words of 64 bits */
    size_t count, room;
    uint64_t *slots; /* upper half of the hash, which says where, and number + 1; 0: free */
    size_t mask;     /* slots - 1 */
    size_t full;     /* keys that the slots take */
} hd_cut_table;

/* Words for so many counts of 32 bits. */
static inline size_t hd_cut_table_words(size_t counts) {
    return (counts + 1) / 2;
}

void hd_cut_table_init(hd_cut_table *table, size_t width, size_t extra);
void hd_cut_table_release(hd_cut_table *table);
void hd_cut_table_clear(hd_cut_table *table, size_t width, size_t extra); /* empty, maybe of
                                                                           other sizes */
size_t hd_cut_table_bytes(const hd_cut_table *table);

/* Makes room for one more key; others may have moved. */
void hd_cut_table_grow(hd_cut_table *table);

/* Of as many words as `width`, which compilers unroll where they know it. */
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
    return a ^ (a << 32); /* the upper half is used */
}

/* Before the key of this hash is added: memory is fetched ahead. */
static inline void hd_cut_table_fetch(const hd_cut_table *table, uint64_t hash) {
    if (table->slots)
        __builtin_prefetch(table->slots + (hash >> 32 & table->mask));
}

static inline uint64_t *hd_cut_table_record(const hd_cut_table *table, size_t number) {
    return table->records + number * table->size;
}

/* And a little later, what the slot leads to. */
static inline void hd_cut_table_fetch_record(const hd_cut_table *table, uint64_t hash) {
    uint64_t slot = table->slots ? table->slots[hash >> 32 & table->mask] : 0;
    if (slot)
        __builtin_prefetch(hd_cut_table_record(table, (uint32_t)slot - 1));
}

static inline bool hd_cut_table_same(const uint64_t *a, const uint64_t *b, size_t width) {
    uint64_t differ = 0;
    for (size_t i = 0; i < width; i++)
        differ |= a[i] ^ b[i];
    return !differ;
}

/* The number of a key with its hash; it is put in if it is new.  `width` is the
 * table's. */
static inline size_t hd_cut_table_put(hd_cut_table *table, const uint64_t *key, size_t width,
                                      uint64_t hash, bool *added) {
    if (table->count == table->room || table->count == table->full)
        hd_cut_table_grow(table);
    assert(width == table->width && table->count < table->room && table->count < table->full);
    for (size_t i = hash >> 32 & table->mask;; i = (i + 1) & table->mask) {
        uint64_t slot = table->slots[i];
        if (!slot) {
            uint64_t *record = hd_cut_table_record(table, table->count);
            for (size_t w = 0; w < width; w++)
                record[w] = key[w];
            for (size_t w = width; w < table->size; w++)
                record[w] = 0;
            table->slots[i] = (hash & ~(uint64_t)UINT32_MAX) | (table->count + 1);
            *added = true;
            return table->count++;
        }
        size_t number = (uint32_t)slot - 1;
        if (slot >> 32 == hash >> 32 &&
            hd_cut_table_same(hd_cut_table_record(table, number), key, width)) {
            *added = false;
            return number;
        }
    }
}

static inline size_t hd_cut_table_add(hd_cut_table *table, const uint64_t *key, bool *added) {
    size_t width = table->width;
    return hd_cut_table_put(table, key, width, hd_cut_table_hash(key, width), added);
}

/* Is it in? */
bool hd_cut_table_has(const hd_cut_table *table, const uint64_t *key);

#endif
