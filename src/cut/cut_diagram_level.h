/*
 * The levels of a diagram, for one width of counts: CELL is their type, MOST the
 * largest, NAME makes a name of this width.  Included by cut_diagram.c only.
 */
typedef CELL NAME(lanes) __attribute__((vector_size(16), aligned(8), may_alias));
typedef CELL NAME(value) __attribute__((vector_size(16))); /* see cut_simd.h */

enum { NAME(STEP) = VECTOR_BYTES / sizeof(CELL) };

static inline NAME(value) NAME(max)(NAME(value) a, NAME(value) b) {
    NAME(value) greater = a > b;
    return (a & greater) | (b & ~greater);
}

static inline NAME(value) NAME(min)(NAME(value) a, NAME(value) b) {
    NAME(value) greater = a > b;
    return (b & greater) | (a & ~greater);
}

/* The child's key: the other threads' ranges, narrowed by this thread's rows.
 * The mask takes out this thread, which is the last in the row; it may have been
 * alone in the last vector of the parent. */
static inline void NAME(make_child)(const NAME(lanes) * low, const NAME(lanes) * high,
                                    const CELL *low_row, const CELL *high_row, NAME(value) mask,
                                    size_t vectors, uint64_t *key) {
    const NAME(value) none = {0}, all = ~none;
    NAME(lanes) *to = (NAME(lanes) *)key;
    const NAME(lanes) * rows[2] = {(const NAME(lanes) *)low_row, (const NAME(lanes) *)high_row};
    for (size_t i = 0; i < vectors; i++) {
        NAME(value) keep = i + 1 < vectors ? all : mask;
        to[i] = NAME(max)(low[i], rows[0][i]) & keep;
        to[vectors + i] = NAME(min)(high[i], rows[1][i]) & keep;
    }
}

static inline const CELL *NAME(row)(const struct diagram *d, const void *rows, const uint32_t *of,
                                    size_t position) {
    return (const CELL *)rows + (size_t)of[position] * d->stride;
}

/* Keys that were made go into the level.  What they will touch is fetched for all
 * of them before it is needed for the first. */
static inline __attribute__((always_inline)) void NAME(add_batch)(struct diagram *d, size_t words) {
    for (size_t i = 0; i < d->made; i++)
        hd_cut_table_fetch_record(&d->next, d->children[i].hash);
    for (size_t i = 0; i < d->made; i++) {
        const struct child *child = &d->children[i];
        bool added;
        size_t node = hd_cut_table_put(&d->next, d->batch + i * words, words, child->hash, &added);
        uint64_t *to = hd_cut_table_record(&d->next, node) + words;
        const uint64_t *prefixes = hd_cut_table_record(&d->now, child->parent) + d->now.width;
        if (d->limbs == 1) {
            uint64_t product;
            d->overflow |= __builtin_mul_overflow(prefixes[0], child->stretch, &product) ||
                           __builtin_add_overflow(to[0], product, &to[0]);
        } else {
            hd_cut_limbs_add_product(to, prefixes, d->limbs, child->stretch);
        }
    }
    d->size->edges += d->made;
    d->made = 0;
}

/* All children of a node of a thread with at least three after it. */
static inline __attribute__((always_inline)) void NAME(expand)(struct diagram *d, uint32_t thread,
                                                               NAME(value) mask, uint32_t parent,
                                                               size_t vectors) {
    const hd_cut_space *space = d->space;
    uint32_t left = space->threads - thread - 1;
    size_t words = 2 * vectors * VECTOR_BYTES / sizeof(uint64_t);
    const NAME(lanes) *low = (const NAME(lanes) *)d->node;
    const NAME(lanes) *high = low + row_vectors(left + 1, sizeof(CELL));
    uint32_t count = (uint32_t)((const CELL *)low)[left];
    const uint32_t most = (uint32_t)((const CELL *)high)[left];
    const size_t at = space->start[thread];
    bool first = true;
    while (count <= most) {
        uint32_t end = space->stretch[at + count];
        end = end < most ? end : most;
        uint64_t *key = d->batch + d->made * words;
        NAME(make_child)
        (low, high, NAME(row)(d, d->lows, space->low_of, at + count),
         NAME(row)(d, d->highs, space->high_of, at + count), mask, vectors, key);
        if (!first && hd_cut_table_same(key, key - words, words)) {
            d->children[d->made - 1].stretch += end - count + 1;
        } else {
            if (d->made == BATCH) { /* there is room for one key more */
                NAME(add_batch)(d, words);
                memcpy(d->batch, key, words * sizeof *key);
                key = d->batch;
            }
            uint64_t hash = hd_cut_table_hash(key, words);
            hd_cut_table_fetch(&d->next, hash);
            d->children[d->made++] = (struct child){hash, parent, end - count + 1};
        }
        first = false;
        count = end + 1;
    }
}

