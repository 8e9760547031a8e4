#include "predict_memory.h"

enum { WORD = 8 };

void hd_predict_cells_clear(hd_predict_cells *cells) {
    hd_vec_clear(&cells->all);
    hd_map_clear(&cells->words);
    hd_map_clear(&cells->objects);
}

void hd_predict_cells_release(hd_predict_cells *cells) {
    hd_vec_release(&cells->all);
    hd_map_release(&cells->words);
    hd_map_release(&cells->objects);
}

static uint32_t number_of(hd_predict_cells *cells, hd_map *numbers, uint64_t key) {
    bool added;
    uint32_t *number = hd_map_at(numbers, key, &added);
    if (added) {
        *number = (uint32_t)cells->all.length;
        hd_vec_push(&cells->all, (hd_predict_cell){0});
    }
    return *number;
}

uint32_t hd_predict_cells_word(hd_predict_cells *cells, uint64_t word) {
    return number_of(cells, &cells->words, word);
}

uint32_t hd_predict_cells_object(hd_predict_cells *cells, uint64_t address) {
    return number_of(cells, &cells->objects, address);
}

/* --- parts of words ------------------------------------------------------------------------- */

/* All bits of the bytes: first the lowest bit of each, then all of it. */
static uint64_t bits_of(uint8_t bytes) {
    uint64_t each = bytes * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    return ((each + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101)) * 0xff;
}

static uint8_t bytes_met(uint64_t address, uint32_t bytes) {
    return (uint8_t)(((1U << bytes) - 1) << address % WORD);
}

static unsigned shift_of(uint64_t address) {
    return (unsigned)(address % WORD * 8);
}

static uint64_t mask_of(uint32_t bytes) {
    return bytes == WORD ? UINT64_MAX : (UINT64_C(1) << bytes * 8) - 1;
}

bool hd_predict_cell_read_alone(const hd_predict_cell *cell, uint64_t address, uint32_t bytes,
                                uint64_t *found) {
    uint8_t met = bytes_met(address, bytes);
    if (met & ~(cell->now.written | cell->known))
        return false;
    uint64_t word = cell->now.value;
    if (met & ~cell->now.written)
        word |= cell->initial & ~bits_of(cell->now.written);
    *found = word >> shift_of(address) & mask_of(bytes);
    return true;
}

bool hd_predict_cell_read(const hd_predict_cell *cell, uint64_t address, uint32_t bytes,
                          uint64_t *found) {
    return !(bytes_met(address, bytes) & ~cell->now.written & cell->guessed) &&
           hd_predict_cell_read_alone(cell, address, bytes, found);
}

static void learn_initial(hd_predict_cell *cell, uint8_t fresh, uint64_t address, uint64_t found) {
    uint64_t bits = bits_of(fresh);
    cell->initial = (cell->initial & ~bits) | (found << shift_of(address) & bits);
    cell->known |= fresh;
}

bool hd_predict_cell_find(hd_predict_cell *cell, uint64_t address, uint32_t bytes, uint64_t found) {
    uint8_t fresh =
        (uint8_t)(bytes_met(address, bytes) & ~cell->now.written & (~cell->known | cell->guessed));
    learn_initial(cell, fresh, address, found);
    cell->guessed &= (uint8_t)~fresh;
    uint64_t there = 0;
    return hd_predict_cell_read(cell, address, bytes, &there) && there == found;
}

bool hd_predict_cell_find_alone(hd_predict_cell *cell, uint64_t address, uint32_t bytes,
                                uint64_t found) {
    uint8_t fresh = bytes_met(address, bytes) & (uint8_t) ~(cell->now.written | cell->known);
    learn_initial(cell, fresh, address, found);
    cell->guessed |= fresh;
    uint64_t there = 0;
    return hd_predict_cell_read_alone(cell, address, bytes, &there) && there == found;
}

void hd_predict_cell_write(hd_predict_cell *cell, uint64_t address, uint32_t bytes,
                           uint64_t value) {
    uint64_t mask = mask_of(bytes) << shift_of(address);
    cell->now.value = (cell->now.value & ~mask) | (value << shift_of(address) & mask);
    cell->now.written |= bytes_met(address, bytes);
}
