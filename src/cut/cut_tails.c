#include "cut_tails.h"

#include <stdlib.h>
#include <string.h>

#include "cut_simd.h"
#include "cut_table.h"

static const hd_cut_tails_size for_sums = {900, 2500000}, for_packed = {100, 2500000};

/* The last thread from which on there are about so many completions. */
static uint32_t choose_split(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                             size_t wanted) {
    enum { DESCENTS = 64 };
    hd_random random;
    hd_random_seed(&random, 1);
    uint32_t threads = space->threads, split = 0;
    uint32_t *low = HD_NEW_ARRAY(uint32_t, 2 * (size_t)space->stride + 1);
    uint32_t *high = low + space->stride;
    double *mean = HD_NEW_ARRAY(double, threads + 1), *range = HD_NEW_ARRAY(double, threads + 1);
    for (int i = 0; i < DESCENTS; i++) {
        memcpy(low, least, space->stride * sizeof *low);
        memcpy(high, most, space->stride * sizeof *high);
        for (uint32_t p = 0; p < threads; p++) {
            range[p] = high[p] - low[p] + 1;
            uint32_t count = low[p] + (uint32_t)hd_random_below(&random, high[p] - low[p] + 1);
            hd_cut_narrow(low, high, low, high, hd_cut_low(space, p, count),
                          hd_cut_high(space, p, count), p + 1, space->stride);
        }
        double product = 1;
        for (uint32_t p = threads; p-- > 0;)
            mean[p] += (product *= range[p]) / DESCENTS;
    }
    for (uint32_t p = 0; p < threads; p++)
        if (mean[p] >= (double)wanted)
            split = p;
    free(low);
    free(mean);
    free(range);
    return split;
}

/* ---- Sums ---- */

#define ELEMENT int16_t
#define UNIT(t, p, c) ((t)->value[(t)->space->start[p] + (c)])
#define NAME(name) sum_##name
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include "cut_tails_nodes.h"
#pragma GCC diagnostic pop
#undef ELEMENT
#undef UNIT
#undef NAME

bool hd_cut_sums_fit(const hd_cut_space *space, const int64_t *value) {
    int64_t total = 0;
    for (uint32_t p = 0; p < space->threads; p++) {
        int64_t largest = 0;
        for (uint32_t c = 0; c <= space->length[p]; c++) {
            int64_t v = value[space->start[p] + c];
            if (v > INT16_MAX / 2 || v < -INT16_MAX / 2)
                return false;
            v = v < 0 ? -v : v;
            largest = v > largest ? v : largest;
        }
        total += largest;
    }
    return total <= INT16_MAX / 2;
}

/* Where there is a choice at run time, as many states in a vector as the processor takes. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WIDEST __attribute__((target_clones("arch=x86-64-v4", "avx2", "default"), noinline))
#else
#define WIDEST __attribute__((noinline))
#endif

/* How many are above; counted in 16 bits, for which there are not too many. */
WIDEST static uint16_t count_few(const int16_t *sums, size_t length, int16_t bound) {
    uint16_t above = 0;
    for (size_t i = 0; i < length; i++)
        above = (uint16_t)(above + (sums[i] > bound));
    return above;
}

static uint64_t count_above(const int16_t *sums, size_t length, int16_t bound) {
    uint64_t above = 0;
    for (size_t i = 0; i < length; i += UINT16_MAX) {
        size_t left = length - i;
        above += count_few(sums + i, left < UINT16_MAX ? left : UINT16_MAX, bound);
    }
    return above;
}

struct sums {
    struct sum_tails tails;
    uint64_t states, above;
};

static void walk_sums(struct sums *s, uint32_t level, int32_t limit) {
    struct sum_tails *t = &s->tails;
    const uint32_t *stretch = t->space->stretch + t->space->start[level];
    const int16_t *value = t->value + t->space->start[level];
    uint32_t from = t->low[(size_t)level * t->space->stride + level];
    uint32_t to = t->high[(size_t)level * t->space->stride + level];
    for (uint32_t c = from; c <= to;) {
        uint32_t end = stretch[c] < to ? stretch[c] : to; /* these leave the same to the others */
        size_t length = 0;
        sum_narrow(t, level, c);
        const int16_t *sums = level + 1 == t->split ? sum_tail(t, &length) : NULL;
        for (; c <= end; c++) {
            if (!sums) {
                walk_sums(s, level + 1, limit - value[c]);
                continue;
            }
            s->states += length;
            s->above += count_above(sums, length, (int16_t)(limit - value[c]));
        }
    }
}

