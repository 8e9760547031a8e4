/*
 * ParaMount: Chang, Algorithms 2 and 3.
 *
 *   paper                      here
 *   the total order of events  numbers of events in the trace
 *   Gmin(e), Gbnd(e)           least, most
 *   ParamountWorker            work
 *   getNextEventInTotalOrder   next_event
 *
 * Mended: the empty state, which no interval as printed has, belongs to the
 * first one.
 *
 * A worker's Gbnd is carried along from event to event: each event is added once
 * a worker.
 */
#include "cut_share.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "cut_simd.h"

int hd_cut_enumerate(const hd_cut_subroutine *s, const uint32_t *least, const uint32_t *most,
                     hd_cut_visitor *visitor) {
    switch (s->algorithm) {
    case HD_CUT_BFS:
        return hd_cut_bfs(s->space, least, most, s->memory, visitor);
    case HD_CUT_DFS:
        return hd_cut_dfs(s->space, least, most, s->memory, visitor);
    case HD_CUT_TREE:
        return hd_cut_tree(s->space, s->covers, least, most, visitor);
    case HD_CUT_LEX:
        return hd_cut_lex(s->space, least, most, visitor);
    case HD_CUT_QUICKLEX:
        return hd_cut_quicklex(s->space, s->covers, least, most, visitor);
    default:
        return hd_cut_bounds(s->space, least, most, visitor);
    }
}

/* ---- Workers ---- */

struct crew {
    const hd_cut_subroutine *subroutine;
    hd_cut_visitor *visitors;
    double *seconds;
    uint32_t *place_of;        /* ParaMount: [thread of the trace]: its place */
    const uint32_t *intervals; /* prefixes: `least`, then `most`, of each */
    size_t count;              /* of intervals, or events */
    atomic_size_t next;
    atomic_int why; /* of the first to stop; 0: none */
};

static double thread_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void take(struct crew *crew, unsigned worker, const uint32_t *least, const uint32_t *most) {
    int none = 0, why = hd_cut_enumerate(crew->subroutine, least, most, &crew->visitors[worker]);
    if (why)
        atomic_compare_exchange_strong(&crew->why, &none, why);
}

static void take_prefixes(struct crew *crew, unsigned worker) {
    uint32_t stride = crew->subroutine->space->stride;
    size_t i;
    while (!atomic_load(&crew->why) && (i = atomic_fetch_add(&crew->next, 1)) < crew->count) {
        const uint32_t *least = crew->intervals + 2 * i * stride;
        take(crew, worker, least, least + stride);
    }
}

/* The counts of all threads after the events up to this number; from where it was. */
static void advance(const struct crew *crew, uint32_t *most, uint32_t *reached, uint32_t event) {
    const hd_order *order = crew->subroutine->space->order;
    while (*reached < event)
        most[crew->place_of[hd_order_thread_of(order, ++*reached)]]++;
}

static void first_state(const hd_cut_space *space, uint32_t event, uint32_t place,
                        uint32_t *least) {
    uint32_t count = space->order->index.position[event];
    memcpy(least, hd_cut_low(space, place, count), space->stride * sizeof *least);
    least[place] = event == 1 ? 0 : count;
}

static void take_events(struct crew *crew, unsigned worker) {
    const hd_cut_space *space = crew->subroutine->space;
    uint32_t *least = HD_NEW_ARRAY(uint32_t, 2 * (size_t)space->stride + 1);
    uint32_t *most = least + space->stride, reached = 0;
    size_t i;
    while (!atomic_load(&crew->why) && (i = atomic_fetch_add(&crew->next, 1)) < crew->count) {
        uint32_t event = (uint32_t)i + 1;
        advance(crew, most, &reached, event);
        first_state(space, event, crew->place_of[hd_order_thread_of(space->order, event)], least);
        take(crew, worker, least, most);
    }
    free(least);
}

