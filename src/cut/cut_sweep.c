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
 * carries through each such run (the trick of bitboards).  So a word costs a load
 * for each thread and a few instructions.  Prefixes that are not feasible are
 * never met.
 *
 * Strongly feasible states are as easy: G is one if it is feasible and some state
 * without one last event is one; only where none is, G has to be looked into.
 *
 * Time: feasible prefixes times threads, and the slabs have to be cleared.
 * Memory: two slabs.
 */
#include <string.h>

#include "cut_reach.h"

enum { WORD = 64 };

struct sweep {
    const hd_cut_pairs *pairs;
    enum hd_cut_class class;
    hd_cut_visitor *visitor;
    hd_cut_normal *normal; /* strongly feasible */
    uint32_t last;         /* the last place */
    size_t words;          /* of the last thread */
    size_t *step;          /* [place]: words between neighbouring counts */
    size_t slab;           /* words */
    uint64_t *before, *now;
    uint64_t *left;          /* [place * row]: what the threads before it leave */
    uint64_t *entry, *found; /* of one word's row */
    uint32_t *state;
};

double hd_cut_sweep_bytes(const hd_cut_space *space) {
    if (space->threads < 2)
        return 0;
    double bytes = 2 * sizeof(uint64_t) * (double)(space->length[space->threads - 1] / WORD + 1);
    for (uint32_t p = 1; p + 1 < space->threads; p++)
        bytes *= (double)space->length[p] + 1;
    return bytes;
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
    for (uint32_t c = 0; c <= s->pairs->loset->space->length[s->last]; c++) {
        uint64_t bit = UINT64_C(1) << c % WORD;
        if (!(feasible[c / WORD] & ~found[c / WORD] & bit))
            continue;
        s->state[s->last] = c;
        if (hd_cut_strongly_feasible(s->normal, s->state)) {
            s->entry[c / WORD] |= bit;
            flood(feasible, s->entry, found, s->words);
        }
    }
}

/* One word's row: all counts of the last thread with the others fixed. */
static int visit(struct sweep *s, const uint64_t *feasible, size_t at) {
    uint64_t any = 0;
    for (size_t i = 0; i < s->words; i++) {
        uint64_t entry = s->before[at + i];
        for (uint32_t p = 1; p < s->last; p++)
            if (s->state[p])
                entry |= s->now[at + i - s->step[p]];
        s->entry[i] = entry;
    }
    if (at == 0 && s->state[0] == 0)
        s->entry[0] |= 1; /* the empty state; its word is the first of the first slab */
    flood(feasible, s->entry, s->found, s->words);
    if (s->class == HD_CUT_STRONGLY_FEASIBLE)
        look_into(s, feasible, s->found);
    for (size_t i = 0; i < s->words; i++) {
        s->now[at + i] = s->found[i];
        any |= s->found[i];
        s->visitor->states += (uint64_t)__builtin_popcountll(s->found[i]);
    }
    return any && s->visitor->run ? emit_runs(s, s->found) : 0;
}

static int descend(struct sweep *s, uint32_t place, size_t at) {
    const hd_cut_pairs *pairs = s->pairs;
    const hd_cut_space *space = pairs->loset->space;
    size_t row_words = pairs->word[space->threads];
    const uint64_t *left = s->left + place * row_words;
    if (place == s->last)
        return visit(s, left + pairs->word[place], at);
    uint64_t *next = s->left + (place + 1) * row_words;
    const uint64_t *own = left + pairs->word[place];
    for (uint32_t c = 0; c <= space->length[place]; c++) {
        if (!(own[c / WORD] >> c % WORD & 1))
            continue;
        const uint64_t *row = hd_cut_pairs_row(pairs, place, c);
        for (size_t i = pairs->word[place + 1]; i < row_words; i++)
            next[i] = left[i] & row[i];
        s->state[place] = c;
        int why = descend(s, place + 1, at + c * s->step[place]);
        if (why)
            return why;
    }
    return 0;
}

/* Slab by slab.  A count of the first thread that is not allowed at all leaves an
 * empty slab, through which nothing comes. */
static int sweep_slabs(struct sweep *s) {
    const hd_cut_pairs *pairs = s->pairs;
    const hd_cut_space *space = pairs->loset->space;
    size_t row_words = pairs->word[space->threads];
    for (uint32_t c = 0; c <= space->length[0]; c++) {
        memset(s->now, 0, s->slab * sizeof *s->now);
        if (pairs->all[c / WORD] >> c % WORD & 1) {
            const uint64_t *row = hd_cut_pairs_row(pairs, 0, c);
            for (size_t i = pairs->word[1]; i < row_words; i++)
                s->left[row_words + i] = pairs->all[i] & row[i];
            s->state[0] = c;
            int why = descend(s, 1, 0);
            if (why)
                return why;
        }
        uint64_t *done = s->before;
        s->before = s->now;
        s->now = done;
    }
    return 0;
}

int hd_cut_sweep(const hd_cut_pairs *pairs, enum hd_cut_class class, hd_cut_visitor *visitor) {
    const hd_cut_space *space = pairs->loset->space;
    if (space->threads < 2) /* nobody to conflict with */
        return hd_cut_pairs_walk(pairs, visitor);
    struct sweep s = {.pairs = pairs, .class = class, .visitor = visitor};
    s.last = space->threads - 1;
    s.words = space->length[s.last] / WORD + 1;
    s.step = HD_NEW_ARRAY(size_t, space->threads);
    s.slab = s.words;
    for (uint32_t p = s.last; p-- > 1;) {
        s.step[p] = s.slab;
        s.slab *= space->length[p] + 1;
    }
    s.before = HD_NEW_ARRAY(uint64_t, s.slab);
    s.now = HD_NEW_ARRAY(uint64_t, s.slab);
    s.left = HD_NEW_ARRAY(uint64_t, pairs->word[space->threads] * space->threads);
    s.entry = HD_NEW_ARRAY(uint64_t, s.words);
    s.found = HD_NEW_ARRAY(uint64_t, s.words);
    s.state = HD_NEW_ARRAY(uint32_t, space->stride);
    if (class == HD_CUT_STRONGLY_FEASIBLE)
        s.normal = hd_cut_normal_create(pairs->loset);
    int why = sweep_slabs(&s);
    hd_cut_normal_free(s.normal);
    free(s.step);
    free(s.before);
    free(s.now);
    free(s.left);
    free(s.entry);
    free(s.found);
    free(s.state);
    return why;
}
