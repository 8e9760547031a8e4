/*
 * Sweep: reachable states, exactly, with one bit for each vector of counts.
 *
 * A state is reachable iff it is feasible and some state without one last event
 * is.  In lexical order those come before it: in the same word of bits, which
 * has the counts of the last thread; in a word before it, for the threads
 * between; or in the slab of the count before, for the first thread, so that two
 * slabs are enough.
 *
 * Within a word the reachable counts are the runs of feasible counts from where
 * another thread's step enters them on: adding the entries to the feasible bits
 * carries through each such run (the trick of bitboards).
 *
 * The words of all counts of the last thread but one are a block.  A slab has a
 * table of blocks, by the counts of the threads between, and only blocks that have
 * a reachable state; a block finds those of its neighbours once, so a word costs
 * a load for each thread and a few instructions.  Prefixes that are not feasible
 * are never met.
 *
 * Strongly feasible states are as easy: G is one if it is feasible and some state
 * without one last event is one; only where none is, G has to be looked into.
 *
 * Time: feasible prefixes times threads.  Memory: two slabs.
 */
#include <string.h>

#include "cut_reach.h"

enum { WORD = 64 };

struct slab {
    uint32_t *block_of; /* by counts of the threads between: block + 1, 0: none */
    hd_vec_u64 blocks;  /* each `block` words */
};

struct sweep {
    const hd_cut_pairs *pairs;
    enum hd_cut_class class;
    hd_cut_visitor *visitor;
    hd_cut_normal *normal; /* strongly feasible */
    size_t memory;
    uint32_t last, row; /* the last place; the one before it, or 0 if that is the first */
    size_t words;       /* of the last thread */
    size_t block;       /* words of a block */
    size_t *step;       /* [place]: blocks between neighbouring counts */
    size_t table;       /* blocks that a slab could have */
    struct slab before, now;
    bool first;                  /* at the block of the empty state */
    uint64_t *left;              /* [place * words of a row]: what the threads before it leave */
    uint64_t *entry, *feasible;  /* of one row of words */
    uint64_t *found;             /* of a block */
    const uint64_t **neighbours; /* blocks without one event of a thread before */
    uint32_t neighbour_count;
    uint32_t *state;
};

/* Blocks of the threads between, and words of one block. */
static double table_size(const hd_cut_space *space) {
    double blocks = 1;
    for (uint32_t p = 1; p + 2 < space->threads; p++)
        blocks *= (double)space->length[p] + 1;
    return blocks;
}

static double block_words(const hd_cut_space *space) {
    size_t words = space->length[space->threads - 1] / WORD + 1;
    double rows = space->threads > 2 ? (double)space->length[space->threads - 2] + 1 : 1;
    return (double)words * rows;
}

double hd_cut_sweep_bytes(const hd_cut_space *space, bool dense) {
    if (space->threads < 2)
        return 0;
    double bytes = sizeof(uint32_t) + (dense ? sizeof(uint64_t) * block_words(space) : 0);
    return 2 * table_size(space) * bytes;
}

/* The feasible counts that can be come to from the entries. */
static void flood(const uint64_t *feasible, const uint64_t *entry, uint64_t *found, size_t words) {
    uint64_t carry = 0;
    for (size_t i = 0; i < words; i++) {
        uint64_t enter = (entry[i] | carry) & feasible[i];
        uint64_t sum = feasible[i] + enter;
        carry = sum < feasible[i]; /* the run goes on in the next word */
        found[i] = (feasible[i] & ~sum) | enter;
    }
}

static int emit_runs(struct sweep *s, const uint64_t *found) {
    uint32_t end = s->pairs->loset->space->length[s->last] + 1;
    for (uint32_t c = 0; c < end;) {
        uint64_t rest = found[c / WORD] >> c % WORD;
        if (!rest) {
            c = (c / WORD + 1) * WORD;
            continue;
        }
        c += (uint32_t)__builtin_ctzll(rest);
        uint64_t after = ~(found[c / WORD] >> c % WORD);
        uint32_t count = after ? (uint32_t)__builtin_ctzll(after) : WORD;
        if (count > WORD - c % WORD)
            count = WORD - c % WORD;
        s->state[s->last] = c;
        int why = s->visitor->run(s->visitor->context, s->state, count);
        if (why)
            return why;
        c += count;
    }
    return 0;
}

/* Feasible counts that no step comes to may be strongly feasible all the same;
 * each that is, is an entry for those behind it. */
