#include "cut_cells.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <string.h>

/* ---- Which cells there are ---- */

/* So many cells of a level should there be for each worker; no more in all than MOST. */
enum { EACH = 32, MOST = 1 << 20 };

struct gathering {
    const hd_cut_pairs *pairs;
    hd_cut_cells *cells;
    size_t most, count; /* cells */
    uint64_t *left;     /* [place * words of a row]: what the threads before it leave */
    bool fill;          /* else they are only counted */
};

static bool is_allowed(const uint64_t *words, uint32_t count) {
    return words[count / 64] >> count % 64 & 1;
}

/* False if there are too many. */
static bool meet_cell(struct gathering *g, uint32_t level, uint64_t number) {
    hd_cut_cells *cells = g->cells;
    if (g->fill)
        cells->numbers[cells->first[level]++] = number;
    else
        cells->first[level + 1]++;
    return ++g->count <= g->most;
}

/* The cells of the last place: nothing is left to be chosen after it. */
static bool gather_last(struct gathering *g, const uint64_t *left, uint32_t level,
                        uint64_t number) {
    uint32_t place = g->cells->places - 1, length = g->pairs->loset->space->length[place];
    for (uint32_t c = 0; c <= length; c++)
        if (is_allowed(left, c) && !meet_cell(g, level + c, number + c))
            return false;
    return true;
}

static bool gather(struct gathering *g, uint32_t place, uint32_t level, uint64_t number) {
    const hd_cut_pairs *pairs = g->pairs;
    const hd_cut_space *space = pairs->loset->space;
    size_t words = pairs->word[space->threads];
    const uint64_t *left = g->left + place * words;
    if (place + 1 == g->cells->places)
        return gather_last(g, left + pairs->word[place], level, number);
    uint64_t *next = g->left + (place + 1) * words;
    for (uint32_t c = 0; c <= space->length[place]; c++) {
        if (!is_allowed(left + pairs->word[place], c))
            continue;
        const uint64_t *row = hd_cut_pairs_row(pairs, place, c);
        for (size_t i = pairs->word[place + 1]; i < words; i++)
            next[i] = left[i] & row[i];
        if (!gather(g, place + 1, level + c, number + c * g->cells->step[place]))
            return false;
    }
    return true;
}

static void set_places(hd_cut_cells *cells, const hd_cut_space *space, uint32_t places) {
    size_t step = 1;
    cells->places = places;
    cells->levels = 1;
    for (uint32_t p = places; p-- > 0;) {
        cells->step[p] = step;
        step *= (size_t)space->length[p] + 1;
        cells->levels += space->length[p];
    }
}

/* How many cells so many threads make, if no more than `most`; else 0. */
static size_t count_cells(struct gathering *g, uint32_t places) {
    const hd_cut_space *space = g->pairs->loset->space;
    set_places(g->cells, space, places);
    free(g->cells->first);
    g->cells->first = HD_NEW_ARRAY(size_t, g->cells->levels + 1);
    g->count = 0;
    return gather(g, 0, 0, 0) ? g->count : 0;
}

static void fill_cells(struct gathering *g) {
    hd_cut_cells *cells = g->cells;
    for (uint32_t l = 0; l < cells->levels; l++)
        cells->first[l + 1] += cells->first[l];
    assert(cells->first[cells->levels] == g->count);
    cells->numbers = HD_NEW_ARRAY(uint64_t, g->count + 1);
    g->fill = true;
    g->count = 0;
    gather(g, 0, 0, 0);
    memmove(cells->first + 1, cells->first, cells->levels * sizeof *cells->first);
    cells->first[0] = 0;
}

