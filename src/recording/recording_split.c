#include "recording_split.h"

#include <assert.h>
#include <stdlib.h>

/* Six bits of an address per level; addresses have 48 bits. */
enum { LEVELS = 8, BITS = 6 };

typedef struct word {
    uint64_t bits;
} word;

struct hd_recording_split {
    hd_recording_split_number *number;
    void *context;
    hd_map places; /* level and the address above its bits -> place in words */
    HD_VEC(word) words;
    hd_vec_u32 free_words;
    hd_map granules; /* address -> number + 1 of the granule that begins there; 0: none any more */
    size_t dead_places, dead_granules; /* keys of the maps that are used no more */
};

hd_recording_split *hd_recording_split_create(hd_recording_split_number *number, void *context) {
    hd_recording_split *cuts = HD_NEW(hd_recording_split);
    cuts->number = number;
    cuts->context = context;
    return cuts;
}

void hd_recording_split_free(hd_recording_split *cuts) {
    if (!cuts)
        return;
    hd_map_release(&cuts->places);
    hd_vec_release(&cuts->words);
    hd_vec_release(&cuts->free_words);
    hd_map_release(&cuts->granules);
    free(cuts);
}

/* --- the set -------------------------------------------------------------------------------- */

static uint64_t key_of(unsigned level, uint64_t address) {
    return (uint64_t)level << 56 | address >> BITS * (level + 1);
}

static unsigned digit_of(unsigned level, uint64_t address) {
    return (unsigned)(address >> BITS * level) & 63;
}

/* The word of a level that contains the address; zero if none exists.  The value of a key is the
 * place of the word + 1, or 0. */
static uint64_t word_of(const hd_recording_split *cuts, unsigned level, uint64_t address) {
    const uint32_t *place = hd_map_find(&cuts->places, key_of(level, address));
    return place && *place ? cuts->words.data[*place - 1].bits : 0;
}

static uint32_t fresh_word(hd_recording_split *cuts) {
    if (cuts->free_words.length)
        return cuts->free_words.data[--cuts->free_words.length];
    hd_vec_push(&cuts->words, (word){0});
    return (uint32_t)cuts->words.length - 1;
}

static bool has(const hd_recording_split *cuts, uint64_t address) {
    return word_of(cuts, 0, address) >> digit_of(0, address) & 1;
}

static void enter(hd_recording_split *cuts, uint64_t address) {
    for (unsigned level = 0; level < LEVELS; level++) {
        bool added;
        uint32_t *place = hd_map_at(&cuts->places, key_of(level, address), &added);
        if (!*place) {
            cuts->dead_places -= !added;
            *place = fresh_word(cuts) + 1;
        }
        word *it = &cuts->words.data[*place - 1];
        bool empty = !it->bits;
        it->bits |= (uint64_t)1 << digit_of(level, address);
        if (!empty)
            return;
    }
}

/* The opposite. */
static void leave(hd_recording_split *cuts, uint64_t address) {
    for (unsigned level = 0; level < LEVELS; level++) {
        uint32_t *place = hd_map_find(&cuts->places, key_of(level, address));
        assert(place && *place);
        word *it = &cuts->words.data[*place - 1];
        it->bits &= ~((uint64_t)1 << digit_of(level, address));
        if (it->bits)
            return;
        hd_vec_push(&cuts->free_words, *place - 1);
        *place = 0;
        cuts->dead_places++;
    }
}

/* The outermost border below a subtree: the last one, or else the first. */
static uint64_t descend(const hd_recording_split *cuts, unsigned level, uint64_t address,
                        bool last) {
    while (level-- > 0) {
        uint64_t bits = word_of(cuts, level, address);
        unsigned digit =
            last ? 63U - (unsigned)__builtin_clzll(bits) : (unsigned)__builtin_ctzll(bits);
        address |= (uint64_t)digit << BITS * level;
    }
    return address;
}

