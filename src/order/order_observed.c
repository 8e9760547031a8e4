/*
 * The poset's own edges: each lock's events in trace order with the last writer
 * and the readers since, and the atomic reads with what they saw.
 */
#include "order_observed.h"

#include "order_machine.h"

struct gathering {
    const hd_trace *trace;
    hd_vec_u64 into, out;
    uint32_t written; /* last release of a writing hold of the lock at hand, 0 if none */
    hd_vec_u32 read;  /* releases of reading holds since then */
};

static void add_edge(struct gathering *gathering, uint32_t from, uint32_t to) {
    const hd_trace *trace = gathering->trace;
    assert(from < to);
    if (hd_trace_event(trace, from)->thread == hd_trace_event(trace, to)->thread)
        return;
    hd_vec_push(&gathering->into, (uint64_t)to << 32 | from);
    hd_vec_push(&gathering->out, (uint64_t)from << 32 | to);
}

static void after_last_writer(struct gathering *gathering, uint32_t acquire) {
    if (gathering->written)
        add_edge(gathering, gathering->written, acquire);
}

/* Each reader came after the last writer itself. */
static void after_all(struct gathering *gathering, uint32_t acquire) {
    assert(!gathering->read.length || gathering->read.data[0] > gathering->written);
    if (!gathering->read.length)
        after_last_writer(gathering, acquire);
    for (size_t i = 0; i < gathering->read.length; i++)
        add_edge(gathering, gathering->read.data[i], acquire);
}

static void gather_lock_event(struct gathering *gathering, uint32_t number) {
    const heddle_event *event = hd_trace_event(gathering->trace, number);
    if (event->flags & HEDDLE_REENTRANT)
        return;
    switch ((enum heddle_kind)event->kind) {
    case HEDDLE_ACQUIRE:
    case HEDDLE_TRY_ACQUIRE:
        after_all(gathering, number);
        break;
    case HEDDLE_RELEASE:
        gathering->written = number;
        hd_vec_clear(&gathering->read);
        break;
    case HEDDLE_READ_ACQUIRE:
    case HEDDLE_TRY_READ_ACQUIRE:
        after_last_writer(gathering, number);
        break;
    case HEDDLE_READ_RELEASE:
        hd_vec_push(&gathering->read, number);
        break;
    default:
        assert(event->kind == HEDDLE_TRYFAIL);
        break;
    }
}

static bool gather_locks(struct gathering *gathering, const hd_trace_index *index) {
    for (uint32_t lock = 0; lock < index->locks.count; lock++) {
        const uint32_t *events = hd_trace_list(&index->locks, lock);
        uint32_t count = hd_trace_list_length(&index->locks, lock);
        gathering->written = 0;
        hd_vec_clear(&gathering->read);
        for (uint32_t i = 0; i < count; i++) {
            gather_lock_event(gathering, events[i]);
            if (hd_clock_over_at(i + 1))
                return false;
        }
    }
    return true;
}

/* Which unit a take got is not known; as observed it is the oldest. */
static bool gather_units(struct gathering *gathering, const hd_trace_index *index) {
    const hd_trace *trace = gathering->trace;
    if (!trace->tables.names[HEDDLE_CLASS_SEMAPHORE].length)
        return true;
    for (uint32_t number = 1; number <= hd_trace_length(trace); number++) {
        if (hd_trace_event(trace, number)->kind == HEDDLE_TAKE && index->pair[number])
            add_edge(gathering, index->pair[number], number);
        if (hd_clock_over_at(number))
            return false;
    }
    return true;
}

static bool is_atomic(const hd_trace *trace, uint32_t number) {
    return (hd_trace_traits(hd_trace_event(trace, number)) & HEDDLE_T_ATOMIC) != 0;
}

