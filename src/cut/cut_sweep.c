/*
 * Sweep: reachable states, exactly, with one bit for each vector of counts.
 *
 * A state is reachable iff it is feasible and some state without one last event
 * is.  Those come before it: in the same word of bits, which has the counts of the
 * last thread; in a word before it, for the threads between; or in the slab of the
 * level before, for the first threads, so that two slabs are enough (cut_sweep.h).
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
 * Time: feasible prefixes times threads.  Who does it: cut_sweep_run.c counts,
 * cut_sweep_list.c keeps the lexical order.
 */
#include "cut_sweep.h"

#include <string.h>

double hd_cut_sweep_table(const hd_cut_space *space) {
    double blocks = 1;
    for (uint32_t p = 1; p + 2 < space->threads; p++)
        blocks *= (double)space->length[p] + 1;
    return blocks;
}

double hd_cut_sweep_words(const hd_cut_space *space) {
    size_t words = space->length[space->threads - 1] / HD_CUT_WORD + 1;
    double rows = space->threads > 2 ? (double)space->length[space->threads - 2] + 1 : 1;
    return (double)words * rows;
}

double hd_cut_sweep_bytes(const hd_cut_space *space, unsigned workers) {
    if (space->threads < 2)
        return 0;
    return hd_cut_slabs_bytes(workers + 1, hd_cut_sweep_table(space), hd_cut_sweep_words(space),
                              workers, true);
}

/* A count is found if it is feasible and is an entry or the next after one that was found. */
HD_ASSERT_ONLY static bool is_flooded(const uint64_t *feasible, const uint64_t *entry,
                                      const uint64_t *found, size_t words) {
    bool last = false;
    for (size_t c = 0; c < words * HD_CUT_WORD; c++) {
        uint64_t bit = UINT64_C(1) << c % HD_CUT_WORD;
        last = feasible[c / HD_CUT_WORD] & bit && (last || entry[c / HD_CUT_WORD] & bit);
        if (last != ((found[c / HD_CUT_WORD] & bit) != 0))
            return false;
    }
    return true;
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
    HD_COSTLY_ASSERT(is_flooded(feasible, entry, found, words));
}

static int emit_runs(hd_cut_sweeper *w, const uint64_t *found) {
    const hd_cut_sweeping *s = w->sweep;
    uint32_t end = s->pairs->loset->space->length[s->last] + 1;
    for (uint32_t c = 0; c < end;) {
        uint64_t rest = found[c / HD_CUT_WORD] >> c % HD_CUT_WORD;
        if (!rest) {
            c = (c / HD_CUT_WORD + 1) * HD_CUT_WORD;
            continue;
        }
        c += (uint32_t)__builtin_ctzll(rest);
        uint64_t after = ~(found[c / HD_CUT_WORD] >> c % HD_CUT_WORD);
        uint32_t count = after ? (uint32_t)__builtin_ctzll(after) : HD_CUT_WORD;
        if (count > HD_CUT_WORD - c % HD_CUT_WORD)
            count = HD_CUT_WORD - c % HD_CUT_WORD;
        assert(count && c + count <= end);
        w->state[s->last] = c;
        HD_COSTLY_ASSERT(hd_cut_seems_consistent(s->pairs->loset->space, w->state) &&
                         hd_cut_compatible(s->pairs->loset, w->state));
        int why = w->visitor->run(w->visitor->context, w->state, count);
        if (why)
            return why;
        c += count;
    }
    return 0;
}

/* Feasible counts that no step comes to may be strongly feasible all the same;
 * each that is, is an entry for those after it. */
static void look_into(hd_cut_sweeper *w, const uint64_t *feasible, uint64_t *found) {
    const hd_cut_sweeping *s = w->sweep;
    for (size_t i = 0; i < s->words; i++)
        for (uint64_t tried = 0, open; (open = feasible[i] & ~found[i] & ~tried);) {
            uint64_t bit = open & -open;
            tried |= bit;
            w->state[s->last] = (uint32_t)(i * HD_CUT_WORD) + (uint32_t)__builtin_ctzll(open);
            if (hd_cut_strongly_feasible(w->normal, w->state)) {
                w->entry[i] |= bit;
                flood(feasible, w->entry, found, s->words);
            }
        }
}

/* One row of words: all counts of the last thread with the others fixed; `at`
 * is where it is in its block.  True if there is any. */
