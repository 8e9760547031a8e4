#include "cut_table.h"

enum { FIRST_ROOM = 64, FIRST_SLOTS = 128 };

void hd_cut_table_init(hd_cut_table *table, size_t width, size_t extra) {
    *table = (hd_cut_table){.width = width, .size = width + extra};
}

void hd_cut_table_release(hd_cut_table *table) {
    free(table->records);
    free(table->slots);
    *table = (hd_cut_table){0};
}

void hd_cut_table_clear(hd_cut_table *table, size_t width, size_t extra) {
    if (table->slots)
        memset(table->slots, 0, (table->mask + 1) * sizeof *table->slots);
    if (width + extra > table->size && table->room)
        table->records =
            hd_mem_resize(table->records, table->room * (width + extra) + 1, sizeof(uint64_t));
    table->width = width;
    table->size = width + extra;
    table->count = 0;
}

size_t hd_cut_table_bytes(const hd_cut_table *table) {
    return (table->room * table->size + (table->slots ? table->mask + 1 : 0)) * sizeof(uint64_t);
}

/* Three quarters full at most.  A slot knows its hash, so no key is looked at. */
static void grow_slots(hd_cut_table *table) {
    size_t before = table->slots ? table->mask + 1 : 0, slots = before ? 2 * before : FIRST_SLOTS;
    uint64_t *old = table->slots;
    table->slots = HD_NEW_ARRAY(uint64_t, slots);
    table->mask = slots - 1;
    table->full = slots / 4 * 3;
    assert((slots & table->mask) == 0 && table->count < table->full);
    HD_ASSERT_ONLY size_t moved = 0;
    for (size_t s = 0; s < before; s++) {
        if (!old[s])
            continue;
        size_t i = old[s] >> 32 & table->mask;
        assert((uint32_t)old[s] <= table->count);
        while (table->slots[i])
            i = (i + 1) & table->mask;
        table->slots[i] = old[s];
        moved++;
    }
    assert(moved == table->count);
    free(old);
}

void hd_cut_table_grow(hd_cut_table *table) {
    if (table->count == table->room) {
        table->room = table->room ? table->room / 2 * 3 : FIRST_ROOM;
        assert(table->room < UINT32_MAX);
        table->records =
            hd_mem_resize(table->records, table->room * table->size + 1, sizeof(uint64_t));
    }
    if (table->count == table->full)
        grow_slots(table);
    assert(table->count < table->full && table->full <= table->mask);
}

bool hd_cut_table_has(const hd_cut_table *table, const uint64_t *key) {
    if (!table->count)
        return false;
    uint64_t hash = hd_cut_table_hash(key, table->width);
    for (size_t i = hash >> 32 & table->mask; table->slots[i]; i = (i + 1) & table->mask)
        if (table->slots[i] >> 32 == hash >> 32 &&
            hd_cut_table_same(hd_cut_table_record(table, (uint32_t)table->slots[i] - 1), key,
                              table->width))
            return true;
    return false;
}
