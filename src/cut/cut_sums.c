/*
 * Sums of weights over all states: prefixes times tails, 32 states in a vector.
 */
#include "cut_sums.h"

#include <stdlib.h>
#include <string.h>

#include "cut_simd.h"
#include "cut_table.h"

static const hd_cut_tails_size for_sums = {200, 1500000};

/* As wide as any processor takes; others take it in parts. */
enum { WIDE = 32, TWO_WIDE = 64 };
typedef int16_t wide __attribute__((vector_size(TWO_WIDE), aligned(2), may_alias));

/* In how many pairs is the number of the second array larger than that of the first?  Of
 * the second two vectors are kept in registers, and compared with all of the first. */
HD_CUT_WIDEST static uint64_t count_larger(const int16_t *limits, size_t rows, const int16_t *sums,
                                           size_t length) {
    int16_t rest[TWO_WIDE];
    uint64_t larger = 0;
    for (size_t at = 0; at < length; at += TWO_WIDE) {
        const int16_t *now = sums + at;
        if (length - at < TWO_WIDE) {
            for (size_t i = 0; i < TWO_WIDE; i++)
                rest[i] = at + i < length ? sums[at + i] : INT16_MIN; /* larger than nothing */
            now = rest;
        }
        const wide a = *(const wide *)now, b = *(const wide *)(now + WIDE);
        for (size_t from = 0; from < rows; from += INT16_MAX) { /* no lane counts further */
            size_t end = rows - from < INT16_MAX ? rows : from + INT16_MAX;
            wide in_a = {0}, in_b = {0};
            for (size_t i = from; i < end; i++) {
                in_a -= a > limits[i];
                in_b -= b > limits[i];
            }
            for (int lane = 0; lane < WIDE; lane++)
                larger += (uint64_t)in_a[lane] + (uint64_t)in_b[lane];
        }
    }
    return larger;
}

struct sum_fronts;
static size_t fill_sums(const struct sum_fronts *f, uint32_t level, uint32_t count, int16_t *to,
                        const int16_t *from, size_t length);
static int join_sums(struct sum_fronts *f, const int16_t *prefixes, size_t count, uint64_t dropped);

#define ELEMENT int16_t
#define UNIT(t, p, c) ((t)->value[(t)->space->start[p] + (c)])
#define NAME(name) sum_##name
#define FILL fill_sums
#define JOIN join_sums
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include "cut_fronts.h"
#pragma GCC diagnostic pop

struct sums {
    int16_t limit; /* larger sums count */
    HD_VEC(int16_t) limits;
    uint64_t states, above;
};

static size_t fill_sums(const struct sum_fronts *f, uint32_t level, uint32_t count, int16_t *to,
                        const int16_t *from, size_t length) {
    sum_shift(to, from, length, UNIT(&f->tails, level, count));
    return length;
}

/* The longer array goes into vectors. */
static int join_sums(struct sum_fronts *f, const int16_t *prefixes, size_t count,
                     uint64_t dropped) {
    struct sums *s = f->user;
    size_t length;
    uint64_t *word;
    assert(!dropped);
    (void)dropped;
    const int16_t *tail = sum_tail(&f->tails, &length, &word);
    bool turn = count > length;
    const int16_t *rows = turn ? tail : prefixes, *sums = turn ? prefixes : tail;
    size_t row_count = turn ? length : count, sum_count = turn ? count : length;
    hd_vec_reserve(&s->limits, row_count);
    for (size_t i = 0; i < row_count; i++)
        s->limits.data[i] = (int16_t)(s->limit - rows[i]);
    s->states += (uint64_t)row_count * sum_count;
    s->above += count_larger(s->limits.data, row_count, sums, sum_count);
    assert(s->above <= s->states);
    return 0;
}

void hd_cut_sums(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                 const int16_t *value, int16_t bound, const hd_cut_tails_size *size,
                 uint64_t *states, uint64_t *above) {
    struct sums s = {.limit = (int16_t)(bound - 1)};
    struct sum_fronts f = {.user = &s};
    assert(space->threads);
    sum_fronts_init(&f, space, least, most, size ? size : &for_sums);
    f.tails.value = value;
    sum_fronts_run(&f, 0);
    sum_fronts_release(&f);
    hd_vec_release(&s.limits);
    *states += s.states;
    *above += s.above;
}