/* Of so many threads that there are enough cells, but not too many; they are counted. */
static uint32_t choose_places(struct gathering *g, uint32_t most, unsigned workers) {
    const hd_cut_space *space = g->pairs->loset->space;
    double product = space->length[0] + 1.0;
    uint32_t chosen = 0;
    for (uint32_t places = 1; places <= most; places++) {
        size_t count = product < (double)(SIZE_MAX / 2) ? count_cells(g, places) : 0;
        if (!count)
            return chosen && count_cells(g, chosen) ? chosen : 0;
        chosen = places;
        if (count >= (size_t)EACH * workers * g->cells->levels)
            break;
        product *= space->length[places] + 1.0;
    }
    return chosen;
}

bool hd_cut_cells_init(hd_cut_cells *cells, const hd_cut_pairs *pairs, uint32_t most, size_t memory,
                       unsigned workers) {
    const hd_cut_space *space = pairs->loset->space;
    size_t words = pairs->word[space->threads];
    assert(most >= 1 && most < space->threads);
    *cells = (hd_cut_cells){.step = HD_NEW_ARRAY(size_t, most)};
    struct gathering g = {.pairs = pairs, .cells = cells, .most = memory / sizeof(uint64_t)};
    g.most = g.most < MOST ? g.most : MOST;
    g.left = HD_NEW_ARRAY(uint64_t, words * (most + 1) + 1);
    memcpy(g.left, pairs->all, words * sizeof *g.left);
    uint32_t places = choose_places(&g, most, workers);
    if (places)
        fill_cells(&g);
    free(g.left);
    return places != 0;
}

void hd_cut_cells_release(hd_cut_cells *cells) {
    free(cells->step);
    free(cells->first);
    free(cells->numbers);
}

size_t hd_cut_cells_widest(const hd_cut_cells *cells) {
    size_t widest = 0;
    for (uint32_t l = 0; l < cells->levels; l++) {
        size_t cells_here = cells->first[l + 1] - cells->first[l];
        widest = cells_here > widest ? cells_here : widest;
    }
    return widest;
}

void hd_cut_cells_counts(const hd_cut_cells *cells, size_t cell, uint32_t *counts) {
    uint64_t number = cells->numbers[cell];
    for (uint32_t p = 0; p < cells->places; p++) {
        counts[p] = (uint32_t)(number / cells->step[p]);
        number %= cells->step[p];
    }
}

