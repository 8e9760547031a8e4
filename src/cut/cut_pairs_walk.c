/*
 * Uses of the rows of bits: the diagram that counts, and the walk.
 */
#include <math.h>
#include <string.h>

#include "cut_pairs.h"
#include "cut_table.h"

enum { WORD = 64 };

/* Bits of a run from `from` on, and where it ends. */
static uint32_t next_bit(const uint64_t *words, uint32_t from, uint32_t end) {
    while (from < end) {
        uint64_t rest = words[from / WORD] >> from % WORD;
        if (rest) {
            from += (uint32_t)__builtin_ctzll(rest);
            assert(words[from / WORD] >> from % WORD & 1);
            return from < end ? from : end;
        }
        from = (from / WORD + 1) * WORD;
    }
    return end;
}

static uint32_t run_end(const uint64_t *words, uint32_t from, uint32_t end) {
    while (from < end) {
        uint64_t rest = ~words[from / WORD] >> from % WORD;
        if (rest) {
            from += (uint32_t)__builtin_ctzll(rest);
            assert(!(words[from / WORD] >> from % WORD & 1));
            return from < end ? from : end;
        }
        from = (from / WORD + 1) * WORD;
    }
    return end;
}

/* What the first thread may have, between two counts. */
static void copy_part(const hd_cut_pairs *pairs, uint32_t from, uint32_t to, uint64_t *all) {
    memcpy(all, pairs->all, pairs->word[pairs->loset->space->threads] * sizeof *all);
    for (uint32_t c = 0; pairs->loset->space->threads && c <= pairs->loset->space->length[0]; c++)
        if (c < from || c > to)
            all[c / WORD] &= ~(UINT64_C(1) << c % WORD);
}

/* ---- The diagram ---- */

struct diagram {
    const hd_cut_pairs *pairs;
    const hd_cut_budget *budget;
    hd_cut_diagram_size *size;
    hd_cut_count total;
    size_t limbs;
    hd_cut_table now, next;
    uint64_t *key, *node;
};

/* The words of the threads after this one that its row leaves; false if one of
 * them has no count left. */
static bool make_child(const struct diagram *d, uint32_t place, uint32_t count) {
    const hd_cut_pairs *pairs = d->pairs;
    uint32_t threads = pairs->loset->space->threads;
    const uint64_t *row = hd_cut_pairs_row(pairs, place, count) + pairs->word[place + 1];
    const uint64_t *node = d->node + (pairs->word[place + 1] - pairs->word[place]);
    const size_t *word = pairs->word + place + 1, first = word[0];
    for (uint32_t q = 0; q + place + 1 < threads; q++) {
        uint64_t any = 0;
        for (size_t i = word[q] - first; i < word[q + 1] - first; i++)
            any |= d->key[i] = node[i] & row[i];
        if (!any)
            return false;
    }
    return true;
}

static uint64_t count_bits(const uint64_t *words, size_t count) {
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++)
        bits += (uint64_t)__builtin_popcountll(words[i]);
    return bits;
}

/* How many counts of a stretch are in the node. */
static uint64_t count_stretch(const uint64_t *words, uint32_t from, uint32_t to) {
    uint64_t bits = 0;
    for (uint32_t c = next_bit(words, from, to); c < to; c = next_bit(words, c, to)) {
        uint32_t end = run_end(words, c, to);
        bits += end - c;
        c = end;
    }
    return bits;
}

static void expand_node(struct diagram *d, uint32_t place, const uint64_t *prefixes) {
    const hd_cut_space *space = d->pairs->loset->space;
    uint32_t length = space->length[place];
    const size_t *word = d->pairs->word;
    bool last = place + 2 == space->threads;
    for (uint32_t c = next_bit(d->node, 0, length + 1); c <= length;) {
        uint32_t end = d->pairs->stretch[space->start[place] + c] + 1;
        uint64_t counts = count_stretch(d->node, c, end);
        assert(end > c && counts); /* c is one of them */
        d->size->edges++;
        if (make_child(d, place, c)) {
            if (last) {
                counts *= count_bits(d->key, word[place + 2] - word[place + 1]);
                hd_cut_count_add_product(&d->total, prefixes, d->limbs, counts);
            } else {
                bool added;
                size_t node = hd_cut_table_add(&d->next, d->key, &added);
                hd_cut_limbs_add_product(hd_cut_table_record(&d->next, node) + d->next.width,
                                         prefixes, d->limbs, counts);
            }
        }
        c = next_bit(d->node, end, length + 1);
    }
}