static void work(void *context, unsigned worker) {
    struct crew *crew = context;
    double started = thread_seconds();
    if (crew->intervals)
        take_prefixes(crew, worker);
    else
        take_events(crew, worker);
    if (crew->seconds)
        crew->seconds[worker] += thread_seconds() - started;
}

static int run(struct crew *crew, unsigned workers) {
    hd_pool *pool = hd_pool_create(workers);
    for (unsigned i = 0; i < workers; i++)
        hd_pool_submit(pool, work, crew);
    hd_pool_free(pool);
    return atomic_load(&crew->why);
}

/* ---- ParaMount ---- */

int hd_cut_paramount(const hd_cut_subroutine *subroutine, unsigned workers,
                     hd_cut_visitor *visitors, double *seconds) {
    const hd_cut_space *space = subroutine->space;
    struct crew crew = {.subroutine = subroutine, .visitors = visitors, .seconds = seconds};
    crew.count = hd_order_length(space->order);
    crew.place_of = HD_NEW_ARRAY(uint32_t, hd_order_threads(space->order) + 1);
    for (uint32_t p = 0; p < space->threads; p++)
        crew.place_of[space->thread[p]] = p;
    int why = run(&crew, workers);
    free(crew.place_of);
    return why;
}

void hd_cut_event_interval(const hd_cut_space *space, uint32_t event, uint32_t *least,
                           uint32_t *most) {
    uint32_t thread = hd_order_thread_of(space->order, event);
    memset(most, 0, space->stride * sizeof *most);
    for (uint32_t p = 0; p < space->threads; p++) {
        const uint32_t *events = hd_trace_list(&space->order->index.threads, space->thread[p]);
        uint32_t from = 0, to = space->length[p];
        while (from < to) {
            uint32_t middle = from + (to - from) / 2;
            if (events[middle] <= event)
                from = middle + 1;
            else
                to = middle;
        }
        most[p] = from;
        if (space->thread[p] == thread)
            first_state(space, event, p, least);
    }
}

/* ---- Prefixes ---- */

enum { JOBS_A_WORKER = 64, MOST_JOBS = 1 << 16 };

/* Intervals in which the first threads' counts are fixed, one more than now. */
static void split(const hd_cut_space *space, hd_vec_u32 *intervals, uint32_t thread) {
    size_t stride = space->stride;
    hd_vec_u32 finer = {0};
    for (size_t i = 0; i < intervals->length; i += 2 * stride) {
        const uint32_t *least = intervals->data + i, *most = least + stride;
        for (uint32_t count = least[thread]; count <= most[thread]; count++) {
            hd_vec_reserve(&finer, finer.length + 2 * stride);
            uint32_t *to = finer.data + finer.length;
            hd_cut_narrow(to, to + stride, least, most, hd_cut_low(space, thread, count),
                          hd_cut_high(space, thread, count), 0, space->stride);
            to[thread] = to[stride + thread] = count;
            finer.length += 2 * stride;
        }
    }
    hd_vec_release(intervals);
    *intervals = finer;
}

int hd_cut_prefixes(const hd_cut_subroutine *subroutine, unsigned workers, hd_cut_visitor *visitors,
                    double *seconds) {
    const hd_cut_space *space = subroutine->space;
    size_t stride = space->stride, wanted = (size_t)workers * JOBS_A_WORKER;
    hd_vec_u32 intervals = {HD_NEW_ARRAY(uint32_t, 2 * stride), 2 * stride, 2 * stride};
    memcpy(intervals.data + stride, space->length, stride * sizeof *intervals.data);
    for (uint32_t thread = 0; thread + 2 < space->threads; thread++) {
        size_t jobs = intervals.length / (2 * stride);
        if (jobs >= wanted || (jobs > 1 && jobs * (space->length[thread] + 1) > MOST_JOBS))
            break;
        split(space, &intervals, thread);
    }
    struct crew crew = {.subroutine = subroutine, .visitors = visitors, .seconds = seconds};
    crew.intervals = intervals.data;
    crew.count = intervals.length / (2 * stride);
    int why = run(&crew, workers);
    hd_vec_release(&intervals);
    return why;
}
