/*
 * The static side of reorderings: clocks over must-edges and reads-from, and the
 * lists by cell, lock and thread that the solver walks.
 */
#include "order_space.h"

/* ---- Which cell ---- */

static bool is_let_go(const hd_order_space *space, uint32_t event) {
    return space->let_go && hd_bits_has(space->let_go, event - 1);
}

static uint32_t lock_cell(const hd_order_space *space, uint32_t lock) {
    return space->index->variables.count + lock;
}

uint32_t hd_order_cell_read(const hd_order_space *space, uint32_t event) {
    const heddle_event *e = hd_order_event(space, event);
    if (hd_trace_reads(e))
        return is_let_go(space, event) ? HD_ORDER_NONE : e->object;
    if (e->kind == HEDDLE_TRYFAIL)
        return is_let_go(space, event) ? HD_ORDER_NONE : lock_cell(space, e->object);
    return HD_ORDER_NONE;
}

static bool changes_lock(const heddle_event *e) {
    return (hd_trace_traits(e) & HEDDLE_T_LOCK) && !(e->flags & HEDDLE_REENTRANT);
}

/* Whether the cell is read or not. */
static uint32_t cell_of_write(const hd_order_space *space, const heddle_event *e) {
    if (hd_trace_writes(e))
        return e->object;
    return changes_lock(e) ? lock_cell(space, e->object) : HD_ORDER_NONE;
}

static bool has_writes(const hd_order_space *space, uint32_t cell) {
    return space->changes.start[cell] != space->changes.start[cell + 1];
}

uint32_t hd_order_cell_written(const hd_order_space *space, uint32_t event) {
    uint32_t cell = cell_of_write(space, hd_order_event(space, event));
    return cell != HD_ORDER_NONE && has_writes(space, cell) ? cell : HD_ORDER_NONE;
}

/* ---- Reads-from as edges ---- */

/* What a read that saw `write` needs: a release that is one step with its wait is
 * there only with the wait. */
static uint32_t end_of_step(const hd_order_space *space, uint32_t write) {
    return write && hd_order_releases_to_wait(space->index, write) ? write + 1 : write;
}

/* False if the clock was over before. */
static bool build_edges(hd_order_space *space, hd_order_observed *seen) {
    hd_vec_u64 into = {0}, out = {0};
    bool late = false;
    *seen = (hd_order_observed){0};
    for (uint32_t event = 1; event <= hd_trace_length(space->trace) && !late; event++) {
        late = hd_clock_over_at(event);
        if (hd_order_cell_read(space, event) == HD_ORDER_NONE)
            continue;
        uint32_t from = end_of_step(space, space->index->pair[event]);
        if (!from || hd_order_event(space, from)->thread == hd_order_event(space, event)->thread)
            continue;
        assert(from < event);
        hd_vec_push(&into, (uint64_t)event << 32 | from);
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): 64 bits
        hd_vec_push(&out, (uint64_t)from << 32 | event);
    }
    bool good = !late && hd_order_lists_build_in_time(&seen->into, &into, NULL, NULL) &&
                hd_order_lists_build_in_time(&seen->out, &out, NULL, NULL);
    hd_vec_release(&into);
    hd_vec_release(&out);
    return good;
}

enum { MOST_COMPARED = 64 };

/* b needs a if and only if a set without a has no b. */
static bool clocks_agree(const hd_order_space *space) {
    uint32_t length = hd_trace_length(space->trace);
    for (uint32_t a = 1; a <= length; a++)
        for (uint32_t b = 1; b <= length; b++) {
            uint32_t thread = hd_order_event(space, b)->thread;
            bool without =
                hd_order_clocks_at(&space->free, a, thread) >= hd_order_position(space, b);
            if (hd_order_needs(space, a, b) == without)
                return false;
        }
    return true;
}

static bool build_clocks(hd_order_space *space, size_t limit, hd_error *error) {
    hd_order_observed seen;
    const hd_order_must *must = &space->order->must;
    bool good = build_edges(space, &seen) || hd_order_late(error);
    good = good && hd_order_clocks_build(&space->need, must, &seen, false, limit, error);
    if (good)
        good = hd_order_clocks_build(&space->free, must, &seen, true,
                                     limit - hd_order_clocks_bytes(&space->need), error);
    hd_order_observed_release(&seen);
    HD_COSTLY_ASSERT(!good || hd_trace_length(space->trace) > MOST_COMPARED || clocks_agree(space));
    return good;
}