static bool run_level(struct diagram *d, uint32_t place) {
    const size_t *word = d->pairs->word;
    uint32_t threads = d->pairs->loset->space->threads;
    d->size->nodes += d->now.count;
    assert(d->now.width == word[threads] - word[place]); /* a node is the words of those left */
    hd_cut_table_clear(&d->next, word[threads] - word[place + 1], d->limbs);
    for (size_t i = 0; i < d->now.count; i++) {
        const uint64_t *record = hd_cut_table_record(&d->now, i);
        memcpy(d->node, record, d->now.width * sizeof *record);
        expand_node(d, place, record + d->now.width);
        size_t memory = hd_cut_table_bytes(&d->now) + hd_cut_table_bytes(&d->next);
        if (memory > d->size->memory)
            d->size->memory = memory;
        bool stopped = (d->budget->stop && *d->budget->stop) || hd_clock_over();
        if (stopped || memory > d->budget->memory || d->size->edges > d->budget->edges)
            return false;
    }
    hd_cut_table done = d->now;
    d->now = d->next;
    d->next = done;
    return true;
}

static void start_diagram(struct diagram *d, uint32_t from, uint32_t to) {
    const hd_cut_space *space = d->pairs->loset->space;
    size_t words = d->pairs->word[space->threads];
    double bits = 1;
    for (uint32_t p = 0; p < space->threads; p++)
        bits += log2((double)space->length[p] + 1);
    d->limbs = (size_t)(bits / WORD) + 1;
    d->key = HD_NEW_ARRAY(uint64_t, words + 1);
    d->node = HD_NEW_ARRAY(uint64_t, words + 1);
    hd_cut_table_init(&d->now, words, d->limbs);
    hd_cut_table_init(&d->next, words, d->limbs);
    bool added;
    copy_part(d->pairs, from, to, d->key);
    size_t root = hd_cut_table_add(&d->now, d->key, &added);
    hd_cut_table_record(&d->now, root)[words] = 1;
}

bool hd_cut_pairs_count(const hd_cut_pairs *pairs, uint32_t from, uint32_t to,
                        const hd_cut_budget *budget, hd_cut_count *count,
                        hd_cut_diagram_size *size) {
    uint32_t threads = pairs->loset->space->threads;
    *size = (hd_cut_diagram_size){0};
    if (threads < 2) {
        hd_cut_count_add(count, threads ? count_stretch(pairs->all, from, to + 1) : 1);
        return true;
    }
    struct diagram d = {.pairs = pairs, .budget = budget, .size = size};
    start_diagram(&d, from, to);
    bool done = true;
    for (uint32_t place = 0; done && place + 1 < threads; place++)
        done = run_level(&d, place);
    if (done)
        hd_cut_count_add_product(count, d.total.limbs.data, d.total.limbs.length, 1);
    hd_cut_count_release(&d.total);
    hd_cut_table_release(&d.now);
    hd_cut_table_release(&d.next);
    free(d.key);
    free(d.node);
    return done;
}

/* ---- The walk ---- */

struct walk {
    const hd_cut_pairs *pairs;
    hd_cut_visitor *visitor;
    uint32_t *state;
    uint64_t *left; /* [place * words]: what the threads before it leave */
};

static int walk_descend(struct walk *w, uint32_t place) {
    const hd_cut_pairs *pairs = w->pairs;
    const hd_cut_space *space = pairs->loset->space;
    size_t words = pairs->word[space->threads];
    const uint64_t *left = w->left + place * words, *own = left + pairs->word[place];
    uint32_t end = space->length[place] + 1;
    for (uint32_t c = next_bit(own, 0, end); c < end; c = next_bit(own, c, end)) {
        w->state[place] = c;
        int why;
        if (place + 1 == space->threads) {
            uint32_t after = run_end(own, c, end);
            assert(after > c);
            HD_COSTLY_ASSERT(hd_cut_seems_consistent(space, w->state));
            why = hd_cut_emit(w->visitor, w->state, after - c);
            c = after;
        } else {
            const uint64_t *row = hd_cut_pairs_row(pairs, place, c);
            uint64_t *next = w->left + (place + 1) * words;
            for (size_t i = pairs->word[place + 1]; i < words; i++)
                next[i] = left[i] & row[i];
            why = walk_descend(w, place + 1);
            c++;
        }
        if (why)
            return why;
    }
    return 0;
}

int hd_cut_pairs_walk(const hd_cut_pairs *pairs, uint32_t from, uint32_t to,
                      hd_cut_visitor *visitor) {
    const hd_cut_space *space = pairs->loset->space;
    size_t words = pairs->word[space->threads];
    struct walk w = {.pairs = pairs, .visitor = visitor};
    w.state = HD_NEW_ARRAY(uint32_t, space->stride + 1);
    w.left = HD_NEW_ARRAY(uint64_t, words * (space->threads + 1) + 1);
    copy_part(pairs, from, to, w.left);
    int why = space->threads ? walk_descend(&w, 0) : hd_cut_emit(visitor, w.state, 1);
    free(w.state);
    free(w.left);
    return why;
}
