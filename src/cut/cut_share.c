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
    hd_cut_job *job;
    void *context;
    double *seconds;
    size_t jobs;
    atomic_size_t next;
    atomic_int why; /* of the first to stop; 0: none */
};

static double thread_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A job that something fatal ends, ends them all. */
static int do_job(struct crew *crew, unsigned worker, size_t i) {
    hd_mem_guard guard;
    if (!hd_mem_guarded())
        return crew->job(crew->context, worker, i);
    hd_mem_guard_begin(&guard);
    if (setjmp(guard.at) != 0) {
        int none = 0;
        atomic_compare_exchange_strong(&crew->why, &none, HD_CUT_LIMITED);
        hd_mem_fatal("%s", guard.text);
    }
    int why = crew->job(crew->context, worker, i);
    hd_mem_guard_end(&guard);
    return why;
}

static void share_work(void *context, unsigned worker) {
    struct crew *crew = context;
    double started = thread_seconds();
    size_t i;
    while (!atomic_load(&crew->why) && (i = atomic_fetch_add(&crew->next, 1)) < crew->jobs) {
        int none = 0, why = do_job(crew, worker, i);
        if (why)
            atomic_compare_exchange_strong(&crew->why, &none, why);
    }
    if (crew->seconds)
        crew->seconds[worker] += thread_seconds() - started;
}

int hd_cut_share(unsigned workers, size_t jobs, hd_cut_job *job, void *context, double *seconds) {
    struct crew crew = {.job = job, .context = context, .seconds = seconds, .jobs = jobs};
    hd_pool *pool = hd_pool_create(workers);
    for (unsigned i = 0; i < workers; i++)
        hd_pool_submit(pool, share_work, &crew);
    hd_pool_free(pool);
    assert(atomic_load(&crew.why) || atomic_load(&crew.next) >= jobs); /* all were begun */
    return atomic_load(&crew.why);
}

HD_ASSERT_ONLY static bool is_interval(const hd_cut_space *space, const uint32_t *least,
                                       const uint32_t *most) {
    for (uint32_t p = 0; p < space->threads; p++)
        if (least[p] > most[p])
            return false;
    return true;
}

/* What visits the states of an interval, and in which order they are to come out. */
static int visit_interval(const hd_cut_subroutine *subroutine, hd_cut_visitor *visitor, size_t job,
                          const uint32_t *least, const uint32_t *most) {
    HD_COSTLY_ASSERT(hd_cut_seems_consistent(subroutine->space, least) &&
                     hd_cut_seems_consistent(subroutine->space, most));
    assert(is_interval(subroutine->space, least, most));
    hd_cut_begin_job(visitor, job);
    int why = hd_cut_enumerate(subroutine, least, most, visitor);
    hd_cut_end_job(visitor, job);
    return why;
}

/* ---- ParaMount ---- */

struct paramount {
    const hd_cut_subroutine *subroutine;
    hd_cut_visitor *visitors;
    uint32_t *place_of; /* [thread of the trace]: its place */
    uint32_t **bounds;  /* [worker]: least, most */
    uint32_t *reached;  /* [worker]: the event up to which `most` goes */
};

static void first_state(const hd_cut_space *space, uint32_t event, uint32_t place,
                        uint32_t *least) {
    uint32_t count = space->order->index.position[event];
    memcpy(least, hd_cut_low(space, place, count), space->stride * sizeof *least);
    least[place] = event == 1 ? 0 : count;
}

HD_ASSERT_ONLY static uint64_t count_events(const hd_cut_space *space, const uint32_t *state) {
    uint64_t events = 0;
    for (uint32_t p = 0; p < space->threads; p++)
        events += state[p];
    return events;
}

static int take_event(void *context, unsigned worker, size_t job) {
    const struct paramount *p = context;
    const hd_cut_space *space = p->subroutine->space;
    uint32_t *least = p->bounds[worker], *most = least + space->stride, event = (uint32_t)job + 1;
    assert(p->reached[worker] < event); /* jobs are begun in order */
    while (p->reached[worker] < event)  /* the counts after the events up to this one */
        most[p->place_of[hd_order_thread_of(space->order, ++p->reached[worker])]]++;
    assert(count_events(space, most) == event); /* so the intervals have no state in common */
    first_state(space, event, p->place_of[hd_order_thread_of(space->order, event)], least);
    return visit_interval(p->subroutine, &p->visitors[worker], job, least, most);
}

int hd_cut_paramount(const hd_cut_subroutine *subroutine, unsigned workers,
                     hd_cut_visitor *visitors, double *seconds) {
    const hd_cut_space *space = subroutine->space;
    struct paramount p = {.subroutine = subroutine, .visitors = visitors};
    p.place_of = HD_NEW_ARRAY(uint32_t, hd_order_threads(space->order) + 1);
    for (uint32_t i = 0; i < space->threads; i++)
        p.place_of[space->thread[i]] = i;
    p.reached = HD_NEW_ARRAY(uint32_t, workers);
    p.bounds = HD_NEW_ARRAY(uint32_t *, workers);
    for (unsigned i = 0; i < workers; i++)
        p.bounds[i] = HD_NEW_ARRAY(uint32_t, 2 * (size_t)space->stride + 1);
    int why = hd_cut_share(workers, hd_order_length(space->order), take_event, &p, seconds);
    for (unsigned i = 0; i < workers; i++)
        free(p.bounds[i]);
    free(p.bounds);
    free(p.reached);
    free(p.place_of);
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
    assert(count_events(space, most) == event && is_interval(space, least, most));
}

