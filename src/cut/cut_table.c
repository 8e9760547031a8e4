#include "cut_table.h"

enum { FIRST_ROOM = 64 };

void hd_cut_table_init(hd_cut_table *table, size_t width) {
    *table = (hd_cut_table){.width = width};
}

void hd_cut_table_release(hd_cut_table *table) {
    free(table->keys);
    free(table->slots);
    *table = (hd_cut_table){0};
}

void hd_cut_table_clear(hd_cut_table *table, size_t width) {
    if (table->slots)
        memset(table->slots, 0, (table->mask + 1) * sizeof *table->slots);
    if (width != table->width) {
        free(table->keys);
        table->keys = table->room ? hd_mem_zero(table->room * width + 1, sizeof *table->keys) : NULL;
        table->width = width;
    }
    table->count = 0;
}

size_t hd_cut_table_bytes(const hd_cut_table *table) {
    return table->room * (table->width + 2) * sizeof(uint64_t);
}

/* Half full at most. */
void hd_cut_table_grow(hd_cut_table *table) {
    size_t room = table->room ? 2 * table->room : FIRST_ROOM;
    assert(room <= UINT32_MAX / 2);
    table->keys = hd_mem_resize(table->keys, room * table->width + 1, sizeof *table->keys);
    free(table->slots);
    table->slots = HD_NEW_ARRAY(uint64_t, 2 * room);
    table->mask = 2 * room - 1;
    table->room = room;
    for (size_t number = 0; number < table->count; number++) {
        uint64_t hash = hd_cut_table_hash(hd_cut_table_key(table, number), table->width);
        size_t i = hash & table->mask;
        while (table->slots[i])
            i = (i + 1) & table->mask;
        table->slots[i] = (hash & ~(uint64_t)UINT32_MAX) | (number + 1);
    }
}
