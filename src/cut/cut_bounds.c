/*
 * Bounds: all consistent states in lexical order, with nothing tried in vain.
 *
 * With the counts of the first k threads fixed, thread k + 1 ranges exactly
 * from the greatest of their clocks to the least of their reverse clocks: the
 * states from `least` to `most` are a lattice, so each count in between can be
 * completed.  One maximum and one minimum of vectors a level; counts of one
 * stretch narrow alike.  The last two threads are a block: a run for each count
 * of the last but one.
 *
 * Time: a state costs a fraction of an instruction where runs are long, at worst
 * the square of the threads over the vector length, in a total order.  Memory:
 * two rows a thread, and a block.
 */
#include <string.h>

#include "cut_simd.h"
#include "cut_visit.h"

struct bounds {
    const hd_cut_space *space;
    hd_cut_visitor *visitor;
    uint32_t *state;
    uint32_t *low, *high;           /* [level * stride]: of the threads from level on */
    uint32_t *pair_low, *pair_high; /* [count of the last thread but one - base]: of the last */
    uint32_t base;
    uint32_t *least, *most; /* of the block */
    uint64_t states;
};

/* The block by runs. */
static int give_runs(struct bounds *b, const hd_cut_block *block) {
    uint32_t last = b->space->threads - 1;
    for (uint32_t i = 0; i < block->count; i++) {
        b->state[last - 1] = block->first + i;
        b->state[last] = block->least[i];
        assert(block->least[i] <= block->most[i]);
        HD_COSTLY_ASSERT(hd_cut_seems_consistent(b->space, b->state));
        int why =
            b->visitor->run(b->visitor->context, b->state, block->most[i] - block->least[i] + 1);
        if (why)
            return why;
    }
    return 0;
}

/* The ranges of the last thread, and how many states they are together. */
static uint64_t narrow_block(struct bounds *b, const uint32_t *low, const uint32_t *high,
                             uint32_t first, uint32_t count) {
    assert(count && first >= b->base);
    const int32_t *pair_low = (const int32_t *)b->pair_low + (first - b->base);
    const int32_t *pair_high = (const int32_t *)b->pair_high + (first - b->base);
    int32_t *restrict least = (int32_t *)b->least, *restrict most = (int32_t *)b->most;
    int32_t lowest = (int32_t)low[b->space->threads - 1],
            highest = (int32_t)high[b->space->threads - 1];
    uint64_t states = 0;
    for (uint32_t i = 0; i < count; i++) {
        least[i] = pair_low[i] > lowest ? pair_low[i] : lowest;
        most[i] = pair_high[i] < highest ? pair_high[i] : highest;
        assert(least[i] <= most[i]); /* no prefix is tried in vain */
        states += (uint32_t)(most[i] - least[i] + 1);
    }
    return states;
}

static int give_block(struct bounds *b, const uint32_t *low, const uint32_t *high) {
    uint32_t place = b->space->threads - 2;
    hd_cut_block block = {b->state, low[place], high[place] - low[place] + 1, b->least, b->most};
    b->states += narrow_block(b, low, high, block.first, block.count);
    if (hd_cut_stopped(b->visitor))
        return HD_CUT_STOPPED;
    if (b->visitor->block)
        return b->visitor->block(b->visitor->context, &block);
    return b->visitor->run ? give_runs(b, &block) : 0;
}

static int bounds_descend(struct bounds *b, uint32_t level) {
    const hd_cut_space *space = b->space;
    const uint32_t *low = b->low + (size_t)level * space->stride;
    const uint32_t *high = b->high + (size_t)level * space->stride;
    assert(low[level] <= high[level]);
    if (level + 2 == space->threads)
        return give_block(b, low, high);
    const uint32_t *stretch = space->stretch + space->start[level];
    for (uint32_t count = low[level]; count <= high[level];) {
        uint32_t end = stretch[count] < high[level] ? stretch[count] : high[level];
        assert(end >= count); /* a stretch has its first count */
        hd_cut_narrow(b->low + (size_t)(level + 1) * space->stride,
                      b->high + (size_t)(level + 1) * space->stride, low, high,
                      hd_cut_low(space, level, count), hd_cut_high(space, level, count), level + 1,
                      space->stride);
        for (; count <= end; count++) {
            b->state[level] = count;
            int why = bounds_descend(b, level + 1);
            if (why)
                return why;
        }
    }
    return 0;
}

/* With one thread there are no blocks. */
static int bounds_of_one_thread(const hd_cut_space *space, const uint32_t *least,
                                const uint32_t *most, hd_cut_visitor *visitor) {
    assert(space->threads == 1);
    (void)space;
    return hd_cut_emit(visitor, least, most[0] - least[0] + 1);
}

static void start_bounds(struct bounds *b, const uint32_t *least, const uint32_t *most) {
    const hd_cut_space *space = b->space;
    uint32_t last = space->threads - 1, counts = most[last - 1] - least[last - 1] + 1;
    size_t rows = (size_t)space->stride * space->threads;
    b->state = HD_NEW_ARRAY(uint32_t, space->stride);
    b->low = HD_NEW_ARRAY(uint32_t, 2 * rows);
    b->high = b->low + rows;
    memcpy(b->low, least, space->stride * sizeof *least);
    memcpy(b->high, most, space->stride * sizeof *most);
    b->pair_low = HD_NEW_ARRAY(uint32_t, 4 * (size_t)counts);
    b->pair_high = b->pair_low + counts;
    b->least = b->pair_high + counts;
    b->most = b->least + counts;
    b->base = least[last - 1];
    for (uint32_t c = 0; c < counts; c++) {
        b->pair_low[c] = hd_cut_low(space, last - 1, b->base + c)[last];
        b->pair_high[c] = hd_cut_high(space, last - 1, b->base + c)[last];
    }
}

int hd_cut_bounds(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                  hd_cut_visitor *visitor) {
    if (space->threads == 1)
        return bounds_of_one_thread(space, least, most, visitor);
    struct bounds b = {.space = space, .visitor = visitor};
    start_bounds(&b, least, most);
    int why = bounds_descend(&b, 0);
    visitor->states += b.states;
    free(b.state);
    free(b.low);
    free(b.pair_low);
    return why;
}