static void look_into(struct sweep *s, const uint64_t *feasible, uint64_t *found) {
    for (size_t i = 0; i < s->words; i++)
        for (uint64_t tried = 0, open; (open = feasible[i] & ~found[i] & ~tried);) {
            uint64_t bit = open & -open;
            tried |= bit;
            s->state[s->last] = (uint32_t)(i * WORD) + (uint32_t)__builtin_ctzll(open);
            if (hd_cut_strongly_feasible(s->normal, s->state)) {
                s->entry[i] |= bit;
                flood(feasible, s->entry, found, s->words);
            }
        }
}

/* One row of words: all counts of the last thread with the others fixed; `at`
 * is where it is in its block.  True if there is any. */
static bool fill(struct sweep *s, const uint64_t *feasible, size_t at) {
    uint64_t *found = s->found + at, any = 0;
    for (size_t i = 0; i < s->words; i++) {
        uint64_t entry = at ? found[i - s->words] : 0;
        for (uint32_t n = 0; n < s->neighbour_count; n++)
            entry |= s->neighbours[n][at + i];
        s->entry[i] = entry;
    }
    if (s->first && at == 0)
        s->entry[0] |= 1; /* the empty state */
    flood(feasible, s->entry, found, s->words);
    if (s->class == HD_CUT_STRONGLY_FEASIBLE)
        look_into(s, feasible, found);
    for (size_t i = 0; i < s->words; i++) {
        any |= found[i];
        s->visitor->states += (uint64_t)__builtin_popcountll(found[i]);
    }
    return any;
}

static void add_neighbour(struct sweep *s, const struct slab *slab, size_t block) {
    uint32_t number = slab->block_of[block];
    if (number)
        s->neighbours[s->neighbour_count++] = slab->blocks.data + (number - 1) * s->block;
}

static void find_neighbours(struct sweep *s, size_t block) {
    s->neighbour_count = 0;
    if (s->state[0])
        add_neighbour(s, &s->before, block);
    for (uint32_t p = 1; p < s->row; p++)
        if (s->state[p])
            add_neighbour(s, &s->now, block - s->step[p]);
}

static int keep_block(struct sweep *s, size_t block) {
    struct slab *now = &s->now;
    hd_vec_reserve(&now->blocks, now->blocks.length + s->block);
    memcpy(now->blocks.data + now->blocks.length, s->found, s->block * sizeof *s->found);
    now->blocks.length += s->block;
    now->block_of[block] = (uint32_t)(now->blocks.length / s->block);
    size_t words = now->blocks.length + s->before.blocks.length;
    return words * sizeof(uint64_t) > s->memory || now->blocks.length / s->block >= UINT32_MAX
               ? HD_CUT_LIMITED
               : 0;
}

/* Is this the block of the empty state? */
static bool is_first(const struct sweep *s, size_t block) {
    return block == 0 && s->state[0] == 0;
}

/* A block: all counts of the last two threads. */
static int visit_block(struct sweep *s, size_t block) {
    const hd_cut_pairs *pairs = s->pairs;
    const hd_cut_space *space = pairs->loset->space;
    const uint64_t *left = s->left + s->row * pairs->word[space->threads];
    const uint64_t *own = left + pairs->word[s->row], *behind = left + pairs->word[s->last];
    find_neighbours(s, block);
    s->first = is_first(s, block);
    if (hd_cut_stopped(s->visitor))
        return HD_CUT_STOPPED;
    if (!s->neighbour_count && !s->first && s->class == HD_CUT_REACHABLE)
        return 0;
    memset(s->found, 0, s->block * sizeof *s->found);
    bool any = false;
    for (uint32_t c = 0; c <= space->length[s->row]; c++) {
        if (!(own[c / WORD] >> c % WORD & 1))
            continue;
        const uint64_t *row = hd_cut_pairs_row(pairs, s->row, c) + pairs->word[s->last];
        for (size_t i = 0; i < s->words; i++)
            s->feasible[i] = behind[i] & row[i];
        s->state[s->row] = c;
        if (!fill(s, s->feasible, c * s->words))
            continue;
        any = true;
        int why = s->visitor->run ? emit_runs(s, s->found + c * s->words) : 0;
        if (why)
            return why;
    }
    return any ? keep_block(s, block) : 0;
}

/* With two threads there is no thread between, and a block is one row of words. */
static int visit_row(struct sweep *s) {
    find_neighbours(s, 0);
    s->first = is_first(s, 0);
    memset(s->found, 0, s->block * sizeof *s->found);
    const uint64_t *left = s->left + s->pairs->word[2];
    if (!fill(s, left + s->pairs->word[1], 0))
        return 0;
    int why = s->visitor->run ? emit_runs(s, s->found) : 0;
    return why ? why : keep_block(s, 0);
}

