/*
 * What a thread finds that is the only one, or the last: accesses are no steps then, so what it
 * looks at counts as found by its last step.
 */
#include "predict_simulate.h"

#include <xxhash.h>

#define BIT(thread) (UINT64_C(1) << (thread))

static hd_predict_looked *list_of(hd_predict_simulator *r, uint32_t number) {
    if (!r->learnt.points.data[number].looks) {
        hd_vec_push(&r->looked, (hd_predict_looked){0});
        r->learnt.points.data[number].looks = (uint32_t)r->looked.length;
    }
    return &r->looked.data[r->learnt.points.data[number].looks - 1];
}

void hd_predict_simulate_note(hd_predict_simulator *r, const heddle_wire_looks *looks) {
    uint64_t before = r->looked_at;
    for (uint32_t i = 0; i < looks->count; i++)
        if (looks->look[i].thread < HD_PREDICT_THREADS)
            r->looked_at |= BIT(looks->look[i].thread);
    r->stale |= r->merges && r->looked_at != before;
}

bool hd_predict_simulate_looks(hd_predict_simulator *r, uint32_t thread,
                               const heddle_wire_looks *looks) {
    uint32_t step = (uint32_t)r->steps.length, from = r->at[thread];
    for (uint32_t i = 0; i < looks->count; i++) {
        const heddle_wire_look *look = &looks->look[i];
        if (look->step != step)
            continue;
        hd_predict_looked *list = list_of(r, from);
        if (look->thread < HD_PREDICT_THREADS) {
            list->threads |= BIT(look->thread);
            continue;
        }
        uint32_t cell = hd_predict_cells_word(&r->cells, look->word), k = 0;
        while (k < list->count && list->cell[k] != cell)
            k++;
        if (k == HEDDLE_WIRE_LOOKS_KEPT)
            return false;
        list->cell[k] = cell;
        list->count += k == list->count;
    }
    return looks->more != step;
}

uint64_t hd_predict_simulate_alone(const hd_predict_simulator *r, uint32_t thread, uint64_t found) {
    uint64_t all[2 * HEDDLE_WIRE_LOOKS_KEPT + HD_PREDICT_THREADS + 1] = {found};
    size_t count = 1;
    const hd_predict_point *point = hd_predict_simulate_point(r, thread);
    const hd_predict_looked none = {0};
    const hd_predict_looked *list = point->looks ? &r->looked.data[point->looks - 1] : &none;
    for (uint32_t i = 0; i < list->count; i++) {
        const hd_predict_content *content = &r->cells.all.data[list->cell[i]].now;
        all[count++] = content->value;
        all[count++] = content->written;
    }
    for (uint64_t rest = list->threads; rest; rest &= rest - 1)
        all[count++] = r->at[__builtin_ctzll(rest)];
    return XXH3_64bits_withSeed(all, count * sizeof *all, count);
}

uint64_t hd_predict_simulate_last(const hd_predict_simulator *r, uint32_t thread, uint64_t found) {
    uint64_t all[HD_PREDICT_THREADS + 3] = {found, r->now.ended, r->now.births - r->now.joins};
    size_t count = 3;
    for (uint64_t rest = r->now.live & ~BIT(thread); rest; rest &= rest - 1) {
        uint32_t other = (uint32_t)__builtin_ctzll(rest);
        if (hd_predict_simulate_point(r, other)->deed != HD_PREDICT_DEED_JOINS)
            return found;
        all[count++] = r->at[other];
    }
    return XXH3_64bits_withSeed(all, count * sizeof *all, count);
}
