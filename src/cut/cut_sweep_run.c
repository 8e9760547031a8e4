/*
 * The workers of a sweep (cut_sweep.c).
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
#include <stdlib.h>

#include "cut_sweep.h"

/* Waits until the slab before has done so many counts of the second thread; what the
 * first to stop returned, if one did. */
static int wait_for(const hd_cut_sweeper *w, uint32_t counts) {
    hd_cut_sweeping *s = w->shared;
    if (!s->progress || !w->state[0])
        return 0;
    const hd_cut_progress *before = &s->progress[w->before - s->slabs.all];
    pthread_mutex_lock(&s->mutex);
    while ((before->count + 1 != w->state[0] || before->done < counts) && !s->why)
        pthread_cond_wait(&s->moved, &s->mutex);
    int why = s->why;
    pthread_mutex_unlock(&s->mutex);
    return why;
}

/* `counts` of the second thread are done; another worker may wait for this slab to begin. */
static void announce(const hd_cut_sweeper *w, uint32_t counts, int why) {
    hd_cut_sweeping *s = w->shared;
    if (!s->progress)
        return;
    hd_cut_progress *now = &s->progress[w->now - s->slabs.all];
    pthread_mutex_lock(&s->mutex);
    assert(now->count != w->state[0] || now->done <= counts);
    *now = (hd_cut_progress){w->state[0], counts};
    s->why = s->why ? s->why : why;
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->mutex);
}

/* Takes this count of a thread if the threads before it allow it, and what it leaves to those after
 * it. */
static bool leaves(hd_cut_sweeper *w, uint32_t place, uint32_t count) {
    const hd_cut_pairs *pairs = w->sweep->pairs;
    size_t row_words = pairs->word[pairs->loset->space->threads];
    const uint64_t *left = place ? w->left + place * row_words : pairs->all;
    if (!(left[pairs->word[place] + count / HD_CUT_WORD] >> count % HD_CUT_WORD & 1))
        return false;
    const uint64_t *row = hd_cut_pairs_row(pairs, place, count);
    uint64_t *next = w->left + (place + 1) * row_words;
    for (size_t i = pairs->word[place + 1]; i < row_words; i++)
        next[i] = left[i] & row[i];
    w->state[place] = count;
    return true;
}