void hd_cut_sums(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                 const int16_t *value, int16_t bound, const hd_cut_tails_size *size,
                 uint64_t *states, uint64_t *above) {
    struct sums s = {.states = 0};
    assert(space->threads);
    sum_init(&s.tails, space, least, most, size ? size : &for_sums);
    s.tails.value = value;
    if (s.tails.split) {
        walk_sums(&s, 0, bound - 1);
    } else {
        size_t length;
        const int16_t *sums = sum_tail(&s.tails, &length);
        s.states = length;
        s.above = count_above(sums, length, (int16_t)(bound - 1));
    }
    sum_release(&s.tails);
    *states += s.states;
    *above += s.above;
}

/* ---- Packed states ---- */

typedef uint64_t lanes __attribute__((vector_size(16), may_alias));

#define ELEMENT lanes
#define UNIT(t, p, c) ((t)->unit[p] * (uint64_t)(c))
#define NAME(name) packed_##name
#include "cut_tails_nodes.h"
#undef ELEMENT
#undef UNIT
#undef NAME

struct packed {
    struct packed_tails tails;
    hd_cut_take_batch *take;
    hd_cut_test *test;
    void *context;
    lanes *batch;
    uint64_t visited;
};

static void find_units(struct packed_tails *t) {
    enum hd_cut_packing packing = hd_cut_packing_of(t->space);
    for (uint32_t p = 0; p < t->space->threads; p++) {
        hd_cut_packed unit = {.words = {0, 0}};
        if (packing == HD_CUT_BYTES)
            unit.bytes[p % 16] = 1;
        else
            unit.halves[p % 8] = 1;
        memcpy(&t->unit[p], &unit, sizeof unit);
    }
}

static int give_batches(struct packed *s, const lanes *tail, size_t length, lanes prefix) {
    for (size_t from = 0; from < length; from += HD_CUT_BATCH) {
        size_t count = length - from < HD_CUT_BATCH ? length - from : HD_CUT_BATCH;
        lanes *restrict to = s->batch;
        for (size_t i = 0; i < count; i++)
            to[i] = tail[from + i] + prefix;
        int why = s->take(s->context, (const hd_cut_packed *)s->batch, count);
        if (why)
            return why;
    }
    return 0;
}

/* Two words are added in registers that survive a call; vectors do not. */
static int give_calls(const struct packed *s, const lanes *tail, size_t length, lanes prefix) {
    hd_cut_test *test = s->test;
    void *context = s->context;
    const uint64_t a = prefix[0], b = prefix[1];
    const uint64_t *word = (const uint64_t *)tail, *end = word + 2 * length;
    hd_cut_packed state;
    for (; word < end; word += 2) {
        state.words[0] = word[0] + a;
        state.words[1] = word[1] + b;
        int why = test(context, &state);
        if (why)
            return why;
    }
    return 0;
}

static int walk_packed(struct packed *s, uint32_t level, lanes prefix) {
    struct packed_tails *t = &s->tails;
    if (level == t->split) {
        size_t length;
        const lanes *tail = packed_tail(t, &length);
        s->visited += length;
        return s->test ? give_calls(s, tail, length, prefix)
                       : give_batches(s, tail, length, prefix);
    }
    const uint32_t *stretch = t->space->stretch + t->space->start[level];
    uint32_t from = t->low[(size_t)level * t->space->stride + level];
    uint32_t to = t->high[(size_t)level * t->space->stride + level];
    for (uint32_t c = from; c <= to;) {
        uint32_t end = stretch[c] < to ? stretch[c] : to; /* these leave the same to the others */
        packed_narrow(t, level, c);
        for (; c <= end; c++) {
            int why = walk_packed(s, level + 1, prefix + t->unit[level] * (uint64_t)c);
            if (why)
                return why;
        }
    }
    return 0;
}

static int run_packed(struct packed *s, const hd_cut_space *space, const uint32_t *least,
                      const uint32_t *most, const hd_cut_tails_size *size, uint64_t *visited) {
    assert(space->threads && hd_cut_packing_of(space) != HD_CUT_UNPACKED);
    packed_init(&s->tails, space, least, most, size ? size : &for_packed);
    find_units(&s->tails);
    void *memory = hd_mem_alloc((HD_CUT_BATCH + 1) * sizeof *s->batch);
    s->batch = (lanes *)(((uintptr_t)memory + 15) & ~(uintptr_t)15);
    int why = walk_packed(s, 0, (lanes){0, 0});
    free(memory);
    packed_release(&s->tails);
    *visited = s->visited;
    return why;
}

int hd_cut_tail_batches(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                        hd_cut_take_batch *take, void *context, const hd_cut_tails_size *size,
                        uint64_t *visited) {
    struct packed s = {.take = take, .context = context};
    return run_packed(&s, space, least, most, size, visited);
}

int hd_cut_tail_each(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                     hd_cut_test *test, void *context, const hd_cut_tails_size *size,
                     uint64_t *visited) {
    struct packed s = {.test = test, .context = context};
    return run_packed(&s, space, least, most, size, visited);
}