static int descend(struct sweep *s, uint32_t place, size_t block) {
    const hd_cut_pairs *pairs = s->pairs;
    const hd_cut_space *space = pairs->loset->space;
    size_t row_words = pairs->word[space->threads];
    if (place == s->row)
        return visit_block(s, block);
    const uint64_t *left = s->left + place * row_words, *own = left + pairs->word[place];
    uint64_t *next = s->left + (place + 1) * row_words;
    for (uint32_t c = 0; c <= space->length[place]; c++) {
        if (!(own[c / WORD] >> c % WORD & 1))
            continue;
        const uint64_t *row = hd_cut_pairs_row(pairs, place, c);
        for (size_t i = pairs->word[place + 1]; i < row_words; i++)
            next[i] = left[i] & row[i];
        s->state[place] = c;
        int why = descend(s, place + 1, block + c * s->step[place]);
        if (why)
            return why;
    }
    return 0;
}

/* A count of the first thread that is not allowed at all leaves an empty slab,
 * through which nothing comes. */
static int sweep_slabs(struct sweep *s) {
    const hd_cut_pairs *pairs = s->pairs;
    const hd_cut_space *space = pairs->loset->space;
    size_t row_words = pairs->word[space->threads];
    for (uint32_t c = 0; c <= space->length[0]; c++) {
        memset(s->now.block_of, 0, s->table * sizeof *s->now.block_of);
        hd_vec_clear(&s->now.blocks);
        if (pairs->all[c / WORD] >> c % WORD & 1) {
            const uint64_t *row = hd_cut_pairs_row(pairs, 0, c);
            for (size_t i = pairs->word[1]; i < row_words; i++)
                s->left[row_words + i] = pairs->all[i] & row[i];
            s->state[0] = c;
            int why = s->last == 1 ? visit_row(s) : descend(s, 1, 0);
            if (why)
                return why;
        }
        struct slab done = s->before;
        s->before = s->now;
        s->now = done;
    }
    return 0;
}

static void start_slab(const struct sweep *s, struct slab *slab) {
    slab->block_of = HD_NEW_ARRAY(uint32_t, s->table);
    slab->blocks = (hd_vec_u64){HD_NEW_ARRAY(uint64_t, s->block), 0, s->block};
}

static void start(struct sweep *s) {
    const hd_cut_space *space = s->pairs->loset->space;
    s->last = space->threads - 1;
    s->row = s->last - 1;
    s->words = space->length[s->last] / WORD + 1;
    s->block = (size_t)block_words(space);
    s->step = HD_NEW_ARRAY(size_t, space->threads);
    s->table = 1;
    for (uint32_t p = s->row; p-- > 1;) {
        s->step[p] = s->table;
        s->table *= space->length[p] + 1;
    }
    start_slab(s, &s->before);
    start_slab(s, &s->now);
    s->left = HD_NEW_ARRAY(uint64_t, s->pairs->word[space->threads] * space->threads);
    s->entry = HD_NEW_ARRAY(uint64_t, s->words);
    s->feasible = HD_NEW_ARRAY(uint64_t, s->words);
    s->found = HD_NEW_ARRAY(uint64_t, s->block);
    s->neighbours = HD_NEW_ARRAY(const uint64_t *, space->threads);
    s->state = HD_NEW_ARRAY(uint32_t, space->stride);
    if (s->class == HD_CUT_STRONGLY_FEASIBLE)
        s->normal = hd_cut_normal_create(s->pairs->loset);
}

static void finish(struct sweep *s) {
    hd_cut_normal_free(s->normal);
    hd_vec_release(&s->before.blocks);
    hd_vec_release(&s->now.blocks);
    free(s->before.block_of);
    free(s->now.block_of);
    free(s->step);
    free(s->left);
    free(s->entry);
    free(s->feasible);
    free(s->found);
    free(s->neighbours);
    free(s->state);
}

int hd_cut_sweep(const hd_cut_pairs *pairs, enum hd_cut_class class, size_t memory,
                 hd_cut_visitor *visitor) {
    if (pairs->loset->space->threads < 2) /* nobody to conflict with */
        return hd_cut_pairs_walk(pairs, visitor);
    struct sweep s = {.pairs = pairs, .class = class, .visitor = visitor, .memory = memory};
    start(&s);
    int why = sweep_slabs(&s);
    finish(&s);
    return why;
}
