#include "cut_slabs.h"

#include <string.h>

enum { CHUNK = 256 };

double hd_cut_slabs_bytes(unsigned count, double table, double block, unsigned workers,
                          bool dense) {
    double chunk = table < CHUNK ? table : CHUNK, bytes = table * sizeof(uint32_t);
    if (dense)
        bytes += (table + chunk * (workers + 1.0)) * (block + 1) * sizeof(uint64_t);
    return count * bytes;
}

void hd_cut_slabs_init(hd_cut_slabs *slabs, unsigned count, size_t table, size_t block,
                       unsigned workers, size_t memory) {
    *slabs = (hd_cut_slabs){.block = block, .table = table, .memory = memory, .count = count};
    slabs->chunk = table < CHUNK ? table : CHUNK;
    slabs->chunks = table / slabs->chunk + workers + 1; /* of each one may be used in part */
    slabs->all = HD_NEW_ARRAY(hd_cut_slab, count);
    for (unsigned i = 0; i < count; i++) {
        slabs->all[i].block_of = HD_NEW_ARRAY(uint32_t, table);
        slabs->all[i].chunks = HD_NEW_ARRAY(uint64_t *, slabs->chunks);
    }
}

void hd_cut_slabs_release(hd_cut_slabs *slabs) {
    for (unsigned i = 0; i < slabs->count; i++) {
        for (size_t c = 0; c < slabs->chunks; c++)
            free(slabs->all[i].chunks[c]);
        free(slabs->all[i].chunks);
        free(slabs->all[i].block_of);
    }
    free(slabs->all);
}

hd_cut_room *hd_cut_slabs_rooms(const hd_cut_slabs *slabs) {
    hd_cut_room *rooms = HD_NEW_ARRAY(hd_cut_room, slabs->count + HD_WORKER_APART);
    for (unsigned i = 0; i < slabs->count; i++)
        rooms[i].of = UINT32_MAX;
    return rooms;
}

/* The words of a block by its number, and where in the slab it is. */
static uint64_t *words_of(const hd_cut_slabs *slabs, const hd_cut_slab *slab, size_t number) {
    return slab->chunks[number / slabs->chunk] + number % slabs->chunk * slabs->block;
}

static uint64_t *place_of(const hd_cut_slabs *slabs, const hd_cut_slab *slab, size_t number) {
    return slab->chunks[number / slabs->chunk] + slabs->chunk * slabs->block +
           number % slabs->chunk;
}

HD_ASSERT_ONLY static bool is_empty(const hd_cut_slabs *slabs, const hd_cut_slab *slab) {
    for (size_t i = 0; i < slabs->table; i++)
        if (slab->block_of[i])
            return false;
    return true;
}

void hd_cut_slab_empty(const hd_cut_slabs *slabs, hd_cut_slab *slab) {
    for (size_t i = 0; i < slab->taken * slabs->chunk; i++) /* few of the table */
        slab->block_of[*place_of(slabs, slab, i)] = 0;
    slab->taken = 0;
    HD_COSTLY_ASSERT(is_empty(slabs, slab));
}

void hd_cut_slab_reuse(hd_cut_slab *slab) {
    slab->taken = 0;
}

void hd_cut_slab_clear(hd_cut_slab *slab, size_t at, size_t count) {
    memset(slab->block_of + at, 0, count * sizeof *slab->block_of);
}

const uint64_t *hd_cut_slab_words(const hd_cut_slabs *slabs, const hd_cut_slab *slab, size_t at) {
    uint32_t number = slab->block_of[at];
    if (!number)
        return NULL;
    assert(*place_of(slabs, slab, number - 1) == at);
    return words_of(slabs, slab, number - 1);
}

/* The next chunk, for one worker; `number` is its first block. */
static bool take_chunk(hd_cut_slabs *slabs, hd_cut_slab *slab, size_t *number) {
    size_t chunk = atomic_fetch_add(&slab->taken, 1), words = slabs->chunk * (slabs->block + 1);
    assert(chunk < slabs->chunks);
    *number = chunk * slabs->chunk;
    if (slab->chunks[chunk])
        return true;
    size_t stored = atomic_fetch_add(&slabs->stored, words) + words;
    if (stored * sizeof(uint64_t) > slabs->memory || *number + slabs->chunk >= UINT32_MAX)
        return false;
    slab->chunks[chunk] = HD_NEW_ARRAY(uint64_t, words);
    return true;
}

bool hd_cut_slab_keep(hd_cut_slabs *slabs, hd_cut_slab *slab, hd_cut_room *rooms, uint32_t use,
                      size_t at, const uint64_t *words) {
    hd_cut_room *room = &rooms[slab - slabs->all];
    assert(at < slabs->table && !slab->block_of[at] && use != UINT32_MAX);
    if (room->of != use || room->next == room->end) {
        if (!take_chunk(slabs, slab, &room->next))
            return false;
        room->of = use;
        room->end = room->next + slabs->chunk;
    }
    size_t number = room->next++;
    memcpy(words_of(slabs, slab, number), words, slabs->block * sizeof *words);
    *place_of(slabs, slab, number) = at;
    slab->block_of[at] = (uint32_t)number + 1;
    return true;
}