static int sweep_descend(hd_cut_sweeper *w, uint32_t place, size_t block) {
    const hd_cut_sweeping *s = w->sweep;
    uint32_t length = s->pairs->loset->space->length[place];
    if (place == s->row)
        return hd_cut_sweep_block(w, block);
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
static int sweep_slab(hd_cut_sweeper *w, uint32_t count) {
    const hd_cut_sweeping *s = w->sweep;
    if (!leaves(w, 0, count))
        return wait_for(w, UINT32_MAX);
    int why = s->row > 1 ? 0 : wait_for(w, UINT32_MAX);
    if (why)
        return why;
    return s->last == 1 ? hd_cut_sweep_row(w) : sweep_descend(w, 1, 0);
}

/* The others would wait for a slab that something fatal ends. */
static int sweep_guarded(hd_cut_sweeper *w, uint32_t count) {
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

static void tell_states(hd_cut_sweeper *w) {
    w->visitor->states += w->states;
    w->states = 0;
}

static void go_to_slab(hd_cut_sweeper *w, uint32_t count) {
    const hd_cut_slabs *slabs = &w->sweep->slabs;
    w->now = &slabs->all[count % slabs->count];
    w->before = &slabs->all[(count + slabs->count - 1) % slabs->count];
}

/* When a slab begins, all but the workers' last ones are done. */
static int take_slab(void *context, unsigned worker, size_t job) {
    hd_cut_sweeping *s = context;
    hd_cut_sweeper *w = &s->workers[worker];
    uint32_t count = s->from + (uint32_t)job;
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
    hd_cut_sweeping *s = context;
    hd_cut_sweeper *w = &s->workers[worker];
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

static void start_worker(hd_cut_sweeping *s, hd_cut_sweeper *w, hd_cut_visitor *visitor) {
    const hd_cut_space *space = s->pairs->loset->space;
    *w = (hd_cut_sweeper){.sweep = s, .shared = s, .visitor = visitor};
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
static unsigned count_slabs(const hd_cut_sweeping *s, unsigned workers) {
    enum { FEW_SLABS = 8 };
    return s->cell_places > 2 && workers >= FEW_SLABS ? FEW_SLABS : workers + 1;
}

static void start_sweep(hd_cut_sweeping *s, size_t memory, unsigned workers, bool lexical,
                        hd_cut_visitor *visitors) {
    const hd_cut_space *space = s->pairs->loset->space;
    size_t table = 1;
    s->last = space->threads - 1;
    s->row = s->last - 1;
    s->words = space->length[s->last] / HD_CUT_WORD + 1;
    s->step = HD_NEW_ARRAY(size_t, space->threads);
    for (uint32_t p = s->row; p-- > 1;) {
        s->step[p] = table;
        table *= space->length[p] + 1;
    }
    if (workers > 1 && !lexical && s->row > 1)
        s->cell_places = hd_cut_cells_places(space, s->row, workers);
    unsigned slabs = count_slabs(s, workers);
    hd_cut_slabs_init(&s->slabs, slabs, table, (size_t)hd_cut_sweep_words(space), workers, memory);
    if (workers > 1 && !s->cell_places)
        s->progress = HD_NEW_ARRAY(hd_cut_progress, slabs);
    for (unsigned i = 0; s->progress && i < slabs; i++)
        s->progress[i].count = UINT32_MAX - 1; /* no slab's */
    s->workers = HD_NEW_ARRAY(hd_cut_sweeper, workers);
    s->worker_count = workers;
    for (unsigned i = 0; i < workers; i++)
        start_worker(s, &s->workers[i], &visitors[i]);
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->moved, NULL);
}

static void finish_sweep(hd_cut_sweeping *s) {
    for (unsigned i = 0; i < s->worker_count; i++) {
        hd_cut_sweeper *w = &s->workers[i];
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
    hd_cut_sweeping s = {.pairs = pairs, .class = class};
    start_sweep(&s, memory, workers, lexical, visitors);
    int why =
        s.cell_places
            ? hd_cut_cells(space, s.cell_places, s.slabs.count, workers, take_cell, &s, seconds)
            : hd_cut_share(workers, (size_t)space->length[0] + 1, take_slab, &s, seconds);
    why = s.why ? s.why : why;
    finish_sweep(&s);
    return why;
}

/* ---- In parts ---- */

hd_cut_sweeping *hd_cut_sweeping_begin(const hd_cut_pairs *pairs, enum hd_cut_class class,
                                       size_t memory, unsigned workers, hd_cut_visitor *visitors) {
    assert(pairs->loset->space->threads > 1);
    hd_cut_sweeping *s = HD_NEW(hd_cut_sweeping);
    *s = (hd_cut_sweeping){.pairs = pairs, .class = class};
    start_sweep(s, memory, workers, true, visitors);
    return s;
}

void hd_cut_sweeping_end(hd_cut_sweeping *s) {
    if (s)
        finish_sweep(s);
    free(s);
}

int hd_cut_sweeping_take(hd_cut_sweeping *s, uint32_t from, uint32_t to) {
    assert(from <= to && to <= s->pairs->loset->space->length[0]);
    s->from = from;
    int why = hd_cut_share(s->worker_count, (size_t)(to - from) + 1, take_slab, s, NULL);
    return s->why ? s->why : why;
}

void hd_cut_sweeping_put(const hd_cut_sweeping *s, uint32_t count, hd_vec_char *to) {
    const hd_cut_slabs *slabs = &s->slabs;
    const hd_cut_slab *slab = &slabs->all[count % slabs->count];
    size_t last = 0;
    for (size_t at = 0; at < slabs->table; at++) {
        const uint64_t *words = hd_cut_slab_words(slabs, slab, at);
        if (!words)
            continue;
        hd_bytes_put(to, at + 1 - last);
        last = at + 1;
        for (size_t i = 0; i < slabs->block; i++)
            hd_bytes_put(to, words[i]);
    }
    hd_bytes_put(to, 0);
}

bool hd_cut_sweeping_get(hd_cut_sweeping *s, uint32_t count, hd_bytes *from) {
    hd_cut_slabs *slabs = &s->slabs;
    hd_cut_sweeper *w = &s->workers[0];
    size_t at = 0;
    bool fits = true;
    go_to_slab(w, count);
    for (uint64_t step; fits && (step = hd_bytes_get(from, slabs->table - at)) && !from->bad;) {
        at += step;
        for (size_t i = 0; i < slabs->block; i++)
            w->found[i] = hd_bytes_get(from, UINT64_MAX);
        fits = hd_cut_slab_keep(slabs, w->now, w->rooms, count, at - 1, w->found);
    }
    if (s->progress)
        s->progress[w->now - slabs->all] = (hd_cut_progress){count, UINT32_MAX};
    return fits && !from->bad;
}