/* The states of a node of a thread with two after it. */
static void NAME(sum_up)(struct diagram *d, uint32_t thread, const uint64_t *prefixes) {
    const hd_cut_space *space = d->space;
    const CELL *low = (const CELL *)d->node;
    const CELL *high = low + row_vectors(3, sizeof(CELL)) * NAME(STEP);
    const size_t at = space->start[thread];
    uint64_t states = 0;
    for (uint32_t count = (uint32_t)low[2], most = (uint32_t)high[2]; count <= most;) {
        uint32_t end = space->stretch[at + count], bounds[4];
        end = end < most ? end : most;
        const CELL *low_row = NAME(row)(d, d->lows, space->low_of, at + count);
        const CELL *high_row = NAME(row)(d, d->highs, space->high_of, at + count);
        for (int i = 0; i < 2; i++) {
            bounds[i] = (uint32_t)(low_row[i] > low[i] ? low_row[i] : low[i]);
            bounds[i + 2] = (uint32_t)(high_row[i] < high[i] ? high_row[i] : high[i]);
        }
        states += (end - count + 1) * pair_states(d, bounds[1], bounds[3], bounds[0], bounds[2]);
        d->size->edges++;
        count = end + 1;
    }
    hd_cut_count_add_product(&d->total, prefixes, d->limbs, states);
}

/* With the number of vectors known to the compiler where it is small. */
static void NAME(run_node)(struct diagram *d, uint32_t thread, NAME(value) mask, uint32_t node) {
    uint32_t left = d->space->threads - thread - 1;
    size_t vectors = row_vectors(left, sizeof(CELL));
    if (left == 2)
        NAME(sum_up)(d, thread, hd_cut_table_record(&d->now, node) + d->now.width);
    else if (vectors == 1)
        NAME(expand)(d, thread, mask, node, 1);
    else if (vectors == 2)
        NAME(expand)(d, thread, mask, node, 2);
    else
        NAME(expand)(d, thread, mask, node, vectors);
}

static bool NAME(run_level)(struct diagram *d, uint32_t thread) {
    uint32_t left = d->space->threads - thread - 1;
    NAME(value) mask = {0};
    for (uint32_t i = 0; i < NAME(STEP); i++)
        mask[i] = (CELL) - (i <= (left - 1) % NAME(STEP));
    d->size->nodes += d->now.count;
    hd_cut_table_clear(&d->next, key_words(left, sizeof(CELL)), d->limbs);
    for (size_t i = 0; i < d->now.count; i++) {
        const uint64_t *record = hd_cut_table_record(&d->now, i);
        memcpy(d->node, record, d->now.width * sizeof *record);
        NAME(run_node)(d, thread, mask, (uint32_t)i);
        if (!within_budget(d))
            return false;
    }
    NAME(add_batch)(d, d->next.width);
    assert(!d->made);
    if (!within_budget(d))
        return false;
    hd_cut_table done = d->now;
    d->now = d->next;
    d->next = done;
    return true;
}

/* The last thread first; what bounds nothing stays within the type.  Cut short if the clock is
 * over. */
static void *NAME(copy_rows)(const struct diagram *d, const uint32_t *rows, size_t count) {
    uint32_t threads = d->space->threads;
    CELL *copy = HD_NEW_ARRAY(CELL, count * d->stride);
    for (size_t r = 0; r < count && !hd_clock_over(); r++)
        for (uint32_t p = 0; p < threads; p++) {
            uint32_t value = rows[r * d->space->stride + p];
            copy[r * d->stride + threads - 1 - p] = (CELL)(value < MOST ? value : MOST);
        }
    return copy;
}

static void NAME(start)(struct diagram *d) {
    const hd_cut_space *space = d->space;
    size_t last = space->start[space->threads] - 1;
    d->lows = NAME(copy_rows)(d, space->lows, (size_t)space->low_of[last] + 1);
    d->highs = NAME(copy_rows)(d, space->highs, (size_t)space->high_of[last] + 1);
    hd_cut_table_init(&d->now, key_words(space->threads, sizeof(CELL)), d->limbs);
    hd_cut_table_init(&d->next, d->now.width, d->limbs);
}

/* The root, with the first thread's counts from..to. */
static void NAME(plant)(struct diagram *d, const uint32_t *least, const uint32_t *most,
                        uint32_t from, uint32_t to) {
    uint32_t threads = d->space->threads;
    assert(from <= to && to <= most[0]);
    memset(d->node, 0, key_words(threads, sizeof(CELL)) * sizeof *d->node);
    CELL *low = (CELL *)d->node, *high = low + d->stride;
    for (uint32_t p = 0; p < threads; p++) {
        low[threads - 1 - p] = (CELL)(p ? least[p] : from);
        high[threads - 1 - p] = (CELL)(p ? most[p] : to);
    }
    hd_cut_table_clear(&d->now, key_words(threads, sizeof(CELL)), d->limbs);
    bool added;
    size_t root = hd_cut_table_add(&d->now, d->node, &added);
    hd_cut_table_record(&d->now, root)[d->now.width] = 1;
}

static bool NAME(run)(struct diagram *d, const uint32_t *least, const uint32_t *most) {
    if (d->space->threads == 2) {
        hd_cut_count_add(&d->total, pair_states(d, least[0], most[0], least[1], most[1]));
        return true;
    }
    NAME(start)(d);
    if (!within_budget(d))
        return false;
    uint32_t length = part_length(d->space, least, most);
    for (uint32_t from = least[0]; from <= most[0]; from += length) {
        uint32_t to = most[0] - from < length ? most[0] : from + length - 1;
        NAME(plant)(d, least, most, from, to);
        for (uint32_t thread = 0; thread + 2 < d->space->threads; thread++)
            if (!NAME(run_level)(d, thread))
                return false;
    }
    return true;
}