/* ---- Lists ---- */

static void build_reads(hd_order_space *space) {
    hd_vec_u64 initial = {0}, later = {0};
    uint32_t length = hd_trace_length(space->trace);
    for (uint32_t event = 1; event <= length; event++) {
        uint32_t cell = hd_order_cell_read(space, event), write = space->index->pair[event];
        if (cell == HD_ORDER_NONE)
            continue;
        if (write)
            hd_vec_push(&later, (uint64_t)write << 32 | event);
        else
            hd_vec_push(&initial, (uint64_t)cell << 32 | event);
    }
    hd_order_split(&space->first, space->cells, &initial);
    hd_order_split(&space->readers, length + 1, &later);
}

/* Variables always have their writes, which questions are about; the state of a
 * lock matters only to failed tries. */
static void build_writes(hd_order_space *space) {
    hd_bits read;
    hd_vec_u64 pairs = {0};
    uint32_t length = hd_trace_length(space->trace), variables = space->index->variables.count;
    uint32_t *thread_of = HD_NEW_ARRAY(uint32_t, (size_t)length + 1);
    hd_bits_init(&read, (size_t)space->cells + 1);
    for (uint32_t event = 1; event <= length; event++) {
        uint32_t cell = hd_order_cell_read(space, event);
        if (cell != HD_ORDER_NONE)
            hd_bits_set(&read, cell);
        thread_of[event] = hd_order_event(space, event)->thread;
    }
    for (uint32_t event = 1; event <= length; event++) {
        uint32_t cell = cell_of_write(space, hd_order_event(space, event));
        if (cell != HD_ORDER_NONE && (cell < variables || hd_bits_has(&read, cell)))
            hd_vec_push(&pairs, (uint64_t)cell << 32 | event);
    }
    hd_order_split(&space->changes, space->cells, &pairs);
    hd_order_groups_build(&space->writes, &space->changes, thread_of, space->threads);
    assert(space->writes.start[space->writes.count] == space->changes.start[space->cells]);
    hd_bits_release(&read);
    free(thread_of);
}

/* Does each hold's acquire, and its release if it has one, point back to it, and its place in
 * the groups to its acquire? */
HD_ASSERT_ONLY static bool holds_point_back(const hd_order_space *space) {
    const hd_order_scope *scopes = space->scopes->scopes;
    for (uint32_t i = 0; i < space->scopes->count; i++) {
        const hd_order_scope *hold = &scopes[i];
        if (space->hold_of[hold->acquire] != i ||
            (hold->release && space->hold_of[hold->release] != i) ||
            (i && hold[-1].acquire >= hold->acquire) ||
            space->hold_of[space->acquires[i]] != space->holds.items[i])
            return false;
    }
    return true;
}

static void build_holds(hd_order_space *space) {
    const hd_order_scopes *scopes = space->scopes;
    uint32_t *thread_of = HD_NEW_ARRAY(uint32_t, (size_t)scopes->count + 1);
    space->hold_of = HD_NEW_ARRAY(uint32_t, (size_t)hd_trace_length(space->trace) + 1);
    for (uint32_t hold = 0; hold < scopes->count; hold++) {
        thread_of[hold] = scopes->scopes[hold].thread;
        space->hold_of[scopes->scopes[hold].acquire] = hold;
        space->hold_of[scopes->scopes[hold].release] = hold; /* [0] is never asked for */
    }
    hd_order_groups_build(&space->holds, &scopes->by_lock, thread_of, space->threads);
    space->acquires = HD_NEW_ARRAY(uint32_t, (size_t)scopes->count + 1);
    for (uint32_t i = 0; i < scopes->count; i++)
        space->acquires[i] = scopes->scopes[space->holds.items[i]].acquire;
    HD_COSTLY_ASSERT(holds_point_back(space));
    free(thread_of);
}

