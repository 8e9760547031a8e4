/*
 * Holds: the acquires that are not re-entrant, with the releases that the index
 * has for them, listed by lock and by thread.
 */
#include "order_scope.h"

static bool begins_scope(const heddle_event *event) {
    return hd_trace_acquires(event) && !(event->flags & HEDDLE_REENTRANT);
}

/* The release in the index is that of the acquire's own level, and the outermost
 * level is the hold. */
static hd_order_scope scope_at(const hd_trace_index *index, uint32_t acquire) {
    const heddle_event *event = hd_trace_event(index->trace, acquire);
    HD_ASSERT_ONLY const heddle_event *end =
        index->pair[acquire] ? hd_trace_event(index->trace, index->pair[acquire]) : event;
    assert(!index->pair[acquire] || index->pair[acquire] > acquire);
    assert(end->thread == event->thread && end->object == event->object);
    return (hd_order_scope){.lock = event->object,
                            .thread = event->thread,
                            .acquire = acquire,
                            .release = index->pair[acquire],
                            .reading = hd_trace_is_shared(event)};
}

static void gather_scopes(hd_order_scopes *scopes, const hd_trace_index *index) {
    HD_VEC(hd_order_scope) all = {0};
    uint32_t length = hd_trace_length(index->trace);
    for (uint32_t number = 1; number <= length; number++)
        if (begins_scope(hd_trace_event(index->trace, number)))
            hd_vec_push(&all, scope_at(index, number));
    scopes->scopes = all.data;
    scopes->count = (uint32_t)all.length;
}

static uint32_t lock_of(const hd_order_scope *scope) {
    return scope->lock;
}

static uint32_t thread_of(const hd_order_scope *scope) {
    return scope->thread;
}

/* A counting sort of the holds' numbers. */
static void list_by(hd_trace_lists *lists, const hd_order_scopes *scopes, uint32_t count,
                    uint32_t key(const hd_order_scope *)) {
    lists->count = count;
    lists->start = HD_NEW_ARRAY(uint32_t, (size_t)count + 2);
    lists->items = HD_NEW_ARRAY(uint32_t, scopes->count);
    for (uint32_t i = 0; i < scopes->count; i++)
        lists->start[key(&scopes->scopes[i]) + 2]++;
    for (uint32_t i = 2; i <= count; i++)
        lists->start[i] += lists->start[i - 1];
    for (uint32_t i = 0; i < scopes->count; i++)
        lists->items[lists->start[key(&scopes->scopes[i]) + 1]++] = i;
    assert(lists->start[count] == scopes->count);
}

void hd_order_scopes_build(hd_order_scopes *scopes, const hd_trace_index *index) {
    *scopes = (hd_order_scopes){0};
    gather_scopes(scopes, index);
    list_by(&scopes->by_lock, scopes, index->locks.count, lock_of);
    list_by(&scopes->by_thread, scopes, index->threads.count, thread_of);
}

void hd_order_scopes_release(hd_order_scopes *scopes) {
    free(scopes->scopes);
    free(scopes->by_lock.start);
    free(scopes->by_lock.items);
    free(scopes->by_thread.start);
    free(scopes->by_thread.items);
    *scopes = (hd_order_scopes){0};
}

uint32_t hd_order_scopes_find(const hd_order_scopes *scopes, uint32_t acquire) {
    uint32_t from = 0, to = scopes->count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (scopes->scopes[middle].acquire < acquire)
            from = middle + 1;
        else
            to = middle;
    }
    assert(from == 0 || scopes->scopes[from - 1].acquire < acquire);
    return from < scopes->count && scopes->scopes[from].acquire == acquire ? from : HD_ORDER_NONE;
}
