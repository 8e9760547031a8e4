/*
 * A node is a key of two rows, the least counts of the threads that are left and
 * the greatest ones; after it, how many prefixes end in it.  In a row the last
 * thread comes first, so that the threads left are always its beginning, in as
 * few whole vectors as hold them, and zeros after them.  Counts have 16 bits where
 * no thread is longer, else 32: the same code twice (cut_diagram_level.h).
 */
#include "cut_diagram.h"

#include <math.h>

#include "cut_table.h"

enum {
    VECTOR_BYTES = 16,
    BATCH = 64 /* children whose places in memory are fetched together */
};

struct diagram {
    const hd_cut_space *space;
    const hd_cut_budget *budget;
    hd_cut_diagram_size *size;
    hd_cut_count total;
    size_t limbs;
    hd_cut_table now, next;
    void *lows, *highs; /* rows of the space, in the width of the keys */
    size_t stride;      /* of these, in counts */
    uint64_t *batch;    /* keys of children in the making */
    size_t made;        /* of these */
    struct child {
        uint64_t hash;
        uint32_t parent, stretch; /* its node, how many of its counts lead here */
    } children[BATCH];
    bool overflow;  /* one word was too little for the prefixes of a node */
    uint64_t *node; /* the one at hand */
    /* The last two threads, summed up without going through their counts. */
    uint64_t *low_sums, *high_sums;  /* [c]: of the rows before count c of the last but one */
    uint32_t *low_above, *high_from; /* [v]: first count whose low is above, high at least v */
};

/* Vectors of a row of so many counts, and words of a key of two such rows. */
static inline size_t row_vectors(uint32_t counts, size_t cell) {
    return (counts * cell + VECTOR_BYTES - 1) / VECTOR_BYTES;
}

static inline size_t key_words(uint32_t counts, size_t cell) {
    return 2 * row_vectors(counts, cell) * VECTOR_BYTES / sizeof(uint64_t);
}

/* The sum over the counts from..to of the last thread but one of how many counts
 * the last one has then, all in all from least..most.  The rows grow with the
 * count, so each bound takes over from the other once. */
static inline uint64_t pair_states(const struct diagram *d, uint32_t from, uint32_t to,
                                   uint32_t least, uint32_t most) {
    assert(from <= to && least <= most);
    uint32_t above = d->low_above[least], reached = d->high_from[most];
    above = above < from ? from : above > to ? to + 1 : above;
    reached = reached < from ? from : reached > to ? to + 1 : reached;
    uint64_t lows = (uint64_t)least * (above - from) + d->low_sums[to + 1] - d->low_sums[above];
    uint64_t highs =
        d->high_sums[reached] - d->high_sums[from] + (uint64_t)most * (to + 1 - reached);
    assert(lows <= highs + (to - from)); /* at least one state of all these counts */
    return highs - lows + (to - from + 1);
}

static bool within_budget(struct diagram *d) {
    size_t memory = hd_cut_table_bytes(&d->now) + hd_cut_table_bytes(&d->next);
    if (memory > d->size->memory)
        d->size->memory = memory;
    if ((d->budget->stop && *d->budget->stop) || hd_clock_over())
        return false;
    return !d->overflow && memory <= d->budget->memory && d->size->edges <= d->budget->edges;
}

/* A long trace whose threads never are far apart is taken in parts, by counts of
 * the first thread: few prefixes of different parts can be merged anyway, and the
 * tables stay small, in the cache.  How far apart is how much of the others' events
 * a count of the first thread leaves open, on average. */
static uint32_t part_length(const hd_cut_space *space, const uint32_t *least,
                            const uint32_t *most) {
    enum { SAMPLES = 32, SHORTEST = 64, WINDOWS = 8 };
    uint32_t range = most[0] - least[0] + 1;
    double open = 0, all = 0;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        uint32_t count = least[0] + (uint32_t)((uint64_t)range * i / SAMPLES);
        const uint32_t *low = hd_cut_low(space, 0, count), *high = hd_cut_high(space, 0, count);
        for (uint32_t p = 1; p < space->threads; p++) {
            uint32_t from = low[p] > least[p] ? low[p] : least[p];
            uint32_t to = high[p] < most[p] ? high[p] : most[p];
            assert(from <= to); /* every count of the first thread has a state */
            open += (double)(to - from);
            all += (double)(most[p] - least[p]);
        }
    }
    double length = all > 0 ? WINDOWS * (open / all) * range + SHORTEST : range;
    return 2 * length < (double)range ? (uint32_t)length : range;
}