bool hd_order_space_init(hd_order_space *space, const hd_order *order, const hd_bits *let_go,
                         size_t limit, hd_error *error) {
    enum { LONG = 1 << 20 }; /* of a shorter trace each part takes a moment */
    assert((order->built & (HD_ORDER_SCOPES | HD_ORDER_HELD)) == (HD_ORDER_SCOPES | HD_ORDER_HELD));
    *space = (hd_order_space){.order = order,
                              .trace = order->trace,
                              .index = &order->index,
                              .scopes = &order->scopes,
                              .let_go = let_go,
                              .threads = hd_order_threads(order),
                              .cells = order->index.variables.count + order->index.locks.count};
    static void (*const parts[])(hd_order_space *) = {build_reads, build_writes, build_holds};
    bool good = build_clocks(space, limit, error);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && good; i++) {
        parts[i](space);
        good = hd_trace_length(space->trace) < LONG || hd_clock_look() == HD_CLOCK_GOES ||
               hd_order_late(error);
    }
    if (!good) {
        hd_order_space_release(space);
        return false;
    }
    hd_order_units_build(&space->units, space->index);
    return true;
}

void hd_order_space_release(hd_order_space *space) {
    hd_order_clocks_release(&space->need);
    hd_order_clocks_release(&space->free);
    hd_order_groups_release(&space->holds);
    free(space->acquires);
    hd_order_groups_release(&space->writes);
    hd_order_split_release(&space->changes);
    hd_order_split_release(&space->first);
    hd_order_split_release(&space->readers);
    free(space->hold_of);
    hd_order_units_release(&space->units);
    *space = (hd_order_space){0};
}

/* ---- Holds ---- */

/* Of the first `low` holds of the group the last that conflicts. */
static uint32_t last_conflict(const hd_order_space *space, uint32_t group, uint32_t low,
                              const hd_order_scope *hold) {
    const hd_order_scope *scopes = space->scopes->scopes;
    const uint32_t *items = space->holds.items + space->holds.start[group];
    while (low > 0 && hold->reading && scopes[items[low - 1]].reading)
        low--;
    return low > 0 ? items[low - 1] : HD_ORDER_NONE;
}

uint32_t hd_order_space_last_hold(const hd_order_space *space, uint32_t group, uint32_t position,
                                  const hd_order_scope *hold) {
    uint32_t first = space->holds.start[group], count = space->holds.start[group + 1] - first;
    uint32_t limit = hd_order_limit_of(space, space->holds.thread[group], position);
    return last_conflict(space, group, hd_order_below(space->acquires + first, count, limit), hold);
}

uint32_t hd_order_space_last_hold_near(const hd_order_space *space, uint32_t group,
                                       uint32_t position, const hd_order_scope *hold,
                                       uint32_t *near) {
    uint32_t first = space->holds.start[group], count = space->holds.start[group + 1] - first;
    uint32_t limit = hd_order_limit_of(space, space->holds.thread[group], position);
    return last_conflict(space, group,
                         hd_order_below_near(space->acquires + first, count, limit, near), hold);
}

/* ---- Sets ---- */

static void raise_to(uint32_t *restrict set, const uint32_t *restrict row, uint32_t threads) {
    for (uint32_t t = 0; t < threads; t++)
        set[t] = set[t] < row[t] ? row[t] : set[t];
}

void hd_order_space_include(const hd_order_space *space, uint32_t *set, uint32_t event) {
    uint32_t last = end_of_step(space, event), thread = hd_order_event(space, event)->thread;
    uint32_t position = hd_order_position(space, last);
    raise_to(set, hd_order_clocks_row(&space->need, event), space->threads);
    if (set[thread] < position)
        set[thread] = position;
}

/* An access or an acquire has no must-edges but program order and the fork; for
 * any other kind its row has what else it needs. */
void hd_order_space_before(const hd_order_space *space, uint32_t *set, uint32_t event) {
    hd_order_list into = hd_order_lists_of(&space->order->must.into, event);
    uint32_t position = hd_order_position(space, event);
    if (position > 1)
        hd_order_space_include(
            space, set,
            hd_order_event_at(space, hd_order_event(space, event)->thread, position - 1));
    for (uint32_t i = 0; i < into.count; i++)
        if (into.events[i] != event &&
            hd_order_event(space, into.events[i])->thread != hd_order_event(space, event)->thread)
            hd_order_space_include(space, set, into.events[i]);
}