/* ---- Prefixes ---- */

enum { JOBS_A_WORKER = 64, MOST_JOBS = 1 << 16 };

/* Intervals in which the first threads' counts are fixed, one more than now. */
static void split_intervals(const hd_cut_space *space, hd_vec_u32 *intervals, uint32_t thread) {
    size_t stride = space->stride;
    hd_vec_u32 finer = {0};
    for (size_t i = 0; i < intervals->length; i += 2 * stride) {
        const uint32_t *least = intervals->data + i, *most = least + stride;
        assert(is_interval(space, least, most));
        for (uint32_t count = least[thread]; count <= most[thread]; count++) {
            hd_vec_reserve(&finer, finer.length + 2 * stride);
            uint32_t *to = finer.data + finer.length;
            hd_cut_narrow(to, to + stride, least, most, hd_cut_low(space, thread, count),
                          hd_cut_high(space, thread, count), 0, space->stride);
            to[thread] = to[stride + thread] = count;
            HD_COSTLY_ASSERT(hd_cut_seems_consistent(space, to) &&
                             hd_cut_seems_consistent(space, to + stride));
            finer.length += 2 * stride;
        }
    }
    hd_vec_release(intervals);
    *intervals = finer;
}

struct prefixes {
    const hd_cut_subroutine *subroutine;
    hd_cut_visitor *visitors;
    const uint32_t *intervals; /* `least`, then `most`, of each */
};

static int take_prefix(void *context, unsigned worker, size_t job) {
    const struct prefixes *p = context;
    uint32_t stride = p->subroutine->space->stride;
    const uint32_t *least = p->intervals + 2 * job * stride;
    return visit_interval(p->subroutine, &p->visitors[worker], job, least, least + stride);
}

void hd_cut_intervals(const hd_cut_space *space, size_t wanted, uint32_t whole,
                      hd_vec_u32 *intervals) {
    size_t stride = space->stride;
    hd_vec_resize(intervals, 2 * stride);
    if (stride)
        memcpy(intervals->data + stride, space->length, stride * sizeof *intervals->data);
    for (uint32_t thread = 0; thread + whole < space->threads; thread++) {
        size_t jobs = intervals->length / (2 * stride);
        if (jobs >= wanted || (jobs > 1 && jobs * (space->length[thread] + 1) > MOST_JOBS))
            break;
        split_intervals(space, intervals, thread);
    }
}

int hd_cut_prefixes(const hd_cut_subroutine *subroutine, unsigned workers, hd_cut_visitor *visitors,
                    double *seconds) {
    size_t stride = subroutine->space->stride;
    hd_vec_u32 intervals = {0};
    hd_cut_intervals(subroutine->space, (size_t)workers * JOBS_A_WORKER, 2, &intervals);
    struct prefixes p = {subroutine, visitors, intervals.data};
    int why = hd_cut_share(workers, intervals.length / (2 * stride), take_prefix, &p, seconds);
    hd_vec_release(&intervals);
    return why;
}

/* ---- Parts ---- */

struct parts {
    const hd_cut_space *space;
    size_t count;
    hd_cut_take_interval *take;
    void *context;
};

void hd_cut_part(const hd_cut_space *space, size_t parts, size_t part, uint32_t *from,
                 uint32_t *to) {
    uint64_t counts = (uint64_t)space->length[0] + 1;
    *from = (uint32_t)(counts * part / parts);
    *to = (uint32_t)(counts * (part + 1) / parts) - 1;
    assert(*from <= *to && *to < counts);
}

static int take_interval(const hd_cut_space *space, size_t parts, size_t part,
                         hd_cut_take_interval *take, void *context, unsigned worker) {
    uint32_t *least = HD_NEW_ARRAY(uint32_t, 2 * (size_t)space->stride + 1);
    uint32_t *most = least + space->stride, from, to;
    hd_cut_part(space, parts, part, &from, &to);
    hd_cut_narrow(least, most, least, space->length, hd_cut_low(space, 0, from),
                  hd_cut_high(space, 0, to), 0, space->stride);
    least[0] = from;
    most[0] = to;
    HD_COSTLY_ASSERT(hd_cut_seems_consistent(space, least) && hd_cut_seems_consistent(space, most));
    assert(is_interval(space, least, most));
    int why = take(context, worker, least, most);
    free(least);
    return why;
}

static int take_part(void *context, unsigned worker, size_t job) {
    const struct parts *p = context;
    return take_interval(p->space, p->count, job, p->take, p->context, worker);
}

int hd_cut_one_part(const hd_cut_space *space, size_t parts, size_t part,
                    hd_cut_take_interval *take, void *context) {
    return take_interval(space, parts, part, take, context, 0);
}
int hd_cut_parts(const hd_cut_space *space, unsigned workers, size_t parts,
                 hd_cut_take_interval *take, void *context, double *seconds) {
    size_t counts = (size_t)space->length[0] + 1;
    struct parts p = {space, parts < counts ? parts : counts, take, context};
    return hd_cut_share(workers, p.count, take_part, &p, seconds);
}
