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
 * Several workers take cells (cut_cells.h): the blocks with the same counts of the first few
 * threads.  If the states are to come in lexical order, they take a slab each.  A slab needs of the
 * one before it only what has no more events of the second thread than itself: so its worker stays
 * one count of the second thread after that of the slab before.  With three threads a slab is one
 * block, and nothing is shared.
 *
 * Time: feasible prefixes times threads.  Memory: two slabs, and one more for each further
 * worker; of many workers with small cells eight.
 */
#include <pthread.h>
#include <string.h>

#include "cut_cells.h"
#include "cut_reach.h"
#include "cut_share.h"
#include "cut_slabs.h"

enum { WORD = 64 };

/* How far a slab is. */
struct progress {
    uint32_t count; /* of the first thread */
    uint32_t done;  /* counts of the second thread that are done */
};

/* What all workers share. */
struct sweep {
    const hd_cut_pairs *pairs;
    enum hd_cut_class class;
    uint32_t last, row;   /* the last place; the one before it, or 0 if that is the first */
    size_t words;         /* of the last thread */
    size_t *step;         /* [place]: blocks between neighbouring counts */
    hd_cut_slabs slabs;   /* that of count c is c % slabs.count */
    uint32_t cell_places; /* threads whose counts make a cell; 0: workers take slabs */
    struct worker *workers;
    unsigned worker_count;
    pthread_mutex_t mutex;
    pthread_cond_t moved;
    struct progress *progress; /* [slab]; if workers take slabs; guarded by the mutex */
    int why;                   /* of the first to stop; guarded by the mutex */
};

