#include "recording_certain.h"

#include <stdlib.h>

static int compare_words(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

hd_vec_u64 hd_recording_sorted(const uint64_t *words, uint64_t count) {
    hd_vec_u64 all = {0};
    hd_vec_reserve(&all, count + 1);
    for (uint64_t i = 0; i < count; i++)
        hd_vec_push(&all, words[i]);
    qsort(all.data, all.length, sizeof *all.data, compare_words);
    size_t kept = 0;
    for (size_t i = 0; i < all.length; i++)
        if (!kept || all.data[kept - 1] != all.data[i])
            all.data[kept++] = all.data[i];
    all.length = kept;
    return all;
}

void hd_recording_certain(const hd_launch_run *run, hd_symbols *symbols, hd_packed_certain *to) {
    const heddle_wire *wire = run->wire;
    uint64_t count = wire->codes < HEDDLE_WIRE_CODES ? wire->codes : HEDDLE_WIRE_CODES;
    if (!wire->calls || wire->calls_lost || wire->lost || run->damaged)
        return;
    hd_vec_u64 codes = hd_recording_sorted(wire->code_list, count);
    const hd_symbols_certain *found = hd_symbols_certain_find(symbols, &codes);
    for (size_t i = 0; i < found->states.length; i++) {
        const hd_symbols_certain_state *it = &found->states.data[i];
        hd_packed_certain_add(to, it->code);
        for (uint32_t k = 0; k < it->count; k++)
            hd_packed_certain_follow(to, found->next.data[it->first + k]);
    }
    hd_vec_release(&codes);
}
