/*
 * The way down is that of bounds (cut_bounds.c), with the packed state in a
 * register: going on by one event is an addition.  Runs of packed states are
 * short on narrow lattices, so what is done for each block counts.
 */
#include "cut_packed.h"

#include <string.h>

#include "cut_simd.h"

/* No carry goes from a count to its neighbour, so 64 bits at a time will do. */
typedef uint64_t lanes __attribute__((vector_size(16), may_alias));

struct packer {
    const hd_cut_space *space;
    uint32_t last;                  /* place */
    lanes unit[16];                 /* [place]: one event more */
    uint32_t *low, *high;           /* [level * stride] */
    uint32_t base;                  /* of the next two */
    uint32_t *pair_low, *pair_high; /* [count of the last thread but one - base]: of the last */
    hd_cut_test *test;
    hd_cut_take_batch *take;
    void *context;
    lanes *batch;
    size_t filled;
    uint64_t visited;
};

enum hd_cut_packing hd_cut_packing_of(const hd_cut_space *space) {
    uint32_t longest = 0;
    for (uint32_t p = 0; p < space->threads; p++)
        if (space->length[p] > longest)
            longest = space->length[p];
    if (space->threads <= 16 && longest <= UINT8_MAX)
        return HD_CUT_BYTES;
    if (space->threads <= 8 && longest <= UINT16_MAX)
        return HD_CUT_HALVES;
    return HD_CUT_UNPACKED;
}

static void find_units(struct packer *packer) {
    enum hd_cut_packing packing = hd_cut_packing_of(packer->space);
    for (uint32_t p = 0; p <= packer->last; p++) {
        hd_cut_packed unit = {.words = {0, 0}};
        if (packing == HD_CUT_BYTES)
            unit.bytes[p % 16] = 1;
        else
            unit.halves[p % 8] = 1;
        memcpy(&packer->unit[p], &unit, sizeof unit);
    }
}

/* ---- One call a state ---- */

/* A call keeps whole words in registers, but no vectors: so the half that changes
 * is counted in a word of its own, and only stored. */
static inline int test_run(struct packer *packer, lanes state, uint32_t count) {
    hd_cut_test *test = packer->test;
    void *context = packer->context;
    hd_cut_packed packed;
    *(lanes *)&packed = state;
    const size_t half = packer->unit[packer->last][1] ? 1 : 0;
    const uint64_t step = packer->unit[packer->last][half];
    uint64_t word = state[half];
    for (uint32_t i = 0; i < count; i++, word += step) {
        packed.words[half] = word;
        int why = test(context, &packed);
        if (why)
            return why;
    }
    return 0;
}

/* ---- Batches ---- */

static int give_batch(struct packer *packer) {
    size_t filled = packer->filled;
    packer->filled = 0;
    return filled ? packer->take(packer->context, (const hd_cut_packed *)packer->batch, filled) : 0;
}

static inline int store_run(struct packer *packer, lanes state, uint32_t count) {
    const lanes step = packer->unit[packer->last];
    while (count) {
        size_t room = HD_CUT_BATCH - packer->filled, now = count < room ? count : room;
        lanes *to = packer->batch + packer->filled;
        for (size_t i = 0; i < now; i++, state += step)
            to[i] = state;
        packer->filled += now;
        count -= (uint32_t)now;
        int why = packer->filled == HD_CUT_BATCH ? give_batch(packer) : 0;
        if (why)
            return why;
    }
    return 0;
}

/* ---- The way down ---- */

/* The last two threads. */
static inline int give_block(struct packer *packer, lanes state, const uint32_t *low,
                             const uint32_t *high) {
    uint32_t place = packer->last - 1, lowest = low[packer->last], highest = high[packer->last];
    const uint32_t *pair_low = packer->pair_low - packer->base;
    const uint32_t *pair_high = packer->pair_high - packer->base;
    const lanes row_step = packer->unit[place], step = packer->unit[packer->last];
    uint32_t end = high[place];
    state += row_step * low[place];
    for (uint32_t count = low[place]; count <= end; count++, state += row_step) {
        uint32_t least = pair_low[count] > lowest ? pair_low[count] : lowest;
        uint32_t most = pair_high[count] < highest ? pair_high[count] : highest;
        uint32_t states = most - least + 1;
        packer->visited += states;
        int why = packer->test ? test_run(packer, state + step * least, states)
                               : store_run(packer, state + step * least, states);
        if (why)
            return why;
    }
    return 0;
}

