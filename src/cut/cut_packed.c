/*
 * All prefixes go through the stored completions of what they leave to the others: a state
 * is one addition, four at a time where there are such vectors.  A call needs the states of
 * a batch in memory anyway, and is then all there is to do for each.
 */
#include "cut_packed.h"

#include <stdlib.h>
#include <string.h>

#include "cut_simd.h"
#include "cut_table.h"

static const hd_cut_tails_size for_packed = {200, 1500000};

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

/* No carry goes from a count to its neighbour, so 64 bits at a time will do. */
typedef uint64_t lanes __attribute__((vector_size(16), may_alias));

struct packed_fronts;
static size_t fill_packed(const struct packed_fronts *f, uint32_t level, uint32_t count, lanes *to,
                          const lanes *from, size_t length);
static int join_packed(struct packed_fronts *f, const lanes *prefixes, size_t count,
                       uint64_t dropped);

#define ELEMENT lanes
#define UNIT(t, p, c) ((t)->unit[p] * (uint64_t)(c))
#define NAME(name) packed_##name
#define FILL fill_packed
#define JOIN join_packed
#include "cut_fronts.h"

struct packed {
    hd_cut_take_batch *take;
    hd_cut_test *test;
    void *context;
    lanes *batch;
    size_t filled; /* states in it */
    uint64_t visited;
};

/* Four states at a time where there are such vectors. */
typedef uint64_t four __attribute__((vector_size(64), aligned(16), may_alias));

HD_CUT_WIDEST static void add_prefix(lanes *restrict to, const lanes *restrict tail, size_t count,
                                     uint64_t first, uint64_t second) {
    const four prefix = {first, second, first, second, first, second, first, second};
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        *(four *)(to + i) = *(const four *)(tail + i) + prefix;
    for (; i < count; i++)
        to[i] = tail[i] + (lanes){first, second};
}

/* Hands the batch over. */
static int give_batch(struct packed *s) {
    const hd_cut_packed *states = (const hd_cut_packed *)s->batch;
    size_t count = s->filled;
    s->filled = 0;
    if (s->take)
        return count ? s->take(s->context, states, count) : 0;
    hd_cut_test *test = s->test;
    void *context = s->context;
#pragma GCC unroll 4 /* of the jumps of a call one less */
    for (size_t i = 0; i < count; i++) {
        int why = test(context, states + i);
        if (why)
            return why;
    }
    return 0;
}

static int give_tail(struct packed *s, const lanes *tail, size_t length, lanes prefix) {
    while (length) {
        size_t room = HD_CUT_BATCH - s->filled, now = length < room ? length : room;
        assert(s->filled < HD_CUT_BATCH); /* a full one was handed over */
        add_prefix(s->batch + s->filled, tail, now, prefix[0], prefix[1]);
        tail += now;
        length -= now;
        s->filled += now;
        int why = s->filled == HD_CUT_BATCH ? give_batch(s) : 0;
        if (why)
            return why;
    }
    return 0;
}

static size_t fill_packed(const struct packed_fronts *f, uint32_t level, uint32_t count, lanes *to,
                          const lanes *from, size_t length) {
    packed_shift(to, from, length, UNIT(&f->tails, level, count));
    return length;
}

static int join_packed(struct packed_fronts *f, const lanes *prefixes, size_t count,
                       uint64_t dropped) {
    struct packed *s = f->user;
    size_t length;
    uint64_t *word;
    int why = 0;
    assert(!dropped);
    (void)dropped;
    const lanes *tail = packed_tail(&f->tails, &length, &word);
    for (size_t i = 0; i < count && !why; i++) {
        s->visited += length;
        why = give_tail(s, tail, length, prefixes[i]);
    }
    return why;
}

static int run_packed(struct packed *s, const hd_cut_space *space, const uint32_t *least,
                      const uint32_t *most, const hd_cut_tails_size *size, uint64_t *visited) {
    struct packed_fronts f = {.user = s};
    assert(space->threads && hd_cut_packing_of(space) != HD_CUT_UNPACKED);
    packed_fronts_init(&f, space, least, most, size ? size : &for_packed);
    for (uint32_t p = 0; p < space->threads; p++) {
        hd_cut_packed unit = hd_cut_packed_unit(hd_cut_packing_of(space), p);
        memcpy(&f.tails.unit[p], &unit, sizeof unit);
    }
    void *memory = hd_mem_alloc((HD_CUT_BATCH + 4) * sizeof *s->batch);
    s->batch = (lanes *)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
    int why = packed_fronts_run(&f, (lanes){0, 0});
    why = why ? why : give_batch(s);
    free(memory);
    packed_fronts_release(&f);
    *visited = s->visited;
    return why;
}

int hd_cut_packed_batches(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                          hd_cut_take_batch *take, void *context, const hd_cut_tails_size *size,
                          uint64_t *visited) {
    struct packed s = {.take = take, .context = context};
    return run_packed(&s, space, least, most, size, visited);
}

int hd_cut_packed_each(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                       hd_cut_test *test, void *context, const hd_cut_tails_size *size,
                       uint64_t *visited) {
    struct packed s = {.test = test, .context = context};
    return run_packed(&s, space, least, most, size, visited);
}
