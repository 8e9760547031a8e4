#include "predicate_strong.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct hd_predicate_strong {
    const hd_trace_tables *tables;
    hd_trace trace; /* with the tables lent to it */
    pthread_mutex_t lock;
    bool ordered; /* the rest is of the trace as it is */
    hd_order order;
    hd_cut_space space;
    hd_cut_loset loset;
    hd_cut_normal *normal;
    uint32_t *state;
};

hd_predicate_strong *hd_predicate_strong_create(const hd_trace_tables *tables) {
    hd_predicate_strong *strong = HD_NEW(hd_predicate_strong);
    strong->tables = tables;
    pthread_mutex_init(&strong->lock, NULL);
    return strong;
}

static void forget_order(hd_predicate_strong *strong) {
    if (!strong->ordered)
        return;
    free(strong->state);
    hd_cut_normal_free(strong->normal);
    hd_cut_loset_release(&strong->loset);
    hd_cut_space_release(&strong->space);
    hd_order_release(&strong->order);
    strong->ordered = false;
}

void hd_predicate_strong_free(hd_predicate_strong *strong) {
    if (!strong)
        return;
    forget_order(strong);
    strong->trace.tables = (hd_trace_tables){0};
    hd_trace_release(&strong->trace);
    pthread_mutex_destroy(&strong->lock);
    free(strong);
}

void hd_predicate_strong_take(hd_predicate_strong *strong, const heddle_event *event) {
    forget_order(strong);
    hd_trace_append(&strong->trace, *event);
}

static void put_in_order(hd_predicate_strong *strong) {
    hd_error error;
    strong->trace.tables = *strong->tables;
    hd_order_init(&strong->order, &strong->trace);
    unsigned what =
        HD_ORDER_LOSET_CLOCKS | HD_ORDER_LOSET_REVERSE | HD_ORDER_SCOPES | HD_ORDER_HELD;
    bool good = hd_order_need(&strong->order, what, SIZE_MAX, &error);
    assert(good); /* without a limit */
    (void)good;
    hd_cut_space_init(&strong->space, &strong->order, HD_ORDER_LOSET, NULL);
    hd_cut_loset_init(&strong->loset, &strong->space, true);
    strong->normal = hd_cut_normal_create(&strong->loset);
    strong->state = HD_NEW_ARRAY(uint32_t, strong->space.stride + 1);
    strong->ordered = true;
}

bool hd_predicate_strong_holds(hd_predicate_strong *strong, const uint32_t *threads,
                               const uint32_t *state, uint32_t count) {
    hd_mem_lock(&strong->lock);
    if (!strong->ordered)
        put_in_order(strong);
    memset(strong->state, 0, strong->space.stride * sizeof *strong->state);
    HD_ASSERT_ONLY uint32_t found = 0, wanted = 0;
    for (uint32_t p = 0; p < strong->space.threads; p++)
        for (uint32_t i = 0; i < count; i++)
            if (threads[i] == strong->space.thread[p]) {
                strong->state[p] = state[i];
                found += state[i] != 0;
            }
    for (uint32_t i = 0; i < count; i++)
        wanted += state[i] != 0;
    assert(found == wanted); /* a thread with events has a place */
    HD_COSTLY_ASSERT(hd_cut_seems_consistent(&strong->space, strong->state));
    bool holds = hd_cut_strongly_feasible(strong->normal, strong->state);
    hd_mem_unlock(&strong->lock);
    return holds;
}
