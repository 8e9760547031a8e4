#include "cut_cells.h"

#include <pthread.h>
#include <string.h>

struct cells {
    const hd_cut_space *space;
    uint32_t places;
    unsigned ring;
    size_t *step; /* [place]: cells between neighbouring counts */
    size_t count; /* of all cells */
    hd_cut_take_cell *take;
    void *context;
    uint32_t **counts; /* [worker] */

    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t moved;
    uint8_t *missing; /* [cell]: cells before it that are not done */
    hd_vec_u64 ready; /* a heap, the least first */
    size_t done;      /* cells */
    unsigned waiting; /* workers */
    int why;          /* of the first to stop */
};

uint32_t hd_cut_cells_places(const hd_cut_space *space, uint32_t most, unsigned workers) {
    enum { EACH = 512, MOST = 1 << 20 }; /* cells: so many for each worker, no more in all */
    uint32_t places = 0;
    double cells = 1;
    while (places < most && (places < 2 || cells < (double)EACH * workers)) {
        double more = cells * ((double)space->length[places] + 1);
        if (places >= 2 && more > MOST)
            break;
        cells = more;
        places++;
    }
    return places >= 2 && cells <= MOST ? places : 0;
}

/* ---- Cells that can be done ---- */

static void push_ready(struct cells *c, size_t cell) {
    hd_vec_push(&c->ready, cell);
    uint64_t *heap = c->ready.data;
    size_t at = c->ready.length - 1;
    for (; at && heap[(at - 1) / 2] > cell; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = cell;
}

static size_t pop_ready(struct cells *c) {
    uint64_t *heap = c->ready.data, first = heap[0], last = hd_vec_pop(&c->ready);
    size_t length = c->ready.length, at = 0, child;
    for (; (child = 2 * at + 1) < length; at = child) {
        child += child + 1 < length && heap[child + 1] < heap[child];
        if (heap[child] >= last)
            break;
        heap[at] = heap[child];
    }
    if (length)
        heap[at] = last;
    return (size_t)first;
}

/* ---- What a cell waits for ---- */

static void set_counts(const struct cells *c, size_t cell, uint32_t *counts) {
    for (uint32_t p = 0; p < c->places; p++) {
        counts[p] = (uint32_t)(cell / c->step[p]);
        cell %= c->step[p];
    }
}

/* The first cell of a slab takes the place of another slab in the ring.  It waits until the slab
 * after that one, which reads it, is done. */
static bool waits_for_ring(const struct cells *c, size_t cell) {
    return cell % c->step[0] == 0 && cell / c->step[0] + 1 >= c->ring;
}

static void set_missing(struct cells *c, uint32_t *counts) {
    for (size_t cell = 0; cell < c->count; cell++) {
        unsigned missing = waits_for_ring(c, cell);
        set_counts(c, cell, counts);
        for (uint32_t p = 0; p < c->places; p++)
            missing += counts[p] > 0;
        c->missing[cell] = (uint8_t)missing;
    }
}

/* One that it waited for is done.  Can it be done itself? */
static bool has_all(struct cells *c, size_t cell) {
    assert(c->missing[cell]);
    return --c->missing[cell] == 0;
}

/* With the mutex held: the cell is done.  The next one for the same worker, c->count: none. */
static size_t finish_cell(struct cells *c, size_t cell, const uint32_t *counts) {
    size_t next = c->count, slab = c->step[0];
    c->done++;
    for (uint32_t p = c->places; p-- > 0;) {
        size_t after = cell + c->step[p];
        if (counts[p] == c->space->length[p] || !has_all(c, after))
            continue;
        if (next == c->count)
            next = after;
        else
            push_ready(c, after);
    }
    size_t freed = cell + 1 + (c->ring - 2) * slab; /* if it was the last of its slab */
    if ((cell + 1) % slab == 0 && freed < c->count && has_all(c, freed))
        push_ready(c, freed);
    return next;
}

/* ---- Workers ---- */

static void wake_others(struct cells *c) {
    if (c->done == c->count || c->why)
        pthread_cond_broadcast(&c->moved);
    for (size_t i = 0; i < c->waiting && i < c->ready.length; i++)
        pthread_cond_signal(&c->moved);
}

/* With the mutex held: a cell, or c->count when all is over. */
static size_t wait_for_cell(struct cells *c) {
    while (!c->why && c->done < c->count && !c->ready.length) {
        c->waiting++;
        pthread_cond_wait(&c->moved, &c->mutex);
        c->waiting--;
    }
    return c->why || !c->ready.length ? c->count : pop_ready(c);
}

static int stop_cells(struct cells *c, int why) {
    hd_mem_lock(&c->mutex);
    c->why = c->why ? c->why : why;
    pthread_cond_broadcast(&c->moved);
    hd_mem_unlock(&c->mutex);
    return why;
}

static int take_cells(struct cells *c, unsigned worker) {
    uint32_t *counts = c->counts[worker];
    size_t cell = c->count;
    for (;;) {
        hd_mem_lock(&c->mutex);
        if (cell < c->count)
            cell = finish_cell(c, cell, counts);
        wake_others(c);
        if (cell == c->count || c->why)
            cell = wait_for_cell(c);
        hd_mem_unlock(&c->mutex);
        if (cell == c->count)
            return 0;
        set_counts(c, cell, counts);
        int why = c->take(c->context, worker, counts);
        if (why)
            return stop_cells(c, why);
    }
}

/* The others would wait for a cell that something fatal ends. */
static int work_on_cells(void *context, unsigned worker, size_t job) {
    struct cells *c = context;
    hd_mem_guard guard;
    (void)job;
    if (!hd_mem_guarded())
        return take_cells(c, worker);
    hd_mem_guard_begin(&guard);
    if (setjmp(guard.at) != 0) {
        stop_cells(c, HD_CUT_LIMITED);
        hd_mem_fatal("%s", guard.text);
    }
    int why = take_cells(c, worker);
    hd_mem_guard_end(&guard);
    return why;
}

int hd_cut_cells(const hd_cut_space *space, uint32_t places, unsigned ring, unsigned workers,
                 hd_cut_take_cell *take, void *context, double *seconds) {
    struct cells c = {.space = space,
                      .places = places,
                      .ring = ring,
                      .step = HD_NEW_ARRAY(size_t, places),
                      .count = 1,
                      .take = take,
                      .context = context,
                      .counts = HD_NEW_ARRAY(uint32_t *, workers)};
    assert(places && ring >= 2);
    for (uint32_t p = places; p-- > 0;) {
        c.step[p] = c.count;
        c.count *= (size_t)space->length[p] + 1;
    }
    for (unsigned i = 0; i < workers; i++)
        c.counts[i] = HD_NEW_ARRAY(uint32_t, places);
    c.missing = HD_NEW_ARRAY(uint8_t, c.count);
    set_missing(&c, c.counts[0]);
    pthread_mutex_init(&c.mutex, NULL);
    pthread_cond_init(&c.moved, NULL);
    assert(!c.missing[0]);
    push_ready(&c, 0);
    int why = hd_cut_share(workers, workers, work_on_cells, &c, seconds);
    why = c.why ? c.why : why;
    assert(why || c.done == c.count);
    pthread_cond_destroy(&c.moved);
    pthread_mutex_destroy(&c.mutex);
    for (unsigned i = 0; i < workers; i++)
        free(c.counts[i]);
    free(c.counts);
    hd_vec_release(&c.ready);
    free(c.missing);
    free(c.step);
    return why;
}