#define CELL int16_t
#define MOST INT16_MAX
#define NAME(name) name##_16
#include "cut_diagram_level.h"
#undef CELL
#undef MOST
#undef NAME
#define CELL int32_t
#define MOST HD_CUT_MAX_COUNT
#define NAME(name) name##_32
#include "cut_diagram_level.h"
#undef CELL
#undef MOST
#undef NAME

static void sum_pairs(struct diagram *d) {
    const hd_cut_space *space = d->space;
    uint32_t last = space->threads - 1, counts = space->length[last - 1] + 1;
    uint32_t values = space->length[last] + 1;
    d->low_sums = HD_NEW_ARRAY(uint64_t, 2 * ((size_t)counts + 1));
    d->high_sums = d->low_sums + counts + 1;
    d->low_above = HD_NEW_ARRAY(uint32_t, 2 * ((size_t)values));
    d->high_from = d->low_above + values;
    uint32_t next_low = 0, next_high = 0;
    for (uint32_t c = 0; c < counts; c++) {
        uint32_t low = hd_cut_low(space, last - 1, c)[last];
        uint32_t high = hd_cut_high(space, last - 1, c)[last];
        assert(low <= high && high < values);
        d->low_sums[c + 1] = d->low_sums[c] + low;
        d->high_sums[c + 1] = d->high_sums[c] + high;
        for (; next_low < low; next_low++)
            d->low_above[next_low] = c;
        for (; next_high < values && next_high <= high; next_high++)
            d->high_from[next_high] = c;
    }
    for (; next_low < values; next_low++)
        d->low_above[next_low] = counts;
    for (; next_high < values; next_high++)
        d->high_from[next_high] = counts;
}

/* Words that the number of all vectors, and so of all states, fits in. */
static size_t limbs_needed(const hd_cut_space *space, const uint32_t *least, const uint32_t *most) {
    double bits = 1;
    for (uint32_t p = 0; p < space->threads; p++)
        bits += log2((double)(most[p] - least[p]) + 1);
    return (size_t)(bits / 64) + 1;
}

static bool is_short(const hd_cut_space *space) {
    for (uint32_t p = 0; p < space->threads; p++)
        if (space->length[p] > INT16_MAX)
            return false;
    return true;
}

static bool run_diagram(struct diagram *d, const uint32_t *least, const uint32_t *most) {
    bool narrow = is_short(d->space);
    if (hd_clock_over())
        return false;
    d->made = 0;
    size_t cell = narrow ? sizeof(int16_t) : sizeof(int32_t);
    size_t words = key_words(d->space->threads, cell);
    d->stride = row_vectors(d->space->threads, cell) * VECTOR_BYTES / cell;
    d->batch = HD_NEW_ARRAY(uint64_t, (BATCH + 1) * words);
    d->node = HD_NEW_ARRAY(uint64_t, words);
    sum_pairs(d);
    bool done = !hd_clock_over() && (narrow ? run_16(d, least, most) : run_32(d, least, most));
    hd_cut_table_release(&d->now);
    hd_cut_table_release(&d->next);
    free(d->batch);
    free(d->node);
    free(d->lows);
    free(d->highs);
    free(d->low_sums);
    free(d->low_above);
    return done;
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
    d.limbs = 1; /* mostly enough, and half the size */
    bool done = run_diagram(&d, least, most);
    if (d.overflow) {
        hd_cut_count_clear(&d.total);
        *size = (hd_cut_diagram_size){0};
        d.limbs = limbs_needed(space, least, most);
        d.overflow = false;
        done = run_diagram(&d, least, most);
        assert(!d.overflow); /* as many words as the number of all vectors takes */
    }
    if (done)
        hd_cut_count_add_product(count, d.total.limbs.data, d.total.limbs.length, 1);
    hd_cut_count_release(&d.total);
    return done;
}