struct worker {
    const struct sweep *sweep;
    struct sweep *shared; /* the same, to change it */
    hd_cut_visitor *visitor;
    hd_cut_normal *normal; /* strongly feasible */
    const hd_cut_slab *before;
    hd_cut_slab *now;
    bool first;                  /* at the block of the empty state */
    uint64_t *left;              /* [place * words of a row]: what the threads before it leave */
    uint64_t *entry, *feasible;  /* of one row of words */
    uint64_t *found;             /* of a block */
    const uint64_t **neighbours; /* blocks without one event of a thread before */
    uint32_t neighbour_count;
    uint32_t *state;
    hd_cut_room *rooms;
    uint64_t states; /* that the visitor has not been told of */
    char apart[HD_WORKER_APART];
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

double hd_cut_sweep_bytes(const hd_cut_space *space, unsigned workers, bool dense) {
    if (space->threads < 2)
        return 0;
    return hd_cut_slabs_bytes(workers + 1, table_size(space), block_words(space), workers, dense);
}

/* A count is found if it is feasible and is an entry or the next after one that was found. */
HD_ASSERT_ONLY static bool is_flooded(const uint64_t *feasible, const uint64_t *entry,
                                      const uint64_t *found, size_t words) {
    bool last = false;
    for (size_t c = 0; c < words * WORD; c++) {
        uint64_t bit = UINT64_C(1) << c % WORD;
        last = feasible[c / WORD] & bit && (last || entry[c / WORD] & bit);
        if (last != ((found[c / WORD] & bit) != 0))
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

static int emit_runs(struct worker *w, const uint64_t *found) {
    const struct sweep *s = w->sweep;
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
static void look_into(struct worker *w, const uint64_t *feasible, uint64_t *found) {
    const struct sweep *s = w->sweep;
    for (size_t i = 0; i < s->words; i++)
        for (uint64_t tried = 0, open; (open = feasible[i] & ~found[i] & ~tried);) {
            uint64_t bit = open & -open;
            tried |= bit;
            w->state[s->last] = (uint32_t)(i * WORD) + (uint32_t)__builtin_ctzll(open);
            if (hd_cut_strongly_feasible(w->normal, w->state)) {
                w->entry[i] |= bit;
                flood(feasible, w->entry, found, s->words);
            }
        }
}

/* One row of words: all counts of the last thread with the others fixed; `at`
 * is where it is in its block.  True if there is any. */
static bool fill_row(struct worker *w, const uint64_t *feasible, size_t at) {
    const struct sweep *s = w->sweep;
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

static void add_neighbour(struct worker *w, const hd_cut_slab *slab, size_t block) {
    const uint64_t *words = hd_cut_slab_words(&w->sweep->slabs, slab, block);
    if (words)
        w->neighbours[w->neighbour_count++] = words;
}

static void find_neighbours(struct worker *w, size_t block) {
    w->neighbour_count = 0;
    if (w->state[0])
        add_neighbour(w, w->before, block);
    for (uint32_t p = 1; p < w->sweep->row; p++)
        if (w->state[p]) {
            assert(block >= w->sweep->step[p]);
            add_neighbour(w, w->now, block - w->sweep->step[p]);
        }
    assert(w->neighbour_count <= w->sweep->row + 1);
}

static int keep_block(struct worker *w, size_t block) {
    bool kept = hd_cut_slab_keep(&w->shared->slabs, w->now, w->rooms, w->state[0], block, w->found);
    return kept ? 0 : HD_CUT_LIMITED;
}

/* Is this the block of the empty state? */
static bool is_first(const struct worker *w, size_t block) {
    return block == 0 && w->state[0] == 0;
}

/* Where in the table is the block of the counts at hand? */
HD_ASSERT_ONLY static size_t block_at_hand(const struct worker *w) {
    size_t block = 0;
    for (uint32_t p = 1; p < w->sweep->row; p++)
        block += w->state[p] * w->sweep->step[p];
    return block;
}

/* A block: all counts of the last two threads. */
static int visit_block(struct worker *w, size_t block) {
    const struct sweep *s = w->sweep;
    const hd_cut_pairs *pairs = s->pairs;
    const hd_cut_space *space = pairs->loset->space;
    const uint64_t *left = w->left + s->row * pairs->word[space->threads];
    const uint64_t *own = left + pairs->word[s->row], *after = left + pairs->word[s->last];
    assert(block == block_at_hand(w));
    find_neighbours(w, block);
    w->first = is_first(w, block);
    if (hd_cut_stopped(w->visitor))
        return HD_CUT_STOPPED;
    if (!w->neighbour_count && !w->first && s->class == HD_CUT_REACHABLE)
        return 0;
    memset(w->found, 0, s->slabs.block * sizeof *w->found);
    bool any = false;
    for (uint32_t c = 0; c <= space->length[s->row]; c++) {
        if (!(own[c / WORD] >> c % WORD & 1))
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

/* With two threads there is no thread between, and a block is one row of words. */
static int visit_row(struct worker *w) {
    const struct sweep *s = w->sweep;
    find_neighbours(w, 0);
    w->first = is_first(w, 0);
    memset(w->found, 0, s->slabs.block * sizeof *w->found);
    const uint64_t *left = w->left + s->pairs->word[2];
    if (!fill_row(w, left + s->pairs->word[1], 0))
        return 0;
    int why = w->visitor->run ? emit_runs(w, w->found) : 0;
    return why ? why : keep_block(w, 0);
}

/* ---- Workers ---- */

/* Waits until the slab before has done so many counts of the second thread; what the
 * first to stop returned, if one did. */
static int wait_for(const struct worker *w, uint32_t counts) {
    struct sweep *s = w->shared;
    if (!s->progress || !w->state[0])
        return 0;
    const struct progress *before = &s->progress[w->before - s->slabs.all];
    pthread_mutex_lock(&s->mutex);
    while ((before->count + 1 != w->state[0] || before->done < counts) && !s->why)
        pthread_cond_wait(&s->moved, &s->mutex);
    int why = s->why;
    pthread_mutex_unlock(&s->mutex);
    return why;
}

/* `counts` of the second thread are done; another worker may wait for this slab to begin. */
static void announce(const struct worker *w, uint32_t counts, int why) {
    struct sweep *s = w->shared;
    if (!s->progress)
        return;
    struct progress *now = &s->progress[w->now - s->slabs.all];
    pthread_mutex_lock(&s->mutex);
    assert(now->count != w->state[0] || now->done <= counts);
    *now = (struct progress){w->state[0], counts};
    s->why = s->why ? s->why : why;
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->mutex);
}

/* Takes this count of a thread if the threads before it allow it, and what it leaves to those after
 * it. */
static bool leaves(struct worker *w, uint32_t place, uint32_t count) {
    const hd_cut_pairs *pairs = w->sweep->pairs;
    size_t row_words = pairs->word[pairs->loset->space->threads];
    const uint64_t *left = place ? w->left + place * row_words : pairs->all;
    if (!(left[pairs->word[place] + count / WORD] >> count % WORD & 1))
        return false;
    const uint64_t *row = hd_cut_pairs_row(pairs, place, count);
    uint64_t *next = w->left + (place + 1) * row_words;
    for (size_t i = pairs->word[place + 1]; i < row_words; i++)
        next[i] = left[i] & row[i];
    w->state[place] = count;
    return true;
}

static int sweep_descend(struct worker *w, uint32_t place, size_t block) {
    const struct sweep *s = w->sweep;
    uint32_t length = s->pairs->loset->space->length[place];
    if (place == s->row)
        return visit_block(w, block);
    for (uint32_t c = 0; c <= length; c++) {
        int why = place == 1 ? wait_for(w, c + 1) : 0;
        if (!why && leaves(w, place, c))
            why = sweep_descend(w, place + 1, block + c * s->step[place]);
        if (why)
            return why;
        /* That the last count is done, take_slab announces: slabs end one after another, so that
         * none is taken again whose worker has still to announce. */
        if (place == 1 && c < length)
            announce(w, c + 1, 0);
    }
    return 0;
}

/* A count of the first thread that is not allowed at all leaves an empty slab,
 * through which nothing comes.  It still waits for the slab before: else its worker would go on to
 * the slab that takes the place of one which others wait for. */
static int sweep_slab(struct worker *w, uint32_t count) {
    const struct sweep *s = w->sweep;
    if (!leaves(w, 0, count))
        return wait_for(w, UINT32_MAX);
    int why = s->row > 1 ? 0 : wait_for(w, UINT32_MAX);
    if (why)
        return why;
    return s->last == 1 ? visit_row(w) : sweep_descend(w, 1, 0);
}

/* The others would wait for a slab that something fatal ends. */
static int sweep_guarded(struct worker *w, uint32_t count) {
    hd_mem_guard guard;
    if (!hd_mem_guarded())
        return sweep_slab(w, count);
    hd_mem_guard_begin(&guard);
    if (setjmp(guard.at) != 0) {
        announce(w, UINT32_MAX, HD_CUT_LIMITED);
        hd_mem_fatal("%s", guard.text);
    }
    int why = sweep_slab(w, count);
    hd_mem_guard_end(&guard);
    return why;
}

static void tell_states(struct worker *w) {
    w->visitor->states += w->states;
    w->states = 0;
}

static void go_to_slab(struct worker *w, uint32_t count) {
    const hd_cut_slabs *slabs = &w->sweep->slabs;
    w->now = &slabs->all[count % slabs->count];
    w->before = &slabs->all[(count + slabs->count - 1) % slabs->count];
}

/* When a slab begins, all but the workers' last ones are done. */
static int take_slab(void *context, unsigned worker, size_t job) {
    struct sweep *s = context;
    struct worker *w = &s->workers[worker];
    uint32_t count = (uint32_t)job;
    w->state[0] = count;
    go_to_slab(w, count);
    hd_cut_slab_empty(&s->slabs, w->now);
    announce(w, 0, 0);
    hd_cut_begin_job(w->visitor, job);
    int why = sweep_guarded(w, count);
    tell_states(w);
    hd_cut_end_job(w->visitor, job);
    announce(w, UINT32_MAX, why);
    return why;
}

/* A cell: all blocks with these counts of the first threads. */
static int take_cell(void *context, unsigned worker, const uint32_t *counts) {
    struct sweep *s = context;
    struct worker *w = &s->workers[worker];
    size_t block = 0;
    bool first = true;
    go_to_slab(w, counts[0]);
    for (uint32_t p = 1; p < s->cell_places; p++) {
        block += counts[p] * s->step[p];
        first &= counts[p] == 0;
    }
    if (first)
        hd_cut_slab_empty(&s->slabs, w->now);
    for (uint32_t p = 0; p < s->cell_places; p++)
        if (!leaves(w, p, counts[p]))
            return 0;
    int why = sweep_descend(w, s->cell_places, block);
    tell_states(w);
    return why;
}

static void start_worker(struct sweep *s, struct worker *w, hd_cut_visitor *visitor) {
    const hd_cut_space *space = s->pairs->loset->space;
    *w = (struct worker){.sweep = s, .shared = s, .visitor = visitor};
    w->left =
        HD_NEW_ARRAY(uint64_t, s->pairs->word[space->threads] * space->threads + HD_WORKER_APART);
    w->entry = HD_NEW_ARRAY(uint64_t, s->words + HD_WORKER_APART);
    w->feasible = HD_NEW_ARRAY(uint64_t, s->words + HD_WORKER_APART);
    w->found = HD_NEW_ARRAY(uint64_t, s->slabs.block + HD_WORKER_APART);
    w->neighbours = HD_NEW_ARRAY(const uint64_t *, space->threads + HD_WORKER_APART);
    w->state = HD_NEW_ARRAY(uint32_t, space->stride + HD_WORKER_APART);
    w->rooms = hd_cut_slabs_rooms(&s->slabs);
    if (s->class == HD_CUT_STRONGLY_FEASIBLE)
        w->normal = hd_cut_normal_create(s->pairs->loset);
}

/* Cells of three threads' counts are many in a slab: few slabs have work for all workers. */
static unsigned count_slabs(const struct sweep *s, unsigned workers) {
    enum { FEW_SLABS = 8 };
    return s->cell_places > 2 && workers >= FEW_SLABS ? FEW_SLABS : workers + 1;
}

static void start_sweep(struct sweep *s, size_t memory, unsigned workers, bool lexical,
                        hd_cut_visitor *visitors) {
    const hd_cut_space *space = s->pairs->loset->space;
    size_t table = 1;
    s->last = space->threads - 1;
    s->row = s->last - 1;
    s->words = space->length[s->last] / WORD + 1;
    s->step = HD_NEW_ARRAY(size_t, space->threads);
    for (uint32_t p = s->row; p-- > 1;) {
        s->step[p] = table;
        table *= space->length[p] + 1;
    }
    if (workers > 1 && !lexical && s->row > 1)
        s->cell_places = hd_cut_cells_places(space, s->row, workers);
    unsigned slabs = count_slabs(s, workers);
    hd_cut_slabs_init(&s->slabs, slabs, table, (size_t)block_words(space), workers, memory);
    if (workers > 1 && !s->cell_places)
        s->progress = HD_NEW_ARRAY(struct progress, slabs);
    for (unsigned i = 0; s->progress && i < slabs; i++)
        s->progress[i].count = UINT32_MAX - 1; /* no slab's */
    s->workers = HD_NEW_ARRAY(struct worker, workers);
    s->worker_count = workers;
    for (unsigned i = 0; i < workers; i++)
        start_worker(s, &s->workers[i], &visitors[i]);
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->moved, NULL);
}

static void finish_sweep(struct sweep *s) {
    for (unsigned i = 0; i < s->worker_count; i++) {
        struct worker *w = &s->workers[i];
        hd_cut_normal_free(w->normal);
        free(w->left);
        free(w->entry);
        free(w->feasible);
        free(w->found);
        free(w->neighbours);
        free(w->state);
        free(w->rooms);
    }
    hd_cut_slabs_release(&s->slabs);
    free(s->workers);
    free(s->progress);
    free(s->step);
    pthread_mutex_destroy(&s->mutex);
    pthread_cond_destroy(&s->moved);
}

int hd_cut_sweep(const hd_cut_pairs *pairs, enum hd_cut_class class, size_t memory, bool lexical,
                 unsigned workers, hd_cut_visitor *visitors, double *seconds) {
    const hd_cut_space *space = pairs->loset->space;
    if (space->threads < 2) /* nothing to conflict with */
        return hd_cut_pairs_walk(pairs, 0, space->threads ? space->length[0] : 0, visitors);
    struct sweep s = {.pairs = pairs, .class = class};
    start_sweep(&s, memory, workers, lexical, visitors);
    int why =
        s.cell_places
            ? hd_cut_cells(space, s.cell_places, s.slabs.count, workers, take_cell, &s, seconds)
            : hd_cut_share(workers, (size_t)space->length[0] + 1, take_slab, &s, seconds);
    why = s.why ? s.why : why;
    finish_sweep(&s);
    return why;
}
