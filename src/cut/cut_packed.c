/*
 * A prefix goes through the stored completions of what it leaves to the others: a state is
 * one addition, four at a time where there are such vectors.  A call needs the states of
 * a batch in memory anyway, and is then all there is to do for each.
 */
#include "cut_packed.h"

#include <stdlib.h>
#include <string.h>

#include "cut_simd.h"
#include "cut_table.h"

static const hd_cut_tails_size for_packed = {150, 1500000};

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

#define ELEMENT lanes
#define UNIT(t, p, c) ((t)->unit[p] * (uint64_t)(c))
#define NAME(name) packed_##name
#include "cut_tails_nodes.h"

struct packed {
    struct packed_tails tails;
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

/* What is in the batch goes out. */
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

static int walk_packed(struct packed *s, uint32_t level, lanes prefix) {
    struct packed_tails *t = &s->tails;
    const uint32_t *stretch = t->space->stretch + t->space->start[level];
    const lanes unit = t->unit[level];
    uint32_t from = t->low[(size_t)level * t->space->stride + level];
    uint32_t to = t->high[(size_t)level * t->space->stride + level];
    prefix += unit * (uint64_t)from;
    for (uint32_t c = from; c <= to;) {
        uint32_t end = stretch[c] < to ? stretch[c] : to; /* these leave the same to the others */
        size_t length = 0;
        uint64_t *word;
        packed_narrow(t, level, c);
        const lanes *tail = level + 1 == t->split ? packed_tail(t, &length, &word) : NULL;
        for (; c <= end; c++, prefix += unit) {
            s->visited += length;
            int why = tail ? give_tail(s, tail, length, prefix) : walk_packed(s, level + 1, prefix);
            if (why)
                return why;
        }
    }
    return 0;
}

/* From the first thread on, or with all of them in the tail. */
static int walk_all(struct packed *s) {
    int why;
    if (s->tails.split) {
        why = walk_packed(s, 0, (lanes){0, 0});
    } else {
        size_t length;
        uint64_t *word;
        const lanes *tail = packed_tail(&s->tails, &length, &word);
        s->visited = length;
        why = give_tail(s, tail, length, (lanes){0, 0});
    }
    return why ? why : give_batch(s);
}

static int run_packed(struct packed *s, const hd_cut_space *space, const uint32_t *least,
                      const uint32_t *most, const hd_cut_tails_size *size, uint64_t *visited) {
    assert(space->threads && hd_cut_packing_of(space) != HD_CUT_UNPACKED);
    packed_init(&s->tails, space, least, most, size ? size : &for_packed);
    for (uint32_t p = 0; p < space->threads; p++) {
        hd_cut_packed unit = hd_cut_packed_unit(hd_cut_packing_of(space), p);
        memcpy(&s->tails.unit[p], &unit, sizeof unit);
    }
    void *memory = hd_mem_alloc((HD_CUT_BATCH + 4) * sizeof *s->batch);
    s->batch = (lanes *)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
    int why = walk_all(s);
    free(memory);
    packed_release(&s->tails);
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