static int descend(struct packer *packer, uint32_t level, lanes state) {
    const hd_cut_space *space = packer->space;
    const uint32_t *low = packer->low + (size_t)level * space->stride;
    const uint32_t *high = packer->high + (size_t)level * space->stride;
    if (level + 1 == packer->last)
        return give_block(packer, state, low, high);
    const uint32_t *stretch = space->stretch + space->start[level];
    const lanes unit = packer->unit[level];
    state += unit * low[level];
    for (uint32_t count = low[level]; count <= high[level];) {
        uint32_t end = stretch[count] < high[level] ? stretch[count] : high[level];
        hd_cut_narrow(packer->low + (size_t)(level + 1) * space->stride,
                      packer->high + (size_t)(level + 1) * space->stride, low, high,
                      hd_cut_low(space, level, count), hd_cut_high(space, level, count), level + 1,
                      space->stride);
        for (; count <= end; count++, state += unit) {
            int why = descend(packer, level + 1, state);
            if (why)
                return why;
        }
    }
    return 0;
}

static int run_pairs(struct packer *packer, const uint32_t *least, const uint32_t *most) {
    const hd_cut_space *space = packer->space;
    size_t rows = (size_t)space->stride * space->threads;
    uint32_t place = packer->last - 1, counts = most[place] - least[place] + 1;
    packer->low = HD_NEW_ARRAY(uint32_t, 2 * rows);
    packer->high = packer->low + rows;
    memcpy(packer->low, least, space->stride * sizeof *least);
    memcpy(packer->high, most, space->stride * sizeof *most);
    packer->base = least[place];
    packer->pair_low = HD_NEW_ARRAY(uint32_t, 2 * (size_t)counts);
    packer->pair_high = packer->pair_low + counts;
    for (uint32_t c = 0; c < counts; c++) {
        packer->pair_low[c] = hd_cut_low(space, place, packer->base + c)[packer->last];
        packer->pair_high[c] = hd_cut_high(space, place, packer->base + c)[packer->last];
    }
    int why = descend(packer, 0, (lanes){0, 0});
    free(packer->low);
    free(packer->pair_low);
    return why;
}

static int run(struct packer *packer, const uint32_t *least, const uint32_t *most,
               uint64_t *visited) {
    assert(packer->space->threads && hd_cut_packing_of(packer->space) != HD_CUT_UNPACKED);
    packer->last = packer->space->threads - 1;
    find_units(packer);
    int why;
    if (packer->last) {
        why = run_pairs(packer, least, most);
    } else {
        packer->visited = most[0] - least[0] + 1;
        lanes state = packer->unit[0] * least[0];
        why = packer->test ? test_run(packer, state, most[0] - least[0] + 1)
                           : store_run(packer, state, most[0] - least[0] + 1);
    }
    *visited = packer->visited;
    return why;
}

int hd_cut_packed_each(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                       hd_cut_test *test, void *context, uint64_t *visited) {
    struct packer packer = {.space = space, .test = test, .context = context};
    return run(&packer, least, most, visited);
}

int hd_cut_packed_batches(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                          hd_cut_take_batch *take, void *context, uint64_t *visited) {
    struct packer packer = {.space = space, .take = take, .context = context};
    void *memory = hd_mem_alloc((HD_CUT_BATCH + 1) * sizeof *packer.batch);
    packer.batch = (lanes *)(((uintptr_t)memory + 15) & ~(uintptr_t)15);
    int why = run(&packer, least, most, visited);
    if (!why)
        why = give_batch(&packer);
    free(memory);
    return why;
}
