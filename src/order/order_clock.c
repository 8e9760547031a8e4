/*
 * Stored clocks: one pass along the trace (back along it for the reverse), with
 * the latest row of each thread at hand.  All edges go forward in the trace, so
 * the rows at the other end of an event's edges are there when it comes.
 */
#include "order_clock.h"

#include <string.h>

/* A walk along the keys of one set of lists, upward or downward. */
struct walk {
    const hd_order_lists *lists;
    uint32_t next; /* keys passed so far */
};

/* A model's edges on the side that the pass looks at. */
struct pass {
    hd_order_clocks *clocks;
    struct walk must, observed;
    uint32_t *latest; /* [thread]: the row of its events now */
};

static uint32_t key_at(const hd_order_clocks *clocks, const struct walk *walk) {
    if (!walk->lists || walk->next == walk->lists->count)
        return 0;
    return walk->lists->keys[clocks->reverse ? walk->lists->count - 1 - walk->next : walk->next];
}

/* The event's list, if it has one; events come in the order of the walk. */
static hd_order_list next_list(const hd_order_clocks *clocks, struct walk *walk, uint32_t event) {
    uint32_t key = key_at(clocks, walk);
    assert(!key || (clocks->reverse ? key <= event : key >= event)); /* none is passed over */
    if (key != event)
        return (hd_order_list){NULL, 0};
    uint32_t passed = walk->next++;
    return hd_order_lists_at(walk->lists,
                             clocks->reverse ? walk->lists->count - 1 - passed : passed);
}

/* How many events have an edge on this side, in either of the two. */
static size_t count_keys(const hd_order_lists *a, const hd_order_lists *b) {
    if (!b)
        return a->count;
    size_t common = 0;
    for (uint32_t i = 0, j = 0; i < a->count && j < b->count;) {
        uint32_t left = a->keys[i], right = b->keys[j];
        common += left == right;
        i += left <= right;
        j += right <= left;
    }
    return (size_t)a->count + b->count - common;
}

static void raise_to(uint32_t *restrict row, const uint32_t *restrict other, uint32_t threads) {
    for (uint32_t t = 0; t < threads; t++)
        row[t] = row[t] < other[t] ? other[t] : row[t];
}

static void lower_to(uint32_t *restrict row, const uint32_t *restrict other, uint32_t threads) {
    for (uint32_t t = 0; t < threads; t++)
        row[t] = row[t] > other[t] ? other[t] : row[t];
}

/* Does each event know at least what the one before it in its thread knows (of the reverse: at
 * most), and of no thread more events than it has? */
HD_ASSERT_ONLY static bool clocks_are_monotone(const hd_order_clocks *clocks) {
    const hd_trace_index *index = clocks->index;
    for (uint32_t event = 1; event <= hd_trace_length(index->trace); event++) {
        uint32_t thread = hd_trace_event(index->trace, event)->thread;
        uint32_t position = index->position[event];
        uint32_t before = position > 1 ? hd_trace_event_at(index, thread, position - 1) : 0;
        for (uint32_t t = 0; t < clocks->threads; t++) {
            uint32_t now = hd_order_clocks_at(clocks, event, t);
            if (now > hd_trace_list_length(&index->threads, t) ||
                (before && now < hd_order_clocks_at(clocks, before, t)))
                return false;
        }
    }
    return true;
}

/* Takes in the clock of an event at the other end of an edge. */
static void take_in(const hd_order_clocks *clocks, uint32_t *row, uint32_t event) {
    uint32_t thread = hd_trace_event(clocks->index->trace, event)->thread;
    uint32_t own = clocks->index->position[event] - clocks->reverse;
    assert(clocks->row_of[event] < clocks->row_count);
    if (clocks->reverse) {
        lower_to(row, hd_order_clocks_row(clocks, event), clocks->threads);
        if (row[thread] > own)
            row[thread] = own;
    } else {
        raise_to(row, hd_order_clocks_row(clocks, event), clocks->threads);
        if (row[thread] < own)
            row[thread] = own;
    }
}

static void take_in_all(const hd_order_clocks *clocks, uint32_t *row, hd_order_list list) {
    for (uint32_t i = 0; i < list.count; i++)
        take_in(clocks, row, list.events[i]);
}

