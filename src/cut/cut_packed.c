#include "cut_packed.h"

/* No carry goes from a count to its neighbour, so 64 bits at a time will do. */
typedef uint64_t lanes __attribute__((vector_size(16), may_alias));

struct packer {
    const hd_cut_space *space;
    enum hd_cut_packing packing;
    uint32_t threads;
    hd_cut_packed row_step, step; /* one more of the last thread but one, of the last */
    hd_cut_test *test;
    hd_cut_take_batch *take;
    void *context;
    hd_cut_packed *batch;
    size_t filled;
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

static inline void set(const struct packer *packer, hd_cut_packed *state, uint32_t place,
                       uint32_t count) {
    if (packer->packing == HD_CUT_BYTES)
        state->bytes[place % 16] = (uint8_t)count;
    else
        state->halves[place % 8] = (uint16_t)count;
}

static inline void add(hd_cut_packed *state, const hd_cut_packed *step) {
    *(lanes *)state += *(const lanes *)step;
}

static hd_cut_packed pack(const struct packer *packer, const uint32_t *state, uint32_t places) {
    hd_cut_packed packed = {.words = {0, 0}};
    for (uint32_t p = 0; p < places; p++)
        set(packer, &packed, p, state[p]);
    return packed;
}

/* ---- One call a state ---- */

static inline int test_run(const struct packer *packer, hd_cut_packed *state, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        int why = packer->test(packer->context, state);
        if (why)
            return why;
        add(state, &packer->step);
    }
    return 0;
}

static int test_block(void *context, const hd_cut_block *block) {
    const struct packer *packer = context;
    uint32_t last = packer->threads - 1;
    hd_cut_packed row = pack(packer, block->state, last - 1);
    set(packer, &row, last - 1, block->first);
    for (uint32_t i = 0; i < block->count; i++) {
        hd_cut_packed state = row;
        set(packer, &state, last, block->least[i]);
        int why = test_run(packer, &state, block->most[i] - block->least[i] + 1);
        if (why)
            return why;
        add(&row, &packer->row_step);
    }
    return 0;
}

static int test_alone(void *context, const uint32_t *state, uint32_t count) {
    const struct packer *packer = context;
    hd_cut_packed packed = pack(packer, state, packer->threads);
    return test_run(packer, &packed, count);
}

/* ---- Batches ---- */

static int give_batch(struct packer *packer) {
    size_t filled = packer->filled;
    packer->filled = 0;
    return filled ? packer->take(packer->context, packer->batch, filled) : 0;
}

static inline int store_run(struct packer *packer, hd_cut_packed state, uint32_t count) {
    lanes value = *(const lanes *)&state;
    const lanes step = *(const lanes *)&packer->step;
    while (count) {
        size_t room = HD_CUT_BATCH - packer->filled, now = count < room ? count : room;
        lanes *to = (lanes *)(packer->batch + packer->filled);
        for (size_t i = 0; i < now; i++, value += step)
            to[i] = value;
        packer->filled += now;
        count -= (uint32_t)now;
        int why = packer->filled == HD_CUT_BATCH ? give_batch(packer) : 0;
        if (why)
            return why;
    }
    return 0;
}

static int store_block(void *context, const hd_cut_block *block) {
    struct packer *packer = context;
    uint32_t last = packer->threads - 1;
    hd_cut_packed row = pack(packer, block->state, last - 1);
    set(packer, &row, last - 1, block->first);
    for (uint32_t i = 0; i < block->count; i++) {
        hd_cut_packed state = row;
        set(packer, &state, last, block->least[i]);
        int why = store_run(packer, state, block->most[i] - block->least[i] + 1);
        if (why)
            return why;
        add(&row, &packer->row_step);
    }
    return 0;
}

static int store_alone(void *context, const uint32_t *state, uint32_t count) {
    struct packer *packer = context;
    return store_run(packer, pack(packer, state, packer->threads), count);
}

/* ---- Both ---- */

static int run(struct packer *packer, const uint32_t *least, const uint32_t *most,
               hd_cut_visitor *visitor, uint64_t *visited) {
    packer->threads = packer->space->threads;
    packer->packing = hd_cut_packing_of(packer->space);
    assert(packer->packing != HD_CUT_UNPACKED && packer->threads);
    set(packer, &packer->step, packer->threads - 1, 1);
    if (packer->threads > 1)
        set(packer, &packer->row_step, packer->threads - 2, 1);
    int why = hd_cut_bounds(packer->space, least, most, visitor);
    *visited = visitor->states;
    return why;
}

int hd_cut_packed_each(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                       hd_cut_test *test, void *context, uint64_t *visited) {
    struct packer packer = {.space = space, .test = test, .context = context};
    hd_cut_visitor visitor = {.context = &packer, .run = test_alone, .block = test_block};
    return run(&packer, least, most, &visitor, visited);
}

int hd_cut_packed_batches(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                          hd_cut_take_batch *take, void *context, uint64_t *visited) {
    struct packer packer = {.space = space, .take = take, .context = context};
    packer.batch = aligned_alloc(sizeof *packer.batch, HD_CUT_BATCH * sizeof *packer.batch);
    if (!packer.batch)
        packer.batch = hd_mem_alloc(HD_CUT_BATCH * sizeof *packer.batch); /* says so and ends */
    hd_cut_visitor visitor = {.context = &packer, .run = store_alone, .block = store_block};
    int why = run(&packer, least, most, &visitor, visited);
    if (!why)
        why = give_batch(&packer);
    free(packer.batch);
    return why;
}
