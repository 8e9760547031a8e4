/*
 * A node of level k is a key of 2 * (threads - k) counts: the least ones of the
 * threads from k on, then the greatest ones.
 */
#include "cut_diagram.h"

#include <math.h>

#include "cut_simd.h"
#include "cut_table.h"

/* Keys are read and written a vector at a time, a little beyond their end. */
enum { SLACK = 2 * HD_CUT_VECTOR };

struct level {
    hd_cut_table nodes;
    HD_VEC(uint64_t) prefixes; /* [node * limbs]: how many prefixes end in it */
};

struct diagram {
    const hd_cut_space *space;
    const hd_cut_budget *budget;
    hd_cut_diagram_size *size;
    hd_cut_count total;
    size_t limbs;
    struct level now, next;
    uint32_t *key;  /* of a child in the making */
    uint32_t *node; /* the one at hand, with slack behind it */
};

static void add_prefixes(struct diagram *d, struct level *level, const uint32_t *key,
                         const uint64_t *prefixes, uint64_t factor) {
    bool added;
    size_t node = hd_cut_table_add(&level->nodes, (const uint64_t *)key, &added);
    if (added)
        hd_vec_resize(&level->prefixes, (node + 1) * d->limbs);
    hd_cut_limbs_add_product(level->prefixes.data + node * d->limbs, prefixes, d->limbs, factor);
}

/* The child's key: the other threads' ranges, narrowed by this thread's rows. */
static void make_child(const uint32_t *low, const uint32_t *high, const uint32_t *low_row,
                       const uint32_t *high_row, uint32_t left, uint32_t *key) {
    for (uint32_t i = 0; i < left; i += HD_CUT_VECTOR)
        *(hd_cut_lanes *)(key + i) =
            hd_cut_max(*(const hd_cut_lanes *)(low + i), *(const hd_cut_lanes *)(low_row + i));
    for (uint32_t i = 0; i < left; i += HD_CUT_VECTOR)
        *(hd_cut_lanes *)(key + left + i) =
            hd_cut_min(*(const hd_cut_lanes *)(high + i), *(const hd_cut_lanes *)(high_row + i));
}

/* All children of a node of a thread with at least two behind it. */
static void expand(struct diagram *d, uint32_t thread, const uint64_t *prefixes) {
    const hd_cut_space *space = d->space;
    uint32_t left = space->threads - thread - 1;
    const uint32_t *low = d->node, *high = d->node + left + 1;
    for (uint32_t count = low[0]; count <= high[0];) {
        uint32_t end = space->stretch[space->start[thread] + count];
        end = end < high[0] ? end : high[0];
        make_child(low + 1, high + 1, hd_cut_low(space, thread, count) + thread + 1,
                   hd_cut_high(space, thread, count) + thread + 1, left, d->key);
        add_prefixes(d, &d->next, d->key, prefixes, end - count + 1);
        d->size->edges++;
        count = end + 1;
    }
}

/* The states of a node with this thread and one more left. */
static void sum_up(struct diagram *d, uint32_t thread, const uint64_t *prefixes) {
    const hd_cut_space *space = d->space;
    const uint32_t *low = d->node, *high = d->node + 2;
    uint64_t states = 0;
    for (uint32_t count = low[0]; count <= high[0];) {
        uint32_t end = space->stretch[space->start[thread] + count];
        end = end < high[0] ? end : high[0];
        uint32_t least = hd_cut_low(space, thread, count)[thread + 1];
        uint32_t most = hd_cut_high(space, thread, count)[thread + 1];
        least = least > low[1] ? least : low[1];
        most = most < high[1] ? most : high[1];
        states += (uint64_t)(most - least + 1) * (end - count + 1);
        d->size->edges++;
        count = end + 1;
    }
    hd_cut_count_add_product(&d->total, prefixes, d->limbs, states);
}

static bool within_budget(struct diagram *d) {
    size_t memory = hd_cut_table_bytes(&d->now.nodes) + hd_cut_table_bytes(&d->next.nodes) +
                    (d->now.prefixes.capacity + d->next.prefixes.capacity) * sizeof(uint64_t);
    if (memory > d->size->memory)
        d->size->memory = memory;
    return memory <= d->budget->memory && d->size->edges <= d->budget->edges;
}

static bool run_level(struct diagram *d, uint32_t thread) {
    uint32_t left = d->space->threads - thread;
    d->size->nodes += d->now.nodes.count;
    if (left > 2)
        hd_cut_table_clear(&d->next.nodes, left - 1);
    hd_vec_clear(&d->next.prefixes);
    for (size_t i = 0; i < d->now.nodes.count; i++) {
        memcpy(d->node, hd_cut_table_key(&d->now.nodes, i), 2 * left * sizeof *d->node);
        const uint64_t *prefixes = d->now.prefixes.data + i * d->limbs;
        if (left > 2)
            expand(d, thread, prefixes);
        else
            sum_up(d, thread, prefixes);
        if (!within_budget(d))
            return false;
    }
    struct level done = d->now;
    d->now = d->next;
    d->next = done;
    return true;
}

/* Words that the number of all vectors, and so of all states, fits in. */
static size_t limbs_needed(const hd_cut_space *space, const uint32_t *least, const uint32_t *most) {
    double bits = 1;
    for (uint32_t p = 0; p < space->threads; p++)
        bits += log2((double)(most[p] - least[p]) + 1);
    return (size_t)(bits / 64) + 1;
}

static void start(struct diagram *d, const uint32_t *least, const uint32_t *most) {
    uint32_t threads = d->space->threads;
    hd_cut_table_init(&d->now.nodes, threads);
    hd_cut_table_init(&d->next.nodes, threads);
    d->key = HD_NEW_ARRAY(uint32_t, 2 * (size_t)threads + SLACK);
    d->node = HD_NEW_ARRAY(uint32_t, 2 * (size_t)threads + SLACK);
    memcpy(d->key, least, threads * sizeof *least);
    memcpy(d->key + threads, most, threads * sizeof *most);
    uint64_t *one = HD_NEW_ARRAY(uint64_t, d->limbs);
    one[0] = 1;
    add_prefixes(d, &d->now, d->key, one, 1);
    free(one);
}

static void finish(struct diagram *d) {
    hd_cut_table_release(&d->now.nodes);
    hd_cut_table_release(&d->next.nodes);
    hd_vec_release(&d->now.prefixes);
    hd_vec_release(&d->next.prefixes);
    hd_cut_count_release(&d->total);
    free(d->key);
    free(d->node);
}

bool hd_cut_diagram_count(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                          const hd_cut_budget *budget, hd_cut_count *count,
                          hd_cut_diagram_size *size) {
    *size = (hd_cut_diagram_size){0};
    if (space->threads < 2) {
        hd_cut_count_add(count, space->threads ? (uint64_t)most[0] - least[0] + 1 : 1);
        return true;
    }
    struct diagram d = {.space = space, .budget = budget, .size = size};
    d.limbs = limbs_needed(space, least, most);
    start(&d, least, most);
    bool done = true;
    for (uint32_t thread = 0; done && thread + 1 < space->threads; thread++)
        done = run_level(&d, thread);
    if (done)
        hd_cut_count_add_product(count, d.total.limbs.data, d.total.limbs.length, 1);
    finish(&d);
    return done;
}
