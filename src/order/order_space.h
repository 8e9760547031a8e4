/*
 * The space of reorderings of a trace (doc/witness.md): what stays the same
 * whatever is asked about them.
 *
 *   need of e at t    how many events of thread t every reordering with e has:
 *                     the clock of must-edges, reads-from and failed tries
 *   free of e at t    how many events of thread t a reordering without e may
 *                     have: the reverse of the same
 *
 * A *cell* is what a read reads: a variable, or the state of a lock, which its
 * acquires and releases write and failed tries read.  Cells of variables come
 * first, then those of locks; cells that are never read have no lists.
 *
 * A read that is let go sees what it likes, so it has no edge.  The reads let go
 * are fixed with the space.
 *
 * Building is linear in the events but for the threads of each edge; memory is
 * about 60 bytes an event and two rows of clocks an edge.
 */
#ifndef HD_ORDER_SPACE_H
#define HD_ORDER_SPACE_H

#include "order_units.h"
#include "order_view.h"

typedef struct hd_order_space {
    const hd_order *order;
    const hd_trace *trace;
    const hd_trace_index *index;
    const hd_order_scopes *scopes;
    const hd_bits *let_go; /* [event - 1]: a read that is let go; NULL: none */
    uint32_t threads, cells;
    hd_order_clocks need, free;
    hd_order_groups holds;  /* of a lock: numbers of holds */
    uint32_t *acquires;     /* of those numbers, in their places */
    hd_order_groups writes; /* of a cell: its writes */
    hd_trace_lists changes; /* of a cell: its writes, in trace order */
    hd_trace_lists first;   /* of a cell: reads of its initial value */
    hd_trace_lists readers; /* of an event: the kept reads that saw it */
    uint32_t *hold_of;      /* [acquire or release that is not re-entrant]: its hold */
    hd_order_units units;   /* of semaphores */
} hd_order_space;

/* False, with an error, if the clocks would take more than `limit` bytes.  The order
 * must have its scopes and held locks, and must stay; so must `let_go`. */
bool hd_order_space_init(hd_order_space *space, const hd_order *order, const hd_bits *let_go,
                         size_t limit, hd_error *error);
void hd_order_space_release(hd_order_space *space);

static inline const heddle_event *hd_order_event(const hd_order_space *space, uint32_t event) {
    return hd_trace_event(space->trace, event);
}

static inline uint32_t hd_order_position(const hd_order_space *space, uint32_t event) {
    return space->index->position[event];
}

static inline uint32_t hd_order_space_length(const hd_order_space *space, uint32_t thread) {
    return hd_trace_list_length(&space->index->threads, thread);
}

static inline uint32_t hd_order_event_at(const hd_order_space *space, uint32_t thread,
                                         uint32_t position) {
    return hd_trace_event_at(space->index, thread, position);
}

/* Is a before b, or b, in every reordering with b? */
static inline bool hd_order_needs(const hd_order_space *space, uint32_t a, uint32_t b) {
    return hd_order_clocks_at(&space->need, b, hd_order_event(space, a)->thread) >=
           hd_order_position(space, a);
}

/* The cell that an event reads and must see as in the trace; HD_ORDER_NONE if
 * none exists. */
uint32_t hd_order_cell_read(const hd_order_space *space, uint32_t event);

/* The cell that an event writes, if it is ever read. */
uint32_t hd_order_cell_written(const hd_order_space *space, uint32_t event);

/* hd_order_below for a list that is asked again and again nearby: from the last answer on. */
static inline uint32_t hd_order_below_near(const uint32_t *items, uint32_t count, uint32_t limit,
                                           uint32_t *near) {
    uint32_t low = *near, step = 1;
    if (low < count && items[low] < limit) {
        for (low++; step <= count - low && items[low + step - 1] < limit; step *= 2)
            low += step;
        uint32_t rest = step - 1 < count - low ? step - 1 : count - low;
        low += hd_order_below(items + low, rest, limit);
    } else if (low > 0 && items[low - 1] >= limit) {
        uint32_t high = low - 1;
        for (; step <= high && items[high - step] >= limit; step *= 2)
            high -= step;
        low = step <= high ? high - step + 1 : 0;
        low += hd_order_below(items + low, high - low, limit);
    }
    assert((low == count || items[low] >= limit) && (low == 0 || items[low - 1] < limit));
    return *near = low;
}

/* How many events of the thread have a number below the limit. */
static inline uint32_t hd_order_taken_below(const hd_order_space *space, uint32_t thread,
                                            uint32_t limit) {
    return hd_order_below(hd_trace_list(&space->index->threads, thread),
                          hd_order_space_length(space, thread), limit);
}

/* Number below which all events of the thread at or before the position are. */
static inline uint32_t hd_order_limit_of(const hd_order_space *space, uint32_t thread,
                                         uint32_t position) {
    return position ? hd_order_event_at(space, thread, position) + 1 : 1;
}

/* Raises the set (events taken of each thread) to what the event needs, itself
 * included; the wait of a condition wait comes with its release. */
void hd_order_space_include(const hd_order_space *space, uint32_t *set, uint32_t event);

/* The same for all that must be there so that the event can be next. */
void hd_order_space_before(const hd_order_space *space, uint32_t *set, uint32_t event);

/* The last hold of a group that conflicts with `hold` and whose acquire is at or before
 * the position of the group's thread; HD_ORDER_NONE if none exists. */
uint32_t hd_order_space_last_hold(const hd_order_space *space, uint32_t group, uint32_t position,
                                  const hd_order_scope *hold);

/* The same, from the last answer on. */
uint32_t hd_order_space_last_hold_near(const hd_order_space *space, uint32_t group,
                                       uint32_t position, const hd_order_scope *hold,
                                       uint32_t *near);

#endif