/* The next border to one side of an address; false if none exists. */
static bool neighbour(const hd_recording_split *cuts, uint64_t address, bool below,
                      uint64_t *border) {
    for (unsigned level = 0; level < LEVELS; level++) {
        unsigned digit = digit_of(level, address);
        uint64_t bits = word_of(cuts, level, address);
        bits = below ? bits & (((uint64_t)1 << digit) - 1) : bits & ~(uint64_t)1 << digit;
        if (!bits)
            continue;
        digit = below ? 63U - (unsigned)__builtin_clzll(bits) : (unsigned)__builtin_ctzll(bits);
        uint64_t above = address >> BITS * (level + 1) << BITS * (level + 1);
        *border = descend(cuts, level, above | (uint64_t)digit << BITS * level, below);
        return true;
    }
    return false;
}

/* --- granules ------------------------------------------------------------------------------- */

static uint32_t granule_at(const hd_recording_split *cuts, uint64_t address) {
    const uint32_t *number = hd_map_find(&cuts->granules, address);
    return number && *number ? *number - 1 : HD_RECORDING_SPLIT_NONE;
}

static void set_granule(hd_recording_split *cuts, uint64_t address, uint32_t whole) {
    uint32_t number = cuts->number(cuts->context, address, whole);
    bool added;
    uint32_t *own = hd_map_at(&cuts->granules, address, &added);
    cuts->dead_granules -= !added && !*own;
    *own = number + 1;
}

static void cut(hd_recording_split *cuts, uint64_t address) {
    uint64_t below;
    if (has(cuts, address))
        return;
    uint32_t whole =
        neighbour(cuts, address, true, &below) ? granule_at(cuts, below) : HD_RECORDING_SPLIT_NONE;
    enter(cuts, address);
    if (whole != HD_RECORDING_SPLIT_NONE)
        set_granule(cuts, address, whole);
}

void hd_recording_split_access(hd_recording_split *cuts, uint64_t address, uint64_t size) {
    cut(cuts, address);
    cut(cuts, address + size);
}

uint32_t hd_recording_split_granule(hd_recording_split *cuts, uint64_t address, uint64_t *end) {
    uint32_t number = granule_at(cuts, address);
    if (number == HD_RECORDING_SPLIT_NONE) {
        set_granule(cuts, address, HD_RECORDING_SPLIT_NONE);
        number = granule_at(cuts, address);
    }
    neighbour(cuts, address, false, end);
    return number;
}

bool hd_recording_split_known(const hd_recording_split *cuts, uint64_t address, uint64_t size) {
    uint64_t border;
    return has(cuts, address) ||
           (neighbour(cuts, address, false, &border) && border < address + size) ||
           (neighbour(cuts, address, true, &border) &&
            granule_at(cuts, border) != HD_RECORDING_SPLIT_NONE);
}

static void forget_border(hd_recording_split *cuts, uint64_t border, hd_recording_split_gone *gone,
                          void *context) {
    uint32_t *number = hd_map_find(&cuts->granules, border);
    if (number && *number) {
        uint32_t was = *number - 1;
        *number = 0;
        cuts->dead_granules++;
        gone(context, was);
    }
    leave(cuts, border);
}

/* A granule that begins before these bytes ends where they begin, at the latest; and the last one
 * of those that are forgotten may end where they end. */
void hd_recording_split_forget(hd_recording_split *cuts, uint64_t address, uint64_t size,
                               hd_recording_split_gone *gone, void *context) {
    uint64_t border, below, end = address + size;
    bool keeps = neighbour(cuts, address, true, &below) &&
                 granule_at(cuts, below) != HD_RECORDING_SPLIT_NONE;
    if (has(cuts, address))
        forget_border(cuts, address, gone, context);
    while (neighbour(cuts, address, false, &border) && border < end)
        forget_border(cuts, border, gone, context);
    if (has(cuts, end) && granule_at(cuts, end) == HD_RECORDING_SPLIT_NONE)
        leave(cuts, end);
    if (keeps)
        enter(cuts, address);
    hd_map_sweep(&cuts->granules, &cuts->dead_granules);
    hd_map_sweep(&cuts->places, &cuts->dead_places);
}
