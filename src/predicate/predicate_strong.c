#include "predicate_strong.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct worker {
    hd_cut_normal *normal; /* NULL: it has not asked yet */
    uint32_t *state;
};

struct hd_predicate_strong {
    const hd_trace_tables *tables;
    hd_predicate_window window;
    pthread_mutex_t lock; /* while the trace is put in order */
    atomic_bool ordered;  /* the rest is of the window as it is */
    hd_trace trace;       /* the window's, with the tables lent to it */
    hd_trace_loset before;
    hd_order order;
    hd_cut_space space;
    hd_cut_loset loset;
    hd_vec_u32 open; /* [thread]: events that stayed of those that were forgotten */
    struct worker *workers;
    unsigned worker_count;
};

hd_predicate_strong *hd_predicate_strong_create(const hd_trace_tables *tables, unsigned workers) {
    hd_predicate_strong *strong = HD_NEW(hd_predicate_strong);
    enum { SLACK = 256 };
    strong->tables = tables;
    strong->window.slack = SLACK;
    strong->worker_count = workers;
    strong->workers = HD_NEW_ARRAY(struct worker, workers);
    pthread_mutex_init(&strong->lock, NULL);
    return strong;
}

static void forget_order(hd_predicate_strong *strong) {
    if (!atomic_load_explicit(&strong->ordered, memory_order_relaxed))
        return;
    for (unsigned i = 0; i < strong->worker_count; i++) {
        if (strong->workers[i].normal)
            hd_cut_normal_free(strong->workers[i].normal);
        free(strong->workers[i].state);
        strong->workers[i] = (struct worker){0};
    }
    hd_cut_loset_release(&strong->loset);
    hd_cut_space_release(&strong->space);
    hd_order_release(&strong->order);
    hd_vec_release(&strong->before.edges);
    strong->trace = (hd_trace){0};
    atomic_store(&strong->ordered, false);
}

void hd_predicate_strong_free(hd_predicate_strong *strong) {
    if (!strong)
        return;
    forget_order(strong);
    hd_predicate_window_release(&strong->window);
    hd_vec_release(&strong->open);
    pthread_mutex_destroy(&strong->lock);
    free(strong->workers);
    free(strong);
}

void hd_predicate_strong_take(hd_predicate_strong *strong, uint32_t number,
                              const heddle_event *event) {
    forget_order(strong);
    hd_predicate_window_take(&strong->window, number, event);
}

void hd_predicate_strong_forget(hd_predicate_strong *strong, const hd_predicate_online *online,
                                uint64_t kept) {
    forget_order(strong);
    hd_predicate_window_forget_but(&strong->window, online, kept);
}

static void count_open(hd_predicate_strong *strong) {
    hd_vec_clear(&strong->open);
    for (uint32_t n = 1; n <= hd_trace_length(&strong->trace); n++) {
        uint32_t thread = hd_trace_event(&strong->trace, n)->thread;
        if (strong->open.length <= thread)
            hd_vec_resize(&strong->open, thread + 1);
        strong->open.data[thread] += n <= strong->window.open;
    }
}

static void put_in_order(hd_predicate_strong *strong) {
    hd_error error;
    strong->trace = strong->window.trace; /* lent */
    strong->trace.tables = *strong->tables;
    hd_predicate_window_before(&strong->window, &strong->before);
    strong->trace.loset = strong->before.edges.length ? &strong->before : NULL;
    count_open(strong);
    hd_order_init(&strong->order, &strong->trace);
    unsigned what =
        HD_ORDER_LOSET_CLOCKS | HD_ORDER_LOSET_REVERSE | HD_ORDER_SCOPES | HD_ORDER_HELD;
    bool good = hd_order_need(&strong->order, what, SIZE_MAX, &error);
    assert(good); /* without a limit */
    (void)good;
    hd_cut_space_init(&strong->space, &strong->order, HD_ORDER_LOSET, NULL);
    hd_cut_loset_init(&strong->loset, &strong->space, true);
}

/* Once for all workers. */
static void need_order(hd_predicate_strong *strong) {
    if (atomic_load_explicit(&strong->ordered, memory_order_acquire))
        return;
    hd_mem_lock(&strong->lock);
    if (!atomic_load_explicit(&strong->ordered, memory_order_relaxed)) {
        put_in_order(strong);
        atomic_store_explicit(&strong->ordered, true, memory_order_release);
    }
    hd_mem_unlock(&strong->lock);
}

bool hd_predicate_strong_holds(hd_predicate_strong *strong, unsigned worker,
                               const uint32_t *threads, const uint32_t *state, uint32_t count) {
    need_order(strong);
    struct worker *w = &strong->workers[worker];
    const hd_cut_space *space = &strong->space;
    if (!w->normal) {
        w->normal = hd_cut_normal_create(&strong->loset);
        w->state = HD_NEW_ARRAY(uint32_t, space->stride + 1);
    }
    for (uint32_t p = 0; p < space->threads; p++) {
        uint32_t thread = space->thread[p];
        w->state[p] = strong->open.data[thread];
        for (uint32_t i = 0; i < count; i++)
            if (threads[i] == thread) {
                uint32_t gone =
                    thread < strong->window.gone.length ? strong->window.gone.data[thread] : 0;
                assert(state[i] >= gone);
                w->state[p] += state[i] - gone;
            }
    }
    HD_COSTLY_ASSERT(hd_cut_seems_feasible(&strong->loset, w->state));
    return hd_cut_strongly_feasible(w->normal, w->state);
}
