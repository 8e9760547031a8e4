/*
 * The workers of a sweep (cut_sweep.c), and a sweep that counts: cells, level by level
 * (cut_cells.h).
 *
 * Time: feasible prefixes times threads.  Memory: the blocks of two levels, and the numbers of the
 * cells.
 */
#include <stdlib.h>
#include <string.h>

#include "cut_sweep.h"

bool hd_cut_sweep_leaves(hd_cut_sweeper *w, uint32_t place, uint32_t count) {
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

int hd_cut_sweep_descend(hd_cut_sweeper *w, uint32_t place, size_t block) {
    const hd_cut_sweeping *s = w->sweep;
    if (place >= s->row)
        return hd_cut_sweep_block(w, block);
    for (uint32_t c = 0; c <= s->pairs->loset->space->length[place]; c++) {
        int why = hd_cut_sweep_leaves(w, place, c)
                      ? hd_cut_sweep_descend(w, place + 1, block + c * s->step[place])
                      : 0;
        if (why)
            return why;
    }
    return 0;
}

void hd_cut_sweep_tell(hd_cut_sweeper *w) {
    w->visitor->states += w->states;
    w->states = 0;
}

void hd_cut_sweep_go_to(hd_cut_sweeper *w, uint32_t level) {
    const hd_cut_slabs *slabs = &w->sweep->slabs;
    w->level = level;
    w->now = &slabs->all[level % slabs->count];
    w->before = &slabs->all[(level + slabs->count - 1) % slabs->count];
}

/* ---- Workers ---- */

static void start_worker(hd_cut_sweeping *s, hd_cut_sweeper *w, hd_cut_visitor *visitor) {
    const hd_cut_space *space = s->pairs->loset->space;
    *w = (hd_cut_sweeper){.sweep = s, .shared = s, .visitor = visitor};
    w->left =
        HD_NEW_ARRAY(uint64_t, s->pairs->word[space->threads] * space->threads + HD_WORKER_APART);
    w->entry = HD_NEW_ARRAY(uint64_t, s->words + HD_WORKER_APART);
    w->feasible = HD_NEW_ARRAY(uint64_t, s->words + HD_WORKER_APART);
    w->found = HD_NEW_ARRAY(uint64_t, s->slabs.block + HD_WORKER_APART);
    w->neighbours = HD_NEW_ARRAY(const uint64_t *, space->threads + HD_WORKER_APART);
    w->near = HD_NEW_ARRAY(size_t, space->threads + HD_WORKER_APART);
    w->state = HD_NEW_ARRAY(uint32_t, space->stride + HD_WORKER_APART);
    w->rooms = hd_cut_slabs_rooms(&s->slabs);
    if (s->class == HD_CUT_STRONGLY_FEASIBLE)
        w->normal = hd_cut_normal_create(s->pairs->loset);
}

static void free_worker(hd_cut_sweeper *w) {
    hd_cut_normal_free(w->normal);
    free(w->left);
    free(w->entry);
    free(w->feasible);
    free(w->found);
    free(w->neighbours);
    free(w->near);
    free(w->state);
    free(w->rooms);
}

void hd_cut_sweeping_start(hd_cut_sweeping *s, unsigned slabs, size_t memory, unsigned workers,
                           hd_cut_visitor *visitors) {
    const hd_cut_space *space = s->pairs->loset->space;
    size_t widest = s->cells.numbers ? hd_cut_cells_widest(&s->cells) : 1;
    s->last = space->threads - 1;
    s->row = s->last - 1;
    s->words = space->length[s->last] / HD_CUT_WORD + 1;
    s->step = HD_NEW_ARRAY(size_t, space->threads);
    s->within = 1;
    for (uint32_t p = s->row; p-- > s->cell_places;) {
        s->step[p] = s->within;
        s->within *= space->length[p] + 1;
    }
    hd_cut_slabs_init(&s->slabs, slabs, widest * s->within, (size_t)hd_cut_sweep_words(space),
                      workers, memory);
    s->workers = HD_NEW_ARRAY(hd_cut_sweeper, workers);
    s->worker_count = workers;
    for (unsigned i = 0; i < workers; i++)
        start_worker(s, &s->workers[i], &visitors[i]);
}

void hd_cut_sweeping_finish(hd_cut_sweeping *s) {
    for (unsigned i = 0; i < s->worker_count; i++)
        free_worker(&s->workers[i]);
    hd_cut_slabs_release(&s->slabs);
    free(s->workers);
    free(s->step);
}

/* ---- Cells ---- */

static void begin_level(void *context, uint32_t level) {
    hd_cut_sweeping *s = context;
    hd_cut_slabs *slabs = &s->slabs;
    hd_cut_slab_reuse(&slabs->all[level % slabs->count]);
}

/* Which cells of the level before have states that this one needs; false if none has. */
static bool find_near(hd_cut_sweeper *w, size_t cell) {
    const hd_cut_sweeping *s = w->sweep;
    const hd_cut_cells *cells = &s->cells;
    bool found = false;
    for (uint32_t p = 0; p < s->cell_places; p++) {
        size_t near = w->state[p] ? hd_cut_cells_find(cells, w->level - 1,
                                                      cells->numbers[cell] - cells->step[p])
                                  : SIZE_MAX;
        bool any = near != SIZE_MAX && s->any[(w->level - 1) % 2][near];
        w->near[p] = any ? near * s->within : SIZE_MAX;
        found |= any;
    }
    return found;
}

static int take_cell(void *context, unsigned worker, uint32_t level, size_t cell) {
    hd_cut_sweeping *s = context;
    hd_cut_sweeper *w = &s->workers[worker];
    size_t place = cell - s->cells.first[level];
    hd_cut_sweep_go_to(w, level);
    w->at = place * s->within;
    w->any = false;
    hd_cut_cells_counts(&s->cells, cell, w->state);
    hd_cut_slab_clear(w->now, w->at, s->within);
    int why = 0;
    if (find_near(w, cell) || level == 0 || s->class == HD_CUT_STRONGLY_FEASIBLE) {
        for (uint32_t p = 0; p < s->cell_places; p++) {
            bool left = hd_cut_sweep_leaves(w, p, w->state[p]);
            assert(left); /* else pairs forbid the cell */
            (void)left;
        }
        why = hd_cut_sweep_descend(w, s->cell_places, 0);
    }
    s->any[level % 2][place] = w->any;
    hd_cut_sweep_tell(w);
    return why;
}

/* Without a block. */
static double bytes_needed(const hd_cut_sweeping *s, unsigned workers) {
    const hd_cut_space *space = s->pairs->loset->space;
    double widest = (double)hd_cut_cells_widest(&s->cells), table = widest;
    for (uint32_t p = s->cell_places; p + 2 < space->threads; p++)
        table *= space->length[p] + 1.0;
    return hd_cut_slabs_bytes(2, table, 0, workers, false) + 2 * widest +
           (double)s->cells.first[s->cells.levels] * sizeof *s->cells.numbers;
}

/* As many cells as many workers need, however many there are: so another count can go on. */
enum { MANY_WORKERS = 16 };

hd_cut_sweeping *hd_cut_sweeping_begin(const hd_cut_pairs *pairs, enum hd_cut_class class,
                                       uint32_t cell_places, size_t memory, unsigned workers,
                                       hd_cut_visitor *visitors) {
    const hd_cut_space *space = pairs->loset->space;
    hd_cut_sweeping *s = HD_NEW(hd_cut_sweeping);
    assert(space->threads > 1);
    *s = (hd_cut_sweeping){.pairs = pairs, .class = class};
    uint32_t most = space->threads > 2 ? space->threads - 2 : 1;
    most = cell_places && cell_places < most ? cell_places : most;
    bool fits = hd_cut_cells_init(&s->cells, pairs, most, memory, MANY_WORKERS);
    s->cell_places = s->cells.places;
    double needed = fits ? bytes_needed(s, workers) : 0;
    if (!fits || needed > (double)memory) {
        hd_cut_cells_release(&s->cells);
        free(s);
        return NULL;
    }
    size_t widest = hd_cut_cells_widest(&s->cells);
    for (unsigned i = 0; i < 2; i++)
        s->any[i] = HD_NEW_ARRAY(uint8_t, widest);
    hd_cut_sweeping_start(s, 2, memory - (size_t)needed, workers, visitors);
    return s;
}

void hd_cut_sweeping_end(hd_cut_sweeping *s) {
    if (!s)
        return;
    hd_cut_sweeping_finish(s);
    hd_cut_cells_release(&s->cells);
    free(s->any[0]);
    free(s->any[1]);
    free(s);
}

uint32_t hd_cut_sweeping_levels(const hd_cut_sweeping *s) {
    return s->cells.levels;
}

int hd_cut_sweeping_take(hd_cut_sweeping *s, uint32_t from, uint32_t to, double *seconds) {
    const hd_cut_cells_work work = {begin_level, take_cell, s};
    return hd_cut_cells_run(&s->cells, from, to, s->worker_count, &work, seconds);
}

int hd_cut_sweep(const hd_cut_pairs *pairs, enum hd_cut_class class, uint32_t cell_places,
                 size_t memory, unsigned workers, hd_cut_visitor *visitors, double *seconds) {
    const hd_cut_space *space = pairs->loset->space;
    if (space->threads < 2) /* nothing to conflict with */
        return hd_cut_pairs_walk(pairs, 0, space->threads ? space->length[0] : 0, visitors);
    hd_cut_sweeping *s =
        hd_cut_sweeping_begin(pairs, class, cell_places, memory, workers, visitors);
    if (!s)
        return HD_CUT_LIMITED;
    int why = hd_cut_sweeping_take(s, 0, hd_cut_sweeping_levels(s) - 1, seconds);
    hd_cut_sweeping_end(s);
    return why;
}

/* ---- The slab of a level, as bytes ---- */

static size_t blocks_of(const hd_cut_sweeping *s, uint32_t level) {
    return (s->cells.first[level + 1] - s->cells.first[level]) * s->within;
}

void hd_cut_sweeping_put(const hd_cut_sweeping *s, uint32_t level, hd_vec_char *to) {
    const hd_cut_slabs *slabs = &s->slabs;
    const hd_cut_slab *slab = &slabs->all[level % slabs->count];
    size_t last = 0, end = blocks_of(s, level);
    for (size_t at = 0; at < end; at++) {
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

bool hd_cut_sweeping_get(hd_cut_sweeping *s, uint32_t level, hd_bytes *from) {
    hd_cut_slabs *slabs = &s->slabs;
    hd_cut_sweeper *w = &s->workers[0];
    size_t at = 0, end = blocks_of(s, level);
    bool fits = true;
    hd_cut_sweep_go_to(w, level);
    for (uint64_t step; fits && (step = hd_bytes_get(from, end - at)) && !from->bad;) {
        at += step;
        for (size_t i = 0; i < slabs->block; i++)
            w->found[i] = hd_bytes_get(from, UINT64_MAX);
        fits = hd_cut_slab_keep(slabs, w->now, w->rooms, level, at - 1, w->found);
        s->any[level % 2][(at - 1) / s->within] = 1;
    }
    return fits && !from->bad;
}