static void visit_event(struct pass *pass, uint32_t event) {
    hd_order_clocks *clocks = pass->clocks;
    uint32_t thread = hd_trace_event(clocks->index->trace, event)->thread;
    hd_order_list must = next_list(clocks, &pass->must, event);
    hd_order_list observed = next_list(clocks, &pass->observed, event);
    if (must.count + observed.count) {
        uint32_t *row = clocks->rows + (size_t)clocks->row_count * clocks->threads;
        memcpy(row, clocks->rows + (size_t)pass->latest[thread] * clocks->threads,
               clocks->threads * sizeof *row);
        take_in_all(clocks, row, must);
        take_in_all(clocks, row, observed);
        assert(clocks->reverse ? row[thread] >= clocks->index->position[event]
                               : row[thread] < clocks->index->position[event]);
        pass->latest[thread] = clocks->row_count++;
    }
    clocks->row_of[event] = pass->latest[thread];
}

/* False if the clock was over before. */
static bool fill_rows(struct pass *pass) {
    hd_order_clocks *clocks = pass->clocks;
    uint32_t length = hd_trace_length(clocks->index->trace);
    pass->latest = HD_NEW_ARRAY(uint32_t, clocks->threads);
    enum { OFTEN = 4096, NUMBERS = 1 << 23 };
    uint32_t i = 1, rows = 0,
             most = NUMBERS / (clocks->threads + 1) + 1; /* rows that take a moment */
    for (; i <= length; i++) {
        bool many = clocks->row_count - rows > most;
        rows = many ? clocks->row_count : rows;
        if ((many || i % OFTEN == 0) && hd_clock_look() != HD_CLOCK_GOES)
            break;
        visit_event(pass, clocks->reverse ? length + 1 - i : i);
    }
    assert(i <= length || (!key_at(clocks, &pass->must) && !key_at(clocks, &pass->observed)));
    free(pass->latest);
    return i > length;
}

/* Row 0 is that of event 0, and of threads that no edge has touched yet. */
static void start_rows(hd_order_clocks *clocks) {
    clocks->row_count = 1;
    if (clocks->reverse)
        for (uint32_t t = 0; t < clocks->threads; t++)
            clocks->rows[t] = hd_trace_list_length(&clocks->index->threads, t);
}

bool hd_order_late(hd_error *error) {
    return hd_error_set(error, "%s before all events were ordered",
                        hd_clock_look() == HD_CLOCK_STOPPED ? "interrupted"
                                                            : "stopped by the limit on time");
}

bool hd_order_clocks_build(hd_order_clocks *clocks, const hd_order_must *must,
                           const hd_order_observed *observed, bool reverse, size_t limit,
                           hd_error *error) {
    const hd_trace_index *index = must->index;
    struct pass pass = {.clocks = clocks};
    pass.must.lists = reverse ? &must->out : &must->into;
    if (observed)
        pass.observed.lists = reverse ? &observed->out : &observed->into;
    size_t rows = 1 + count_keys(pass.must.lists, pass.observed.lists);
    size_t events = (size_t)hd_trace_length(index->trace) + 1;
    size_t threads = index->threads.count;
    size_t bytes = (events + rows * threads) * sizeof(uint32_t);
    if (bytes > limit)
        return hd_error_set(
            error,
            "the clocks of %s at %s where they meet take %zu bytes, more than the limit of %zu",
            hd_text_count(threads, "thread", "threads"), hd_text_count(rows - 1, "event", "events"),
            bytes, limit);
    *clocks = (hd_order_clocks){.index = index, .threads = (uint32_t)threads, .reverse = reverse};
    clocks->row_of = HD_NEW_ARRAY(uint32_t, events);
    clocks->rows = HD_NEW_ARRAY(uint32_t, rows * threads);
    start_rows(clocks);
    if (!fill_rows(&pass)) {
        hd_order_clocks_release(clocks);
        return hd_order_late(error);
    }
    assert(clocks->row_count == rows);
    HD_COSTLY_ASSERT(clocks_are_monotone(clocks));
    return true;
}

void hd_order_clocks_release(hd_order_clocks *clocks) {
    free(clocks->row_of);
    free(clocks->rows);
    *clocks = (hd_order_clocks){0};
}

size_t hd_order_clocks_bytes(const hd_order_clocks *clocks) {
    if (!clocks->index)
        return 0;
    size_t events = (size_t)hd_trace_length(clocks->index->trace) + 1;
    return (events + (size_t)clocks->row_count * clocks->threads) * sizeof(uint32_t);
}

void hd_order_clocks_copy(const hd_order_clocks *clocks, uint32_t event, uint32_t *to) {
    memcpy(to, hd_order_clocks_row(clocks, event), clocks->threads * sizeof *to);
    if (event) {
        uint32_t thread = hd_trace_event(clocks->index->trace, event)->thread;
        to[thread] = clocks->index->position[event] - clocks->reverse;
    }
}