static bool fill_row(hd_cut_sweeper *w, const uint64_t *feasible, size_t at) {
    const hd_cut_sweeping *s = w->sweep;
    uint64_t *found = w->found + at, any = 0;
    const uint64_t *before = at ? found - s->words : NULL;
    for (size_t i = 0; i < s->words; i++) {
        uint64_t entry = before ? before[i] : 0;
        for (uint32_t n = 0; n < w->neighbour_count; n++)
            entry |= w->neighbours[n][at + i];
        w->entry[i] = entry;
    }
    if (w->first && at == 0)
        w->entry[0] |= 1; /* the empty state */
    flood(feasible, w->entry, found, s->words);
    if (s->class == HD_CUT_STRONGLY_FEASIBLE)
        look_into(w, feasible, found);
    for (size_t i = 0; i < s->words; i++) {
        any |= found[i];
        w->states += (uint64_t)__builtin_popcountll(found[i]);
    }
    return any;
}

static void add_neighbour(hd_cut_sweeper *w, const hd_cut_slab *slab, size_t block) {
    const uint64_t *words = hd_cut_slab_words(&w->sweep->slabs, slab, block);
    if (words)
        w->neighbours[w->neighbour_count++] = words;
}

static void find_neighbours(hd_cut_sweeper *w, size_t block) {
    const hd_cut_sweeping *s = w->sweep;
    w->neighbour_count = 0;
    for (uint32_t p = 0; p < s->cell_places; p++)
        if (w->near[p] != SIZE_MAX)
            add_neighbour(w, w->before, w->near[p] + block);
    for (uint32_t p = s->cell_places; p < s->row; p++)
        if (w->state[p]) {
            assert(block >= s->step[p]);
            add_neighbour(w, w->now, w->at + block - s->step[p]);
        }
    assert(w->neighbour_count <= s->row + 1);
}

static int keep_block(hd_cut_sweeper *w, size_t block) {
    w->any = true;
    bool kept =
        hd_cut_slab_keep(&w->shared->slabs, w->now, w->rooms, w->level, w->at + block, w->found);
    return kept ? 0 : HD_CUT_LIMITED;
}

/* Where in its cell is the block of the counts at hand? */
HD_ASSERT_ONLY static size_t block_at_hand(const hd_cut_sweeper *w) {
    size_t block = 0;
    for (uint32_t p = w->sweep->cell_places; p < w->sweep->row; p++)
        block += w->state[p] * w->sweep->step[p];
    return block;
}

static int sweep_row(hd_cut_sweeper *w) {
    const uint64_t *left = w->left + w->sweep->pairs->word[2];
    memset(w->found, 0, w->sweep->slabs.block * sizeof *w->found);
    if (!fill_row(w, left + w->sweep->pairs->word[1], 0))
        return 0;
    int why = w->visitor->run ? emit_runs(w, w->found) : 0;
    return why ? why : keep_block(w, 0);
}

int hd_cut_sweep_block(hd_cut_sweeper *w, size_t block) {
    const hd_cut_sweeping *s = w->sweep;
    const hd_cut_pairs *pairs = s->pairs;
    const hd_cut_space *space = pairs->loset->space;
    const uint64_t *left = w->left + s->row * pairs->word[space->threads];
    const uint64_t *own = left + pairs->word[s->row], *after = left + pairs->word[s->last];
    assert(block == block_at_hand(w));
    find_neighbours(w, block);
    w->first = w->level == 0 && block == 0; /* with the block of the empty state */
    if (hd_cut_stopped(w->visitor))
        return HD_CUT_STOPPED;
    if (!w->neighbour_count && !w->first && s->class == HD_CUT_REACHABLE)
        return 0;
    if (s->last == 1)
        return sweep_row(w);
    memset(w->found, 0, s->slabs.block * sizeof *w->found);
    bool any = false;
    for (uint32_t c = 0; c <= space->length[s->row]; c++) {
        if (!(own[c / HD_CUT_WORD] >> c % HD_CUT_WORD & 1))
            continue;
        const uint64_t *row = hd_cut_pairs_row(pairs, s->row, c) + pairs->word[s->last];
        for (size_t i = 0; i < s->words; i++)
            w->feasible[i] = after[i] & row[i];
        w->state[s->row] = c;
        if (!fill_row(w, w->feasible, c * s->words))
            continue;
        any = true;
        int why = w->visitor->run ? emit_runs(w, w->found + c * s->words) : 0;
        if (why)
            return why;
    }
    return any ? keep_block(w, block) : 0;
}