static bool gather_atomics(struct gathering *gathering, const hd_trace_index *index) {
    const hd_trace *trace = gathering->trace;
    uint32_t length = hd_trace_length(trace);
    for (uint32_t number = 1; number <= length; number++) {
        if (hd_clock_over_at(number))
            return false;
        if (!is_atomic(trace, number) || !hd_trace_reads(hd_trace_event(trace, number)))
            continue;
        uint32_t write = index->pair[number];
        if (write && is_atomic(trace, write))
            add_edge(gathering, write, number);
    }
    return true;
}

static bool build_lists(hd_order_observed *observed, struct gathering *gathering) {
    if (!hd_order_lists_build_in_time(&observed->into, &gathering->into, NULL, NULL) ||
        !hd_order_lists_build_in_time(&observed->out, &gathering->out, NULL, NULL))
        return false;
    HD_COSTLY_ASSERT(hd_order_lists_mirror(&observed->into, &observed->out));
    return true;
}

/* Lists the edges if all were gathered in time. */
static bool finish(hd_order_observed *observed, struct gathering *gathering, bool good) {
    *observed = (hd_order_observed){0};
    good = good && build_lists(observed, gathering);
    if (!good)
        hd_order_observed_release(observed);
    hd_vec_release(&gathering->into);
    hd_vec_release(&gathering->out);
    hd_vec_release(&gathering->read);
    return good;
}

bool hd_order_observed_build(hd_order_observed *observed, const hd_trace_index *index) {
    struct gathering gathering = {.trace = index->trace};
    bool good = gather_locks(&gathering, index) && gather_atomics(&gathering, index) &&
                gather_units(&gathering, index);
    return finish(observed, &gathering, good);
}

/* ---- Memory orders: the edges are taken from the clock machine ---- */

enum { MUCH = 1 << 23 }; /* steps from one look at the time to the next */

/* Can the event be after others by more than the must-edges? */
static bool may_observe(const heddle_event *event) {
    return hd_trace_is_ordered(event) || hd_trace_acquires(event) || event->kind == HEDDLE_TAKE;
}

/* What the event has heard of that its thread had not heard of before. */
static void gather_news(struct gathering *gathering, const hd_trace_index *index, uint32_t number,
                        const hd_vec_u32 *before, hd_order_time time) {
    uint32_t own = hd_trace_event(gathering->trace, number)->thread;
    for (uint32_t t = 0; t < time.count; t++) {
        uint32_t heard = hd_order_time_at(time, t);
        if (t != own && heard > (t < before->length ? before->data[t] : 0))
            add_edge(gathering, hd_trace_event_at(index, t, heard), number);
    }
}

bool hd_order_observed_build_by_orders(hd_order_observed *observed, const hd_order_must *must) {
    const hd_trace *trace = must->index->trace;
    struct gathering gathering = {.trace = trace};
    hd_vec_u32 before = {0};
    size_t work = 0, looked = 0; /* steps, each as many as the threads that it looks at */
    bool late = false;
    hd_order_machine *machine = hd_order_machine_create(HD_ORDER_POSET);
    hd_order_machine_count_orders(machine);
    hd_order_machine_use_edges(machine, must);
    for (uint32_t number = 1; number <= hd_trace_length(trace) && !late; number++) {
        const heddle_event *event = hd_trace_event(trace, number);
        work += must->index->threads.count + 1;
        if (work - looked > MUCH) {
            looked = work;
            late = hd_clock_look() != HD_CLOCK_GOES;
        }
        if (!may_observe(event)) {
            hd_order_machine_step(machine, event);
            continue;
        }
        hd_order_time start = hd_order_machine_start(machine, event->thread);
        hd_vec_clear(&before);
        for (uint32_t t = 0; t < start.count; t++)
            hd_vec_push(&before, start.events[t]);
        gather_news(&gathering, must->index, number, &before,
                    hd_order_machine_step(machine, event));
    }
    hd_order_machine_free(machine);
    hd_vec_release(&before);
    return finish(observed, &gathering, !late);
}

void hd_order_observed_release(hd_order_observed *observed) {
    hd_order_lists_release(&observed->into);
    hd_order_lists_release(&observed->out);
}