size_t hd_cut_cells_find(const hd_cut_cells *cells, uint32_t level, uint64_t number) {
    size_t low = cells->first[level], high = cells->first[level + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cells->numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < cells->first[level + 1] && cells->numbers[low] == number;
    return found ? low - cells->first[level] : SIZE_MAX;
}

/* ---- Workers ---- */

struct run {
    const hd_cut_cells *cells;
    const hd_cut_cells_work *work;
    unsigned workers;
    size_t end;                                  /* of all cells */
    alignas(HD_WORKER_APART) atomic_size_t next; /* cell to be begun */
    atomic_size_t limit;                         /* cells before it can be begun */
    alignas(HD_WORKER_APART)
        atomic_size_t done; /* cells; those before the limit are begun in order, not ended so */
    atomic_int why;         /* of the first to stop */
    uint32_t level;         /* of the cells before the limit; who has done the last one writes it */
    pthread_mutex_t mutex;
    pthread_cond_t moved; /* the limit, or `why` */
};

static void stop_run(struct run *r, int why) {
    int none = 0;
    hd_mem_lock(&r->mutex);
    atomic_compare_exchange_strong(&r->why, &none, why);
    pthread_cond_broadcast(&r->moved);
    hd_mem_unlock(&r->mutex);
}

/* All cells before the limit are done: those of the next level that has any can be begun. */
static void begin_level(struct run *r) {
    size_t limit = atomic_load(&r->limit);
    assert(atomic_load(&r->done) == limit && limit < r->end);
    do
        r->work->begin(r->work->context, ++r->level);
    while (r->cells->first[r->level + 1] == limit);
    hd_mem_lock(&r->mutex);
    atomic_store(&r->limit, r->cells->first[r->level + 1]);
    pthread_cond_broadcast(&r->moved);
    hd_mem_unlock(&r->mutex);
}

static void finish_cells(struct run *r, size_t count) {
    /* No cell after the limit is begun before this, so that the limit stays. */
    size_t done = atomic_fetch_add(&r->done, count) + count;
    if (done < r->end && done == atomic_load(&r->limit))
        begin_level(r);
}

static void wait_for_level(struct run *r, size_t cell) {
    hd_mem_lock(&r->mutex);
    while (cell >= atomic_load(&r->limit) && !atomic_load(&r->why))
        pthread_cond_wait(&r->moved, &r->mutex);
    hd_mem_unlock(&r->mutex);
}

/* So many cells are taken at a time of those that are left of a level: a cell can take less than a
 * microsecond, and workers would wait for each other to take one; but at the end of a level, for
 * who has the last ones. */
static size_t cells_at_a_time(const struct run *r, size_t left) {
    enum { PARTS = 4, MOST_TAKEN = 16 };
    size_t count = left / (PARTS * (size_t)r->workers);
    return count < 1 ? 1 : count < MOST_TAKEN ? count : MOST_TAKEN;
}

/* Cells that can be begun, and the first of them; 0 when there is no more. */
static size_t next_cells(struct run *r, size_t *first) {
    size_t cell = atomic_load(&r->next);
    while (cell < r->end && !atomic_load(&r->why)) {
        size_t limit = atomic_load(&r->limit);
        if (cell >= limit) {
            wait_for_level(r, cell);
            cell = atomic_load(&r->next);
            continue;
        }
        size_t count = cells_at_a_time(r, limit - cell);
        *first = cell;
        if (atomic_compare_exchange_weak(&r->next, &cell, cell + count))
            return count;
    }
    return 0;
}

static int take_cells(struct run *r, unsigned worker) {
    size_t first, count;
    while ((count = next_cells(r, &first)) > 0) {
        int why = 0;
        for (size_t i = 0; i < count && !why; i++)
            why = r->work->take(r->work->context, worker, r->level, first + i);
        if (why)
            stop_run(r, why);
        else
            finish_cells(r, count);
    }
    return atomic_load(&r->why);
}

/* The others would wait for a cell that something fatal ends. */
static int work_on_cells(void *context, unsigned worker, size_t job) {
    struct run *r = context;
    hd_mem_guard guard;
    (void)job;
    if (!hd_mem_guarded())
        return take_cells(r, worker);
    hd_mem_guard_begin(&guard);
    if (setjmp(guard.at) != 0) {
        stop_run(r, HD_CUT_LIMITED);
        hd_mem_fatal("%s", guard.text);
    }
    int why = take_cells(r, worker);
    hd_mem_guard_end(&guard);
    return why;
}

int hd_cut_cells_run(const hd_cut_cells *cells, uint32_t from, uint32_t to, unsigned workers,
                     const hd_cut_cells_work *work, double *seconds) {
    struct run r = {.cells = cells,
                    .work = work,
                    .workers = workers,
                    .end = cells->first[to + 1],
                    .level = from};
    size_t first = cells->first[from];
    assert(from <= to && to < cells->levels);
    atomic_init(&r.next, first);
    atomic_init(&r.done, first);
    atomic_init(&r.limit, first);
    pthread_mutex_init(&r.mutex, NULL);
    pthread_cond_init(&r.moved, NULL);
    work->begin(work->context, from);
    atomic_store(&r.limit, cells->first[from + 1]);
    if (cells->first[from + 1] == first && first < r.end)
        begin_level(&r);
    int why = hd_cut_share(workers, workers, work_on_cells, &r, seconds);
    why = atomic_load(&r.why) ? atomic_load(&r.why) : why;
    assert(why || atomic_load(&r.done) == r.end);
    pthread_cond_destroy(&r.moved);
    pthread_mutex_destroy(&r.mutex);
    return why;
}
